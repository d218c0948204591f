"""The settings that a repository brings along; they come from strangers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from holdfast.domain.entry import Flaw


class RepositorySettings(Protocol):
    """A few harmless settings; never a command, an address, a key or a hook."""

    def value(self, name: str) -> str | None:
        """Return a setting the repository may make and makes; anything else must be ignored."""
        ...

    def flaws(self) -> Sequence[Flaw]:
        """Return what stands there and must not, or cannot be read, with its line."""
        ...
