"""Misspelt words of a question are read as the best hits spell them."""

from __future__ import annotations

import pytest

from holdfast.domain.recall.misspelling import as_spelt, corrections

TEXTS = ("Kelp Tide was directed by Ada Holmgren.", "Holmgren and Ada grew up on Senja.")


@pytest.mark.parametrize(
    ("word", "meant"),
    [("hlomgren", "holmgren"), ("dirceted", "directed"), ("holmgrn", "holmgren")],
)
def test_a_slip_is_read_as_the_word_of_a_text(word: str, meant: str) -> None:
    assert corrections([word], TEXTS) == {word: meant}


@pytest.mark.parametrize("word", ["sejna2", "ada", "zeppelin", "tdie"])
def test_a_short_or_another_word_is_left_as_it_is(word: str) -> None:
    assert corrections([word], TEXTS) == {}


def test_of_two_words_the_one_of_more_texts_is_meant() -> None:
    texts = ["holmgren", "holmgran", "a holmgran"]

    assert corrections(["holmgrxn"], texts) == {"holmgrxn": "holmgran"}


def test_a_capital_stays_a_capital() -> None:
    read = as_spelt("Who is Hlomgren, the hlomgren of HLOMGREN_1?", {"hlomgren": "holmgren"})

    assert read == "Who is Holmgren, the holmgren of Holmgren_1?"


@pytest.mark.parametrize(
    "text", ["holmgren's holmgrenite", "holmgrenite, (holmgren)", "a_holmgren"]
)
def test_a_word_that_a_text_contains_by_itself_is_spelt_right(text: str) -> None:
    assert corrections(["holmgren"], [text, "holmgran"]) == {}


@pytest.mark.parametrize("text", ["holmgrenite", "2holmgren", "holmgren7"])
def test_a_part_of_a_longer_word_is_not_the_word(text: str) -> None:
    assert corrections(["holmgren"], [text, "holmgran"]) == {"holmgren": "holmgran"}
