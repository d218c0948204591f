"""Reads what commits change, line by line; names a commit and the one that replaced it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from holdfast.adapters.git.lineage.patches import PATCH, CommitStep, asked, given

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from holdfast.adapters.git.reading.repository import Repository

ADDED, REMOVED = b"+", b"-"
_NO_NEWLINE = b"\\"
_PREFIXES = ("--src-prefix=a/", "--dst-prefix=b/")
_COMMIT = re.compile(rb"^([0-9a-f]{40,64})\n", re.MULTILINE)
_FILE = re.compile(rb"^diff --git ", re.MULTILINE)
_HUNK = re.compile(rb"^@@ -(\d+)\S* \S+ @@(.*)\n", re.MULTILINE)
_BLOBS = re.compile(rb"^index ([0-9a-f]+)\.\.([0-9a-f]+)", re.MULTILINE)
_MODE = re.compile(rb"^(?:old|new|deleted).* mode .*$", re.MULTILINE)


class Replacement(NamedTuple):
    """A commit, and the one that replaced it."""

    old: str
    new: str


class Hunk(NamedTuple):
    """One hunk of a diff: its first line in the old file, its heading, and its lines."""

    first: int
    heading: bytes
    lines: tuple[bytes, ...]

    def changed(self) -> list[bytes]:
        """Return the changed lines, each with its note about a missing newline."""
        found, is_changed = [], False
        for line in self.lines:
            is_changed = line.startswith((ADDED, REMOVED)) or (
                is_changed and line.startswith(_NO_NEWLINE)
            )
            if is_changed:
                found.append(line)
        return found

    def before(self) -> tuple[bytes, ...]:
        """Return the lines of the old file."""
        return tuple(line[1:] for line in self.lines if line.startswith((b" ", REMOVED)))


class FileDiff(NamedTuple):
    """What a commit changes in one file: the blobs, the modes, and the hunks."""

    name: bytes
    old: str
    new: str
    modes: tuple[bytes, ...]
    hunks: tuple[Hunk, ...]

    @property
    def path(self) -> bytes:
        """Return the path; the first line of a file's diff has it twice: a/PATH b/PATH.

        A path that git quotes is not read.
        """
        half = self.name[: (len(self.name) - 1) // 2]
        return b"" if self.name.startswith(b'"') else half.removeprefix(b"a/")

    def lines(self, sign: bytes) -> Iterator[bytes]:
        """Return the added or the removed lines that are not blank."""
        return (
            line[1:]
            for hunk in self.hunks
            for line in hunk.lines
            if line.startswith(sign) and line[1:].strip()
        )


Change = dict[bytes, FileDiff]


def read_changes(repository: Repository, commits: Sequence[str]) -> Mapping[str, Change]:
    """Return what each commit changes; a merge and an empty commit have no entry.

    Raises:
        OutsideUnavailableError: Git is not installed, or cannot read an object.
    """
    words = asked(
        repository,
        *(*PATCH, *_PREFIXES, "--unified=3", "--stdin"),
        given=given([CommitStep(None, commit) for commit in commits]),
    )
    _, *parts = _COMMIT.split(words)
    return {
        name.decode("ascii"): {file.name: file for file in map(_file_change, _FILE.split(text)[1:])}
        for name, text in zip(parts[::2], parts[1::2], strict=True)
        if _FILE.search(text)
    }


def _file_change(text: bytes) -> FileDiff:
    head, *parts = _HUNK.split(text)
    name, _, rest = head.partition(b"\n")
    blobs = _BLOBS.search(rest)
    hunks = tuple(
        Hunk(int(first), heading.strip(), tuple(body.split(b"\n")))
        for first, heading, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True)
    )
    old, new = ("", "") if blobs is None else (one.decode("ascii") for one in blobs.groups())
    return FileDiff(name, old, new, tuple(_MODE.findall(rest)), hunks)
