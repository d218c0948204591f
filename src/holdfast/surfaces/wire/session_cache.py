"""What sessions keep for the next one, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import choose
from holdfast.domain.errors import BadFieldError
from holdfast.domain.exchange.session_shapes import session_json
from holdfast.domain.fields import Fields, time_text
from holdfast.domain.sessions.cache import USUAL_TOKENS, NoteKind
from holdfast.domain.sessions.reconciling import ReconcileChoice
from holdfast.surfaces.wire.memory import removed_json
from holdfast.usecases.sessions.caching import KeepNote
from holdfast.usecases.sessions.hydrating import Hydrate

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from holdfast.domain.sessions.cache import CachedTurn, CacheNote
    from holdfast.domain.sessions.said import SaidTurn
    from holdfast.usecases.sessions.caching import KeepTurn
    from holdfast.usecases.sessions.hydrating import Hydrated
    from holdfast.usecases.sessions.rewinding import KeptSession, Reconciled

    Json = dict[str, object]


def read_hydrate(shape: object, *, noun: str) -> Hydrate:
    """Read a request for a preamble."""
    fields = Fields(shape, noun=noun)
    tokens = USUAL_TOKENS if fields.raw("budget") is None else fields.whole("budget")
    return Hydrate(tokens=tokens, branch=fields.maybe_text("branch"))


def told_turn(wish: KeepTurn) -> KeepTurn:
    """Return a turn that somebody tells, if it tells something; a hook may keep an empty one.

    Raises:
        BadFieldError: It is blank.
    """
    if not any((wish.summary.strip(), wish.asked.strip(), wish.commands, wish.paths)):
        raise BadFieldError(field="turn", problem="is blank; write what was asked or done.")
    return wish


def read_keep_note(shape: object, *, noun: str) -> KeepNote:
    """Read a request to keep a note."""
    fields = Fields(shape, noun=noun)
    return KeepNote(
        text=fields.maybe_text("text") or "",
        kind=choose(NoteKind, fields.maybe_text("kind") or "note", what="kind of note"),
        session=fields.maybe_text("session") or "",
        known=fields.maybe_text("id") or "",
        is_open=not fields.maybe_bool("done") and fields.maybe_text("state") != "done",
    )


def read_choice(word: str | None) -> ReconcileChoice | None:
    """Read what is to be done with the turns of a session."""
    return None if word is None else choose(ReconcileChoice, word, what="choice")


def session_note_json(note: CacheNote) -> Json:
    """Return a note."""
    return {
        "id": note.id,
        "kind": note.kind.value,
        "text": note.text,
        "at": time_text(note.at),
        "by": note.by,
        "origin": note.origin.value,
        "open": note.is_open,
        "proposed": note.is_proposed,
        "changes": note.changes or None,
        "closes": note.closes,
        "branch": note.branch,
    }


def one_note_json(note: CacheNote, *, text: str) -> Json:
    """Return a note that was kept, and the hidden characters that its text had."""
    return {"note": session_note_json(note), "removed_characters": removed_json(text)}


def kept_turn_json(turn: CachedTurn) -> Json:
    """Return a turn in short form."""
    return {
        "session": turn.session_id,
        "turn": turn.number,
        "at": time_text(turn.at),
        "tool": turn.tool,
        "by": turn.by,
        "origin": turn.origin.value,
        "asked": turn.asked,
        "summary": turn.summary,
        "commands": list(turn.commands),
        "paths": list(turn.paths),
        "branch": turn.branch,
        "from": turn.before,
        "commit": None if turn.point is None else turn.point.head,
    }


def one_kept_turn_json(turn: CachedTurn, *, texts: Sequence[str]) -> Json:
    """Return a turn that was kept, and the hidden characters that its texts had."""
    return {"turn": kept_turn_json(turn), "removed_characters": removed_json(*texts)}


def said_turn_json(turn: SaidTurn) -> Json:
    """Return what was said in a turn."""
    return {
        "session": turn.session_id,
        "turn": turn.number,
        "at": time_text(turn.at),
        "by": turn.by.value,
        "name": turn.name,
        "text": turn.text,
        "branch": turn.branch,
        "commit": turn.head,
    }


def shown_said_json(turn: SaidTurn) -> Json:
    """Return one turn as ``show`` does."""
    return {"type": "turn", "data": said_turn_json(turn)}


def said_turns_json(turns: Iterable[SaidTurn]) -> Json:
    """Return what was said in several turns."""
    return {"turns": [said_turn_json(turn) for turn in turns]}


def said_now_json(turns: Iterable[SaidTurn], *texts: str) -> Json:
    """Return what was kept just now, and the hidden characters that its texts had."""
    return {**said_turns_json(turns), "removed_characters": removed_json(*texts)}


def kept_session_json(kept: KeptSession) -> Json:
    """Return a session with what it keeps."""
    forked = kept.cache.forked_from
    return {
        "session": session_json(kept.session),
        "turns": [kept_turn_json(turn) for turn in kept.turns],
        "hidden": kept.hidden,
        "notes": [session_note_json(note) for note in kept.cache.notes],
        "forked_from": None if forked is None else {"session": forked[0], "turn": forked[1]},
    }


def hydrated_json(found: Hydrated) -> Json:
    """Return the preamble, and what it was made from."""
    state = found.standing
    happened = None if state.found is None else state.found.happened.value
    return {
        "text": found.text,
        "tokens": found.tokens,
        "left_out": found.left_out,
        "note": found.note,
        "branch": state.branch,
        "head": state.head,
        "happened": happened,
        "turns": [kept_turn_json(turn) for turn in state.turns],
        "notes": [session_note_json(note) for note in state.notes],
        "proposed": [session_note_json(note) for note in state.proposed],
        "milestones": [
            {
                "id": task.id,
                "title": task.title,
                "author": task.author,
                "waits_for": task.waits,
            }
            for task in state.milestones
        ],
    }


def reconciled_json(done: Reconciled) -> Json:
    """Return what happened to a session's branch, and what was done."""
    return {
        "happened": done.found.happened.value,
        "words": done.found.words,
        "stale": done.found.is_stale,
        "choices": [one.value for one in done.found.choices],
        "choice": done.choice.value,
        "session": done.session,
        "turns": done.turns,
        "lost": done.found.lost,
        "commit": done.found.commit,
    }
