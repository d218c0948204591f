"""The words inside identifiers (``rotate_token`` has two), and the names of a module's path."""

from __future__ import annotations

import re
from functools import lru_cache

_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\d_a-zA-Z]+")
_LONGEST = 128
_STANDS_FOR_FOLDER = frozenset({"__init__", "index", "mod", "lib"})


def inner_words(text: str) -> str:
    """Return the words of identifiers that have more than one, in order, joined by spaces."""
    return " ".join(filter(None, map(_parts, _IDENTIFIER.findall(text))))


@lru_cache(maxsize=65_536)
def _parts(identifier: str) -> str:
    if len(identifier) > _LONGEST or identifier.islower() and "_" not in identifier:
        return ""
    parts = _PART.findall(identifier)
    return " ".join(parts).lower() if len(parts) > 1 else ""


def stem_parts(path: str) -> tuple[str, ...]:
    """Return the parts of a module's name: no ending; a package file becomes its folder."""
    parts = path.split("/")
    stem = parts[-1].partition(".")[0] or parts[-1]
    if stem in _STANDS_FOR_FOLDER:
        return tuple(parts[:-1])
    return (*parts[:-1], stem)
