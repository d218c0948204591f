"""Finds commits of others that git still has, although nothing refers to them any more.

A pull request that is fetched by its ref is known by FETCH_HEAD alone, and the next fetch replaces
that. Its commits stay until garbage collection: loose, or in the pack that the fetch made.
"""

from __future__ import annotations

import os
import re
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from holdfast.adapters.git.reading.objects import git_answer
from holdfast.adapters.git.reading.repository import ask_git
from holdfast.domain.errors import OutsideUnavailableError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from holdfast.adapters.git.reading.repository import Repository

_HEXADECIMAL = frozenset("0123456789abcdef")
_FANOUT = 2
_LATELY = 30 * 24 * 3_600
"""Garbage collection deletes unreferenced objects by default only after two weeks."""
_MOST_LOOSE = 20_000
_MOST_PACKED = 200_000
"""A pack of so many objects takes a quarter of a second of CPU; larger ones are left out.

Most of these come from a clone or a garbage collection, and have no commit that is looked for.
"""
_MOST_PACKS = 50
_MOST_COMMITS = 50_000
"""With more, all edits wait; no limit by date is used, because authors choose the dates."""
_AT_ONCE = 5
"""The file of a stash entry is as old as its commit date, in seconds; a fetched one is newer."""
_PACK = "pack-"
_NAME = re.compile(rf"{_PACK}([0-9a-f]{{40}}|[0-9a-f]{{64}})\.idx")
_INDEX_HEAD = b"\xfftOc\x00\x00\x00\x02"
_FANOUT_BYTES = 4 * 256
# With --buffer git writes full blocks instead of one line at a time.
_KINDS = ("cat-file", "--buffer", "--batch-check=%(objectname) %(objecttype)")
_UNREFERENCED = (
    *("log", f"--max-count={_MOST_COMMITS + 1}", "--format=%H%x00%ct%x00%P"),
    "--no-show-signature",
    *("--stdin", "--not", "--all"),
)


class _Lost(NamedTuple):
    """A commit that nothing refers to: when it was made, and its parents."""

    made: int
    parents: tuple[str, ...]


def lost_commits(repository: Repository) -> list[str]:
    """Return the commits that came from elsewhere and that no ref has any more.

    Commits with a descendant among them are left out. So are dropped entries of the stash, which
    have texts of a person, and no reflog.

    Raises:
        OutsideUnavailableError: Git is not installed, or refuses to read the repository; or there
            are too many of them.
    """
    objects = repository.common_dir / "objects"
    loose = dict(_loose(objects))
    names = sorted({*loose, *_packed(objects)})
    said = git_answer(repository, *_KINDS, given=names).decode(errors="replace")
    commits = [line.split()[0] for line in said.splitlines() if line.endswith(" commit")]
    lost = _unreferenced(repository, commits) if commits else {}
    fresh = {name for name, one in lost.items() if abs(loose.get(name, 0) - one.made) <= _AT_ONCE}
    continued = {name for one in lost.values() for name in one.parents}
    return [
        name
        for name in lost
        if name not in continued and not (name in fresh and _is_stash(name, lost))
    ]


def _is_stash(name: str, lost: Mapping[str, _Lost]) -> bool:
    """Return whether a commit has the form of an entry of the stash: a base and its index."""
    base, index, *_ = (*lost[name].parents, "", "")
    return index in lost and lost[index].parents == (base,)


def _unreferenced(repository: Repository, commits: Collection[str]) -> Mapping[str, _Lost]:
    """Return the commits that no ref has, newest first; all if git lacks some of their parents."""
    given = "".join(f"{name}\n" for name in commits).encode()
    status, answer, _ = ask_git(repository, *_UNREFERENCED, given=given)
    if status != 0:
        return dict.fromkeys(commits, _Lost(0, ()))
    rows = [line.split("\0") for line in answer.split("\n") if line]
    if len(rows) > _MOST_COMMITS:
        words = f"more than {_MOST_COMMITS:,} commits have no ref. Run git gc --prune=now."
        raise OutsideUnavailableError(who="git", words=words)
    # A commit can be written without a date.
    return {name: _Lost(int(made or 0), tuple(rest.split())) for name, made, rest in rows}


def _loose(objects: Path) -> list[tuple[str, float]]:
    """Return the newest loose objects, and when they were written."""
    found = []
    for folder in (one for one in _entries(objects) if len(one.name) == _FANOUT):
        for file in _entries(folder) if _HEXADECIMAL.issuperset(folder.name) else ():
            with suppress(OSError):
                found.append((f"{folder.name}{file.name}", file.stat().st_mtime))
    since = time.time() - _LATELY
    newest = sorted(found, key=lambda one: -one[1])[:_MOST_LOOSE]
    return [(name, at) for name, at in newest if at >= since and _HEXADECIMAL.issuperset(name)]


def _entries(folder: Path | os.DirEntry[str]) -> list[os.DirEntry[str]]:
    with suppress(OSError), os.scandir(folder) as found:
        return list(found)
    return []


def _packed(objects: Path) -> Iterator[str]:
    """Return the objects of the newest packs that are small.

    The name of a pack is a hash of the kind that names objects, so its length is theirs.
    """
    since = time.time() - _LATELY
    files = []
    for file in _entries(objects / "pack"):
        with suppress(OSError):
            if _NAME.fullmatch(file.name) and file.stat().st_mtime >= since:
                files.append((file.stat().st_mtime, file.path))
    for _, path in sorted(files, reverse=True)[:_MOST_PACKS]:
        with suppress(OSError), Path(path).open("rb") as index:
            head = index.read(len(_INDEX_HEAD) + _FANOUT_BYTES)
            count = int.from_bytes(head[-4:], "big")
            if head.startswith(_INDEX_HEAD) and count <= _MOST_PACKED:
                letters = len(Path(path).stem.removeprefix(_PACK))
                names = index.read(count * letters // 2).hex()
                yield from (names[at : at + letters] for at in range(0, len(names), letters))
