"""The check of a whole store: it reports findings and changes nothing.

The check of every sealed row and every event.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import apsw

from holdfast.adapters.sqlite.database.connection import QueueBlockedError
from holdfast.adapters.sqlite.database.files import RESERVE_BYTES, exists, size
from holdfast.adapters.sqlite.database.rows import Row, as_hex, holds
from holdfast.adapters.sqlite.database.terms import measuring_is_due
from holdfast.adapters.sqlite.derived.migrations import expected_schema
from holdfast.adapters.sqlite.derived.rederiving import derived_wrongly
from holdfast.adapters.sqlite.derived.scanning import (
    MEMORY,
    REBUILD,
    TABLES,
    Table,
    Unreadable,
    damage,
    each,
    fine,
    note,
    scan,
    warning,
    wrong_vectors,
)
from holdfast.adapters.sqlite.derived.verdicts import (
    about_derived,
    about_history,
    about_log,
    about_rows,
    altered,
    broken_links,
)
from holdfast.adapters.sqlite.memory.embeddings import SqliteVectors, known_models
from holdfast.adapters.sqlite.queries import SQL
from holdfast.adapters.sqlite.units.engine import RESTORE_OR_REPAIR
from holdfast.domain.errors import NoMeaningError, StoreBusyError, StoreDamagedError, StoreFullError
from holdfast.domain.lookup_errors import PlugInFailedError
from holdfast.domain.memory.memory import content_hash
from holdfast.domain.review.curation import HealthFinding, Severity
from holdfast.ports.store.upkeep import CheckedIndex

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from holdfast.adapters.sqlite.database.work import Work
    from holdfast.adapters.sqlite.units.engine import SqliteEngine
    from holdfast.ports.store.upkeep import Progress


_VALUE, _CONTENT_HASH = 9, 20
_BY_WORDS = "Recall searches by words meanwhile."
_BY_ALL_VECTORS = "Recall compares every vector in the store meanwhile."


def altered_rows(connection: apsw.Connection) -> list[str]:
    """Return a message for each row that differs from what was written."""
    return [said for table in TABLES for said in _altered(table, connection)]


def name_of(table: Table, row: Row) -> str:
    """Return the name of a row in messages."""
    if table.noun == "link":
        return f"{row[0]} {row[1]} {row[2]}"
    if table.noun == "namespace":
        return f"{row[1]} {row[0]} {as_hex(row[-1])}"
    if table.noun in {"weights", "rewrite", "cycle", "proposal", "result", "said"}:
        return f"{row[0]} {row[1]}"
    if table.noun in {"standing", "usage", "evidence"}:
        return f"of memory number {row[0]}"
    return str(row[1] if table is MEMORY else row[0])


def _altered(table: Table, connection: apsw.Connection) -> Iterator[str]:
    for row in scan(table.name, connection):
        if isinstance(row, Unreadable):
            yield f"The {table.noun} in row {row.number:,} cannot be read."
        elif not holds(table.noun, row) or not _content_fits(table, row):
            yield altered(table.noun, name_of(table, row))


def _content_fits(table: Table, row: Row) -> bool:
    if table is not MEMORY:
        return True
    return bool(content_hash(row[_VALUE]) == as_hex(row[_CONTENT_HASH]))


_OTHERS_MAY = 0o077
_SOON_SECONDS = 2.0
_ABOUT_WORDS = "fts5"
_EMPTY_QUEUE = "'holdfast doctor --repair' removes the folder if it is empty."


def check_store(engine: SqliteEngine, progress: Progress) -> list[HealthFinding]:
    """Run every check; one that fails because of damage is reported, and the others continue."""
    total = len(_CHECKS) + 3
    findings: list[HealthFinding] = []
    try:
        with engine.reading() as work:
            for done, one in enumerate(_CHECKS):
                progress(done, total)
                findings += _outcome(one, work)
            progress(len(_CHECKS), total)
        findings += _head(engine)
    except StoreDamagedError as error:
        findings.append(damage("file", str(error)))
    findings += _vector_indexes(engine)
    findings += _words(engine)
    findings += _surroundings(engine)
    progress(total, total)
    return list(dict.fromkeys(findings))  # several checks may meet the same damage


def truth_is_damaged(findings: list[HealthFinding]) -> bool:
    """Return whether canonical data is damaged, not only derived data or the head file."""
    return any(
        finding.severity is Severity.DAMAGE and finding.check != "head" for finding in findings
    )


def _outcome(one: Callable[[Work], list[HealthFinding]], work: Work) -> list[HealthFinding]:
    try:
        return one(work)
    except (apsw.CorruptError, apsw.NotADBError, apsw.SQLError) as error:
        return [damage("file", f"A check could not be finished: {error}.")]
    except StoreDamagedError as error:
        return [damage("rows", str(error))]


def _file(work: Work) -> list[HealthFinding]:
    said = [str(row[0]) for row in work.rows("integrity") if row[0] != "ok"]
    about_words = [line for line in said if _ABOUT_WORDS in line.lower()]
    findings = each(
        "file",
        [f"SQLite says: {line}." for line in said if line not in about_words],
        "The database file is intact.",
    )
    if about_words:
        findings.append(warning("words", f"SQLite says: {about_words[0]}.", REBUILD))
    return findings


def _references(work: Work) -> list[HealthFinding]:
    rows = work.rows("references")
    messages = [
        f"A row of {row[0]} refers to a row of {row[2]} that does not exist." for row in rows
    ]
    return each("references", messages, "Every referenced row exists.")


def _schema(work: Work) -> list[HealthFinding]:
    found = {tuple(row) for row in work.rows("schema")}
    changed = sorted(found ^ expected_schema())
    messages = [f"The {row[0]} {row[1]} is not defined as it should be." for row in changed]
    return each("schema", messages, "The schema is correct.")


def _rows(work: Work) -> list[HealthFinding]:
    return about_rows(altered_rows(work.connection))


def _log(work: Work) -> list[HealthFinding]:
    return about_log(broken_links(scan("event", work.connection)))


def _history(work: Work) -> list[HealthFinding]:
    return about_history(work.rows)


def _derived(work: Work) -> list[HealthFinding]:
    return about_derived(derived_wrongly(work), advice=REBUILD)


def _vectors(work: Work) -> list[HealthFinding]:
    wrong = wrong_vectors(work)
    if wrong:
        advice = "Run 'holdfast doctor --repair': it drops damaged vectors and computes them again."
        return [warning("vectors", f"The vectors of {wrong:,} memories are wrong.", advice)]
    return [fine("vectors", "Every vector is intact and belongs to a memory.")]


def _terms(work: Work) -> list[HealthFinding]:
    if measuring_is_due(work, work.next_sequence() - 1):
        advice = "The next memory updates them, or 'holdfast doctor --rebuild'."
        return [note("terms", "The word frequencies are out of date.", advice)]
    return [fine("terms", "The word frequencies are up to date.")]


def _head(engine: SqliteEngine) -> list[HealthFinding]:
    outside, complaint, events = engine.compare_heads()
    if complaint is not None:
        return [damage("head", complaint, RESTORE_OR_REPAIR)]
    if outside is None and events:
        message = "The head file is missing, so a lost end of the log would not be noticed."
        return [warning("head", message, "The next write creates it again.")]
    return [fine("head", "The database contains every change that was written.")]


def _vector_indexes(engine: SqliteEngine) -> list[HealthFinding]:
    """Compare the files of the vector indexes with their checksums."""
    advice = "The next recall by meaning rebuilds it, and so does 'holdfast doctor --repair'."
    wrong: list[HealthFinding] = []
    try:
        with engine.reading() as work:
            for known in known_models(work):
                index = engine.indexes.of(known.number)
                source = SqliteVectors(known, work)
                try:
                    problem = index.problem(source) if isinstance(index, CheckedIndex) else None
                except (NoMeaningError, PlugInFailedError) as error:
                    reason = str(error).rstrip(".")
                    message = f"The vector index of {known.model.name} was not checked: {reason}."
                    is_away = isinstance(error, NoMeaningError)
                    meanwhile = _BY_WORDS if is_away else _BY_ALL_VECTORS
                    wrong.append(warning("index", message, meanwhile))
                    continue
                if problem is not None:
                    message = f"The vector index of {known.model.name} is damaged: {problem}."
                    wrong.append(warning("index", message, advice))
    except StoreDamagedError as error:
        return [damage("file", str(error))]
    return wrong or [fine("index", "The vector indexes are intact.")]


def _words(engine: SqliteEngine) -> list[HealthFinding]:
    if engine.read_only:
        return [note("words", "The index was not compared with the texts: nothing can be written.")]
    try:
        with engine.undisturbed(patience=_SOON_SECONDS) as connection:
            connection.execute(SQL["begin_writing"])
            try:
                connection.execute(SQL["check_words"])
                uncovered = connection.execute(SQL["words_uncovered"]).get
            except apsw.CorruptError:
                return [warning("words", "The word index does not match the texts.", REBUILD)]
            finally:
                if connection.in_transaction:
                    connection.execute(SQL["rollback"])
    except (QueueBlockedError, StoreBusyError, StoreFullError) as error:
        if isinstance(error, QueueBlockedError):
            blocked = warning("queue", str(error), _EMPTY_QUEUE)
        else:
            blocked = note("words", f"The index was not compared with the texts: {error}")
        return [blocked]
    except StoreDamagedError as error:
        return [damage("file", str(error))]
    if uncovered:
        return [warning("words", f"The index is wrong about {uncovered:,} memories.", REBUILD)]
    return [fine("words", "The index covers exactly the memories.")]


def _surroundings(engine: SqliteEngine) -> list[HealthFinding]:
    files = engine.files
    open_ones = [name for name in (files.folder, *files.all()) if _mode(name) & _OTHERS_MAY]
    findings = [
        warning(
            "permissions", f"Other people of this machine may use {name}.", f"chmod go= '{name}'"
        )
        for name in open_ones
    ] or [fine("permissions", "Only you can use the files.")]
    if exists(files.reserve) and size(files.reserve) == RESERVE_BYTES:
        return [
            *findings,
            fine("reserve", "There is a reserve of space for forgetting on a full disk."),
        ]
    advice = "The next write creates it again, as soon as there is space."
    return [*findings, note("reserve", "The reserve of space for a full disk is missing.", advice)]


def _mode(path: str) -> int:
    """Return the mode bits of a file; another process may have removed it already."""
    try:
        return os.stat(path).st_mode
    except FileNotFoundError:
        return 0


_CHECKS: tuple[Callable[[Work], list[HealthFinding]], ...] = (
    _file,
    _references,
    _schema,
    _rows,
    _log,
    _history,
    _derived,
    _vectors,
    _terms,
)
