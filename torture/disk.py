"""Disk faults under a store: full, read-only, flipped bits, cut logs, older files restored."""

from __future__ import annotations

from torture import damage, full_disk, read_only, tails
from torture.report import Report, Tally
from torture.task import Task


def run(task: Task) -> Report:
    """Run all of them; the report names those that cannot run here."""
    done: list[str] = []
    tally = Tally()
    for part in (full_disk.run, read_only.run, damage.run, tails.run):
        report = part(task)
        tally += report.tally.because(report.tool)
        done.append(report.skipped or report.done)
    return Report(tool="disk", done="; ".join(done), tally=tally)
