"""Git's hooks of a repository: install, remove, status, and the work they trigger."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from holdfast.adapters.git.hooks.hooks import EVENTS, Hook, Hooks, check_hooks_folder, hooks_folder
from holdfast.adapters.git.lineage.reported import confirmed_rewrites
from holdfast.adapters.git.reading.light import BOOK_FILE
from holdfast.adapters.git.reading.recognition import note_rewritten
from holdfast.adapters.git.reading.repository import find_repository
from holdfast.bootstrap.opening.wiring import store_path
from holdfast.bootstrap.plugs.addresses import remote_address, server_address
from holdfast.bootstrap.plugs.own_program import OWN_PROGRAM
from holdfast.bootstrap.plugs.spaces import options_for, refuse_password, server_options
from holdfast.domain.lookup_errors import NoHistoryError
from holdfast.domain.memory.place import DEFAULT_SPACE

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence
    from pathlib import Path

    from holdfast.adapters.git.reading.repository import Repository
    from holdfast.domain.memory.place import SpaceId

__all__ = [
    "EVENTS",
    "Hook",
    "hooks_status",
    "install_hooks",
    "note_first_commits",
    "remove_hooks",
    "turn_to_note",
]

_LOCK = "hooks.lock"
_NO_HOOKS = "there is no place for git's hooks"
_PATIENCE_SECONDS = 30.0


def hooks_status(
    folder: Path, home: Path | None = None, *, space: SpaceId = DEFAULT_SPACE
) -> tuple[Hook, ...]:
    """Return the hooks of the repository around a folder."""
    return _hooks(_repository(folder), home, space).status()


def install_hooks(
    folder: Path,
    home: Path | None = None,
    *,
    space: SpaceId = DEFAULT_SPACE,
    is_dry: bool = False,
    is_forced: bool = False,
) -> tuple[Hook, ...]:
    """Install Holdfast's hooks beside existing ones; return those that change."""
    refuse_password()
    repository = _repository(folder)
    if not is_forced:
        check_hooks_folder(repository, hooks_folder(repository))
    return _hooks(repository, home, space).install(is_dry=is_dry, is_forced=is_forced)


def remove_hooks(
    folder: Path,
    home: Path | None = None,
    *,
    space: SpaceId = DEFAULT_SPACE,
    is_dry: bool = False,
    is_forced: bool = False,
) -> tuple[Hook, ...]:
    """Remove Holdfast's hooks and restore the earlier ones; return those that change."""
    return _hooks(_repository(folder), home, space).remove(is_dry=is_dry, is_forced=is_forced)


@contextmanager
def turn_to_note(
    folder: Path, home: Path | None = None, *, may_wait: bool
) -> Generator[bool, None, None]:
    """Yield whether there is something to record and this process holds the lock for it.

    Without a repository or a store there is nothing to record. Many quick commits do not queue up:
    a process that finds the lock taken gives up, unless ``may_wait`` is set.
    """
    # A server notes nothing about a checkout: each client finds rewritten commits by itself.
    has_store = not remote_address() and (server_address() or store_path(home).exists())
    if find_repository(folder) is None or not has_store:
        yield False
        return
    from holdfast.adapters.disk.atomic_files import make_own_folder
    from holdfast.adapters.disk.file_locks import lock_within, open_lock

    make_own_folder(store_path(home).parent)
    lock = open_lock(store_path(home).with_name(_LOCK))
    try:
        has_turn = False
        with suppress(BlockingIOError):
            lock_within(lock, _PATIENCE_SECONDS if may_wait else 0.0)
            has_turn = True
        yield has_turn
    finally:
        os.close(lock)


def note_first_commits(
    pairs: Sequence[tuple[str, str]], folder: Path, home: Path | None = None
) -> None:
    """Record the new hash of a rewritten first commit, which identifies the repository."""
    book = store_path(home).with_name(BOOK_FILE)
    note_rewritten(_repository(folder), pairs, cache=book)


def confirmed(pairs: Sequence[tuple[str, str]], folder: Path) -> list[tuple[str, str]]:
    """Return the reported rewrites that the commits themselves confirm."""
    return confirmed_rewrites(_repository(folder), pairs)


def _repository(folder: Path) -> Repository:
    repository = find_repository(folder)
    if repository is None:
        raise NoHistoryError(_NO_HOOKS)
    return repository


def _hooks(repository: Repository, home: Path | None, space: SpaceId) -> Hooks:
    folder = "" if home is None else str(home)
    options = (*options_for(space, folder), *server_options())
    return Hooks(hooks_folder(repository), [*OWN_PROGRAM, *options])
