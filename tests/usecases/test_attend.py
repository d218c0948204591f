"""A tool says what happens; it is answered with what it needs now, and no more."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

import pytest

from holdfast.app import Holdfast
from holdfast.app.parts import means_of
from holdfast.domain.choices import Kind, Status
from holdfast.domain.memory.standpoint import Standpoint
from holdfast.domain.sessions.hooking import Happening, HookAnswer, Occasion, SessionStart
from holdfast.domain.values import replace
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.memory.forget import Forget
from holdfast.usecases.sessions.attend import attend
from holdfast.usecases.sessions.news import News, TellNews, tell_news
from holdfast.usecases.sessions.warn import warn
from tests.builders import HERE, FixedClock, PlainSurroundings
from tests.requirements import requirement
from tests.usecases.attending import Desk
from tests.usecases.plain_witness import PlainWitness
from tests.usecases.wishes import a_wish, proposed, said

PUSH = {"command": "git push --force"}


@pytest.fixture
def desk(holdfast: Holdfast) -> Desk:
    said(holdfast, "Never run `git push --force` on main.", kind=Kind.RULE)
    said(holdfast, "We deploy on Tuesdays.", kind=Kind.DECISION)
    return Desk(holdfast)


def happens(desk: Desk, happening: Happening, **more: Any) -> HookAnswer:
    """Let something happen a minute later."""
    desk.seconds += 60
    fields: dict[str, Any] = {
        "tool": "claude",
        "happening": happening,
        "session": "s1",
        "folder": "/app",
    }
    attend(Occasion(**(fields | more)), post=desk.post)
    return desk.heard.pop()


def start(desk: Desk, **more: Any) -> str:
    return happens(desk, Happening.START, **more).context


def prompt(desk: Desk, text: str = "carry on", **more: Any) -> str:
    return happens(desk, Happening.PROMPT, prompt=text, **more).context


def tool(desk: Desk, **more: Any) -> HookAnswer:
    return happens(desk, Happening.BEFORE_TOOL, **({"used": "Bash", "given": PUSH} | more))


@requirement("hook.one-bundle-per-session")
def test_a_session_is_told_at_its_start_and_then_left_alone(desk: Desk) -> None:
    assert "Tuesdays" in start(desk)

    assert [prompt(desk) for _ in range(5)] == [""] * 5
    assert desk.sittings.pruned
    assert desk.sittings.kept["s1"].told


@requirement("hook.speaks-once")
def test_the_same_happening_is_answered_once(desk: Desk) -> None:
    occasion = Occasion(tool="claude", happening=Happening.START, session="s1", folder="/app")

    attend(occasion, post=desk.post)
    attend(occasion, post=desk.post)

    assert desk.heard[0].context
    assert desk.heard[1:] == [HookAnswer()]


def test_a_prompt_is_answered_within_what_is_left(desk: Desk) -> None:
    said(desk.holdfast, "The invoice job runs at midnight.", kind=Kind.FACT)
    start(desk)

    assert "midnight" in prompt(desk, "when does the invoice job run?")
    assert desk.sittings.kept["s1"].is_answered
    assert prompt(desk, "when does the invoice job run?") == ""


def test_a_store_that_cannot_be_seen_is_nothing_to_tell_of(desk: Desk) -> None:
    desk.is_blind = True

    assert start(desk) == ""
    desk.is_blind = False
    assert "Tuesdays" in prompt(desk)
    desk.is_blind = True
    assert prompt(desk) == ""


def test_a_tool_that_hears_nothing_is_told_nothing(desk: Desk) -> None:
    assert start(desk, hears=False) == ""
    assert tool(desk, hears=False) == HookAnswer()


@requirement("hook.tells-only-news")
def test_news_are_told_and_what_ended_is_taken_back(desk: Desk) -> None:
    old = said(desk.holdfast, "We build by hand.", kind=Kind.DECISION, key="build")
    start(desk)
    for _ in range(3):
        prompt(desk, "hello")
    said(desk.holdfast, "We build in CI.", kind=Kind.DECISION, key="build")
    proposed(desk.holdfast, "Maybe we build twice.", kind=Kind.DECISION)

    text = prompt(desk)

    assert "+ decision" in text
    assert "- no longer holds" in text
    assert "Maybe" not in text
    assert old.memory.id not in desk.sittings.kept["s1"].told
    assert prompt(desk) == ""


@requirement("hook.tells-only-news")
def test_a_change_that_means_nothing_to_a_session_is_not_told(desk: Desk) -> None:
    start(desk)
    for _ in range(3):
        prompt(desk, "hello")
    proposed(desk.holdfast, "Maybe we build twice.", kind=Kind.DECISION)

    assert prompt(desk) == ""
    pulse = desk.post.watch.pulse(0)
    assert pulse is not None
    assert desk.sittings.kept["s1"].sequence == pulse.newest


def test_what_was_forgotten_is_taken_back(desk: Desk) -> None:
    gone = said(desk.holdfast, "The cache is warm.", kind=Kind.RULE)
    start(desk)
    desk.holdfast.memories.forget(Forget(reference=gone.memory.id, by="ada"))

    text = prompt(desk)

    assert f"- forgotten [{gone.memory.id}]" in text
    assert "warm" not in text


def test_news_of_other_branches_wait_until_they_arrive(
    seen: Holdfast, surroundings: PlainSurroundings, witness: PlainWitness
) -> None:
    desk = Desk(seen)
    said(seen, "We deploy on Tuesdays.", kind=Kind.DECISION)
    start(desk)
    surroundings.stands = Standpoint(branch="feature", head="5" * 40, is_aside=True)
    said(seen, "The feature is on.", kind=Kind.RULE)
    surroundings.stands = None

    assert prompt(desk) == ""
    assert witness.told


@requirement("branch.supersedes-where-it-reaches")
def test_a_session_on_a_branch_hears_what_the_branch_said_anew(
    seen: Holdfast, surroundings: PlainSurroundings
) -> None:
    old = said(seen, "We deploy on Tuesdays.", kind=Kind.DECISION, key="deploy")
    point = Standpoint(branch="feature", head="5" * 40, is_aside=True)
    surroundings.stands, surroundings.at = point, replace(HERE, branch="feature")
    desk = Desk(seen)
    start(desk)
    new = said(seen, "We deploy on Fridays.", kind=Kind.DECISION, key="deploy")

    text = prompt(desk)

    ended = f"- no longer holds [{old.memory.id}] (superseded by {new.memory.id})"
    assert ended in text
    assert f"+ decision [{new.memory.id}] We deploy on Fridays." in text


@requirement("hook.warns-once")
def test_a_warning_is_given_once_and_counted(desk: Desk) -> None:
    start(desk)

    assert "git push --force" in tool(desk).context
    assert tool(desk) == HookAnswer()
    assert tool(desk, given={"command": "ls"}) == HookAnswer()
    assert tool(desk, used="Read", given={"file_path": "x"}) == HookAnswer()
    assert desk.sittings.kept["s1"].warnings == 1


def test_a_warning_nobody_hears_comes_with_the_next_prompt(desk: Desk) -> None:
    start(desk)

    assert tool(desk, hears=False) == HookAnswer()
    assert "git push --force" in prompt(desk)
    assert prompt(desk) == ""


def test_an_owed_warning_waits_for_a_prompt(desk: Desk) -> None:
    start(desk)
    tool(desk, hears=False)

    again = start(desk, source=SessionStart.RESUME)

    assert again == ""
    assert desk.sittings.kept["s1"].owed


@requirement("hook.warns-once")
def test_a_rule_holds_a_tool_back_only_where_a_person_set_so(desk: Desk) -> None:
    said(desk.holdfast, "Never run `terraform apply`.", kind=Kind.RULE, metadata={"enforce": True})
    given = {"command": "terraform apply"}

    assert tool(desk, given=given).stop == ""
    assert tool(desk, given=given) == HookAnswer()
    desk.settings["hook.enforce"] = "on"
    assert "terraform apply" in tool(desk, given=given).stop
    deaf = tool(desk, given=given, hears=False)
    assert deaf.stop
    assert deaf.context == ""
    assert desk.sittings.kept["s1"].stops == 2
    assert tool(desk).stop == ""


def test_a_rule_that_ended_since_holds_nothing_back(desk: Desk) -> None:
    rule = said(
        desk.holdfast, "Never run `terraform apply`.", kind=Kind.RULE, metadata={"enforce": True}
    )
    with desk.holdfast.store.writing(desk.holdfast.clock.now()) as tx:
        ended = replace(rule.standing, status=Status.DEPRECATED)
        tx.memories.set_standing(rule.memory.id, ended)
    desk.settings["hook.enforce"] = "on"

    assert tool(desk, given={"command": "terraform apply"}) == HookAnswer()


def test_a_warning_names_no_more_than_fits(holdfast: Holdfast, clock: FixedClock) -> None:
    del clock
    names = [
        said(holdfast, f"Rule {number}: " + f"word{number} " * 250, kind=Kind.RULE).memory.id
        for number in range(3)
    ]

    found = warn(names, means=means_of(holdfast))

    assert found.memories == (names[0],)
    assert warn([], means=means_of(holdfast)).text == ""


def test_a_warning_says_what_its_evidence_says_now(seen: Holdfast) -> None:
    gotcha = seen.memories.remember(
        a_wish("Lines count from one.", kind=Kind.GOTCHA, grounds=Grounds(places=("src/app.py:2",)))
    ).record

    assert "(fresh)" in warn([gotcha.memory.id], means=means_of(seen)).text


@requirement("hook.proposes-in-the-background")
def test_proposals_are_begun_at_the_end_and_not_twice(desk: Desk) -> None:
    happens(desk, Happening.STOP, transcript="/t.jsonl")
    happens(desk, Happening.END)
    happens(desk, Happening.END, turn="again")

    assert [one.transcript for one in desk.leaving.asked] == ["/t.jsonl"]
    assert desk.sittings.kept["s1"].proposals == 1


def test_proposals_that_cannot_be_begun_are_not_counted(desk: Desk) -> None:
    desk.leaving.can = False
    happens(desk, Happening.END)
    desk.settings["hook.propose"] = "off"
    happens(desk, Happening.END)

    assert len(desk.leaving.asked) == 1
    assert desk.sittings.kept["s1"].proposals == 0


def test_where_no_note_can_be_kept_only_a_start_is_answered(desk: Desk) -> None:
    desk.sittings.is_broken = True

    assert "Tuesdays" in start(desk)
    assert start(desk, is_subagent=True) == ""
    assert prompt(desk) == ""
    assert tool(desk) == HookAnswer()


def test_after_a_tool_nothing_is_said(desk: Desk) -> None:
    assert happens(desk, Happening.AFTER_TOOL) == HookAnswer()


@pytest.mark.parametrize(
    ("wanted", "is_asked", "is_whole"),
    [("ask", True, False), ("never", False, False), ("auto", False, True)],
)
def test_a_tool_that_reads_its_files_once_is_reloaded_as_a_person_set_it(
    desk: Desk, wanted: str, *, is_asked: bool, is_whole: bool
) -> None:
    desk.settings["restart"] = wanted
    start(desk, tool="codex")
    said(desk.holdfast, "Never rebase.", kind=Kind.RULE)

    found = happens(desk, Happening.PROMPT, tool="codex", prompt="go")
    said(desk.holdfast, "Never squash.", kind=Kind.RULE)
    again = happens(desk, Happening.PROMPT, tool="codex", prompt="go on")

    assert bool(found.message) is is_asked
    assert ("Tuesdays" in found.context) is is_whole
    assert "Never rebase." in found.context
    assert again.message == ""


def test_nothing_changed_is_no_news(desk: Desk) -> None:
    newest = desk.post.watch.pulse(0)
    assert newest is not None

    found = tell_news(
        TellNews(since=newest.newest, tokens=500, characters=2_000),
        means=means_of(desk.holdfast),
    )

    assert found == News(newest=newest.newest)


@requirement("hook.records-only-what-was-told")
def test_a_warning_that_was_not_written_is_due_again(desk: Desk) -> None:
    desk.is_cut_off = True
    assert tool(desk).context == ""
    desk.is_cut_off = False

    assert "git push --force" in tool(desk).context
    assert tool(desk).context == ""
    assert desk.sittings.kept["s1"].warnings == 1


@requirement("hook.records-only-what-was-told")
def test_a_bundle_that_was_not_written_is_due_again_for_the_same_event(desk: Desk) -> None:
    desk.is_cut_off = True
    assert start(desk, turn="t1") == ""
    assert not desk.sittings.kept["s1"].told
    desk.is_cut_off = False

    assert "Tuesdays" in start(desk, turn="t1")
    assert start(desk, turn="t1") == ""


@requirement("hook.records-only-what-was-told")
def test_news_that_was_not_written_is_due_again_for_the_same_prompt(desk: Desk) -> None:
    start(desk)
    said(desk.holdfast, "The office is in Bern.", kind=Kind.FACT)
    desk.is_cut_off = True
    assert prompt(desk, turn="t2") == ""
    desk.is_cut_off = False

    assert "Bern" in prompt(desk, turn="t2")
    assert prompt(desk, turn="t2") == ""
    assert desk.sittings.kept["s1"].news == 1


@requirement("hook.records-only-what-was-told")
def test_a_warning_that_is_owed_stays_owed_until_it_was_written(desk: Desk) -> None:
    start(desk)
    tool(desk, hears=False)
    desk.is_cut_off = True
    assert prompt(desk) == ""
    desk.is_cut_off = False

    assert "git push --force" in prompt(desk)
    assert "git push --force" not in prompt(desk)


def test_a_cleared_session_receives_everything_again_even_if_its_start_was_cut_off(
    desk: Desk,
) -> None:
    start(desk)
    desk.is_cut_off = True
    start(desk, source=SessionStart.CLEAR)
    desk.is_cut_off = False

    assert "Tuesdays" in prompt(desk)


def test_a_call_that_waits_for_another_says_nothing_that_the_other_said(desk: Desk) -> None:
    occasion = Occasion(tool="claude", happening=Happening.START, session="s1", folder="/app")
    held = desk.post.sittings.turn

    def late(session: str) -> AbstractContextManager[None]:
        object.__setattr__(desk.sittings, "turn", held)
        attend(occasion, post=desk.post)  # the other call, which has the lock first
        return held(session)

    object.__setattr__(desk.sittings, "turn", late)
    attend(occasion, post=desk.post)

    assert [bool(one.context) for one in desk.heard] == [True, False]


@requirement("hook.warns-once")
def test_a_warning_does_not_wait_for_a_call_that_keeps_its_lock(desk: Desk) -> None:
    desk.sittings.is_held = True

    assert "git push --force" in tool(desk).context
