"""Tells whether a commit that replaced another still makes the change of that other commit.

Two commits with one patch-id may differ in white space, or change another one of two equal places.
A commit may have been amended to another change, and a squash need not contain what a later commit
took back. So the changed lines themselves are compared, and the places where they are.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from holdfast.adapters.git.lineage.patches import PATCH, CommitStep, asked, given
from holdfast.adapters.git.reading.objects import read_blobs

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from holdfast.adapters.git.reading.repository import Repository

MOST_READ = 500
"""The most commits whose lines are compared; beyond it, the patch-ids decide alone."""
_COMMIT = re.compile(rb"^([0-9a-f]{40,64})\n", re.MULTILINE)
_FILE = re.compile(rb"^diff --git ", re.MULTILINE)
_HUNK = re.compile(rb"^@@ -(\d+)\S* \S+ @@(.*)\n", re.MULTILINE)
_BLOBS = re.compile(rb"^index ([0-9a-f]+)\.\.([0-9a-f]+)", re.MULTILINE)
_MODE = re.compile(rb"^(?:old|new|deleted).* mode .*$", re.MULTILINE)
_ADDED, _REMOVED = b"+", b"-"


class _Hunk(NamedTuple):
    """One hunk of a diff: its first line in the old file, its heading, and its lines."""

    first: int
    heading: bytes
    lines: tuple[bytes, ...]

    def changed(self) -> tuple[bytes, ...]:
        return tuple(line for line in self.lines if line.startswith((_ADDED, _REMOVED)))

    def before(self) -> tuple[bytes, ...]:
        """Return the lines of the old file."""
        return tuple(line[1:] for line in self.lines if line.startswith((b" ", _REMOVED)))


class _FileChange(NamedTuple):
    """What a commit changes in one file: the blobs, the modes, and the hunks."""

    old: str
    new: str
    modes: tuple[bytes, ...]
    hunks: tuple[_Hunk, ...]

    def lines(self, sign: bytes) -> Iterator[bytes]:
        return (line[1:] for hunk in self.hunks for line in hunk.lines if line.startswith(sign))


_Change = dict[bytes, _FileChange]


class Replacement(NamedTuple):
    """A commit, the one that replaced it, and the commits before it that were replaced too."""

    old: str
    new: str
    earlier: tuple[str, ...] = ()


def altered(repository: Repository, pairs: Collection[Replacement]) -> frozenset[Replacement]:
    """Return the replacements that do not make the whole change of the commit they replaced.

    A merge or an empty commit has no change to compare, so it is never altered.

    Raises:
        OutsideUnavailableError: Git is not installed, or cannot read an object.
    """
    names = sorted({name for pair in pairs for name in (pair.old, pair.new, *pair.earlier)})
    if not names or len(names) > MOST_READ:
        return frozenset()
    changes = _read(repository, names)
    known = [pair for pair in pairs if pair.old in changes and pair.new in changes]
    unlike = [pair for pair in known if not _has_equal_lines(changes[pair.old], changes[pair.new])]
    alike = [pair for pair in known if pair not in unlike]
    blobs = read_blobs(repository, _blobs(changes, alike))
    return frozenset(
        [
            *(pair for pair in unlike if not _contains(changes, pair)),
            *(pair for pair in alike if not _same_places(changes, pair, blobs)),
        ]
    )


def _read(repository: Repository, commits: Sequence[str]) -> Mapping[str, _Change]:
    """Return what each commit changes; a merge and an empty commit have no entry."""
    words = asked(
        repository,
        *(*PATCH, "--unified=3", "--stdin"),
        given=given([CommitStep(None, commit) for commit in commits]),
    )
    _, *parts = _COMMIT.split(words)
    return {
        name.decode("ascii"): dict(map(_file_change, _FILE.split(text)[1:]))
        for name, text in zip(parts[::2], parts[1::2], strict=True)
        if _FILE.search(text)
    }


def _file_change(text: bytes) -> tuple[bytes, _FileChange]:
    head, *parts = _HUNK.split(text)
    name, _, rest = head.partition(b"\n")
    blobs = _BLOBS.search(rest)
    hunks = tuple(
        _Hunk(int(first), heading.strip(), tuple(body.split(b"\n")))
        for first, heading, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True)
    )
    old, new = ("", "") if blobs is None else (one.decode("ascii") for one in blobs.groups())
    return name, _FileChange(old, new, tuple(_MODE.findall(rest)), hunks)


def _has_equal_lines(one: _Change, other: _Change) -> bool:
    """Tell whether two commits change the same lines of the same files, wherever these are."""
    return one.keys() == other.keys() and all(
        there.modes == other[name].modes
        and [hunk.changed() for hunk in there.hunks]
        == [hunk.changed() for hunk in other[name].hunks]
        and (bool(there.hunks) or there.new == other[name].new)
        for name, there in one.items()
    )


def _contains(changes: Mapping[str, _Change], pair: Replacement) -> bool:
    """Tell whether a commit adds every line that another adds, and none that it removes.

    If the other only removes lines, the commit must remove them, unless they were added earlier.
    A file that the commit does not change may have been renamed: then any file may have its lines.
    """
    old, new = changes[pair.old], changes[pair.new]
    earlier = [changes[name] for name in pair.earlier if name in changes]
    for name, file in old.items():
        there = [new[name]] if name in new else list(new.values())
        if not file.hunks and all(file.new != one.new for one in there):
            return False
        added = Counter(file.lines(_ADDED))
        removed = Counter(file.lines(_REMOVED)) - added
        now_added = Counter(chain.from_iterable(one.lines(_ADDED) for one in there))
        now_removed = Counter(chain.from_iterable(one.lines(_REMOVED) for one in there))
        if any(line.strip() and now_added[line] < many for line, many in added.items()):
            return False
        if any(line.strip() and now_added[line] > added[line] for line in removed):
            return False
        own = {line for one in earlier if name in one for line in one[name].lines(_ADDED)}
        if not added and any(not now_removed[line] and line not in own for line in removed):
            return False
    return True


def _blobs(changes: Mapping[str, _Change], pairs: Collection[Replacement]) -> Iterator[str]:
    """Return the old versions of files that two commits do not have in common."""
    for pair in pairs:
        for name, file in changes[pair.old].items():
            if file.old != (other := changes[pair.new][name]).old:
                yield from (one for one in (file.old, other.old) if one.strip("0"))


def _same_places(
    changes: Mapping[str, _Change], pair: Replacement, blobs: Mapping[str, bytes]
) -> bool:
    old, new = changes[pair.old], changes[pair.new]
    return all(
        hunk.first == other.first
        if file.old == new[name].old
        else _is_same_place(hunk, other, (blobs.get(file.old, b""), blobs.get(new[name].old, b"")))
        for name, file in old.items()
        for hunk, other in zip(file.hunks, new[name].hunks, strict=True)
    )


def _is_same_place(hunk: _Hunk, other: _Hunk, texts: tuple[bytes, bytes]) -> bool:
    """Tell whether two equal hunks change the same one of the places that they fit."""
    if hunk.before() != other.before():
        return True  # The lines around it changed, so the hunk fits no twin of the old place.
    one, two = (_places(text, own) for text, own in zip(texts, (hunk, other), strict=True))
    if len(one) == len(two):
        return one.index(hunk.first) == two.index(other.first)
    return bool(hunk.heading) and hunk.heading == other.heading


def _places(text: bytes, hunk: _Hunk) -> list[int]:
    """Return the lines at which the old lines of a hunk fit, with the hunk's own line."""
    wanted = list(hunk.before())
    lines = text.split(b"\n")
    found = {
        place + 1
        for place in range(len(lines) - len(wanted) + 1)
        if wanted and lines[place] == wanted[0] and lines[place : place + len(wanted)] == wanted
    }
    return sorted(found | {hunk.first})
