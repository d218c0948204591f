"""Gives precomputed vectors to libraries that insist on embedding by themselves."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.peers.peer import Asked, Batch


class GivenVectors:
    """Looks up a text among the announced ones."""

    def __init__(self) -> None:
        self._known: dict[str, list[float]] = {}

    def announce(self, batch: Batch) -> None:
        """Register the vectors of the next texts."""
        self._known = dict(zip(batch.texts, batch.vectors.tolist(), strict=True))

    def announce_question(self, asked: Asked) -> None:
        """Register the vector of the next question."""
        self._known = {asked.text: asked.vector.tolist()}

    def of(self, texts: Sequence[str]) -> list[list[float]]:
        """Return the vector of each text."""
        return [self._known[text] for text in texts]
