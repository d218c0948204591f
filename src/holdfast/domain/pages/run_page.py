"""A run as a Markdown page for people: what changed and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.memory.callers import plain_tool

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.sessions.run import Note, Run

_SHOWN_FILES = 40
DRAFTED = "Drafted from the notes and commits of this run; nobody has written it yet."


def drafted_summary(run: Run) -> str:
    """Return a summary made from the run's goal, notes and commits."""
    parts = []
    if run.goal:
        parts.append(f"Goal: {run.goal}")
    if run.notes:
        parts.append("\n".join(f"- {_by(note)}{_one_line(note.text)}" for note in run.notes))
    if run.commits:
        parts.append("\n".join(["Commits:", *(f"- {_subject(commit)}" for commit in run.commits)]))
    return "\n\n".join(parts) or "Nothing was noted and nothing was committed."


def run_page(run: Run) -> str:
    """Return ``summary.md``: a few named fields, the summary, and its sources."""
    facts = {
        "id": run.label,
        "uid": run.id,
        "type": "run",
        "status": run.status.value,
        "tool": plain_tool(run.tool),
        "branch": run.branch or "",
        "started": f"{run.started_at:%Y-%m-%d %H:%M} UTC",
        "finished": "" if run.finished_at is None else f"{run.finished_at:%Y-%m-%d %H:%M} UTC",
        "head": (run.end_head or run.head or "")[:12],
    }
    lines = ["---", *(f"{name}: {_quoted(value)}" for name, value in facts.items() if value), "---"]
    if run.goal:
        lines += ["", f"Goal: {_one_line(run.goal)}"]
    lines += ["", "## What changed and why", ""]
    if run.is_drafted:
        lines += [f"*{DRAFTED}*", ""]
    lines += summary_lines(run)
    notes = [f"- {note.at:%H:%M} {_by(note)}{_one_line(note.text)}" for note in run.notes]
    lines += _section("Notes", notes)
    lines += _section("Commits", [f"- {commit}" for commit in run.commits])
    lines += _section("Files", _files(run.files))
    return "\n".join(lines).rstrip() + "\n"


def summary_lines(run: Run) -> list[str]:
    """Return the summary; what no person wrote is a quotation that names its author."""
    if not run.summary_by:
        return [run.summary.strip() or "Still open."]
    quoted = (f"> {line}".rstrip() for line in run.summary.strip().splitlines())
    return [f"*Written by {_one_line(run.summary_by)}:*", "", *quoted]


def _by(note: Note) -> str:
    return f"({_one_line(note.by)}) " if note.by else ""


def _section(title: str, lines: Sequence[str]) -> list[str]:
    return ["", f"## {title}", "", *lines] if lines else []


def _files(files: Sequence[str]) -> list[str]:
    shown = [f"- {_one_line(path)}" for path in files[:_SHOWN_FILES]]
    rest = len(files) - len(shown)
    return [*shown, f"- and {rest} more"] if rest else shown


def _quoted(value: str) -> str:
    """Return a value as YAML that every parser reads as the same text."""
    inner = _one_line(value).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{inner}"'


def _subject(commit: str) -> str:
    """Return the subject of a commit, without its hash."""
    return commit.partition(" ")[2]


def _one_line(text: str) -> str:
    return " ".join(text.split())
