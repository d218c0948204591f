"""Occasions: the events that a coding tool reports through its hooks, and the answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.performing import performs, when
from holdfast.domain.memory.callers import Operation
from holdfast.domain.sessions.hook_calls import HookEvent

if TYPE_CHECKING:
    from holdfast.domain.memory.callers import Principal
    from holdfast.domain.sessions.hook_calls import HookCall
    from holdfast.usecases.sessions.hook_ports import HookPorts

PROPOSING = frozenset({HookEvent.STOP, HookEvent.END, HookEvent.COMPACT})
"""The events after which candidates are proposed from the conversation."""
_PROPOSES = when(
    lambda hook_call: hook_call.happening in PROPOSING, Operation.PROPOSE, "the end of a turn"
)


class Occasions:
    """Answers the hooks of a coding tool, for the principal that calls them."""

    def __init__(self, principal: Principal, ports: HookPorts) -> None:
        self.principal = principal
        self._ports = ports

    @performs(Operation.READ, _PROPOSES)
    def attend(self, hook_call: HookCall) -> None:
        """Answer a tool's event, then record what its session was told."""
        from holdfast.usecases.sessions.attend import attend

        attend(hook_call, ports=self._ports)
