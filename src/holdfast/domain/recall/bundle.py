"""The answer to a question: items with reasons, within a token budget, and what was left out.

Passages of code and history that answer a question: found, not remembered.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from holdfast.domain.choices import Origin
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.domain.checks.outcome import CheckOutcome
    from holdfast.domain.choices import PassageKind
    from holdfast.domain.ids import BundleId, MemoryId
    from holdfast.domain.memory.anchor import Checked
    from holdfast.domain.memory.place import Place
    from holdfast.domain.recall.question import Question


DISPUTED = "disputed"
"""The part of a score that adds nothing and names the memory that this one contradicts."""

SUPERSEDED = "superseded"
"""The part of a score that adds nothing and says how a later memory differs from this one."""

OTHERWISE = "says otherwise"
"""How a later memory differs if only a link says that it supersedes this one."""

OWN = "own"
"""The part of a score that adds nothing and says that the agent that asks wrote the memory."""

NOT_KEPT = "this bundle was not stored"
"""How the note begins that says that the store could not be written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """One part of a score: its name, its amount, and a note about its cause."""

    leg: str
    amount: float
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StageRank:
    """The rank of a memory after one stage of the ranking."""

    stage: str
    rank: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleItem:
    """A memory in the answer; the hash identifies its text, the text itself is not copied.

    ``superseded_by`` is a later memory that corrects this one; ``checked`` holds the verdicts
    about its evidence at the time of the answer, ``outcomes`` what came out of its checks.
    """

    memory_id: MemoryId
    content_hash: str
    score: float
    tokens: int
    reasons: tuple[Reason, ...]
    ranks: tuple[StageRank, ...] = ()
    superseded_by: MemoryId | None = None
    checked: tuple[Checked, ...] = ()
    outcomes: tuple[CheckOutcome, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageItem:
    """A passage of code or history in the answer, or left out with the reason; without its text."""

    kind: PassageKind
    reference: str
    title: str
    text_hash: str
    score: float
    tokens: int
    reasons: tuple[Reason, ...]
    beside: tuple[str, ...] = ()
    why_not: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """A memory that was considered but left out, and why."""

    memory_id: MemoryId
    score: float
    tokens: int
    reasons: tuple[Reason, ...]
    why: str
    ranks: tuple[StageRank, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Shortage:
    """The best answer does not fit: how many answers do not, and a budget that holds the best."""

    found: int
    needs: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """An answer that can be shown and replayed: ids, scores and reasons, never the text.

    ``rated_by`` is the origin of the rating; a rating without one is a person's.
    """

    id: BundleId
    question: Question
    asked_at: datetime
    place: Place
    items: tuple[BundleItem, ...]
    left_out: tuple[LeftOut, ...]
    tokens: int
    counter: str
    notes: tuple[str, ...] = ()
    good: bool | None = None
    rated_by: Origin | None = None
    passages: tuple[PassageItem, ...] = ()
    passages_left_out: tuple[PassageItem, ...] = ()
    shortage: Shortage | None = None

    @property
    def is_kept(self) -> bool:
        """Tell whether the store holds the bundle; it does not if it could not be written."""
        return not any(note.startswith(NOT_KEPT) for note in self.notes)

    @property
    def is_rated_by_person(self) -> bool:
        """Tell whether a person rated the answer."""
        return self.good is not None and self.rated_by in {None, Origin.HUMAN}


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """Some lines of a file or the message of a commit, with the parts of its score.

    ``reference`` is the place or the commit, ``title`` the symbol or the subject. ``beside`` lists
    related names: callers and callees, or the files that a commit changed. ``likeness`` is how near
    the meaning of its documentation is to the question, 0 for unrelated texts and where it is not
    known. ``why_not`` says why the passage is left out.
    """

    kind: PassageKind
    reference: str
    title: str
    text: str
    score: float
    reasons: tuple[Reason, ...] = ()
    beside: tuple[str, ...] = ()
    likeness: float = 0.0
    why_not: str = ""

    @property
    def text_hash(self) -> str:
        """The hash of exactly this text."""
        return hash_of(self.text)


def hash_of(text: str) -> str:
    """Return the hash of exactly this text, by which a stored answer knows it again."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
