"""Sessions with a tool, and the turns in them.

Read on: the new turns in a tool's transcripts since the last reading.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import SessionEndedError
from holdfast.domain.ids import SessionId, sortable
from holdfast.domain.memory.entry import Flaw
from holdfast.domain.memory.selection import Cursor, Slice
from holdfast.domain.refusals import BadCursorError, UnreadableSourceError
from holdfast.domain.sessions.session import Interaction, Session
from holdfast.domain.sessions.transcript import Bookmark, ended_before, is_of, new_part
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.anchors.branch_names import with_names_now
from holdfast.usecases.naming import bundle_id, check_limit, session_id
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.screening import SecretPolicy, screened
from holdfast.usecases.sessions.caching import KeepTurn, put_turn_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from holdfast.domain.sessions.transcript import Transcript
    from holdfast.ports.anchors.surroundings import Surroundings
    from holdfast.ports.clock import Clock
    from holdfast.ports.sessions.transcripts import Bookmarks, TranscriptReader
    from holdfast.ports.store.store import Store
    from holdfast.usecases.sessions.session_ports import SessionPorts

_PAGE = 200
"""The sessions that are read at once where those of other repositories are passed over."""


@repeatable
def start_session(
    *, tool: str, user: str, store: Store, clock: Clock, surroundings: Surroundings
) -> Session:
    """Start a session of a tool, here."""
    now, place = clock.now(), surroundings.place()
    session = Session(
        id=SessionId(sortable("i", at=now, entropy=clock.entropy())),
        tool=screened(tool, what="tool"),
        user=screened(user, what="user"),
        repo=place.repo,
        branch=place.branch,
        started_at=now,
        branch_point=surroundings.branch_point(),
    )
    with store.writing(now) as tx:
        tx.sessions.put(session)
    return session


@repeatable
def add_turn(reference: str, turn: Interaction, *, ports: SessionPorts) -> Interaction:
    """Record a question of a session, the bundle that answered it, and whether it helped.

    The next session is told of it, so it is kept in short form too.

    Raises:
        SessionEndedError: The session is over.
    """
    clean = replace(
        turn,
        query=screened(turn.query, what="query", secrets=SecretPolicy.REDACT),
        notes=screened(turn.notes, what="notes", secrets=SecretPolicy.REDACT),
        at=ports.clock.now(),
    )
    with ports.store.writing(clean.at) as tx:
        session = tx.sessions.get(session_id(tx, reference))
        if session.finished_at is not None:
            raise SessionEndedError(session.id)
        bundle = None if clean.bundle_id is None else bundle_id(tx, clean.bundle_id)
        wish = KeepTurn(asked=clean.query, summary=clean.notes)
        number = put_turn_in(session, wish, tx=tx, ports=ports, at=clean.at).number
        named = replace(clean, id=0, session_id=session.id, bundle_id=bundle)
        return replace(tx.sessions.add_turn(named), number=number)


@repeatable
def end_session(
    reference: str, *, store: Store, clock: Clock, is_over: Callable[[], bool] | None = None
) -> Session:
    """End a session; a second call changes nothing.

    ``is_over`` is asked while nobody else writes; if it says no, the session goes on.
    """
    now = clock.now()
    with store.writing(now) as tx:
        session = tx.sessions.get(session_id(tx, reference))
        if session.finished_at is None and (is_over is None or is_over()):
            session = replace(session, finished_at=now)
            tx.sessions.put(session)
        return session


def session_named(reference: str, *, store: Store) -> Session:
    """Return the session with that id."""
    with store.reading() as tx:
        return tx.sessions.get(session_id(tx, reference))


def sessions(
    *,
    limit: int,
    everywhere: bool,
    store: Store,
    surroundings: Surroundings,
    beyond: str | None = None,
) -> Slice[Session]:
    """Return the latest sessions of this repository, or of all, newest first.

    Raises:
        BadCursorError: ``beyond`` is not where an earlier part of the list ended.
    """
    check_limit(limit)
    if beyond is not None and not beyond.startswith("i_"):
        raise BadCursorError
    repo = None if everywhere else surroundings.place().repo
    found: list[Session] = []
    # One more than asked for tells whether something follows.
    at_once = limit + 1 if everywhere else max(limit + 1, _PAGE)
    with store.reading() as tx:
        while page := tx.sessions.page(beyond=beyond, limit=at_once):
            found += [one for one in page if everywhere or one.repo == repo]
            if len(found) > limit:
                break
            beyond = page[-1].id
    shown = with_names_now(found[:limit], surroundings=surroundings)
    following = Cursor(shown[-1].id) if len(found) > limit else None
    return Slice(shown, beyond=following)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadTranscripts:
    """A request for new turns.

    ``folder`` selects sessions in that folder or below it; ``since`` selects those that continued
    after that moment. ``again`` ignores the bookmarks.
    """

    files: tuple[str, ...]
    folder: str = ""
    since: datetime | None = None
    again: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptPart:
    """One file: the new part of each session in it, unreadable parts, and the new bookmark.

    ``passed`` counts the sessions that are known, too old or of another project. ``differing``
    counts the turns that were read before and have another text now. ``is_empty`` says that no
    conversation of the tool is in the file.
    """

    path: str
    new: tuple[Transcript, ...] = ()
    flaws: tuple[Flaw, ...] = ()
    bookmark: Bookmark | None = None
    passed: int = 0
    differing: int = 0
    is_empty: bool = False


def read_on(
    wish: ReadTranscripts, *, reader: TranscriptReader, bookmarks: Bookmarks
) -> Iterator[TranscriptPart]:
    """Yield what is new in each file, one file at a time.

    Bookmarks are not stored here: the caller stores one after it has processed the file.
    """
    for path in wish.files:
        known = None if wish.again else bookmarks.of(path)
        if known is not None and bookmarks.is_unchanged(path):
            yield TranscriptPart(path=path, passed=1)
        else:
            yield _heard(path, known, wish, reader=reader)


def _heard(
    path: str, known: Bookmark | None, wish: ReadTranscripts, *, reader: TranscriptReader
) -> TranscriptPart:
    flaws: list[Flaw] = []
    new: list[Transcript] = []
    bookmark, passed, differing = known or Bookmark(), 0, 0
    is_empty = True
    try:
        for transcript in reader.conversations(path, tell=flaws.append):
            is_empty = is_empty and not transcript.turns
            part = new_part(transcript, known)
            if known is not None and _is_meant(transcript, wish):
                differing += known.differing(transcript)
            if not part.turns or not _is_meant(transcript, wish):
                passed += 1
                continue
            new.append(part)
            bookmark = bookmark.moved(transcript)
    except UnreadableSourceError as error:
        flaws.append(Flaw(path=path, line=0, problem=str(error)))
        return TranscriptPart(path=path, flaws=tuple(flaws))
    return TranscriptPart(
        path=path,
        new=tuple(new),
        flaws=tuple(flaws),
        bookmark=bookmark,
        passed=passed,
        differing=differing,
        is_empty=is_empty,
    )


def _is_meant(transcript: Transcript, wish: ReadTranscripts) -> bool:
    # Tools that do not record a folder are only asked for files of this place.
    is_here = not wish.folder or not transcript.folder or is_of(transcript, wish.folder)
    return is_here and (wish.since is None or not ended_before(transcript, wish.since))
