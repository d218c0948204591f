"""A run: one piece of work with a tool, from its goal to a summary of the changes and reasons."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from holdfast.domain.choices import choose
from holdfast.domain.fields import Fields, time_text
from holdfast.domain.ids import RunId
from holdfast.domain.sessions.transcript import Speaker, Transcript, Turn
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date, datetime


class RunStatus(StrEnum):
    """The status of a run."""

    OPEN = "open"
    FINISHED = "finished"
    ABANDONED = "abandoned"


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A note taken during a run; ``by`` is its author, if no person wrote it."""

    at: datetime
    text: str
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A run: who worked with which tool and where, the goal, and the result.

    ``label`` is the name that people use: ``run-2026-01-27-3`` is the third of that day in its
    repository. ``commits`` are those made during the run, with their subjects; ``files`` are the
    files that these commits changed. ``summary_by`` is the author of the summary, if no person
    wrote it.
    """

    id: RunId
    label: str
    tool: str
    user: str
    repo: str | None
    branch: str | None
    started_at: datetime
    goal: str = ""
    status: RunStatus = RunStatus.OPEN
    head: str | None = None
    finished_at: datetime | None = None
    end_head: str | None = None
    notes: tuple[Note, ...] = ()
    summary: str = ""
    summary_by: str = ""
    is_drafted: bool = False
    commits: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


def next_label(day: date, is_taken: Callable[[str], bool]) -> str:
    """Return the first label of a day that no run of the repository has."""
    number = 1
    while is_taken(label := f"run-{day:%Y-%m-%d}-{number}"):
        number += 1
    return label


def as_transcript(run: Run) -> Transcript:
    """Return the notes and the summary of a run as a transcript.

    A drafted summary is left out, because it only repeats the notes.
    """
    said = [note.text for note in run.notes] + ([] if run.is_drafted else [run.summary])
    turns = tuple(
        Turn(number=number, speaker=Speaker.USER, text=text)
        for number, text in enumerate(said, start=1)
    )
    return Transcript(tool="run", session=run.label, turns=turns, source=run.id)


def run_json(run: Run) -> dict[str, object]:
    """Return the JSON that is stored, exported and shown by ``--json``."""
    return {
        "id": run.id,
        "label": run.label,
        "status": run.status.value,
        "tool": run.tool,
        "user": run.user,
        "repo": run.repo,
        "branch": run.branch,
        "goal": run.goal,
        "head": run.head,
        "end_head": run.end_head,
        "started_at": time_text(run.started_at),
        "finished_at": time_text(run.finished_at),
        "notes": [_note_json(note) for note in run.notes],
        "summary": run.summary,
        **({"summary_by": run.summary_by} if run.summary_by else {}),
        "drafted": run.is_drafted,
        "commits": list(run.commits),
        "files": list(run.files),
    }


def run_from_json(shape: object) -> Run:
    """Read a run."""
    fields = Fields(shape, noun="run")
    return Run(
        id=RunId(fields.text("id")),
        label=fields.text("label"),
        status=choose(RunStatus, fields.text("status"), what="status of a run"),
        tool=fields.text("tool"),
        user=fields.text("user"),
        repo=fields.maybe_text("repo"),
        branch=fields.maybe_text("branch"),
        goal=fields.text("goal"),
        head=fields.maybe_text("head"),
        end_head=fields.maybe_text("end_head"),
        started_at=fields.moment("started_at"),
        finished_at=fields.maybe_moment("finished_at"),
        notes=tuple(_note(item) for item in fields.items("notes")),
        summary=fields.text("summary"),
        summary_by=fields.maybe_text("summary_by") or "",
        is_drafted=bool(fields.maybe_bool("drafted") or fields.maybe_bool("is_drafted")),
        commits=fields.words("commits"),
        files=fields.words("files"),
    )


def _note(shape: object) -> Note:
    fields = Fields(shape, noun="note")
    by = fields.maybe_text("by") or ""
    return Note(at=fields.moment("at"), text=fields.text("text"), by=by)


def _note_json(note: Note) -> dict[str, object]:
    shape: dict[str, object] = {"at": time_text(note.at), "text": note.text}
    return {**shape, "by": note.by} if note.by else shape
