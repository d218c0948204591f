"""The ports of the verbs about sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Origin
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import timedelta

    from holdfast.ports.anchors.surroundings import Surroundings
    from holdfast.ports.anchors.verifier import Verifier
    from holdfast.ports.clock import Clock
    from holdfast.ports.recall.models import TokenCounter
    from holdfast.ports.store.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionPorts:
    """The ports of the verbs about sessions, and who acts."""

    store: Store
    clock: Clock
    surroundings: Surroundings
    verifier: Verifier | None
    counter: TokenCounter
    by: str = ""
    origin: Origin = Origin.TOOL
    started_with: Callable[[str], str] = str
    """Returns the tool of a session that this principal starts, from the name of a tool."""
    said_for: timedelta | None = None
    """For how long what was said is kept; None means forever."""
    keeps_said: bool = True
    """Whether a person lets agents and hooks keep what was said."""
