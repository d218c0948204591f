"""Sessions, runs and hook calls as JSON."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from holdfast.domain.exchange.session_shapes import session_json, turn_json
from holdfast.domain.fields import time_text
from holdfast.domain.sessions.run import run_json
from holdfast.surfaces.wire.memory import removed_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date

    from holdfast.domain.sessions.hook_calls import ToolSession
    from holdfast.domain.sessions.run import Run
    from holdfast.domain.sessions.session import Interaction, Session
    from holdfast.usecases.recall.briefing import Briefing
    from holdfast.usecases.sessions.propose import Proposed

    Json = dict[str, object]


def one_session_json(session: Session) -> Json:
    """Return a session that was started or ended."""
    return {"session": session_json(session)}


def sessions_json(found: Iterable[Session]) -> Json:
    """Return a list of sessions."""
    return {"sessions": [session_json(session) for session in found]}


def one_turn_json(turn: Interaction, *, texts: Sequence[str]) -> Json:
    """Return a turn that was recorded, with its number in the session, and what its texts lost."""
    return {
        "turn": {**turn_json(turn), "turn": turn.number},
        "removed_characters": removed_json(*texts),
    }


def one_run_json(run: Run) -> Json:
    """Return a run that was shown."""
    return {"run": run_json(run)}


def noted_run_json(run: Run, *, text: str) -> Json:
    """Return a run that got a note, and the hidden characters that the note had."""
    return {"run": run_json(run), "removed_characters": removed_json(text)}


def runs_json(found: Iterable[Run]) -> Json:
    """Return a list of runs."""
    return {"runs": [run_json(run) for run in found]}


def started_run_json(run: Run, *, goal: str, context: str | None) -> Json:
    """Return a run that was started, the path of its context page, and what its goal lost."""
    return {"run": run_json(run), "context": context, "removed_characters": removed_json(goal)}


def finished_run_json(
    run: Run, *, summary: str, page: str | None, proposed: Proposed | None
) -> Json:
    """Return a run that was finished, its page, its candidates, and what its summary lost."""
    return {
        "run": run_json(run),
        "page": page,
        "candidates": _candidates(proposed),
        "notes": [] if proposed is None else list(proposed.notes),
        "removed_characters": removed_json(summary),
    }


def handed_in_json(run: Run, *, texts: Sequence[str], proposed: Proposed) -> Json:
    """Return what an agent handed in: the run, its candidates, and a sentence about them."""
    candidates = _candidates(proposed)
    many = "1 candidate waits" if len(candidates) == 1 else f"{len(candidates)} candidates wait"
    return {
        "run": run.label,
        "candidates": candidates,
        "message": f"{run.label} is finished; {many} for a person.",
        "notes": list(proposed.notes),
        "removed_characters": removed_json(*texts),
    }


def _candidates(proposed: Proposed | None) -> list[str]:
    added = () if proposed is None else proposed.added
    return [kept.record.memory.id for kept in added if kept.record is not None]


def context_json(pack: Briefing, *, goal: str, path: str | None) -> Json:
    """Return the context pack of a goal."""
    return {"goal": goal, "text": pack.text, "memories": list(pack.memories), "path": path}


def journal_json(day: date, *, text: str, path: str | None) -> Json:
    """Return the journal of a day."""
    return {"day": day.isoformat(), "text": text, "path": path}


def hook_log_json(sessions: Iterable[ToolSession], trouble: Iterable[str]) -> Json:
    """Return the sessions of tools that called hooks, and the errors of hooks."""
    return {"sessions": [_tool_session_json(one) for one in sessions], "trouble": list(trouble)}


def _tool_session_json(session: ToolSession) -> Json:
    return {
        "session": session.session,
        "tool": session.tool,
        "folder": session.folder,
        "seen": time_text(datetime.fromtimestamp(session.seen, UTC)),
        "tokens": session.tokens_sent,
        "prompts": session.prompts,
        "news": session.news,
        "warnings": session.warnings,
        "stops": session.stops,
        "proposals": session.proposals,
        "told": list(session.told),
        "warned": list(session.warned),
    }


def proposed_from_session_json(tool: str, session: str, *, count: int) -> Json:
    """Return how many candidates came from a tool's session."""
    return {"tool": tool, "session": session, "proposed": count}


def kept_from_session_json(tool: str, session: str, *, count: int) -> Json:
    """Return how many turns of a tool's session were stored."""
    return {"tool": tool, "session": session, "kept": count}
