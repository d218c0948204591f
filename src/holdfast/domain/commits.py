"""What a repository's history says, and which later commits undo or mend earlier ones."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

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
    """How many commits of the repository are known after reading, and how many of them are new."""

    total: int
    new: int

    @property
    def known(self) -> int:
        """How many were known before."""
        return max(0, self.total - self.new)


@dataclass(frozen=True, slots=True, kw_only=True)
class Touched:
    """A file that a commit changed, and the lines it left there, as many as were noted."""

    path: str
    lines: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """A commit with all it tells: when, why, and what it touched. A merge only says why."""

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
        """What the message says after its first line."""
        return self.message.partition("\n")[2].strip()


def names_earlier(commit: Commit, earlier: Iterable[str]) -> tuple[str, ...]:
    """Return the earlier commits a message names by their hashes."""
    named = set(_HASH.findall(commit.message))
    starts = {name[:_SHORTEST_HASH] for name in named}
    near = [name for name in earlier if name[:_SHORTEST_HASH] in starts]
    return tuple(name for name in near if any(name.startswith(start) for start in named))


def complaint(commit: Commit) -> str:
    """Return what a message says was wrong, without quoting the commit it is about.

    Hashes, quoted subjects and trailers would give the answer away. Nothing is left of a
    message that says no more than these.
    """
    kept = [
        _HASH.sub("", line)
        for line in commit.message.splitlines()
        if not (_REVERT.match(line) or _REVERTS.match(line) or _TRAILER.match(line))
    ]
    words = "\n".join(kept).strip()
    return words if len(words.split()) >= _FEWEST_WORDS else ""


def asked_of_history(commits: Sequence[Commit]) -> list[tuple[Commit, str, tuple[str, ...]]]:
    """Return the commits that name an earlier one, what each complains of, and what it names.

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
