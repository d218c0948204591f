"""Lists the objects that git keeps: loose, in packs, and in repositories that lend theirs."""

from __future__ import annotations

import os
import re
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.adapters.disk.atomic_files import read_plain
from holdfast.adapters.git.reading.refs import moves_of_heads
from holdfast.domain.errors import OutsideUnavailableError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.adapters.git.reading.repository import Repository

_HEXADECIMAL = frozenset("0123456789abcdef")
_FANOUT = 2
_LATELY = 30 * 24 * 3_600
"""Garbage collection deletes unreferenced objects by default only after two weeks."""
_MOST_LOOSE = 20_000
_MOST_PACKED = 500_000
"""A pack of so many objects takes half a second of CPU; with a larger one, all edits wait.

It is left out if a clone or a garbage collection made it: it has no commit that is looked for.
"""
_MOST_PACKS = 50
_MOST_STORES, _DEEPEST = 100, 5
"""How many other repositories may lend objects; git follows them as deep as this."""
_PACK = "pack-"
_LISTED = re.compile(rf"P ({_PACK}[0-9a-f]+)\.pack")
"""A pack in the list that garbage collection writes; a fetch does not change that list."""
_CLONED = "clone: from "
_NAME = re.compile(rf"{_PACK}([0-9a-f]{{40}}|[0-9a-f]{{64}})\.idx")
_INDEX_HEAD = b"\xfftOc\x00\x00\x00\x02"
_FANOUT_BYTES = 4 * 256


def recent_objects(repository: Repository) -> tuple[dict[str, float], set[str]]:
    """Return the recent loose objects and when they were written, and all others that may be lost.

    Raises:
        OutsideUnavailableError: There are too many.
    """
    objects = repository.common_dir / "objects"
    found = set(_packed(repository, objects))
    for store in _lending(objects):
        found |= _all_of(store)
    return dict(_loose(objects)), found


def _loose(objects: Path, *, since: float | None = None) -> list[tuple[str, float]]:
    """Return the newest loose objects, by default the recent ones, and when they were written."""
    found = []
    for folder in (one for one in _entries(objects) if len(one.name) == _FANOUT):
        for file in _entries(folder) if _HEXADECIMAL.issuperset(folder.name) else ():
            with suppress(OSError):
                found.append((f"{folder.name}{file.name}", file.stat().st_mtime))
    earliest = time.time() - _LATELY if since is None else since
    newest = sorted(found, key=lambda one: -one[1])
    return [
        (name, at)
        for name, at in newest[: _MOST_LOOSE if since is None else None]
        if at >= earliest and _HEXADECIMAL.issuperset(name)
    ]


def _entries(folder: Path | os.DirEntry[str]) -> list[os.DirEntry[str]]:
    with suppress(OSError), os.scandir(folder) as found:
        return list(found)
    return []


def _packs(objects: Path, *, since: float = 0) -> list[tuple[float, Path]]:
    """Return the indexes of the packs, newest first, and when they were written."""
    files = []
    for file in _entries(objects / "pack"):
        with suppress(OSError):
            if _NAME.fullmatch(file.name) and (at := file.stat().st_mtime) >= since:
                files.append((at, Path(file.path)))
    return sorted(files, reverse=True)


def _packed(repository: Repository, objects: Path) -> Iterator[str]:
    """Return the objects of the newest packs, without the large ones of a clone or a collection.

    Raises:
        OutsideUnavailableError: Something else brought a large pack.
    """
    collected = set(_LISTED.findall(_text(objects / "info" / "packs")))
    noted = moves_of_heads(repository)[:1]
    cloned_at = next((one.at or 0 for one in noted if one.why.startswith(_CLONED)), 0)
    for at, path in _packs(objects, since=time.time() - _LATELY)[:_MOST_PACKS]:
        names = _names_in(path)
        if names is not None:
            yield from names
        elif path.stem not in collected and at > cloned_at + 1:
            words = f"a pack has more than {_MOST_PACKED:,} objects. Run git gc."
            raise OutsideUnavailableError(who="git", words=words)


def _names_in(index: Path) -> list[str] | None:
    """Return the names of the objects in a pack; None if there are too many.

    The name of a pack is a hash of the kind that names objects, so its length is theirs.
    """
    with suppress(OSError), index.open("rb") as file:
        head = file.read(len(_INDEX_HEAD) + _FANOUT_BYTES)
        count = int.from_bytes(head[-4:], "big")
        if head.startswith(_INDEX_HEAD):
            if count > _MOST_PACKED:
                return None
            letters = len(index.stem.removeprefix(_PACK))
            names = file.read(count * letters // 2).hex()
            return [names[at : at + letters] for at in range(0, len(names), letters)]
    return []


def _lending(objects: Path) -> list[Path]:
    """Return the folders of other repositories whose objects git reads as those of this one.

    Raises:
        OutsideUnavailableError: There are too many.
    """
    found, left = dict[Path, None](), [objects]
    for _ in range(_DEEPEST):
        named = [path for one in left for path in _lenders(one)]
        left = [one for one in dict.fromkeys(named) if one not in found]
        found |= dict.fromkeys(left)
    if len(found) > _MOST_STORES:
        raise OutsideUnavailableError(who="git", words="too many repositories lend it objects.")
    return list(found)


def _lenders(objects: Path) -> list[Path]:
    lines = _text(objects / "info" / "alternates").split("\n")
    paths = [line.strip('"') for line in lines if line and not line.startswith("#")]
    return [Path(os.path.realpath(objects / one)) for one in paths]


def _all_of(objects: Path) -> set[str]:
    """Return all objects of a repository that lends them, however old they are.

    Raises:
        OutsideUnavailableError: There are too many.
    """
    parts = [[name for name, _ in _loose(objects, since=0)]]
    for _, path in _packs(objects):
        names = _names_in(path)
        if names is None or sum(map(len, parts)) + len(names) > _MOST_PACKED:
            words = f"{objects} lends it more than {_MOST_PACKED:,} objects."
            raise OutsideUnavailableError(who="git", words=words)
        parts.append(names)
    return {name for part in parts for name in part}


def _text(file: Path) -> str:
    with suppress(OSError, ValueError):
        return read_plain(file).decode("utf-8", "surrogateescape")
    return ""
