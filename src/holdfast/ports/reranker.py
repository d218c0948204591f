"""What reads a question and its best answers together, and says how well each fits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Reranker(Protocol):
    """A plug-in under the entry point group ``holdfast.reranker``."""

    @property
    def name(self) -> str:
        """What it is called in the reasons."""
        ...

    def fits(self, question: str, claims: Sequence[str]) -> Sequence[float]:
        """Return a number between 0 and 1 for each claim, larger for a better answer."""
        ...
