"""The check of one store: every sealed row, the chain of events, and the derived data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.care.checking import name_of
from holdfast.adapters.sqlite.database.rows import as_hex, holds
from holdfast.adapters.sqlite.database.work import event_of
from holdfast.adapters.sqlite.derived.scanning import TABLES, each, fine, warning
from holdfast.adapters.sqlite.tasks.deriving import tasks_wrong
from holdfast.domain.memory.entry import GENESIS

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.adapters.postgres.database.work import PostgresWork
    from holdfast.domain.review.curation import HealthFinding
    from holdfast.ports.store.upkeep import Progress

_REBUILD = "Run 'holdfast rebuild'; the memories themselves are whole."


def check_store(work: PostgresWork, progress: Progress) -> list[HealthFinding]:
    """Run every check on one snapshot; change nothing."""
    findings: list[HealthFinding] = []
    for done, one in enumerate(_CHECKS):
        progress(done, len(_CHECKS))
        findings += one(work)
    progress(len(_CHECKS), len(_CHECKS))
    return findings


def _rows(work: PostgresWork) -> list[HealthFinding]:
    messages = [
        f"The {table.noun} {name_of(table, row)} is not what was written."
        for table in TABLES
        for row in work.scan(f"scan_{table.name}")
        if not holds(table.noun, row)
    ]
    return each("rows", messages, "Every row is exactly what was written.")


def _log(work: PostgresWork) -> list[HealthFinding]:
    messages: list[str] = []
    last, previous = 0, GENESIS
    for row in work.scan("scan_event"):
        event = event_of(row)
        if event.hash != as_hex(row[-1]):
            messages.append(f"Event {event.sequence:,} is not what was written.")
        elif (event.sequence, event.previous) != (last + 1, previous):
            messages.append(f"Event {event.sequence:,} does not follow event {last:,}.")
        last, previous = event.sequence, as_hex(row[-1])
    return each("log", messages, "The chain of events is whole from its beginning.")


def _history(work: PostgresWork) -> list[HealthFinding]:
    unlike = [
        f"The {noun} {name} is not as its last event left it."
        for noun, name, *_ in work.rows("unlike_their_events")
    ]
    gone = [
        f"The {noun} {name} was written and is not there."
        for noun, name in work.rows("gone_without_a_trace")
    ]
    back = [
        f"The memory {name} was forgotten and is there."
        for (name,) in work.rows("forgotten_and_there")
    ]
    return each("history", unlike + gone + back, "The log and the rows tell the same story.")


def _derived(work: PostgresWork) -> list[HealthFinding]:
    wrong = int(work.rows("derived_orphans")[0][0])
    wrong += len(work.rows("embedding_orphans")) + len(work.rows("miscounted_models"))
    wrong += int(work.rows("said_wrong")[0][0])
    wrong += tasks_wrong(list(work.scan("scan_task")), work)
    if wrong:
        return [warning("derived", f"{wrong:,} derived rows are wrong.", _REBUILD)]
    return [fine("derived", "What is derived from the memories fits them.")]


_CHECKS: tuple[Callable[[PostgresWork], list[HealthFinding]], ...] = (
    _rows,
    _log,
    _history,
    _derived,
)
