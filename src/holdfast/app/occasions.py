"""Occasions: the events that a coding tool reports through its hooks, and the answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.performing import performs, when
from holdfast.domain.memory.callers import Operation
from holdfast.domain.sessions.hooking import Happening

if TYPE_CHECKING:
    from holdfast.domain.memory.callers import Principal
    from holdfast.domain.sessions.hooking import Occasion
    from holdfast.usecases.sessions.post import HookPorts

PROPOSING = frozenset({Happening.STOP, Happening.END, Happening.COMPACT})
"""The events after which candidates are proposed from the conversation."""
_PROPOSES = when(
    lambda occasion: occasion.happening in PROPOSING, Operation.PROPOSE, "the end of a turn"
)


class Occasions:
    """Answers the hooks of a coding tool, for the principal that calls them."""

    def __init__(self, principal: Principal, post: HookPorts) -> None:
        self.principal = principal
        self._post = post

    @performs(Operation.READ, _PROPOSES)
    def attend(self, occasion: Occasion) -> None:
        """Answer a tool's event, then record what its session was told."""
        from holdfast.usecases.sessions.attend import attend

        attend(occasion, post=self._post)
