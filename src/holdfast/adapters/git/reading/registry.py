"""The registry of known repositories: what identifies each, and which folders hold it.

It is stored beside the memory store and written atomically. If it is lost or invalid, it is started
anew: a repository's id comes from its first commit, so most ids stay the same.
"""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from holdfast.adapters.disk.atomic_files import make_own_folder, write_whole
from holdfast.adapters.disk.json_files import read_json
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

BOOK_FILE = "repositories.json"
_VERSION = 2
_WITHOUT_CHECKSUM = 1
_PATIENCE_SECONDS = 2.0
_MOST_FOLDERS = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownRepository:
    """The facts about one repository: its first commits, their marks, and its origins.

    ``cuts`` are the commits at which a shallow clone ends, until a first commit is seen.
    """

    roots: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    moments: tuple[str, ...] = ()
    remotes: tuple[str, ...] = ()
    cuts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Folder:
    """A folder on disk: its repository, its path, and its state when git was last asked.

    Without a recorded state, git is asked every time.
    """

    repository: str
    place: str
    look: str


class RepositoryRegistry:
    """Every repository by its id, in the order first seen, and every folder by its identity."""

    def __init__(
        self, repositories: dict[str, KnownRepository], folders: dict[str, Folder]
    ) -> None:
        self.repositories = repositories
        self.folders = folders

    def places(self, repository: str) -> set[str]:
        """Return the origins and the paths of a repository."""
        lies = {one.place for one in self.folders.values() if one.repository == repository}
        return lies.union(self.repositories[repository].remotes)

    def put(self, identity: str, folder: Folder) -> None:
        """Add a folder; an earlier folder at the same path is removed."""
        gone = [name for name, one in self.folders.items() if one.place == folder.place]
        for name in [identity, *gone]:
            self.folders.pop(name, None)
        self.folders[identity] = folder
        for name in list(self.folders)[:-_MOST_FOLDERS]:
            del self.folders[name]


def read_registry(path: Path) -> RepositoryRegistry:
    """Return the registry, or its backup if the checksum shows damage."""
    found = _whole(path)
    if found is None and os.path.lexists(path):
        found = _whole(_copy_of(path))
    if found is None:
        return RepositoryRegistry({}, {})
    repositories = {name: _known(shape) for name, shape in _pairs(found.get("repositories"))}
    folders = {name: _folder(shape) for name, shape in _pairs(found.get("folders"))}
    kept = {name: one for name, one in folders.items() if one.repository in repositories}
    return RepositoryRegistry(repositories, kept)


def _whole(path: Path) -> dict[str, object] | None:
    """Return the content of a file if its checksum matches; the first version had none."""
    try:
        found = read_json(path)
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(found, dict):
        return None
    checksum = found.pop("checksum", None)
    is_sound = found.get("version") == _WITHOUT_CHECKSUM or checksum == _checksum(found)
    return found if is_sound else None


def is_damaged(path: Path) -> bool:
    """Return whether the registry file exists but cannot be used."""
    return os.path.lexists(path) and _whole(path) is None


def _copy_of(path: Path) -> Path:
    return path.with_name(f"{path.name}.copy")


def _checksum(shape: dict[str, object]) -> str:
    return hashlib.sha256(json.dumps(shape, sort_keys=True).encode()).hexdigest()


@contextmanager
def changing_registry(path: Path) -> Generator[RepositoryRegistry, None, None]:
    """Lock the registry for the block, and save the changes.

    If it cannot be written, it is used but not saved: its content can be found out again.
    """
    with _alone(path) as is_alone:
        registry = read_registry(path)
        before = None if is_damaged(path) else _text(registry)
        yield registry
        after = _text(registry)
        if is_alone and after != before:
            with suppress(OSError):
                for copy in (path, _copy_of(path)):
                    write_whole(copy, after.encode())


@contextmanager
def _alone(path: Path) -> Generator[bool, None, None]:
    """Yield whether the lock is held; the function waits only briefly for another process."""
    from holdfast.adapters.disk.file_locks import lock_within, open_lock

    lock, is_alone = -1, False
    with suppress(OSError):
        make_own_folder(path.parent)
        lock = open_lock(path.with_name(f"{path.name}.lock"))
        lock_within(lock, _PATIENCE_SECONDS)
        is_alone = True
    try:
        yield is_alone
    finally:
        if lock >= 0:
            os.close(lock)


def _text(registry: RepositoryRegistry) -> str:
    shape: dict[str, object] = {
        "version": _VERSION,
        "repositories": {
            name: {
                "roots": one.roots,
                "marks": one.marks,
                "moments": one.moments,
                "remotes": one.remotes,
                "cuts": one.cuts,
            }
            for name, one in registry.repositories.items()
        },
        "folders": {
            name: {"repository": one.repository, "place": one.place, "look": one.look}
            for name, one in registry.folders.items()
        },
    }
    return json.dumps({**shape, "checksum": _checksum(shape)}, indent=1)


def _pairs(found: object) -> list[tuple[str, dict[str, object]]]:
    if not isinstance(found, dict):
        return []
    return [(name, shape) for name, shape in found.items() if isinstance(shape, dict)]


def _known(shape: dict[str, object]) -> KnownRepository:
    return KnownRepository(
        roots=_words(shape.get("roots")),
        marks=_words(shape.get("marks")),
        moments=_words(shape.get("moments")),
        remotes=_words(shape.get("remotes")),
        cuts=_words(shape.get("cuts")),
    )


def _folder(shape: dict[str, object]) -> Folder:
    repository, place, look = (shape.get(name) for name in ("repository", "place", "look"))
    return Folder(
        repository=str(repository),
        place=str(place),
        look=look if isinstance(look, str) else "",
    )


def _words(found: object) -> tuple[str, ...]:
    if not isinstance(found, list):
        return ()
    return tuple(word for word in found if isinstance(word, str))
