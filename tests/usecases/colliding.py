"""A store whose writers work side by side: each unit of work is undone once, then kept."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from holdfast.adapters.inmemory.store import InMemoryStore, InMemoryTransaction
from holdfast.domain.refusals import WorkUndoneError


@dataclass
class CollidingStore(InMemoryStore):
    """Undoes so many attempts of every unit of work when they are left, as a server may."""

    collisions: int = 1
    undone: int = 0
    _left: int | None = None

    @contextmanager
    def writing(
        self, at: datetime, *, patience: float | None = None
    ) -> Generator[InMemoryTransaction, None, None]:
        """Keep the work once it was undone often enough."""
        self._left = self.collisions if self._left is None else self._left
        with super().writing(at, patience=patience) as transaction:
            yield transaction
            if self._left:
                self._left -= 1
                self.undone += 1
                raise WorkUndoneError
        self._left = None
