"""Keep the turns of a session in short form, and the notes of sessions and repositories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Origin
from holdfast.domain.errors import BadFieldError, NoSuchError, SessionEndedError
from holdfast.domain.ids import SessionId, sortable
from holdfast.domain.memory.callers import SHELL, plain_tool
from holdfast.domain.sessions.cache import (
    LONGEST_COMMAND,
    MOST_COMMANDS,
    MOST_PATHS,
    CachedTurn,
    CacheNote,
    NoteKind,
    ProjectState,
    SessionCache,
    completed,
    short,
    with_note,
)
from holdfast.domain.sessions.noting import NoteChange, with_change, with_notes
from holdfast.domain.sessions.session import Session
from holdfast.domain.text.fencing import without_injected
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.naming import is_known, session_id
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.screening import SecretPolicy, screened
from holdfast.usecases.sessions.approvals import Approvals, close_what_was_done, with_approvals

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from holdfast.domain.memory.anchor import BranchPoint
    from holdfast.ports.store.store import Transaction
    from holdfast.usecases.sessions.saying import SayTurn
    from holdfast.usecases.sessions.session_ports import SessionPorts

_NAME_LETTERS = 8
_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_LARGEST = 256 * 1024
_LOOKED_AT = 20
_SEARCHED = 200
_HOOK_PATIENCE = 0.5
"""Seconds that a hook waits for other writers; after that the turn stays among the pending ones."""
"""The sessions in which a note is looked up by its id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepTurn:
    """A turn to keep: what was asked, what was done, and with which commands and files.

    ``before`` is the commit that was checked out when it began. A turn with a known ``key`` is
    kept once, however often it is handed in.
    """

    asked: str = ""
    summary: str = ""
    commands: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    before: str | None = None
    key: str = ""
    where: tuple[str | None, BranchPoint | None] | None = None
    """The branch and the branch point of the turn, if it is not the checkout."""
    said: tuple[SayTurn, ...] = ()
    """What was said in the turn, in whole; it is kept beside the short form."""
    approvals: Approvals | None = None
    """What the tool asked a person to allow, if its hooks saw that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepNote:
    """A note to keep: a new one, or another state of a known one.

    ``session`` is the session that it belongs to; empty for one of the repository.
    """

    text: str = ""
    kind: NoteKind = NoteKind.NOTE
    session: str = ""
    known: str = ""
    is_open: bool = True


def clean(text: str, what: str, most: int | None = None) -> str:
    """Return a text as it may be stored: in one line, without secrets and injected text."""
    plain = screened(
        without_injected(text)[:_LARGEST], what=what, secrets=SecretPolicy.REDACT, cap=2 * _LARGEST
    )
    return short(plain) if most is None else short(plain, most)


def cache_of(session: Session, *, tx: Transaction, at: datetime) -> SessionCache:
    """Return what a session keeps; of one that kept nothing yet, an empty cache."""
    found = tx.sessions.caches.get(session.id)
    return found or SessionCache(
        session_id=session.id, at=at, repo=session.repo, branch=session.branch
    )


def put_turn_in(
    session: Session, wish: KeepTurn, *, tx: Transaction, ports: SessionPorts, at: datetime
) -> CachedTurn:
    """Keep a turn in a unit of work that has begun."""
    cache = cache_of(session, tx=tx, at=at)
    place = ports.surroundings.place()
    branch, point = wish.where or (place.branch, ports.surroundings.branch_point())
    earlier = tx.sessions.caches.turns(session.id) if wish.key else ()
    known = next((one for one in earlier if one.key == wish.key), None)
    number = cache.last + 1 if known is None else known.number
    turn = CachedTurn(
        session_id=session.id,
        number=number,
        at=at if known is None else known.at,
        asked=clean(wish.asked, "question"),
        summary=clean(wish.summary, "summary"),
        commands=_listed(wish.commands, "command", LONGEST_COMMAND, MOST_COMMANDS),
        paths=_listed(wish.paths, "path", LONGEST_COMMAND, MOST_PATHS),
        tool=plain_tool(session.tool),
        by=clean(ports.by, "name", LONGEST_COMMAND),
        origin=ports.origin,
        repo=place.repo,
        branch=branch,
        before=wish.before,
        point=point,
        key=wish.key or f"{session.id} {number}",
    )
    if known is not None:
        turn = completed(known, turn, is_later=wish.where is None)
    notes = _notes(cache, wish, turn, ports=ports)
    if turn != known:
        tx.sessions.caches.put_turn(turn)
    if turn != known or notes != cache.notes:
        last = max(cache.last, number)
        moved = replace(cache, last=last, at=at, branch=branch)
        tx.sessions.caches.put(moved if notes == cache.notes else with_notes(moved, notes, at=at))
    if wish.approvals is not None:
        close_what_was_done(turn.commands, repo=turn.repo, but=session.id, tx=tx, at=at)
    if wish.said:
        from holdfast.usecases.sessions.saying import say_in

        say_in(session, wish.said, tx=tx, ports=ports, at=at, where=(branch, point))
    return turn


def _notes(
    cache: SessionCache, wish: KeepTurn, turn: CachedTurn, *, ports: SessionPorts
) -> tuple[CacheNote, ...]:
    """Return the notes of a session after a turn, with what its tool asked a person to allow."""
    if wish.approvals is None:
        return cache.notes

    def make(text: str) -> CacheNote:
        return CacheNote(
            id=note_name(ports.clock.entropy()),
            kind=NoteKind.APPROVAL,
            text=text,
            at=turn.at,
            by=turn.by,
            origin=Origin.TOOL,
            branch=turn.branch,
            point=turn.point,
        )

    seen = Approvals(
        asks=_listed(wish.approvals.asks, "note", LONGEST_COMMAND, MOST_COMMANDS),
        answered=_listed(wish.approvals.answered, "note", LONGEST_COMMAND, MOST_COMMANDS),
    )
    return with_approvals(cache.notes, seen, make=make)


def _listed(texts: Iterable[str], what: str, longest: int, most: int) -> tuple[str, ...]:
    kept = dict.fromkeys(clean(text, what, longest) for text in texts)
    return tuple(text for text in kept if text)[-most:]


@repeatable
def keep_turn(reference: str, wish: KeepTurn, *, ports: SessionPorts) -> CachedTurn:
    """Keep a turn of a session; one with a known key is not kept twice.

    Raises:
        SessionEndedError: The session is over.
    """
    now = ports.clock.now()
    with ports.store.writing(now) as tx:
        session = tx.sessions.get(session_id(tx, reference))
        if session.finished_at is not None:
            raise SessionEndedError(session.id)
        return put_turn_in(session, wish, tx=tx, ports=ports, at=now)


@repeatable
def keep_turn_of(name: SessionId, wish: KeepTurn, *, tool: str, ports: SessionPorts) -> CachedTurn:
    """Keep a turn of a session that may be new: the hooks of a tool name it themselves.

    A session that was ended goes on.
    """
    now, place = ports.clock.now(), ports.surroundings.place()
    with ports.store.writing(now, patience=_HOOK_PATIENCE) as tx:
        if is_known(tx, name, "i_"):
            session = tx.sessions.get(name)
            if session.finished_at is not None:
                session = replace(session, finished_at=None)
                tx.sessions.put(session)
        else:
            session = Session(
                id=name,
                tool=screened(tool, what="tool"),
                user=clean(ports.by, "name", LONGEST_COMMAND),
                repo=place.repo,
                branch=place.branch,
                started_at=now,
                branch_point=ports.surroundings.branch_point(),
            )
            tx.sessions.put(session)
        return put_turn_in(session, wish, tx=tx, ports=ports, at=now)


@repeatable
def keep_note(wish: KeepNote, *, ports: SessionPorts) -> CacheNote:
    """Keep a note of a session or of the repository, or close a known one.

    A goal, a question or an artefact that no person typed is proposed, until a person accepts it.
    What a person wrote, an agent only proposes to change or close.

    Raises:
        BadFieldError: The text is blank, or there is no repository to keep it.
        NoSuchError: No such session or note.
    """
    now, place = ports.clock.now(), ports.surroundings.place()
    text = clean(wish.text, "note")
    if not text and not wish.known:
        raise BadFieldError(field="note", problem="is blank; write what it says.")
    made = CacheNote(
        id=note_name(ports.clock.entropy()),
        kind=wish.kind,
        text=text,
        at=now,
        by=clean(ports.by, "name", LONGEST_COMMAND),
        origin=ports.origin,
        is_proposed=wish.kind.is_of_project and ports.origin is not Origin.HUMAN,
        branch=place.branch,
        point=ports.surroundings.branch_point(),
    )
    with ports.store.writing(now) as tx:
        if wish.session:
            session = tx.sessions.get(session_id(tx, wish.session))
            cache = cache_of(session, tx=tx, at=now)
            notes, note = _stated(made, wish, cache.notes)
            tx.sessions.caches.put(with_notes(cache, notes, at=now))
            return note
        state = project_of(place.repo, tx=tx, at=now)
        notes, note = _stated(made, wish, state.notes)
        tx.sessions.caches.projects.put(with_notes(state, notes, at=now))
        return note


def _stated(
    made: CacheNote, wish: KeepNote, notes: tuple[CacheNote, ...]
) -> tuple[tuple[CacheNote, ...], CacheNote]:
    """Return the notes with a new one, or with a known one in its new state, and that note."""
    if not wish.known:
        return with_note(notes, made), made
    known = next((one for one in notes if one.id == wish.known), None)
    if known is None:
        raise NoSuchError(noun="note", reference=wish.known[:80])
    text = made.text or known.text
    return with_change(notes, known, NoteChange(made=made, text=text, is_open=wish.is_open))


def project_of(repo: str | None, *, tx: Transaction, at: datetime) -> ProjectState:
    """Return what a repository keeps; of one that kept nothing yet, an empty state.

    Raises:
        BadFieldError: There is no repository.
    """
    if repo is None:
        raise BadFieldError(field="note", problem="needs a repository, and here is none.")
    return tx.sessions.caches.projects.get(repo) or ProjectState(repo=repo, at=at)


@repeatable
def meant_session(wish: KeepNote, *, ports: SessionPorts) -> KeepNote:
    """Return the request with the whole id of the session that it means.

    A known note belongs to the repository or to the session that has it. A new note of a session
    that names none belongs to the open session of this repository that was changed last; if there
    is none, one is started.

    Raises:
        NoSuchError: No such session or note.
    """
    now, place = ports.clock.now(), ports.surroundings.place()
    if wish.kind.is_of_project:
        return replace(wish, session="")
    with ports.store.reading() as tx:
        if wish.session:
            return replace(wish, session=session_id(tx, wish.session))
        if wish.known:
            return replace(wish, session=_holder(wish.known, place.repo or "", tx=tx))
        if opened := _open_here(place.repo, tx=tx):
            return replace(wish, session=opened)
    made = Session(
        id=SessionId(sortable("i", at=now, entropy=ports.clock.entropy())),
        tool=clean(ports.started_with(SHELL), "tool", LONGEST_COMMAND),
        user=clean(ports.by, "name", LONGEST_COMMAND),
        repo=place.repo,
        branch=place.branch,
        started_at=now,
        branch_point=ports.surroundings.branch_point(),
    )
    with ports.store.writing(now) as tx:
        tx.sessions.put(made)
    return replace(wish, session=made.id)


def _open_here(repo: str | None, *, tx: Transaction) -> SessionId | None:
    """Return the open session of a repository that was started or changed last."""
    times = {
        one.id: one.started_at
        for one in tx.sessions.page(beyond=None, limit=_SEARCHED)
        if one.repo == repo and one.finished_at is None
    }
    for cache in tx.sessions.caches.latest(repo or "", limit=_LOOKED_AT):
        if tx.sessions.get(cache.session_id).finished_at is None:
            times[cache.session_id] = cache.at
    return max(times, key=lambda name: times[name], default=None)


def _holder(name: str, repo: str, *, tx: Transaction) -> str:
    """Return the session that has a note; empty if the repository itself has it."""
    caches = tx.sessions.caches
    state = caches.projects.get(repo) if repo else None
    if state is not None and any(note.id == name for note in state.notes):
        return ""
    for cache in caches.latest(repo, limit=_SEARCHED):
        if any(note.id == name for note in cache.notes):
            return cache.session_id
    raise NoSuchError(noun="note", reference=name[:80])


def note_name(entropy: int) -> str:
    """Return the name of a note: ``n_`` and eight letters."""
    letters = (_ALPHABET[entropy >> 5 * place & 31] for place in range(_NAME_LETTERS))
    return f"n_{''.join(letters)}"
