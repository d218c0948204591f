from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.adapters.tokens.estimate import EstimatedTokens
from holdfast.domain.choices import PassageKind
from holdfast.domain.errors import BudgetTooSmallError
from holdfast.domain.ids import MemoryId, bundle_name
from holdfast.domain.recall.bundle import Passage, Reason, StageRank
from holdfast.domain.recall.packing import RankedAnswers, pack
from holdfast.domain.recall.question import Question
from holdfast.domain.recall.ranking import Scored
from holdfast.domain.recall.rendering import Recalled
from holdfast.domain.recall.resolution import Amended
from holdfast.domain.recall.sifting import TOO_LITTLE
from holdfast.domain.text.fencing import nonce_of
from holdfast.domain.values import replace
from tests.builders import NOON, WordCounter, a_bundle, a_memory, a_record
from tests.requirements import requirement

WORDS = WordCounter().count


def by_letters(text: str) -> int:
    return -(-len(text) // 4)


def by_lines(text: str) -> int:
    """A counter whose parts add up to less than the whole: joined text costs more."""
    return len(text.split()) + text.count("\n") ** 2


def scored(number: int, claim: str, **changes: Any) -> Scored:
    fields: dict[str, Any] = {
        "record": a_record(a_memory(id=MemoryId(f"m_{number}"), claim=claim), sequence=number),
        "score": round(1.0 / (number + 1), 6),
        "reasons": (Reason(leg="words", amount=0.6),),
    }
    return Scored(**(fields | changes))


def packed(
    items: list[Scored],
    *,
    budget: int = 2_000,
    limit: int = 20,
    count: Callable[[str], int] = WORDS,
    notes: tuple[str, ...] = (),
    **known: Any,
) -> Recalled:
    question = Question(text="?", budget=budget, limit=limit)
    return pack(
        RankedAnswers(scored=items, **known),
        bundle=a_bundle(question=question, notes=notes),
        nonce="5eed",
        count=count,
    )


def least(count: Callable[[str], int] = WORDS, **known: Any) -> int:
    """Return the least budget that is not refused."""
    with pytest.raises(BudgetTooSmallError) as refused:
        packed([], budget=1, count=count, **known)
    return refused.value.least


def given_ids(recalled: Recalled) -> list[MemoryId]:
    return [item.memory_id for item in recalled.bundle.items]


def refusals(recalled: Recalled) -> dict[str, str]:
    return {item.memory_id: item.why for item in recalled.bundle.left_out}


CLAIMS = st.lists(
    st.text(alphabet="abc \n", min_size=1, max_size=80).filter(str.strip), max_size=12
)
OFFERS = CLAIMS.flatmap(
    lambda claims: st.tuples(
        *(
            st.builds(
                scored, st.just(number), st.just(claim), why_not=st.sampled_from(["", TOO_LITTLE])
            )
            for number, claim in enumerate(claims)
        )
    ).map(list)
)
COUNTERS = st.sampled_from([WORDS, by_letters, by_lines])


@requirement("bundle.never-over-budget")
@given(items=OFFERS, spare=st.integers(0, 300), limit=st.integers(1, 15), count=COUNTERS)
def test_the_text_never_counts_more_than_the_budget(
    items: list[Scored], spare: int, limit: int, count: Callable[[str], int]
) -> None:
    budget = least(count) + spare

    recalled = packed(items, budget=budget, limit=limit, count=count)

    assert count(recalled.markdown()) <= budget
    assert len(recalled.bundle.items) <= limit


@requirement("bundle.left-out-explained")
@given(items=OFFERS, spare=st.integers(0, 400), limit=st.integers(1, 15), count=COUNTERS)
def test_everything_considered_is_either_given_or_left_out_with_a_reason(
    items: list[Scored], spare: int, limit: int, count: Callable[[str], int]
) -> None:
    recalled = packed(items, budget=least(count) + spare, limit=limit, count=count)

    inside, outside = given_ids(recalled), [item.memory_id for item in recalled.bundle.left_out]
    assert sorted(inside + outside) == sorted(item.record.memory.id for item in items)
    assert not set(inside) & set(outside)
    assert all(item.why for item in recalled.bundle.left_out)
    assert set(recalled.records) == {*inside, *outside}


@requirement("recall.order-never-by-chance")
@given(items=OFFERS, spare=st.integers(0, 400))
def test_what_is_given_keeps_the_order_of_its_scores(items: list[Scored], spare: int) -> None:
    scores = [item.score for item in packed(items, budget=least() + spare).bundle.items]

    assert scores == sorted(scores, reverse=True)


@given(items=OFFERS, spare=st.integers(0, 400), count=COUNTERS)
def test_the_bundle_says_what_its_text_counts(
    items: list[Scored], spare: int, count: Callable[[str], int]
) -> None:
    recalled = packed(items, budget=least(count) + spare, count=count)

    assert recalled.bundle.tokens == count(recalled.markdown())


def by_digits(text: str) -> int:
    """A counter that sees every digit: the count in the first line changes the count."""
    return len(text.split()) + sum(letter.isdigit() for letter in text)


@requirement("bundle.never-over-budget")
@given(items=OFFERS, spare=st.integers(0, 300))
def test_the_count_in_the_first_line_counts_itself(items: list[Scored], spare: int) -> None:
    budget = least(by_digits) + spare

    recalled = packed(items, budget=budget, count=by_digits)

    assert by_digits(recalled.markdown()) <= budget


def test_a_memory_is_given_with_the_hash_of_the_bytes_it_had() -> None:
    item = scored(1, "Tokens rotate.")

    kept = packed([item]).bundle.items[0]

    assert kept.content_hash == item.record.memory.content_hash
    assert kept.score == item.score
    assert kept.reasons == item.reasons


def test_a_weak_match_is_left_out_with_that_reason() -> None:
    recalled = packed([scored(1, "Tokens rotate.", why_not=TOO_LITTLE)])

    assert refusals(recalled) == {"m_1": "too little in common with the question"}


@requirement("recall.amended-marked")
def test_what_a_later_memory_amends_is_given_with_a_mark() -> None:
    older, newer = MemoryId("m_2"), MemoryId("m_1")
    amended = {older: Amended(older=older, newer=newer)}

    recalled = packed([scored(1, "Tokens rotate daily."), scored(2, "Hourly.")], amended=amended)

    assert [item.superseded_by for item in recalled.bundle.items] == [None, newer]
    assert recalled.markdown().count("superseded: m_1 is newer and says otherwise") == 1


@requirement("recall.reasons-shown")
def test_what_was_given_and_what_was_not_keep_their_ranks() -> None:
    ranks = (StageRank(stage="words and meaning", rank=3), StageRank(stage="context", rank=1))
    items = [scored(n, f"Claim {n}.", ranks=ranks) for n in range(4)]

    bundles = [packed(items, limit=1).bundle, packed(items, budget=110, count=by_lines).bundle]

    for bundle in bundles:
        assert bundle.items
        assert bundle.left_out
        assert {item.ranks for item in bundle.items} == {ranks}
        assert {left.ranks for left in bundle.left_out} == {ranks}


def test_what_was_already_said_is_not_said_again() -> None:
    recalled = packed([scored(1, "Tokens rotate."), scored(2, "tokens rotate")])

    assert given_ids(recalled) == ["m_1"]
    assert refusals(recalled) == {"m_2": "says the same as m_1"}


def test_no_more_is_given_than_was_asked_for() -> None:
    recalled = packed([scored(1, "One."), scored(2, "Two.")], limit=1)

    assert refusals(recalled) == {"m_2": "beyond the 1 items asked for"}


def test_a_long_thought_is_left_out_whole_and_a_short_one_behind_it_still_fits() -> None:
    long, short = scored(1, "word " * 500), scored(2, "Short.")

    recalled = packed([long, short], budget=100)

    assert given_ids(recalled) == ["m_2"]
    assert "tokens do not fit" in refusals(recalled)["m_1"]


@requirement("bundle.never-over-budget")
def test_an_item_that_no_longer_fits_the_finished_text_is_dropped_from_the_end() -> None:
    recalled = packed([scored(n, f"Claim {n}.") for n in range(4)], budget=110, count=by_lines)

    assert by_lines(recalled.markdown()) <= 110
    assert refusals(recalled)
    assert given_ids(recalled) == [f"m_{n}" for n in range(len(given_ids(recalled)))]


@requirement("bundle.small-budget-refused")
@pytest.mark.parametrize("budget", [1, 5])
def test_a_budget_that_cannot_hold_an_empty_answer_is_refused_with_the_least(budget: int) -> None:
    with pytest.raises(
        BudgetTooSmallError, match=f"Give a budget of at least {least()}"
    ) as refused:
        packed([scored(1, "Tokens rotate.")], budget=budget)

    assert packed([], budget=refused.value.least).bundle.tokens <= refused.value.least


@requirement("bundle.small-budget-refused")
def test_notes_count_towards_the_least_budget() -> None:
    assert least(notes=("five words of a note",)) == least() + WORDS("note: five words of a note")


@requirement("bundle.shortage-said")
def test_an_answer_that_holds_nothing_for_want_of_room_says_what_was_found_and_needed() -> None:
    items = [scored(number, "word " * 200 + str(number)) for number in range(3)]
    weak = scored(9, "Nothing to do with it.", why_not=TOO_LITTLE)

    recalled = packed([*items, weak], budget=least())

    shortage = recalled.bundle.shortage
    assert shortage is not None
    assert shortage.found == 3
    assert (
        f"3 answers were found and none fits: a budget of {shortage.needs} tokens holds the first"
        in (recalled.markdown())
    )
    assert "No memory answers" not in recalled.markdown()
    assert WORDS(recalled.markdown()) <= least()
    assert given_ids(packed([*items, weak], budget=shortage.needs)) == ["m_0"]


@requirement("bundle.shortage-said")
def test_a_single_answer_that_does_not_fit_is_said_in_the_singular() -> None:
    recalled = packed([scored(1, "word " * 200)], budget=least())

    assert "1 answer was found and none fits" in recalled.markdown()


@requirement("bundle.shortage-said")
def test_passages_that_do_not_fit_are_found_too() -> None:
    recalled = packed([], budget=least(), passages=[passage(1, words=300)])

    assert recalled.bundle.shortage is not None
    assert recalled.bundle.shortage.found == 1


@requirement("bundle.shortage-said")
@pytest.mark.parametrize("has_passage", [True, False])
def test_an_item_that_is_dropped_at_the_end_was_found(has_passage: bool) -> None:  # noqa: FBT001
    """Joined text may cost more than its parts, so that the last item goes after all."""

    def joined(text: str) -> int:
        return len(text.split()) + (500 if "quoted data" in text and "Claim" in text else 0)

    items = [] if has_passage else [scored(1, "Claim.")]
    passages = [replace(passage(1), text="Claim.")] if has_passage else []

    recalled = packed(items, budget=200, count=joined, passages=passages)

    assert recalled.bundle.shortage is not None
    assert recalled.bundle.shortage.found == 1


@requirement("bundle.best-left-out-said")
def test_an_answer_without_the_best_says_so_and_names_a_budget_that_holds_it() -> None:
    items = [scored(1, "word " * 500), scored(2, "Short."), scored(3, "Short too.")]

    recalled = packed(items, budget=100)

    shortage = recalled.bundle.shortage
    assert given_ids(recalled) == ["m_2", "m_3"]
    assert shortage is not None
    said = f"note: the best answer was left out; a budget of {shortage.needs} tokens holds it"
    assert said in recalled.markdown().splitlines()
    assert WORDS(recalled.markdown()) == recalled.bundle.tokens <= 100
    assert given_ids(packed(items, budget=shortage.needs))[0] == "m_1"


@requirement("bundle.best-left-out-said")
@given(items=OFFERS, spare=st.integers(0, 200), count=st.sampled_from([WORDS, by_letters]))
def test_the_best_answer_is_given_or_its_budget_is_said(
    items: list[Scored], spare: int, count: Callable[[str], int]
) -> None:
    recalled = packed(items, budget=least(count) + spare, count=count)

    best = [item.record.memory.id for item in items if not item.why_not][:1]
    shortage = recalled.bundle.shortage
    assert (shortage is None) == (best == given_ids(recalled)[:1])
    if shortage is not None:
        assert given_ids(packed(items, budget=shortage.needs, count=count))[:1] == best


@requirement("bundle.best-left-out-said")
def test_a_best_passage_that_is_left_out_is_said_too() -> None:
    recalled = packed([], budget=90, passages=[passage(1, words=300), passage(2)])

    assert [item.reference for item in recalled.bundle.passages] == ["src/2.py:1"]
    assert "the best answer was left out; a budget of" in recalled.markdown()


@requirement("bundle.best-left-out-said")
def test_a_pinned_memory_that_is_no_answer_is_not_the_best_one() -> None:
    pinned = scored(1, "word " * 500, answers=False)

    recalled = packed([pinned, scored(2, "Short.")], budget=100)

    assert given_ids(recalled) == ["m_2"]
    assert recalled.bundle.shortage is None
    assert packed([pinned], budget=100).bundle.shortage is not None


@requirement("bundle.best-left-out-said")
def test_a_best_answer_behind_a_pinned_one_is_measured_whatever_room_is_left() -> None:
    pinned = scored(1, "word " * 500, answers=False)

    recalled = packed([pinned, scored(2, "Short.")], budget=least() + 3)

    shortage = recalled.bundle.shortage
    assert shortage is not None
    assert given_ids(packed([pinned, scored(2, "Short.")], budget=shortage.needs)) == ["m_1", "m_2"]


@requirement("bundle.small-budget-refused")
@given(first=st.integers(0, 2**80), then=st.integers(0, 2**80))
def test_a_budget_that_is_named_works_whatever_the_random_names(first: int, then: int) -> None:
    """The names of an answer are random, and some take more tokens than others."""
    item = scored(1, "word " * 40)

    def asked(entropy: int, budget: int) -> Recalled:
        bundle = a_bundle(
            id=bundle_name(at=NOON, entropy=entropy), question=Question(text="?", budget=budget)
        )
        nonce, count = nonce_of(entropy), EstimatedTokens().count
        return pack(RankedAnswers(scored=[item]), bundle=bundle, nonce=nonce, count=count)

    with pytest.raises(BudgetTooSmallError) as refused:
        asked(first, 10)
    short = asked(then, refused.value.least)
    assert short.bundle.shortage is not None
    assert given_ids(asked(first, short.bundle.shortage.needs)) == ["m_1"]


def passage(number: int, *, words: int = 5) -> Passage:
    return Passage(
        kind=PassageKind.CODE,
        reference=f"src/{number}.py:1",
        title="",
        text=" ".join(["x"] * words),
        score=1.0,
        reasons=(),
    )


@requirement("bundle.never-over-budget")
@pytest.mark.parametrize("spare", [0, 40, 110, 360])
@pytest.mark.parametrize("count", [WORDS, by_letters, by_lines])
def test_passages_and_memories_share_a_budget(spare: int, count: Callable[[str], int]) -> None:
    budget = least(count) + spare
    items = [scored(number, f"Claim number {number} is long enough.") for number in range(12)]
    passages = [passage(number, words=12) for number in range(6)]

    result = packed(items, budget=budget, count=count, passages=passages)

    bundle = result.bundle
    assert count(result.markdown()) == bundle.tokens
    assert bundle.tokens <= budget
    assert len(bundle.items) + len(bundle.left_out) == 12
    assert len(bundle.passages) + len(bundle.passages_left_out) == 6
    assert all(one.why_not for one in bundle.passages_left_out)
    assert set(result.texts) == {one.reference for one in bundle.passages}


def test_memories_take_the_room_that_passages_leave() -> None:
    items = [scored(number, f"Claim number {number} is long enough.") for number in range(6)]
    alone = packed(items, budget=220)

    beside = packed(items, budget=220, passages=[passage(1, words=3)])

    assert len(alone.bundle.items) == len(beside.bundle.items) == 6
    assert len(beside.bundle.passages) == 1
    assert beside.bundle.left_out == ()


def test_beside_passages_memories_take_six_tenths_of_the_budget() -> None:
    items = [scored(number, f"Claim number {number} is long enough.") for number in range(60)]
    passages = [passage(number, words=12) for number in range(60)]

    both = packed(items, budget=1_000, limit=60, passages=passages)

    count = len(both.bundle.items)
    assert (
        packed(items[:count], limit=60).bundle.tokens
        <= 600
        < packed(items[: count + 1], limit=60).bundle.tokens
    )
    assert both.bundle.passages_left_out
    assert all("fit" in why for why in refusals(both).values())


@requirement("recall.lean")
def test_an_item_names_what_repeats_it_if_there_is_room() -> None:
    items = [scored(1, "Ports are open."), scored(2, "ports are open")]

    whole = packed(items, budget=1_000)
    enough = (packed(items, budget=budget) for budget in range(least(), 200))
    tight = next(one for one in enough if one.bundle.items)

    assert given_ids(whole) == given_ids(tight) == ["m_1"]
    assert "\n   said again by: m_2\n" in whole.markdown()
    assert "said again" not in tight.markdown()
    assert refusals(tight) == {"m_2": "says the same as m_1, without room to name it"}


def test_no_more_passages_are_given_than_asked_for() -> None:
    bundle = packed([], limit=2, passages=[passage(number) for number in range(4)]).bundle

    assert [one.reference for one in bundle.passages] == ["src/0.py:1", "src/1.py:1"]
    assert {one.why_not for one in bundle.passages_left_out} == {"beyond the 2 items asked for"}
