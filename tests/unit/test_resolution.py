from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.domain.choices import LinkKind, Origin
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.link import Link
from holdfast.domain.recall.bundle import DISPUTED, Reason
from holdfast.domain.recall.finding import ThreadPosition
from holdfast.domain.recall.ranking import Scored
from holdfast.domain.recall.resolution import (
    LOOKED_AT,
    Resolution,
    disputed,
    marked,
    resolve,
    suspected,
)
from holdfast.domain.recall.weighing import SHORT_THREAD
from holdfast.domain.values import replace
from holdfast.heuristics.amending import amendments
from holdfast.heuristics.conflict.judging import judged
from holdfast.heuristics.same_start import one_slot
from tests.builders import a_memory, a_record
from tests.requirements import requirement


def scored(sequence: int, claim: str, *, score: float = 0.5, **changes: Any) -> Scored:
    memory = a_memory(id=MemoryId(f"m_{sequence}"), claim=claim)
    fields: dict[str, Any] = {
        "record": a_record(memory, sequence=sequence),
        "score": score,
        "reasons": (Reason(leg="words", amount=score),),
        "answers": True,
    }
    return Scored(**(fields | changes))


def in_thread(thread: str, number: int) -> ThreadPosition:
    return ThreadPosition(thread=thread, number=number)


def marks(*items: Scored, known: dict[str, str] | None = None) -> dict[str, str]:
    """Return which memory is amended by which, or has which newer rival."""
    found = found_in(*items, known=known)
    return {str(one.older): str(one.newer) for one in (*found.amended.values(), *found.rivals)}


def found_in(*items: Scored, known: dict[str, str] | None = None) -> Resolution:
    links = {MemoryId(old): MemoryId(new) for old, new in (known or {}).items()}
    return resolve(items, links, slots=one_slot, amending=amendments)


def order(*items: Scored, known: dict[str, str] | None = None) -> list[int]:
    links = {MemoryId(old): MemoryId(new) for old, new in (known or {}).items()}
    return [
        item.record.sequence
        for item in resolve(items, links, slots=one_slot, amending=amendments).scored
    ]


RETRIES = (
    "Retry policy: retry any 5xx answer of the upstream, at most five attempts, 60 second cap."
)


@requirement("recall.amended-marked")
@pytest.mark.parametrize(
    "claim",
    [
        "Amendment to the retry policy: the upstream cap is 30 seconds.",
        "Two updates to the retry policy we settled: the cap of the upstream is 30 seconds.",
        "The upstream retry cap is 30 seconds, superseding the old 60-second cap.",
        "We changed our minds about the upstream retry policy: no cap at all.",
        "This replaces the old retry policy for the upstream: three attempts.",
        "The retry policy for the upstream no longer applies.",
        "We reversed the decision on upstream retry attempts.",
        "Use three attempts for the upstream retry instead of the earlier policy.",
        "Legal overruled the upstream retry policy.",
        "We revised the policy: upstream retry attempts are three.",
    ],
)
def test_what_says_that_it_amends_marks_the_earlier_one_and_comes_first(claim: str) -> None:
    older, newer = scored(1, RETRIES, score=0.9), scored(2, claim, score=0.4)

    assert marks(older, newer) == {"m_1": "m_2"}
    assert order(older, newer) == [2, 1]


@requirement("recall.amended-marked")
def test_an_amendment_marks_the_earlier_talk_and_not_its_own_or_another() -> None:
    items = [
        scored(1, RETRIES, turn=in_thread("spring", 1)),
        scored(2, "Agreed.", turn=in_thread("spring", 2)),
        scored(3, "The dashboard has a dark theme now.", turn=in_thread("theme", 1)),
        scored(4, "About retries of the upstream.", turn=in_thread("autumn", 1)),
        scored(5, "Amending the retry policy: cap 30 seconds.", turn=in_thread("autumn", 2)),
        scored(6, "Retry policy attempts are counted per upstream.", turn=in_thread("later", 1)),
        scored(7, "Noted, the retry policy of the upstream.", turn=in_thread("spring", 3)),
    ]

    assert marks(*items) == {"m_1": "m_5", "m_2": "m_5"}


