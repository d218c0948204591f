"""What ties a span to a place in a repository's content, and what checking it says now."""

from __future__ import annotations

import hashlib
from enum import StrEnum
from typing import TYPE_CHECKING

from holdfast.domain.standpoint import commit_words
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from holdfast.domain.ids import SpanId

CONTEXT_LINES = 3
MOST_MARKED = 2_000
_MARK_BYTES = 5


class Verdict(StrEnum):
    """What checking evidence says now, the best first."""

    FRESH = "fresh"
    MOVED = "moved"
    DRIFTED = "drifted"
    ORPHANED = "orphaned"
    UNVERIFIABLE = "unverifiable"

    @property
    def is_doubtful(self) -> bool:
        """Tell whether the evidence no longer says what it said."""
        return self in {Verdict.DRIFTED, Verdict.ORPHANED}


HOLDING = frozenset({Verdict.FRESH, Verdict.MOVED})
"""The verdicts of evidence that still says what it said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor:
    """What was noted of a span when it was read, so that it can be found again.

    A mark is a short hash of one line whose white space does not count: many marks show
    what is alike, only the hash of the span's text proves that it is the same. ``blob`` is
    the git name of the whole file as it was read; it is committed if HEAD had just that.
    ``patch`` is the patch-id of the commit that last touched the lines.
    """

    loose_hash: str
    marks: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    symbol: str | None = None
    blob: str | None = None
    is_committed: bool = False
    head: str | None = None
    branch: str | None = None
    touched_by: str | None = None
    patch: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Some lines of a file."""

    path: str
    first: int
    last: int

    @property
    def reference(self) -> str:
        """The place the way people write it: ``src/app.py:10-30``."""
        lines = f"{self.first}" if self.first == self.last else f"{self.first}-{self.last}"
        return f"{self.path}:{lines}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """What became of a span: the verdict, where it is now, and how that is known.

    Several places mean that nobody can tell which one it is. ``change`` is the difference
    between what was read and what stands there now, as the lines of a diff.
    """

    verdict: Verdict
    places: tuple[Found, ...] = ()
    how: str = ""
    change: tuple[str, ...] = ()
    commit: str | None = None

    @property
    def words(self) -> str:
        """The verdict as a person reads it: ``moved to src/app.py:12-32``."""
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
    """One piece of evidence, by the reference it has, and what checking it said."""

    reference: str
    sighting: Sighting
    span: SpanId | None = None
    commit: str | None = None
    """The id of the commit that the reference names, where that was noted."""

    @property
    def words(self) -> str:
        """The reference as people read it; a commit has its short id beside its name."""
        return commit_words(self.reference, self.commit)


def text_hash(lines: Sequence[str]) -> str:
    """Return the hash of exactly these lines."""
    return hashlib.sha256("\n".join(lines).encode("utf-8")).hexdigest()


def loose_hash(lines: Iterable[str]) -> str:
    """Return the hash of the lines as if their white space did not count; blank ones neither."""
    words = [" ".join(line.split()) for line in lines]
    return hashlib.sha256("\n".join(filter(None, words)).encode("utf-8")).hexdigest()


def mark(line: str) -> str:
    """Return the short hash of one line, its white space not counted."""
    words = " ".join(line.split()).encode("utf-8")
    return hashlib.blake2b(words, digest_size=_MARK_BYTES).hexdigest()


def marks(lines: Iterable[str]) -> tuple[str, ...]:
    """Return the mark of each line."""
    return tuple([mark(line) for line in lines])


def anchored(lines: Sequence[str], first: int, last: int) -> Anchor:
    """Return what the content alone says about some lines of a file, counted from 1."""
    span = lines[first - 1 : last]
    return Anchor(
        loose_hash=loose_hash(span),
        marks=marks(span) if len(span) <= MOST_MARKED else (),
        before=marks(lines[max(0, first - 1 - CONTEXT_LINES) : first - 1]),
        after=marks(lines[last : last + CONTEXT_LINES]),
    )
