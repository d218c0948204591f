"""The candidates of a review: what is asked for, and what a person sees."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.memory.anchor import HOLDING, Verdict
from holdfast.domain.memory.identity import rejected_before
from holdfast.domain.review.review import Risk
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from holdfast.domain.checks.outcome import CheckOutcome
    from holdfast.domain.choices import Kind, Origin
    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.anchor import Checked
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.recall.rendering import Quote
    from holdfast.domain.review.review import Danger, Worth
    from holdfast.usecases.review.against import CandidateConflicts
    from holdfast.usecases.review.conflicts import Conflict


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """A request for candidates: the named ones, or those that reach this place."""

    references: tuple[str, ...] = ()
    kinds: frozenset[Kind] = frozenset()
    origins: frozenset[Origin] = frozenset()
    source: str | None = None
    most_risk: Risk = Risk.HIGH
    is_conflicting: bool = False
    is_everywhere: bool = False
    limit: int = 20
    skip: int = 0
    """How many to leave out at the front of the list, for the pages after the first."""
    reads_pairs: bool = False
    """Whether a model also reads each candidate beside the memories next to it."""
    also: int = 0
    """How many of those after the page to return in short, without the expensive facts."""
    most_waiting: int = 0
    """How many candidates of a source may wait; 0 is no limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingCandidate:
    """A candidate as a person sees it.

    ``known`` is an accepted memory that has said the same since. ``about`` is the memory that an
    offer is about. ``shown`` is the hash of everything that is shown. ``quotes`` are the cited
    lines as they are now. ``outcomes`` says what its checks would say; no command is run.
    ``rejected`` is a memory with the same claim that a person rejected. ``advice`` are pairs that
    a model reads as contradicting, which are no part of what is approved.
    """

    record: MemoryRecord
    worth: Worth
    danger: Danger
    against: CandidateConflicts
    shown: str
    checked: tuple[Checked, ...] = ()
    known: MemoryRecord | None = None
    quotes: tuple[Quote, ...] = ()
    about: MemoryRecord | None = None
    outcomes: tuple[CheckOutcome, ...] = ()
    rejected: MemoryRecord | None = None
    advice: tuple[Conflict, ...] = ()

    def opponent(self, *, takes_all: bool) -> MemoryId | None:
        """Return the memory whose conflict with it is resolved first.

        None means all of them: a way that ``takes_all`` ends every conflict at once. Without a
        conflict it is the first memory of the advice.
        """
        conflicts = self.against.conflicts or self.advice[:1]
        is_all = not conflicts or (takes_all and len(conflicts) > 1)
        return None if is_all else conflicts[0].standing.memory.id

    @property
    def is_unfounded(self) -> bool:
        """Whether its evidence is gone: some was deleted, and none that can be checked holds."""
        verdicts = self._verdicts
        return Verdict.ORPHANED in verdicts and not verdicts & HOLDING

    @property
    def marks(self) -> tuple[str, ...]:
        """What has changed since the proposal, in words."""
        verdicts = self._verdicts
        gone = "its evidence is gone" if self.is_unfounded else "some of its evidence is gone"
        said = (
            (gone, Verdict.ORPHANED in verdicts),
            ("its evidence has changed since", Verdict.DRIFTED in verdicts),
            ("an accepted memory says the same by now", self.known is not None),
        )
        before = () if self.rejected is None else (f"it {rejected_before(self.rejected)}",)
        return (*before, *(words for words, is_so in said if is_so))

    @property
    def _verdicts(self) -> frozenset[Verdict]:
        return frozenset(one.sighting.verdict for one in self.checked)


@dataclass(frozen=True, slots=True, kw_only=True)
class Queue:
    """The candidates to show. ``shown`` is the hash of the list if it is complete.

    ``after`` are those that come next, in short.
    """

    items: tuple[WaitingCandidate, ...]
    total: int
    elsewhere: int = 0
    shown: str = ""
    notes: tuple[str, ...] = ()
    after: tuple[MemoryRecord, ...] = ()
