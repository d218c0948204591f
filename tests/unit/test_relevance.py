"""Relevance: what has something to do with a question, and what merely stands nearest."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.domain.choices import PassageKind
from holdfast.domain.finding import TermCounts, Turn
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory import Standing
from holdfast.domain.passage import Passage
from holdfast.domain.question import terms_of
from holdfast.domain.ranking import Scored
from holdfast.domain.relevance import (
    FAR_BELOW,
    SURE,
    TOO_LITTLE,
    Subject,
    content_words,
    is_misspelt,
    root,
    sifted,
    sifted_passages,
    subject_of,
    words_of,
)
from tests.builders import a_memory, a_record
from tests.requirements import requirement


def subject(question: str, *, memories: int = 500, **holding: float) -> Subject:
    words = content_words(terms_of(question))
    return subject_of(words, TermCounts(memories=memories, holding=holding))


def by_words(question: str, claim: str, *, memories: int = 500, **holding: float) -> float:
    record = a_record(a_memory(claim=claim))
    asked = subject(question, memories=memories, **holding)
    return asked.strength(record, cosine=None, unrelated=0.0)


@requirement("recall.stop-words-say-nothing")
@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("how do I bake bread", ("bake", "bread")),
        ("Who are you, and what is this about?", ()),
        ("What's the customer's address?", ("customer", "address")),
        ("isn't refreshToken in src/auth.py", ("refreshtoken", "refresh", "token", "src", "auth",
                                               "py")),
    ],
)  # fmt: skip
def test_stop_words_are_no_content(question: str, words: tuple[str, ...]) -> None:
    assert set(content_words(terms_of(question))) == set(words)


@requirement("recall.silent-when-nothing-answers")
@pytest.mark.parametrize(
    ("question", "claim", "holding"),
    [
        ("how do I bake bread", "Refactor how an app's root path is found.", {}),
        ("best time to visit Japan", "Timestamps keep the time zone.", {"time": 3.0}),
        ("who won the world cup in 2018", "The world is wide.", {"world": 1.0}),
        ("what is it", "What it is.", {}),
        ("how many calories has 1 avocado", "Chapter 1 of 7.", {"1": 1.0}),
    ],
)
def test_one_common_word_is_no_answer(question: str, claim: str, holding: dict[str, float]) -> None:
    assert by_words(question, claim, **holding) < SURE


@pytest.mark.parametrize(
    ("question", "claim", "holding"),
    [
        ("billing owner", "Priya runs billing.", {"billing": 1.0}),
        ("what does PYTHONHASHSEED do", "Set PYTHONHASHSEED.", {"pythonhashseed": 1.0}),
        ("deploying on fridays", "No deploys on Friday.", {"deploying": 1.0, "fridays": 1.0}),
        ("Roterdam printr", "The Rotterdam printer.", {}),
    ],
)
def test_a_rare_word_in_common_is_an_answer(
    question: str, claim: str, holding: dict[str, float]
) -> None:
    assert by_words(question, claim, **holding) >= SURE


def test_many_rare_words_of_a_long_question_are_an_answer() -> None:
    asked = " ".join(f"word{number}x" for number in range(30))
    claim = " ".join(f"word{number}x" for number in range(8))
    holding = {f"word{number}x": 1.0 for number in range(8)}

    assert by_words(asked, claim, **holding) >= SURE
    assert by_words(asked, "word1x", **holding) < SURE


def test_a_small_store_about_one_thing_does_not_make_its_word_common() -> None:
    assert by_words("do tokens rotate", "Tokens rotate.", memories=3, tokens=3, rotate=3) >= SURE


@requirement("recall.silent-when-nothing-answers")
@given(cosine=st.floats(-1, 1), smaller=st.integers(0, 100_000), more=st.integers(0, 100_000))
def test_the_larger_a_store_the_nearer_a_memory_must_be(
    cosine: float, smaller: int, more: int
) -> None:
    record = a_record(a_memory(claim="Lunch is at noon."))

    few = subject("bread", memories=smaller).strength(record, cosine=cosine, unrelated=0.1)
    many = subject("bread", memories=smaller + more).strength(record, cosine=cosine, unrelated=0.1)

    assert few >= many or cosine < 0.1


def test_likeness_and_words_add_up() -> None:
    record = a_record(a_memory(claim="The carrier allows twenty requests."))
    asked = subject("what keeps us from calling the carrier too fast", carrier=2.0)

    assert asked.strength(record, cosine=0.2, unrelated=0.1) < SURE
    assert asked.strength(record, cosine=0.4, unrelated=0.1) >= SURE
    assert subject("bread").strength(record, cosine=0.3, unrelated=0.1) < SURE
    assert Subject().strength(record, cosine=None, unrelated=0.0) == 0


def test_a_memory_is_known_by_its_claim_key_label_and_tags() -> None:
    memory = a_memory(claim="See refreshToken.", key="cookie-jar", tags=("walrus",))

    words = words_of(a_record(memory, standing=Standing(label="DEC-9")))

    assert words >= {"refreshtoken", "refresh", "token", "cookie", "jar", "walrus", "dec", "9"}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("deploys", "deploy"),
        ("deploying", "deploy"),
        ("policies", "policy"),
        ("retried", "retry"),
        ("running", "run"),
        ("controlled", "control"),
        ("addresses", "address"),
        ("caches", "caching"),
        ("boxes", "box"),
        ("bus", "bus"),
        ("was", "was"),
    ],
)
def test_the_forms_of_a_word_have_one_root(one: str, other: str) -> None:
    assert root(one) == root(other)


@pytest.mark.parametrize(
    ("word", "other", "expected"),
    [
        ("biling", "billing", True),
        ("recipent", "recipient", True),
        ("lable", "label", True),
        ("timestmaps", "timestamps", True),
        ("paginaton", "pagination", True),
        ("authentcaton", "authentication", True),
        ("bread", "break", False),
        ("angle", "angel", True),
        ("label", "label", False),
        ("billing", "billing", False),
        ("planet", "planning", False),
        ("server", "fervor", False),
        ("port", "prot", False),
        ("word12", "word13", False),
        ("server", "", False),
    ],
)
def test_a_slip_of_the_fingers_is_told_from_another_word(
    word: str, other: str, *, expected: bool
) -> None:
    assert is_misspelt(word, other) is expected


def scored(number: int, *, score: float = 1.0, is_pinned: bool = False, **changes: Any) -> Scored:
    record = a_record(a_memory(id=MemoryId(f"m_{number}")), standing=Standing(pinned=is_pinned))
    return Scored(record=record, score=score, reasons=(), **changes)


def why_not(*items: Scored) -> list[str]:
    return [item.why_not for item in sifted(items)]


@requirement("recall.silent-when-nothing-answers")
def test_without_one_sure_answer_nothing_is_given_but_pins() -> None:
    items = [
        scored(1, strength=0.9),
        scored(2, strength=0.6, is_vouched_for=True),
        scored(3, strength=0.0, is_pinned=True),
    ]

    assert why_not(*items) == [TOO_LITTLE, TOO_LITTLE, ""]
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
    turn = Turn(thread="t", number=1)
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
@pytest.mark.parametrize(("best", "given"), [(2.0, [0.9, 1.2]), (4.0, [2.4])])
def test_beside_a_clear_answer_others_must_come_nearer(best: float, given: list[float]) -> None:
    strengths = [best, 0.85, 0.9, 1.2, 2.3, 2.4]

    kept = sifted([scored(n, strength=own) for n, own in enumerate(strengths) if own <= best])

    assert [item.strength for item in kept[1:] if not item.why_not] == given


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

    assert [item.why_not for item in kept] == ["", "", TOO_LITTLE, TOO_LITTLE]


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

    assert [one.why_not for one in sifted_passages(found, question)] == [TOO_LITTLE, TOO_LITTLE]


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


def test_code_that_holds_many_words_of_a_long_question_is_an_answer() -> None:
    asked = " ".join(f"word{number}" for number in range(40))

    (found,) = sifted_passages([passage("word1 word2 word3 word4")], asked)

    assert not found.why_not
    assert sifted_passages([], asked) == []
