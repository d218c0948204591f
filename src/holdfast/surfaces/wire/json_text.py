"""Write an answer as JSON: every door sends what this module returns.

A repository decides the names of its files, branches and symbols, and the lines that an answer
quotes. Hidden characters in them are written as `<U+XXXX>`, so that a person sees what an agent
reads.
"""

from __future__ import annotations

import json
from functools import partial

from holdfast.domain.gates.unseen import escaped

_DELETE = "\x7f"
_AFTER_BACKSLASH = frozenset("ubfr")
"""How JSON goes on after a backslash to write a character that may hide."""
# An answer is never part of itself, and to check that takes nearly half of the time.
_dumps = partial(json.dumps, check_circular=False)


def json_text(
    value: object, *, indent: int | None = None, is_compact: bool = True, ascii_only: bool = False
) -> str:
    """Return a value as JSON; a compact one has no unneeded spaces, to save tokens."""
    separators = (",", ":") if is_compact and indent is None else None
    text = _dumps(value, ensure_ascii=False, indent=indent, separators=separators)
    if _is_plain(text):
        return text
    return _dumps(_walked(value), ensure_ascii=ascii_only, indent=indent, separators=separators)


def shown(value: object) -> object:
    """Return a JSON value with the hidden characters of all its texts and names visible."""
    return value if _is_plain(_dumps(value, ensure_ascii=False)) else _walked(value)


def _is_plain(text: str) -> bool:
    """Tell whether a text in JSON has no character that may hide, as most answers have none."""
    if not text.isascii() or _DELETE in text:
        return False
    return _AFTER_BACKSLASH.isdisjoint([part[:1] for part in text.split("\\")[1:]])


def _walked(value: object) -> object:
    if isinstance(value, str):
        return escaped(value)
    if isinstance(value, dict):
        return {escaped(name): _walked(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_walked(one) for one in value]
    return value
