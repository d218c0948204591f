"""Print sessions and their turns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.memory.callers import plain_tool
from holdfast.surfaces.cli.present.terminal.colour import Bad, Dim, Good, Name
from holdfast.surfaces.cli.present.terminal.table import show_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.sessions.session import Interaction, Session
    from holdfast.surfaces.cli.present.terminal.output import Output
    from holdfast.usecases.memory.browse import SessionPage

_REPO_LETTERS = len("repo_") + 8


def session_line(session: Session) -> list[str]:
    """Return a session on one line."""
    ended = session.finished_at
    state = "open" if ended is None else f"ended {ended:%Y-%m-%d %H:%M} UTC"
    words = (
        plain_tool(session.tool),
        session.user,
        f"{session.started_at:%Y-%m-%d %H:%M} UTC",
        state,
    )
    return [Name(session.id), "  ", "  ".join(word for word in words if word)]


def show_sessions(output: Output, sessions: Sequence[Session], *, everywhere: bool) -> None:
    """Write sessions as a table; at a terminal the repository is shown only where it differs."""
    with_repo = everywhere or not output.is_terminal
    rows = [
        (
            Name(session.id),
            plain_tool(session.tool),
            session.user,
            f"{session.started_at:%Y-%m-%d %H:%M}",
            "open" if session.finished_at is None else f"{session.finished_at:%Y-%m-%d %H:%M}",
            *([_repository(session, output)] if with_repo else []),
            session.branch or "",
        )
        for session in sessions
    ]
    where = ("REPOSITORY",) if with_repo else ()
    show_table(output, ("ID", "TOOL", "USER", "STARTED", "ENDED", *where, "BRANCH"), rows)


def _repository(session: Session, output: Output) -> str:
    """Return the repository of a session; at a terminal its first letters tell it apart."""
    repo = session.repo or ""
    return repo[:_REPO_LETTERS] if output.is_terminal else repo


def session_page(output: Output, page: SessionPage) -> None:
    """Write a session with its turns."""
    output.say(*session_line(page.session))
    for turn in page.turns:
        output.say(*_turn(turn, page.recorders.get(turn.id, "")))


def _turn(turn: Interaction, recorder: str) -> list[str]:
    verdict: str = Dim("?")
    if turn.satisfied is not None:
        verdict = Good("+") if turn.satisfied else Bad("-")
    notes = f"  ({turn.notes})" if turn.notes else ""
    notes += f"  recorded by {recorder}" if recorder else ""
    when = Dim(f"  {turn.at:%H:%M}  ")
    return ["  ", verdict, when, turn.query, "  ", Name(turn.bundle_id or ""), Dim(notes)]
