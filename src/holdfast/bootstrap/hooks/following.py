"""Watch the pages of a clone: poll every second, and sync after a change."""

from __future__ import annotations

import os
from contextlib import suppress
from time import sleep
from typing import TYPE_CHECKING

from holdfast.adapters.files.pages import MEMORY
from holdfast.adapters.git.reading.repository import find_repository
from holdfast.bootstrap.opening.wiring import CodeReading, open_holdfast, store_path
from holdfast.domain.errors import StaleError, UnavailableError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from holdfast.adapters.git.reading.repository import Repository
    from holdfast.domain.memory.callers import Principal
    from holdfast.domain.pages.syncing import Synced
    from holdfast.usecases.pages.sync import Sync


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
        now = _look(folder, home)
        if now == seen:
            continue
        with suppress(StaleError, UnavailableError):
            synced = _once(wish, principal, folder, home)
            seen = _look(folder, home)
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


def _look(folder: Path, home: Path | None) -> object:
    """Return a value that changes whenever a page, the branch, its tip or the store changes."""
    repository = find_repository(folder)
    if repository is None:
        return None
    store = store_path(home)
    files = [store, store.with_name(f"{store.name}-wal"), *_git_files(repository)]
    pages = []
    for place, _, names in os.walk(repository.root / MEMORY):
        pages += [os.path.join(place, name) for name in sorted(names)]  # noqa: PTH118 - many files
    return [repository.branch, *(_stamp(str(path)) for path in (*files, *pages))]


def _git_files(repository: Repository) -> list[Path]:
    tip = repository.common_dir / "refs" / "heads" / (repository.branch or "")
    return [repository.git_dir / "HEAD", repository.git_dir / "logs" / "HEAD", tip]


def _stamp(path: str) -> tuple[str, int, int, int] | str:
    try:
        found = os.lstat(path)
    except (OSError, ValueError):
        return path
    return (path, found.st_mtime_ns, found.st_size, found.st_ino)
