"""The results of a tool, and the table that shows them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

MOST_NOTES = 8
_NUMBERS = ("acks", "faults", "lost", "ghost", "torn", "bad")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Counts over one or many checks.

    ``lost``: acknowledged but missing. ``ghost``: present but never attempted. ``torn``: half of an
    operation. ``bad``: any other fault, such as reported damage, a wrong error or an index that
    disagrees. ``notes`` describes the first faults in words.
    """

    acks: int = 0
    faults: int = 0
    lost: int = 0
    ghost: int = 0
    torn: int = 0
    bad: int = 0
    notes: tuple[str, ...] = ()

    @property
    def wrong(self) -> int:
        """The number of all faults."""
        return self.lost + self.ghost + self.torn + self.bad

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            acks=self.acks + other.acks,
            faults=self.faults + other.faults,
            lost=self.lost + other.lost,
            ghost=self.ghost + other.ghost,
            torn=self.torn + other.torn,
            bad=self.bad + other.bad,
            notes=(self.notes + other.notes)[:MOST_NOTES],
        )

    def because(self, where: str) -> Tally:
        """Return the same tally with the place added to every note."""
        return replace(self, notes=tuple(f"{where}: {note}" for note in self.notes))


def faulty(note: str) -> Tally:
    """Return the tally of one fault."""
    return Tally(bad=1, notes=(note,))


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The work and the results of one tool; ``skipped`` says why it could not run."""

    tool: str
    done: str
    tally: Tally = field(default_factory=Tally)
    skipped: str = ""
    seconds: float = 0.0
    command: str = ""

    @property
    def result(self) -> str:
        """The result in one word."""
        if self.skipped:
            return "skipped"
        return "FAIL" if self.tally.wrong else "pass"


def table(reports: Sequence[Report]) -> str:
    """Return the reports as plain text, one line each, with the notes below."""
    heads = ["tool", "what was done", "acks", "faults", "LOST", "GHOST", "TORN", "BAD"]
    rows = [[*heads, "result", "seconds", "reproduce with"]]
    for report in reports:
        numbers = [f"{getattr(report.tally, name):,}" for name in _NUMBERS]
        done = report.skipped or report.done
        rows.append(
            [
                report.tool,
                done,
                *numbers,
                report.result,
                f"{report.seconds:.1f}",
                report.command,
            ]
        )
    notes = [f"  {report.tool}: {note}" for report in reports for note in report.tally.notes]
    return "\n".join([*aligned(rows), *notes])


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows as aligned columns; numbers are right-aligned."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            cell.rjust(width) if _is_number(cell) else cell.ljust(width)
            for cell, width in zip(row, widths, strict=True)
        ]
        lines.append("  ".join(cells).rstrip())
    return [lines[0], "-" * max(len(line) for line in lines), *lines[1:]]


def _is_number(cell: str) -> bool:
    return cell.replace(",", "").replace(".", "").isdigit()
