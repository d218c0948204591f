"""Take in the session of another person that a repository shares as a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Origin
from holdfast.domain.sessions.cache import (
    LONGEST_COMMAND,
    MOST_COMMANDS,
    MOST_PATHS,
    CachedTurn,
    CacheNote,
    SessionCache,
)
from holdfast.domain.sessions.noting import with_notes
from holdfast.domain.sessions.shared_session import SharedTurn, read_shared_session
from holdfast.domain.values import replace
from holdfast.usecases.naming import is_known
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.sessions.caching import clean

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.domain.sessions.session import Session
    from holdfast.domain.sessions.session_file import FileNote
    from holdfast.usecases.pages.session_texts import FilePorts


@repeatable
def take_foreign(text: str, *, ports: FilePorts) -> bool:
    """Keep the session of a file that a person accepted; return whether it can be kept.

    Its file stays as it is, and its turns count as recorded by somebody else. A session of this
    store, or of another repository, is never replaced.

    Raises:
        BadSessionFileError: A value of the file is not as it must be.
    """
    shared = read_shared_session(text)
    now, repo = ports.clock.now(), ports.surroundings.place().repo
    session = replace(
        shared.session,
        repo=repo,
        tool=clean(shared.session.tool, "tool", LONGEST_COMMAND),
        user=clean(shared.session.user, "name", LONGEST_COMMAND),
    )
    with ports.store.writing(now) as tx:
        cache = tx.sessions.caches.get(session.id)
        if cache is None and is_known(tx, session.id, "i_"):
            return False
        if cache is not None and not (cache.is_foreign and cache.repo == repo):
            return False
        tx.sessions.put(session)
        for turn in shared.turns:
            tx.sessions.caches.put_turn(_turn(turn, session))
        kept = cache or SessionCache(
            session_id=session.id, at=now, repo=repo, branch=session.branch, is_foreign=True
        )
        # A trust that was taken back hid the turns by a rewind.
        kept = replace(kept, rewinds=())
        last = max((turn.number for turn in shared.turns), default=kept.last)
        notes = tuple(_note(one, session, now) for one in shared.notes)
        tx.sessions.caches.put(replace(with_notes(kept, notes, at=now), last=last))
    return True


def _turn(turn: SharedTurn, session: Session) -> CachedTurn:
    return CachedTurn(
        session_id=session.id,
        number=turn.number,
        at=turn.at,
        asked=clean(turn.asked, "question"),
        summary=clean(turn.summary, "summary"),
        commands=tuple(clean(one, "command", LONGEST_COMMAND) for one in turn.commands)[
            -MOST_COMMANDS:
        ],
        paths=tuple(clean(one, "path", LONGEST_COMMAND) for one in turn.paths)[-MOST_PATHS:],
        tool=session.tool,
        by=session.user,
        origin=Origin.REPO,
        repo=session.repo,
        branch=turn.branch,
        before=turn.before,
        point=turn.point,
        key=f"{session.id} {turn.number}",
    )


def _note(note: FileNote, session: Session, at: datetime) -> CacheNote:
    return CacheNote(
        id=note.id,
        kind=note.kind,
        text=clean(note.text, "note"),
        at=at,
        by=session.user,
        origin=Origin.REPO,
        is_open=note.is_open,
        branch=session.branch,
        point=None,
    )
