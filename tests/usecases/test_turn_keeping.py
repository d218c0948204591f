"""Hooks note turns and have them stored; a new session is told where others left off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from holdfast.app import Holdfast
from holdfast.domain.choices import Kind
from holdfast.domain.sessions.hook_calls import HookAnswer, HookCall, HookEvent
from holdfast.domain.sessions.pending import PendingTurn
from holdfast.domain.values import replace
from holdfast.usecases.sessions.attend import attend
from holdfast.usecases.sessions.hook_ports import HookPorts, TurnPorts
from tests.requirements import requirement
from tests.usecases.attending import UseCaseContext
from tests.usecases.wishes import said


@dataclass
class PlainPending:
    """Turns in a list."""

    turns: list[PendingTurn] = field(default_factory=list)
    done: list[tuple[list[str], list[str]]] = field(default_factory=list)
    ended: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    def begin(self, turn: PendingTurn) -> None:
        self.turns.append(turn)

    def add(self, session: str, *, commands: Sequence[str], paths: Sequence[str]) -> None:
        del session
        self.done.append((list(commands), list(paths)))

    def ask(self, session: str, what: str) -> None:
        del session
        self.asked.append(what)

    def end(self, session: str, *, transcript: str, reply: str = "") -> bool:
        del session, reply
        self.ended.append(transcript)
        return bool(self.turns)

    def of(self, session: str) -> Sequence[PendingTurn]:
        return [turn for turn in self.turns if turn.session == session]

    def left_in(self, root: str, *, limit: int) -> Sequence[PendingTurn]:
        return [turn for turn in self.turns if turn.root == root][:limit]

    def clear(self, session: str, *, stored: Sequence[PendingTurn]) -> None:
        del session, stored


class Tool:
    """A coding tool whose hooks are called."""

    def __init__(self, holdfast: Holdfast) -> None:
        self.context = UseCaseContext(holdfast)
        self.pending = PlainPending()
        self.text = ""
        self.settled = 0
        self.settings = {"session.turns": "on", "session.hydrate": "on"}

    @property
    def ports(self) -> HookPorts:
        def settle() -> None:
            self.settled += 1

        self.context.settings.update(self.settings)
        return replace(
            self.context.ports,
            keeping=TurnPorts(
                pending=self.pending,
                where=lambda: ("main", "a" * 40),
                settle=settle,
                hydrate=lambda tokens, characters: self.text[: min(tokens, characters)],
            ),
        )

    def call(self, happening: HookEvent, **more: Any) -> HookAnswer:
        said = HookCall(tool="claude", happening=happening, session="s1", folder="/x", **more)
        attend(said, ports=self.ports)
        return self.context.heard[-1]


@pytest.fixture
def tool(holdfast: Holdfast) -> Tool:
    return Tool(holdfast)


@requirement("session.hooks")
def test_a_turn_is_noted_from_its_prompt_to_its_end(tool: Tool) -> None:
    tool.call(HookEvent.START)
    tool.call(HookEvent.PROMPT, prompt="Fix the login.", turn="p1")
    tool.call(HookEvent.BEFORE_TOOL, used="Bash", given={"command": "make test"})
    tool.call(HookEvent.BEFORE_TOOL, used="Read", given={"file_path": "/x/a.py"})
    tool.call(HookEvent.STOP, transcript="/t.jsonl")

    (turn,) = tool.pending.turns
    assert (turn.asked, turn.key, turn.branch) == ("Fix the login.", "s1:p1", "main")
    assert tool.pending.done == [(["make test"], [])]
    assert tool.pending.ended == ["/t.jsonl"]
    assert tool.context.leaving.kept == ["s1"]


@requirement("session.hooks")
def test_a_command_that_another_one_starts_is_noted_once(tool: Tool) -> None:
    tool.call(HookEvent.START)
    tool.call(HookEvent.PROMPT, prompt="Install it.", turn="p1")
    line = "sudo python -m pip install x && ls"
    tool.call(HookEvent.BEFORE_TOOL, used="Bash", given={"command": line})

    assert tool.pending.done == [(["sudo python -m pip install x", "ls"], [])]


@requirement("session.approvals")
def test_what_a_person_is_asked_is_noted_and_answered_with_nothing(tool: Tool) -> None:
    tool.call(HookEvent.START)
    tool.call(HookEvent.PROMPT, prompt="Publish it.", turn="p1")

    answers = [
        tool.call(HookEvent.ASK, used="Bash", given={"command": "git  push\n--force"}),
        tool.call(HookEvent.ASK, used="Write", given={"file_path": "/x/a.py"}),
        tool.call(HookEvent.ASK, used="WebFetch", given={"url": "https://example.test"}),
        tool.call(HookEvent.ASK, used="Fly"),
        tool.call(HookEvent.ASK, given={"message": "May I?"}),
        tool.call(HookEvent.ASK),
    ]

    assert set(answers) == {HookAnswer()}
    assert tool.pending.asked == [
        "Bash: git push --force",
        "Write: /x/a.py",
        "WebFetch: https://example.test",
        "Fly",
        "May I?",
    ]


@requirement("session.approvals")
def test_without_turns_no_question_is_noted(tool: Tool) -> None:
    said = HookCall(tool="claude", happening=HookEvent.ASK, session="s1", used="Bash")
    attend(said, ports=replace(tool.ports, keeping=None))
    assert tool.context.heard[-1] == HookAnswer()


def test_prompts_without_a_name_have_keys_of_their_own(tool: Tool) -> None:
    tool.call(HookEvent.START)
    for prompt in ("One.", "Two.", "/clear"):
        tool.call(HookEvent.PROMPT, prompt=prompt)
    assert len({turn.key for turn in tool.pending.turns}) == 2


def test_a_subagent_keeps_nothing(tool: Tool) -> None:
    tool.call(HookEvent.PROMPT, prompt="Fix it.", turn="p1", is_subagent=True)
    tool.call(HookEvent.STOP, is_subagent=True)
    assert tool.pending.turns == []
    assert tool.context.leaving.kept == []


@requirement("session.hooks-end-it")
def test_the_end_of_a_session_is_passed_on_once_it_had_a_prompt(tool: Tool) -> None:
    tool.call(HookEvent.START)
    tool.call(HookEvent.END)
    assert tool.context.leaving.kept == []

    tool.call(HookEvent.PROMPT, prompt="Fix it.", turn="p1")
    tool.call(HookEvent.STOP, turn="p1")
    tool.call(HookEvent.END, turn="e1")

    assert tool.context.leaving.kept == ["s1", "s1"]


def test_a_call_that_a_rule_stops_was_not_done(tool: Tool) -> None:
    said(
        tool.context.holdfast,
        "Never run `terraform apply` here.",
        kind=Kind.RULE,
        metadata={"enforce": "true"},
    )
    tool.settings["hook.enforce"] = "on"
    tool.call(HookEvent.START)
    answer = tool.call(HookEvent.BEFORE_TOOL, used="Bash", given={"command": "terraform apply"})
    assert answer.stop
    assert tool.pending.done == []
    tool.settings["hook.enforce"] = "off"
    tool.call(HookEvent.BEFORE_TOOL, used="Bash", given={"command": "terraform apply"})
    assert len(tool.pending.done) == 1


@requirement("session.hooks")
def test_a_new_session_is_told_where_others_left_off(tool: Tool) -> None:
    tool.text = "left off"
    said(tool.context.holdfast, "Rebase before you merge.", kind=Kind.RULE)
    answer = tool.call(HookEvent.START)

    assert answer.context.startswith("left off\n\n")
    assert "Rebase before you merge." in answer.context
    assert tool.settled == 1
    note = tool.context.sessions.kept["s1"]
    assert note.tokens >= 2


def test_with_nothing_left_only_memories_are_told(tool: Tool) -> None:
    said(tool.context.holdfast, "Rebase before you merge.", kind=Kind.RULE)
    assert tool.call(HookEvent.START).context.startswith("<holdfast-context")


@requirement("session.hooks")
def test_a_person_turns_it_off(tool: Tool) -> None:
    tool.text = "left off"
    tool.settings.update({"session.turns": "off", "session.hydrate": "off"})
    assert tool.call(HookEvent.START).context == ""
    tool.call(HookEvent.PROMPT, prompt="Fix it.", turn="p1")
    tool.call(HookEvent.END)
    assert tool.context.leaving.kept == []
    assert tool.pending.turns == []
    assert tool.settled == 0
