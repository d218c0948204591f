"""Scores the paths of a checkout, so that the files a question needs are read first."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from holdfast.adapters.code.search.wording import is_test
from holdfast.domain.text.words import STOP_WORDS

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from holdfast.ports.store.upkeep import Progress

    Watch = Callable[[], AbstractContextManager[Progress]]


_WORD = re.compile(r"[^\W_]+")
_READ_AT_MOST = 4_000
_SHORTEST = 3
_STEM = 5
_FOR_A_TEST = 0.5


def urgency(question: str) -> Callable[[str], float]:
    """Return a function that scores a path by the words it shares with the question.

    Words are compared by their beginning, so that ``sessions`` matches ``session``.
    """
    words = {
        word[:_STEM]
        for word in _WORD.findall(question[:_READ_AT_MOST].lower())
        if len(word) >= _SHORTEST and word not in STOP_WORDS
    }

    def worth(path: str) -> float:
        parts = {part[:_STEM] for part in _WORD.findall(path.lower())}
        return len(words & parts) - _FOR_A_TEST * is_test(path)

    return worth
