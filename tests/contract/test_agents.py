"""Agents, cycles and namespaces: read back exactly, written once, removed whole."""

from __future__ import annotations

from datetime import timedelta

import pytest

from holdfast.domain.agent_errors import CycleFinishedError, NoProposalError, ProposedAlreadyError
from holdfast.domain.agents.agent import AgentLease, MemoryIndexEntry
from holdfast.domain.agents.cycle import ActionProposal, ActionResult
from holdfast.domain.agents.shapes import proposal_from_json, proposal_json
from holdfast.domain.choices import Scope, Status
from holdfast.domain.errors import AlreadyRememberedError, NoSuchError
from holdfast.domain.ids import AgentId
from holdfast.domain.memory.memory import Standing
from holdfast.domain.memory.selection import Selection
from holdfast.domain.misuse import OnlyReadingError
from holdfast.domain.review.curation import Severity
from holdfast.domain.service.replies import Reply
from holdfast.domain.values import replace
from holdfast.ports.store.store import Store
from tests.builders import NOON, a_cycle, a_tombstone, an_agent
from tests.contract.steps import found, keep, memory_id, numbered
from tests.requirements import requirement

BOT = an_agent(directives="Keep the tests green.\n\nnaïve", config={"model": "small", "depth": 3})
PROPOSAL = ActionProposal(
    at=NOON,
    tool="edit",
    args={"path": "src/app.py", "lines": [1, 2]},
    reasoning="The import is unused.",
    plan=("remove it", "run the tests"),
    cues=("src/auth/tokens.py",),
)
RESULT = ActionResult(
    at=NOON + timedelta(seconds=9),
    summary="removed",
    output={"changed": 1},
    artifacts=("report.md",),
)
LEASE = AgentLease(agent_id=BOT.id, token="t", epoch=1, holder="here", until=NOON)  # noqa: S106
A_CYCLE = a_cycle(proposal=PROPOSAL, result=RESULT)
AN_ENTRY = MemoryIndexEntry(
    agent_id=BOT.id, memory_id=memory_id(1), namespace="short-term", at=NOON, cycle=1
)


def quiet(_done: int, _total: int) -> None:
    """Show no progress."""


def begun(store: Store) -> None:
    with store.writing(NOON) as tx:
        tx.diary.agents.names.put(BOT)
        tx.diary.agents.cycles.add(a_cycle())


@requirement("store.reads-back-exactly")
def test_an_agent_reads_back_exactly(store: Store) -> None:
    with store.writing(NOON) as tx:
        tx.diary.agents.names.put(BOT)

    with store.reading() as tx:
        assert tx.diary.agents.names.get(BOT.id) == BOT
        assert tx.diary.agents.names.named("refactor-bot") == BOT
        assert tx.diary.agents.names.named("other") is None
        assert tx.names.starting("a_", limit=9) == ("a_1",)
        assert [event.action for event in tx.diary.events.about(BOT.id)] == ["agent.put"]


def test_new_directives_replace_the_old_ones(store: Store) -> None:
    with store.writing(NOON) as tx:
        tx.diary.agents.names.put(BOT)
        tx.diary.agents.names.put(replace(BOT, directives="Other."))

    with store.reading() as tx:
        assert tx.diary.agents.names.get(BOT.id).directives == "Other."


def test_two_agents_cannot_have_one_name(store: Store) -> None:
    with store.writing(NOON) as tx:
        tx.diary.agents.names.put(BOT)

    with pytest.raises(AlreadyRememberedError), store.writing(NOON) as tx:
        tx.diary.agents.names.put(replace(BOT, id=AgentId("a_2")))


def test_agents_come_newest_first_in_pages(store: Store) -> None:
    with store.writing(NOON) as tx:
        for number in (1, 2, 3):
            tx.diary.agents.names.put(an_agent(id=AgentId(f"a_{number}"), name=f"bot-{number}"))

    with store.reading() as tx:
        first = tx.diary.agents.names.page(beyond=None, limit=2)
        rest = tx.diary.agents.names.page(beyond=first[-1].id, limit=2)
    assert [one.id for one in (*first, *rest)] == ["a_3", "a_2", "a_1"]


@requirement("agent.list-of-here")
def test_agents_of_other_repositories_are_left_out(store: Store) -> None:
    here, there = numbered(1), replace(numbered(2), repo="git:there")
    apart = replace(numbered(3), repo=None, scope=Scope.GLOBAL)
    keep(store, here, there, apart)
    remembered = {1: [here, there], 2: [there], 3: [apart], 4: [], 5: [there, apart], 6: [here]}
    with store.writing(NOON) as tx:
        for number, memories in remembered.items():
            agent = an_agent(id=AgentId(f"a_{number}"), name=f"bot-{number}")
            tx.diary.agents.names.put(agent)
            for one in memories:
                entry = replace(AN_ENTRY, agent_id=agent.id, memory_id=one.id, cycle=None)
                tx.diary.agents.indexes.put(entry)

    with store.reading() as tx:
        page = tx.diary.agents.names.page
        first = page(beyond=None, limit=3, repo=here.repo)
        rest = page(beyond=first[-1].id, limit=3, repo=here.repo)
        everywhere = page(beyond=None, limit=9)
    assert [one.id for one in (*first, *rest)] == ["a_6", "a_4", "a_3", "a_1"]
    assert len(everywhere) == len(remembered)


