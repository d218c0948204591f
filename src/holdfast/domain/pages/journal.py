"""A day as a Markdown page for people: questions, runs and new memories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.memory.callers import plain_tool
from holdfast.domain.pages.run_page import summary_lines
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date, datetime

    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.sessions.run import Run
    from holdfast.domain.sessions.session import Interaction

_LONGEST = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One event of a day: its time, its title and its text."""

    at: datetime
    title: str
    lines: tuple[str, ...]


def turn_section(turn: Interaction, *, recorder: str = "") -> Section:
    """Return the question of a turn, the bundle that answered it, and whether it helped.

    ``recorder`` is who recorded it, if it was no person.
    """
    lines = [turn.query]
    if turn.bundle_id is not None:
        lines.append(f"answered by {turn.bundle_id}{_verdict(turn.satisfied)}")
    lines += [turn.notes] if turn.notes else []
    by = f", recorded by {recorder}" if recorder else ""
    return Section(at=turn.at, title=f"asked in {turn.session_id}{by}", lines=tuple(lines))


def run_sections(run: Run) -> list[Section]:
    """Return the start of a run and, if it has finished, its end."""
    goal = (run.goal,) if run.goal else ()
    sections = [
        Section(at=run.started_at, title=f"{run.label} began ({plain_tool(run.tool)})", lines=goal)
    ]
    if run.finished_at is not None:
        title = f"{run.label} {run.status.value}"
        sections.append(Section(at=run.finished_at, title=title, lines=tuple(summary_lines(run))))
    return sections


def memory_section(record: MemoryRecord) -> Section:
    """Return a memory's claim and its current status."""
    memory, status = record.memory, record.standing.status.value
    name = record.standing.label or memory.id
    title = f"{memory.kind.value} {name} ({status}, {memory.trust.value})"
    return Section(at=memory.created_at, title=title, lines=(memory.claim,))


def journal_page(day: date, sections: Sequence[Section]) -> str:
    """Return a day's page; the same day gives the same bytes."""
    lines = [f"# {day:%Y-%m-%d}"]
    for section in sorted(sections, key=lambda one: (one.at, one.title)):
        title = " ".join(section.title.split())
        lines += ["", f"## {section.at:%H:%M} {title}", ""]
        lines += [_quoted(text) for text in section.lines]
    if not sections:
        lines += ["", "Nothing was asked, finished or learned."]
    return "\n".join(lines).rstrip() + "\n"


def _quoted(text: str) -> str:
    """Return a text as a Markdown quotation, to mark it as data."""
    short = text if len(text) <= _LONGEST else f"{text[:_LONGEST].rstrip()} …"
    return "\n".join(f"> {line}".rstrip() for line in short.strip().splitlines())


def _verdict(satisfied: bool | None) -> str:  # noqa: FBT001 - three values: yes, no or unknown
    return {True: ", which helped", False: ", which did not help", None: ""}[satisfied]
