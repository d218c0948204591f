"""Compares the titles of tasks, intents and commits by their words."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from holdfast.domain.text.words import STOP_WORDS, stem

if TYPE_CHECKING:
    from collections.abc import Mapping

_WORD = re.compile(r"[^\W_]+(?:[.\-'][^\W_]+)*")
_VERSION = re.compile(r"^v(?=\d)")
SAME = 0.75
"""The share of words that two titles of one task have in common; chosen by hand."""


@lru_cache(maxsize=4096)
def content(text: str) -> frozenset[str]:
    """Return the stems of the words that name a topic."""
    return frozenset(spelled(text))


def spelled(text: str) -> Mapping[str, str]:
    """Return the words that name a topic, by their stems."""
    words = (_VERSION.sub("", word) for word in _WORD.findall(text.casefold()))
    return {stem(word): word for word in words if word not in STOP_WORDS}


def likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the share of words that two titles have in common, from 0 to 1."""
    together = one | other
    return len(one & other) / len(together) if together else 0.0
