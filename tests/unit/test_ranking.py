from __future__ import annotations

from datetime import timedelta
from math import inf, nan
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.domain.choices import Kind, Origin
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.memory import MemoryRecord, Standing, Usage
from holdfast.domain.recall.bundle import StageRank
from holdfast.domain.recall.certainty import SURE
from holdfast.domain.recall.finding import TermCounts, ThreadPosition
from holdfast.domain.recall.question import terms_of
from holdfast.domain.recall.ranking import Asked, Scored, fitted, rank
from holdfast.domain.recall.relevance import content_words, subject_of
from holdfast.domain.recall.weighing import ScoredHit, Weights
from tests.builders import NOON, a_memory, a_record
from tests.requirements import requirement

WEIGHTS = Weights()


def asked(text: str = "tokens rotate", *, unrelated: float = 0.0) -> Asked:
    words = content_words(terms_of(text))
    counts = TermCounts(memories=100, reaching=100, holding=dict.fromkeys(words, 2.0))
    subject = subject_of(words, counts)
    return Asked(terms=terms_of(text), text=text, at=NOON, subject=subject, unrelated=unrelated)


def numbered(sequence: int, **changes: Any) -> MemoryRecord:
    standing = changes.pop("standing", Standing())
    usage = changes.pop("usage", Usage())
    memory = a_memory(id=MemoryId(f"m_{sequence:03}"), **changes)
    return a_record(memory, sequence=sequence, standing=standing, usage=usage)


def weighed(sequence: int, *, words: float = 0.0, **legs: float) -> ScoredHit:
    candidate = ScoredHit(sequence, words=words)
    for leg, amount in ({"words": words} | legs).items():
        candidate.add(leg, amount)
    return candidate


def score(record: MemoryRecord, *, words: float = 0.5, text: str = "tokens rotate") -> Scored:
    found = [(record, weighed(record.sequence, words=words))]
    return rank(found, asked=asked(text), weights=WEIGHTS)[0]


def legs(scored: Scored) -> dict[str, float]:
    return {reason.leg: reason.amount for reason in scored.reasons}


@requirement("recall.order-never-by-chance")
@given(scores=st.lists(st.sampled_from([0.2, 0.5, 1.0]), max_size=12), seed=st.randoms())
def test_the_best_come_first_and_ties_go_to_who_came_first(scores: list[float], seed: Any) -> None:
    found = [(numbered(n), weighed(n, words=words)) for n, words in enumerate(scores)]
    shuffled = list(found)
    seed.shuffle(shuffled)

    ranked = rank(shuffled, asked=asked(), weights=WEIGHTS)

    order = [(-item.score, item.record.sequence) for item in ranked]
    assert order == sorted(order)
    assert ranked == rank(found, asked=asked(), weights=WEIGHTS)


@requirement("recall.reasons-shown")
@given(
    weighed_before=st.tuples(st.floats(0, 1), st.floats(-1, 1)),
    weight=st.floats(0, 10),
    importance=st.floats(0, 1),
    days=st.integers(-10, 4_000),
    origin=st.sampled_from(Origin),
    good=st.integers(0, 5),
)
def test_the_parts_of_a_score_add_up_to_it(
    weighed_before: tuple[float, float],
    weight: float,
    importance: float,
    days: int,
    origin: Origin,
    good: int,
) -> None:
    record = numbered(
        1,
        weight=weight,
        importance=importance,
        created_at=NOON - timedelta(days=days),
        trust=origin,
        usage=Usage(good=good, bad=1),
    )
    words, thread = weighed_before
    found = [(record, weighed(1, words=words, thread=thread))]

    (scored,) = rank(found, asked=asked(), weights=WEIGHTS)

    assert scored.score == pytest.approx(sum(legs(scored).values()), abs=0.005)
    assert all(round(amount, 3) for amount in legs(scored).values())


