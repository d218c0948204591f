"""Finds commits whose lines are still in a checkout, although the commits themselves are not.

Whoever takes a commit back with ``git reset --soft``, and commits its change together with another,
leaves no commit with the same change. The lines tell: all that the commit added are still there,
and none that it removed came back. A file that was renamed since is followed.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from holdfast.adapters.git.lineage.patches import CommitStep, asked, given, paired

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from holdfast.adapters.git.reading.repository import Repository

_MOST_COMMITS = 32
_MOST_FILES = 100
_NEWEST = ("rev-list", "--no-walk=sorted", "--stdin")
_TREES = ("diff-tree", "--root", "--always", "-r", "--stdin")
_FILES = ("--raw", "-z")
_LINES = ("-p", "-U0", "--no-ext-diff", "--no-textconv", "--no-color")
# Lines of files follow a sign, and git quotes names, so only git writes such a line.
_COMMIT = re.compile(rb"^([0-9a-f]{40,64})$", re.MULTILINE)
_HUNK = re.compile(rb"@@ -(\d+)(?:,\d+)? \+(\d+)")
_NO_FILE = b"000000"
"""The mode of a file that is not there."""


class _File(NamedTuple):
    """A file that a step changes: its names, modes and contents before and after it."""

    old: bytes
    new: bytes
    modes: tuple[bytes, bytes]
    blobs: tuple[bytes, bytes]

    @property
    def may_lack_lines(self) -> bool:
        """Whether its change may have no line: it is new, gone, or has the same content."""
        return _NO_FILE in self.modes or self.blobs[0] == self.blobs[1]


class _Change(NamedTuple):
    """What a step does to a file: numbers of lines before and after it, and the lines."""

    file: _File
    removed_at: set[int]
    added_at: set[int]
    removed: set[bytes]
    added: set[bytes]

    def is_kept_by(self, later: _Change) -> bool:
        """Say whether a later change leaves alone what this one added and removed."""
        return (
            self.added_at.isdisjoint(later.removed_at)
            and self.removed.isdisjoint(later.added)
            and self._has_its_mode_after(later)
        )

    def _has_its_mode_after(self, later: _Change) -> bool:
        """Say whether a file that was made is still there, and one with a new mode still has it."""
        before, after = self.file.modes
        now = later.file.modes[1]
        if after in {before, _NO_FILE}:
            return True
        return now != _NO_FILE if before == _NO_FILE else now == after


_Changes = dict[bytes, _Change]


def surviving(repository: Repository, commits: Collection[str], target: str) -> frozenset[str]:
    """Return the commits of which a target still has every line; of a merge, none is told.

    Only the newest 32 commits are looked at.

    Raises:
        OutsideUnavailableError: Git cannot read an object.
    """
    alone = [CommitStep(None, one) for one in _newest(repository, commits)]
    found = _changes(repository, alone, "--no-renames")
    own = {step.end: files for step, files in found.items() if 0 < len(files) <= _MOST_FILES}
    since = {one: CommitStep(one, target) for one in own}
    listed = _files(repository, list(since.values()), "-M")
    touched = {
        one: [file for file in listed[step] if file.old in own[one]]
        for one, step in since.items()
        if step in listed
    }
    paths = {name for files in touched.values() for file in files for name in (file.old, file.new)}
    later = _changes(repository, list(since.values()), "-M", paths=paths) if paths else {}
    return frozenset(
        one
        for one, files in touched.items()
        if own[one].keys().isdisjoint(_renamed_to(listed[since[one]]))
        and _are_kept(own[one], later.get(since[one], {}), files)
    )


def _newest(repository: Repository, commits: Collection[str]) -> Sequence[str]:
    """Return the newest commits, as many as are looked at."""
    if len(commits) <= _MOST_COMMITS:
        return sorted(commits)
    lines = "".join(f"{one}\n" for one in sorted(commits)).encode("ascii", "replace")
    return asked(repository, *_NEWEST, given=lines).decode("ascii").split()[:_MOST_COMMITS]


def _renamed_to(files: Iterable[_File]) -> frozenset[bytes]:
    """Return the new names of renamed files: at such a name, the lines of another file are."""
    return frozenset(file.new for file in files if file.new != file.old)


def _are_kept(own: _Changes, later: _Changes, files: Iterable[_File]) -> bool:
    """Say whether what a commit did to files is left alone; a file that is told otherwise is not.

    Among fewer files, git may take another one for the renamed one.
    """
    return all(
        (change := later.get(file.old)) is not None
        and change.file == file
        and own[file.old].is_kept_by(change)
        for file in files
    )


def _files(
    repository: Repository, steps: Sequence[CommitStep], *words: str, paths: Sequence[str] = ()
) -> Mapping[CommitStep, Sequence[_File]]:
    """Return the files that each step changes, in the order of their patches."""
    if not steps:
        return {}
    options = ("--literal-pathspecs", *_TREES, *_FILES, *words, "--", *paths)
    found: dict[str, list[list[_File]]] = defaultdict(list)
    files: list[_File] = []
    parts = iter(asked(repository, *options, given=given(steps)).split(b"\0"))
    for part in parts:
        if part.startswith(b":"):
            before, after, old_blob, new_blob, status = part[1:].split(b" ")
            old = next(parts)
            new = next(parts) if status.startswith(b"R") else old
            files.append(_File(old, new, (before, after), (old_blob, new_blob)))
        elif part:
            files = []
            found[part.decode("ascii", "replace")].append(files)
    return dict(paired(steps, found))


def _changes(
    repository: Repository, steps: Sequence[CommitStep], *words: str, paths: Iterable[bytes] = ()
) -> Mapping[CommitStep, _Changes]:
    """Return what each step does to the lines of its files; nothing if it is not all text."""
    if not steps:
        return {}
    named = sorted(path.decode("utf-8", "surrogateescape") for path in paths)
    files = _files(repository, steps, *words, paths=named)
    options = ("--literal-pathspecs", *_TREES, *_LINES, *words, "--", *named)
    _, *parts = _COMMIT.split(asked(repository, *options, given=given(steps)))
    found: dict[str, list[bytes]] = defaultdict(list)
    for commit, patch in zip(parts[::2], parts[1::2], strict=True):
        found[commit.decode("ascii")].append(patch)
    return {step: _read(patch, files.get(step, ())) for step, patch in paired(steps, found)}


def _read(patch: bytes, files: Sequence[_File]) -> _Changes:
    """Return the changes of a patch by the old names of its files; nothing if one is not text."""
    texts = re.split(rb"^diff --git ", patch, flags=re.MULTILINE)[1:]
    if len(texts) != len(files):
        # A file that became a link has two patches.
        return {}
    found: _Changes = {}
    for file, text in zip(files, texts, strict=True):
        head, *hunks = re.split(rb"^(?=@@ -)", text, flags=re.MULTILINE)
        if b"\nBinary files " in head or not (hunks or file.may_lack_lines):
            return {}
        found[file.old] = _file_change(file, hunks)
    return found


def _file_change(file: _File, hunks: Iterable[bytes]) -> _Change:
    change = _Change(file, set(), set(), set(), set())
    for hunk in hunks:
        first, *lines = hunk.split(b"\n")
        start = _HUNK.match(first)
        old, new = (int(start[1]), int(start[2])) if start else (0, 0)
        for line in lines:
            if line.startswith(b"-"):
                change.removed_at.add(old)
                change.removed.add(line[1:].strip())
                old += 1
            elif line.startswith(b"+"):
                change.added_at.add(new)
                change.added.add(line[1:].strip())
                new += 1
    change.removed.discard(b"")
    change.added.discard(b"")
    return change
