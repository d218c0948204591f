"""Delete an agent with everything that only it had."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Origin, Status
from holdfast.domain.memory.memory import Tombstone
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.agents.noting import source_of
from holdfast.usecases.agents.opening import agent_of, held_error, is_held
from holdfast.usecases.exchange.agent_lines import EVERY
from holdfast.usecases.memory.forget import Forget, forget_everywhere
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.screening import screened, scrubbed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from holdfast.domain.agents.agent import Agent
    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.ports.clock import Clock
    from holdfast.ports.pages.files import Traces
    from holdfast.ports.store.store import Store, Transaction

DELETED = "[deleted with its agent]"
"""The text of a question of a deleted agent."""
_PAGE = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteAgent:
    """A request to delete an agent; ``even_if_held`` deletes one that a process has open.

    ``holder`` is the name of the process that asks, so that it is told if it has the agent open.
    """

    reference: str
    by: str = ""
    holder: str = ""
    reason: str = ""
    even_if_held: bool = False
    dry_run: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DeletedAgent:
    """What was deleted, or would be. ``kept`` are the memories that a person decided about."""

    agent: Agent
    cycles: int
    notes: int
    candidates: int
    kept: tuple[MemoryId, ...] = ()
    dry_run: bool = False
    not_yet: str = ""


def delete_agent(
    wish: DeleteAgent,
    *,
    store: Store,
    clock: Clock,
    traces_of: Callable[[str | None], Sequence[Traces]],
    lives: Callable[[str], bool],
) -> DeletedAgent:
    """Delete an agent: its directives, cycles, notes, candidates, and the questions it asked.

    Memories that a person accepted or rejected stay: they are the space's, not the agent's.

    Raises:
        NoSuchError: There is no such agent.
        AgentHeldError: A process that may still run has it open.
    """
    now = clock.now()
    with store.reading() as tx:
        agent = agent_of(wish.reference, tx=tx)
        lease = tx.diary.agents.names.lease(agent.id)
        if is_held(lease, at=now, lives=lives) and not wish.even_if_held:
            raise held_error(agent.name, lease, wish.holder, is_deletion=True)
        records = _records(agent, tx=tx)
        cycles = tx.diary.agents.cycles.last_index(agent.id)
    notes = [one for one in records if one.standing.status is Status.NOTED]
    candidates = [one for one in records if _is_own_candidate(one, agent)]
    gone = {one.memory.id for one in (*notes, *candidates)}
    deleted = DeletedAgent(
        agent=agent,
        cycles=cycles,
        notes=len(notes),
        candidates=len(candidates),
        kept=tuple(one.memory.id for one in records if one.memory.id not in gone),
        dry_run=wish.dry_run,
    )
    if wish.dry_run:
        return deleted
    for record in candidates:
        forget = Forget(reference=record.memory.id, by=wish.by, reason=wish.reason)
        forget_everywhere(
            forget, origin=Origin.HUMAN, store=store, clock=clock, traces_of=traces_of
        )
    _remove(agent, wish, store=store, clock=clock)
    return replace(deleted, not_yet=scrubbed(store))


@repeatable
def _remove(agent: Agent, wish: DeleteAgent, *, store: Store, clock: Clock) -> None:
    now = clock.now()
    by, reason = screened(wish.by, what="name"), screened(wish.reason, what="reason")
    with store.writing(now) as tx:
        for record in _records(agent, tx=tx):
            if record.standing.status is Status.NOTED:
                name = record.memory.id
                grave = Tombstone(memory_id=name, forgotten_at=now, forgotten_by=by, reason=reason)
                tx.memories.forget(grave)
        _empty_questions(agent, tx=tx)
        tx.diary.agents.names.remove(agent.id)


def _empty_questions(agent: Agent, *, tx: Transaction) -> None:
    """Remove the questions of the agent, and the namespaces it asked for, from stored bundles."""
    beyond: str | None = None
    while found := tx.bundles.page(beyond=beyond, limit=_PAGE):
        for bundle in found:
            if bundle.question.agent == agent.id:
                question = replace(bundle.question, text=DELETED, namespaces=())
                tx.bundles.put(replace(bundle, question=question))
        beyond = found[-1].id


def _records(agent: Agent, *, tx: Transaction) -> list[MemoryRecord]:
    entries = tx.diary.agents.indexes.of(agent.id, namespaces=(), limit=EVERY)
    return list(tx.memories.get_many(dict.fromkeys(entry.memory_id for entry in entries)).values())


def _is_own_candidate(record: MemoryRecord, agent: Agent) -> bool:
    is_own = record.memory.source == source_of(agent.name)
    return is_own and record.standing.status is Status.CANDIDATE
