"""The port for token counting."""

from __future__ import annotations

from typing import Protocol


class TokenCounter(Protocol):
    """Counts the tokens of a text without network access."""

    @property
    def name(self) -> str:
        """The name of the counting method, stored with each bundle so that a replay uses it too."""
        ...

    def count(self, text: str) -> int:
        """Return the number of tokens of a text; it must be 0 for no text, and never negative."""
        ...
