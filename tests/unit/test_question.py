from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.domain.errors import BadFieldError
from holdfast.domain.recall.question import (
    MOST_TERMS,
    Question,
    camel_parts,
    matched_terms,
    references_in,
    terms_of,
    unspaced_parts,
)
from tests.requirements import requirement


@requirement("input.refused-with-advice")
@pytest.mark.parametrize("budget", [0, -1, 1_000_001])
def test_a_budget_nobody_could_keep_is_refused(budget: int) -> None:
    with pytest.raises(BadFieldError, match="The budget must be between 1 and 1,000,000"):
        Question(text="?", budget=budget)


@pytest.mark.parametrize("limit", [0, 201])
def test_a_limit_out_of_range_is_refused(limit: int) -> None:
    with pytest.raises(BadFieldError, match="The limit must be between 1 and 200"):
        Question(text="?", limit=limit)


def test_a_question_includes_only_what_exists() -> None:
    assert Question(text="?", include=("memory", "code")).include == ("memory", "code")
    with pytest.raises(BadFieldError, match="names 'gossip'; it takes: memory, code"):
        Question(text="?", include=("memory", "gossip"))


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("", ()),
        ("?! --", ()),
        ("How do tokens rotate? tokens!", ("how", "do", "tokens", "rotate")),
        ("src/app.py:10", ("src/app.py:10", "src", "app", "py", "10")),
        ("refreshToken", ("refreshtoken", "refresh", "token")),
        ("HTTPServer2", ("httpserver2", "http", "server", "2")),
        ("max_line_length", ("max_line_length", "max", "line", "length")),
        ("don't", ("don't", "don", "t")),
        ("Straße", ("strasse",)),
        ("(NEAR)", ("near",)),
    ],
)
def test_a_question_is_looked_up_by_its_words_whole_and_in_parts(
    text: str, terms: tuple[str, ...]
) -> None:
    assert terms_of(text) == terms


@given(text=st.text())
def test_no_question_asks_for_more_than_it_may(text: str) -> None:
    terms = terms_of(text)

    assert len(terms) <= MOST_TERMS
    assert len(set(terms)) == len(terms)
    assert all(0 < len(term) <= 64 for term in terms)


def test_a_question_is_not_a_document() -> None:
    many = terms_of(" ".join(f"word{number}" for number in range(1_000)))
    late = terms_of("x " * 5_000 + "needle")

    assert len(many) == MOST_TERMS
    assert "needle" not in late


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("refreshToken", ["refresh", "Token"]),
        ("parseHTTPHeader2", ["parse", "HTTP", "Header", "2"]),
        ("plain words", []),
        ("Capital SHOUT", []),
        ("größeHier", []),
    ],
)
def test_only_identifiers_come_apart(text: str, parts: list[str]) -> None:
    assert camel_parts(text) == parts


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("有効期限", ["有効", "効期", "期限"]),
        ("使う", ["使", "う"]),
        ("Redisを3台使う", ["Redis", "を", "3", "台使", "う"]),
        ("什么时候发布", ["发布"]),
        ("plain words, größeHier", []),
        ("", []),
    ],
)
def test_scripts_without_spaces_are_read_in_pairs(text: str, parts: list[str]) -> None:
    assert unspaced_parts(text) == parts


def test_a_question_without_spaces_asks_for_its_pairs_and_not_for_the_whole() -> None:
    assert terms_of("缓存使用Redis吗？") == ("缓存", "存使", "使用", "redis")


@requirement("recall.reasons-shown")
@pytest.mark.parametrize(
    ("term", "text"),
    [
        ("token", "Tokens rotate."),
        ("rotating", "It rotates."),
        ("rotation", "It rotated."),
        ("policy", "Two policies."),
        ("refresh", "refreshToken is short-lived"),
        ("src/app.py", "see app.py in src"),
        ("bus", "the bus"),
    ],
)
def test_a_term_is_matched_by_the_stem_it_shares(term: str, text: str) -> None:
    assert matched_terms((term, "absent"), text) == (term,)


def test_words_with_a_digit_or_a_joint_may_be_references() -> None:
    assert references_in("why DEC-7, m_01ab and plain words? DEC-7!") == ("DEC-7", "m_01ab")
    assert references_in("DEC-7's reason") == ("DEC-7",)
    assert len(references_in(" ".join(f"x{number}" for number in range(99)))) == 8
