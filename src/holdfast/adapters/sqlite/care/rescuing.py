"""Copies every intact row into a new file: from its table, and from pages without a way to them.

The event log of a rescued store: the intact events, chained again, and the repairs.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import apsw

from holdfast.adapters.sqlite.care.carving import carve, shapes
from holdfast.adapters.sqlite.care.checking import name_of
from holdfast.adapters.sqlite.database.rows import Row, as_hex, holds, moment_of
from holdfast.adapters.sqlite.database.work import event_of, event_values
from holdfast.adapters.sqlite.derived.migrations import schema_number
from holdfast.adapters.sqlite.derived.rederiving import derive_anew
from holdfast.adapters.sqlite.derived.scanning import (
    EVENT,
    MEMORY,
    STANDING,
    TABLES,
    UNREADABLE,
    Table,
    Unreadable,
    carry_vectors,
    scan,
)
from holdfast.adapters.sqlite.memory.memory_rows import standing_values
from holdfast.adapters.sqlite.memory.tombstones import grave_values
from holdfast.adapters.sqlite.queries import SQL
from holdfast.domain.choices import Status
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.entry import GENESIS
from holdfast.domain.memory.memory import Standing, Tombstone
from holdfast.domain.values import dataclass, field, replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from holdfast.adapters.sqlite.care.carving import RawPages, StoredShape
    from holdfast.adapters.sqlite.database.work import Work
    from holdfast.domain.memory.entry import Event
    from holdfast.ports.store.upkeep import Progress


_UNDECIDED = Standing(
    status=Status.CANDIDATE, reason="What had been decided was damaged; decide again."
)
_ACTIONS = {
    "memory": "memory.rescued",
    "standing": "memory.standing",
    "evidence": "memory.evidence",
    "link": "link.put",
    "session": "session.put",
    "turn": "turn.set",
    "bundle": "bundle.put",
    "span": "span.put",
    "weights": "weights.put",
    "anchor": "anchor.put",
    "standpoint": "standpoint.put",
    "rewrite": "rewrite.put",
    "run": "run.put",
    "step": "step.put",
    "decision": "decision.put",
    "workspace": "workspace.put",
    "snapshot": "snapshot.put",
    "task": "task.put",
    "agent": "agent.put",
    "cycle": "cycle.added",
    "proposal": "proposal.added",
    "result": "result.added",
    "namespace": "namespace.put",
    "record": "record.put",
    "ciphertext": "ciphertext.put",
}


def copy_log(old: apsw.Connection, new: Work, found: Iterable[Row] = ()) -> None:
    """Copy every intact event; where one is missing, later events get a new chain.

    An intact log is copied unchanged. ``found`` are events that were found outside their table.
    """
    events = {event.sequence: event for event in map(event_of, found)}
    with suppress(*UNREADABLE):  # rows without an event are logged as rescued
        for event in _intact_events(old):
            events[event.sequence] = event
    last, previous = 0, GENESIS
    for _, event in sorted(events.items()):
        kept = replace(event, sequence=last + 1, previous=previous)
        new.run("add_event", *event_values(kept))
        last, previous = kept.sequence, kept.hash


def _intact_events(old: apsw.Connection) -> Iterator[Event]:
    for row in scan(EVENT.name, old):
        if not isinstance(row, Unreadable):
            event = event_of(row)
            if event.hash == as_hex(row[-1]):
                yield event


def settle(new: Work) -> list[str]:
    """Make the rows and the log agree again; return the names of lost rows.

    Forgotten memories stay forgotten, and a memory whose decision is lost becomes a candidate.
    """
    for subject, at in new.rows("forgotten_without_tombstone"):
        grave = Tombstone(
            memory_id=MemoryId(subject), forgotten_at=moment_of(at), forgotten_by="unknown"
        )
        new.run("add_tombstone", *grave_values(grave))
    new.run("drop_orphans")
    for sequence, memory_id in new.rows("without_standing"):
        values = standing_values(sequence, _UNDECIDED)
        new.run("put_standing", *values)
        new.record("memory.standing", memory_id, values[-1])
    for noun, _, subject, row_hash in new.rows("unlike_their_events"):
        new.record(_ACTIONS[noun], subject, row_hash)
    lost = [(noun, subject) for noun, subject in new.rows("gone_without_a_trace")]
    for noun, subject in lost:
        new.record(f"{noun}.lost", subject)
    return [subject if noun == "memory" else f"{noun} {subject}" for noun, subject in lost]


# Entries of ``meta`` that are written again, or that the repair itself resolves.
_DROPPED_NOTES = frozenset({"tail_lost", "residue", "common_terms_measured_at"})
_STEPS = len(TABLES) + 2
_DECIDED = "memory.standing"


@dataclass(slots=True)
class RescueReport:
    """The number of rescued memories and events, and the names of lost rows.

    ``missing`` counts the lost memories, including those whose names are lost too. ``tokens``
    counts the access tokens, which are not rescued.
    """

    memories: int = 0
    missing: int = 0
    events: int = 0
    lost: list[str] = field(default_factory=list)
    tokens: int = 0


def rescue(
    old: apsw.Connection, new: Work, progress: Progress, pages: RawPages | None = None
) -> RescueReport:
    """Copy the intact rows from the old file into the new one, and rebuild the derived data.

    ``pages`` are those of the old file, for the rows to which no intact tree leads.
    """
    rescued = RescueReport()
    number = schema_number(old)
    known = shapes(new)
    there: set[tuple[str, Row]] = set()
    for done, table in enumerate(TABLES):
        if 0 < number < table.since:
            continue  # the schema of the old file is older than this table
        progress(done, _STEPS)
        rescued.lost += _copy(known[table.name], old, new, there)
    given = _keep_counters(old, new)
    rows, events = _outside_tables(pages, known, there)
    copy_log(old, new, events)
    _put_newest(rows, new)
    rescued.events, rescued.tokens = new.head().sequence, _tokens_left(old)
    carry_vectors(old, new)
    lost = settle(new)
    rescued.lost = lost + [name for name in rescued.lost if name not in lost]
    progress(len(TABLES), _STEPS)
    rescued.memories = derive_anew(new, lambda _: None)
    named = len([name for name in lost if " " not in name])  # other names start with a noun
    unnamed = given - int(new.rows("memories_accounted_for")[0][0])
    rescued.missing = named + max(0, unnamed)
    progress(len(TABLES) + 1, _STEPS)
    return rescued


def _copy(
    shape: StoredShape, old: apsw.Connection, new: Work, there: set[tuple[str, Row]]
) -> list[str]:
    """Copy the rows of a table, and note their keys; return the names of the damaged ones."""
    table, lost = shape.table, list[str]()
    try:
        for row in scan(table.name, old):
            if isinstance(row, Unreadable):
                continue  # most of these numbers were never used; the log names the used ones
            if not holds(table.noun, row):
                name = name_of(table, row)
                lost.append(name if table is MEMORY else f"{table.noun} {name}")
                continue
            there.add((table.name, shape.key_of(row)))
            _put(table, row, new)
    except UNREADABLE as error:
        lost.append(f"every {table.noun}: {error}")
    return lost


def _outside_tables(
    pages: RawPages | None, known: dict[str, StoredShape], there: set[tuple[str, Row]]
) -> tuple[list[tuple[Table, Row]], list[Row]]:
    """Return the rows, and the events, that the pages of a file have and its tables do not."""
    rows: list[tuple[Table, Row]] = []
    events: list[Row] = []
    for shape, row in () if pages is None else carve(pages, known):
        if shape.table is EVENT:
            events.append(row)
        elif (shape.table.name, shape.key_of(row)) not in there:
            rows.append((shape.table, row))
    return rows, events


def _put_newest(rows: list[tuple[Table, Row]], new: Work) -> None:
    """Put each row unless the log states that it was replaced or removed later."""
    log = new.rows("changes_by_digest")
    written = {digest: (subject, noun) for _, subject, noun, digest in log}
    newest = {(subject, noun): digest for _, subject, noun, digest in log}
    for table, row in rows:
        if table is MEMORY:
            _put(table, row, new)
    undecided: dict[int, str] = dict(new.rows("without_standing"))
    for table, row in rows:
        # The first decision about a memory is not in the log.
        first = undecided.get(row[0], "") if table is STANDING else ""
        change = written.get(row[-1], (first, _DECIDED))
        if table is not MEMORY and newest.get(change, row[-1]) == row[-1]:
            _put(table, row, new)


def _put(table: Table, row: Row, new: Work) -> None:
    if table.noun == "note" and row[0] in _DROPPED_NOTES:
        return
    try:
        new.run(table.put, *row)
    except apsw.ConstraintError:
        return  # a duplicate row, from a page that is linked twice in the tree


def _keep_counters(old: apsw.Connection, new: Work) -> int:
    """Keep the counters, so that no number is used twice even if the last rows are lost.

    Return how many numbers memories got, as far as the old file states it.
    """
    try:
        rows = old.execute(SQL["counters"]).fetchall()
        counters = {str(name): int(str(last)) for name, last in rows}
    except UNREADABLE:
        return 0
    for name, last in counters.items():
        new.run("raise_counter", last, name)
        new.run("add_counter", name, last)
    return counters.get(MEMORY.name, 0)


def _tokens_left(old: apsw.Connection) -> int:
    """Return how many access tokens are not rescued: no hash tells what damage did to one.

    A token whose date of revocation is damaged would be valid again.
    """
    try:
        return len(old.execute(SQL["all_tokens"]).fetchall())
    except UNREADABLE:
        return 0
