"""A candidate about another memory: it offers evidence, or proposes to forget the memory.

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

    from holdfast.domain.memory.evidence import Evidence
    from holdfast.domain.memory.memory import Memory

RESERVED = "holdfast."
"""The prefix of metadata names that only Holdfast itself may write."""
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
    metadata: Mapping[str, object] = {**own.metadata, _WHAT: what.value, _TARGET: about.id}
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
