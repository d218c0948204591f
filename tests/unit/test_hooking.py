"""What a session was told decides what it is told next."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast.domain.sessions.hook_calls import (
    HookCall,
    HookEvent,
    HookNeed,
    SessionStart,
    ToolSession,
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


def an_occasion(happening: HookEvent = HookEvent.PROMPT, **changes: Any) -> HookCall:
    fields: dict[str, Any] = {
        "tool": "claude",
        "happening": happening,
        "session": "s1",
        "prompt": "rotate the tokens",
        "folder": "/app",
    }
    return HookCall(**(fields | changes))


def a_tool_session(**changes: Any) -> ToolSession:
    fields: dict[str, Any] = {"session": "s1"}
    return ToolSession(**(fields | changes))


def test_a_start_calls_for_the_whole_once_and_then_for_news() -> None:
    start = an_occasion(HookEvent.START)

    assert wants(start, a_tool_session()) is HookNeed.WHOLE
    assert wants(start, a_tool_session(is_briefed=True)) is HookNeed.NEWS


def test_an_early_prompt_is_answered_while_there_is_room() -> None:
    prompt = an_occasion()

    assert wants(prompt, a_tool_session()) is HookNeed.WHOLE
    assert wants(prompt, a_tool_session(is_briefed=True, prompts=1)) is HookNeed.ANSWER
    assert wants(prompt, a_tool_session(is_briefed=True, prompts=1, tokens=1_900)) is HookNeed.NEWS
    assert (
        wants(prompt, a_tool_session(is_briefed=True, prompts=1, is_answered=True)) is HookNeed.NEWS
    )
    assert wants(prompt, a_tool_session(is_briefed=True, prompts=4)) is HookNeed.NEWS
    assert wants(an_occasion(prompt="/compact"), a_tool_session()) is HookNeed.NOTHING


def test_a_subagent_is_warned_and_nothing_else() -> None:
    for happening in HookEvent:
        wanted = wants(an_occasion(happening, is_subagent=True), a_tool_session(turns=9))

        is_tool = happening is HookEvent.BEFORE_TOOL
        assert wanted is (HookNeed.WARNING if is_tool else HookNeed.NOTHING)


def test_proposals_are_due_after_some_turns_and_at_the_end() -> None:
    stop, end = an_occasion(HookEvent.STOP), an_occasion(HookEvent.END)

    assert wants(stop, a_tool_session(turns=5)) is HookNeed.NOTHING
    assert wants(stop, a_tool_session(turns=6)) is HookNeed.PROPOSALS
    assert wants(end, a_tool_session()) is HookNeed.PROPOSALS
    assert wants(end, a_tool_session(turns=1, proposals=1)) is HookNeed.PROPOSALS
    assert wants(end, a_tool_session(proposals=1)) is HookNeed.NOTHING
    assert wants(an_occasion(HookEvent.COMPACT), a_tool_session(turns=1)) is HookNeed.PROPOSALS
    assert wants(an_occasion(HookEvent.AFTER_TOOL), a_tool_session()) is HookNeed.NOTHING


def test_a_named_turn_is_taken_for_good_and_others_for_a_moment() -> None:
    named, plain = an_occasion(turn="p1"), an_occasion()
    once = counted(counted(a_tool_session(), named, now=100), plain, now=100)

    assert is_claimed(once, named, now=9_999)
    assert not is_claimed(once, an_occasion(turn="p2"), now=100)
    assert is_claimed(once, plain, now=105)
    assert not is_claimed(once, plain, now=111)
    assert not is_claimed(once, an_occasion(prompt="something else"), now=105)


def test_a_tool_is_never_taken_by_another_call() -> None:
    before = an_occasion(HookEvent.BEFORE_TOOL)

    assert not is_claimed(counted(a_tool_session(), before, now=1), before, now=1)


def test_a_start_for_another_reason_is_another_happening() -> None:
    once = counted(a_tool_session(), an_occasion(HookEvent.START), now=1)

    again = an_occasion(HookEvent.START, source=SessionStart.CLEAR)

    assert not is_claimed(once, again, now=1)


@pytest.mark.parametrize(
    "again",
    [
        an_occasion(HookEvent.START, source=SessionStart.CLEAR),
        an_occasion(HookEvent.START, source=SessionStart.COMPACT),
        an_occasion(HookEvent.COMPACT),
    ],
)
def test_a_session_that_is_emptied_is_told_anew(again: HookCall) -> None:
    full = a_tool_session(is_briefed=True, tokens=900, told=("m_1",), warned=("m_2",), turns=2)

    fresh = noted(full, again, now=1)

    assert fresh.room == (2_000, 9_000)
    assert told(fresh, (), tokens=50).tokens_sent == 950
    assert not fresh.is_briefed
    assert (fresh.told, fresh.warned) == ((), ())
    assert fresh.turns == 2


def test_a_resumed_session_keeps_what_it_was_told() -> None:
    full = a_tool_session(is_briefed=True, told=("m_1",))

    assert noted(full, an_occasion(HookEvent.START, source=SessionStart.RESUME), now=1).told == (
        "m_1",
    )


def test_prompts_and_turns_are_counted() -> None:
    session = a_tool_session()
    for now, hook_call in {
        7: an_occasion(),
        8: an_occasion(prompt="/clear"),
        9: an_occasion(HookEvent.STOP),
        30: an_occasion(HookEvent.STOP, is_subagent=True),
    }.items():
        session = counted(noted(session, hook_call, now=now), hook_call, now=now)

    assert (session.prompts, session.turns) == (1, 1)
    assert (session.began, session.seen, session.tool) == (7, 30, "claude")


def test_only_the_latest_happenings_are_kept_as_taken() -> None:
    session = a_tool_session()
    for number in range(50):
        session = counted(session, an_occasion(turn=f"p{number}"), now=number)

    assert len(session.claims) == 32


def test_what_is_told_counts_against_the_room() -> None:
    session = told(a_tool_session(), ("m_1", "m_2", "m_1"), tokens=300, characters=1_000)

    assert session.told == ("m_1", "m_2")
    assert session.room == (1_700, 8_000)


def test_a_warning_nobody_hears_is_owed() -> None:
    heard = warned(a_tool_session(), ("m_1",), is_owed=False)
    unheard = warned(heard, ("m_2",), is_owed=True)

    assert unheard.warned == ("m_1", "m_2")
    assert unheard.owed == ("m_2",)
    assert unheard.warnings == 2


def test_few_folders_are_remembered() -> None:
    session = a_tool_session()
    for number in range(10):
        session = placed(session, f"/app{number}", ("/app", None, "default"))
    session = placed(session, "/app9", ("/app", "repo_1", "default"))

    assert len(session.places) == 8
    assert session.places["/app9"] == ("/app", "repo_1", "default")


def test_an_order_to_the_tool_is_no_prompt() -> None:
    assert is_command("/clear")
    assert not is_command("/usr/bin is full")
    assert not is_command("clear it")


def test_who_looks_at_its_files_again_needs_no_restart() -> None:
    assert how_to_reload("claude") == ""
    assert "/memory reload" in how_to_reload("gemini")


def test_an_emptied_sitting_keeps_its_counts() -> None:
    assert emptied(replace(a_tool_session(), news=3, stops=1)).news == 3