@requirement("recall.amended-by-content")
def test_a_later_talk_amends_by_content_and_a_later_memory_does_not() -> None:
    talk = [
        scored(1, "The upload limit is 10 MB.", turn=in_thread("spring", 1)),
        scored(2, "The upload limit is 25 MB.", turn=in_thread("autumn", 1)),
    ]
    memories = [scored(n, one.record.memory.claim) for n, one in enumerate(talk, start=1)]

    assert {str(one) for one in found_in(*talk).amended} == {"m_1"}
    assert found_in(*memories).amended == {}


AGREED = "The upload limit is 10 MB."
CHANGED = "From now on the upload limit is 25 MB."


def by_agent(item: Scored) -> Scored:
    memory = replace(item.record.memory, origin=Origin.AGENT, trust=Origin.AGENT)
    return replace(item, record=replace(item.record, memory=memory))


@requirement("recall.agents-amend-no-person")
def test_what_an_agent_says_in_a_talk_amends_no_word_of_a_person() -> None:
    person = scored(1, AGREED, score=0.9, turn=in_thread("spring", 1))
    agent = by_agent(scored(2, CHANGED, score=0.4, turn=in_thread("autumn", 1)))

    assert found_in(person, agent).amended == {}
    assert order(person, agent) == [1, 2]
    assert marks(by_agent(person), agent) == {"m_1": "m_2"}
    assert marks(by_agent(person), replace(agent, record=scored(2, CHANGED).record)) == {
        "m_1": "m_2"
    }


@requirement("recall.agents-amend-no-person")
def test_what_an_agent_says_counts_once_a_person_has_answered_it() -> None:
    person = scored(1, AGREED, turn=in_thread("spring", 1))
    agent = by_agent(scored(2, CHANGED, turn=in_thread("autumn", 1)))
    more = by_agent(scored(3, "Noted.", turn=in_thread("autumn", 2)))
    answer = scored(4, "That is right.", turn=in_thread("autumn", 3))

    assert found_in(person, agent, more).amended == {}
    assert found_in(person, agent, more, answer).amended[MemoryId("m_1")].newer == "m_2"


def test_in_a_long_thread_only_the_turn_that_differs_is_amended() -> None:
    items = [
        scored(1, "The upload limit is 10 MB.", turn=in_thread("spring", 1)),
        scored(2, "Lunch is at noon.", turn=in_thread("spring", SHORT_THREAD + 1)),
        scored(3, "The upload limit is 25 MB.", turn=in_thread("autumn", 1)),
    ]

    assert marks(*items) == {"m_1": "m_3"}


@requirement("recall.amended-by-content")
def test_what_says_that_it_amends_counts_before_a_later_one_that_does_not() -> None:
    items = [
        scored(1, "The upload limit is 10 MB.", turn=in_thread("spring", 1)),
        scored(2, "From now on the upload limit is 25 MB.", turn=in_thread("summer", 1)),
        scored(3, "The upload limit is 25 MB.", turn=in_thread("autumn", 1)),
    ]

    assert marks(*items) == {"m_1": "m_2"}


@requirement("recall.amended-by-content")
def test_what_says_the_same_comes_behind_the_amendment_and_is_not_marked() -> None:
    said = "The uploader tries a chunk {} times, waits ten seconds, and calls a person on duty."
    items = [
        scored(1, said.format("nine"), score=0.8, turn=in_thread("winter", 1)),
        scored(2, said.format("four"), score=0.9, turn=in_thread("spring", 1)),
        scored(3, f"From now on: {said.format('four')}", score=0.2, turn=in_thread("autumn", 1)),
    ]

    assert marks(*items) == {"m_1": "m_3"}
    assert order(*items) == [3, 2, 1]
    assert marks(*items[1:]) == {}


@requirement("recall.amended-says-how")
def test_what_is_amended_says_how_the_later_one_differs() -> None:
    found = found_in(
        scored(1, "The upload limit is 10 MB.", turn=in_thread("spring", 1)),
        scored(2, "The upload limit is 25 MB.", turn=in_thread("autumn", 1)),
        scored(3, "Alpha."),
        scored(4, "Omega."),
        known={"m_3": "m_4"},
    )

    notes = {item.record.sequence: item.reasons[-1].note for item in marked(found)}
    risen = "amends an earlier one"
    assert notes == {1: "gives another number", 2: risen, 3: "", 4: risen}