@requirement("recall.reasons-shown")
def test_what_was_weighed_before_is_shown_beside_what_the_record_says() -> None:
    candidate = weighed(1, words=0.4, meaning=0.3)
    candidate.cosine = 0.62
    candidate.turn = ThreadPosition(thread="talk", number=2)
    candidate.ranks = [("words and meaning", 4), ("context", 2)]

    (scored,) = rank([(numbered(1, kind=Kind.RULE), candidate)], asked=asked(), weights=WEIGHTS)

    assert list(legs(scored)) == ["words", "meaning", "kind"]
    assert [reason.note for reason in scored.reasons] == ["", "cosine 0.62", "rule"]
    assert scored.turn == candidate.turn
    assert scored.ranks == (
        StageRank(stage="words and meaning", rank=4),
        StageRank(stage="context", rank=2),
    )


@pytest.mark.parametrize(
    ("record", "text", "name"),
    [
        (numbered(1, key="refresh-token"), "what about Refresh-Token?", "refresh-token"),
        (numbered(1, key="refresh_token"), "the token to refresh", "refresh_token"),
        (numbered(1, standing=Standing(label="DEC-001")), "why dec-001", "DEC-001"),
        (numbered(1), "show m_001", "m_001"),
    ],
)
def test_a_memory_that_is_named_exactly_gets_a_reason_for_it(
    record: MemoryRecord, text: str, name: str
) -> None:
    scored = score(record, words=0.0, text=text)

    assert [reason.note for reason in scored.reasons if reason.leg == "exact"] == [name]
    assert scored.is_named
    assert scored.strength >= SURE


@requirement("recall.silent-when-nothing-answers")
@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("token", "to refresh"),
        ("to", "to refresh"),
        ("refresh-cookie", "to refresh"),
        ("--", "to refresh"),
        ("api", "What is the capital of France?"),
        ("rat", "a rate that rates rat2"),
        ("how", "how do I bake bread"),
        ("how-to", "how do I get to Rome"),
    ],
)
def test_a_key_that_is_not_named_gives_nothing(key: str, text: str) -> None:
    scored = score(numbered(1, key=key), words=0.0, text=text)

    assert "exact" not in legs(scored)
    assert not scored.is_named


def test_a_key_is_named_where_it_stands_alone_once() -> None:
    assert score(numbered(1, key="api"), text="the capital of an api").is_named


def test_a_pin_and_a_match_that_hardly_counts() -> None:
    pinned = numbered(2, standing=Standing(pinned=True))

    ranked = rank(
        [(numbered(1), weighed(1, words=0.0001)), (pinned, ScoredHit(2))],
        asked=asked(),
        weights=WEIGHTS,
    )

    assert legs(ranked[0])["pinned"] > 0
    assert "words" not in legs(ranked[0])


def test_a_near_enough_meaning_answers_however_near_the_model_puts_strangers() -> None:
    def answers(cosine: float, *, unrelated: float) -> bool:
        found = [(numbered(1), ScoredHit(1, cosine=cosine))]
        question = asked("bake bread", unrelated=unrelated)
        return rank(found, asked=question, weights=WEIGHTS)[0].strength >= SURE

    assert answers(0.9, unrelated=0.0)
    assert answers(0.9, unrelated=0.7)
    assert answers(0.5, unrelated=0.0)
    assert not answers(0.5, unrelated=0.7)
    assert not answers(0.7, unrelated=0.7)


@pytest.mark.parametrize("leg", ["link", "neighbours", "closing"])
def test_a_good_hit_vouches_for_what_it_leads_to(leg: str) -> None:
    strong, weak = weighed(1, **{leg: 0.5}), weighed(2, **{leg: 0.01})

    ranked = rank([(numbered(1), strong), (numbered(2), weak)], asked=asked(), weights=WEIGHTS)

    assert {item.record.sequence: item.is_vouched_for for item in ranked} == {1: True, 2: False}


def test_a_good_thread_alone_vouches_for_nothing() -> None:
    found = [(numbered(1), weighed(1, thread=0.9))]

    assert not rank(found, asked=asked(), weights=WEIGHTS)[0].is_vouched_for


