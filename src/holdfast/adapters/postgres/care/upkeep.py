"""The maintenance operations of a store on a server."""

from __future__ import annotations

from collections.abc import Sequence
from time import time_ns
from typing import TYPE_CHECKING, NoReturn

from holdfast.adapters.postgres.database.connecting import LATEST
from holdfast.domain.refusals import NotOfferedError
from holdfast.domain.review.curation import Ability, HealthFinding, Repair, StoreFacts

if TYPE_CHECKING:
    from holdfast.adapters.postgres.care.copying import PostgresCopying
    from holdfast.adapters.postgres.units.engine import PostgresEngine
    from holdfast.ports.store.upkeep import Progress

_BACKEND = "postgres"


class PostgresUpkeep:
    """Facts, check and rebuild; the server repairs and cleans its own files."""

    abilities = frozenset({Ability.REBUILD, Ability.COPY})

    def __init__(self, engine: PostgresEngine) -> None:
        self.engine = engine

    def facts(self) -> StoreFacts:
        """Return the location of the store and the size of its database."""
        with self.engine.reading() as work:
            head = work.head()
            size = work.rows("size_of_database")[0][0]
        return StoreFacts(
            location=self.engine.address.shown,
            backend=_BACKEND,
            schema=LATEST,
            engine=f"PostgreSQL {self.engine.server.version}",
            bytes_on_disk=int(size),
            events=head.sequence,
            head=head.hash,
        )

    def tenant_bytes(self) -> int:
        """Return the bytes of the texts in all stores of the tenant."""
        with self.engine.reading() as work:
            return int(work.rows("bytes_of_tenant")[0][0])

    def check(self, progress: Progress) -> Sequence[HealthFinding]:
        """Check every row, the chain of events and the derived data of this store."""
        from holdfast.adapters.postgres.care.checking import check_store

        with self.engine.reading() as work:
            return tuple(check_store(work, progress))

    def repair(self, progress: Progress) -> Repair:
        """Refuse: a damaged database is restored by the people who run the server."""
        del progress
        _refuse(Ability.REPAIR, "restore the newest backup of the server instead.")

    def rebuild(self, progress: Progress) -> int:
        """Rebuild all derived data from the canonical data; return the number of memories."""
        from holdfast.adapters.postgres.care.rebuilding import rebuild_derived

        with self.engine.writing(time_ns() // 1_000_000) as work:
            total = int(work.rows("count_memories")[0][0])
            count = rebuild_derived(work, lambda done: progress(done, total))
        progress(count, count)
        return count

    @property
    def copying(self) -> PostgresCopying:
        """Exact copies of this store."""
        from holdfast.adapters.postgres.care.copying import PostgresCopying

        return PostgresCopying(self.engine)

    def scrub(self) -> None:
        """Refuse: only the owner of the tables can clean the files of the server."""
        _refuse(Ability.SCRUB, "let the people who run the server clean it: VACUUM FULL.")


def _refuse(ability: Ability, why: str) -> NoReturn:
    raise NotOfferedError(ability, backend=_BACKEND, why=why)
