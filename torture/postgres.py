"""Faults of a store on Postgres: crashes, tenants in one pool, probes of row security, counters."""

from __future__ import annotations

from tests.postgres_server import new_server
from torture import pg_counts, pg_crash, pg_probes, pg_tenants
from torture.report import Report, Tally
from torture.task import Task


def run(task: Task) -> Report:
    """Run all of them on one durable server, until one of them finds a fault."""
    database = new_server()
    try:
        crashed, database = pg_crash.run(task, database)
        reports = [crashed]
        for part in (pg_probes.run, pg_tenants.run, pg_counts.run):
            if reports[-1].tally.wrong:
                break
            reports.append(part(task, database))
    finally:
        database.stop()
    tally = Tally()
    for report in reports:
        tally += report.tally.because(report.tool)
    return Report(tool="postgres", done="; ".join(report.done for report in reports), tally=tally)
