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
_TREES = ("diff-tree", "--root", "--always", "-r", "--stdin")
_NAMES = ("-M", "--name-status", "-z")
_LINES = (
    *("-p", "-U0", "--no-ext-diff", "--no-textconv", "--no-color"),
    *("--src-prefix=a/", "--dst-prefix=b/"),
)
_COMMIT = re.compile(rb"(?:^|\n)([0-9a-f]{40,64})(?:\n|$)")
_HUNK = re.compile(rb"@@ -(\d+)(?:,\d+)? \+(\d+)")


class _Change(NamedTuple):
    """What a step does to a file: numbers of lines before and after it, and the lines."""

    removed_at: set[int]
    added_at: set[int]
    removed: set[bytes]
    added: set[bytes]

    def is_kept_by(self, later: _Change) -> bool:
        """Say whether a later change leaves alone what this one added and removed."""
        return self.added_at.isdisjoint(later.removed_at) and self.removed.isdisjoint(later.added)


_Changes = dict[bytes, _Change]


def surviving(repository: Repository, commits: Collection[str], target: str) -> frozenset[str]:
    """Return the commits of which a target still has every line; of a merge, none is told.

    Raises:
        OutsideUnavailableError: Git cannot read an object.
    """
    alone = [CommitStep(None, one) for one in sorted(commits)[:_MOST_COMMITS]]
    found = _changes(repository, alone, "--no-renames")
    own = {step.end: files for step, files in found.items() if 0 < len(files) <= _MOST_FILES}
    since = {one: CommitStep(one, target) for one in own}
    names = _names(repository, list(since.values()))
    touched = {one: own[one].keys() & names.get(step, {}).keys() for one, step in since.items()}
    paths = {name for one, old in touched.items() for path in old
             for name in (path, names[since[one]][path])}  # fmt: skip
    later = _changes(repository, list(since.values()), "-M", paths=paths)
    return frozenset(
        one
        for one, step in since.items()
        if step in names
        and all(
            path in later.get(step, {}) and own[one][path].is_kept_by(later[step][path])
            for path in touched[one]
        )
    )


def _names(
    repository: Repository, steps: Sequence[CommitStep]
) -> Mapping[CommitStep, Mapping[bytes, bytes]]:
    """Return the files that each step changes, with their names after it."""
    words = asked(repository, *_TREES, *_NAMES, given=given(steps)) if steps else b""
    found: dict[str, list[dict[bytes, bytes]]] = defaultdict(list)
    files: dict[bytes, bytes] = {}
    parts = iter(words.split(b"\0"))
    for part in parts:
        commit = _COMMIT.fullmatch(part)
        if commit:
            files = {}
            found[commit[1].decode("ascii")].append(files)
        elif part:
            old = next(parts)
            files[old] = next(parts) if part.startswith(b"R") else old
    return dict(paired(steps, found))


def _changes(
    repository: Repository, steps: Sequence[CommitStep], *words: str, paths: Iterable[bytes] = ()
) -> Mapping[CommitStep, _Changes]:
    """Return what each step does to the lines of its files; nothing if it is not all text."""
    if not steps:
        return {}
    named = sorted(path.decode("utf-8", "surrogateescape") for path in paths)
    diffs = asked(
        repository,
        *("--literal-pathspecs", *_TREES, *_LINES, *words, "--", *named),
        given=given(steps),
    )
    found: dict[str, list[_Changes]] = defaultdict(list)
    _, *parts = _COMMIT.split(diffs)
    for commit, patch in zip(parts[::2], parts[1::2], strict=True):
        found[commit.decode("ascii")].append(_read(patch))
    return dict(paired(steps, found))


def _read(patch: bytes) -> _Changes:
    """Return the changes of a patch by the names of the files before it, or after it if new."""
    files: _Changes = {}
    for text in re.split(rb"^diff --git ", patch, flags=re.MULTILINE)[1:]:
        head, *hunks = re.split(rb"^(?=@@ -)", text, flags=re.MULTILINE)
        name = re.search(rb"^(?:--- a/|\+\+\+ b/)(.*)$", head, re.MULTILINE)
        if name is None and (b"\nBinary files " in head or b'\n--- "' in head):
            return {}
        if name is not None:
            files[name[1]] = _file_change(hunks)
    return files


def _file_change(hunks: Iterable[bytes]) -> _Change:
    change = _Change(set(), set(), set(), set())
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
