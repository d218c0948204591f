"""Agents, their leases, their cycles and their namespaces, of one transaction."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from functools import cached_property

from holdfast.adapters.sqlite.database.rows import (
    Row,
    as_hex,
    as_json,
    checked,
    maybe_millis,
    maybe_moment,
    millis,
    moment_of,
    sealed,
)
from holdfast.adapters.sqlite.database.work import Work
from holdfast.domain.agent_errors import CycleFinishedError, NoProposalError, ProposedAlreadyError
from holdfast.domain.agents.agent import Agent, AgentLease, MemoryIndexEntry
from holdfast.domain.agents.cycle import ActionProposal, ActionResult, AgentCycle
from holdfast.domain.agents.shapes import (
    proposal_from_json,
    proposal_json,
    result_from_json,
    result_json,
)
from holdfast.domain.errors import AlreadyRememberedError, NoSuchError
from holdfast.domain.ids import AgentId, MemoryId

AGENT, CYCLE, PROPOSAL, RESULT, NAMESPACE = "agent", "cycle", "proposal", "result", "namespace"
_PART, _BODY = 6, 3
_EVERY = -1


class SqliteAgentNames:
    """Agents by id and by name, and their leases."""

    def __init__(self, work: Work) -> None:
        self.work = work

    def put(self, agent: Agent) -> None:
        """Write an agent, or its new directives and configuration."""
        self.work.moment()
        known = self.named(agent.name)
        if known is not None and known.id != agent.id:
            raise AlreadyRememberedError(agent.name)
        config = as_json(dict(agent.config))
        created = millis(agent.created_at)
        values = sealed(AGENT, (agent.id, agent.name, created, agent.directives, config))
        self.work.run("put_agent", *values)
        self.work.record("agent.put", agent.id, values[-1])

    def get(self, agent_id: AgentId) -> Agent:
        """Return an agent."""
        row = self.work.row("get_agent", agent_id)
        if row is None:
            raise NoSuchError(noun="agent", reference=agent_id)
        return self._agent(row)

    def named(self, name: str) -> Agent | None:
        """Return the agent with that name."""
        row = self.work.row("agent_named", name)
        return None if row is None else self._agent(row)

    def page(self, *, beyond: str | None, limit: int, repo: str | None = None) -> Sequence[Agent]:
        """Return agents, newest id first, starting after ``beyond``."""
        rows = self.work.rows("agents_before", {"beyond": beyond, "limit": limit, "repo": repo})
        return tuple(self.work.sound(rows, self._agent))

    def remove(self, agent_id: AgentId) -> None:
        """Remove an agent with everything that belongs to it."""
        self.work.moment()
        self.get(agent_id)
        everything = {"agent": agent_id, "namespaces": None, "limit": _EVERY}
        for row in self.work.rows("indexes_of", everything):
            self.work.record("namespace.removed", _subject(row))
        for name in ("results", "proposals", "cycles", "indexes", "lease", "ciphertexts"):
            self.work.run(f"drop_{name}_of", agent_id)
        self.work.run("drop_agent", agent_id)
        self.work.run("empty_replies_about", agent_id)
        self.work.record("agent.removed", agent_id)

    def lease(self, agent_id: AgentId) -> AgentLease | None:
        """Return the lease of the last opening."""
        row = self.work.row("get_lease", agent_id)
        if row is None:
            return None
        name, token, epoch, holder, until = row
        return AgentLease(
            agent_id=AgentId(name),
            token=token,
            epoch=epoch,
            holder=holder,
            until=maybe_moment(until),
        )

    def put_lease(self, lease: AgentLease) -> None:
        """Replace the lease of an agent."""
        self.work.moment()
        until = maybe_millis(lease.until)
        self.work.run("put_lease", lease.agent_id, lease.token, lease.epoch, lease.holder, until)
        self.work.did.add("lease.put")

    def _agent(self, row: Row) -> Agent:
        checked(AGENT, row, path=self.work.path, name=str(row[0]))
        return Agent(
            id=AgentId(row[0]),
            name=row[1],
            created_at=moment_of(row[2]),
            directives=row[3],
            config=json.loads(row[4]),
        )


class SqliteCycles:
    """Cycles by agent and index."""

    def __init__(self, work: Work) -> None:
        self.work = work

    def add(self, cycle: AgentCycle) -> None:
        """Write a cycle with what it has of a proposal and a result."""
        self.work.moment()
        SqliteAgentNames(self.work).get(cycle.agent_id)
        if self.work.row("get_cycle", cycle.agent_id, cycle.index) is not None:
            raise AlreadyRememberedError(_cycle_name(cycle))
        began = millis(cycle.started_at)
        values = sealed(CYCLE, (cycle.agent_id, cycle.index, began, cycle.epoch))
        self.work.run("add_cycle", *values)
        self.work.record("cycle.added", _cycle_name(cycle), values[-1])
        if cycle.proposal is not None:
            self.propose(cycle.agent_id, cycle.index, cycle.proposal)
        if cycle.result is not None:
            self.finish(cycle.agent_id, cycle.index, cycle.result)

    def propose(self, agent_id: AgentId, index: int, proposal: ActionProposal) -> None:
        """Add the proposal of a cycle."""
        self.work.moment()
        if self.get(agent_id, index).proposal is not None:
            raise ProposedAlreadyError(index)
        body = as_json(proposal_json(proposal))
        values = sealed(PROPOSAL, (agent_id, index, proposal.tool, body))
        self.work.run("add_proposal", *values)
        self.work.record("proposal.added", f"{agent_id} {index}", values[-1])

    def finish(self, agent_id: AgentId, index: int, result: ActionResult) -> None:
        """Add the result of a cycle."""
        self.work.moment()
        cycle = self.get(agent_id, index)
        if cycle.result is not None:
            raise CycleFinishedError(index)
        if cycle.proposal is None:
            raise NoProposalError(index)
        body = as_json(result_json(result))
        values = sealed(RESULT, (agent_id, index, int(result.error is not None), body))
        self.work.run("add_result", *values)
        self.work.record("result.added", f"{agent_id} {index}", values[-1])

    def get(self, agent_id: AgentId, index: int) -> AgentCycle:
        """Return a cycle."""
        row = self.work.row("get_cycle", agent_id, index)
        if row is None:
            raise NoSuchError(noun="cycle", reference=f"{agent_id} {index}")
        return self._cycle(row)

    def last_index(self, agent_id: AgentId) -> int:
        """Return the highest index of the agent; 0 before the first cycle."""
        return int(self.work.rows("last_cycle", (agent_id,))[0][0])

    def interrupted(self, agent_id: AgentId) -> int:
        """Return how many cycles of the agent have no result."""
        return int(self.work.rows("count_interrupted", {"agent": agent_id})[0][0])

    def page(
        self, agent_id: AgentId, *, before: int | None, limit: int, complete: bool = False
    ) -> Sequence[AgentCycle]:
        """Return cycles, highest index first, below ``before``."""
        name = "complete_cycles_before" if complete else "cycles_before"
        rows = self.work.rows(name, {"agent": agent_id, "before": before, "limit": limit})
        return tuple(self.work.sound(rows, self._cycle))

    def _cycle(self, joined: Row) -> AgentCycle:
        row, proposed, finished = (
            joined[:_PART],
            joined[_PART : 2 * _PART],
            joined[2 * _PART :],
        )
        name = f"{row[0]} {row[1]}"
        checked(CYCLE, row, path=self.work.path, name=name)
        proposal = result = None
        if proposed[0] is not None:
            checked(PROPOSAL, proposed, path=self.work.path, name=name)
            proposal = proposal_from_json(json.loads(proposed[_BODY]))
        if finished[0] is not None:
            checked(RESULT, finished, path=self.work.path, name=name)
            result = result_from_json(json.loads(finished[_BODY]))
        return AgentCycle(
            agent_id=AgentId(row[0]),
            index=row[1],
            started_at=moment_of(row[2]),
            epoch=row[3],
            proposal=proposal,
            result=result,
        )


class SqliteMemoryIndexes:
    """The namespaces of agents."""

    def __init__(self, work: Work) -> None:
        self.work = work

    def put(self, entry: MemoryIndexEntry) -> None:
        """Write a memory into a namespace of an agent."""
        self.work.moment()
        SqliteAgentNames(self.work).get(entry.agent_id)
        if not self.work.rows("sequences_of", (as_json([entry.memory_id]),)):
            raise NoSuchError(noun="memory", reference=entry.memory_id)
        at = millis(entry.at)
        row = (entry.agent_id, entry.memory_id, entry.namespace, at, entry.cycle)
        values = sealed(NAMESPACE, row)
        for known in self.work.rows("indexes_about", (entry.memory_id,)):
            if (known[0], known[2]) == (entry.agent_id, entry.namespace):
                self.work.record("namespace.removed", _subject(known))
        self.work.run("put_index", *values)
        self.work.record("namespace.put", _subject(values), values[-1])

    def of(
        self, agent_id: AgentId, *, namespaces: Collection[str], limit: int
    ) -> Sequence[MemoryIndexEntry]:
        """Return the newest entries of these namespaces, or of all; the newest memory first."""
        wanted = as_json(sorted(namespaces)) if namespaces else None
        values = {"agent": agent_id, "namespaces": wanted, "limit": limit}
        return tuple(self.work.sound(self.work.rows("indexes_of", values), self._entry))

    def about(self, memory_id: MemoryId) -> Sequence[MemoryIndexEntry]:
        """Return the namespaces that a memory is in."""
        rows = self.work.rows("indexes_about", (memory_id,))
        return tuple(self.work.sound(rows, self._entry))

    def _entry(self, row: Row) -> MemoryIndexEntry:
        checked(NAMESPACE, row, path=self.work.path, name=f"{row[0]} {row[1]} {row[2]}")
        return MemoryIndexEntry(
            agent_id=AgentId(row[0]),
            memory_id=MemoryId(row[1]),
            namespace=row[2],
            at=moment_of(row[3]),
            cycle=row[4],
        )


class SqliteAgentRecords:
    """Everything that is stored about agents."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.names = SqliteAgentNames(work)

    @cached_property
    def cycles(self) -> SqliteCycles:
        """The cycles."""
        return SqliteCycles(self.work)

    @cached_property
    def indexes(self) -> SqliteMemoryIndexes:
        """The namespaces."""
        return SqliteMemoryIndexes(self.work)


def _subject(row: Row) -> str:
    """Name an entry in the log, which is never cleared: by its salted hash, not its namespace."""
    return f"{row[1]} {row[0]} {as_hex(row[-1])}"


def _cycle_name(cycle: AgentCycle) -> str:
    return f"{cycle.agent_id} {cycle.index}"
