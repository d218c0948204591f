"""Keep the bundles of several threads in one unit of work: they share one commit."""

from __future__ import annotations

from threading import Condition
from typing import TYPE_CHECKING

from holdfast.domain.database_errors import OutcomeUnknownError
from holdfast.domain.errors import HoldfastError, StoreBusyError
from holdfast.domain.refusals import WorkUndoneError
from holdfast.usecases.anchors.checking import READER_PATIENCE
from holdfast.usecases.recall.keeping import keep_bundle, put_bundle, set_aside, without_code
from holdfast.usecases.repeating import repeatable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager

    from holdfast.domain.memory.anchor import Rewrite
    from holdfast.domain.recall.bundle import Bundle
    from holdfast.ports.store.store import Store


class KeptLater:
    """Notes the bundles of one request; they are stored before its answer is sent."""

    def __init__(self) -> None:
        self._noted: list[tuple[Bundle, Sequence[Rewrite]]] = []

    def keep(self, bundle: Bundle, rewrites: Sequence[Rewrite] = ()) -> None:
        """Note a bundle."""
        self._noted.append((bundle, rewrites))

    def store(self, keeping: SharedKeeping) -> None:
        """Store the bundles.

        Raises:
            UnavailableError: One can neither be stored nor set aside.
        """
        for bundle, rewrites in self._noted:
            keeping.keep(bundle, rewrites)


class SharedKeeping:
    """Stores bundles for many threads; each waits until its own bundle is durable.

    The first thread that arrives stores the bundles of all that have arrived when it gets the write
    lock. Those that arrive later wait for the next commit. ``computing`` is held while the unit of
    work is filled, but not during its commit.
    """

    def __init__(self, store: Store, computing: Callable[[], AbstractContextManager[None]]) -> None:
        self._store = store
        self._computing = computing
        self._changed = Condition()
        self._waiting: list[_Waiting] = []
        self._is_storing = False

    def keep(self, bundle: Bundle, rewrites: Sequence[Rewrite] = ()) -> None:
        """Store a bundle as ``keep_bundle`` does, together with those of other threads.

        Raises:
            OutcomeUnknownError: It may be stored; a second try could count its use twice.
            UnavailableError: It can neither be stored nor set aside.
        """
        mine = _Waiting(without_code(bundle), rewrites)
        self._store_with_others(mine)
        if isinstance(mine.failure, OutcomeUnknownError) and mine.may_be_stored:
            raise mine.failure
        if isinstance(mine.failure, StoreBusyError):
            set_aside(mine.bundle, store=self._store, busy=mine.failure)
        elif mine.failure is not None:
            # Another bundle may have been the cause.
            keep_bundle(mine.bundle, rewrites, store=self._store)

    def _store_with_others(self, mine: _Waiting) -> None:
        with self._changed:
            self._waiting.append(mine)
            self._changed.wait_for(lambda: mine.is_over or not self._is_storing)
            if mine.is_over:
                return
            self._is_storing = True
        stored: Sequence[_Waiting] = ()
        failure: HoldfastError | None = WorkUndoneError()
        try:
            stored, failure = self._stored(), None
        except HoldfastError as error:
            failure = error
        finally:
            self._tell(stored, failure)

    @repeatable
    def _stored(self) -> Sequence[_Waiting]:
        at = self._waiting[0].bundle.asked_at
        with self._store.writing(at, patience=READER_PATIENCE) as tx, self._computing():
            arrived = tuple(self._waiting)
            for one in arrived:
                one.may_be_stored = True
                put_bundle(one.bundle, one.rewrites, tx=tx)
        return arrived

    def _tell(self, stored: Sequence[_Waiting], failure: HoldfastError | None) -> None:
        """Wake the threads whose bundles are stored; after a failure, all that wait."""
        with self._changed:
            for one in stored or tuple(self._waiting):
                one.is_over, one.failure = True, failure
                self._waiting.remove(one)
            self._is_storing = False
            self._changed.notify_all()


class _Waiting:
    """A bundle that waits until one attempt to store it is over, and why that failed."""

    def __init__(self, bundle: Bundle, rewrites: Sequence[Rewrite]) -> None:
        self.bundle = bundle
        self.rewrites = rewrites
        self.is_over = False
        self.may_be_stored = False
        self.failure: HoldfastError | None = None
