"""Agents: one writer, cycles that are never lost, notes of their own, and deletion."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta

import pytest

from holdfast.adapters.inmemory.store import InMemoryStore
from holdfast.app import Holdfast
from holdfast.domain.agent_errors import (
    AgentHeldError,
    AgentTakenOverError,
    CycleFinishedError,
    CyclePassedError,
    NoProposalError,
    ProposedAlreadyError,
    ValuesTooLargeError,
)
from holdfast.domain.agents.cycle import CycleStatus
from holdfast.domain.choices import Kind, Origin, PassageKind, Status
from holdfast.domain.errors import (
    BadFieldError,
    BadLifetimeError,
    NoSuchError,
    SecretRefusedError,
    TooLargeError,
)
from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.recall.question import Question
from holdfast.domain.values import replace
from holdfast.usecases.agents.cycling import FinishCycle, ProposeAction
from holdfast.usecases.agents.deleting import DELETED, DeleteAgent
from holdfast.usecases.agents.noting import AgentNote
from holdfast.usecases.agents.opening import AgentOpening, OpenAgent
from holdfast.usecases.review.queued import Review
from tests.builders import FixedClock
from tests.requirements import requirement
from tests.usecases.reading import SmallReader
from tests.usecases.wishes import a_wish

EDIT = ProposeAction(
    tool="edit", args={"path": "src/app.py"}, reasoning="why", plan=("one",), cues=("src/app.py",)
)
DONE = FinishCycle(summary="edited", output={"lines": 3}, artifacts=("report.md",))
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@pytest.fixture
def opening(holdfast: Holdfast) -> AgentOpening:
    return holdfast.agents.open(OpenAgent(name="bot", directives="Tidy.", holder="here:1"))


def cycled(holdfast: Holdfast, opening: AgentOpening, wish: FinishCycle = DONE) -> int:
    cycle = holdfast.agents.begin_cycle(opening)
    holdfast.agents.propose(opening, cycle.index, EDIT)
    holdfast.agents.finish(opening, cycle.index, wish)
    return cycle.index


def ask(holdfast: Holdfast, text: str, **options: object) -> str:
    question = replace(Question(text=text), **options)  # type: ignore[arg-type] # of a test
    return holdfast.agents.recall("bot", question).markdown()


def test_an_agent_is_created_once_and_keeps_what_is_not_given(
    holdfast: Holdfast, opening: AgentOpening
) -> None:
    holdfast.agents.close(opening)

    again = holdfast.agents.open(OpenAgent(name="bot", config={"model": "small"}))

    assert again.agent.id == opening.agent.id
    assert again.agent.directives == "Tidy."
    assert again.agent.config == {"model": "small"}
    assert again.epoch == opening.epoch + 1


@requirement("agent.one-writer")
def test_a_held_agent_is_refused_until_it_is_closed_or_expired_or_taken_over(
    holdfast: Holdfast, opening: AgentOpening, clock: FixedClock
) -> None:
    with pytest.raises(AgentHeldError) as refused:
        holdfast.agents.open(OpenAgent(name="bot"))
    assert refused.value.facts["holder"] == "here:1"

    taken = holdfast.agents.open(OpenAgent(name="bot", take_over=True, holder="there:2"))
    with pytest.raises(AgentTakenOverError) as lost:
        holdfast.agents.begin_cycle(opening)
    assert lost.value.facts["holder"] == "there:2"

    holdfast.agents.close(opening)
    with pytest.raises(AgentHeldError):
        holdfast.agents.open(OpenAgent(name="bot"))

    holdfast.agents.close(taken)
    with pytest.raises(AgentTakenOverError):
        holdfast.agents.renew(taken)
    third = holdfast.agents.open(OpenAgent(name="bot", lease=timedelta(seconds=1)))
    clock.advance(seconds=1)
    assert holdfast.agents.open(OpenAgent(name="bot")).epoch == third.epoch + 1


def test_a_process_that_lost_its_agent_can_neither_write_nor_resume(
    holdfast: Holdfast, opening: AgentOpening
) -> None:
    cycle = holdfast.agents.begin_cycle(opening)
    holdfast.agents.propose(opening, cycle.index, EDIT)
    holdfast.agents.open(OpenAgent(name="bot", take_over=True))
    attempts: list[Callable[[], object]] = [
        lambda: holdfast.agents.renew(opening),
        lambda: holdfast.agents.begin_cycle(opening),
        lambda: holdfast.agents.propose(opening, cycle.index, EDIT),
        lambda: holdfast.agents.finish(opening, cycle.index, DONE),
        lambda: holdfast.agents.resume_open(opening),
        lambda: holdfast.agents.remember(opening, AgentNote(claim="It works.")),
        lambda: holdfast.agents.remember(
            opening, AgentNote(claim="It works.", namespace="long-term")
        ),
    ]

    for attempt in attempts:
        with pytest.raises(AgentTakenOverError):
            attempt()
    assert [seen.status for seen in holdfast.agents.cycles("bot")] == [CycleStatus.INTERRUPTED]


def test_an_expired_lease_that_nobody_took_still_writes(
    holdfast: Holdfast, opening: AgentOpening, clock: FixedClock
) -> None:
    cycle = holdfast.agents.begin_cycle(opening)
    holdfast.agents.propose(opening, cycle.index, EDIT)
    clock.advance(hours=5)

    holdfast.agents.finish(opening, cycle.index, DONE)

    with pytest.raises(AgentHeldError):
        holdfast.agents.open(OpenAgent(name="bot"))


@requirement("agent.cycles-in-order")
def test_cycles_count_from_one(holdfast: Holdfast, opening: AgentOpening) -> None:
    assert [cycled(holdfast, opening) for _ in range(3)] == [1, 2, 3]


@requirement("agent.written-once")
def test_finishing_twice_a_lone_result_and_a_second_proposal_are_refused(
    holdfast: Holdfast, opening: AgentOpening
) -> None:
    cycle = holdfast.agents.begin_cycle(opening)
    with pytest.raises(NoProposalError):
        holdfast.agents.finish(opening, cycle.index, DONE)
    holdfast.agents.propose(opening, cycle.index, EDIT)
    with pytest.raises(ProposedAlreadyError):
        holdfast.agents.propose(opening, cycle.index, EDIT)
    holdfast.agents.finish(opening, cycle.index, DONE)
    with pytest.raises(CycleFinishedError):
        holdfast.agents.finish(opening, cycle.index, DONE)
    holdfast.agents.begin_cycle(opening)
    with pytest.raises(CycleFinishedError):
        holdfast.agents.finish(opening, cycle.index, DONE)


@requirement("agent.interrupted-not-lost")
def test_a_cycle_that_was_passed_stays_interrupted(
    holdfast: Holdfast, opening: AgentOpening, clock: FixedClock
) -> None:
    first = holdfast.agents.begin_cycle(opening)
    holdfast.agents.propose(opening, first.index, EDIT)
    second = holdfast.agents.begin_cycle(opening)
    with pytest.raises(CyclePassedError):
        holdfast.agents.finish(opening, first.index, DONE)
    with pytest.raises(CyclePassedError):
        holdfast.agents.propose(opening, first.index, EDIT)
    holdfast.agents.propose(opening, second.index, EDIT)
    holdfast.agents.finish(opening, second.index, FinishCycle(summary="no", error={"code": 1}))
    third = holdfast.agents.begin_cycle(opening)

    statuses = {one.cycle.index: one.status for one in holdfast.agents.cycles("bot")}
    assert statuses == {
        first.index: CycleStatus.INTERRUPTED,
        second.index: CycleStatus.FAILED,
        third.index: CycleStatus.OPEN,
    }
    clock.advance(hours=1)
    assert holdfast.agents.cycles("bot", limit=1)[0].status is CycleStatus.INTERRUPTED
    assert holdfast.agents.cycles("bot", before=2)[0].cycle.index == 1


@requirement("agent.resumes")
def test_resume_names_the_last_complete_cycle_and_what_was_never_finished(
    holdfast: Holdfast, opening: AgentOpening
) -> None:
    empty = holdfast.agents.resume("bot")
    assert (empty.last, empty.unfinished, empty.cycles) == (None, (), 0)
    last = cycled(holdfast, opening)
    begun = holdfast.agents.begin_cycle(opening)
    holdfast.agents.propose(opening, begun.index, EDIT)

    found = holdfast.agents.resume(opening.agent.id)

    assert found.last is not None
    assert found.last.index == last
    assert found.last.result is not None
    assert found.last.result.summary == "edited"
    assert [one.index for one in found.unfinished] == [begun.index]
    assert found.unfinished[0].proposal is not None
    assert found.unfinished[0].proposal.tool == "edit"
    assert (found.interrupted, found.cycles) == (1, 2)


@requirement("agent.resumes")
def test_the_next_process_can_go_on_with_the_unfinished_cycle(
    holdfast: Holdfast, opening: AgentOpening
) -> None:
    begun = holdfast.agents.begin_cycle(opening)
    holdfast.agents.propose(opening, begun.index, EDIT)
    again = holdfast.agents.open(OpenAgent(name="bot", take_over=True))

    same = holdfast.agents.begin_cycle(again, unfinished=True)
    assert same.index == begun.index
    holdfast.agents.finish(again, same.index, DONE)
    assert holdfast.agents.begin_cycle(again, unfinished=True).index == begun.index + 1


@requirement("agent.gates")
def test_secrets_of_directives_and_claims_are_refused_and_those_of_tools_are_masked(
    holdfast: Holdfast, opening: AgentOpening, store: InMemoryStore
) -> None:
    for wish in (
        OpenAgent(name="other", directives=f"Use {SECRET}."),
        OpenAgent(name="other", config={"token": SECRET}),
    ):
        with pytest.raises(SecretRefusedError):
            holdfast.agents.open(wish)
    with pytest.raises(SecretRefusedError):
        holdfast.agents.remember(opening, AgentNote(claim=f"The token is {SECRET}."))
    with pytest.raises(NoSuchError):
        holdfast.agents.show("other")
    cycle = holdfast.agents.begin_cycle(opening)
    leaky = ProposeAction(
        tool=f"curl {SECRET}",
        args={"token": SECRET},
        reasoning=f"it is {SECRET}",
        plan=(f"send {SECRET}",),
    )
    holdfast.agents.propose(opening, cycle.index, leaky)
    told = FinishCycle(
        summary=f"sent {SECRET}",
        output={"deep": [SECRET]},
        error=f"refused {SECRET}",
        artifacts=(f"{SECRET}.txt",),
    )
    holdfast.agents.finish(opening, cycle.index, told)

    with store.reading() as tx:
        assert SECRET not in repr(tx.diary.agents.cycles.get(opening.agent.id, cycle.index))


@requirement("agent.gates")
def test_names_and_sizes_have_limits(holdfast: Holdfast, opening: AgentOpening) -> None:
    for name in ("", "a b", "-", "x" * 65, "über"):
        with pytest.raises(BadFieldError):
            holdfast.agents.open(OpenAgent(name=name))
    for lease in (timedelta(0), timedelta(days=2)):
        with pytest.raises(BadFieldError):
            holdfast.agents.open(OpenAgent(name="other", lease=lease))
    with pytest.raises(TooLargeError):
        holdfast.agents.open(OpenAgent(name="other", config={"x": ["word " * 4000]}))
    cycle = holdfast.agents.begin_cycle(opening)
    with pytest.raises(BadFieldError):
        holdfast.agents.propose(opening, cycle.index, ProposeAction(tool=" "))
    for many in (
        ProposeAction(tool="edit", plan=("step",) * 101),
        ProposeAction(tool="edit", cues=("a.py",) * 201),
    ):
        with pytest.raises(BadFieldError):
            holdfast.agents.propose(opening, cycle.index, many)
    holdfast.agents.propose(opening, cycle.index, EDIT)
    for wish in (
        FinishCycle(summary=" "),
        FinishCycle(summary="done", artifacts=("a",) * 201),
        FinishCycle(summary="done", artifacts=("a" * 1001,)),
        FinishCycle(summary="done", output={1, 2}),
    ):
        with pytest.raises(BadFieldError):
            holdfast.agents.finish(opening, cycle.index, wish)
    for output in (["word " * 10_000] * 6, "word " * 60_000):
        with pytest.raises(ValuesTooLargeError, match="262,144") as refused:
            holdfast.agents.finish(opening, cycle.index, FinishCycle(summary="x", output=output))
        assert "artifacts" in refused.value.hint
    for note in (
        AgentNote(claim="x", namespace="no spaces"),
        AgentNote(claim="x", places=("src/app.py:1",)),
    ):
        with pytest.raises(BadFieldError):
            holdfast.agents.remember(opening, note)
    with pytest.raises(BadLifetimeError):
        holdfast.agents.remember(opening, AgentNote(claim="x", keep_for=timedelta(0)))
    with pytest.raises(NoSuchError):
        holdfast.agents.remember(opening, AgentNote(claim="x", cycle=9))
    assert holdfast.agents.resume("bot").last is None


@requirement("agent.gates")
def test_an_output_may_have_256_kibibytes_and_travels(
    holdfast: Holdfast, opening: AgentOpening
) -> None:
    text = ("word " * 60_000)[: 256 * 1024 - 2]  # the two quotes of JSON
    cycle = holdfast.agents.begin_cycle(opening)
    holdfast.agents.propose(opening, cycle.index, ProposeAction(tool="x", args={"a": text[:-6]}))

    done = holdfast.agents.finish(opening, cycle.index, FinishCycle(summary="ok", output=text))

    assert done.result is not None
    assert done.result.output == text
    lines = list(holdfast.agents.export("bot"))
    other = replace(holdfast, store=InMemoryStore())
    assert other.exchange.bring_in(lines).refused == ()
    assert other.agents.cycles("bot")[0].cycle.result == done.result


@requirement("agent.notes-are-its-own")
def test_a_note_comes_back_to_its_agent_only_and_is_marked(
    holdfast: Holdfast, opening: AgentOpening, clock: FixedClock
) -> None:
    cycle = holdfast.agents.begin_cycle(opening)
    record = holdfast.agents.remember(
        opening, AgentNote(claim="The parser fails on tabs.", cycle=cycle.index)
    )
    other = holdfast.agents.open(OpenAgent(name="other"))

    assert record.standing.status is Status.NOTED
    assert record.memory.origin is Origin.AGENT
    assert record.memory.evidence[0].reference == "agent bot, cycle 1"
    mine = ask(holdfast, "what does the parser fail on")
    assert "The parser fails on tabs." in mine
    assert "own: a note of the agent that asks; no person has accepted it" in mine
    question = Question(text="what does the parser fail on")
    assert "tabs" not in holdfast.agents.recall(other.agent.name, question).markdown()
    assert "tabs" not in holdfast.answers.recall(question).markdown()
    assert holdfast.review.review(Review()).total == 0
    clock.advance(days=31)
    assert "tabs" not in ask(holdfast, "what does the parser fail on")


@requirement("agent.note-once")
def test_a_cycle_that_is_run_again_keeps_a_note_once(
    holdfast: Holdfast, opening: AgentOpening, clock: FixedClock
) -> None:
    cycle = holdfast.agents.begin_cycle(opening).index
    wish = AgentNote(claim="The parser fails on tabs.", cycle=cycle, tags=("parser",))
    first = holdfast.agents.remember(opening, wish)

    clock.advance(minutes=1)
    again = holdfast.agents.remember(opening, replace(wish, namespace="scratch"))

    assert again == first
    assert dict(holdfast.agents.show("bot").namespaces) == {"scratch": 1, "short-term": 1}
    others = [
        replace(wish, kind=Kind.INSIGHT),
        replace(wish, tags=("tabs",)),
        replace(wish, claim="The parser fails on  tabs."),
        replace(wish, cycle=None),
        replace(wish, cycle=holdfast.agents.begin_cycle(opening).index),
    ]
    ids = {holdfast.agents.remember(opening, other).memory.id for other in others}
    assert len(ids - {first.memory.id}) == len(others)
    clock.advance(days=31)
    assert holdfast.agents.remember(opening, wish).memory.id not in {first.memory.id, *ids}


@requirement("agent.notes-are-its-own")
def test_a_namespace_restricts_the_notes(holdfast: Holdfast, opening: AgentOpening) -> None:
    holdfast.agents.remember(opening, AgentNote(claim="The parser fails on tabs."))
    scratch = AgentNote(
        claim="The parser fails on accents.", namespace="scratch", kind=Kind.REFLECTION
    )
    holdfast.agents.remember(opening, scratch)

    found = ask(holdfast, "what does the parser fail on", namespaces=("scratch",))

    assert "accents" in found
    assert "tabs" not in found
    state = holdfast.agents.show("bot")
    assert dict(state.namespaces) == {"scratch": 1, "short-term": 1}


@requirement("agent.several-namespaces")
def test_one_memory_is_in_several_namespaces(
    holdfast: Holdfast, opening: AgentOpening, clock: FixedClock
) -> None:
    wish = AgentNote(claim="The parser fails on tabs.", also=("scratch", "short-term"))
    record = holdfast.agents.remember(opening, wish)
    plan = AgentNote(claim="The parser is to be rewritten.", namespace="long-term", also=("plans",))
    proposed = holdfast.agents.remember(opening, plan)

    assert dict(holdfast.agents.show("bot").namespaces) == {
        "long-term": 1, "plans": 1, "scratch": 1, "short-term": 1
    }  # fmt: skip
    for name in ("scratch", "short-term"):
        found = ask(holdfast, "what does the parser fail on", namespaces=(name,))
        assert found.count("tabs") == 1
    assert record.memory.expires_at is None
    assert proposed.standing.status is Status.CANDIDATE
    clock.advance(days=31)
    assert "tabs" in ask(holdfast, "what does the parser fail on")


@requirement("agent.long-term-waits")
def test_a_long_term_memory_waits_for_a_person_and_comes_back_as_a_proposal(
    holdfast: Holdfast, opening: AgentOpening
) -> None:
    wish = AgentNote(claim="The parser fails on tabs.", namespace="long-term")
    record = holdfast.agents.remember(opening, wish)

    assert record.standing.status is Status.CANDIDATE
    assert record.memory.source == "agent:bot"
    assert holdfast.review.review(Review()).total == 1
    assert "tabs" not in holdfast.answers.recall(Question(text="parser tabs")).markdown()
    found = ask(holdfast, "what does the parser fail on")
    assert "own: a proposal of the agent that asks; it waits for a person" in found


def test_a_long_term_memory_that_people_know_is_theirs(
    holdfast: Holdfast, opening: AgentOpening
) -> None:
    known = holdfast.memories.remember(a_wish(claim="The parser fails on tabs."))
    wish = AgentNote(claim="The parser fails on tabs.", namespace="long-term", kind=Kind.FACT)

    record = holdfast.agents.remember(opening, wish)

    assert record.memory.id == known.record.memory.id


@requirement("agent.recall-one-bundle")
def test_recall_merges_notes_knowledge_and_recent_results(
    holdfast: Holdfast, opening: AgentOpening
) -> None:
    holdfast.memories.remember(a_wish(claim="The parser reads one line at a time."))
    holdfast.agents.remember(opening, AgentNote(claim="The parser cannot read tabs."))
    for number in range(7):
        failed = number == 6
        wish = FinishCycle(
            summary=f"step {number}",
            output={"text": "x" * 900} if number == 5 else None,
            error="boom" if failed else None,
            artifacts=("report.md",) if failed else (),
        )
        cycled(holdfast, opening, wish)

    question = Question(text="how does the parser read", budget=1500)
    recalled = holdfast.agents.recall("bot", question)

    text = recalled.markdown()
    assert "cannot read tabs" in text
    assert "one line at a time" in text
    assert "edit: step 6\n" in text
    assert "error: boom" in text
    assert "artifacts: report.md" in text
    assert "step 2" in text
    assert "step 1" not in text
    assert recalled.bundle.tokens <= 1500
    assert recalled.bundle.passages[0].title == "result of cycle 7"
    kept = holdfast.answers.shown(recalled.bundle.id)
    assert "edit: step 6" in kept.markdown()
    assert holdfast.answers.replay(recalled.bundle.id).is_same


def test_a_shown_bundle_has_the_texts_of_results_and_of_nothing_else(
    holdfast: Holdfast, opening: AgentOpening, store: InMemoryStore
) -> None:
    cycled(holdfast, opening)
    begun = holdfast.agents.begin_cycle(opening)
    bundle = holdfast.agents.recall("bot", Question(text="what was edited")).bundle
    result = bundle.passages[0]
    others = (
        replace(result, reference=f"{opening.agent.id}/{begun.index}"),
        replace(result, kind=PassageKind.CODE, reference="src/app.py:1"),
    )
    with store.writing(bundle.asked_at) as tx:
        tx.bundles.put(replace(bundle, passages=(result, *others)))

    texts = holdfast.answers.shown(bundle.id).texts

    assert set(texts) == {result.reference, others[0].reference}
    assert texts[others[0].reference] == ""


def test_an_unknown_agent_cannot_ask(holdfast: Holdfast) -> None:
    with pytest.raises(NoSuchError):
        ask(holdfast, "anything")
    with pytest.raises(NoSuchError):
        holdfast.agents.show("a_1")


def test_an_agent_is_no_memory_to_show(holdfast: Holdfast, opening: AgentOpening) -> None:
    with pytest.raises(BadFieldError, match="is an agent"):
        holdfast.memories.show(opening.agent.id)


def test_an_agent_that_was_brought_in_has_to_be_opened_first(
    holdfast: Holdfast, opening: AgentOpening
) -> None:
    there = replace(holdfast, store=InMemoryStore())
    there.exchange.bring_in(list(holdfast.agents.export("bot")))

    with pytest.raises(AgentTakenOverError):
        there.agents.begin_cycle(opening)
    assert there.agents.open(OpenAgent(name="bot")).epoch == 1


@requirement("agent.deleted-whole")
def test_a_deleted_agent_leaves_no_text(
    holdfast: Holdfast, opening: AgentOpening, store: InMemoryStore
) -> None:
    cycled(holdfast, opening, FinishCycle(summary="canary"))
    holdfast.agents.remember(opening, AgentNote(claim="A canary sings."))
    holdfast.agents.remember(opening, AgentNote(claim="The canary eats.", namespace="long-term"))
    known = holdfast.memories.remember(a_wish(claim="Cats sleep."))
    holdfast.agents.remember(
        opening, AgentNote(claim="Cats sleep.", namespace="long-term", kind=Kind.FACT)
    )
    bundle = holdfast.agents.recall("bot", Question(text="who is the canary")).bundle
    holdfast.answers.recall(Question(text="who sleeps"))
    with pytest.raises(AgentHeldError):
        holdfast.agents.delete(DeleteAgent(reference="bot"))
    planned = holdfast.agents.delete(DeleteAgent(reference="bot", even_if_held=True, dry_run=True))
    assert holdfast.agents.show("bot").cycles == 1

    done = holdfast.agents.delete(DeleteAgent(reference="bot", even_if_held=True, by="ada"))

    assert replace(planned, dry_run=False) == done
    assert (done.cycles, done.notes, done.candidates) == (1, 1, 1)
    assert done.kept == (known.record.memory.id,)
    with store.reading() as tx:
        assert "canary" not in repr(list(tx.memories.find(Selection(), Page())))
        assert tx.bundles.get(bundle.id).question.text == DELETED
    with pytest.raises(NoSuchError):
        holdfast.agents.show("bot")
    with pytest.raises(NoSuchError):
        holdfast.agents.begin_cycle(opening)
    assert "not kept" in holdfast.answers.shown(bundle.id).markdown()


@requirement("agent.exported")
def test_an_export_carries_an_agent_into_another_store(
    holdfast: Holdfast, opening: AgentOpening
) -> None:
    cycled(holdfast, opening)
    holdfast.agents.begin_cycle(opening)
    holdfast.agents.remember(opening, AgentNote(claim="A canary sings.", cycle=1))
    whole = list(holdfast.exchange.export())
    own = list(holdfast.agents.export("bot"))
    assert [json.loads(line)["type"] for line in own] == [
        *("holdfast", "memory", "agent", "cycle", "cycle", "namespace")
    ]
    for lines in (whole, own):
        there = replace(holdfast, store=InMemoryStore())
        brought = there.exchange.bring_in(lines)
        assert brought.refused == ()
        assert there.agents.show("bot").agent == opening.agent
        assert [one.cycle for one in there.agents.cycles("bot")] == [
            one.cycle for one in holdfast.agents.cycles("bot")
        ]
        assert "sings" in ask(there, "what does the canary do")
        again = there.exchange.bring_in(lines)
        assert (again.added, again.refused) == (0, ())


def test_a_changed_export_cannot_bring_gaps_or_foreign_cycles(
    holdfast: Holdfast, opening: AgentOpening
) -> None:
    cycled(holdfast, opening)
    lines = list(holdfast.agents.export("bot"))
    cycle = json.loads(lines[2])
    there = replace(holdfast, store=InMemoryStore())
    bad = [
        {**cycle["data"], "index": 5},
        {**cycle["data"], "index": 0},
        {**cycle["data"], "proposal": None},
        {**cycle["data"], "agent_id": "a_other"},
        {**cycle["data"], "proposal": {**cycle["data"]["proposal"], "args": 1}},
    ]
    brought = there.exchange.bring_in(
        [*lines[:2], *(json.dumps({"type": "cycle", "data": one}) for one in bad)]
    )

    assert len(brought.refused) == len(bad)
    assert there.agents.show("bot").cycles == 0


def test_agents_are_listed_newest_first(
    holdfast: Holdfast, opening: AgentOpening, clock: FixedClock
) -> None:
    clock.advance(seconds=1)
    holdfast.agents.open(OpenAgent(name="second"))

    assert [one.agent.name for one in holdfast.agents.list()] == ["second", "bot"]
    assert holdfast.agents.list(limit=1)[0].lease is not None


def test_a_note_has_its_vector_at_once_and_a_broken_model_refuses_nothing(
    holdfast: Holdfast, store: InMemoryStore
) -> None:
    reader = SmallReader()
    reading = replace(holdfast, embedder=reader)
    opening = reading.agents.open(OpenAgent(name="bot"))
    reading.agents.remember(opening, AgentNote(claim="Tokens rotate."))

    with store.reading() as tx:
        assert [use.memories for use in tx.finding.meaning.models()] == [1]
    reader.is_blind = True
    reading.agents.remember(opening, AgentNote(claim="Keys rotate."))
    with store.reading() as tx:
        assert [use.memories for use in tx.finding.meaning.models()] == [1]


def test_a_note_without_a_cycle_says_so(holdfast: Holdfast, opening: AgentOpening) -> None:
    record = holdfast.agents.remember(opening, AgentNote(claim="Tabs fail.", tags=("parser",)))

    assert record.memory.evidence[0].reference == "agent bot, outside its cycles"
    assert record.memory.tags == ("parser",)
