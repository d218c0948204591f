"""Anchors, which tie a span to a place in a repository's content, and verdicts about them.

Branch points in a repository's history, and what became of commits since.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from holdfast.domain.ids import SpanId


_SHORT = 7
_START = re.compile(r"[0-9a-f]{4,64}")
_WHOLE = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class BranchPoint:
    """A branch point: the branch and the commit that were checked out.

    ``is_aside`` means another branch than the main one: knowledge from there is valid only there
    until the branch is merged elsewhere. ``is_shared`` means that the branch had no commit of its
    own yet.
    """

    branch: str | None
    head: str
    is_aside: bool = False
    is_shared: bool = False


class LossHow(StrEnum):
    """How a branch lost a commit."""

    RESET = "reset"
    REWRITTEN = "rewritten"
    FORCE_PUSHED = "force-pushed"


class RewriteHow(StrEnum):
    """How a rewrite of a commit was detected, the most certain first."""

    HOOK = "hook"
    PATCH = "patch"
    TREE = "tree"
    SQUASH = "squash"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewrite:
    """One commit that replaced another."""

    repo: str
    old: str
    new: str
    how: RewriteHow
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrivals:
    """The branch points whose work is part of a commit, and the rewrites that show it.

    ``successors`` maps a commit that is not itself part of it to its replacement, if that was just
    detected and is not stored yet. ``renamed`` maps a branch that was renamed to its name now.
    """

    points: frozenset[BranchPoint] = frozenset()
    successors: Mapping[str, tuple[str, RewriteHow]] = field(default_factory=dict)
    renamed: Mapping[str, str] = field(default_factory=dict)


class CommitPosition(StrEnum):
    """The state of a commit, relative to the checkout."""

    REACHABLE = "reachable"
    ELSEWHERE = "elsewhere"
    REWRITTEN = "rewritten"
    LOST = "lost"
    UNVERIFIABLE = "unverifiable"


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitName:
    """A commit that evidence names, and its patch-id, if it was recorded."""

    id: str
    patch: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitFate:
    """What became of a commit: its state, its replacement, and how that was detected.

    It is altered if the replacement does not make the whole change of the commit.
    """

    whereabouts: CommitPosition
    now: str | None = None
    how: RewriteHow | None = None
    words: str = ""
    is_altered: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """A commit that a name was resolved to."""

    id: str
    at: datetime


def commit_words(name: str, whole: str | None) -> str:
    """Return a commit's name as people gave it, with the short id beside a symbolic name."""
    if whole is None or whole.startswith(name.lower()):
        return name
    return f"{name} ({whole[:_SHORT]})"


def is_id(name: str) -> bool:
    """Tell whether a name is a commit id or a prefix of one, and not a name that can move."""
    return _START.fullmatch(name) is not None


def is_whole(commit: str) -> bool:
    """Tell whether this is a full commit id, and not a prefix or the name of a branch."""
    return _WHOLE.fullmatch(commit) is not None


CONTEXT_LINES = 3
MOST_MARKED = 2_000
MOST_AROUND = 200
"""The most lines of a file that git does not have, of which all are marked."""
_MARK_BYTES = 5


class Verdict(StrEnum):
    """The result of checking evidence, the best first."""

    FRESH = "fresh"
    MOVED = "moved"
    DRIFTED = "drifted"
    ORPHANED = "orphaned"
    UNVERIFIABLE = "unverifiable"

    @property
    def is_doubtful(self) -> bool:
        """Tell whether the cited content has changed or is gone."""
        return self in {Verdict.DRIFTED, Verdict.ORPHANED}


