"""Names: what a memory is called, and which names a text mentions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.domain.choices import EvidenceType
from holdfast.domain.memory.memory import Memory
from holdfast.domain.memory.naming import (
    LONGEST_NAME,
    asked_names,
    is_titled,
    label_of,
    mentions_in,
    names_of,
    plain_name,
    subject_of,
    title_of,
)
from tests.builders import a_memory, a_reason
from tests.requirements import requirement


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


@pytest.mark.parametrize(
    ("claim", "label"),
    [
        ("Ada Lovelace: she wrote programs.", "Ada Lovelace"),
        ("Ada (pioneer): she wrote programs.", "Ada (pioneer)"),
        ("7th Cavalry: a regiment.", "7th Cavalry"),
        ("Note: she wrote programs.", ""),
        ("Decision: keep it.", ""),
        ("We agreed: keep it.", ""),
        ("the cache: keep it small.", ""),
        ("Ada Lovelace:", ""),
        ("Ada Lovelace:she wrote.", ""),
        (": nothing before it", ""),
        ("One Two Three Four Five Six Seven Eight: too long.", ""),
        ("No colon at all", ""),
    ],
)
def test_the_name_before_a_colon_is_the_label_of_a_claim(claim: str, label: str) -> None:
    assert label_of(claim) == label


@pytest.mark.parametrize(
    ("claim", "subject"),
    [
        ("Ada Lovelace was a mathematician.", "Ada Lovelace"),
        ("Ada Lovelace (1815 to 1852) was a mathematician.", "Ada Lovelace"),
        ("Ada, the countess of Lovelace, is known for programs.", "Ada"),
        ("Redis stores the sessions.", "Redis"),
        ("The House of Usher is a story.", "The House of Usher"),
        ('"Take a picture" is a song.', "Take a picture"),
        ("`retry_later` is a helper.", "retry_later"),
        ("This is a rule.", ""),
        ("Tokens are signed.", ""),
        ("Refresh Tokens are signed.", "Refresh Tokens"),
        ("We can use Redis.", ""),
        ("The cache is small.", ""),
        ("Use Redis.", ""),
        ("It depends. Redis is fast.", ""),
        ("One Two Three Four Five Six Seven Eight is too long.", ""),
        ("(Ada) is in brackets.", ""),
    ],
)
def test_the_subject_of_the_first_sentence_names_a_claim(claim: str, subject: str) -> None:
    assert subject_of(claim) == subject


@pytest.mark.parametrize(
    ("memory", "is_own"),
    [
        (a_memory(claim="Kelp Tide\nIt is a film."), True),
        (a_memory(claim="Kelp Tide: a film."), True),
        (a_memory(claim="Kelp Tide is a film.", key="kelp.tide"), True),
        (a_memory(claim="Kelp Tide is a film."), False),
    ],
)
def test_a_title_is_a_name_of_its_own_and_a_subject_is_not(memory: Memory, *, is_own: bool) -> None:
    assert is_titled(memory) is is_own


@requirement("recall.prose-names")
def test_a_claim_in_prose_is_named_like_one_with_a_title() -> None:
    for claim in (
        "The Lovelace Engine\nIt computes.",
        "The Lovelace Engine: it computes.",
        "The Lovelace Engine is a machine.",
    ):
        assert names_of(a_memory(claim=claim)) == ("the lovelace engine", "lovelace engine")


def test_the_speaker_of_a_turn_does_not_name_it() -> None:
    said = a_memory(
        claim="Ada Lovelace: I wrote it.",
        evidence=(a_reason(type=EvidenceType.TURN, reference="thread#1"),),
    )

    assert names_of(said) == ()


@given(st.text(max_size=200))
def test_every_text_can_be_read_for_names(text: str) -> None:
    for name in names_of(a_memory(claim=f"A{text}")):
        assert plain_name(name) == name


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


def test_a_question_without_capitals_may_name_any_run_of_words() -> None:
    assert "kelp tide" in asked_names("who directed kelp tide")
    assert "directed" not in asked_names("who directed kelp tide")


def test_a_question_with_capitals_names_only_what_it_capitalises() -> None:
    assert asked_names("who directed Kelp Tide") == mentions_in("who directed Kelp Tide")
