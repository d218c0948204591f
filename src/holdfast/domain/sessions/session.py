"""A session of a tool, and the questions asked in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.domain.ids import BundleId, SessionId
    from holdfast.domain.memory.branch_point import BranchPoint


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
    """One turn: the question, the bundle that answered it, and whether that helped."""

    id: int
    session_id: SessionId
    at: datetime
    query: str
    bundle_id: BundleId | None = None
    satisfied: bool | None = None
    notes: str = ""
