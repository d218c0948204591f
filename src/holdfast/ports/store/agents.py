"""Ports for agents: who they are, what they did, and which memories are theirs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

from holdfast.domain.agents.agent import Agent, AgentLease, MemoryIndexEntry
from holdfast.domain.agents.cycle import ActionProposal, ActionResult, AgentCycle
from holdfast.domain.ids import AgentId, MemoryId


class AgentNames(Protocol):
    """The agents of a space, and the leases of the processes that act for them."""

    def put(self, agent: Agent) -> None:
        """Write an agent, or its new directives and configuration; it must read back exactly.

        Raises:
            AlreadyRememberedError: Another agent has its name.
        """
        ...

    def get(self, agent_id: AgentId) -> Agent:
        """Return an agent.

        Raises:
            NoSuchError: No agent has that id.
        """
        ...

    def named(self, name: str) -> Agent | None:
        """Return the agent with that name."""
        ...

    def page(self, *, beyond: str | None, limit: int, repo: str | None = None) -> Sequence[Agent]:
        """Return agents, newest id first, starting after ``beyond``.

        With ``repo``, agents must be left out whose memories all belong to other repositories. An
        agent without a memory of any repository must be returned.
        """
        ...

    def remove(self, agent_id: AgentId) -> None:
        """Remove an agent with its cycles, namespaces and lease; no text of them must stay.

        Stored answers to requests that name the agent must be emptied.

        Raises:
            NoSuchError: No agent has that id.
        """
        ...

    def lease(self, agent_id: AgentId) -> AgentLease | None:
        """Return the lease of the last opening; a lease is no event, and no copy contains it."""
        ...

    def put_lease(self, lease: AgentLease) -> None:
        """Replace the lease of an agent."""
        ...


class Cycles(Protocol):
    """The cycles of agents. A cycle, a proposal and a result are written once."""

    def add(self, cycle: AgentCycle) -> None:
        """Write a cycle with what it has of a proposal and a result.

        Raises:
            AlreadyRememberedError: The agent has a cycle with that index.
            NoSuchError: No agent has that id.
        """
        ...

    def propose(self, agent_id: AgentId, index: int, proposal: ActionProposal) -> None:
        """Add the proposal of a cycle.

        Raises:
            ProposedAlreadyError: It has one.
            NoSuchError: The agent has no such cycle.
        """
        ...

    def finish(self, agent_id: AgentId, index: int, result: ActionResult) -> None:
        """Add the result of a cycle.

        Raises:
            CycleFinishedError: It has one.
            NoProposalError: It has no proposal.
            NoSuchError: The agent has no such cycle.
        """
        ...

    def get(self, agent_id: AgentId, index: int) -> AgentCycle:
        """Return a cycle.

        Raises:
            NoSuchError: The agent has no such cycle.
        """
        ...

    def last_index(self, agent_id: AgentId) -> int:
        """Return the highest index of the agent; 0 before the first cycle."""
        ...

    def interrupted(self, agent_id: AgentId) -> int:
        """Return how many cycles of the agent have no result."""
        ...

    def page(
        self, agent_id: AgentId, *, before: int | None, limit: int, complete: bool = False
    ) -> Sequence[AgentCycle]:
        """Return cycles, highest index first, below ``before``; ``complete`` only with a result."""
        ...


class MemoryIndexes(Protocol):
    """The namespaces of agents: which memories are in which namespace."""

    def put(self, entry: MemoryIndexEntry) -> None:
        """Write a memory into a namespace of an agent; a second time must replace the first.

        Raises:
            NoSuchError: There is no such memory or agent.
        """
        ...

    def of(
        self, agent_id: AgentId, *, namespaces: Collection[str], limit: int
    ) -> Sequence[MemoryIndexEntry]:
        """Return the newest entries of these namespaces, or of all; the newest memory first."""
        ...

    def about(self, memory_id: MemoryId) -> Sequence[MemoryIndexEntry]:
        """Return the namespaces that a memory is in."""
        ...


class AgentRecords(Protocol):
    """Everything that is stored about agents."""

    @property
    def names(self) -> AgentNames:
        """The agents and their leases."""
        ...

    @property
    def cycles(self) -> Cycles:
        """The cycles."""
        ...

    @property
    def indexes(self) -> MemoryIndexes:
        """The namespaces."""
        ...
