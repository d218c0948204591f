"""The settings that a repository contains; they are untrusted input."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from holdfast.domain.memory.entry import Flaw


class RepositorySettings(Protocol):
    """A few harmless settings; never a command, an address, a key or a hook."""

    def value(self, name: str) -> str | None:
        """Return a setting that a repository may set, or None; all others must be ignored."""
        ...

    def flaws(self) -> Sequence[Flaw]:
        """Return the settings that are not allowed or cannot be read, with their lines."""
        ...
