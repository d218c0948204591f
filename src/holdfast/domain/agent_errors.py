"""Errors about agents and their cycles."""

from __future__ import annotations

import re

from holdfast.domain.errors import ConflictError, StaleError, TooLargeError

_STARTED = re.compile(r":([0-9]+):[0-9]+(?:@[0-9]*)?\Z")


def _shown(holder: str) -> str:
    """Return the name of a process without the moment of its start."""
    return _STARTED.sub(r":\1", holder)


class AgentHeldError(ConflictError, code="agent-held"):
    """A process has the agent open, which may be the caller's own."""

    def __init__(
        self,
        *,
        name: str,
        holder: str,
        until: str,
        is_own: bool = False,
        is_deletion: bool = False,
    ) -> None:
        where = "already in this process" if is_own else "in another process"
        super().__init__(
            f"The agent '{name}' is open {where} ({_shown(holder)}), which holds it until {until}."
            " Nothing was changed.",
            name=name,
            holder=holder,
            until=until,
            is_own=is_own,
            is_deletion=is_deletion,
        )


class AgentTakenOverError(StaleError, code="agent-taken-over"):
    """Another process has opened the agent since, so this one may no longer write for it."""

    def __init__(self, *, name: str, holder: str) -> None:
        super().__init__(
            f"This process may no longer write for the agent '{name}': it was closed, or opened"
            f" again by {_shown(holder) or 'nobody yet'}. Nothing was changed.",
            name=name,
            holder=holder,
        )


class NoProposalError(ConflictError, code="no-proposal"):
    """A result needs a proposal, and the cycle has none."""

    def __init__(self, index: int) -> None:
        super().__init__(
            f"Cycle {index} has no proposal, so it cannot have a result. Propose the action first.",
            index=index,
        )


class ProposedAlreadyError(ConflictError, code="proposed-already"):
    """The cycle has a proposal; it never changes."""

    def __init__(self, index: int) -> None:
        super().__init__(
            f"Cycle {index} has a proposal already, which never changes. Begin another cycle for"
            " another action.",
            index=index,
        )


class NoCycleError(ConflictError, code="no-cycle"):
    """The agent has begun no cycle, so its work belongs to none."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"The agent '{name}' has begun no cycle here, so nothing was tracked.", name=name
        )


class CycleFinishedError(ConflictError, code="cycle-finished"):
    """The cycle has a result; it never changes."""

    def __init__(self, index: int) -> None:
        super().__init__(
            f"Cycle {index} is finished, and its result never changes. Begin another cycle.",
            index=index,
        )


class CyclePassedError(ConflictError, code="cycle-passed"):
    """A later cycle has begun, so this one stays as it is."""

    def __init__(self, index: int, *, last: int) -> None:
        super().__init__(
            f"Cycle {index} stays as it is, because cycle {last} has begun since.",
            index=index,
            last=last,
        )


class ValuesTooLargeError(TooLargeError, code="values-too-large"):
    """The arguments, the output or the error of a cycle are larger than the limit."""

    hint: str = "Keep them in a file, and name the file in artifacts."