def test_a_lease_is_replaced_and_is_no_event(store: Store) -> None:
    with store.writing(NOON) as tx:
        tx.diary.agents.names.put(BOT)
        events = tx.diary.events.head().sequence
        assert tx.diary.agents.names.lease(BOT.id) is None
        tx.diary.agents.names.put_lease(LEASE)
        tx.diary.agents.names.put_lease(replace(LEASE, epoch=2, until=None))

    with store.reading() as tx:
        assert tx.diary.agents.names.lease(BOT.id) == replace(LEASE, epoch=2, until=None)
        assert tx.diary.events.head().sequence == events


@requirement("store.reads-back-exactly")
def test_a_cycle_reads_back_with_its_proposal_and_result(store: Store) -> None:
    begun(store)
    with store.writing(NOON) as tx:
        tx.diary.agents.cycles.propose(BOT.id, 1, PROPOSAL)
    with store.writing(NOON) as tx:
        tx.diary.agents.cycles.finish(BOT.id, 1, RESULT)

    with store.reading() as tx:
        assert tx.diary.agents.cycles.get(BOT.id, 1) == A_CYCLE
        actions = [event.action for event in tx.diary.events.about("a_1 1")]
    assert actions == ["cycle.added", "proposal.added", "result.added"]


@requirement("agent.written-once")
def test_a_second_proposal_is_refused(store: Store) -> None:
    begun(store)
    with store.writing(NOON) as tx:
        tx.diary.agents.cycles.propose(BOT.id, 1, PROPOSAL)

    with pytest.raises(ProposedAlreadyError), store.writing(NOON) as tx:
        tx.diary.agents.cycles.propose(BOT.id, 1, replace(PROPOSAL, tool="other"))
    with store.reading() as tx:
        assert tx.diary.agents.cycles.get(BOT.id, 1).proposal == PROPOSAL


@requirement("agent.written-once")
def test_a_result_needs_a_proposal_and_comes_once(store: Store) -> None:
    begun(store)
    with pytest.raises(NoProposalError), store.writing(NOON) as tx:
        tx.diary.agents.cycles.finish(BOT.id, 1, RESULT)
    with store.writing(NOON) as tx:
        tx.diary.agents.cycles.propose(BOT.id, 1, PROPOSAL)
        tx.diary.agents.cycles.finish(BOT.id, 1, RESULT)

    with pytest.raises(CycleFinishedError), store.writing(NOON) as tx:
        tx.diary.agents.cycles.finish(BOT.id, 1, replace(RESULT, summary="other"))
    with store.reading() as tx:
        assert tx.diary.agents.cycles.get(BOT.id, 1).result == RESULT


@requirement("agent.cycles-in-order")
def test_an_index_is_used_once(store: Store) -> None:
    begun(store)

    with pytest.raises(AlreadyRememberedError), store.writing(NOON) as tx:
        tx.diary.agents.cycles.add(a_cycle())


def test_what_does_not_exist_has_no_cycles(store: Store) -> None:
    with store.reading() as tx:
        assert tx.diary.agents.cycles.last_index(BOT.id) == 0
        assert tx.diary.agents.cycles.interrupted(BOT.id) == 0
        with pytest.raises(NoSuchError):
            tx.diary.agents.cycles.get(BOT.id, 1)
        with pytest.raises(NoSuchError):
            tx.diary.agents.names.get(BOT.id)
    with pytest.raises(NoSuchError), store.writing(NOON) as tx:
        tx.diary.agents.cycles.add(a_cycle())
    with pytest.raises(NoSuchError), store.writing(NOON) as tx:
        tx.diary.agents.names.remove(BOT.id)


def test_cycles_come_newest_first_all_or_only_the_complete(store: Store) -> None:
    with store.writing(NOON) as tx:
        tx.diary.agents.names.put(BOT)
        for index in range(1, 6):
            done = {"proposal": PROPOSAL, "result": RESULT} if index % 2 else {}
            tx.diary.agents.cycles.add(a_cycle(index=index, **done))

    with store.reading() as tx:
        cycles = tx.diary.agents.cycles
        assert cycles.last_index(BOT.id) == 5
        assert cycles.interrupted(BOT.id) == 2
        assert [one.index for one in cycles.page(BOT.id, before=None, limit=2)] == [5, 4]
        assert [one.index for one in cycles.page(BOT.id, before=4, limit=9)] == [3, 2, 1]
        complete = cycles.page(BOT.id, before=None, limit=9, complete=True)
        assert [one.index for one in complete] == [5, 3, 1]


