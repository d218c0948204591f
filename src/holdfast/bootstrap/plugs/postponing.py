"""Parts that are built on first use, so that the program starts fast."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class Postponed:
    """A placeholder that builds its part on first use."""

    def __init__(self, make: Callable[[], object]) -> None:
        self._make = make

    @cached_property
    def _made(self) -> object:
        return self._make()

    def __getattr__(self, name: str) -> object:
        return getattr(self._made, name)

    def close(self) -> None:
        """Close the part; one that was never used is not built for this."""
        close = getattr(self._made, "close", None) if "_made" in self.__dict__ else None
        if callable(close):
            close()
