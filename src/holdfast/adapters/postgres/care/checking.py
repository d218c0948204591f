"""The check of one store: every sealed row, the chain of events, and the derived data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.care.checking import name_of
from holdfast.adapters.sqlite.database.rows import holds
from holdfast.adapters.sqlite.derived.scanning import TABLES
from holdfast.adapters.sqlite.derived.verdicts import (
    about_derived,
    about_history,
    about_log,
    about_rows,
    altered,
    broken_links,
)
from holdfast.adapters.sqlite.tasks.deriving import tasks_wrong

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.adapters.postgres.database.work import PostgresWork
    from holdfast.domain.review.curation import HealthFinding
    from holdfast.ports.store.upkeep import Progress

_REBUILD = "Run 'holdfast rebuild'; the memories themselves are intact."


def check_store(work: PostgresWork, progress: Progress) -> list[HealthFinding]:
    """Run every check on one snapshot; change nothing."""
    findings: list[HealthFinding] = []
    for done, one in enumerate(_CHECKS):
        progress(done, len(_CHECKS))
        findings += one(work)
    progress(len(_CHECKS), len(_CHECKS))
    return findings


def _rows(work: PostgresWork) -> list[HealthFinding]:
    return about_rows(
        [
            altered(table.noun, name_of(table, row))
            for table in TABLES
            for row in work.scan(f"scan_{table.name}")
            if not holds(table.noun, row)
        ]
    )


def _log(work: PostgresWork) -> list[HealthFinding]:
    return about_log(broken_links(work.scan("scan_event")))


def _history(work: PostgresWork) -> list[HealthFinding]:
    return about_history(work.rows)


def _derived(work: PostgresWork) -> list[HealthFinding]:
    wrong = int(work.rows("derived_orphans")[0][0])
    wrong += len(work.rows("embedding_orphans")) + len(work.rows("miscounted_models"))
    wrong += int(work.rows("said_wrong")[0][0])
    wrong += tasks_wrong(list(work.scan("scan_task")), work)
    return about_derived(wrong, advice=_REBUILD)


_CHECKS: tuple[Callable[[PostgresWork], list[HealthFinding]], ...] = (
    _rows,
    _log,
    _history,
    _derived,
)
