"""An agent: a name that outlives its processes, and the lease of the process that acts for it."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

from holdfast.domain.errors import BadFieldError
from holdfast.domain.values import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from holdfast.domain.ids import AgentId, MemoryId

SHORT_TERM, LONG_TERM = "short-term", "long-term"
# Chosen by hand.
DEFAULT_LEASE = timedelta(minutes=5)
LONGEST_LEASE = timedelta(days=1)
SHORT_TERM_LIFETIME = timedelta(days=30)
"""How long a short-term note is valid unless the caller says otherwise."""
LARGEST_CONFIG = 16 * 1024
LARGEST_OUTPUT = 256 * 1024
MOST_STEPS = 100
MOST_ARTIFACTS = 200
LONGEST_ARTIFACT = 1_000
_LONGEST_NAME = 64
_NAME = re.compile(r"[0-9A-Za-z](?:[0-9A-Za-z._-]*[0-9A-Za-z])?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """The identity of an agent in a space: its name, its directives and its configuration."""

    id: AgentId
    name: str
    created_at: datetime
    directives: str = ""
    config: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentLease:
    """The right of one opening of an agent to write for it.

    ``token`` is random and known to the opener only; ``epoch`` counts the openings. ``until`` is
    None after the opener closed the agent. An expired lease stays valid until somebody else opens
    the agent, so that a slow tool loses no result.
    """

    agent_id: AgentId
    token: str
    epoch: int
    holder: str
    until: datetime | None

    def is_held_at(self, moment: datetime) -> bool:
        """Return whether another opener has to wait at that moment."""
        return self.until is not None and moment < self.until


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryIndexEntry:
    """A memory in a namespace of an agent; ``cycle`` is the cycle in which it was remembered."""

    agent_id: AgentId
    memory_id: MemoryId
    namespace: str
    at: datetime
    cycle: int | None = None


def check_name(name: str, *, what: str) -> str:
    """Return a name of an agent or a namespace if it can be typed without quotes.

    Raises:
        BadFieldError: It is empty, too long, or has other characters.
    """
    if len(name) > _LONGEST_NAME or _NAME.fullmatch(name) is None:
        raise BadFieldError(
            field=what,
            problem=f"'{name[:_LONGEST_NAME]}' must be 1 to {_LONGEST_NAME} letters, digits and"
            " . _ - inside.",
        )
    return name


def check_lease(lease: timedelta) -> timedelta:
    """Return the length of a lease if it is in range.

    Raises:
        BadFieldError: It is not positive, or is over a day.
    """
    if not timedelta(0) < lease <= LONGEST_LEASE:
        raise BadFieldError(field="lease", problem="must be more than 0 and at most one day.")
    return lease
