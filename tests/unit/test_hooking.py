"""What a session was told decides what it is told next."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast.domain.sessions.hooking import (
    Happening,
    Occasion,
    SessionStart,
    ToolSession,
    Want,
    counted,
    emptied,
    how_to_reload,
    is_claimed,
    is_command,
    noted,
    placed,
    told,
    wants,
    warned,
)
from holdfast.domain.values import replace


def an_occasion(happening: Happening = Happening.PROMPT, **changes: Any) -> Occasion:
    fields: dict[str, Any] = {
        "tool": "claude",
        "happening": happening,
        "session": "s1",
        "prompt": "rotate the tokens",
        "folder": "/app",
    }
    return Occasion(**(fields | changes))


def a_sitting(**changes: Any) -> ToolSession:
    fields: dict[str, Any] = {"session": "s1"}
    return ToolSession(**(fields | changes))


def test_a_start_calls_for_the_whole_once_and_then_for_news() -> None:
    start = an_occasion(Happening.START)

    assert wants(start, a_sitting()) is Want.WHOLE
    assert wants(start, a_sitting(is_briefed=True)) is Want.NEWS


def test_an_early_prompt_is_answered_while_there_is_room() -> None:
    prompt = an_occasion()

    assert wants(prompt, a_sitting()) is Want.WHOLE
    assert wants(prompt, a_sitting(is_briefed=True, prompts=1)) is Want.ANSWER
    assert wants(prompt, a_sitting(is_briefed=True, prompts=1, tokens=1_900)) is Want.NEWS
    assert wants(prompt, a_sitting(is_briefed=True, prompts=1, is_answered=True)) is Want.NEWS
    assert wants(prompt, a_sitting(is_briefed=True, prompts=4)) is Want.NEWS
    assert wants(an_occasion(prompt="/compact"), a_sitting()) is Want.NOTHING


def test_a_subagent_is_warned_and_nothing_else() -> None:
    for happening in Happening:
        wanted = wants(an_occasion(happening, is_subagent=True), a_sitting(turns=9))

        is_tool = happening is Happening.BEFORE_TOOL
        assert wanted is (Want.WARNING if is_tool else Want.NOTHING)


def test_proposals_are_due_after_some_turns_and_at_the_end() -> None:
    stop, end = an_occasion(Happening.STOP), an_occasion(Happening.END)

    assert wants(stop, a_sitting(turns=5)) is Want.NOTHING
    assert wants(stop, a_sitting(turns=6)) is Want.PROPOSALS
    assert wants(end, a_sitting()) is Want.PROPOSALS
    assert wants(end, a_sitting(turns=1, proposals=1)) is Want.PROPOSALS
    assert wants(end, a_sitting(proposals=1)) is Want.NOTHING
    assert wants(an_occasion(Happening.COMPACT), a_sitting(turns=1)) is Want.PROPOSALS
    assert wants(an_occasion(Happening.AFTER_TOOL), a_sitting()) is Want.NOTHING


def test_a_named_turn_is_taken_for_good_and_others_for_a_moment() -> None:
    named, plain = an_occasion(turn="p1"), an_occasion()
    once = counted(counted(a_sitting(), named, now=100), plain, now=100)

    assert is_claimed(once, named, now=9_999)
    assert not is_claimed(once, an_occasion(turn="p2"), now=100)
    assert is_claimed(once, plain, now=105)
    assert not is_claimed(once, plain, now=111)
    assert not is_claimed(once, an_occasion(prompt="something else"), now=105)


def test_a_tool_is_never_taken_by_another_call() -> None:
    before = an_occasion(Happening.BEFORE_TOOL)

    assert not is_claimed(counted(a_sitting(), before, now=1), before, now=1)


def test_a_start_for_another_reason_is_another_happening() -> None:
    once = counted(a_sitting(), an_occasion(Happening.START), now=1)

    again = an_occasion(Happening.START, source=SessionStart.CLEAR)

    assert not is_claimed(once, again, now=1)


@pytest.mark.parametrize(
    "again",
    [
        an_occasion(Happening.START, source=SessionStart.CLEAR),
        an_occasion(Happening.START, source=SessionStart.COMPACT),
        an_occasion(Happening.COMPACT),
    ],
)
def test_a_session_that_is_emptied_is_told_anew(again: Occasion) -> None:
    full = a_sitting(is_briefed=True, tokens=900, told=("m_1",), warned=("m_2",), turns=2)

    fresh = noted(full, again, now=1)

    assert fresh.room == (2_000, 9_000)
    assert not fresh.is_briefed
    assert (fresh.told, fresh.warned) == ((), ())
    assert fresh.turns == 2


def test_a_resumed_session_keeps_what_it_was_told() -> None:
    full = a_sitting(is_briefed=True, told=("m_1",))

    assert noted(full, an_occasion(Happening.START, source=SessionStart.RESUME), now=1).told == (
        "m_1",
    )


def test_prompts_and_turns_are_counted() -> None:
    sitting = a_sitting()
    for now, occasion in {
        7: an_occasion(),
        8: an_occasion(prompt="/clear"),
        9: an_occasion(Happening.STOP),
        30: an_occasion(Happening.STOP, is_subagent=True),
    }.items():
        sitting = counted(noted(sitting, occasion, now=now), occasion, now=now)

    assert (sitting.prompts, sitting.turns) == (1, 1)
    assert (sitting.began, sitting.seen, sitting.tool) == (7, 30, "claude")


def test_only_the_latest_happenings_are_kept_as_taken() -> None:
    sitting = a_sitting()
    for number in range(50):
        sitting = counted(sitting, an_occasion(turn=f"p{number}"), now=number)

    assert len(sitting.claims) == 32


def test_what_is_told_counts_against_the_room() -> None:
    sitting = told(a_sitting(), ("m_1", "m_2", "m_1"), tokens=300, characters=1_000)

    assert sitting.told == ("m_1", "m_2")
    assert sitting.room == (1_700, 8_000)


def test_a_warning_nobody_hears_is_owed() -> None:
    heard = warned(a_sitting(), ("m_1",), is_owed=False)
    unheard = warned(heard, ("m_2",), is_owed=True)

    assert unheard.warned == ("m_1", "m_2")
    assert unheard.owed == ("m_2",)
    assert unheard.warnings == 2


def test_few_folders_are_remembered() -> None:
    sitting = a_sitting()
    for number in range(10):
        sitting = placed(sitting, f"/app{number}", ("/app", None, "default"))
    sitting = placed(sitting, "/app9", ("/app", "repo_1", "default"))

    assert len(sitting.places) == 8
    assert sitting.places["/app9"] == ("/app", "repo_1", "default")


def test_an_order_to_the_tool_is_no_prompt() -> None:
    assert is_command("/clear")
    assert not is_command("/usr/bin is full")
    assert not is_command("clear it")


def test_who_looks_at_its_files_again_needs_no_restart() -> None:
    assert how_to_reload("claude") == ""
    assert "/memory reload" in how_to_reload("gemini")


def test_an_emptied_sitting_keeps_its_counts() -> None:
    assert emptied(replace(a_sitting(), news=3, stops=1)).news == 3
