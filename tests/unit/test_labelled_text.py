"""Who speaks in a plain text."""

from __future__ import annotations

import pytest

from holdfast.domain.sessions.labelled_text import turns_of
from holdfast.domain.sessions.transcript import Speaker


def test_labels_of_speakers_split_a_text_into_turns() -> None:
    turns = turns_of("User: use Postgres\nand nothing else\n**Assistant:** noted\nuser: bye\n")

    assert [(turn.number, turn.speaker, turn.text) for turn in turns] == [
        (1, Speaker.USER, "use Postgres\nand nothing else"),
        (2, Speaker.ASSISTANT, "noted"),
        (3, Speaker.USER, "bye"),
    ]


def test_names_that_return_are_speakers() -> None:
    turns = turns_of("Ada: which queue?\nTom: Postgres\nAda: fine\nTom: ok")

    assert [turn.text for turn in turns] == ["which queue?", "Postgres", "fine", "ok"]


@pytest.mark.parametrize(
    "text",
    [
        "We use Postgres.",
        "Notes of today\nAda: one\nTom: two\nAda: three\nTom: four",
        "Port: 8080\nHost: db.internal",
        "Decision: Postgres\nWhy: load\nDecision: Redis\nWhy: speed",
        "Ada: a long story\nof many\nlines and\nlines\nuser: yes",
        "Rule: one\nRule: two",
    ],
)
def test_other_texts_are_one_turn(text: str) -> None:
    assert [turn.text for turn in turns_of(text)] == [text]
