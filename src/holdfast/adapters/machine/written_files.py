"""Records the paths of files that a person had Holdfast write, such as exports and digests.

Finds Holdfast's files beside the store that may hold the text of a forgotten memory.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.adapters.disk.atomic_files import read_plain
from holdfast.adapters.disk.file_locks import changing
from holdfast.adapters.disk.json_files import is_lost, read_kept, write_kept
from holdfast.adapters.machine.folders import SERVERS, SPACES
from holdfast.domain.errors import StoreBusyError
from holdfast.domain.gates.secrets import find_secrets
from holdfast.domain.review.traces import Reach, Trace

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from holdfast.domain.review.traces import GoneText


LARGEST = 64 << 20
_STORE = "holdfast.db"
_STORE_FILES = (_STORE, f"{_STORE}-wal")
_DAMAGED = f"{_STORE}.damaged-"
_CACHE = "cache"
_REMOTES, _ANSWERS = "remotes", "answers"
_WORKSPACES = "workspaces"
# Models hold no memories; the folders of other spaces and servers are theirs alone.
_NOT_OURS = frozenset({"models", SERVERS, SPACES})
_LEFTOVER_ADVICE = "This file is not part of the store. Delete it, or take the text out of it."


_SNAPSHOTS_ADVICE = (
    "It holds the content of workspace snapshots, so do not delete it. Delete the snapshots with"
    " the text, and collect garbage after that."
)
_WRITE_ADVICE = "It is a write that a server has not taken. Send it, or drop it."
_DAMAGED_ADVICE = "A repair kept this damaged store. Delete it when you no longer need it."
_UNSEARCHED_ADVICE = (
    "A repair kept this damaged store, and it is too large to be searched. Delete it when you no"
    " longer need it."
)


class HomeTraces:
    """The folder of the store, without the store itself, which is scrubbed separately.

    A copy that a repair kept is searched: it may be the last one of other memories, so it stays.
    """

    def __init__(self, home: Path) -> None:
        self._home = home

    def remove(self, gone: Sequence[GoneText]) -> Sequence[Trace]:
        """Remove cached files that hold one of the texts; return every file that held one."""
        found: list[Trace] = []
        for path in self._files():
            with suppress(OSError):
                found += self._taken_out(path, gone)
        return found

    def _taken_out(self, path: Path, gone: Sequence[GoneText]) -> Iterator[Trace]:
        parts = path.relative_to(self._home).parts
        first = parts[0]
        # remotes/NAME/answers: what a server answered; another answer takes its place.
        is_cached = first == _CACHE or (first == _REMOTES and _ANSWERS in parts[2:3])
        if path.stat().st_size > LARGEST:
            if first.startswith(_DAMAGED):
                yield Trace(place=str(path), reach=Reach.LEFT, advice=_UNSEARCHED_ADVICE)
            return
        if not holds(read_plain(path), gone):
            return
        if is_cached and _is_removed(path):
            yield Trace(place=str(path), reach=Reach.REMOVED)
        else:
            yield Trace(place=str(path), reach=Reach.LEFT, advice=_advice_for(parts))

    def _files(self) -> Iterator[Path]:
        for path in sorted(self._home.rglob("*")):
            first = path.relative_to(self._home).parts[0]
            is_plain = path.is_file() and not path.is_symlink()
            is_store = first.startswith(_STORE) and not first.startswith(_DAMAGED)
            if is_plain and first not in _NOT_OURS and not is_store:
                yield path


def _advice_for(parts: Sequence[str]) -> str:
    """Return what to do with a file that stays, by its path in the folder of the store."""
    if parts[0].startswith(_DAMAGED):
        return _DAMAGED_ADVICE
    if parts[0] == _WORKSPACES:
        return _SNAPSHOTS_ADVICE
    is_write = parts[0] == _REMOTES and _ANSWERS not in parts[2:3]
    return _WRITE_ADVICE if is_write else _LEFTOVER_ADVICE


def _is_removed(path: Path) -> bool:
    """Remove a file, for a database also SQLite's side files; tell whether it is gone."""
    whole = path.name.removesuffix("-wal").removesuffix("-shm")
    try:
        for name in {path.name, whole, f"{whole}-wal", f"{whole}-shm"}:
            path.with_name(name).unlink(missing_ok=True)
    except OSError:
        return False
    return True


