"""Look at agents: which there are, what they did, and where one that was killed goes on."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from holdfast.domain.agent_errors import AgentTakenOverError
from holdfast.domain.agents.cycle import AgentState, Resumption
from holdfast.domain.exchange.shapes import record_json
from holdfast.domain.values import dataclass
from holdfast.usecases.agents.opening import agent_of
from holdfast.usecases.encryption.reading import decrypted_agent, decrypted_cycle
from holdfast.usecases.exchange.agent_lines import EVERY, agent_lines, ciphertext_lines, export_line
from holdfast.usecases.exchange.export import FORMAT
from holdfast.usecases.naming import check_limit

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from holdfast.domain.agents.agent import Agent
    from holdfast.domain.agents.cycle import AgentCycle, CycleStatus
    from holdfast.ports.clock import Clock
    from holdfast.ports.store.store import Store, Transaction
    from holdfast.usecases.agents.opening import AgentOpening
    from holdfast.usecases.encryption.reading import OpenCipher

_MOST_UNFINISHED = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenCycle:
    """A cycle with its status at the moment of the question."""

    cycle: AgentCycle
    status: CycleStatus


def agents(*, limit: int, store: Store, repo: str | None = None) -> Sequence[AgentState]:
    """Return the agents of the space, newest first.

    With ``repo``, agents are left out that have remembered things in other repositories only.
    """
    check_limit(limit)
    with store.reading() as tx:
        found = tx.diary.agents.names.page(beyond=None, limit=limit, repo=repo)
        return tuple(_state(agent, tx=tx) for agent in found)


def one_agent(reference: str, *, store: Store, cipher: OpenCipher | None = None) -> AgentState:
    """Return an agent by its name or id, with its lease, cycles and namespaces.

    With a cipher, the directives of a sensitive agent are decrypted.

    Raises:
        NoSuchError: There is no such agent.
    """
    with store.reading() as tx:
        agent = agent_of(reference, tx=tx)
        if cipher is not None:
            agent = decrypted_agent(agent, tx=tx, cipher=cipher)
        return _state(agent, tx=tx)


def cycles_of(
    reference: str,
    *,
    limit: int,
    before: int | None = None,
    store: Store,
    clock: Clock,
    cipher: OpenCipher | None = None,
) -> Sequence[SeenCycle]:
    """Return the cycles of an agent, newest first, each with its status now.

    With a cipher, the cycles of a sensitive agent are decrypted.
    """
    check_limit(limit)
    now = clock.now()
    with store.reading() as tx:
        agent = agent_of(reference, tx=tx)
        lease = tx.diary.agents.names.lease(agent.id)
        last = tx.diary.agents.cycles.last_index(agent.id)
        found = tx.diary.agents.cycles.page(agent.id, before=before, limit=limit)
        if cipher is not None:
            found = [decrypted_cycle(one, agent, tx=tx, cipher=cipher) for one in found]
    return tuple(
        SeenCycle(cycle=one, status=one.status(lease, is_last=one.index == last, at=now))
        for one in found
    )


def resume(reference: str, *, store: Store, cipher: OpenCipher | None = None) -> Resumption:
    """Return the last complete cycle of an agent, and what it began and never finished.

    Raises:
        NoSuchError: There is no such agent.
    """
    with store.reading() as tx:
        agent = agent_of(reference, tx=tx)
        cycles = tx.diary.agents.cycles
        complete = cycles.page(agent.id, before=None, limit=1, complete=True)
        last = complete[0] if complete else None
        newest = cycles.page(agent.id, before=None, limit=_MOST_UNFINISHED)
        after = 0 if last is None else last.index
        unfinished = [one for one in reversed(newest) if one.index > after]
        if cipher is not None:
            last = last and decrypted_cycle(last, agent, tx=tx, cipher=cipher)
            unfinished = [decrypted_cycle(one, agent, tx=tx, cipher=cipher) for one in unfinished]
            agent = decrypted_agent(agent, tx=tx, cipher=cipher)
        return Resumption(
            agent=agent,
            last=last,
            unfinished=tuple(unfinished),
            interrupted=cycles.interrupted(agent.id),
            cycles=cycles.last_index(agent.id),
        )


def resume_open(
    opening: AgentOpening, *, store: Store, cipher: OpenCipher | None = None
) -> Resumption:
    """Return where an agent goes on to a process that opened it, and did not lose it since.

    Raises:
        NoSuchError: There is no such agent.
        AgentTakenOverError: Another process has opened the agent since.
    """
    agent = opening.agent
    with store.reading() as tx:
        lease = tx.diary.agents.names.lease(agent.id)
    if lease is not None and lease.token != opening.token:
        raise AgentTakenOverError(name=agent.name, holder=lease.holder)
    return resume(agent.id, store=store, cipher=cipher)


def export_agent(reference: str, *, store: Store) -> Generator[str, None, None]:
    """Return an agent with its memories, cycles and namespaces, as lines that can be imported.

    Raises:
        NoSuchError: There is no such agent.
    """
    with store.reading() as tx:
        agent = agent_of(reference, tx=tx)
        yield export_line("holdfast", {"format": FORMAT})
        entries = tx.diary.agents.indexes.of(agent.id, namespaces=(), limit=EVERY)
        names = dict.fromkeys(entry.memory_id for entry in reversed(entries))
        records = tx.memories.get_many(names)
        yield from (export_line("memory", record_json(records[name])) for name in records)
        yield from agent_lines(agent, tx=tx)
        yield from ciphertext_lines(tx, owners={agent.id, *names})


def _state(agent: Agent, *, tx: Transaction) -> AgentState:
    entries = tx.diary.agents.indexes.of(agent.id, namespaces=(), limit=EVERY)
    return AgentState(
        agent=agent,
        lease=tx.diary.agents.names.lease(agent.id),
        cycles=tx.diary.agents.cycles.last_index(agent.id),
        namespaces=dict(sorted(Counter(entry.namespace for entry in entries).items())),
    )
