"""How far a transcript was read."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from holdfast.domain.sessions.transcript import (
    Bookmark,
    Speaker,
    Transcript,
    Turn,
    ended_before,
    is_of,
    new_part,
)
from tests.builders import NOON


def a_talk(*names: str, **changes: Any) -> Transcript:
    """A conversation with one turn for each name; an empty name is a turn without an id."""
    turns = tuple(
        Turn(number=number, speaker=Speaker.USER, text=f"turn {number}", name=name, at=NOON)
        for number, name in enumerate(names, start=1)
    )
    fields: dict[str, Any] = {"tool": "claude", "session": "s", "turns": turns}
    return Transcript(**(fields | changes))


def test_without_a_bookmark_everything_is_new() -> None:
    talk = a_talk("a", "b")

    assert new_part(talk, None) == talk
    assert new_part(talk, Bookmark(last={"other": "b"})) == talk
    assert new_part(talk, Bookmark(last={"s": "rewound"})) == talk


def test_only_what_came_after_is_new_with_the_turns_that_lead_to_it() -> None:
    talk = a_talk("a", "b", "c", "d", "e", "", "f")

    after = new_part(talk, Bookmark(last={"s": "#6"}))

    assert [turn.number for turn in after.turns] == [3, 4, 5, 6, 7]


def test_a_conversation_that_did_not_go_on_has_nothing_new() -> None:
    talk = a_talk("a", "b")

    assert new_part(talk, Bookmark().moved(talk)).turns == ()


def test_a_conversation_without_turns_moves_no_bookmark() -> None:
    mark = Bookmark(last={"s": "a"})

    assert mark.moved(a_talk()) is mark


def test_a_conversation_ends_with_its_last_dated_turn() -> None:
    talk = a_talk("a")
    undated = Transcript(
        tool="x", session="s", turns=(Turn(number=1, speaker=Speaker.USER, text="a"),)
    )

    assert ended_before(talk, NOON + timedelta(seconds=1))
    assert not ended_before(talk, NOON)
    assert not ended_before(undated, NOON)


def test_a_conversation_is_of_the_folder_it_was_held_in_and_those_above() -> None:
    talk = a_talk(folder="/home/ada/shop/src/")

    assert is_of(talk, "/home/ada/shop")
    assert is_of(talk, "/home/ada/shop/src")
    assert not is_of(talk, "/home/ada/sho")
    assert not is_of(talk, "/home/ada/shop/src/deep")
