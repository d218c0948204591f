"""Before it happens: a warning at the very thing, once, and never a no unless a person set it."""

from __future__ import annotations

import json
import os
import subprocess
from typing import Any

import pytest

from tests.cli.program import UNHURRIED, Program
from tests.hook.caller import CONTEXT, Caller, keep
from tests.requirements import requirement

FORCE = "git push origin main --force"


@requirement("hook.warns-of-what-is-named")
def test_a_command_a_rule_forbids_is_warned_of(caller: Caller) -> None:
    text = caller.bash(FORCE)

    assert text.startswith(CONTEXT)
    assert "Never run `git push --force` on main." in text


@requirement("hook.warns-of-what-is-named")
def test_a_file_a_gotcha_was_read_in_is_warned_of(caller: Caller) -> None:
    assert "replaying one revokes the family" in caller.edit("src/auth/tokens.py")
    assert caller.edit("src/auth/other.py") == ""


@requirement("hook.warns-of-what-is-named")
def test_other_commands_and_tools_that_read_are_not_warned_of(caller: Caller) -> None:
    for command in ("git push", "git status", "make test", "ls -la | head"):
        assert caller.bash(command) == ""
    path = str(caller.program.folder / "src/auth/tokens.py")
    assert caller.context("PreToolUse", tool_name="Read", tool_input={"file_path": path}) == ""


@requirement("hook.warns-once")
def test_a_memory_warns_once_in_a_session(caller: Caller) -> None:
    assert caller.bash(FORCE) != ""

    assert caller.bash(FORCE) == ""
    assert caller.note()["warnings"] == len(caller.note()["warned"])
    other = Caller(caller.program, session="another")
    assert other.bash(FORCE) != ""


@requirement("hook.warns-once")
def test_a_warning_never_says_no_by_itself(caller: Caller) -> None:
    done = caller.call("PreToolUse", tool_name="Bash", tool_input={"command": FORCE}).json

    assert set(done) == {"hookSpecificOutput"}
    assert set(done["hookSpecificOutput"]) == {"hookEventName", "additionalContext"}


def enforced(program: Program) -> None:
    keep(program, "Never run `terraform apply` here.", "rule", "--metadata", "enforce=true")


@requirement("hook.warns-once")
@pytest.mark.parametrize(
    ("dialect", "event", "given", "verdict"),
    [
        ("claude", "PreToolUse", {"tool_name": "Bash"}, "ask"),
        ("codex", "PreToolUse", {"tool_name": "Bash"}, "deny"),
    ],
)
def test_a_rule_is_enforced_each_time_where_a_person_set_so(
    program: Program, dialect: str, event: str, given: dict[str, Any], verdict: str
) -> None:
    enforced(program)
    caller = Caller(program, dialect=dialect)
    given = {**given, "tool_input": {"command": "terraform apply"}}

    before = caller.call(event, **given).json["hookSpecificOutput"]
    program("config", "set", "hook.enforce", "on").well()
    after = [caller.call(event, **given).json["hookSpecificOutput"] for _ in range(2)]

    assert "permissionDecision" not in before
    for said in after:
        assert said["permissionDecision"] == verdict
        assert "terraform apply" in said["permissionDecisionReason"]
    assert caller.note()["stops"] == 2


def test_a_rule_without_that_mark_only_warns(caller: Caller) -> None:
    caller.program("config", "set", "hook.enforce", "on").well()

    done = caller.call("PreToolUse", tool_name="Bash", tool_input={"command": FORCE}).json

    assert "permissionDecision" not in done["hookSpecificOutput"]


def test_metadata_says_when_to_warn(program: Program) -> None:
    when = ("--metadata", "when.command=kubectl delete*", "--metadata", "when.path=deploy/**")
    keep(program, "Ask the on-call first.", "rule", *when)
    caller = Caller(program)

    assert "on-call" in caller.bash("kubectl delete pod web-1")
    assert "on-call" in Caller(program, session="s2").edit("deploy/eu/values.yaml")
    assert Caller(program, session="s3").bash("kubectl get pods") == ""


def test_what_waits_ended_or_belongs_elsewhere_does_not_warn(program: Program) -> None:
    program("remember", "--kind", "rule", "--because", "I think", "--origin", "agent",
            "Never run `git gc` here.").well()  # fmt: skip
    keep(program, "Never run `git fsck` here.", "rule", "--key", "fsck")
    keep(program, "The store checks itself.", "rule", "--key", "fsck")
    caller = Caller(program)

    assert caller.bash("git gc") == ""
    assert caller.bash("git fsck") == ""


