"""Occasions: what a coding tool reports through its hooks, and what it is told in return."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.performing import performs, when
from holdfast.domain.memory.callers import Operation
from holdfast.domain.sessions.hooking import Happening

if TYPE_CHECKING:
    from holdfast.domain.memory.callers import Principal
    from holdfast.domain.sessions.hooking import HookAnswer, Occasion
    from holdfast.usecases.sessions.post import HookPorts

PROPOSING = frozenset({Happening.STOP, Happening.END, Happening.COMPACT})
"""The events after which a conversation is read for candidates."""
_PROPOSES = when(
    lambda occasion: occasion.happening in PROPOSING, Operation.PROPOSE, "the end of a turn"
)


class Occasions:
    """Answers the hooks of a coding tool, for the principal that calls them."""

    def __init__(self, principal: Principal, post: HookPorts) -> None:
        self.principal = principal
        self._post = post

    @performs(Operation.READ, _PROPOSES)
    def attend(self, occasion: Occasion) -> HookAnswer:
        """Return what a tool is told at an event."""
        from holdfast.usecases.sessions.attend import attend

        return attend(occasion, post=self._post)
