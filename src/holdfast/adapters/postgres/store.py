"""The store on a Postgres server: one space of one tenant."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING

from holdfast.adapters.postgres.database.address import read_address
from holdfast.adapters.postgres.units.connections import through
from holdfast.adapters.postgres.units.engine import PostgresEngine
from holdfast.adapters.postgres.units.options import PostgresOptions
from holdfast.adapters.postgres.units.transaction import PostgresTransaction
from holdfast.adapters.sqlite.database.rows import millis
from holdfast.domain.errors import NoMeaningError

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.adapters.postgres.care.jobs import PostgresJobs
    from holdfast.adapters.postgres.care.upkeep import PostgresUpkeep
    from holdfast.adapters.postgres.units.pool import Pool
    from holdfast.domain.memory.place import SpaceId
    from holdfast.ports.store.cancelling import Cancellation
    from holdfast.ports.store.finding import VectorStore

__all__ = ["PostgresOptions", "PostgresStore"]

_REMOVING = frozenset({"memory.forgotten"})


class PostgresStore:
    """A store that many machines can use at the same time."""

    def __init__(self, engine: PostgresEngine) -> None:
        self._engine = engine
        self._notes: tuple[str, ...] = ()

    @classmethod
    def open(
        cls, address: str, options: PostgresOptions, pool: Pool | None = None
    ) -> PostgresStore:
        """Open the store of a space; ``pool`` lends connections that other stores use too.

        The store is added if the tenant has none, unless the options forbid it.

        Raises:
            BadStoreAddressError: The address cannot be read.
            UnavailableError: It cannot be opened; the message has the reason and what to do.
        """
        where = read_address(address)
        shared = None if pool is None else through(pool, where, patience=options.wait_seconds)
        return cls(PostgresEngine(where, options, shared=shared))

    @contextmanager
    def reading(self) -> Generator[PostgresTransaction, None, None]:
        """Yield a snapshot; inside a unit of work of this thread, yield that work."""
        with self._engine.reading() as work:
            yield PostgresTransaction(work, self._outside)

    @contextmanager
    def writing(
        self, at: datetime, *, patience: float | None = None
    ) -> Generator[PostgresTransaction, None, None]:
        """Commit all changes of the block durably when it ends, or none after an exception."""
        with self._engine.writing(millis(at), patience=patience) as work:
            yield PostgresTransaction(work, self._outside)
        if _REMOVING & work.did:
            self._scrub_outside()

    def cancelled_by(self, cancellation: Cancellation) -> AbstractContextManager[None]:
        """Let the reads that this thread begins inside the block end when they are cancelled."""
        return self._engine.cancellations.bound(cancellation)

    @property
    def space(self) -> SpaceId:
        """The space whose store this is."""
        return self._engine.options.space

    @property
    def was_added(self) -> bool:
        """Whether the tenant had no store of this space before it was opened."""
        return self._engine.was_added

    @property
    def left_out(self) -> tuple[str, ...]:
        """Nothing is left out: a read that meets a damaged row is refused."""
        return ()

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is wrong with replicas and outside indexes; the server reports damage itself."""
        return (*self._engine.replicas.notes, *self._notes)

    @property
    def upkeep(self) -> PostgresUpkeep:
        """Checks of the store itself."""
        from holdfast.adapters.postgres.care.upkeep import PostgresUpkeep

        return PostgresUpkeep(self._engine)

    @property
    def jobs(self) -> PostgresJobs:
        """The bulk work of the space, which many workers share."""
        from holdfast.adapters.postgres.care.jobs import PostgresJobs

        return PostgresJobs(self._engine)

    def close(self) -> None:
        """Close the store; a second call does nothing."""
        self._engine.close()

    def _outside(self, model: str) -> VectorStore | None:
        """Open the index of a model outside the database, if the settings name one."""
        opener = self._engine.options.outside
        return None if opener is None else opener(model)

    def _scrub_outside(self) -> None:
        """Remove what was forgotten from the indexes outside the database.

        The work is committed. If an index cannot be reached, it is brought up to date later.
        """
        if self._engine.options.outside is None:
            return
        from holdfast.adapters.postgres.recall.meaning import vectors_of
        from holdfast.adapters.sqlite.memory.embeddings import known_models

        try:
            with self._engine.reading() as work:
                for known in known_models(work):
                    index = self._outside(str(known.number))
                    if index is not None:
                        index.scrub(vectors_of(known, work))
        except NoMeaningError as error:
            self._notes = (f"What was forgotten is still in an index: {error}.",)