def test_no_more_than_three_warn_at_once(program: Program) -> None:
    for number in range(6):
        keep(program, f"Never edit `src/auth/tokens.py`, reason {number}.")
    caller = Caller(program)

    assert caller.edit("src/auth/tokens.py").count("Never edit") == 3
    assert caller.edit("src/auth/tokens.py").count("Never edit") == 3
    assert caller.edit("src/auth/tokens.py") == ""


def test_a_tool_without_an_ear_is_warned_with_the_next_prompt(caller: Caller) -> None:
    copilot = Caller(caller.program, dialect="copilot", session="cp")
    copilot.call("sessionStart", source="new")
    done = copilot.call("preToolUse", toolName="bash", toolArgs=json.dumps({"command": FORCE}))

    assert done.out == ""
    said = copilot.call("userPromptSubmitted", prompt="and now?").json
    assert "git push --force" in said["additionalContext"]
    assert copilot.call("userPromptSubmitted", prompt="and then?").out == ""


def test_a_subagent_is_warned_too(caller: Caller) -> None:
    given = {"tool_name": "Bash", "tool_input": {"command": FORCE}}

    assert caller.context("PreToolUse", agent_id="a1", agent_type="explore", **given) != ""


@pytest.mark.parametrize(
    ("dialect", "event", "given"),
    [
        ("codex", "PreToolUse", {"tool_name": "shell", "tool_input": {"command": FORCE.split()}}),
        (
            "gemini",
            "BeforeTool",
            {"tool_name": "run_shell_command", "tool_input": {"command": FORCE}},
        ),
        ("cursor", "preToolUse", {"tool_name": "Shell", "tool_input": {"command": FORCE}}),
        (
            "cline",
            "PreToolUse",
            {"preToolUse": {"toolName": "execute_command", "parameters": {"command": FORCE}}},
        ),
        (
            "cline",
            "PreToolUse",
            {"tool_call": {"name": "run_commands", "input": {"commands": ["ls", FORCE]}}},
        ),
        ("opencode", "before-tool", {"tool_name": "bash", "tool_input": {"command": FORCE}}),
    ],
)
def test_every_tool_that_hears_is_warned_in_its_own_shape(
    caller: Caller, dialect: str, event: str, given: dict[str, Any]
) -> None:
    other = Caller(caller.program, dialect=dialect, session=f"of-{dialect}")

    assert "git push --force" in other.call(event, **given).out


def test_windsurf_cannot_be_told_anything(caller: Caller) -> None:
    windsurf = Caller(caller.program, dialect="windsurf")
    info = {"command_line": FORCE, "cwd": str(caller.program.folder)}

    assert windsurf.call("pre_run_command", trajectory_id="t", tool_info=info).out == ""
    assert windsurf.call("pre_user_prompt", trajectory_id="t", tool_info={}).out == ""
    assert windsurf.note()["warnings"] == 1


def test_cursors_shell_hook_is_deaf_but_obeys(caller: Caller) -> None:
    enforced(caller.program)
    caller.program("config", "set", "hook.enforce", "on").well()
    cursor = Caller(caller.program, dialect="cursor", session="cu")

    assert cursor.call("beforeShellExecution", command=FORCE).out == "{}\n"
    held = cursor.call("beforeShellExecution", command="terraform apply").json
    assert held["permission"] == "ask"
    assert "terraform" in held["agent_message"]


def unheard(caller: Caller, event: str, **more: object) -> None:
    """Call the hook as a tool that has gone away: nobody can read the answer."""
    payload = {"session_id": caller.session, "cwd": str(caller.program.folder), **more}
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [*UNHURRIED, "hook", caller.dialect, event],
            input=json.dumps(payload).encode(),
            stdout=writing,
            stderr=subprocess.PIPE,
            cwd=caller.program.folder,
            env=caller.program.environment,
            check=False,
        )
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


@requirement("hook.records-only-what-was-told")
def test_what_nobody_could_read_is_told_by_the_next_call(caller: Caller) -> None:
    keep(caller.program, "Never run `git push --force` here.")
    push = {"tool_name": "Bash", "tool_input": {"command": "git push --force"}}
    begin = {"source": "startup", "prompt_id": "p1"}

    unheard(caller, "SessionStart", **begin)
    unheard(caller, "PreToolUse", **push)

    assert "Never run" in caller.context("SessionStart", **begin)
    assert "Never run" in caller.context("PreToolUse", **push)
    assert caller.context("PreToolUse", **push) == ""
    assert caller.note()["warnings"] == len(caller.note()["warned"])
