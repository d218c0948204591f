"""Write an answer as JSON: every door sends what this module returns.

A repository decides the names of its files, branches and symbols, and the lines that an answer
quotes. Hidden characters in them are written as `<U+XXXX>`, so that a person sees what an agent
reads.
"""

from __future__ import annotations

import json

_PLAIN_ESCAPES = ("\\u", "\x7f")


def json_text(
    value: object, *, indent: int | None = None, is_compact: bool = True, ascii_only: bool = False
) -> str:
    """Return a value as JSON; a compact one has no unneeded spaces, to save tokens."""
    separators = (",", ":") if is_compact and indent is None else None
    text = json.dumps(value, ensure_ascii=False, indent=indent, separators=separators)
    # Text without an escape hides nothing, so most answers are written once.
    if text.isascii() and not any(sign in text for sign in _PLAIN_ESCAPES) and "\\r" not in text:
        return text
    return json.dumps(shown(value), ensure_ascii=ascii_only, indent=indent, separators=separators)


def shown(value: object) -> object:
    """Return a JSON value with the hidden characters of all its texts and names visible."""
    from holdfast.domain.gates.hidden import escaped

    if isinstance(value, str):
        return escaped(value)
    if isinstance(value, dict):
        return {escaped(name): shown(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [shown(one) for one in value]
    return value
