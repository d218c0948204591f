"""A tool says what happens; it is answered with what it needs now, and no more."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from contextlib import AbstractContextManager
from typing import Any

import pytest

from holdfast.app import Holdfast
from holdfast.app.part_ports import means_of
from holdfast.domain.checks.outcome import CheckOutcome, CheckState
from holdfast.domain.choices import Kind, Status
from holdfast.domain.memory.anchor import BranchPoint
from holdfast.domain.sessions.hook_calls import HookAnswer, HookCall, HookEvent, SessionStart
from holdfast.domain.values import replace
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.memory.forget import Forget
from holdfast.usecases.sessions.attend import attend
from holdfast.usecases.sessions.news import News, TellNews, tell_news
from holdfast.usecases.sessions.warn import warn
from tests.builders import HERE, FixedClock, PlainSurroundings
from tests.requirements import requirement
from tests.usecases.attending import UseCaseContext
from tests.usecases.plain_verifier import PlainVerifier
from tests.usecases.wishes import a_wish, proposed, said

PUSH = {"command": "git push --force"}


@pytest.fixture
def context(holdfast: Holdfast) -> UseCaseContext:
    said(holdfast, "Never run `git push --force` on main.", kind=Kind.RULE)
    said(holdfast, "We deploy on Tuesdays.", kind=Kind.DECISION)
    return UseCaseContext(holdfast)


def happens(context: UseCaseContext, happening: HookEvent, **more: Any) -> HookAnswer:
    """Let something happen a minute later."""
    context.seconds += 60
    fields: dict[str, Any] = {
        "tool": "claude",
        "happening": happening,
        "session": "s1",
        "folder": "/app",
    }
    attend(HookCall(**(fields | more)), ports=context.ports)
    return context.heard.pop()


def start(context: UseCaseContext, **more: Any) -> str:
    return happens(context, HookEvent.START, **more).context


def prompt(context: UseCaseContext, text: str = "carry on", **more: Any) -> str:
    return happens(context, HookEvent.PROMPT, prompt=text, **more).context


def tool(context: UseCaseContext, **more: Any) -> HookAnswer:
    return happens(context, HookEvent.BEFORE_TOOL, **({"used": "Bash", "given": PUSH} | more))


@requirement("hook.one-bundle-per-session")
def test_a_session_is_told_at_its_start_and_then_left_alone(context: UseCaseContext) -> None:
    assert "Tuesdays" in start(context)

    assert [prompt(context) for _ in range(5)] == [""] * 5
    assert context.sessions.pruned
    assert context.sessions.kept["s1"].told


@requirement("hook.speaks-once")
def test_the_same_happening_is_answered_once(context: UseCaseContext) -> None:
    hook_call = HookCall(tool="claude", happening=HookEvent.START, session="s1", folder="/app")

    attend(hook_call, ports=context.ports)
    attend(hook_call, ports=context.ports)

    assert context.heard[0].context
    assert context.heard[1:] == [HookAnswer()]


def test_a_prompt_is_answered_within_what_is_left(context: UseCaseContext) -> None:
    said(context.holdfast, "The invoice job runs at midnight.", kind=Kind.FACT)
    start(context)

    assert "midnight" in prompt(context, "when does the invoice job run?")
    assert context.sessions.kept["s1"].is_answered
    assert prompt(context, "when does the invoice job run?") == ""


def test_a_store_that_cannot_be_seen_is_nothing_to_tell_of(context: UseCaseContext) -> None:
    context.is_blind = True

    assert start(context) == ""
    context.is_blind = False
    assert "Tuesdays" in prompt(context)
    context.is_blind = True
    assert prompt(context) == ""


def test_a_tool_that_hears_nothing_is_told_nothing(context: UseCaseContext) -> None:
    assert start(context, hears=False) == ""
    assert tool(context, hears=False) == HookAnswer()


@requirement("hook.tells-only-news")
def test_news_are_told_and_what_ended_is_taken_back(context: UseCaseContext) -> None:
    old = said(context.holdfast, "We build by hand.", kind=Kind.DECISION, key="build")
    start(context)
    for _ in range(3):
        prompt(context, "hello")
    said(context.holdfast, "We build in CI.", kind=Kind.DECISION, key="build")
    proposed(context.holdfast, "Maybe we build twice.", kind=Kind.DECISION)

    text = prompt(context)

    assert "+ decision" in text
    assert "- no longer holds" in text
    assert "Maybe" not in text
    assert old.memory.id not in context.sessions.kept["s1"].told
    assert prompt(context) == ""


@requirement("hook.tells-only-news")
def test_a_change_that_means_nothing_to_a_session_is_not_told(context: UseCaseContext) -> None:
    start(context)
    for _ in range(3):
        prompt(context, "hello")
    proposed(context.holdfast, "Maybe we build twice.", kind=Kind.DECISION)

    assert prompt(context) == ""
    pulse = context.ports.watch.pulse(0)
    assert pulse is not None
    assert context.sessions.kept["s1"].sequence == pulse.newest


def test_what_was_forgotten_is_taken_back(context: UseCaseContext) -> None:
    gone = said(context.holdfast, "The cache is warm.", kind=Kind.RULE)
    start(context)
    context.holdfast.memories.forget(Forget(reference=gone.memory.id, by="ada"))

    text = prompt(context)

    assert f"- forgotten [{gone.memory.id}]" in text
    assert "warm" not in text


def test_news_of_other_branches_wait_until_they_arrive(
    seen: Holdfast, surroundings: PlainSurroundings, verifier: PlainVerifier
) -> None:
    context = UseCaseContext(seen)
    said(seen, "We deploy on Tuesdays.", kind=Kind.DECISION)
    start(context)
    surroundings.stands = BranchPoint(branch="feature", head="5" * 40, is_aside=True)
    said(seen, "The feature is on.", kind=Kind.RULE)
    surroundings.stands = None

    assert prompt(context) == ""
    assert verifier.told


@requirement("branch.supersedes-where-it-reaches")
def test_a_session_on_a_branch_hears_what_the_branch_said_anew(
    seen: Holdfast, surroundings: PlainSurroundings
) -> None:
    old = said(seen, "We deploy on Tuesdays.", kind=Kind.DECISION, key="deploy")
    point = BranchPoint(branch="feature", head="5" * 40, is_aside=True)
    surroundings.stands, surroundings.at = point, replace(HERE, branch="feature")
    context = UseCaseContext(seen)
    start(context)
    new = said(seen, "We deploy on Fridays.", kind=Kind.DECISION, key="deploy")

    text = prompt(context)

    ended = f"- no longer holds [{old.memory.id}] (superseded by {new.memory.id})"
    assert ended in text
    assert f"+ decision [{new.memory.id}] We deploy on Fridays." in text


@requirement("hook.warns-once")
def test_a_warning_is_given_once_and_counted(context: UseCaseContext) -> None:
    start(context)

    assert "git push --force" in tool(context).context
    assert tool(context) == HookAnswer()
    assert tool(context, given={"command": "ls"}) == HookAnswer()
    assert tool(context, used="Read", given={"file_path": "x"}) == HookAnswer()
    assert context.sessions.kept["s1"].warnings == 1


def test_a_warning_nobody_hears_comes_with_the_next_prompt(context: UseCaseContext) -> None:
    start(context)

    assert tool(context, hears=False) == HookAnswer()
    assert "git push --force" in prompt(context)
    assert prompt(context) == ""


def test_an_owed_warning_waits_for_a_prompt(context: UseCaseContext) -> None:
    start(context)
    tool(context, hears=False)

    again = start(context, source=SessionStart.RESUME)

    assert again == ""
    assert context.sessions.kept["s1"].owed


@requirement("hook.warns-once")
def test_a_rule_holds_a_tool_back_only_where_a_person_set_so(context: UseCaseContext) -> None:
    said(
        context.holdfast, "Never run `terraform apply`.", kind=Kind.RULE, metadata={"enforce": True}
    )
    given = {"command": "terraform apply"}

    assert tool(context, given=given).stop == ""
    assert tool(context, given=given) == HookAnswer()
    context.settings["hook.enforce"] = "on"
    assert "terraform apply" in tool(context, given=given).stop
    deaf = tool(context, given=given, hears=False)
    assert deaf.stop
    assert deaf.context == ""
    assert context.sessions.kept["s1"].stops == 2
    assert tool(context).stop == ""


def test_a_rule_that_ended_since_holds_nothing_back(context: UseCaseContext) -> None:
    rule = said(
        context.holdfast, "Never run `terraform apply`.", kind=Kind.RULE, metadata={"enforce": True}
    )
    with context.holdfast.store.writing(context.holdfast.clock.now()) as tx:
        ended = replace(rule.standing, status=Status.DEPRECATED)
        tx.memories.set_standing(rule.memory.id, ended)
    context.settings["hook.enforce"] = "on"

    assert tool(context, given={"command": "terraform apply"}) == HookAnswer()


def test_a_warning_names_no_more_than_fits(holdfast: Holdfast, clock: FixedClock) -> None:
    del clock
    names = [
        said(holdfast, f"Rule {number}: " + f"word{number} " * 250, kind=Kind.RULE).memory.id
        for number in range(3)
    ]

    found = warn(names, ports=means_of(holdfast))

    assert found.memories == (names[0],)
    assert warn([], ports=means_of(holdfast)).text == ""


@requirement("conflict.told-in-answers")
def test_a_warning_marks_a_memory_that_another_contradicts(holdfast: Holdfast) -> None:
    rule = said(holdfast, "Wait 5 seconds between retries.", kind=Kind.RULE)
    other = said(holdfast, "Wait 10 seconds between retries.", kind=Kind.RULE)

    found = warn([rule.memory.id], ports=means_of(holdfast))

    assert f"disputed: contradicts m_{other.memory.id[-8:]}" in found.text


@requirement("checks.told")
def test_a_warning_says_in_which_files_a_check_holds(holdfast: Holdfast) -> None:
    checks = ("must not match `print` in *.py", "dependency redis must not appear", "command: true")
    rule = holdfast.memories.remember(a_wish("Never print.", kind=Kind.RULE, checks=checks)).record

    def checker(texts: Iterable[str], **given: Collection[str]) -> Mapping[str, CheckOutcome]:
        assert given == {"only": frozenset(paths)}
        state = {"command: true": CheckState.UNKNOWN}
        return {
            one: CheckOutcome(text=one, state=state.get(one, CheckState.HOLDS)) for one in texts
        }

    ports, paths = replace(means_of(holdfast), checker=checker), ["b.py", "a.py", "x.md"]
    text = warn([rule.memory.id], ports=ports, paths=paths).text
    assert "in *.py — checked now: holds in a.py, b.py\n" in text
    assert "redis must not appear — checked now: holds\n" in text
    assert "checked now: unknown" in text

    paths = [f"{number}.py" for number in range(5)]
    text = warn([rule.memory.id], ports=ports, paths=paths).text
    assert "holds in 0.py, 1.py, 2.py and 2 more" in text


def test_a_warning_says_what_its_evidence_says_now(seen: Holdfast) -> None:
    gotcha = seen.memories.remember(
        a_wish("Lines count from one.", kind=Kind.GOTCHA, grounds=Grounds(places=("src/app.py:2",)))
    ).record

    assert "(fresh)" in warn([gotcha.memory.id], ports=means_of(seen)).text


@requirement("hook.proposes-in-the-background")
def test_proposals_are_begun_at_the_end_and_not_twice(context: UseCaseContext) -> None:
    happens(context, HookEvent.STOP, transcript="/t.jsonl")
    happens(context, HookEvent.END)
    happens(context, HookEvent.END, turn="again")

    assert [one.transcript for one in context.leaving.asked] == ["/t.jsonl"]
    assert context.sessions.kept["s1"].proposals == 1


def test_proposals_that_cannot_be_begun_are_not_counted(context: UseCaseContext) -> None:
    context.leaving.can = False
    happens(context, HookEvent.END)
    context.settings["hook.propose"] = "off"
    happens(context, HookEvent.END)

    assert len(context.leaving.asked) == 1
    assert context.sessions.kept["s1"].proposals == 0


def test_where_no_note_can_be_kept_only_a_start_is_answered(context: UseCaseContext) -> None:
    context.sessions.is_broken = True

    assert "Tuesdays" in start(context)
    assert start(context, is_subagent=True) == ""
    assert prompt(context) == ""
    assert tool(context) == HookAnswer()


def test_after_a_tool_nothing_is_said(context: UseCaseContext) -> None:
    assert happens(context, HookEvent.AFTER_TOOL) == HookAnswer()


@pytest.mark.parametrize(
    ("wanted", "is_asked", "is_whole"),
    [("ask", True, False), ("never", False, False), ("auto", False, True)],
)
def test_a_tool_that_reads_its_files_once_is_reloaded_as_a_person_set_it(
    context: UseCaseContext, wanted: str, *, is_asked: bool, is_whole: bool
) -> None:
    context.settings["restart"] = wanted
    start(context, tool="codex")
    said(context.holdfast, "Never rebase.", kind=Kind.RULE)

    found = happens(context, HookEvent.PROMPT, tool="codex", prompt="go")
    said(context.holdfast, "Never squash.", kind=Kind.RULE)
    again = happens(context, HookEvent.PROMPT, tool="codex", prompt="go on")

    assert bool(found.message) is is_asked
    assert ("Tuesdays" in found.context) is is_whole
    assert "Never rebase." in found.context
    assert again.message == ""


def test_nothing_changed_is_no_news(context: UseCaseContext) -> None:
    newest = context.ports.watch.pulse(0)
    assert newest is not None

    found = tell_news(
        TellNews(since=newest.newest, tokens=500, characters=2_000),
        ports=means_of(context.holdfast),
    )

    assert found == News(newest=newest.newest)


@requirement("hook.records-only-what-was-told")
def test_a_warning_that_was_not_written_is_due_again(context: UseCaseContext) -> None:
    context.is_cut_off = True
    assert tool(context).context == ""
    context.is_cut_off = False

    assert "git push --force" in tool(context).context
    assert tool(context).context == ""
    assert context.sessions.kept["s1"].warnings == 1


@requirement("hook.records-only-what-was-told")
def test_a_bundle_that_was_not_written_is_due_again_for_the_same_event(
    context: UseCaseContext,
) -> None:
    context.is_cut_off = True
    assert start(context, turn="t1") == ""
    assert not context.sessions.kept["s1"].told
    context.is_cut_off = False

    assert "Tuesdays" in start(context, turn="t1")
    assert start(context, turn="t1") == ""


@requirement("hook.records-only-what-was-told")
def test_news_that_was_not_written_is_due_again_for_the_same_prompt(
    context: UseCaseContext,
) -> None:
    start(context)
    said(context.holdfast, "The office is in Bern.", kind=Kind.FACT)
    context.is_cut_off = True
    assert prompt(context, turn="t2") == ""
    context.is_cut_off = False

    assert "Bern" in prompt(context, turn="t2")
    assert prompt(context, turn="t2") == ""
    assert context.sessions.kept["s1"].news == 1


@requirement("hook.records-only-what-was-told")
def test_a_warning_that_is_owed_stays_owed_until_it_was_written(context: UseCaseContext) -> None:
    start(context)
    tool(context, hears=False)
    context.is_cut_off = True
    assert prompt(context) == ""
    context.is_cut_off = False

    assert "git push --force" in prompt(context)
    assert "git push --force" not in prompt(context)


def test_a_cleared_session_receives_everything_again_even_if_its_start_was_cut_off(
    context: UseCaseContext,
) -> None:
    start(context)
    context.is_cut_off = True
    start(context, source=SessionStart.CLEAR)
    context.is_cut_off = False

    assert "Tuesdays" in prompt(context)


def test_a_call_that_waits_for_another_says_nothing_that_the_other_said(
    context: UseCaseContext,
) -> None:
    hook_call = HookCall(tool="claude", happening=HookEvent.START, session="s1", folder="/app")
    held = context.ports.sessions.turn

    def late(session: str) -> AbstractContextManager[None]:
        object.__setattr__(context.sessions, "turn", held)
        attend(hook_call, ports=context.ports)  # the other call, which has the lock first
        return held(session)

    object.__setattr__(context.sessions, "turn", late)
    attend(hook_call, ports=context.ports)

    assert [bool(one.context) for one in context.heard] == [True, False]


@requirement("hook.warns-once")
def test_a_warning_does_not_wait_for_a_call_that_keeps_its_lock(context: UseCaseContext) -> None:
    context.sessions.is_held = True

    assert "git push --force" in tool(context).context
