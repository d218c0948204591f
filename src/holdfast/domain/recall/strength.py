"""Compute how certainly memories answer a question, compared with each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

# Fitted with MiniLM: ``python -m benchmarks.silence``, first set of questions (decision 46).
SURE = 1.0
"""The strength from which a memory answers by itself; one such memory makes an answer."""

# Fitted like the numbers of ``relevance``.
_NEARLY_AS_MUCH = 0.9
_CROWD = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedTerms:
    """What a memory shares with a question, and how much of it is needed.

    ``doubt`` is needed in addition if other memories share as much through the same ``words``:
    then the question is about something else that all of them are near to.
    """

    amount: float
    needed: float
    doubt: float = 0.0
    words: frozenset[str] = frozenset()


def strengths(ties: Sequence[SharedTerms]) -> list[float]:
    """Return how certainly each memory answers; ``SURE`` or more is enough by itself."""
    return [tie.amount / (tie.needed + tie.doubt * _crowding(tie, ties)) for tie in ties]


def _crowding(tie: SharedTerms, ties: Sequence[SharedTerms]) -> float:
    """Return 0 for a memory that stands out, 1 for one of several that are equally near."""
    if not tie.doubt:
        return 0.0
    least = _NEARLY_AS_MUCH * tie.amount
    alike = sum(other.words >= tie.words and other.amount >= least for other in ties) - 1
    return min(alike / _CROWD, 1.0)
