"""Agents, their leases, their cycles and their namespaces, in dicts."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from holdfast.adapters.inmemory.state import InMemoryState
from holdfast.domain.agent_errors import CycleFinishedError, NoProposalError, ProposedAlreadyError
from holdfast.domain.agents.agent import Agent, AgentLease, MemoryIndexEntry
from holdfast.domain.agents.cycle import ActionProposal, ActionResult, AgentCycle
from holdfast.domain.errors import AlreadyRememberedError, NoSuchError
from holdfast.domain.ids import AgentId, MemoryId


@dataclass(frozen=True, slots=True)
class InMemoryAgentNames:
    """Agents by id and by name, and their leases."""

    state: InMemoryState

    def put(self, agent: Agent) -> None:
        """Write an agent, or its new directives and configuration."""
        self.state.moment()
        known = self.named(agent.name)
        if known is not None and known.id != agent.id:
            raise AlreadyRememberedError(agent.name)
        self.state.agents[agent.id] = agent
        self.state.record("agent.put", agent.id, agent)

    def get(self, agent_id: AgentId) -> Agent:
        """Return an agent."""
        try:
            return self.state.agents[agent_id]
        except KeyError:
            raise NoSuchError(noun="agent", reference=agent_id) from None

    def named(self, name: str) -> Agent | None:
        """Return the agent with that name."""
        return next((one for one in self.state.agents.values() if one.name == name), None)

    def page(self, *, beyond: str | None, limit: int, repo: str | None = None) -> Sequence[Agent]:
        """Return agents, newest id first, starting after ``beyond``."""
        ids = sorted(self.state.agents, reverse=True)
        if beyond is not None:
            ids = [agent_id for agent_id in ids if agent_id < beyond]
        if repo is not None:
            ids = [agent_id for agent_id in ids if self._is_in(repo, agent_id)]
        return tuple(self.state.agents[agent_id] for agent_id in ids[:limit])

    def _is_in(self, repo: str, agent_id: AgentId) -> bool:
        """Tell whether an agent has a memory of this repository, or no memory of any."""
        entries = [one for one in self.state.indexes.values() if one.agent_id == agent_id]
        repos = {self.state.memories[one.memory_id].memory.repo for one in entries} - {None}
        return repo in repos or not repos

    def remove(self, agent_id: AgentId) -> None:
        """Remove an agent with everything that belongs to it."""
        self.state.moment()
        self.get(agent_id)
        for name, entry in sorted(self.state.indexes.items()):
            if entry.agent_id == agent_id:
                del self.state.indexes[name]
                self.state.record("namespace.removed", _subject(entry))
        for key in [key for key in self.state.cycles if key[0] == agent_id]:
            del self.state.cycles[key]
        self.state.leases.pop(agent_id, None)
        for record in [one for one in self.state.ciphertexts if one.startswith(f"{agent_id} ")]:
            del self.state.ciphertexts[record]
        del self.state.agents[agent_id]
        for reply in list(self.state.replies.values()):
            if agent_id in (reply.body or ""):
                self.state.replies[reply.key] = replace(reply, body=None)
        self.state.record("agent.removed", agent_id)

    def lease(self, agent_id: AgentId) -> AgentLease | None:
        """Return the lease of the last opening."""
        return self.state.leases.get(agent_id)

    def put_lease(self, lease: AgentLease) -> None:
        """Replace the lease of an agent."""
        self.state.moment()
        self.state.leases[lease.agent_id] = lease


@dataclass(frozen=True, slots=True)
class InMemoryCycles:
    """Cycles by agent and index."""

    state: InMemoryState

    def add(self, cycle: AgentCycle) -> None:
        """Write a cycle with what it has of a proposal and a result."""
        self.state.moment()
        InMemoryAgentNames(self.state).get(cycle.agent_id)
        key = (cycle.agent_id, cycle.index)
        if key in self.state.cycles:
            raise AlreadyRememberedError(_cycle_name(cycle))
        self.state.cycles[key] = replace(cycle, proposal=None, result=None)
        self.state.record("cycle.added", _cycle_name(cycle), cycle)
        if cycle.proposal is not None:
            self.propose(cycle.agent_id, cycle.index, cycle.proposal)
        if cycle.result is not None:
            self.finish(cycle.agent_id, cycle.index, cycle.result)

    def propose(self, agent_id: AgentId, index: int, proposal: ActionProposal) -> None:
        """Add the proposal of a cycle."""
        self.state.moment()
        cycle = self.get(agent_id, index)
        if cycle.proposal is not None:
            raise ProposedAlreadyError(index)
        self.state.cycles[agent_id, index] = replace(cycle, proposal=proposal)
        self.state.record("proposal.added", f"{agent_id} {index}", proposal)

    def finish(self, agent_id: AgentId, index: int, result: ActionResult) -> None:
        """Add the result of a cycle."""
        self.state.moment()
        cycle = self.get(agent_id, index)
        if cycle.result is not None:
            raise CycleFinishedError(index)
        if cycle.proposal is None:
            raise NoProposalError(index)
        self.state.cycles[agent_id, index] = replace(cycle, result=result)
        self.state.record("result.added", f"{agent_id} {index}", result)

    def get(self, agent_id: AgentId, index: int) -> AgentCycle:
        """Return a cycle."""
        try:
            return self.state.cycles[agent_id, index]
        except KeyError:
            raise NoSuchError(noun="cycle", reference=f"{agent_id} {index}") from None

    def last_index(self, agent_id: AgentId) -> int:
        """Return the highest index of the agent; 0 before the first cycle."""
        return max((cycle.index for cycle in self._of(agent_id)), default=0)

    def interrupted(self, agent_id: AgentId) -> int:
        """Return how many cycles of the agent have no result."""
        return sum(not cycle.is_complete for cycle in self._of(agent_id))

    def page(
        self, agent_id: AgentId, *, before: int | None, limit: int, complete: bool = False
    ) -> Sequence[AgentCycle]:
        """Return cycles, highest index first, below ``before``."""
        found = [
            cycle
            for cycle in sorted(self._of(agent_id), key=lambda one: -one.index)
            if (before is None or cycle.index < before) and (cycle.is_complete or not complete)
        ]
        return tuple(found[:limit])

    def _of(self, agent_id: AgentId) -> list[AgentCycle]:
        return [cycle for cycle in self.state.cycles.values() if cycle.agent_id == agent_id]


@dataclass(frozen=True, slots=True)
class InMemoryMemoryIndexes:
    """The namespaces of agents."""

    state: InMemoryState

    def put(self, entry: MemoryIndexEntry) -> None:
        """Write a memory into a namespace of an agent."""
        self.state.moment()
        InMemoryAgentNames(self.state).get(entry.agent_id)
        if entry.memory_id not in self.state.memories:
            raise NoSuchError(noun="memory", reference=entry.memory_id)
        self.state.indexes[_subject(entry)] = entry
        self.state.record("namespace.put", _subject(entry), entry)

    def of(
        self, agent_id: AgentId, *, namespaces: Collection[str], limit: int
    ) -> Sequence[MemoryIndexEntry]:
        """Return the newest entries of these namespaces, or of all; the newest memory first."""
        found = [
            entry
            for entry in self.state.indexes.values()
            if entry.agent_id == agent_id and (not namespaces or entry.namespace in namespaces)
        ]
        found.sort(key=lambda entry: entry.namespace)
        found.sort(key=lambda entry: entry.memory_id, reverse=True)
        return tuple(found[:limit] if limit >= 0 else found)

    def about(self, memory_id: MemoryId) -> Sequence[MemoryIndexEntry]:
        """Return the namespaces that a memory is in."""
        found = [one for one in self.state.indexes.values() if one.memory_id == memory_id]
        return tuple(sorted(found, key=lambda one: (one.agent_id, one.namespace)))


class InMemoryAgentRecords:
    """Everything that is stored about agents."""

    def __init__(self, state: InMemoryState) -> None:
        self.names = InMemoryAgentNames(state)
        self.cycles = InMemoryCycles(state)
        self.indexes = InMemoryMemoryIndexes(state)


def _subject(entry: MemoryIndexEntry) -> str:
    return f"{entry.memory_id} {entry.agent_id} {entry.namespace}"


def _cycle_name(cycle: AgentCycle) -> str:
    return f"{cycle.agent_id} {cycle.index}"
