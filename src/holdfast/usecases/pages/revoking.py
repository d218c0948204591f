"""Take back what came by trust into sessions and the state of a repository.

The words of sessions of others are removed from the store, and so are notes that came with git.
Their files wait again until a person trusts them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Origin
from holdfast.domain.sessions.cache import rewound
from holdfast.domain.sessions.noting import notes_digest
from holdfast.domain.sessions.session_file import (
    PROJECT_FILE,
    SESSIONS_FOLDER,
    BadSessionFileError,
    read_session_file,
    session_file_name,
)
from holdfast.domain.values import replace
from holdfast.ports.pages.session_files import FileBase
from holdfast.usecases.repeating import repeatable

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from holdfast.domain.sessions.cache import CacheNote, SessionCache
    from holdfast.ports.pages.session_files import SessionFiles
    from holdfast.ports.store.store import Transaction
    from holdfast.usecases.pages.sync import SyncPorts

_PAGE = 200


def revoke_sessions(*, ports: SyncPorts) -> tuple[str, ...]:
    """Remove what sessions and the state have from git; return the files that it came with."""
    files, repo = ports.session_files, ports.surroundings.place().repo
    if files is None or repo is None:
        return ()
    paths = _revoked(repo, files, ports=ports)
    for path in paths:
        files.set_base(path, FileBase(text=""))
    return paths


@repeatable
def _revoked(repo: str, files: SessionFiles, *, ports: SyncPorts) -> tuple[str, ...]:
    now, found = ports.clock.now(), list[str]()
    with ports.store.writing(now) as tx:
        for cache in _caches(repo, tx=tx):
            name = session_file_name(tx.sessions.get(cache.session_id))
            path = files.path(f"{SESSIONS_FOLDER}/{name}")
            has_turns = _clear_turns(cache, tx=tx)
            kept = () if cache.is_foreign else _own(cache.notes)
            if not has_turns and kept == cache.notes:
                continue
            hidden = rewound(cache, to=0, at=now)[0] if cache.is_foreign else cache
            versions = _unknown(cache.versions, cache.notes, path, files)
            tx.sessions.caches.put(replace(hidden, notes=kept, versions=versions, at=now))
            found.append(path)
        path = files.path(PROJECT_FILE)
        if _revoke_state(repo, path, files, tx=tx, at=now):
            found.append(path)
    return tuple(found)


def _caches(repo: str, *, tx: Transaction) -> Iterable[SessionCache]:
    beyond: str | None = None
    while page := tx.sessions.page(beyond=beyond, limit=_PAGE):
        for session in page:
            cache = tx.sessions.caches.get(session.id) if session.repo == repo else None
            if cache is not None and cache.repo == repo:
                yield cache
        beyond = page[-1].id


def _clear_turns(cache: SessionCache, *, tx: Transaction) -> bool:
    """Remove the words that came with git; return whether there were any.

    A turn of another store is hidden by a rewind, and the next trust writes it again.
    """
    number = 1 + max((one.number for one in cache.rewinds), default=0)
    found = False
    for turn in tx.sessions.caches.turns(cache.session_id):
        if turn.origin is not Origin.REPO or turn.hidden or not (turn.asked or turn.summary):
            continue
        bare = replace(turn, asked="", summary="")
        if cache.is_foreign:
            bare = replace(bare, commands=(), paths=(), hidden=number)
        tx.sessions.caches.put_turn(bare)
        found = True
    return found


def _revoke_state(
    repo: str, path: str, files: SessionFiles, *, tx: Transaction, at: datetime
) -> bool:
    state = tx.sessions.caches.projects.get(repo)
    if state is None or _own(state.notes) == state.notes:
        return False
    versions = _unknown(state.versions, state.notes, path, files)
    fresh = replace(state, notes=_own(state.notes), versions=versions, at=at)
    tx.sessions.caches.projects.put(fresh)
    return True


def _own(notes: tuple[CacheNote, ...]) -> tuple[CacheNote, ...]:
    return tuple(one for one in notes if one.origin is not Origin.REPO)


def _unknown(
    versions: tuple[str, ...], notes: tuple[CacheNote, ...], path: str, files: SessionFiles
) -> tuple[str, ...]:
    """Return the known versions without those that the file has now, so that it waits again."""
    gone = {notes_digest(notes)}
    for text in (files.text(path), files.committed().get(path)):
        try:
            gone.add(notes_digest(read_session_file(text or "{}").notes))
        except BadSessionFileError:
            continue
    return tuple(one for one in versions if one not in gone)
