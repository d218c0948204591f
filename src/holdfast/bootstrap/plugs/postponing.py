"""Parts that are built when they are first asked for something: a start is a budget."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class Postponed:
    """Stands for a part until somebody uses it."""

    def __init__(self, make: Callable[[], object]) -> None:
        self._make = make

    @cached_property
    def _made(self) -> object:
        return self._make()

    def __getattr__(self, name: str) -> object:
        return getattr(self._made, name)
