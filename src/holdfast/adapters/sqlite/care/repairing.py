"""Repair: rebuilds derived data; if canonical data is damaged, rescues the intact rows.

Makes a damaged file readable with the header and schema pages of a new store.

After a bit error in the first pages SQLite refuses the whole file, although every row is there. All
stores are created in the same way, so these pages can be copied from a new one. This needs no trust
in them: every row that is read this way must still match its own hash.

Opens the copy of a damaged database from which the most memories can be read.
"""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager, suppress
from time import gmtime, strftime, time_ns
from typing import TYPE_CHECKING

import apsw

from holdfast.adapters.sqlite.care.carving import pages_of
from holdfast.adapters.sqlite.care.checking import check_store, truth_is_damaged
from holdfast.adapters.sqlite.care.rescuing import RescueReport, rescue
from holdfast.adapters.sqlite.care.scrubbing import scrub_store
from holdfast.adapters.sqlite.database.connection import connect, connect_to_rescue
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
from holdfast.adapters.sqlite.database.rows import holds
from holdfast.adapters.sqlite.database.work import Work, note_space
from holdfast.adapters.sqlite.derived.migrations import migrate
from holdfast.adapters.sqlite.derived.rederiving import derive_anew
from holdfast.adapters.sqlite.derived.scanning import MEMORY, UNREADABLE, Unreadable, scan
from holdfast.adapters.sqlite.queries import SQL
from holdfast.domain.errors import StoreDamagedError, StoreUnreadableError
from holdfast.domain.review.curation import Repair, Severity

if TYPE_CHECKING:
    from collections.abc import Generator
    from io import BufferedRandom

    from holdfast.adapters.sqlite.database.connection import StoreOptions
    from holdfast.adapters.sqlite.units.engine import SqliteEngine
    from holdfast.domain.review.curation import HealthFinding
    from holdfast.ports.store.upkeep import Progress


_PAGE = 4_096
_HEADER = 100
_CHANGES = 24
_PAGE_COUNT = 28
_COUNTED_AT = 92
_MOST_MISSING = 1 << 20
_INTERIOR = 5
_POINTERS = 12
# Header fields that are equal in every store: they describe the file format.
_CONSTANT = ((0, 24), (44, 48), (56, 60))


def graft(broken: str, new: str) -> None:
    """Overwrite the constant header fields and the schema pages of a file, in place."""
    with open(new, "rb") as donor:
        content = donor.read()
    with open(broken, "r+b") as file:
        for start, end in _CONSTANT:
            _write(file, start, content[start:end])
        first, *others = _contents_pages(content)
        _write(file, first * _PAGE + _HEADER, content[_HEADER:_PAGE])
        for page in others:
            _write(file, page * _PAGE, content[page * _PAGE : (page + 1) * _PAGE])