@requirement("recall.amended-marked")
def test_the_whole_end_of_an_amending_thread_rises_together() -> None:
    closing = (Reason(leg="closing", amount=0.1),)
    items = [
        scored(1, RETRIES, score=0.9, turn=in_thread("spring", 1)),
        scored(2, "Lunch is at noon.", score=0.7),
        scored(
            3, "Amending the retry policy: upstream cap 30 seconds.", score=0.3,
            turn=in_thread("autumn", 1), reasons=closing,
        ),
        scored(4, "Yes.", score=0.2, turn=in_thread("autumn", 2), reasons=closing),
    ]  # fmt: skip

    assert order(*items) == [3, 4, 1, 2]


@requirement("recall.amended-marked")
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("The request timeout is 30 seconds.", "The request timeout is 60 seconds."),
        ("The default branch is master.", "The default branch is main."),
        ("The rate limit is 100 requests per minute.", "The rate limit is 250 requests a minute."),
        ("The gateway was written in Go.", "The gateway was written in Rust."),
        ("Ada plays the position of goalkeeper.", "Ada plays the position of striker."),
        ("The on-call lead for payments is Ada.", "The on-call lead for payments is Grace."),
    ],
)
def test_the_newer_value_of_a_slot_comes_first_and_marks_the_older(before: str, after: str) -> None:
    older, newer = scored(1, before, score=0.9), scored(2, after, score=0.2)

    assert marks(older, newer) == {"m_1": "m_2"}
    assert order(older, newer) == [2, 1]


@requirement("recall.undecided-is-disputed")
def test_a_newer_value_that_nobody_decided_about_supersedes_nothing() -> None:
    older = scored(1, "The rate limit is 100 per second.", score=0.9)
    newer = scored(2, "The rate limit is 100 per minute.", score=0.2)

    found = resolve([older, newer], {}, slots=one_slot, amending=amendments)

    assert found.amended == {}
    assert suspected(found, judged) == list(found.rivals)
    notes = [one.note for item in disputed(found.scored, [], (), found.rivals)
             for one in item.reasons if one.leg == DISPUTED]  # fmt: skip
    assert notes == [f"contradicts m_{n}; nobody has decided" for n in (1, 2)]


@requirement("recall.undecided-is-disputed")
def test_a_less_trusted_value_does_not_rise_above_a_persons() -> None:
    older = scored(1, "The default branch is a.", score=0.9)
    newer = scored(2, "The default branch is b.", score=0.2)
    memory = replace(newer.record.memory, origin=Origin.AGENT, trust=Origin.AGENT)
    agents = replace(newer, record=replace(newer.record, memory=memory))

    assert order(older, newer) == [2, 1]
    assert order(older, agents) == [1, 2]


def tuesdays_and_thursdays(*, score: float = 0.2) -> list[Scored]:
    return [
        scored(1, "We deploy on Tuesdays.", score=0.9),
        scored(2, "We deploy on Thursdays.", score=score),
    ]


def contradicting(newer: int, older: int) -> Link:
    ends = MemoryId(f"m_{newer}"), MemoryId(f"m_{older}")
    return Link(src=ends[0], dst=ends[1], kind=LinkKind.CONTRADICTS)


def disputed_order(items: Sequence[Scored], *links: Link, known: str = "") -> list[int]:
    amended = {MemoryId("m_2"): MemoryId(known)} if known else {}
    found = resolve(items, amended, slots=one_slot, amending=amendments, links=links)
    return [item.record.sequence for item in found.scored]


@requirement("recall.newer-of-a-dispute-first")
@pytest.mark.parametrize("link", [contradicting(2, 1), contradicting(1, 2)])
def test_of_two_that_contradict_each_other_the_newer_comes_first(link: Link) -> None:
    assert disputed_order(tuesdays_and_thursdays()) == [1, 2]
    assert disputed_order(tuesdays_and_thursdays(), link) == [2, 1]


@requirement("recall.newer-of-a-dispute-first")
def test_of_several_that_contradict_each_other_the_newest_comes_first() -> None:
    items = [*tuesdays_and_thursdays(), scored(3, "We deploy on Mondays.", score=0.1)]
    links = [contradicting(2, 1), contradicting(3, 1), contradicting(3, 2), contradicting(3, 9)]

    assert disputed_order(items, *links) == [3, 2, 1]


