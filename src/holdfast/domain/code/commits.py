"""Commit messages, and which later commits revert or fix earlier ones."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from holdfast.domain.recall.bundle import Passage

_HASH = re.compile(r"\b[0-9a-f]{7,40}\b")
_REVERT = re.compile(r'^(?:Revert|Reapply) ".*"$')
_TRAILER = re.compile(r"^[A-Z][A-Za-z-]+-(?:by|to|on): |^(?:Fixes|Closes|Refs|Change-Id|Link): ")
_REVERTS = re.compile(r"^This reverts commit ")
_SHORTEST_HASH = 7
_FEWEST_WORDS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """A commit: its hash and its message."""

    id: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitsRead:
    """The number of known commits after reading, and how many of them are new."""

    total: int
    new: int
    since: datetime | None = None
    """The start of the history that is read; None if all of it is."""

    @property
    def known(self) -> int:
        """The number of commits known before reading."""
        return max(0, self.total - self.new)


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitsFound:
    """The commits that answer a question, and how many were searched."""

    passages: tuple[Passage, ...] = ()
    commits: int = 0
    unread: int = 0
    """The number of commits that could not be searched because they are not indexed yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Touched:
    """A file that a commit changed, and the changed lines that were recorded."""

    path: str
    lines: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitRecord:
    """A commit with its time, message and changed files. A merge lists no files."""

    id: str
    at: datetime
    message: str
    touched: tuple[Touched, ...] = ()

    @property
    def subject(self) -> str:
        """The first line of the message."""
        return self.message.partition("\n")[0].strip()

    @property
    def body(self) -> str:
        """The message after its first line."""
        return self.message.partition("\n")[2].strip()


def names_earlier(commit: Commit, earlier: Iterable[str]) -> tuple[str, ...]:
    """Return the earlier commits that a message names by their hashes."""
    named = set(_HASH.findall(commit.message))
    starts = {name[:_SHORTEST_HASH] for name in named}
    near = [name for name in earlier if name[:_SHORTEST_HASH] in starts]
    return tuple(name for name in near if any(name.startswith(start) for start in named))


def complaint(commit: Commit) -> str:
    """Return the problem that a message describes, without quoting the commit it is about.

    Hashes, quoted subjects and trailers are removed, because they would give the answer away. The
    result is empty if the message contains nothing else.
    """
    kept = [
        _HASH.sub("", line)
        for line in commit.message.splitlines()
        if not (_REVERT.match(line) or _REVERTS.match(line) or _TRAILER.match(line))
    ]
    words = "\n".join(kept).strip()
    return words if len(words.split()) >= _FEWEST_WORDS else ""


def asked_of_history(commits: Sequence[Commit]) -> list[tuple[Commit, str, tuple[str, ...]]]:
    """Return the commits that name an earlier one, the problem of each, and the named commits.

    The commits are given oldest first.
    """
    asked = []
    earlier: list[str] = []
    for commit in commits:
        named = names_earlier(commit, earlier)
        if named and (words := complaint(commit)):
            asked.append((commit, words, named))
        earlier.append(commit.id)
    return asked
