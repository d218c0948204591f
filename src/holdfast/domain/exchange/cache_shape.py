"""The JSON of sessions' caches and repositories' states, as stored and exported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Origin, choose
from holdfast.domain.errors import BadFieldError
from holdfast.domain.exchange.anchor_shape import branch_point_from_json, branch_point_json
from holdfast.domain.fields import Fields, time_text
from holdfast.domain.ids import SessionId
from holdfast.domain.sessions.cache import (
    CachedTurn,
    CacheNote,
    NoteKind,
    ProjectState,
    Rewind,
    SessionCache,
    UnsaidTurn,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    Json = dict[str, object]

_TWO = 2


def note_json(note: CacheNote) -> Json:
    """Return the JSON of a note."""
    return {
        "id": note.id,
        "kind": note.kind.value,
        "text": note.text,
        "at": time_text(note.at),
        "by": note.by,
        "origin": note.origin.value,
        "open": note.is_open,
        "proposed": note.is_proposed,
        "changes": note.changes,
        "closes": note.closes,
        "branch": note.branch,
        "point": branch_point_json(note.point),
        "left": note.is_left,
    }


def note_from_json(shape: object) -> CacheNote:
    """Read a note."""
    fields = Fields(shape, noun="note")
    return CacheNote(
        id=fields.text("id"),
        kind=choose(NoteKind, fields.text("kind"), what="kind of note"),
        text=fields.text("text"),
        at=fields.moment("at"),
        by=fields.text("by"),
        origin=choose(Origin, fields.text("origin"), what="origin"),
        is_open=fields.maybe_bool("open") is not False,
        is_proposed=bool(fields.maybe_bool("proposed")),
        changes=fields.maybe_text("changes") or "",
        closes=bool(fields.maybe_bool("closes")),
        branch=fields.maybe_text("branch"),
        point=branch_point_from_json(fields.raw("point")),
        is_left=bool(fields.maybe_bool("left")),
    )


def session_turn_json(turn: CachedTurn) -> Json:
    """Return the JSON of a turn in short form."""
    return {
        "session_id": turn.session_id,
        "number": turn.number,
        "at": time_text(turn.at),
        "asked": turn.asked,
        "summary": turn.summary,
        "commands": list(turn.commands),
        "paths": list(turn.paths),
        "tool": turn.tool,
        "by": turn.by,
        "origin": turn.origin.value,
        "repo": turn.repo,
        "branch": turn.branch,
        "before": turn.before,
        "point": branch_point_json(turn.point),
        "key": turn.key,
        "hidden": turn.hidden,
        "was": list(turn.was),
        "left": turn.is_left,
    }


def session_turn_from_json(shape: object) -> CachedTurn:
    """Read a turn in short form."""
    fields = Fields(shape, noun="turn")
    return CachedTurn(
        session_id=SessionId(fields.text("session_id")),
        number=fields.whole("number"),
        at=fields.moment("at"),
        asked=fields.text("asked"),
        summary=fields.text("summary"),
        commands=fields.words("commands"),
        paths=fields.words("paths"),
        tool=fields.text("tool"),
        by=fields.maybe_text("by") or "",
        origin=choose(Origin, fields.text("origin"), what="origin"),
        repo=fields.maybe_text("repo"),
        branch=fields.maybe_text("branch"),
        before=fields.maybe_text("before"),
        point=branch_point_from_json(fields.raw("point")),
        key=fields.text("key"),
        hidden=fields.whole("hidden"),
        was=fields.words("was"),
        is_left=bool(fields.maybe_bool("left")),
    )


def cache_json(cache: SessionCache) -> Json:
    """Return the JSON of what a session keeps beside its turns."""
    return {
        "session_id": cache.session_id,
        "at": time_text(cache.at),
        "repo": cache.repo,
        "branch": cache.branch,
        "last": cache.last,
        "notes": [note_json(note) for note in cache.notes],
        "rewinds": [
            {"number": one.number, "to": one.to, "until": one.until, "at": time_text(one.at)}
            for one in cache.rewinds
        ],
        "forked_from": None if cache.forked_from is None else list(cache.forked_from),
        "versions": list(cache.versions),
        "foreign": cache.is_foreign,
        "unsaid": [
            {"number": one.number, "key": one.key, "mark": one.mark} for one in cache.unsaid
        ],
        "said_last": cache.said_last,
    }


def cache_from_json(shape: object) -> SessionCache:
    """Read what a session keeps beside its turns."""
    fields = Fields(shape, noun="session")
    return SessionCache(
        session_id=SessionId(fields.text("session_id")),
        at=fields.moment("at"),
        repo=fields.maybe_text("repo"),
        branch=fields.maybe_text("branch"),
        last=fields.whole("last"),
        notes=tuple(note_from_json(one) for one in fields.items("notes")),
        rewinds=tuple(_rewind(one) for one in fields.items("rewinds")),
        forked_from=_forked(fields),
        versions=_versions(fields),
        is_foreign=bool(fields.maybe_bool("foreign")),
        unsaid=_unsaid(fields),
        said_last=0 if fields.raw("said_last") is None else fields.whole("said_last"),
    )


def _unsaid(fields: Fields) -> tuple[UnsaidTurn, ...]:
    """Read the tombstones of what was said; earlier releases stored none."""
    if fields.raw("unsaid") is None:
        return ()
    shapes = [Fields(one, noun="turn") for one in fields.items("unsaid")]
    return tuple(
        UnsaidTurn(number=one.whole("number"), key=one.text("key"), mark=one.text("mark"))
        for one in shapes
    )


def project_json(state: ProjectState) -> Json:
    """Return the JSON of what a repository keeps."""
    notes = [note_json(note) for note in state.notes]
    return {
        "repo": state.repo,
        "at": time_text(state.at),
        "notes": notes,
        "versions": list(state.versions),
    }


def project_from_json(shape: object) -> ProjectState:
    """Read what a repository keeps."""
    fields = Fields(shape, noun="project")
    return ProjectState(
        repo=fields.text("repo"),
        at=fields.moment("at"),
        notes=tuple(note_from_json(one) for one in fields.items("notes")),
        versions=_versions(fields),
    )


def _versions(fields: Fields) -> tuple[str, ...]:
    """Read the digests of earlier notes; earlier releases stored none."""
    return () if fields.raw("versions") is None else fields.words("versions")


def _rewind(shape: object) -> Rewind:
    fields = Fields(shape, noun="rewind")
    return Rewind(
        number=fields.whole("number"),
        to=fields.whole("to"),
        until=fields.whole("until"),
        at=fields.moment("at"),
    )


def _forked(fields: Fields) -> tuple[str, int] | None:
    if fields.raw("forked_from") is None:
        return None
    parts: Sequence[object] = fields.items("forked_from")
    if len(parts) == _TWO and isinstance(parts[0], str) and isinstance(parts[1], int):
        return parts[0], parts[1]
    raise BadFieldError(field="session's forked_from", problem="must be a session and a turn.")
