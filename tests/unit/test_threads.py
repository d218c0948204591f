"""Threads: where a memory was said, read from its evidence."""

from __future__ import annotations

import pytest

from holdfast.domain.choices import EvidenceType
from holdfast.domain.finding import Turn
from holdfast.domain.threads import turn_of
from tests.builders import a_memory, a_reason


def said(*references: str) -> Turn | None:
    evidence = [a_reason(type=EvidenceType.TURN, reference=each) for each in references]
    return turn_of(a_memory(evidence=(a_reason(reference="elsewhere#9"), *evidence)))


@pytest.mark.parametrize(
    ("reference", "turn"),
    [
        ("talk#7", Turn(thread="talk", number=7)),
        ("a/b#c#12", Turn(thread="a/b#c", number=12)),
        ("talk#007", Turn(thread="talk", number=7)),
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
def test_a_turn_is_a_thread_and_a_number(reference: str, turn: Turn | None) -> None:
    assert said(reference) == turn


def test_the_first_reference_with_a_number_counts() -> None:
    assert said("talk", "talk#3", "talk#5") == Turn(thread="talk", number=3)


def test_evidence_of_another_type_is_no_turn() -> None:
    assert said() is None


def test_a_number_of_any_length_can_be_kept() -> None:
    turn = said(f"talk#{'9' * 60}")

    assert turn is not None
    assert turn.number < 2**63
