"""The event log of a rescued store: the intact events, chained again, and the repairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.database.rows import as_hex, moment_of
from holdfast.adapters.sqlite.database.work import event_of, event_values
from holdfast.adapters.sqlite.derived.scanning import Unreadable, scan
from holdfast.adapters.sqlite.memory.memory_rows import standing_values
from holdfast.adapters.sqlite.memory.tombstones import grave_values
from holdfast.domain.choices import Status
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.event import GENESIS
from holdfast.domain.memory.memory import Standing, Tombstone
from holdfast.domain.values import replace

if TYPE_CHECKING:
    import apsw

    from holdfast.adapters.sqlite.database.work import Work

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
    "decision": "decision.put",
}


def copy_log(old: apsw.Connection, new: Work) -> None:
    """Copy every intact event; where one is missing, later events get a new chain.

    An intact log is copied unchanged.
    """
    last, previous = 0, GENESIS
    for row in scan("event", old):
        if isinstance(row, Unreadable):
            continue
        event = event_of(row)
        if event.hash == as_hex(row[-1]):
            kept = replace(event, sequence=last + 1, previous=previous)
            new.run("add_event", *event_values(kept))
            last, previous = kept.sequence, kept.hash


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