def test_a_memory_is_in_namespaces_of_an_agent(store: Store) -> None:
    keep(store, numbered(1), numbered(2))
    later = replace(AN_ENTRY, memory_id=memory_id(2), cycle=None)
    with store.writing(NOON) as tx:
        tx.diary.agents.names.put(BOT)
        for entry in (AN_ENTRY, replace(AN_ENTRY, namespace="long-term"), later):
            tx.diary.agents.indexes.put(entry)
        tx.diary.agents.indexes.put(AN_ENTRY)

    with store.reading() as tx:
        indexes = tx.diary.agents.indexes
        assert indexes.about(memory_id(1)) == (replace(AN_ENTRY, namespace="long-term"), AN_ENTRY)
        assert indexes.of(BOT.id, namespaces=["short-term"], limit=9) == (later, AN_ENTRY)
        assert len(indexes.of(BOT.id, namespaces=(), limit=9)) == 3
        assert indexes.of(BOT.id, namespaces=(), limit=1) == (later,)
        assert indexes.of(AgentId("a_2"), namespaces=(), limit=9) == ()
    assert all(one.severity is not Severity.DAMAGE for one in store.upkeep.check(quiet))


def test_only_what_exists_can_be_in_a_namespace(store: Store) -> None:
    with pytest.raises(NoSuchError), store.writing(NOON) as tx:
        tx.diary.agents.indexes.put(AN_ENTRY)
    with store.writing(NOON) as tx:
        tx.diary.agents.names.put(BOT)
    with pytest.raises(NoSuchError), store.writing(NOON) as tx:
        tx.diary.agents.indexes.put(AN_ENTRY)


@requirement("agent.deleted-whole")
def test_a_removed_agent_takes_everything_of_its_own_with_it(store: Store) -> None:
    keep(store, numbered(1))
    reply = Reply(key="k", request_hash="0" * 64, status=200, body='{"id": "a_1"}', at=NOON)
    with store.writing(NOON) as tx:
        tx.diary.agents.names.put(BOT)
        tx.diary.agents.names.put_lease(LEASE)
        tx.diary.agents.cycles.add(A_CYCLE)
        tx.diary.agents.indexes.put(AN_ENTRY)
        tx.diary.replies.put(reply)
    with store.writing(NOON) as tx:
        tx.diary.agents.names.remove(BOT.id)

    with store.reading() as tx:
        assert tx.diary.agents.names.named("refactor-bot") is None
        assert tx.diary.agents.names.lease(BOT.id) is None
        assert tx.diary.agents.cycles.last_index(BOT.id) == 0
        assert tx.diary.agents.indexes.about(memory_id(1)) == ()
        kept = tx.diary.replies.get("k")
        assert kept is not None
        assert kept.body is None
        assert tx.diary.events.about(BOT.id)[-1].action == "agent.removed"
    assert all(one.severity is not Severity.DAMAGE for one in store.upkeep.check(quiet))


def test_a_forgotten_memory_leaves_its_namespaces(store: Store) -> None:
    keep(store, numbered(1))
    with store.writing(NOON) as tx:
        tx.diary.agents.names.put(BOT)
        tx.diary.agents.indexes.put(AN_ENTRY)
    with store.writing(NOON) as tx:
        tx.memories.forget(a_tombstone(memory_id=memory_id(1)))

    with store.reading() as tx:
        assert tx.diary.agents.indexes.of(BOT.id, namespaces=(), limit=9) == ()
    assert all(one.severity is not Severity.DAMAGE for one in store.upkeep.check(quiet))


@requirement("agent.notes-are-its-own")
def test_a_note_is_selected_only_as_ones_own_and_until_it_expires(store: Store) -> None:
    noted = Standing(status=Status.NOTED)
    keep(store, numbered(1), numbered(2, expires_at=NOON + timedelta(hours=1)), standing=noted)
    keep(store, numbered(3))
    own = frozenset({memory_id(1), memory_id(2)})
    later = NOON + timedelta(hours=2)

    assert found(store, Selection(recallable_at=NOON)) == [memory_id(3)]
    assert found(store, Selection(recallable_at=NOON, own=own)) == [
        memory_id(1),
        memory_id(2),
        memory_id(3),
    ]
    assert found(store, Selection(recallable_at=later, own=own)) == [memory_id(1), memory_id(3)]


def test_nothing_is_written_while_reading(store: Store) -> None:
    begun(store)
    with store.reading() as tx:
        agents = tx.diary.agents
        with pytest.raises(OnlyReadingError):
            agents.names.put(BOT)
        with pytest.raises(OnlyReadingError):
            agents.names.remove(BOT.id)
        with pytest.raises(OnlyReadingError):
            agents.cycles.add(a_cycle(index=2))
        with pytest.raises(OnlyReadingError):
            agents.cycles.propose(BOT.id, 1, PROPOSAL)
        with pytest.raises(OnlyReadingError):
            agents.cycles.finish(BOT.id, 1, RESULT)
        with pytest.raises(OnlyReadingError):
            agents.indexes.put(AN_ENTRY)


def test_a_proposal_of_an_earlier_version_is_read() -> None:
    shape = proposal_json(PROPOSAL)
    del shape["cues"]

    assert proposal_from_json(shape) == replace(PROPOSAL, cues=())
