"""Write an answer as JSON: every door sends what this module returns.

A repository decides the names of its files, branches and symbols, and the lines that an answer
quotes. Hidden characters in them are written as `<U+XXXX>`, so that a person sees what an agent
reads.
"""

from __future__ import annotations

import json

from holdfast.domain.gates.unseen import escaped

_SIGNS_OF_OTHERS = ("\\u", "\\b", "\\f", "\\r", "\x7f")
"""How JSON begins to write a character that may hide."""


def json_text(
    value: object, *, indent: int | None = None, is_compact: bool = True, ascii_only: bool = False
) -> str:
    """Return a value as JSON; a compact one has no unneeded spaces, to save tokens."""
    separators = (",", ":") if is_compact and indent is None else None
    text = json.dumps(value, ensure_ascii=False, indent=indent, separators=separators)
    if _is_plain(text):
        return text
    return json.dumps(_walked(value), ensure_ascii=ascii_only, indent=indent, separators=separators)


def shown(value: object) -> object:
    """Return a JSON value with the hidden characters of all its texts and names visible."""
    return value if _is_plain(json.dumps(value, ensure_ascii=False)) else _walked(value)


def _is_plain(text: str) -> bool:
    """Tell whether a text in JSON has no character that may hide, as most answers have none."""
    return text.isascii() and not any(sign in text for sign in _SIGNS_OF_OTHERS)


def _walked(value: object) -> object:
    if isinstance(value, str):
        return escaped(value)
    if isinstance(value, dict):
        return {escaped(name): _walked(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_walked(one) for one in value]
    return value
