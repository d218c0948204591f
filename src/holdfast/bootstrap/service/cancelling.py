"""Heuristics that stop once a request is given up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.values import replace

if TYPE_CHECKING:
    from holdfast.domain.review.suspicion import Suspicion
    from holdfast.ports.heuristics import Heuristics
    from holdfast.ports.judge import Judge
    from holdfast.ports.store.cancelling import Cancellation


def cancellable(heuristics: Heuristics, cancellation: Cancellation) -> Heuristics:
    """Return the heuristics for a request that can be given up.

    Only a judge works for long without a question to the store: it compares thousands of pairs.
    """
    return replace(heuristics, judge=_CancellableJudge(heuristics.judge, cancellation))


class _CancellableJudge:
    """A judge that refuses to compare pairs nobody waits for."""

    def __init__(self, judge: Judge, cancellation: Cancellation) -> None:
        self._judge = judge
        self._cancellation = cancellation

    @property
    def name(self) -> str:
        """The name that the reasons show."""
        return self._judge.name

    def judged(self, newer: str, older: str, found: Suspicion | None) -> Suspicion | None:
        """Return the suspicion about a pair.

        Raises:
            TimedOutError: The request was given up.
        """
        self._cancellation.refuse_cancelled()
        return self._judge.judged(newer, older, found)
