"""Whose memories these are, and where the question is asked."""

from __future__ import annotations

from holdfast.domain.ids import SpaceId
from holdfast.domain.values import dataclass

DEFAULT_SPACE = SpaceId("default")
DEFAULT_WORKSPACE = "default"


@dataclass(frozen=True, slots=True, kw_only=True)
class Space:
    """Whose memories these are. The embedded default has one."""

    id: SpaceId = DEFAULT_SPACE
    tenant: str = "local"
    user: str = "me"
    store_name: str = "default"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a person or an agent stands: it decides which memories reach them."""

    space: SpaceId = DEFAULT_SPACE
    workspace: str = DEFAULT_WORKSPACE
    repo: str | None = None
    branch: str | None = None
