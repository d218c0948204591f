"""Repair: rebuilds derived data; if canonical data is damaged, rescues the intact rows."""

from __future__ import annotations

import os
from contextlib import suppress
from time import gmtime, strftime, time_ns
from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.care.checking import check_store, truth_is_damaged
from holdfast.adapters.sqlite.care.damaged_copy import keep_copy, readable_copy
from holdfast.adapters.sqlite.care.rescuing import RescueReport, rescue
from holdfast.adapters.sqlite.care.scrubbing import scrub_store
from holdfast.adapters.sqlite.database.connection import connect
from holdfast.adapters.sqlite.database.files import (
    OWNER_ONLY,
    OWNER_ONLY_FOLDER,
    exists,
    keep_names,
    make_file,
    make_reserve,
    remove,
    remove_unless_regular,
)
from holdfast.adapters.sqlite.database.owning import note_space
from holdfast.adapters.sqlite.database.work import Work
from holdfast.adapters.sqlite.derived.migrations import migrate
from holdfast.adapters.sqlite.derived.rederiving import derive_anew
from holdfast.adapters.sqlite.queries import SQL
from holdfast.domain.errors import StoreDamagedError, StoreUnreadableError
from holdfast.domain.review.health import Repair, Severity

if TYPE_CHECKING:
    from holdfast.adapters.sqlite.units.engine import SqliteEngine
    from holdfast.domain.review.health import HealthFinding
    from holdfast.ports.store.upkeep import Progress

_DERIVED = frozenset({"words", "derived", "vectors", "terms"})


def repair_store(engine: SqliteEngine, progress: Progress) -> Repair:
    """Repair what a check finds; a damaged file is kept beside the new one."""
    cleared = _cleared_queue(engine)
    findings = check_store(engine, lambda _done, _total: None)
    if truth_is_damaged(findings):
        return _rescued(engine, progress)
    try:
        actions = _mended(engine, findings)
    except StoreDamagedError:
        # The index is so damaged that it cannot even be cleared.
        return _rescued(engine, progress)
    progress(1, 1)
    return Repair(actions=(*cleared, *actions) or ("Nothing had to be repaired.",))


def _cleared_queue(engine: SqliteEngine) -> list[str]:
    """Remove anything but a file at the path of the writers' queue; a non-empty folder stays."""
    queue = engine.files.queue
    was_there = exists(queue)
    with suppress(OSError):
        remove_unless_regular(queue)
    return [f"Removed the empty folder {queue}."] if was_there and not exists(queue) else []


def _mended(engine: SqliteEngine, findings: list[HealthFinding]) -> list[str]:
    bad = {finding.check for finding in findings if finding.severity is not Severity.OK}
    actions: list[str] = []
    with engine.writing(_now()) as work:
        if bad & _DERIVED:
            count = derive_anew(work, lambda _: None)
            actions.append(f"Rebuilt the index of {count:,} memories.")
        if engine.head_check.acknowledge(work):
            actions.append("Noted in the log that the newest changes were lost.")
    if "head" in bad:
        actions.append("Wrote the head file again.")
    if "permissions" in bad:
        _close_to_others(engine)
        actions.append("Removed the access of other users to the files.")
    if "reserve" in bad and make_reserve(engine.files.reserve):
        actions.append("Created the reserve of space for a full disk.")
    with suppress(StoreUnreadableError):
        scrub_store(engine)
        if "index" in bad:
            actions.append("Removed a damaged vector index; the next recall rebuilds it.")
    engine.listen_again()
    return actions


def _close_to_others(engine: SqliteEngine) -> None:
    os.chmod(engine.files.folder, OWNER_ONLY_FOLDER)
    for name in engine.files.all():
        os.chmod(name, OWNER_ONLY)


def _rescued(engine: SqliteEngine, progress: Progress) -> Repair:
    files = engine.files
    kept = f"{files.database}.damaged-{strftime('%Y%m%dT%H%M%SZ', gmtime())}"
    fresh = f"{files.database}-rescue"
    outside = engine.head_check.read()
    with engine.closed():
        keep_copy(files.database, kept)
        keep_copy(files.wal, f"{kept}-wal")
        keep_names(files.folder)
        rescued = _fill(fresh, kept, engine, progress)
        # Remove the old write-ahead log first: SQLite would apply it to any database at that path.
        remove(files.wal)
        remove(files.shared_memory)
        keep_names(files.folder)
        os.replace(fresh, files.database)
        keep_names(files.folder)
        _start_head(engine)
        _close_to_others(engine)
    progress(1, 1)
    return Repair(
        actions=(
            f"Kept the damaged file as {kept}.",
            f"Recovered {rescued.memories:,} memories into a new file.",
        ),
        kept_damaged_file=kept,
        rescued=rescued.memories,
        lost=tuple(rescued.lost),
        missing=rescued.missing,
        changes_missing=max(0, (outside.head.sequence if outside else 0) - rescued.events),
    )


def _fill(fresh: str, kept: str, engine: SqliteEngine, progress: Progress) -> RescueReport:
    for end in ("", "-wal", "-shm", "-journal"):
        remove(f"{fresh}{end}")
    make_file(fresh)
    connection = connect(fresh, engine.options)
    try:
        migrate(connection)
        with readable_copy(kept, fresh, engine.options) as old:
            connection.execute(SQL["begin_writing"])
            connection.execute(SQL["defer_references"])
            new = Work(connection, path=engine.files.database, at=_now())
            rescued = rescue(old, new, progress)
            note_space(new, engine.options.space)
            new.record("store.repaired", engine.head_check.store_id(new))
            connection.execute(SQL["commit"])
        connection.execute(SQL["use_wal"]).fetchall()
    finally:
        connection.close(force=True)
    return rescued


def _start_head(engine: SqliteEngine) -> None:
    connection = connect(engine.files.database, engine.options)
    try:
        engine.head_check.reset(Work(connection, path=engine.files.database))
    finally:
        connection.close()


def _now() -> int:
    return time_ns() // 1_000_000