def fit_length(broken: str, new: str) -> None:
    """Make the file's length and the length in its header agree, in place.

    SQLite refuses a truncated file, although only the pages after the cut are lost. These pages are
    filled with zeros, because SQLite also refuses a schema that refers to a page after the end.
    """
    with open(broken, "r+b") as file:
        real = -(-file.seek(0, os.SEEK_END) // _PAGE)
        stated = int.from_bytes(_read(file, _PAGE_COUNT))
        if stated - real > _MOST_MISSING:
            stated = 0  # the header is damaged too
        pages = max(real, stated, os.stat(new).st_size // _PAGE)
        file.truncate(pages * _PAGE)
        _write(file, _PAGE_COUNT, pages.to_bytes(4))
        # SQLite uses the page count only if both change counters are equal.
        _write(file, _COUNTED_AT, _read(file, _CHANGES))


def _contents_pages(content: bytes) -> list[int]:
    """Return the numbers of the schema pages, counted from 0."""
    if content[_HEADER] != _INTERIOR:
        return [0]
    cells = int.from_bytes(content[_HEADER + 3 : _HEADER + 5])
    places = [
        int.from_bytes(content[place : place + 2])
        for place in range(_HEADER + _POINTERS, _HEADER + _POINTERS + 2 * cells, 2)
    ]
    children = [int.from_bytes(content[place : place + 4]) for place in places]
    children.append(int.from_bytes(content[_HEADER + 8 : _HEADER + 12]))
    return [0, *(child - 1 for child in children)]


def _write(file: BufferedRandom, place: int, data: bytes) -> None:
    file.seek(place)
    file.write(data)


def _read(file: BufferedRandom, place: int) -> bytes:
    file.seek(place)
    return file.read(4)


_BROKEN = (*UNREADABLE, apsw.NotADBError, apsw.CantOpenError, apsw.IOError)
_GRAFTED = 2
_NO_CONTENTS = (
    "its table of contents is damaged, and pages of an encrypted file cannot be replaced."
    " Nothing was changed. Restore a copy."
)


@contextmanager
def readable_copy(
    damaged: str, new: str, options: StoreOptions
) -> Generator[apsw.Connection, None, None]:
    """Open copies of a damaged file and yield the one with the most intact memories.

    The first copy is the unchanged file. The second gets the length that its header states, and the
    third also the first pages of a new store. If the event log of a copy can be read to its end,
    that copy is used at once. Of an encrypted file only the first is tried.

    Raises:
        StoreDamagedError: It is encrypted, and its table of contents cannot be read.
    """
    is_encrypted = options.lock is not None and options.lock.key_id is not None
    # The pages of an encrypted file cannot be replaced by pages of another one.
    copies = [f"{damaged}-copy-{number}" for number in range(1 if is_encrypted else _GRAFTED + 1)]
    try:
        best = _best(damaged, new, copies, options)
        if is_encrypted and not best.filename:
            best.close(force=True)
            raise StoreDamagedError(damaged, _NO_CONTENTS)
        try:
            yield best
        finally:
            best.close(force=True)
    finally:
        for copy in copies:
            for end in ("", "-wal", "-shm"):
                remove(f"{copy}{end}")


def keep_copy(path: str, name: str) -> None:
    """Copy a file under another name, readable by its owner only; a missing file is skipped."""
    if exists(path):
        shutil.copyfile(path, name)
        os.chmod(name, OWNER_ONLY)


def _best(damaged: str, new: str, copies: list[str], options: StoreOptions) -> apsw.Connection:
    best, most = _nothing(), -1
    for number, copy in enumerate(copies):
        _prepare(number, damaged, new, copy)
        connection = _opened(copy, options)
        if connection is None:
            continue
        if _log_is_readable(connection):
            best.close(force=True)
            return connection
        count = _whole_memories(connection)
        worse = best if count > most else connection
        if count > most:
            best, most = connection, count
        worse.close(force=True)
    return best


def _prepare(number: int, damaged: str, new: str, copy: str) -> None:
    keep_copy(damaged, copy)
    if number == _GRAFTED:
        graft(copy, new)  # without the write-ahead log: it could restore the damaged pages
    else:
        keep_copy(f"{damaged}-wal", f"{copy}-wal")
    if number > 0:
        fit_length(copy, new)


def _opened(path: str, options: StoreOptions) -> apsw.Connection | None:
    try:
        connection = connect_to_rescue(path, options)
    except _BROKEN:
        return None
    try:
        connection.execute(SQL["any_object"]).fetchall()
    except _BROKEN:
        connection.close(force=True)
        return None
    return connection


def _log_is_readable(connection: apsw.Connection) -> bool:
    try:
        connection.execute(SQL["last_event"]).fetchall()
    except _BROKEN:
        return False
    return True


def _whole_memories(connection: apsw.Connection) -> int:
    """Return the number of memories that match their hashes."""
    try:
        return sum(
            not isinstance(row, Unreadable) and holds(MEMORY.noun, row)
            for row in scan(MEMORY.name, connection)
        )
    except _BROKEN:
        return 0


def _nothing() -> apsw.Connection:
    """Return an empty database, for a file that never was a store."""
    connection = apsw.Connection(":memory:")
    connection.execute(SQL["create_schema"]).fetchall()
    return connection


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
    return Repair(actions=(*cleared, *actions))


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
    outside = engine.head_check.read()
    with engine.closed():
        keep_copy(files.database, kept)
        keep_copy(files.wal, f"{kept}-wal")
        keep_names(files.folder)
        rescued = _fill(kept, engine, progress)
        # Remove the old write-ahead log first: SQLite would apply it to any database at that path.
        remove(files.wal)
        remove(files.shared_memory)
        keep_names(files.folder)
        os.replace(files.rescue, files.database)
        keep_names(files.folder)
        _start_head(engine)
        _close_to_others(engine)
    progress(1, 1)
    return Repair(
        actions=(
            f"Kept the damaged file as {kept}.",
            f"Recovered {rescued.memories:,} memories into a new file.",
            *_left_out(rescued),
        ),
        kept_damaged_file=kept,
        rescued=rescued.memories,
        lost=tuple(rescued.lost),
        missing=rescued.missing,
        changes_missing=max(0, (outside.head.sequence if outside else 0) - rescued.events),
    )


def _left_out(rescued: RescueReport) -> list[str]:
    """Return what a person has to do for the bearers of tokens, if there are any."""
    if not rescued.tokens:
        return []
    tokens = "1 access token" if rescued.tokens == 1 else f"{rescued.tokens:,} access tokens"
    return [f"Left out {tokens}: a server refuses their bearers until you create new ones."]


def _fill(kept: str, engine: SqliteEngine, progress: Progress) -> RescueReport:
    fresh = engine.files.rescue
    engine.files.remove_rescue()
    make_file(fresh)
    connection = connect(fresh, engine.options)
    try:
        migrate(connection)
        with (
            readable_copy(kept, fresh, engine.options) as old,
            pages_of(kept, old, engine.options) as pages,
        ):
            connection.execute(SQL["begin_writing"])
            connection.execute(SQL["defer_references"])
            new = Work(connection, path=engine.files.database, at=_now())
            rescued = rescue(old, new, progress, pages)
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
