"""Pruning on every backend: what is due, what is protected, and what is done."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import pytest

from holdfast.domain.agents.agent import MemoryIndexEntry
from holdfast.domain.agents.cycle import ActionProposal, ActionResult, AgentCycle
from holdfast.domain.care.pruning import (
    PruneCause,
    PrunePolicy,
    PruneStep,
    read_durations,
    read_kept,
    read_relevance,
)
from holdfast.domain.checks.check import CHECKS
from holdfast.domain.choices import EvidenceType, Kind, LinkKind, Origin, Scope, Status
from holdfast.domain.errors import ForgottenError
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.decision import Action, StandingChange, evidence_offer
from holdfast.domain.memory.entry import PageEntry, Pages, PlacedEntry
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.memory import Memory, Standing, Usage
from holdfast.domain.memory.selection import Selection
from holdfast.domain.review.traces import GoneText, Reach, Trace
from holdfast.domain.review_errors import PruneTooMuchError
from holdfast.domain.text.paragraphs import DocumentParagraph
from holdfast.domain.values import replace
from holdfast.heuristics.english import ENGLISH
from holdfast.ports.store.store import Store
from holdfast.usecases.care import prune as pruning
from holdfast.usecases.care.prune import Pruned, prune
from holdfast.usecases.care.prune_request import Prune, PrunePorts
from holdfast.usecases.review.undo import Undo, undo
from tests.builders import (
    NOON,
    FixedClock,
    PlainSurroundings,
    a_decision,
    a_reason,
    a_run,
    a_task,
    an_agent,
)
from tests.contract.steps import found, keep, memory_id, numbered, read
from tests.requirements import requirement

OLD = NOON - timedelta(days=400)
AGED = PrunePolicy(max_age=read_durations("300d"), unused_for=read_durations("never"), most=100)


def old(number: int, **changes: Any) -> Memory:
    fields: dict[str, Any] = {
        "created_at": OLD,
        "claim": f"Build {number} runs on machine {number}.",
    }
    return numbered(number, **(fields | changes))


def ports(store: Store, policy: PrunePolicy = AGED, **changes: Any) -> PrunePorts:
    given = PrunePorts(
        store=store,
        clock=FixedClock(),
        surroundings=PlainSurroundings(),
        heuristics=ENGLISH,
        policy=policy,
        traces_of=lambda _repo: (),
    )
    return replace(given, **changes)


def due(store: Store, policy: PrunePolicy = AGED, **changes: Any) -> dict[MemoryId, PruneCause]:
    wish = Prune(by="ada", dry_run=True, **changes)
    return {one.name: one.due.cause for one in prune(wish, ports=ports(store, policy)).plan.items}


def held(store: Store, **changes: Any) -> dict[MemoryId, str]:
    plan = prune(Prune(by="ada", dry_run=True), ports=ports(store, **changes)).plan
    return {one.record.memory.id: one.why for one in plan.held}


def run(store: Store, policy: PrunePolicy = AGED, **changes: Any) -> Pruned:
    return prune(Prune(by="ada", **changes), ports=ports(store, policy))


def after_grace(store: Store, policy: PrunePolicy = AGED, **changes: Any) -> Pruned:
    clock = FixedClock(moment=NOON + policy.grace)
    return prune(Prune(by="ada", **changes), ports=ports(store, policy, clock=clock))


def statuses(store: Store) -> dict[MemoryId, Status]:
    names = found(store, Selection())
    return {name: read(store, name).standing.status for name in names}


@requirement("prune.reason-for-each")
def test_a_dry_run_gives_one_reason_for_each_memory_and_changes_nothing(store: Store) -> None:
    keep(store, old(1), numbered(2))

    seen = prune(Prune(by="ada", dry_run=True), ports=ports(store))

    (item,) = seen.plan.items
    assert (item.name, item.step) == (memory_id(1), PruneStep.DEPRECATE)
    assert item.due.why == "It is 400 days old; the limit is 300 days."
    assert set(statuses(store).values()) == {Status.ACCEPTED}
    assert (seen.plan.total, seen.decisions, seen.forgotten) == (2, (), ())


@requirement("prune.undo-first")
def test_a_memory_is_deprecated_first_and_removed_after_the_grace_period(store: Store) -> None:
    keep(store, old(1), numbered(2))

    first = run(store)
    early = prune(
        Prune(by="ada"),
        ports=ports(store, clock=FixedClock(moment=NOON + AGED.grace - timedelta(seconds=1))),
    )

    assert [one.action.value for one in first.decisions] == ["prune"]
    assert statuses(store)[memory_id(1)] is Status.DEPRECATED
    assert (early.decisions, early.forgotten) == ((), ())
    late = after_grace(store)
    assert [one.record.memory.id for one in late.forgotten] == [memory_id(1)]
    with pytest.raises(ForgottenError):
        read(store, memory_id(1))
    with store.reading() as tx:
        grave = tx.names.tombstone(memory_id(1))
    assert grave is not None
    assert grave.reason == "prune: It was pruned 30 days ago, and nobody undid it."


@requirement("prune.undo-first")
def test_undo_restores_a_pruned_memory_and_counts_as_a_use(store: Store) -> None:
    keep(store, old(1, claim="It is dark."), numbered(2, claim="It is dark."))
    keep(store, numbered(3, claim="It is dark.", evidence=(a_reason(), a_reason(reference="b"))))
    (decision,) = run(store, only=frozenset({memory_id(1)})).decisions

    undo(
        Undo(by="ada", reference=decision.id),
        store=store,
        clock=FixedClock(),
        surroundings=PlainSurroundings(),
    )

    assert set(statuses(store).values()) == {Status.ACCEPTED}
    assert due(store) == {memory_id(2): PruneCause.DUPLICATE}
    assert memory_id(1) not in due(store, min_relevance=read_relevance("1"))
    assert after_grace(store).forgotten == ()


@requirement("prune.undo-first")
def test_what_a_person_deprecated_is_theirs(store: Store) -> None:
    standing = Standing(
        status=Status.DEPRECATED, decided_by="ada", decided_at=OLD, reason="prune: no longer so"
    )
    keep(store, old(1), standing=standing)
    with store.writing(NOON) as tx:
        change = StandingChange(memory_id=memory_id(1), before=Standing(), after=standing)
        tx.diary.decisions.put(a_decision(action=Action.DEPRECATE, changes=(change,)))

    assert due(store) == {}


@requirement("prune.undo-first")
def test_undoable_leaves_out_every_removal(store: Store) -> None:
    keep(store, old(1))
    run(store)
    keep(store, old(2))

    done = after_grace(store, undoable=True)

    assert (len(done.decisions), done.forgotten) == (1, ())


@requirement("prune.limits-by-kind-and-namespace")
def test_age_use_relevance_and_expiry_make_a_memory_due(store: Store) -> None:
    policy = PrunePolicy(
        max_age=read_durations("never, observation=300d"),
        unused_for=read_durations("200d, fact=never, gotcha=390d"),
        min_relevance=read_relevance("0.2"),
    )
    keep(
        store,
        old(1, kind=Kind.OBSERVATION),
        old(2),
        old(3, kind=Kind.GOTCHA),
        old(4, importance=0.1),
        old(5, expires_at=NOON - timedelta(days=30)),
        old(6, expires_at=NOON - timedelta(days=29), kind=Kind.OBSERVATION),
        old(7, kind=Kind.GOTCHA),
        old(8, importance=0.4),
        old(9, kind=Kind.PLAN),
    )
    with store.writing(NOON) as tx:
        tx.memories.usage.put(
            memory_id(7), Usage(access_count=1, last_accessed=NOON - timedelta(days=3))
        )
        tx.memories.usage.put(memory_id(8), Usage(access_count=3, bad=3))
        tx.memories.usage.put(
            memory_id(9), Usage(access_count=1, last_accessed=NOON - timedelta(days=300))
        )

    assert due(store, policy) == {
        memory_id(1): PruneCause.AGE,
        memory_id(3): PruneCause.UNUSED,
        memory_id(4): PruneCause.RELEVANCE,
        memory_id(5): PruneCause.EXPIRED,
        memory_id(8): PruneCause.RELEVANCE,
        memory_id(9): PruneCause.UNUSED,
    }
    assert due(store, policy, causes=frozenset({PruneCause.EXPIRED})) == {
        memory_id(5): PruneCause.EXPIRED
    }
    assert set(due(store, policy, kinds=frozenset({Kind.PLAN}))) == {memory_id(9)}
    assert set(due(store, policy, only=frozenset({memory_id(4)}))) == {memory_id(4)}
    tight = read_relevance("1")
    assert len(due(store, policy, min_relevance=tight, kinds=frozenset({Kind.FACT}))) == 4


def agent(store: Store, *cycles: AgentCycle) -> None:
    with store.writing(NOON) as tx:
        tx.diary.agents.names.put(an_agent())
        for cycle in cycles:
            tx.diary.agents.cycles.add(cycle)


def note(store: Store, memory: Memory, *, cycle: int | None = None, namespace: str) -> None:
    noted = replace(memory, scope=Scope.GLOBAL, repo=None, branch=None, origin=Origin.AGENT)
    keep(store, replace(noted, trust=Origin.AGENT), standing=Standing(status=Status.NOTED))
    with store.writing(NOON) as tx:
        tx.diary.agents.indexes.put(
            MemoryIndexEntry(
                agent_id=an_agent().id,
                memory_id=memory.id,
                namespace=namespace,
                at=OLD,
                cycle=cycle,
            )
        )


def a_finished_cycle(index: int, **said: Any) -> AgentCycle:
    return AgentCycle(
        agent_id=an_agent().id,
        index=index,
        started_at=OLD,
        epoch=1,
        proposal=ActionProposal(at=OLD, tool="edit", args=said),
        result=ActionResult(at=OLD, summary="done"),
    )


@requirement("prune.limits-by-kind-and-namespace")
def test_old_notes_of_agents_are_removed_by_their_namespace(store: Store) -> None:
    policy = replace(
        AGED, max_age=read_durations("never, observation=300d, short-term=30d, plans=never")
    )
    agent(store, a_finished_cycle(1), a_finished_cycle(2))
    note(store, old(1), cycle=1, namespace="short-term")
    note(store, old(2, kind=Kind.OBSERVATION), cycle=1, namespace="plans")
    note(store, old(3, kind=Kind.OBSERVATION), cycle=1, namespace="other")
    note(store, old(4), cycle=2, namespace="short-term")

    done = run(store, policy)

    assert [one.record.memory.id for one in done.forgotten] == [memory_id(1), memory_id(3)]
    assert done.decisions == ()
    (kept,) = done.plan.held
    assert kept.why == "Its agent goes on from cycle 2, in which it was noted."
    assert set(due(store, policy, namespaces=frozenset({"other"}))) == set()
    assert due(store, policy, has_notes=False) == {}


@requirement("prune.protected-never-goes")
def test_a_protected_memory_is_never_pruned_and_the_reason_is_told(store: Store) -> None:
    agent(store, a_finished_cycle(1, about=str(memory_id(11))))
    artifact = a_reason(type=EvidenceType.ARTIFACT, reference="v_1/report.md")
    keep(store, old(1), old(2), old(3), old(4), old(5), old(6), numbered(7))
    keep(store, old(8, metadata={CHECKS: ["file README.md must exist"]}))
    keep(store, old(9, evidence=(artifact,)), old(10, kind=Kind.RULE), old(11), old(12), old(13))
    keep(store, old(14, tags=("release",)), old(15), old(16), old(17), old(18), old(19))
    keep(store, numbered(20, claim=f"As {memory_id(15)} says, builds are slow."))
    with store.writing(NOON) as tx:
        tx.memories.set_standing(memory_id(1), Standing(pinned=True))
        tx.memories.set_standing(memory_id(2), Standing(label="the build rule"))
        for number, kind in enumerate(("derived-from", "depends-on", "supersedes", "about"), 3):
            tx.links.put(Link(src=memory_id(7), dst=memory_id(number), kind=kind))
        tx.links.put(Link(src=memory_id(18), dst=memory_id(7), kind=LinkKind.SUPPORTS))
        tx.links.put(Link(src=memory_id(7), dst=memory_id(19), kind=LinkKind.CONTRADICTS))
        tx.diary.tasks.put(a_task(notes=f"Look at\n{memory_id(12)}."))
        tx.diary.runs.put(a_run(goal=f"Replace {memory_id(13)}"))
    entry = PageEntry(body=f"See {memory_id(16)}.", kind=Kind.FACT, uid=memory_id(20))
    itself = PageEntry(body=f"This is {memory_id(19)}.", kind=Kind.FACT, uid=memory_id(19))
    pages = Pages(
        entries=tuple(PlacedEntry(entry=one, path="facts.md", line=1) for one in (entry, itself))
    )
    documents = (DocumentParagraph(path="README.md", line=3, text=f"Why: {memory_id(17)}"),)
    policy = replace(AGED, keep=read_kept("release"))

    why = held(store, policy=policy, pages=pages, documents=documents)

    assert why == {
        memory_id(1): "It is pinned.",
        memory_id(2): "A person gave it the name the build rule.",
        memory_id(3): "m_007 cites it: derived-from.",
        memory_id(4): "m_007 cites it: depends-on.",
        memory_id(5): "m_007 cites it: supersedes.",
        memory_id(6): "m_007 cites it: about.",
        memory_id(8): "It has a check.",
        memory_id(9): "Its evidence is a file of a snapshot, which is kept because of it.",
        memory_id(10): "It is a rule, and this kind was not asked for.",
        memory_id(11): f"It is named in cycle 1 of {an_agent().name}.",
        memory_id(12): f"It is named in the task {a_task().id}.",
        memory_id(13): f"It is named in the run {a_run().label}.",
        memory_id(14): "The setting prune.keep names release.",
        memory_id(15): "It is named in m_020.",
        memory_id(16): "It is named in m_020.",
        memory_id(17): "It is named in README.md.",
        memory_id(18): "It supports m_007.",
    }
    done = prune(Prune(by="ada"), ports=ports(store, policy, pages=pages, documents=documents))
    (decision,) = done.decisions
    assert [one.memory_id for one in decision.changes] == [memory_id(19)]


@requirement("prune.protected-never-goes")
def test_a_rule_is_pruned_if_a_person_asks_for_rules(store: Store) -> None:
    keep(store, old(1, kind=Kind.RULE), old(2))

    assert set(due(store, kinds=frozenset({Kind.RULE}))) == {memory_id(1)}


@requirement("prune.protected-never-goes")
def test_the_label_of_a_page_protects_only_where_a_text_names_it(store: Store) -> None:
    keep(store, old(1), standing=Standing(label="FAC-001"))
    keep(store, old(2), standing=Standing(label="FAC-002"))
    keep(store, numbered(3, claim="FAC-002 is still true in the new data centre."))

    assert held(store) == {memory_id(2): "It is named in m_003."}


@requirement("prune.protected-never-goes")
def test_an_abbreviated_id_in_a_text_protects_too(store: Store) -> None:
    name = MemoryId("m_01m7kpns1bxp7z0sfjmgwfc3fd")
    keep(store, old(1, id=name), numbered(2, claim=f"Compare {name[:12]} with the docs."))

    assert held(store) == {name: "It is named in m_002."}


@requirement("prune.protected-never-goes")
def test_an_earlier_version_that_is_cited_protects_the_later_one(store: Store) -> None:
    keep(store, numbered(9))
    for first in (1, 3, 5):
        claim = f"Machine {first} has {first} cores."
        keep(store, old(first, claim=claim), old(first + 1, claim=claim))
        with store.writing(NOON) as tx:
            tx.links.put(
                Link(src=memory_id(first + 1), dst=memory_id(first), kind=LinkKind.SUPERSEDES)
            )
            tx.memories.set_standing(
                memory_id(first),
                Standing(
                    status=Status.SUPERSEDED,
                    superseded_by=memory_id(first + 1),
                    pinned=first == 1,
                ),
            )
    with store.writing(NOON) as tx:
        tx.links.put(Link(src=memory_id(9), dst=memory_id(3), kind=LinkKind.DERIVED_FROM))

    run(store)
    done = after_grace(store)

    gone = [[one.record.memory.id, *(e.memory.id for e in one.earlier)] for one in done.forgotten]
    assert gone == [[memory_id(6), memory_id(5)]]
    assert [one.why for one in done.plan.held] == [
        "Its earlier version m_001 is pinned or cited.",
        "Its earlier version m_003 is pinned or cited.",
    ]


@requirement("prune.better-supported-stays")
def test_of_duplicates_the_better_supported_one_stays(store: Store) -> None:
    claim = "The nightly build of the server needs about forty minutes."
    keep(
        store,
        numbered(1, claim=claim),
        numbered(2, claim=f"{claim} Really.", evidence=(a_reason(), a_reason(reference="b"))),
        numbered(3, claim="The daily report of the client needs about ten minutes."),
    )
    policy = PrunePolicy(most=100)

    (item,) = prune(Prune(by="ada", dry_run=True), ports=ports(store, policy)).plan.items

    assert (item.name, item.due.cause) == (memory_id(1), PruneCause.DUPLICATE)
    assert item.due.why == "m_002 says nearly the same, and stays."
    assert due(store, replace(policy, finds_duplicates=False)) == {}


@requirement("prune.better-supported-stays")
def test_a_duplicate_that_is_valid_for_longer_stays(store: Store) -> None:
    claim = "The nightly build of the server needs about forty minutes."
    more = (a_reason(), a_reason(reference="b"))
    keep(
        store,
        numbered(1, claim=claim),
        numbered(2, claim=claim, evidence=more, expires_at=NOON + timedelta(days=9)),
    )

    assert due(store, PrunePolicy()) == {}


@requirement("prune.better-supported-stays")
def test_a_duplicate_in_use_is_not_pruned_beside_one_that_is_due(store: Store) -> None:
    claim = "The nightly build of the server needs about forty minutes."
    keep(store, old(1, claim=claim, evidence=(a_reason(), a_reason(reference="b"))))
    keep(store, numbered(2, claim=claim))

    assert due(store) == {memory_id(1): PruneCause.AGE}


@requirement("prune.share-is-capped")
def test_more_than_the_share_needs_force(store: Store) -> None:
    keep(store, *(old(number) for number in range(1, 4)), *(numbered(n) for n in range(4, 15)))
    policy = replace(AGED, most=20)

    with pytest.raises(PruneTooMuchError, match="3 of 14 memories are due, .* at most 2"):
        run(store, policy)

    assert set(statuses(store).values()) == {Status.ACCEPTED}
    assert len(run(store, policy, force=True).decisions) == 1


@requirement("prune.nothing-stays")
def test_texts_outside_the_store_are_removed_in_one_search(store: Store) -> None:
    asked: list[Sequence[GoneText]] = []

    class Place:
        def remove(self, gone: Sequence[GoneText]) -> Sequence[Trace]:
            asked.append(gone)
            return [Trace(place="a.md", reach=Reach.REMOVED)]

    keep(store, old(1), old(2))
    run(store)
    with store.writing(NOON) as tx:
        tx.diary.decisions.put(a_decision(changes=()))
    clock = FixedClock(moment=NOON + AGED.grace)

    done = prune(Prune(by="ada"), ports=ports(store, clock=clock, traces_of=lambda _: (Place(),)))

    assert [[one.memory for one in texts] for texts in asked] == [[memory_id(1), memory_id(2)]]
    assert {one.traces for one in done.forgotten} == {(Trace(place="a.md", reach=Reach.REMOVED),)}


@requirement("prune.killed-run-goes-on")
def test_work_is_done_in_pieces_and_what_changes_meanwhile_is_looked_at_again(
    store: Store, beside: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pruning, "AT_ONCE", 1)
    keep(store, *(old(number) for number in range(1, 5)))

    class Meddling(FixedClock):
        """A clock during whose second look somebody pins a memory."""

        def entropy(self) -> int:
            if self.drawn == 1:
                with beside.reading() as tx:
                    assert tx.memories.get(memory_id(1)).standing.status is Status.DEPRECATED
            return super().entropy()

        def now(self) -> datetime:
            if self.drawn == 1 and not read(beside, memory_id(3)).standing.pinned:
                with beside.writing(NOON) as tx:
                    tx.memories.set_standing(memory_id(3), Standing(pinned=True))
            return super().now()

    done = prune(Prune(by="ada"), ports=ports(store, clock=Meddling()))

    assert (len(done.decisions), done.skipped) == (3, 1)
    assert read(store, memory_id(3)).standing == Standing(pinned=True)


def test_memories_of_other_repositories_are_pruned_only_everywhere(store: Store) -> None:
    keep(store, old(1, repo="github.com/acme/other"))

    assert due(store) == {}
    assert set(due(store, everywhere=True)) == {memory_id(1)}


def test_a_closed_offer_does_not_protect_the_memory_it_was_about(store: Store) -> None:
    (first, second) = keep(store, old(1), old(2))
    for number, about, status in ((3, first, Status.REJECTED), (4, second, Status.CANDIDATE)):
        offer = evidence_offer(numbered(number), about.memory, [a_reason()])
        keep(store, offer, standing=Standing(status=status))

    assert set(due(store)) == {memory_id(1)}
