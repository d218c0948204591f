"""Reads a table to its end, even if parts of it are damaged.

Builds the findings of a check.

Repair of vectors: intact ones are kept, because embedding is slow; others are dropped.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from typing import TYPE_CHECKING, cast
from zlib import crc32

import apsw

from holdfast.adapters.sqlite.database.rows import Row
from holdfast.adapters.sqlite.memory.embeddings import known_models, log_changes, move_completeness
from holdfast.adapters.sqlite.queries import SQL
from holdfast.domain.recall.directions import KEPT_BYTES
from holdfast.domain.review.curation import HealthFinding, Severity
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.adapters.sqlite.database.work import Work


_OUT_OF_ORDER = "rows are out of order"
UNREADABLE = (apsw.SQLError, apsw.CorruptError, UnicodeDecodeError)
"""What a read of damaged rows raises; damaged text is no UTF-8 any more."""
_CHUNK = 1_000
_LAST_POSSIBLE = 2**62
_BEYOND_KNOWN = 100_000
# If the file does not state its last number, this many unreadable chunks in a row end a scan.
_MOST_BARREN = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table with sealed rows: the noun in its seals, and the statement that writes a row.

    ``since`` is the number of the schema that added it.
    """

    name: str
    noun: str
    put: str
    since: int = 1


MEMORY = Table(name="memory", noun="memory", put="add_memory")
STANDING = Table(name="memory_standing", noun="standing", put="put_standing")
EVENT = Table(name="event", noun="event", put="add_event")
TABLES = (
    MEMORY,
    STANDING,
    Table(name="memory_usage", noun="usage", put="put_usage"),
    Table(name="memory_evidence", noun="evidence", put="add_evidence"),
    Table(name="tombstone", noun="tombstone", put="add_tombstone"),
    Table(name="memory_link", noun="link", put="put_link"),
    Table(name="session", noun="session", put="put_session"),
    Table(name="interaction", noun="turn", put="put_turn"),
    Table(name="bundle", noun="bundle", put="put_bundle"),
    Table(name="span", noun="span", put="put_span"),
    Table(name="tuning", noun="weights", put="put_tuning", since=3),
    Table(name="span_anchor", noun="anchor", put="put_anchor", since=4),
    Table(name="standpoint", noun="standpoint", put="put_standpoint", since=4),
    Table(name="rewrite", noun="rewrite", put="put_rewrite", since=4),
    Table(name="run", noun="run", put="put_run", since=5),
    Table(name="run_step", noun="step", put="put_step", since=13),
    Table(name="decision", noun="decision", put="put_decision", since=5),
    Table(name="workspace", noun="workspace", put="put_workspace", since=8),
    Table(name="workspace_snapshot", noun="snapshot", put="add_snapshot", since=8),
    Table(name="task", noun="task", put="put_task", since=9),
    Table(name="agent", noun="agent", put="put_agent", since=10),
    Table(name="agent_cycle", noun="cycle", put="add_cycle", since=10),
    Table(name="action_proposal", noun="proposal", put="add_proposal", since=10),
    Table(name="action_result", noun="result", put="add_result", since=10),
    Table(name="memory_index", noun="namespace", put="put_index", since=10),
    Table(name="session_record", noun="record", put="put_session_record", since=11),
    Table(name="said", noun="said", put="put_said", since=15),
    Table(name="document", noun="document", put="put_document", since=16),
    Table(name="ciphertext", noun="ciphertext", put="put_ciphertext", since=12),
    Table(name="meta", noun="note", put="put_meta"),
)


@dataclass(frozen=True, slots=True)
class Unreadable:
    """The number of a row that cannot be read; the row may never have existed."""

    number: int


def scan(table: str, connection: apsw.Connection) -> Iterator[Row | Unreadable]:
    """Return every row of a table in order; unreadable places are reported and skipped."""
    after = barren = 0
    while True:
        try:
            rows = _rows(table, connection, after, _LAST_POSSIBLE)
        except (apsw.CorruptError, UnicodeDecodeError):
            last = _last_number(connection)
            if after > (_BEYOND_KNOWN if last is None else last):
                return
            until = after + _CHUNK
            found = list(_one_by_one(table, connection, after, until))
            yield from found
            is_barren = all(isinstance(row, Unreadable) for row in found)
            barren = barren + 1 if is_barren and last is None else 0
            if barren == _MOST_BARREN:
                return
            after = until
        else:
            if not rows:
                return
            yield from (row[1:] for row in rows)
            after = rows[-1][0]


