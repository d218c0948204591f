"""The port for plug-ins that score how well claims answer a question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Reranker(Protocol):
    """A plug-in under the entry point group ``holdfast.reranker``."""

    @property
    def name(self) -> str:
        """The name that the reasons show."""
        ...

    def fits(self, question: str, claims: Sequence[str]) -> Sequence[float]:
        """Return a number between 0 and 1 for each claim, larger for a better answer."""
        ...
