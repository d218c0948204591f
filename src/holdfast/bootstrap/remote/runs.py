"""Calls about runs: pieces of work, their context and the journal of a day."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.work.runs import RunsPart
from holdfast.bootstrap.remote.asking import RUN, given, masked, plain, quoted
from holdfast.domain.ids import MemoryId
from holdfast.domain.refusals import NoOpenRunError
from holdfast.domain.sessions.run import RunStatus, run_from_json
from holdfast.usecases.recall.briefing import Briefing

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from holdfast.bootstrap.remote.asking import Asking
    from holdfast.domain.fields import Fields
    from holdfast.domain.sessions.run import Run

_LOOKED_AT = 50


def start(at: Asking, *, tool: str, user: str, goal: str = "") -> Run:
    """Start a run."""
    body = given(tool=plain(tool, "tool"), user=plain(user, "user"), goal=masked(goal, "goal"))
    return at.send("POST", "/v1/runs", _run, body=body)


def _run(answer: Fields) -> Run:
    return run_from_json(answer.raw("run"))


def note(at: Asking, text: str, *, reference: str | None = None) -> Run:
    """Add a note to a run."""
    path = f"/v1/runs/{_named(at, reference)}/notes"
    return at.send("POST", path, _run, body={"text": masked(text, "note")}, may_wait=True)


def finish(
    at: Asking, summary: str = "", *, reference: str | None = None, abandon: bool = False
) -> Run:
    """Finish a run; candidates are proposed from it by a call of its own."""
    body = {"summary": masked(summary, "summary"), "abandon": abandon, "propose": False}
    return at.send("POST", f"/v1/runs/{_named(at, reference)}/finish", _run, body=body)


def _named(at: Asking, reference: str | None) -> str:
    """Return the run with that id, else the newest open one here, as a part of a path."""
    return quoted(reference if reference is not None else show(at).id, RUN)


def latest(at: Asking, *, limit: int = 20, everywhere: bool = False) -> Sequence[Run]:
    """List runs, newest first."""
    return at.get(
        "/v1/runs",
        lambda answer: [run_from_json(one) for one in answer.items("runs")],
        limit=min(limit, 200),
        everywhere=everywhere or None,
    )


def show(at: Asking, reference: str | None = None) -> Run:
    """Show a run; without an id the newest open one here."""
    if reference is not None:
        return at.get(f"/v1/runs/{quoted(reference, RUN)}", _run)
    found = [one for one in latest(at, limit=_LOOKED_AT) if one.status is RunStatus.OPEN]
    if not found:
        raise NoOpenRunError
    return found[0]


def context(at: Asking, goal: str = "") -> Briefing:
    """Return the context pack for a goal."""
    return at.get(
        "/v1/context",
        lambda answer: Briefing(
            text=answer.text("text"),
            memories=tuple(MemoryId(name) for name in answer.words("memories")),
        ),
        **given(goal=masked(goal, "goal")),
    )


def journal(at: Asking, day: date) -> str:
    """Return the page of a day."""
    return at.get(f"/v1/journal/{day.isoformat()}", lambda answer: answer.text("text"))


PARTS = {RunsPart: (start, note, finish, latest, show, context, journal)}
