"""Decisions of people about memories, recorded so that they can be shown and undone.

A candidate about another memory: it offers evidence, or proposes to forget the memory.

It is an ordinary candidate, so it is listed, reviewed, approved, rejected and exported like any
other; its metadata names the other memory. Approving an offer of evidence adds the evidence to
that memory. Forgetting the memory is how a person approves the proposal to forget it.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from holdfast.domain.choices import Kind
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.evidence import brief_reference
from holdfast.domain.values import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from holdfast.domain.ids import DecisionId
    from holdfast.domain.memory.evidence import Evidence
    from holdfast.domain.memory.link import Link
    from holdfast.domain.memory.memory import Memory, Standing


class Action(StrEnum):
    """The sort of decision."""

    APPROVE = "approve"
    REJECT = "reject"
    EDIT = "edit"
    RESOLVE = "resolve"
    REVERT = "revert"
    DEPRECATE = "deprecate"
    TRUST = "trust"
    CONSOLIDATE = "consolidate"
    RENEW = "renew"
    PRUNE = "prune"


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingChange:
    """A memory's standing before and after a decision; before is None if it was created then."""

    memory_id: MemoryId
    before: Standing | None
    after: Standing


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdrawn:
    """A piece of evidence that was removed from a memory, or added to it."""

    memory_id: MemoryId
    evidence: Evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """One decision of one person, with everything needed to undo it."""

    id: DecisionId
    at: datetime
    by: str
    action: Action
    changes: tuple[StandingChange, ...] = ()
    linked: tuple[Link, ...] = ()
    unlinked: tuple[Link, ...] = ()
    withdrawn: tuple[Withdrawn, ...] = ()
    strengthened: tuple[Withdrawn, ...] = ()
    undone_at: datetime | None = None

    @property
    def memories(self) -> tuple[MemoryId, ...]:
        """Every memory the decision affected, each once."""
        changed = [change.memory_id for change in self.changes]
        linked = [end for link in (*self.linked, *self.unlinked) for end in (link.src, link.dst)]
        reasons = [one.memory_id for one in (*self.withdrawn, *self.strengthened)]
        return tuple(dict.fromkeys([*changed, *linked, *reasons]))

    def without(self, memory_id: MemoryId) -> Decision:
        """Return the decision without any trace of a forgotten memory."""
        return replace(
            self,
            changes=tuple(one for one in self.changes if one.memory_id != memory_id),
            linked=_elsewhere(self.linked, memory_id),
            unlinked=_elsewhere(self.unlinked, memory_id),
            withdrawn=tuple(one for one in self.withdrawn if one.memory_id != memory_id),
            strengthened=tuple(one for one in self.strengthened if one.memory_id != memory_id),
        )

    def renamed(self, names: Mapping[MemoryId, MemoryId]) -> Decision:
        """Return the decision about memories that have other ids now, without any of their text.

        Evidence and the reasons that people gave for a status are texts, so they are left out.
        """
        return replace(
            self,
            changes=tuple(_renamed_change(one, names) for one in self.changes),
            linked=tuple(link.renamed(names) for link in self.linked),
            unlinked=tuple(link.renamed(names) for link in self.unlinked),
            withdrawn=tuple(one for one in self.withdrawn if one.memory_id not in names),
            strengthened=tuple(one for one in self.strengthened if one.memory_id not in names),
        )


def _elsewhere(links: tuple[Link, ...], memory_id: MemoryId) -> tuple[Link, ...]:
    return tuple(link for link in links if memory_id not in {link.src, link.dst})


def _renamed_change(change: StandingChange, names: Mapping[MemoryId, MemoryId]) -> StandingChange:
    is_gone = change.memory_id in names
    before = None if change.before is None else change.before.renamed(names, wordless=is_gone)
    return StandingChange(
        memory_id=names.get(change.memory_id, change.memory_id),
        before=before,
        after=change.after.renamed(names, wordless=is_gone),
    )


RESERVED = "holdfast."
"""The prefix of metadata names that only Holdfast itself may write."""
AUTHOR = f"{RESERVED}author"
"""The metadata name of the person who wrote a memory, where several people share a server."""
_WHAT, _TARGET = "holdfast.offers", "holdfast.about"
_LONGEST_CLAIM = 1_000


class Offered(StrEnum):
    """What is offered about a memory."""

    EVIDENCE = "evidence"
    FORGETTING = "forgetting"


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """What a candidate offers, and about which memory."""

    what: Offered
    about: MemoryId


def offer_of(memory: Memory) -> Offer | None:
    """Return a candidate's offer; None if the candidate has a claim of its own."""
    what, about = memory.metadata.get(_WHAT), memory.metadata.get(_TARGET)
    if what not in set(Offered) or not isinstance(about, str):
        return None
    return Offer(what=Offered(str(what)), about=MemoryId(about))


def evidence_offer(own: Memory, about: Memory, evidence: Sequence[Evidence]) -> Memory:
    """Return the candidate that offers evidence for a memory; ``own`` identifies the proposer."""
    told = "; ".join(brief_reference(item) for item in evidence)
    claim = f"Evidence for {about.id}: {told}"[:_LONGEST_CLAIM]
    return _candidate(own, about, claim, tuple(evidence), what=Offered.EVIDENCE)


def forgetting_offer(own: Memory, about: Memory, reason: str) -> Memory:
    """Return the candidate that proposes to forget a memory; it does not repeat the claim."""
    claim = f"Forget {about.id}: {reason}" if reason else f"Forget {about.id}."
    return _candidate(own, about, claim[:_LONGEST_CLAIM], own.evidence, what=Offered.FORGETTING)


def _candidate(
    own: Memory, about: Memory, claim: str, evidence: tuple[Evidence, ...], *, what: Offered
) -> Memory:
    metadata: Mapping[str, object] = {**_own_facts(own), _WHAT: what.value, _TARGET: about.id}
    return replace(
        own,
        claim=claim,
        kind=Kind.OBSERVATION,
        scope=about.scope,
        space=about.space,
        workspace=about.workspace,
        repo=about.repo,
        branch=about.branch,
        branch_point=about.branch_point,
        evidence=evidence,
        key=None,
        tags=(),
        expires_at=None,
        metadata=metadata,
    )


def _own_facts(own: Memory) -> dict[str, object]:
    """Return the proposer's metadata without names of Holdfast's: an offer has no checks."""
    return {name: value for name, value in own.metadata.items() if not name.startswith(RESERVED)}
