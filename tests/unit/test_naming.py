"""Names: what a memory is called, and which names a text mentions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.domain.memory.naming import LONGEST_NAME, mentions_in, names_of, plain_name, title_of
from tests.builders import a_memory


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("Refresh-Rotation", "refresh rotation"),
        ("  Ada   Lovelace! ", "ada lovelace"),
        ("STRASSE", "strasse"),
        ("Straße", "strasse"),
        ("...", ""),
        ("", ""),
    ],
)
def test_a_plain_name_has_no_case_and_no_marks(written: str, plain: str) -> None:
    assert plain_name(written) == plain


@given(st.text(max_size=60))
def test_a_plain_name_stays_as_it_is(text: str) -> None:
    plain = plain_name(text)

    assert plain_name(plain) == plain


def test_a_memory_is_called_by_its_key_and_its_title_once_each() -> None:
    memory = a_memory(key="ada-lovelace", claim="# Ada Lovelace\n\nShe wrote programs.")

    assert names_of(memory) == ("ada lovelace",)


def test_what_stands_in_brackets_only_tells_namesakes_apart() -> None:
    memory = a_memory(claim="Ada (pioneer)\nShe wrote programs.")

    assert names_of(memory) == ("ada pioneer", "ada")


@pytest.mark.parametrize(
    "claim", ["One line.", "\nStarts below.", f"{'x' * 101}\nlong", "Title\n  \n", "2024\nA year."]
)
def test_a_claim_without_a_title_gives_no_name(claim: str) -> None:
    assert names_of(a_memory(claim=claim)) == ()


def test_very_short_names_name_nothing() -> None:
    assert names_of(a_memory(key="ab")) == ()
    assert names_of(a_memory(key="abc")) == ("abc",)


def test_a_long_key_is_cut() -> None:
    assert names_of(a_memory(key="k" * 200)) == ("k" * LONGEST_NAME,)


def test_a_title_is_a_short_first_line_with_more_below() -> None:
    assert title_of("## Rotate tokens \n\nBecause.") == "Rotate tokens"
    assert title_of("Rotate tokens") == ""


def test_mentions_are_runs_of_words_between_capitals() -> None:
    found = mentions_in("When did Ada Lovelace of London meet him?")

    assert "ada lovelace" in found
    assert "ada lovelace of london" in found
    assert "lovelace" in found
    assert "ada lovelace of" not in found
    assert "him" not in found


def test_mentions_start_with_digits_too_and_short_ones_do_not_count() -> None:
    assert "1984" in mentions_in("It was 1984.")
    assert mentions_in("A B") == ("a b",)


def test_a_text_without_names_mentions_none() -> None:
    assert mentions_in("nothing here, nothing there") == ()
    assert mentions_in("") == ()


def test_a_long_text_mentions_a_bounded_number() -> None:
    text = " ".join(f"Name{number}" for number in range(5_000))

    assert len(mentions_in(text)) < 500


@given(st.text(max_size=200))
def test_every_mention_is_plain_and_there_once(text: str) -> None:
    found = mentions_in(text)

    assert len(set(found)) == len(found)
    assert all(plain_name(name) == name for name in found)


def test_a_path_is_mentioned_whole_and_by_its_ends() -> None:
    said = mentions_in('  File "/opt/lib/shop/models/query.py", line 3, in fetch')
    assert "shop models query py" in said
    assert "query py" in said


def test_a_file_is_also_called_by_its_own_name() -> None:
    memory = a_memory(claim="shop/models/query.py\nclass Query: ...")
    assert "shop models query py" in names_of(memory)
    assert "query py" in names_of(memory)


def test_a_file_in_no_folder_is_mentioned_by_its_name() -> None:
    assert "forms py" in mentions_in("the error is in forms.py again")


def test_a_name_has_at_most_seven_words() -> None:
    found = mentions_in("Ada Bo Cy Di Ed Flo Gus Hal")

    assert "ada bo cy di ed flo gus" in found
    assert "bo cy di ed flo gus hal" in found
    assert "ada bo cy di ed flo gus hal" not in found