@requirement("recall.newer-of-a-dispute-first")
def test_what_contradicts_a_more_trusted_or_pinned_one_does_not_rise() -> None:
    older, newer = tuesdays_and_thursdays()
    memory = replace(newer.record.memory, origin=Origin.AGENT, trust=Origin.AGENT)
    agents = replace(newer, record=replace(newer.record, memory=memory))
    pin = replace(older.record.standing, pinned=True)
    pinned = replace(older, record=replace(older.record, standing=pin))
    both = replace(newer, record=replace(newer.record, standing=pin))

    assert disputed_order([older, agents], contradicting(2, 1)) == [1, 2]
    assert disputed_order([pinned, newer], contradicting(2, 1)) == [1, 2]
    assert disputed_order([pinned, both], contradicting(2, 1)) == [2, 1]


@requirement("recall.newer-of-a-dispute-first")
def test_a_dispute_that_somebody_decided_changes_no_order() -> None:
    items = tuesdays_and_thursdays()
    settling = replace(contradicting(2, 1), kind=LinkKind.COMPATIBLE)

    assert disputed_order(items, contradicting(2, 1), settling) == [1, 2]
    assert disputed_order(items, contradicting(2, 1), known="m_1") == [1, 2]


@pytest.mark.parametrize("kind", [LinkKind.COMPATIBLE, LinkKind.WITHDRAWN])
def test_values_that_somebody_called_compatible_are_no_rivals(kind: LinkKind) -> None:
    items = [scored(n, f"The default branch is {name}.") for n, name in ((1, "a"), (2, "b"))]
    link = Link(src=MemoryId("m_2"), dst=MemoryId("m_1"), kind=kind)

    found = resolve(items, {}, slots=one_slot, amending=amendments, links=[link])

    assert (found.rivals, found.scored) == ((), tuple(items))


def test_every_older_value_of_a_slot_is_marked_with_the_newest() -> None:
    values = [scored(n, f"The default branch is {name}.") for n, name in enumerate("abc", start=1)]

    assert marks(*values) == {"m_1": "m_3", "m_2": "m_3"}


@requirement("recall.amended-marked")
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("We use Redis for caching.", "We use Redis for session locks."),
        ("The cache is Redis.", "The cache is emptied on every deploy."),
        ("The build is slow on Mondays.", "The build is flaky on Mondays."),
        ("The mail is sent via SES.", "The mail is sent to customers."),
        (
            "The retry policy for upstream calls has a cap.",
            "We have not changed our minds about the upstream retry policy.",
        ),
        ("Ada owns the billing service.", "Ada owns the search service."),
        ("The owner of billing is Ada.", "The owner of search is Grace."),
        ("The port of service A is 8080.", "The port of service B is 8081."),
        ("Tokens of service 1 rotate hourly.", "Tokens of service 2 rotate hourly."),
        ("Never commit secrets to the repository.", "Never commit secrets to the wiki."),
        ("Run the unit tests before every commit.", "Run the unit tests in parallel."),
        ("We deploy the API on Tuesdays.", "We deploy the API from main."),
        ("Tokens rotate hourly.", "Tokens rotate daily."),
        ("Commits pushed to main start a deploy.", "Never amend commits pushed to main."),
        ("A pushed commit is fixed by a new one.", "Fix a commit with git commit --amend."),
        ("The draft of the notes is in docs.", "Ada is revising the draft of the notes."),
        ("Uploads use the chunked client.", "Downloads replaced curl with the chunked client."),
        ("The default branch is main.", "The default branch is main"),
        ("Retries are capped at five.", "Timeouts are capped at thirty seconds."),
    ],
)
def test_what_can_both_be_true_is_not_marked(before: str, after: str) -> None:
    items = (scored(1, before, score=0.9), scored(2, after, score=0.4))

    assert marks(*items) == {}
    assert resolve(items, {}, slots=one_slot, amending=amendments).scored == items


def test_an_amendment_of_something_else_marks_nobody() -> None:
    lunch = scored(1, "Lunch in the canteen starts at noon and costs four euros.")
    newer = scored(2, "Amendment to the retry policy: the upstream cap is 30 seconds.")

    assert marks(lunch, newer) == {}


def test_an_amendment_does_not_reach_into_the_future() -> None:
    older = scored(2, RETRIES)

    assert marks(scored(1, "Amendment to the retry policy: upstream cap 30."), older) == {}


def test_a_memory_without_a_topic_is_about_nothing() -> None:
    newer = scored(2, "Amendment to the retry policy: upstream cap 30.")

    assert marks(scored(1, "Is it so?"), newer) == {}


