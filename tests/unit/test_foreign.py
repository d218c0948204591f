"""Notes of others, as values."""

from __future__ import annotations

import pytest

from holdfast.domain.choices import Kind
from holdfast.domain.exchange.foreign import (
    LONGEST_NOTE,
    Foreign,
    FoundNotes,
    LeftNote,
    cut_note,
    kind_of,
    link_kind,
    tags_of,
    together,
    told_about,
)
from holdfast.domain.memory.entry import Flaw


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("decision", Kind.DECISION),
        ("Decisions", Kind.DECISION),
        ("feedback", Kind.RULE),
        ("tech", Kind.FACT),
        ("", Kind.FACT),
    ],
)
def test_another_tools_word_means_one_of_our_kinds(word: str, kind: Kind) -> None:
    assert kind_of(word) is kind


def test_an_unknown_word_means_what_the_caller_says() -> None:
    assert kind_of("quest", otherwise=Kind.PLAN) is Kind.PLAN


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("depends_on", "depends-on"),
        ("requires", "depends-on"),
        ("relates to", "related"),
        ("", "related"),
        ("2nd", "related"),
        ("part of", "part-of"),
        ("supersedes", "related"),
        ("contradicts", "related"),
    ],
)
def test_a_relation_becomes_a_kind_of_link_that_settles_nothing(word: str, kind: str) -> None:
    assert link_kind(word) == kind


def test_words_become_tags_each_once() -> None:
    assert tags_of("#Auth", "user data", "Auth", " ", "a,b") == ("Auth", "user-data", "a-b")


def test_a_text_says_what_it_is_about() -> None:
    assert told_about("Billing", "runs at night.") == "Billing: runs at night."
    assert told_about("Billing", "The billing runs at night.") == "The billing runs at night."
    assert told_about("", "It runs.") == "It runs."
    assert told_about("Billing", " ") == "Billing"


def test_a_long_note_is_cut_and_says_so() -> None:
    assert cut_note(" short ") == "short"
    assert cut_note("x" * (LONGEST_NOTE + 1)).endswith("[… the rest stands in the note]")


def test_what_was_found_in_several_places_is_one() -> None:
    note = Foreign(claim="A.", kind=Kind.FACT, source="import:x:y", place="y:1")
    left = LeftNote(text="b", place="y:2", why="no rule")
    flaw = Flaw(path="y", line=3, problem="Broken.")

    found = together(
        [FoundNotes(notes=(note,)), FoundNotes(left=(left,)), FoundNotes(flaws=(flaw,))]
    )

    assert found == FoundNotes(notes=(note,), left=(left,), flaws=(flaw,))


def test_a_claim_comes_without_what_memory_gave_out() -> None:
    fenced = '<holdfast-context id="n">Old.</holdfast-context>'
    note = Foreign(claim=f"{fenced}\nNew. ", kind=Kind.FACT, source="s", place="p")

    assert note.clean_claim == "New."


@pytest.mark.parametrize(
    ("subject", "text", "told"),
    [
        ("Deploys", "Never deploy on Fridays.", "Never deploy on Fridays."),
        ("Unit tests", "Test each unit alone.", "Test each unit alone."),
        ("Deploys", "Never push on Fridays.", "Deploys: Never push on Fridays."),
        ("***", "Never push on Fridays.", "***: Never push on Fridays."),
    ],
)
def test_a_heading_whose_words_a_claim_has_is_not_repeated(
    subject: str, text: str, told: str
) -> None:
    assert told_about(subject, text) == told
