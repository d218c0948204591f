"""Watch the pages of a clone: poll every second, and sync after a change."""

from __future__ import annotations

import os
from contextlib import suppress
from time import sleep
from typing import TYPE_CHECKING

from holdfast.adapters.files.pages import MEMORY
from holdfast.adapters.git.reading.repository import find_repository
from holdfast.bootstrap.opening.wiring import CodeReading, open_holdfast, store_path
from holdfast.bootstrap.plugs.addresses import server_address
from holdfast.bootstrap.plugs.server import server_watch
from holdfast.domain.errors import StaleError, UnavailableError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from holdfast.adapters.git.reading.repository import Repository
    from holdfast.domain.memory.callers import Principal
    from holdfast.domain.memory.place import SpaceId
    from holdfast.domain.pages.syncing import Synced
    from holdfast.usecases.pages.sync import Sync

_WAIT_SECONDS = 2.0


def syncs(
    wish: Sync,
    *,
    principal: Principal,
    folder: Path,
    home: Path | None,
    every: float,
    pause: Callable[[float], None] = sleep,
) -> Iterator[Synced]:
    """Sync after every change of pages, branch or store; yield each result, without end.

    Each round opens the memory again, because another branch may be checked out. A temporary
    failure is retried in the next round.
    """
    seen: object = None
    while True:
        pause(every)
        now = _look(folder, home, principal.space)
        if now == seen:
            continue
        with suppress(StaleError, UnavailableError):
            synced = _once(wish, principal, folder, home)
            seen = _look(folder, home, principal.space)
            if synced.told or synced.flaws:
                yield synced


def _once(wish: Sync, principal: Principal, folder: Path, home: Path | None) -> Synced:
    memory = open_holdfast(
        principal=principal, home=home, folder=folder, reading=CodeReading(is_program=True)
    )
    try:
        return memory.pages.sync(wish)
    finally:
        memory.close()


def _look(folder: Path, home: Path | None, space: SpaceId) -> object:
    """Return a value that changes whenever a page, the branch, its tip or the store changes."""
    repository = find_repository(folder)
    if repository is None:
        return None
    store = store_path(home)
    files = [store, store.with_name(f"{store.name}-wal"), *_git_files(repository)]
    newest = _newest_on_server(space)
    pages = []
    for place, _, names in os.walk(repository.root / MEMORY):
        pages += [os.path.join(place, name) for name in sorted(names)]  # noqa: PTH118 - many files
    return [newest, repository.branch, *(_stamp(str(path)) for path in (*files, *pages))]


def _newest_on_server(space: SpaceId) -> int | None:
    """Return the number of the newest event of a store on a server; other stores are files."""
    address = server_address()
    if not address:
        return None
    pulse = server_watch(address, space, wait_seconds=_WAIT_SECONDS).pulse(0)
    return None if pulse is None else pulse.newest


def _git_files(repository: Repository) -> list[Path]:
    tip = repository.common_dir / "refs" / "heads" / (repository.branch or "")
    return [repository.git_dir / "HEAD", repository.git_dir / "logs" / "HEAD", tip]


def _stamp(path: str) -> tuple[str, int, int, int] | str:
    try:
        found = os.lstat(path)
    except (OSError, ValueError):
        return path
    return (path, found.st_mtime_ns, found.st_size, found.st_ino)