def holds(content: bytes, gone: Sequence[GoneText]) -> bool:
    """Return whether a file holds one of the texts, plain or escaped as JSON."""
    text = content.decode("utf-8", "replace")
    return any(one.is_in(text) or any(form in text for form in _escaped(one)) for one in gone)


def _escaped(gone: GoneText) -> tuple[str, str]:
    return json.dumps(gone.claim)[1:-1], json.dumps(gone.claim, ensure_ascii=False)[1:-1]


WRITTEN_FILE = "written.json"
_MOST_FILES = 256
_ADVICE = "You had Holdfast write this file. Delete it, or write it again."
_COPY_ADVICE = "It is a copy of the store. Forget the memory there too, or delete the copy."
_UNSEARCHED_COPY_ADVICE = (
    "It is a copy of the store, and it is too large to be searched. Forget the memory there too, or"
    " delete the copy."
)


class WrittenFiles:
    """The paths of such files; an unwritable list counts as empty, and a damaged one is told."""

    def __init__(self, home: Path) -> None:
        self._path = home / WRITTEN_FILE

    def __str__(self) -> str:
        return str(self._path)

    def note(self, path: Path) -> None:
        """Record that a file was written."""
        name = os.path.realpath(path)
        if find_secrets(name):
            return
        with suppress(OSError, StoreBusyError), changing(self._path):
            known = [one for one in self._read() if one != name]
            write_kept(self._path, json.dumps([*known, name][-_MOST_FILES:]).encode())

    def remove(self, gone: Sequence[GoneText]) -> Sequence[Trace]:
        """Return the files that hold one of the texts; they are the person's, so they stay."""
        found = []
        for path in self._files():
            is_copy = path.name.startswith(_STORE)
            with suppress(OSError):
                if not path.is_file():
                    continue
                if path.stat().st_size > LARGEST:
                    found += [_left(path, _UNSEARCHED_COPY_ADVICE)] if is_copy else []
                elif holds(read_plain(path, follows_link=True), gone):
                    found.append(_left(path, _COPY_ADVICE if is_copy else _ADVICE))
        return found

    def _files(self) -> Iterator[Path]:
        """Yield the files; for a folder, the notes in it, or the files of a copied store.

        The store of this folder is open here, and closing its file would drop SQLite's locks.
        """
        here = os.path.realpath(self._path.parent)
        for path in map(Path, self._read()):
            if not path.is_dir():
                yield path
            elif str(path) != here:
                with suppress(OSError):
                    yield from sorted(path.glob("*.md"))
                    for folder in (path, *sorted(path.glob(f"{SPACES}/*"))):
                        yield from (folder / name for name in _STORE_FILES)

    def _read(self) -> list[str]:
        try:
            kept = read_kept(self._path)
        except (OSError, ValueError):
            return []
        return [one for one in kept if isinstance(one, str)] if isinstance(kept, list) else []


def _left(path: Path, advice: str) -> Trace:
    return Trace(place=str(path), reach=Reach.LEFT, advice=advice)


class LostLists:
    """Tells that a list of places is damaged, so that not every place could be searched."""

    def __init__(self, lists: Mapping[Path, str]) -> None:
        self._lists = lists

    def __str__(self) -> str:
        return ", ".join(map(str, self._lists))

    def remove(self, gone: Sequence[GoneText]) -> Sequence[Trace]:
        """Return the damaged lists; the texts may be in places that they named."""
        del gone
        return [
            Trace(place=str(path), reach=Reach.LEFT, advice=advice)
            for path, advice in self._lists.items()
            if is_lost(path)
        ]