HOLDING = frozenset({Verdict.FRESH, Verdict.MOVED})
"""The verdicts of evidence whose content is unchanged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor:
    """What was recorded about a span when it was read, so that it can be found again.

    A mark is a short hash of one line that ignores white space. Equal marks show similar lines;
    only the hash of the span's text proves that the text is the same. ``before`` and ``after`` are
    the marks of three lines around, or of all lines (``is_all_marked``) if git does not have the
    file. ``blob`` is the git name of the whole file as it was read; ``is_committed`` says that HEAD
    contained exactly that blob. ``patch`` is the patch-id of the commit that last changed the
    lines.
    """

    loose_hash: str
    marks: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    is_all_marked: bool = False
    symbol: str | None = None
    blob: str | None = None
    is_committed: bool = False
    head: str | None = None
    branch: str | None = None
    touched_by: str | None = None
    patch: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundLines:
    """Some lines of a file."""

    path: str
    first: int
    last: int

    @property
    def reference(self) -> str:
        """The place in the usual notation: ``src/app.py:10-30``."""
        lines = f"{self.first}" if self.first == self.last else f"{self.first}-{self.last}"
        return f"{self.path}:{lines}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """The verdict about a span, its current place, and how the verifier determined it.

    Several places mean that the verifier cannot tell which one is right. ``change`` is the diff
    between the text that was read and the text that is there now.
    """

    verdict: Verdict
    places: tuple[FoundLines, ...] = ()
    how: str = ""
    change: tuple[str, ...] = ()
    commit: str | None = None

    @property
    def words(self) -> str:
        """The verdict in words for people: ``moved to src/app.py:12-32``."""
        places = " or ".join(place.reference for place in self.places)
        match self.verdict:
            case Verdict.MOVED if places:
                said = f"moved to {places}"
                said += "" if self.commit is None else f" by commit {self.commit[:7]}"
                return f"{said}, text unchanged"
            case Verdict.MOVED:
                said = "rewritten" if self.commit is None else f"now commit {self.commit[:12]}"
            case Verdict.DRIFTED:
                said = f"drifted, now {places}" if places else "drifted"
            case _:
                said = self.verdict.value
        return f"{said}: {self.how}" if self.how else said


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """One piece of evidence, identified by its reference, and the result of checking it."""

    reference: str
    sighting: Sighting
    span: SpanId | None = None
    commit: str | None = None
    """The id of the commit that the reference names, if it was recorded."""

    @property
    def words(self) -> str:
        """The reference in words for people; a commit name is followed by its short id."""
        return commit_words(self.reference, self.commit)


def text_hash(lines: Sequence[str]) -> str:
    """Return the hash of exactly these lines."""
    return hashlib.sha256("\n".join(lines).encode("utf-8")).hexdigest()


def loose_hash(lines: Iterable[str]) -> str:
    """Return the hash of the lines, ignoring white space and blank lines."""
    words = [" ".join(line.split()) for line in lines]
    return hashlib.sha256("\n".join(filter(None, words)).encode("utf-8")).hexdigest()


def mark(line: str) -> str:
    """Return the short hash of one line, ignoring white space."""
    words = " ".join(line.split()).encode("utf-8")
    return hashlib.blake2b(words, digest_size=_MARK_BYTES).hexdigest()


def marks(lines: Iterable[str]) -> tuple[str, ...]:
    """Return the mark of each line."""
    return tuple([mark(line) for line in lines])


def anchored(lines: Sequence[str], first: int, last: int, *, is_kept_by_git: bool = True) -> Anchor:
    """Return the anchor of some lines of a file (counted from 1), from the content alone.

    If git does not have the file, all lines around are marked, unless they are too many.
    """
    span = lines[first - 1 : last]
    is_wide = not is_kept_by_git and len(lines) <= MOST_AROUND
    around = MOST_AROUND if is_wide else CONTEXT_LINES
    return Anchor(
        loose_hash=loose_hash(span),
        marks=marks(span) if len(span) <= MOST_MARKED else (),
        before=marks(lines[max(0, first - 1 - around) : first - 1]),
        after=marks(lines[last : last + around]),
        is_all_marked=is_wide,
    )
