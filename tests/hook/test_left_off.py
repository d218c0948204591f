"""A coding tool that is closed, killed or resumed: the next session knows where it left off."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.hook.caller import Caller
from tests.requirements import requirement

TALK = (
    {"type": "user", "message": {"role": "user", "content": "Fix the login"}},
    {
        "type": "assistant",
        "message": {
            "role": "assistant",
            "content": [{"type": "text", "text": "Reset the cookie."}],
        },
    },
)


def again(caller: Caller) -> Caller:
    """Return another session of the same tool."""
    return Caller(caller.program, session="3f0c1c6e-1d2b-4c55-9a83-0a1f7d0c2222")


def stored(caller: Caller) -> None:
    """Store the turns here and now, as the process in the background does."""
    caller.program("hook", "keep", "claude", caller.session).well()


@requirement("session.hooks")
def test_the_next_session_is_told_what_was_asked_and_done(caller: Caller, tmp_path: Path) -> None:
    talk = tmp_path / "talk.jsonl"
    lines = [{**one, "sessionId": "s", "uuid": str(place)} for place, one in enumerate(TALK)]
    half = json.dumps(lines[0])[:20]
    talk.write_text("\n".join([*map(json.dumps, lines), half]), encoding="utf-8")
    caller.start()
    caller.prompt("Fix the login")
    caller.bash("make test")
    caller.edit("src/login.py")
    caller.call("Stop", transcript_path=str(talk))
    stored(caller)

    told = again(caller).start()

    assert "asked: Fix the login; done: Reset the cookie." in told
    kept = caller.program("session", "list", "--json").well().json["sessions"]
    shown = caller.program("session", "show", kept[0]["id"], "--json").well().json
    assert shown["turns"][0]["commands"] == ["make test"]
    assert shown["turns"][0]["paths"] == ["src/login.py"]


@requirement("session.summaries-are-of-their-turn")
def test_each_turn_is_summed_up_by_its_own_last_words(caller: Caller, tmp_path: Path) -> None:
    talk = tmp_path / "talk.jsonl"
    talk.touch()
    caller.start()
    for number, words in enumerate(("Widened the column.", "", None), start=1):
        caller.prompt(f"Do part {number}")
        if words is None:  # a process in the background may store the second turn before this
            line = json.dumps({**TALK[1], "sessionId": "s", "uuid": "1"})
            talk.write_text(line, encoding="utf-8")
        reply = {} if words is None else {"last_assistant_message": words}
        caller.call("Stop", transcript_path=str(talk), **reply)
    stored(caller)

    (kept,) = caller.program("session", "list", "--json").well().json["sessions"]
    shown = caller.program("session", "show", kept["id"], "--json").well().json
    found = {turn["asked"]: turn["summary"] for turn in shown["turns"]}
    assert found["Do part 1"] == "Widened the column."
    assert found["Do part 2"] == ""  # its words are not known: the last ones are of a later turn
    assert found["Do part 3"] == "Reset the cookie."


@requirement("session.hooks")
def test_what_a_killed_tool_left_is_told_once(caller: Caller) -> None:
    caller.start()
    caller.prompt("Half of it")
    caller.bash("make build")

    told = again(caller).start()
    assert told.count("Half of it") == 1
    assert "tried to run make build" in told
    stored(caller)
    stored(caller)
    third = Caller(caller.program, session="3f0c1c6e-1d2b-4c55-9a83-0a1f7d0c3333")
    assert third.start().count("Half of it") == 1


@requirement("session.approvals")
def test_a_session_killed_at_a_permission_prompt_says_what_it_waited_for(caller: Caller) -> None:
    caller.start()
    caller.prompt("Publish the release")
    caller.bash("git push --force")
    asked = {"tool_name": "Bash", "tool_input": {"command": "git push --force"}}
    assert caller.call("PermissionRequest", **asked).out == ""

    other = again(caller)
    told = other.start()
    assert "Waits for approval" in told
    assert "Bash: git push --force" in told

    caller.call("Stop")
    stored(caller)
    third = Caller(caller.program, session="3f0c1c6e-1d2b-4c55-9a83-0a1f7d0c3333")
    assert "Waits for approval" not in third.start()
    (kept, *_) = caller.program("session", "list", "--json").well().json["sessions"]
    shown = caller.program("session", "show", kept["id"], "--json").well().json
    assert "Bash: git push --force" in json.dumps(shown)


@requirement("session.approvals")
def test_text_that_is_no_text_hides_nothing_of_later_sessions(caller: Caller) -> None:
    for number, command in enumerate(["\ud800 x", "make\0 two", "make three"], start=2):
        one = Caller(caller.program, session=f"a{number}")
        one.start()
        one.prompt(f"work {number} \udfff\0")
        one.call("PreToolUse", tool_name="Edit", tool_input={"file_path": f"/{command}"})
        one.bash(command)
        one.call("PermissionRequest", tool_name="Bash", tool_input={"command": command})

    told = again(caller).start()

    for text in ("work 2", "work 3", "work 4", "Bash: make three", "Bash: make two"):
        assert text in told
    assert "Bash: ? x" in told
    assert caller.program("hook", "log", "--json").well().json["trouble"] == []


@requirement("session.hooks")
def test_a_note_that_cannot_be_stored_hides_no_other(caller: Caller) -> None:
    caller.start()
    caller.prompt("First work")
    caller.prompt("Second work")
    notes = caller.program.home / "sittings" / f"{caller.session}.json.asked"
    first, second = notes.read_text(encoding="utf-8").splitlines()
    broken = json.dumps({**json.loads(first), "branch": "\ud800"})
    notes.write_text(f"{broken}\n{second}\n", encoding="utf-8")

    told = again(caller).start()
    stored(caller)

    assert "Second work" in told
    assert "First work" not in told
    trouble = caller.program("hook", "log", "--json").well().json["trouble"]
    assert all("a turn could not be stored" in line for line in trouble)
    assert len(trouble) == 2
    assert notes.exists()


@requirement("session.approvals")
def test_a_secret_that_a_shell_joins_is_neither_kept_nor_told(caller: Caller) -> None:
    half = "a1B2c3D4e5F6g7H8i9"  # no secret, only shaped like one
    whole = "\\\n".join(half * 2)
    for token in (f"ghp_{half}\\\n{half}", f"ghp_{half}\\\r\n{half}", f"ghp_{whole}"):
        one = Caller(caller.program, session=f"s{len(token)}")
        one.start()
        one.prompt(f"Use {token}")
        one.bash(f"echo {token}")
        one.call("PermissionRequest", tool_name="Bash", tool_input={"command": f"echo {token}"})
        notes = (caller.program.home / "sittings" / f"{one.session}.json.asked").read_text(
            encoding="utf-8"
        )
        assert "a1B2c3" not in notes
        assert "i\\\\\\n9" not in notes

    told = again(caller).start()

    assert "Bash: echo [secret removed: github]" in told
    assert half not in told


@requirement("session.hooks")
def test_turned_off_nothing_is_kept_or_told(caller: Caller) -> None:
    caller.program("config", "set", "session.turns", "off").well()
    caller.start()
    caller.prompt("Nothing to see")
    caller.call("Stop")
    stored(caller)
    caller.program("config", "set", "session.hydrate", "off").well()
    assert "Nothing to see" not in again(caller).start()
    assert list((caller.program.home / "sittings").glob("*.asked")) == []


def test_a_session_without_turns_has_nothing_to_store(caller: Caller) -> None:
    done = caller.program("hook", "keep", "claude", "nobody", "--json").well()
    assert done.json == {"tool": "claude", "session": "nobody", "kept": 0}


def spoken(caller: Caller) -> list[tuple[str, str]]:
    """Return who said what in the newest session."""
    (kept,) = caller.program("session", "list", "--json").well().json["sessions"]
    turns = caller.program("session", "said", kept["id"], "--json").well().json["turns"]
    return [(turn["by"], turn["text"]) for turn in turns]


@requirement("said.hooks")
def test_what_was_said_is_kept_only_where_a_person_set_it(caller: Caller, tmp_path: Path) -> None:
    token = "ghp_" + "a1B2" * 9  # no secret, only shaped like one
    talk = tmp_path / "talk.jsonl"
    lines = [{**one, "sessionId": "s", "uuid": str(place)} for place, one in enumerate(TALK)]
    talk.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    caller.start()
    caller.prompt("Fix the login")
    caller.call("Stop", transcript_path=str(talk))
    stored(caller)
    assert spoken(caller) == []

    caller.program("config", "set", "session.said", "on").well()
    caller.prompt(f"Now the logout, with {token}")
    stored(caller)
    caller.call("Stop", transcript_path=str(talk), prompt_id="p2")
    stored(caller)
    stored(caller)

    (asked, answered) = spoken(caller)
    assert asked[0] == "person"
    assert asked[1].startswith("Now the logout, with ")
    assert token not in asked[1]
    assert answered == ("agent", "Reset the cookie.")
    answer = caller.program("recall", "what about the logout", "--include", "sessions").well().out
    assert "- said · " in answer
    assert "> Now the logout" in answer
    assert "logout" not in caller.program("recall", "what about the logout").well().out
    assert "logout" not in caller.program("list", "--all").well().out


@requirement("said.hooks")
def test_what_a_killed_tool_left_is_kept_word_for_word(caller: Caller) -> None:
    caller.program("config", "set", "session.said", "on").well()
    caller.start()
    caller.prompt("Half of it")

    again(caller).start()

    assert spoken(caller) == [("person", "Half of it")]


@requirement("session.attempts-are-told-as-such")
def test_what_a_person_denied_is_not_told_as_done(caller: Caller) -> None:
    caller.start()
    caller.prompt("Clean up")
    caller.bash("dropdb prod")
    caller.edit("pay.py")
    caller.call("Stop")
    stored(caller)

    told = again(caller).start()

    assert "asked: Clean up; tried to run dropdb prod; change pay.py" in told
    assert "done:" not in told


@requirement("session.hooks-end-it")
@pytest.mark.parametrize("is_stopped", [True, False])
def test_a_session_that_its_tool_ended_is_not_open(caller: Caller, *, is_stopped: bool) -> None:
    caller.start()
    caller.prompt("Clean up")
    if is_stopped:
        caller.call("Stop", last_assistant_message="Cleaned up.")
        stored(caller)
    caller.call("SessionEnd", reason="other")
    caller.program("hook", "keep", "claude", caller.session, "ended", "1").well()

    (kept,) = caller.program("session", "list", "--json").well().json["sessions"]

    assert kept["finished_at"] is not None
    caller.prompt("One more thing")
    caller.call("Stop")
    stored(caller)
    caller.program("hook", "keep", "claude", caller.session, "ended", "1").well()  # comes late
    (kept,) = caller.program("session", "list", "--json").well().json["sessions"]
    assert kept["finished_at"] is None


@requirement("session.hooks-end-it")
def test_a_session_without_turns_has_nothing_to_end(caller: Caller) -> None:
    caller.start()
    caller.call("SessionEnd", reason="other")

    caller.program("hook", "keep", "claude", caller.session, "ended", "1").well()

    assert caller.program("session", "list", "--json").well().json["sessions"] == []