def test_long_claims_are_not_slots() -> None:
    start = "The default branch is " + "very " * 90

    assert marks(scored(1, start + "old."), scored(2, start + "new.")) == {}


@requirement("recall.amended-marked")
def test_what_somebody_linked_is_marked_whatever_it_says() -> None:
    older, newer = scored(1, "Alpha.", score=0.9), scored(2, "Omega.", score=0.3)

    assert marks(older, newer, known={"m_1": "m_2"}) == {"m_1": "m_2"}
    assert order(older, newer, known={"m_1": "m_2"}) == [2, 1]


def test_a_link_to_a_memory_that_was_not_found_still_marks_the_older_one() -> None:
    older = scored(1, "Alpha.")

    assert marks(older, known={"m_1": "m_9", "m_7": "m_9"}) == {"m_1": "m_9"}
    assert order(older, known={"m_1": "m_9"}) == [1]


def test_a_link_counts_before_what_the_words_say() -> None:
    older, newer = scored(1, "The default branch is a."), scored(2, "The default branch is b.")

    assert marks(older, newer, scored(3, "Omega."), known={"m_1": "m_3"}) == {"m_1": "m_3"}


@requirement("recall.amended-marked")
def test_what_amends_and_is_amended_itself_stands_between() -> None:
    items = [
        scored(1, "The default branch is a.", score=0.9),
        scored(3, "Omega.", score=0.6),
        scored(2, "The default branch is b.", score=0.5),
    ]

    assert marks(*items, known={"m_2": "m_3"}) == {"m_1": "m_2", "m_2": "m_3"}
    assert order(*items, known={"m_2": "m_3"}) == [3, 2, 1]


def test_two_that_supersede_each_other_are_both_given() -> None:
    items = (scored(1, "Alpha.", score=0.9), scored(2, "Omega.", score=0.3))

    assert sorted(order(*items, known={"m_1": "m_2", "m_2": "m_1"})) == [1, 2]


@requirement("recall.reasons-shown")
def test_what_rises_says_so_and_its_parts_still_add_up() -> None:
    items = (scored(1, "Alpha.", score=0.9), scored(2, "Omega.", score=0.3))

    newer, older = resolve(
        items, {MemoryId("m_1"): MemoryId("m_2")}, slots=one_slot, amending=amendments
    ).scored

    assert [reason.leg for reason in newer.reasons] == ["words", "newer"]
    assert newer.score == pytest.approx(sum(reason.amount for reason in newer.reasons))
    assert older == items[0]


def test_who_is_first_already_needs_no_lift() -> None:
    items = (scored(2, "Omega.", score=0.9), scored(1, "Alpha.", score=0.3))

    assert (
        resolve(
            items, {MemoryId("m_1"): MemoryId("m_2")}, slots=one_slot, amending=amendments
        ).scored
        == items
    )


def test_only_the_best_are_looked_at_and_the_rest_keeps_its_order() -> None:
    items = [scored(n, f"Claim {n}.", score=1 - n / 100) for n in range(LOOKED_AT + 5)]
    late = f"m_{LOOKED_AT + 2}"

    assert marks(*items, known={late: "m_1"}) == {}
    assert order(*items) == list(range(LOOKED_AT + 5))


CLAIMS = st.sampled_from(
    [
        "The default branch is a.",
        "The default branch is b.",
        RETRIES,
        "Amendment to the retry policy: the upstream cap is 30 seconds.",
        "Superseding the default branch of the retry policy.",
        "Lunch is at noon.",
    ]
)


@requirement("recall.order-never-by-chance")
@given(
    claims=st.lists(st.tuples(CLAIMS, st.sampled_from([0.1, 0.4, 0.9])), max_size=9),
    seed=st.randoms(),
)
def test_nobody_is_lost_and_the_newer_always_stands_before_what_it_amends(
    claims: list[tuple[str, float]], seed: Any
) -> None:
    numbers = list(range(len(claims)))
    seed.shuffle(numbers)
    items = [
        scored(number, claim, score=score)
        for number, (claim, score) in zip(numbers, claims, strict=True)
    ]
    items.sort(key=lambda item: (-item.score, item.record.sequence))

    found = resolve(items, {}, slots=one_slot, amending=amendments)

    places = {item.record.memory.id: place for place, item in enumerate(found.scored)}
    assert sorted(places) == sorted(item.record.memory.id for item in items)
    assert all(places[one.newer] < places[one.older] for one in found.amended.values())
