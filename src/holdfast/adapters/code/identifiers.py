"""Splits identifiers into words: ``rotate_token`` and ``rotateToken`` both have two."""

from __future__ import annotations

import re
from functools import lru_cache

_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\d_a-zA-Z]+")
_LONGEST = 128


def inner_words(text: str) -> str:
    """Return the words of identifiers that have more than one, in order, joined by spaces."""
    return " ".join(filter(None, map(_parts, _IDENTIFIER.findall(text))))


@lru_cache(maxsize=65_536)
def _parts(identifier: str) -> str:
    if len(identifier) > _LONGEST or identifier.islower() and "_" not in identifier:
        return ""
    parts = _PART.findall(identifier)
    return " ".join(parts).lower() if len(parts) > 1 else ""
