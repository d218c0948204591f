"""Threads: where a memory was said, read from its evidence."""

from __future__ import annotations

import pytest

from holdfast.domain.choices import EvidenceType
from holdfast.domain.recall.finding import ThreadPosition, turn_of
from tests.builders import a_memory, a_reason
from tests.requirements import requirement

CLAIM = "Tokens rotate hourly."


def said(*references: str) -> ThreadPosition | None:
    evidence = [a_reason(type=EvidenceType.TURN, reference=each) for each in references]
    return turn_of(a_memory(claim=CLAIM, evidence=(a_reason(reference="elsewhere#9"), *evidence)))


def turn(thread: str, number: int) -> ThreadPosition:
    return ThreadPosition(thread=thread, number=number, length=len(CLAIM))


@pytest.mark.parametrize(
    ("reference", "place"),
    [
        ("talk#7", turn("talk", 7)),
        ("i_7h2m4x/3", turn("i_7h2m4x", 3)),
        ("i_7h2m4x#3", turn("i_7h2m4x", 3)),
        ("i_7h2m4x/03", turn("i_7h2m4x", 3)),
        ("talk/3", None),
        ("i_7h2m4x/", None),
        ("i_7h2m4x/3/4", None),
        ("i_7h2m4x/-3", None),
        ("i_a b/3", None),
        ("a/b#c#12", turn("a/b#c", 12)),
        ("talk#007", turn("talk", 7)),
        ("talk", None),
        ("talk#", None),
        ("#7", None),
        ("talk#seven", None),
        ("talk#-7", None),
        ("talk#7.5", None),
        ("talk#\N{SUPERSCRIPT TWO}", None),
        ("talk#\N{ARABIC-INDIC DIGIT SEVEN}", None),
    ],
)
@requirement("said.turn-form")
def test_a_turn_is_a_thread_and_a_number(reference: str, place: ThreadPosition | None) -> None:
    assert said(reference) == place


def test_the_first_reference_with_a_number_counts() -> None:
    assert said("talk", "talk#3", "talk#5") == turn("talk", 3)
    assert said("i_7h2m4x/1", "talk#3") == turn("talk", 3)
    assert said("i_7h2m4x/1", "i_7h2m4x/2") == turn("i_7h2m4x", 1)


def test_evidence_of_another_type_is_no_turn() -> None:
    assert said() is None


def test_a_number_of_any_length_can_be_kept() -> None:
    turn = said(f"talk#{'9' * 60}")

    assert turn is not None
    assert turn.number < 2**63


@pytest.mark.parametrize(
    ("claim", "asks", "is_question"),
    [
        ("Where are the keys?", True, True),
        ("Where are the keys?  ", True, True),
        ("Where are the keys? In the drawer.", True, False),
        ("In the drawer.", False, False),
        ("\u9375\u306f\u3069\u3053\uff1f", True, True),
        ("\u0623\u064a\u0646\u061f", True, True),
    ],
)
def test_a_turn_says_whether_it_asks(claim: str, *, asks: bool, is_question: bool) -> None:
    evidence = (a_reason(type=EvidenceType.TURN, reference="talk#1"),)

    found = turn_of(a_memory(claim=claim, evidence=evidence))

    assert found is not None
    assert (found.asks, found.is_question, found.length) == (asks, is_question, len(claim))