def _one_by_one(
    table: str, connection: apsw.Connection, after: int, until: int
) -> Iterator[Row | Unreadable]:
    """Halve the range until each damaged row is isolated."""
    try:
        rows = _rows(table, connection, after, until)
    except (apsw.CorruptError, UnicodeDecodeError):
        if until - after == 1:
            yield Unreadable(until)
            return
        middle = (after + until) // 2
        yield from _one_by_one(table, connection, after, middle)
        yield from _one_by_one(table, connection, middle, until)
    else:
        yield from (row[1:] for row in rows)


def _rows(table: str, connection: apsw.Connection, after: int, until: int) -> list[Row]:
    """Return the next rows of a range.

    Raises:
        CorruptError: The tree of the table is damaged; it may lead in a circle, too.
    """
    values = {"after": after, "until": until, "limit": _CHUNK}
    rows = cast("list[Row]", connection.execute(SQL[f"scan_{table}"], values).fetchall())
    numbers = [after, *(row[0] for row in rows)]
    if any(one >= other for one, other in pairwise(numbers)) or numbers[-1] > until:
        raise apsw.CorruptError(_OUT_OF_ORDER)
    return rows


def _last_number(connection: apsw.Connection) -> int | None:
    try:
        return int(connection.execute(SQL["last_number"]).get) * 2 + _CHUNK
    except apsw.CorruptError:
        return None


REPAIR = "Run 'holdfast doctor --repair': it keeps the damaged file and recovers the intact data."
REBUILD = "Run 'holdfast doctor --repair' to rebuild it; the memories themselves are intact."
_NAMED = 20


def fine(check: str, message: str) -> HealthFinding:
    """Return a finding that a check passed."""
    return HealthFinding(check=check, severity=Severity.OK, message=message)


def note(check: str, message: str, advice: str = "") -> HealthFinding:
    """Return a finding that is useful to know but not urgent."""
    return HealthFinding(check=check, severity=Severity.NOTE, message=message, advice=advice)


def warning(check: str, message: str, advice: str) -> HealthFinding:
    """Return a finding of a fault that affects no memory."""
    return HealthFinding(check=check, severity=Severity.WARNING, message=message, advice=advice)


def damage(check: str, message: str, advice: str = REPAIR) -> HealthFinding:
    """Return a finding that canonical data is damaged."""
    return HealthFinding(check=check, severity=Severity.DAMAGE, message=message, advice=advice)


def each(check: str, messages: Sequence[str], otherwise: str) -> list[HealthFinding]:
    """Return a damage finding for each message, summed up if many; else that the check passed."""
    if not messages:
        return [fine(check, otherwise)]
    said = [damage(check, message) for message in messages[:_NAMED]]
    rest = len(messages) - len(said)
    return said + ([damage(check, f"And {rest:,} more like these.")] if rest else [])


def settle_vectors(work: Work) -> None:
    """Keep the intact vectors of existing memories; drop the others."""
    wrong = {(row[0], row[1]) for row in work.rows("embedding_orphans")} | _unsound(work)
    for model, sequence in sorted(wrong):
        work.run("drop_embedding", model, sequence)
        log_changes(model, [sequence], work)
    work.run("recount_models")
    for known in known_models(work):
        log_changes(known.number, _unlogged(known.number, work), work)
        move_completeness(known.number, work)


def wrong_vectors(work: Work) -> int:
    """Return how many memories have vectors that are damaged, not logged or without a memory."""
    wrong = {(row[0], row[1]) for row in work.rows("embedding_orphans")} | _unsound(work)
    unlogged = sum(len(_unlogged(known.number, work)) for known in known_models(work))
    return len(wrong) + unlogged + len(work.rows("miscounted_models"))


def carry_vectors(old: apsw.Connection, new: Work) -> None:
    """Copy the models and every intact vector from a damaged file into a new one."""
    numbers: dict[int, int] = {}
    with suppress(*UNREADABLE):
        for row in cast("list[Row]", old.execute(SQL["models"]).fetchall()):
            numbers[row[0]] = new.rows("add_model", (row[1], row[2]))[0][0]
        for row in _kept(old):
            if row[0] in numbers and crc32(row[2]) == row[3]:
                new.run("put_embedding", numbers[row[0]], *row[1:])


def _unsound(work: Work) -> set[tuple[int, int]]:
    sizes = {known.number: KEPT_BYTES * known.model.dimension for known in known_models(work)}
    return {
        (model, sequence)
        for model, sequence, kept, crc in _kept(work.connection)
        if not kept or len(kept) % sizes.get(model, 1) or crc32(kept) != crc
    }


def _kept(connection: apsw.Connection) -> Iterator[Row]:
    return (row for row in scan("embedding", connection) if not isinstance(row, Unreadable))


def _unlogged(model: int, work: Work) -> list[int]:
    logged = {row[0] for row in work.rows("logged_sequences", (model,))}
    kept = {row[0] for row in work.rows("embedded_sequences", (model,))}
    return sorted(kept - logged)
