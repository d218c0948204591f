"""Relevance: what has something to do with a question, and what merely stands nearest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.domain.memory.memory import Standing
from holdfast.domain.recall.certainty import SURE, ComparedWords, SharedTerms, strengths
from holdfast.domain.recall.finding import TermCounts
from holdfast.domain.recall.question import inner_words, pieces_of, terms_of
from holdfast.domain.recall.relevance import (
    QuestionWords,
    content_words,
    is_misspelt,
    root,
    subject_of,
    text_of,
)
from tests.builders import a_memory, a_record
from tests.requirements import requirement


def subject(
    question: str, holding: Mapping[str, float] = {}, *, memories: int = 500
) -> ComparedWords:
    words = content_words(terms_of(question))
    counts = TermCounts(memories=memories, reaching=memories, holding=holding)
    return ComparedWords(subject_of(words, counts))


def by_words(
    question: str, claim: str, holding: Mapping[str, float] = {}, *, memories: int = 500
) -> float:
    record = a_record(a_memory(claim=claim))
    asked = subject(question, holding, memories=memories)
    return alone(asked.tie(record, cosine=None, unrelated=0.0))


def held(words: Sequence[str], text: str, *, unknown: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the words that a text contains."""

    def has(word: str) -> bool:
        asked = QuestionWords(weights={word: 1.0}, unknown=frozenset({word}.intersection(unknown)))
        return ComparedWords(asked).held_by(text) > 0

    return tuple(word for word in words if has(word))


def alone(tie: SharedTerms) -> float:
    return strengths([tie])[0]


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
        ("how do I make sourdough", "Run make itest.", {"make": 1.0}),
        ("how many calories has 1 avocado", "Chapter 1 of 7.", {"1": 1.0}),
    ],
)
def test_one_common_word_is_no_answer(question: str, claim: str, holding: dict[str, float]) -> None:
    assert by_words(question, claim, holding) < SURE


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
    assert by_words(question, claim, holding) >= SURE


def test_a_question_of_everyday_words_alone_is_answered_by_them() -> None:
    assert by_words("the first file", "Read the first file.", {"first": 1.0, "file": 1.0}) >= SURE


def test_many_rare_words_of_a_long_question_are_an_answer() -> None:
    asked = " ".join(f"word{number}x" for number in range(30))
    claim = " ".join(f"word{number}x" for number in range(8))
    holding = {f"word{number}x": 1.0 for number in range(8)}

    assert by_words(asked, claim, holding) >= SURE
    assert by_words(asked, "word1x", holding) < SURE


def test_a_small_store_about_one_thing_does_not_make_its_word_common() -> None:
    holding = {"tokens": 3.0, "rotate": 3.0}

    assert by_words("do tokens rotate", "Tokens rotate.", holding, memories=3) >= SURE


@requirement("recall.silent-when-nothing-answers")
@given(cosine=st.floats(-1, 1), smaller=st.integers(0, 100_000), more=st.integers(0, 100_000))
def test_the_larger_a_store_the_nearer_a_memory_must_be(
    cosine: float, smaller: int, more: int
) -> None:
    record = a_record(a_memory(claim="Lunch is at noon."))

    few = subject("bread", memories=smaller).tie(record, cosine=cosine, unrelated=0.1)
    many = subject("bread", memories=smaller + more).tie(record, cosine=cosine, unrelated=0.1)

    assert alone(few) >= alone(many) or cosine < 0.1


@requirement("recall.paraphrase-answers")
def test_a_near_memory_of_a_small_store_answers_without_a_common_word() -> None:
    record = a_record(a_memory(claim="Tokens rotate hourly."))
    asked = subject("which credentials get renewed", memories=25)

    assert alone(asked.tie(record, cosine=0.36, unrelated=0.05)) >= SURE
    assert alone(asked.tie(record, cosine=0.27, unrelated=0.05)) < SURE


def test_likeness_and_words_add_up() -> None:
    record = a_record(a_memory(claim="The carrier allows twenty requests."))
    asked = subject("what keeps us from calling the carrier too fast", {"carrier": 2.0})

    assert alone(asked.tie(record, cosine=0.2, unrelated=0.1)) < SURE
    assert alone(asked.tie(record, cosine=0.4, unrelated=0.1)) >= SURE
    assert alone(subject("bread").tie(record, cosine=0.3, unrelated=0.1)) < SURE
    assert alone(ComparedWords(QuestionWords()).tie(record, cosine=None, unrelated=0.0)) == 0


def ties(
    question: str, claims: Sequence[str], holding: Mapping[str, float], *, cosine: float = 0.53
) -> list[float]:
    asked = subject(question, holding)
    records = [a_record(a_memory(claim=claim)) for claim in claims]
    return strengths([asked.tie(record, cosine=cosine, unrelated=0.1) for record in records])


@requirement("recall.unknown-words-count-against")
def test_a_common_word_alone_does_not_answer_a_question_about_something_unknown() -> None:
    claims = ["Flask loads its config.", "Flask reads cookies.", "Flask runs a server."]

    about_flask = ties("flask config", claims, {"flask": 60.0, "config": 20.0})
    about_other = ties("deploy flask to a Raspberry", claims, {"flask": 60.0})

    assert max(about_flask) >= SURE
    assert max(about_other) < SURE


