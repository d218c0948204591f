"""The ports between a caller that gives a read up, and the store that stops reading."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol

from holdfast.ports.store.store import Store


class Cancellation(Protocol):
    """Tells work whether its caller has given it up; any thread may ask."""

    @property
    def is_cancelled(self) -> bool:
        """Whether nobody waits for the answer any more. It never changes back."""
        ...

    def refuse_cancelled(self) -> None:
        """Return if the answer is still wanted.

        Raises:
            TimedOutError: The work was given up.
        """
        ...

    def when_cancelled(self, then: Callable[[], None]) -> AbstractContextManager[None]:
        """Call a function as soon as the work is given up, but not after the block.

        The function must return at once: it is called in the thread of the one who gives up.
        """
        ...


class CancellableStore(Store, Protocol):
    """A store whose reads can be cancelled."""

    def cancelled_by(self, cancellation: Cancellation) -> AbstractContextManager[None]:
        """Bind the reads that this thread begins inside the block to a cancellation.

        After it is cancelled, a read must end soon with ``TimedOutError``, even inside a statement
        of the database; other reads must not notice. A unit of work is never cancelled.
        """
        ...
