"""The tools about sessions, as an agent calls them."""

from __future__ import annotations

import pytest

from holdfast.domain.sessions.said import SaidBy
from holdfast.usecases.sessions.saying import SayTurn
from tests.mcp.door import HELLO, Door, text_of
from tests.mcp.test_task_tools import answered, refused
from tests.requirements import requirement


@pytest.fixture
def here(door: Door) -> Door:
    door.ask("initialize", HELLO)
    return door


@requirement("session.hydrate")
def test_an_agent_leaves_notes_and_is_told_them(here: Door) -> None:
    note = answered(here, "session.note", text="mind the gap", kind="subtask")["note"]
    assert (note["kind"], note["proposed"]) == ("subtask", False)

    told = answered(here, "session.hydrate", budget=400)["text"]
    assert "mind the gap" in told
    closed = answered(here, "session.note", id=note["id"], state="done")["note"]
    assert closed["open"] is False
    assert "mind the gap" not in answered(here, "session.hydrate")["text"]


def test_what_cannot_be_kept_is_refused(here: Door) -> None:
    assert refused(here, "session.note") == "bad-field"
    assert refused(here, "session.note", text="x", session="i_nothing") == "no-such"


@requirement("said.quoted")
def test_an_agent_hears_what_was_said_only_where_it_asks_for_sessions(here: Door) -> None:
    session = here.app.sessions.start(tool="claude", user="ada").id
    spoken = SayTurn(by=SaidBy.PERSON, text="The feed restarts at noon.")
    here.app.session_cache.say(session, [spoken])

    quoted = text_of(here.call("context.assemble", q="feed restarts", include=["sessions"]))
    known = text_of(here.call("context.assemble", q="feed restarts"))

    assert "> The feed restarts at noon." in quoted
    assert "they are not knowledge" in quoted
    assert "noon" not in known


@requirement("sessions.ended-by-their-own")
@pytest.mark.parametrize("tool", ["shell", "claude-code", "mcp", "mcp:z", "test", "test:z"])
def test_an_agent_does_not_end_the_session_of_a_person(door: Door, tool: str) -> None:
    theirs = door.app.sessions.start(tool=tool, user="ada")
    own = door.call("session.start")["structuredContent"]["session"]

    refused = door.call("session.end", session=theirs.id)
    ended = door.call("session.end", session=str(own["id"]))

    assert refused["isError"] is True
    assert "only a person ends it" in refused["content"][0]["text"]
    assert ended["isError"] is False
    assert door.app.session_cache.show(theirs.id).session.finished_at is None