@requirement("recall.unknown-words-count-against")
@pytest.mark.parametrize(
    ("claims", "holding"),
    [
        (["Flask loads its config."], {"flask": 60.0}),
        (["Flask loads its config.", "Flask it is."], {"flask": 1.0}),
        (["It loads its config.", "It reads cookies.", "It runs."], {"flask": 60.0}),
    ],
    ids=["stands out", "holds a rare word", "is found by meaning"],
)
def test_a_memory_that_is_not_one_of_many_answers_in_spite_of_unknown_words(
    claims: Sequence[str], holding: Mapping[str, float]
) -> None:
    assert max(ties("deploy flask to a Raspberry", claims, holding)) >= SURE


@requirement("recall.unknown-words-count-against")
def test_words_that_no_memory_contains_ask_for_more_likeness() -> None:
    claims = ["It loads its config."]

    known = ties("deploy flask", claims, {"deploy": 9.0, "flask": 9.0}, cosine=0.46)
    unknown = ties("deploy flask", claims, {}, cosine=0.46)

    assert known[0] >= SURE > unknown[0]


def test_a_turn_needs_no_more_because_of_unknown_words() -> None:
    record = a_record(a_memory(claim="It loads its config."))
    asked = subject("deploy flask")

    turn = asked.tie(record, cosine=0.46, unrelated=0.1, is_turn=True)

    assert alone(turn) >= SURE
    assert turn.doubt == 0


def test_the_rarer_a_word_in_common_the_surer_the_answer() -> None:
    claims, cosine = ["Flask runs."], 0.23

    rare = ties("flask quay", claims, {"flask": 1.0, "quay": 1.0}, cosine=cosine)
    common = ties("flask quay", claims, {"flask": 90.0, "quay": 90.0}, cosine=cosine)

    assert rare[0] >= SURE > common[0]


def test_a_title_in_the_question_counts_and_is_not_enough() -> None:
    record = a_record(a_memory(claim="Fix is a film of 2008."))
    asked = subject("the log has secrets of customers; fix the rule and its tests", {"fix": 1.0})

    named = asked.tie(record, cosine=0.04, unrelated=0.1, is_named=True)
    other = asked.tie(record, cosine=0.04, unrelated=0.1)

    assert alone(other) < alone(named) < SURE


@requirement("recall.unknown-words-count-against")
def test_by_words_alone_a_large_store_asks_for_more() -> None:
    question, claim, holding = "how to boil an egg slowly", "The egg loader.", {"egg": 4.0}

    assert by_words(question, claim, holding, memories=150) >= SURE
    assert by_words(question, claim, holding, memories=150) > (
        by_words(question, claim, holding, memories=4_000)
    )
    assert by_words("boil poach fry an egg", claim, holding, memories=4_000) < SURE


def test_a_memory_is_known_by_its_claim_key_label_and_tags() -> None:
    memory = a_memory(claim="See refreshToken.", key="cookie-jar", tags=("walrus",))

    text = text_of(a_record(memory, standing=Standing(label="DEC-9")))

    words = ("refreshtoken", "refresh", "tokens", "cookie", "jar", "walrus", "dec", "9")
    assert held(words, text) == words


def test_a_word_is_found_by_its_root_and_only_at_the_start_of_a_word() -> None:
    assert held(("deploy", "running"), "They redeploy; then Deploys run.") == ("deploy", "running")
    assert held(("deploy",), "It was redeployed, and un_deployed.") == ("deploy",)
    assert held(("deploy", "art"), "They redeploy the carts at a deployment.") == ()


@given(st.text("abdeglnry sS._-\u00e9"), st.text("adeglnry", min_size=1, max_size=9))
def test_the_search_for_a_root_finds_what_the_roots_of_all_words_say(text: str, word: str) -> None:
    words = [*pieces_of(text.casefold()), *(part.casefold() for part in inner_words(text))]

    assert held((word,), text) == ((word,) if root(word) in map(root, words) else ())


def test_an_unknown_word_is_found_where_a_text_contains_what_it_misspells() -> None:
    unknown = ("postgers", "kubrnetes", "zzz", "migraton7")

    text = "Postgres and kubernetes run each migration7."

    assert held(unknown, text, unknown=unknown) == ("postgers", "kubrnetes")
    assert held(unknown, "seePostgresNow", unknown=unknown) == ("postgers",)
    assert held(unknown, text) == ()


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


@pytest.mark.parametrize(
    ("asked", "held", "is_sure"), [(17, 3, True), (17, 2, False), (24, 3, False)]
)
def test_of_a_long_question_three_rare_words_are_enough_and_too_few_of_very_many_are_not(
    asked: int, held: int, *, is_sure: bool
) -> None:
    words = [
        *("anchor", "ballast", "capstan", "davit", "ensign", "fathom", "gunwale", "halyard"),
        *("jetty", "keel", "lanyard", "mizzen", "oakum", "painter", "quay", "rudder"),
        *("sextant", "tiller", "vang", "winch", "yawl", "zenith", "bollard", "cleat"),
    ]

    strength = by_words(" ".join(words[:asked]), " ".join(words[:held]), dict.fromkeys(words, 1.0))

    assert (strength >= SURE) is is_sure
