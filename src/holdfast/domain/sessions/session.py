"""A session of a tool, and the questions asked in it.

Claims that a source proposes to remember, with their places.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.domain.choices import Kind
    from holdfast.domain.ids import BundleId, SessionId
    from holdfast.domain.memory.anchor import BranchPoint


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One session: its tool, user and repository, and when it began and ended."""

    id: SessionId
    tool: str
    user: str
    repo: str | None
    branch: str | None
    started_at: datetime
    finished_at: datetime | None = None
    branch_point: BranchPoint | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Interaction:
    """One turn: the question, the bundle that answered it, and whether that helped.

    ``id`` counts the turns of all sessions. ``number`` is the number in its session, which other
    verbs use; it is known only of a turn that was just recorded, and 0 otherwise.
    """

    id: int
    session_id: SessionId
    at: datetime
    query: str
    bundle_id: BundleId | None = None
    satisfied: bool | None = None
    notes: str = ""
    number: int = 0


MOST_PROPOSED = 5
"""The most proposals from one conversation; chosen by hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A claim taken from a conversation.

    ``turn`` is the number of the turn with the claim; ``first`` and ``last`` are positions in its
    text (``text[first:last]`` is ``quote``). ``rule`` names the rule that found it. ``agreed`` is
    the number of the turn in which a person agreed, if one did.
    """

    claim: str
    kind: Kind
    turn: int
    quote: str
    first: int
    last: int
    rule: str
    confidence: float = 0.5
    key: str | None = None
    tags: tuple[str, ...] = ()
    agreed: int | None = None
