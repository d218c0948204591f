"""What disks do to a store: full, read-only, flipped bits, cut logs, older files put back."""

from __future__ import annotations

from torture import damage, full_disk, read_only, tails
from torture.report import Report, Tally
from torture.task import Task


def run(task: Task) -> Report:
    """Do all of it; what cannot be done here is said in the report."""
    done: list[str] = []
    tally = Tally()
    for part in (full_disk.run, read_only.run, damage.run, tails.run):
        report = part(task)
        tally += report.tally.because(report.tool)
        done.append(report.skipped or report.done)
    return Report(tool="disk", done="; ".join(done), tally=tally)
