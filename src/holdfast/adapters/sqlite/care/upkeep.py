"""The maintenance operations of the store."""

from __future__ import annotations

from collections.abc import Sequence
from time import time_ns
from typing import TYPE_CHECKING

import apsw

from holdfast.adapters.sqlite.database.files import size
from holdfast.adapters.sqlite.derived.migrations import LATEST
from holdfast.adapters.sqlite.units.engine import SqliteEngine
from holdfast.domain.review.curation import Ability, HealthFinding, Repair, StoreFacts
from holdfast.ports.store.upkeep import Progress

if TYPE_CHECKING:
    from holdfast.adapters.sqlite.care.copying import SqliteCopying


class SqliteUpkeep:
    """Facts, check, repair, rebuild and scrub of one store.

    Rarely used modules are imported on demand: most commands only read or write.
    """

    abilities = frozenset(Ability)

    def __init__(self, engine: SqliteEngine) -> None:
        self.engine = engine

    def facts(self) -> StoreFacts:
        """Return the location and size of the store."""
        files = self.engine.files
        with self.engine.reading() as work:
            head = work.head()
        return StoreFacts(
            location=files.database,
            backend="sqlite",
            schema=LATEST,
            engine=self._engine_words(),
            bytes_on_disk=sum(size(name) for name in files.all()),
            events=head.sequence,
            head=head.hash,
        )

    def _engine_words(self) -> str:
        key = self.copying.encrypted_with
        encrypted = "" if key is None else f", encrypted as a whole with {key}"
        return f"SQLite {apsw.sqlite_lib_version()}{encrypted}"

    def tenant_bytes(self) -> int:
        """Return the size of the database; whoever opened it knows its other stores."""
        return size(self.engine.files.database) + size(self.engine.files.wal)

    def check(self, progress: Progress) -> Sequence[HealthFinding]:
        """Check everything; every damaged row and every lost event is reported."""
        from holdfast.adapters.sqlite.care.checking import check_store

        return tuple(check_store(self.engine, progress))

    def repair(self, progress: Progress) -> Repair:
        """Copy all readable data into an intact store; a damaged file is kept beside it."""
        from holdfast.adapters.sqlite.care.repairing import repair_store

        return repair_store(self.engine, progress)

    def rebuild(self, progress: Progress) -> int:
        """Rebuild all derived data from the canonical data; return the number of memories."""
        from holdfast.adapters.sqlite.derived.rederiving import derive_anew

        with self.engine.writing(time_ns() // 1_000_000) as work:
            total = int(work.rows("count_memories")[0][0])
            count = derive_anew(work, lambda done: progress(done, total))
        progress(count, count)
        return count

    @property
    def copying(self) -> SqliteCopying:
        """Exact copies of this store."""
        from holdfast.adapters.sqlite.care.copying import SqliteCopying

        return SqliteCopying(self.engine)

    def scrub(self) -> None:
        """Remove every byte of forgotten memories from all files of the store."""
        from holdfast.adapters.sqlite.care.scrubbing import scrub_store

        scrub_store(self.engine)
