"""A coding tool that is closed, killed or resumed: the next session knows where it left off."""

from __future__ import annotations

import json
from pathlib import Path

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


@requirement("session.hooks")
def test_what_a_killed_tool_left_is_told_once(caller: Caller) -> None:
    caller.start()
    caller.prompt("Half of it")
    caller.bash("make build")

    told = again(caller).start()
    assert told.count("Half of it") == 1
    assert "ran make build" in told
    stored(caller)
    stored(caller)
    third = Caller(caller.program, session="3f0c1c6e-1d2b-4c55-9a83-0a1f7d0c3333")
    assert third.start().count("Half of it") == 1


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