def test_a_title_in_the_question_raises_the_strength_and_is_not_enough() -> None:
    titled = [(numbered(1), weighed(1, named=0.3))]
    other = [(numbered(1), weighed(1))]

    (named,) = rank(titled, asked=asked("bake bread"), weights=WEIGHTS)
    (unnamed,) = rank(other, asked=asked("bake bread"), weights=WEIGHTS)

    assert named.is_named
    assert unnamed.strength < named.strength < SURE


@pytest.mark.parametrize("kind", Kind)
def test_what_guides_work_ranks_a_little_higher(kind: Kind) -> None:
    guiding = {"decision", "rule", "gotcha", "invariant", "failure", "assumption"}

    assert legs(score(numbered(1, kind=kind))).get("kind", 0) == (
        WEIGHTS.guiding if kind.value in guiding else 0
    )


@pytest.mark.parametrize(
    ("usage", "sign"),
    [(Usage(), 0), (Usage(good=2), 1), (Usage(bad=1), -1), (Usage(good=1, bad=1), 0)],
)
def test_feedback_moves_a_memory_both_ways(usage: Usage, sign: int) -> None:
    feedback = legs(score(numbered(1, usage=usage))).get("feedback", 0)

    assert feedback == pytest.approx(sign * WEIGHTS.feedback)


def test_age_counts_up_to_a_year_and_the_future_counts_as_now() -> None:
    def age(days: int) -> float:
        record = numbered(1, created_at=NOON - timedelta(days=days))
        return legs(score(record)).get("age", 0.0)

    assert age(-3) == 0
    assert age(365) == age(5_000) == -WEIGHTS.age


@requirement("trust.never-rises")
def test_the_less_trusted_a_claim_the_lower_it_ranks() -> None:
    scores = [score(numbered(1, trust=origin)).score for origin in Origin]

    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) == len(Origin)


def three(*words: float) -> tuple[Scored, ...]:
    found = [(numbered(n), weighed(n, words=own)) for n, own in enumerate(words, start=1)]
    return rank(found, asked=asked(), weights=WEIGHTS)


def test_a_reranker_moves_those_it_likes_and_is_named_in_the_reasons() -> None:
    scored = three(0.5, 0.5, 0.5)

    refitted = fitted(scored, [0.1, 0.2, 0.9], name="reader", weights=WEIGHTS)

    assert [item.record.sequence for item in refitted] == [3, 2, 1]
    assert [item.is_vouched_for for item in refitted] == [True, False, False]
    assert all(legs(item)["reader"] > 0 for item in refitted)
    assert all(
        item.score == pytest.approx(sum(legs(item).values()), abs=0.005) for item in refitted
    )


def test_a_reranker_vouches_for_what_fits_by_half_or_more() -> None:
    refitted = fitted(three(0.3, 0.2, 0.1), [0.49, 0.5, 0.51], name="reader", weights=WEIGHTS)

    vouched = {item.record.sequence: item.is_vouched_for for item in refitted}
    assert vouched == {1: False, 2: True, 3: True}


def test_a_reranker_that_says_nonsense_says_nothing() -> None:
    scored = three(0.3, 0.2, 0.1)

    refitted = fitted(scored, [nan, -inf, -5.0], name="reader", weights=WEIGHTS)

    assert [(item.record.sequence, item.score) for item in refitted] == [
        (item.record.sequence, item.score) for item in scored
    ]


def test_a_reranker_cannot_shout() -> None:
    scored = three(0.5, 0.5, 0.5)

    refitted = fitted(scored, [1.0, 99.0, inf], name="reader", weights=WEIGHTS)

    assert [item.record.sequence for item in refitted] == [1, 2, 3]
    assert len({item.score for item in refitted}) == 1


@pytest.mark.parametrize("fits", [[], [1.0], [1.0, 1.0, 1.0, 1.0, 1.0]])
def test_too_few_or_too_many_numbers_of_a_reranker_lose_nobody(fits: list[float]) -> None:
    scored = three(0.5, 0.4, 0.3)

    refitted = fitted(scored, fits, name="reader", weights=WEIGHTS)

    assert [item.record.sequence for item in refitted] == [1, 2, 3]
    untouched = [item.score for item in refitted[len(fits) :]]
    assert untouched == [item.score for item in scored[len(fits) :]]
