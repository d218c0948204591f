"""Sifting: what is given beside an answer, and what is left out with which reason."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast.domain.choices import PassageKind
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.memory import Standing
from holdfast.domain.recall.bundle import Passage
from holdfast.domain.recall.finding import ThreadPosition
from holdfast.domain.recall.ranking import Scored
from holdfast.domain.recall.sifting import (
    ENOUGH_OTHERS,
    FAR_BELOW,
    NEARLY_ENOUGH,
    TOO_LITTLE,
    sifted,
    sifted_passages,
)
from holdfast.domain.values import replace
from tests.builders import a_memory, a_record
from tests.requirements import requirement


def scored(number: int, *, score: float = 1.0, is_pinned: bool = False, **changes: Any) -> Scored:
    record = a_record(a_memory(id=MemoryId(f"m_{number}")), standing=Standing(pinned=is_pinned))
    return Scored(record=record, score=score, reasons=(), **changes)


def why_not(*items: Scored) -> list[str]:
    return [kind_of(item.why_not) for item in sifted(items)]


def kind_of(reason: str) -> str:
    return reason.partition(": ")[0]


@requirement("recall.silent-when-nothing-answers")
def test_without_one_sure_answer_nothing_is_given_but_pins() -> None:
    items = [
        scored(1, strength=0.9),
        scored(2, strength=0.6, is_vouched_for=True),
        scored(3, strength=0.0, is_pinned=True),
        scored(4, strength=0.4),
    ]

    assert why_not(*items) == [NEARLY_ENOUGH, NEARLY_ENOUGH, "", TOO_LITTLE]
    assert not any(item.answers for item in sifted(items))


def test_beside_a_sure_answer_others_count_that_come_near_or_are_vouched_for() -> None:
    items = [
        scored(1, strength=1.0),
        scored(2, strength=0.6),
        scored(3, strength=0.4),
        scored(4, strength=0.0, is_vouched_for=True),
    ]

    assert why_not(*items) == ["", "", TOO_LITTLE, ""]


@requirement("recall.far-below-left-out")
def test_what_lies_far_below_the_best_is_left_out_as_such() -> None:
    turn = ThreadPosition(thread="t", number=1)
    items = [
        scored(1, score=2.0),
        scored(2, score=0.8),
        scored(3, score=0.5),
        scored(4, score=0.5, is_named=True),
        scored(5, score=0.5, is_vouched_for=True),
        scored(6, score=0.5, turn=turn),
        scored(7, score=0.1, is_pinned=True, strength=0.0),
        scored(8, score=0.1, is_pinned=True),
    ]

    assert why_not(*items) == ["", "", FAR_BELOW, "", "", "", "", ""]


@requirement("recall.far-below-left-out")
@pytest.mark.parametrize(
    ("best", "asks_for", "given"),
    [
        (1.7, 3, [0.85, 0.9, 1.2]),
        (1.8, 3, []),
        (4.0, 3, [2.8]),
        (2.0, 7, [0.9, 1.2]),
        (4.0, 7, [2.4, 2.8]),
    ],
)
def test_beside_a_clear_answer_others_must_come_nearer(
    best: float, asks_for: int, given: list[float]
) -> None:
    strengths = [best, 0.85, 0.9, 1.2, 2.3, 2.4, 2.8]
    items = [scored(n, strength=own) for n, own in enumerate(strengths) if own <= best]

    kept = sifted(items, asks_for=asks_for)

    assert [item.strength for item in kept[1:] if not item.why_not] == given


@requirement("recall.far-below-left-out")
def test_words_alone_are_clear_at_a_higher_strength() -> None:
    items = [scored(1, strength=2.9), scored(2, strength=1.5)]

    by_words = [replace(item, is_by_words=True) for item in items]

    assert why_not(*items) == ["", FAR_BELOW]
    assert why_not(*by_words) == ["", ""]


@requirement("recall.few-where-unsure")
def test_without_a_rather_sure_answer_the_five_strongest_are_given() -> None:
    items = [
        scored(number, strength=strength, score=2.0 - number / 100)
        for number, strength in enumerate([0.7, 1.0, 1.2, 0.8, 0.9, 1.1, 1.4, 0.95])
    ]
    named = scored(9, strength=1.0, score=1.0, is_named=True)

    given = [item.strength for item in sifted([*items, named]) if not item.why_not]

    assert given == [1.0, 1.2, 1.1, 1.4, 0.95, 1.0]
    assert why_not(*items)[0] == ENOUGH_OTHERS
    assert all(not item.why_not for item in sifted([*items, named], asks_for=9))
    assert all(not item.why_not for item in sifted([*items, scored(10, strength=1.5)]))


@requirement("recall.silence-explained")
def test_a_reason_says_how_much_there_was_of_what_was_needed() -> None:
    silent = sifted([scored(1, strength=0.999)])
    answered = sifted(
        [
            scored(1, strength=3.0),
            scored(2, strength=0.31),
            scored(3, strength=2.0),
            scored(4, strength=3.0, score=0.4),
            scored(5, strength=3.0, score=-0.1),
        ]
    )

    assert [item.why_not for item in (*silent, *answered)] == [
        f"{NEARLY_ENOUGH}: strength 0.99 of the 1.00 needed",
        "",
        f"{TOO_LITTLE}: strength 0.31 of the 0.50 needed beside a sure answer",
        f"{FAR_BELOW}: strength 2.00 of the 2.10 needed",
        f"{FAR_BELOW}: score 0.40 of the 0.50 needed",
        f"{TOO_LITTLE}: its score is -0.10",
    ]


@requirement("recall.far-below-left-out")
def test_a_memory_that_scores_below_nothing_is_never_given() -> None:
    assert why_not(scored(1, score=1.0), scored(2, score=-0.1), scored(3, score=0.0)) == [
        "",
        TOO_LITTLE,
        TOO_LITTLE,
    ]


def test_nothing_sifts_to_nothing() -> None:
    assert sifted(()) == ()


@requirement("recall.amended-marked")
def test_what_amends_a_memory_that_is_given_is_given_too() -> None:
    older, newer, other = MemoryId("m_1"), MemoryId("m_2"), MemoryId("m_3")
    items = [scored(1), scored(2, strength=0.0), scored(3, strength=0.0), scored(4, strength=0.0)]

    kept = sifted(items, {older: newer, other: MemoryId("m_4")})

    assert [kind_of(item.why_not) for item in kept] == ["", "", TOO_LITTLE, TOO_LITTLE]


def passage(text: str, *, reference: str = "src/app.py:1-9", **changes: Any) -> Passage:
    fields: dict[str, Any] = {"kind": PassageKind.CODE, "title": "", "score": 1.0}
    return Passage(reference=reference, text=text, **(fields | changes))


@requirement("recall.silent-when-nothing-answers")
@pytest.mark.parametrize(
    "question",
    ["best time to visit Japan", "how does photosynthesis work", "who are you", "tell me a joke"],
)
def test_code_that_holds_only_common_words_of_a_question_is_no_answer(question: str) -> None:
    found = [passage("find the best time to work and tell who you are"), passage("")]

    sifted_out = [kind_of(one.why_not) for one in sifted_passages(found, question)]
    assert sifted_out == [TOO_LITTLE, TOO_LITTLE]


@pytest.mark.parametrize(
    ("question", "given"),
    [
        ("how is the session cookie signed", [True, True, False]),
        ("why does app.rst fail on Mondays in winter", [True, True, False]),
        ("what was done to keys.py by anybody", [False, False, True]),
    ],
)
def test_code_that_holds_much_of_a_question_or_is_named_by_it_is_an_answer(
    question: str, given: list[bool]
) -> None:
    found = [
        passage("def sign(session_cookie): ...", reference="docs/app.rst:1"),
        passage("the session is opened", reference="docs/app.rst:2"),
        passage("", reference="d1ff", beside=("src/keys.py",), kind=PassageKind.HISTORY),
    ]

    assert [not one.why_not for one in sifted_passages(found, question)] == given


def test_a_passage_whose_documentation_is_near_the_question_answers_without_its_words() -> None:
    found = [replace(passage("def redirect(location)"), likeness=0.4), passage("def other()")]

    near, other = sifted_passages(found, "send the visitor to another address")

    assert near.why_not == ""
    assert kind_of(other.why_not) == TOO_LITTLE


def test_code_that_holds_many_words_of_a_long_question_is_an_answer() -> None:
    asked = " ".join(f"word{number}" for number in range(40))

    (found,) = sifted_passages([passage("word1 word2 word3 word4")], asked)

    assert not found.why_not
    assert sifted_passages([], asked) == []


@requirement("recall.silent-when-nothing-answers")
def test_memories_with_and_without_a_vector_are_measured_by_their_own_kind() -> None:
    items = [
        scored(1, strength=5.0, score=1.3, is_by_words=True),
        scored(2, strength=2.1, score=2.6),
        scored(3, strength=1.0, score=2.5),
        scored(4, strength=2.0, score=1.2, is_by_words=True),
    ]

    assert why_not(*items) == ["", "", FAR_BELOW, FAR_BELOW]
    assert sifted(()) == ()


def test_a_sure_answer_by_words_admits_a_near_one_by_meaning() -> None:
    items = [scored(1, strength=1.2, is_by_words=True), scored(2, strength=0.8)]

    assert why_not(*items) == ["", ""]
