"""How long a text is for a model."""

from __future__ import annotations

from typing import Protocol


class TokenCounter(Protocol):
    """Counts tokens without asking a network."""

    @property
    def name(self) -> str:
        """The way of counting, kept with each bundle so that a replay counts alike."""
        ...

    def count(self, text: str) -> int:
        """Return how many tokens the text takes; must be 0 for no text, and never less than 0."""
        ...
