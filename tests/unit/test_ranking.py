from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.domain.choices import Kind, Origin
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory import MemoryRecord, Standing, Usage
from holdfast.domain.question import terms_of
from holdfast.domain.ranking import Asked, Scored, Weights, WordHit, rank
from tests.builders import NOON, a_memory, a_record
from tests.requirements import requirement

WEIGHTS = Weights()


def asked(text: str = "tokens rotate", *, best: float = 4.0) -> Asked:
    return Asked(terms=terms_of(text), text=text, at=NOON, best_words=best)


def numbered(sequence: int, **changes: Any) -> MemoryRecord:
    standing = changes.pop("standing", Standing())
    usage = changes.pop("usage", Usage())
    memory = a_memory(id=MemoryId(f"m_{sequence:03}"), **changes)
    return a_record(memory, sequence=sequence, standing=standing, usage=usage)


def score(record: MemoryRecord, *, words: float = 2.0, text: str = "tokens rotate") -> Scored:
    hits = [WordHit(record=record, score=words)]
    return rank(hits, [], asked=asked(text), weights=WEIGHTS)[0]


def legs(scored: Scored) -> dict[str, float]:
    return {reason.leg: reason.amount for reason in scored.reasons}


@requirement("recall.order-never-by-chance")
@given(scores=st.lists(st.sampled_from([1.0, 2.0, 3.0]), max_size=12), seed=st.randoms())
def test_the_best_come_first_and_ties_go_to_who_came_first(scores: list[float], seed: Any) -> None:
    hits = [WordHit(record=numbered(n), score=score) for n, score in enumerate(scores)]
    shuffled = list(hits)
    seed.shuffle(shuffled)

    ranked = rank(shuffled, [], asked=asked(), weights=WEIGHTS)

    order = [(-item.score, item.record.sequence) for item in ranked]
    assert order == sorted(order)
    assert ranked == rank(hits, [], asked=asked(), weights=WEIGHTS)


@requirement("recall.reasons-shown")
@given(
    words=st.floats(0, 4),
    weight=st.floats(0, 10),
    importance=st.floats(0, 1),
    days=st.integers(-10, 4_000),
    origin=st.sampled_from(Origin),
    good=st.integers(0, 5),
)
def test_the_parts_of_a_score_add_up_to_it(
    words: float, weight: float, importance: float, days: int, origin: Origin, good: int
) -> None:
    record = numbered(
        1,
        weight=weight,
        importance=importance,
        created_at=NOON - timedelta(days=days),
        trust=origin,
        usage=Usage(good=good, bad=1),
    )

    scored = score(record, words=words)

    assert scored.score == pytest.approx(sum(legs(scored).values()), abs=0.005)
    assert all(round(amount, 3) for amount in legs(scored).values())


def test_the_best_match_gets_all_that_words_can_give() -> None:
    assert legs(score(numbered(1), words=4.0))["words"] == WEIGHTS.words
    assert legs(score(numbered(1), words=1.0))["words"] == WEIGHTS.words / 4


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
    assert scored.answers


@pytest.mark.parametrize("key", ["token", "to", "refresh-cookie", "--"])
def test_a_key_that_is_not_named_gives_nothing(key: str) -> None:
    scored = score(numbered(1, key=key), words=0.0, text="to refresh")

    assert "exact" not in legs(scored)
    assert not scored.answers


def test_a_pinned_memory_always_answers_and_a_weak_match_does_not() -> None:
    pinned = numbered(2, standing=Standing(pinned=True))

    ranked = rank(
        [WordHit(record=numbered(1), score=0.1)], [pinned], asked=asked(), weights=WEIGHTS
    )

    assert {item.record.sequence: item.answers for item in ranked} == {1: False, 2: True}
    assert legs(ranked[0])["pinned"] == WEIGHTS.pinned


def test_a_memory_that_both_matches_and_is_pinned_comes_once() -> None:
    pinned = numbered(1, standing=Standing(pinned=True))

    ranked = rank([WordHit(record=pinned, score=4.0)], [pinned], asked=asked(), weights=WEIGHTS)

    assert [legs(item)["words"] for item in ranked] == [WEIGHTS.words]


def test_without_any_match_words_give_nothing() -> None:
    pinned = numbered(1, standing=Standing(pinned=True))

    ranked = rank([], [pinned], asked=asked(best=0.0), weights=WEIGHTS)

    assert "words" not in legs(ranked[0])


@pytest.mark.parametrize("kind", Kind)
def test_what_guides_work_ranks_a_little_higher(kind: Kind) -> None:
    guiding = {"decision", "rule", "gotcha", "invariant", "failure", "assumption"}

    assert legs(score(numbered(1, kind=kind))).get("kind", 0) == (
        WEIGHTS.guiding if kind.value in guiding else 0
    )


@pytest.mark.parametrize(
    ("usage", "amount"),
    [(Usage(), 0), (Usage(good=2), 0.05), (Usage(bad=1), -0.05), (Usage(good=1, bad=1), 0)],
)
def test_feedback_moves_a_memory_both_ways(usage: Usage, amount: float) -> None:
    assert legs(score(numbered(1, usage=usage))).get("feedback", 0) == pytest.approx(amount)


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
