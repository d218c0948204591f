"""For libraries that insist on embedding by themselves: they are handed the vectors we have."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.peers.peer import Asked, Batch


class GivenVectors:
    """Looks a text up among those that were announced."""

    def __init__(self) -> None:
        self._known: dict[str, list[float]] = {}

    def announce(self, batch: Batch) -> None:
        """Say which vectors the next texts have."""
        self._known = dict(zip(batch.texts, batch.vectors.tolist(), strict=True))

    def announce_question(self, asked: Asked) -> None:
        """Say which vector the next question has."""
        self._known = {asked.text: asked.vector.tolist()}

    def of(self, texts: Sequence[str]) -> list[list[float]]:
        """Return the vector of each text."""
        return [self._known[text] for text in texts]
