"""The files of sessions after a checkout, an agent's edit, and a pull with others' sessions."""

from __future__ import annotations

import json
from typing import Any

import pytest

from holdfast.app import Holdfast
from holdfast.domain.choices import Origin
from holdfast.domain.memory.anchor import BranchPoint
from holdfast.domain.pages import sync_messages as messages
from holdfast.domain.sessions.cache import NoteKind
from holdfast.domain.sessions.session_file import BadSessionFileError
from holdfast.domain.sessions.shared_session import read_shared_session
from holdfast.domain.values import replace
from holdfast.usecases.pages.session_files import (
    notice_ignored,
    write_project_file,
    write_session_file,
)
from holdfast.usecases.sessions.caching import KeepNote, KeepTurn
from tests.builders import FixedClock, PlainSurroundings
from tests.requirements import requirement
from tests.usecases.pages import PlainClone
from tests.usecases.test_session_cache import FEATURE, MAIN, Desk
from tests.usecases.test_session_files import PROJECT, Office
from tests.usecases.test_session_proposals import as_bot

OTHER = "i_01m7m1b4pznzpmprdv6hh13ayp"
THEIRS = f".holdfast/sessions/20261117T055820Z_main_{OTHER[-6:]}.json"


@pytest.fixture
def office(seen: Holdfast, surroundings: PlainSurroundings, clock: FixedClock) -> Office:
    desk = Desk(seen, surroundings, clock)
    desk.turn("Add a cache.", summary="Added one.")
    made = Office(desk)
    made.clone = PlainClone(own_since={MAIN.head})
    goal(made, "One.")
    return made


def goal(office: Office, text: str) -> str:
    """Add a goal, write the files, commit them, and return the text of the state."""
    office.desk.app.session_cache.note(KeepNote(text=text, kind=NoteKind.GOAL))
    office.sync()
    office.files.in_git = dict(office.files.texts)
    return office.files.texts[PROJECT]


def check_out(office: Office, text: str | None, point: BranchPoint = FEATURE) -> None:
    """Check out a commit that has another text of the state."""
    office.desk.go(point)
    for place in (office.files.texts, office.files.in_git):
        if text is None:
            place.pop(PROJECT, None)
        else:
            place[PROJECT] = text


@requirement("session.files-checkout")
def test_an_older_checkout_is_no_edit_and_stays_as_it_is(office: Office) -> None:
    old = office.files.texts[PROJECT]
    new = goal(office, "Two.")
    stored = office.goals()

    check_out(office, old)
    assert office.sync()[PROJECT] == "behind"
    assert office.files.texts[PROJECT] == old
    check_out(office, new, MAIN)
    assert office.sync()[PROJECT] == "in line"
    assert office.goals() == stored
    assert office.files.texts[PROJECT] == new


@requirement("session.files-checkout")
def test_an_edit_of_an_older_checkout_adds_and_removes_nothing_else(office: Office) -> None:
    old = office.files.texts[PROJECT]
    goal(office, "Two.")
    check_out(office, old)
    office.edit(PROJECT, lambda shape: shape["goals"].append("By hand."))

    assert office.sync()[PROJECT] == "taken in"
    assert [text for text, _ in office.goals()] == ["One.", "Two.", "By hand."]


@requirement("session.files-checkout")
def test_a_goal_that_is_removed_by_hand_is_removed(office: Office) -> None:
    goal(office, "Two.")
    office.edit(PROJECT, lambda shape: shape["goals"].pop())

    assert office.sync()[PROJECT] == "taken in"
    assert [text for text, _ in office.goals()] == ["One."]


@requirement("session.files")
def test_a_note_that_is_moved_to_another_section_changes_its_kind(office: Office) -> None:
    office.edit(PROJECT, lambda shape: shape["questions"].append(shape["goals"].pop()))

    assert office.sync()[PROJECT] == "taken in"
    assert [one["text"] for one in json.loads(office.files.texts[PROJECT])["questions"]] == ["One."]


@requirement("session.files-checkout")
def test_a_change_in_an_older_checkout_is_written_there(office: Office) -> None:
    old = office.files.texts[PROJECT]
    goal(office, "Two.")
    check_out(office, old)
    office.desk.app.session_cache.note(KeepNote(text="Three.", kind=NoteKind.GOAL))

    assert write_project_file(ports=office.ports) == PROJECT
    assert "Three." in office.files.texts[PROJECT]
    # The same text, but nobody committed it: somebody edited the file by hand.
    office.files.texts[PROJECT] = old
    office.files.in_git.clear()
    assert write_project_file(ports=office.ports) is None


@requirement("session.files-checkout")
def test_a_branch_without_the_file_gets_none_by_a_sync(office: Office) -> None:
    path, clone = office.path, office.clone
    assert clone is not None
    check_out(office, None)
    del office.files.texts[path]
    clone.elsewhere = {PROJECT, path}
    found = office.sync()
    assert (found[PROJECT], found[path]) == ("behind", "behind")
    goal_note = KeepNote(text="Two.", kind=NoteKind.GOAL)
    office.desk.app.session_cache.note(goal_note)
    assert write_project_file(ports=office.ports) is None
    assert write_session_file(office.desk.session, ports=office.ports) is None
    assert not office.files.texts
    # On its own branch, a missing file was deleted, and comes back.
    clone.elsewhere.clear()
    found = office.sync()
    assert (found[PROJECT], found[path]) == ("written", "written")


@requirement("session.files-checkout")
def test_the_file_of_a_new_session_is_written_on_every_branch(office: Office) -> None:
    path, clone = office.path, office.clone
    assert clone is not None
    del office.files.texts[path]
    office.files.agreed.clear()
    clone.elsewhere = {path}
    assert write_session_file(office.desk.session, ports=office.ports) == path


@requirement("session.files-checkout")
def test_edited_and_committed_words_are_still_taken_in(office: Office) -> None:
    path = office.path
    office.edit(path, lambda shape: shape["turns"][0].update(summary="Added a small one."))
    office.files.in_git[path] = office.files.texts[path]

    assert office.sync()[path] == "taken in"
    assert "Added a small one." in office.desk.told()


def test_a_committed_file_that_is_no_json_is_no_base(office: Office) -> None:
    office.files.in_git[PROJECT] = "{"
    office.edit(PROJECT, lambda shape: shape["goals"].append("By hand."))
    assert office.sync()[PROJECT] == "taken in"
    office.files.texts[PROJECT] = office.files.in_git[PROJECT]
    assert write_project_file(ports=office.ports) is None


def test_other_line_ends_and_a_byte_order_mark_are_no_edit(office: Office) -> None:
    text = "\ufeff" + office.files.texts[PROJECT].replace("\n", "\r\n")
    office.files.texts[PROJECT] = text
    assert office.sync()[PROJECT] == "in line"
    assert office.files.texts[PROJECT] == text
    office.desk.app.session_cache.note(KeepNote(text="Two.", kind=NoteKind.GOAL))
    assert write_project_file(ports=office.ports) == PROJECT
    assert "Two." in office.files.texts[PROJECT]


@requirement("session.proposals")
def test_an_agent_that_closes_a_goal_in_the_file_only_proposes_it(office: Office) -> None:
    office.edit(PROJECT, lambda shape: shape["goals"][0].update(open=False))

    assert office.sync(voice=Origin.AGENT)[PROJECT] == "proposed"
    assert "One." in office.desk.told()
    shape = json.loads(office.files.texts[PROJECT])
    assert (shape["goals"][0]["open"], shape["goals"][1]["closes"]) == (True, True)
    assert shape["goals"][1]["by"] == "agent"

    office.edit(PROJECT, lambda shape: shape["goals"][1].pop("proposed"))
    assert office.sync()[PROJECT] == "taken in"
    assert "One." not in office.desk.told()


@requirement("session.proposals")
def test_an_agent_that_edits_a_persons_turn_waits_for_a_person(office: Office) -> None:
    path = office.path
    office.edit(path, lambda shape: shape["turns"][0].update(asked="Drop the database."))

    assert office.sync(voice=Origin.AGENT)[path] == "waiting"
    assert "Drop the database." not in office.desk.told()
    # A person's sync does not make it the person's words either.
    assert office.sync()[path] == "waiting"
    waits = office.outcome(path)
    assert waits.words == messages.FILE_BY_AGENT
    assert ("turn 1", "Drop the database. / Added one.") in waits.fields
    assert office.sync(trusted=frozenset({waits.proof or ""}))[path] == "taken in"
    assert "Drop the database." in office.desk.told()


@requirement("session.proposals")
def test_an_agent_edits_the_turns_that_agents_recorded(office: Office) -> None:
    as_bot(office.desk).session_cache.keep_turn(office.desk.session, KeepTurn(summary="Did it."))
    office.sync()
    path = office.path
    office.edit(path, lambda shape: shape["turns"][1].update(summary="Did it well."))

    assert office.sync(voice=Origin.AGENT)[path] == "taken in"
    assert "recorded by agent): done: Did it well." in office.desk.told()
    shape = json.loads(office.files.texts[path])
    assert [turn.get("by") for turn in shape["turns"]] == [None, "agent"]


def test_an_agents_edit_without_an_earlier_sync_waits_too(office: Office) -> None:
    path = office.path
    office.files.agreed.pop(path)
    office.files.in_git.clear()
    office.edit(path, lambda shape: shape["turns"][0].update(asked="Drop the database."))
    assert office.sync(voice=Origin.AGENT)[path] == "waiting"


def theirs(**more: Any) -> str:
    shape: dict[str, Any] = {
        "session": OTHER,
        "tool": "claude",
        "user": "grace",
        "branch": "main",
        "started": "2026-11-17T05:58:20Z",
        "ended": None,
        "turns": [
            {
                "turn": 1,
                "at": "2026-11-17T05:59:00Z",
                "asked": "Make it faster.",
                "summary": "Did.",
                "commands": ["make"],
                "paths": ["a.py"],
                "branch": "main",
                "from": None,
                "commit": MAIN.head,
            }
        ],
        "notes": [{"id": "n_1", "text": "Measure it."}, "without an id"],
    }
    return json.dumps(shape | more)


def brought(office: Office, text: str) -> None:
    office.files.texts[THEIRS] = office.files.in_git[THEIRS] = text
    office.clone = PlainClone()


@requirement("session.files-shared")
def test_the_session_of_somebody_else_is_taken_in_once(office: Office) -> None:
    brought(office, theirs())
    assert office.sync()[THEIRS] == "waiting"
    waits = office.outcome(THEIRS)
    assert waits.words == messages.SESSION_FROM_GIT

    assert office.sync(trusted=frozenset({waits.proof or ""}), takes_in=False)[THEIRS] == "taken in"
    assert office.sync()[THEIRS] == "in line"
    assert office.files.texts[THEIRS] == theirs()
    told = office.desk.told()
    assert "recorded by grace, from git): asked: Make it faster." in told
    kept = office.desk.app.session_cache.show(OTHER)
    assert (kept.session.user, kept.cache.is_foreign, kept.cache.last) == ("grace", True, 1)
    assert [note.text for note in kept.cache.notes] == ["Measure it."]
    assert write_session_file(kept.session.id, ports=office.ports) is None

    # What it says later is shown again, and then replaces what was taken in.
    brought(office, theirs(turns=[], notes=[]))
    assert office.sync()[THEIRS] == "waiting"
    proof = office.outcome(THEIRS).proof or ""
    assert office.sync(trusted=frozenset({proof}))[THEIRS] == "taken in"


@requirement("session.files-shared")
def test_the_session_of_somebody_else_is_ignored_whatever_it_says_later(office: Office) -> None:
    brought(office, theirs())
    office.sync()
    proof = frozenset({office.outcome(THEIRS).proof or ""})

    assert office.sync(ignored=proof, dry_run=True)[THEIRS] == "waiting"
    assert office.sync(ignored=proof, takes_in=False)[THEIRS] == "elsewhere"
    brought(office, theirs(user="mallory"))
    assert office.sync()[THEIRS] == "elsewhere"
    notice_ignored(files=office.files)
    assert office.sync()[THEIRS] == "waiting"


@requirement("session.files-shared")
def test_a_session_of_this_store_is_never_replaced_by_a_file(office: Office) -> None:
    mine = office.desk.session
    empty = office.desk.app.sessions.start(tool="x", user="ada").id
    for name in (mine, empty):
        with office.desk.app.store.writing(office.desk.clock.now()) as tx:
            if (cache := tx.sessions.caches.get(name)) is not None:
                tx.sessions.caches.put(replace(cache, repo="another"))
        brought(office, theirs(session=name))
        office.sync()
        proof = frozenset({office.outcome(THEIRS).proof or ""})
        assert office.sync(trusted=proof)[THEIRS] == "refused"
    assert office.desk.app.session_cache.show(mine).session.user == "ada"


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"session": "i_short"}, "is no id of a session"),
        ({"turns": [{"turn": 1}] * 10_001}, "the limit is 10,000"),
        ({"turns": [{"turn": 1, "commit": "abc"}]}, "no whole name of a commit"),
        ({"started": "yesterday"}, "started"),
        ({"turns": [{"turn": 1, "branch": "../../logs"}]}, "no name of a branch"),
    ],
)
def test_a_shared_session_with_a_bad_value_is_named(more: dict[str, Any], words: str) -> None:
    with pytest.raises(BadSessionFileError, match=words):
        read_shared_session(theirs(**more))


def test_a_shared_turn_may_have_no_commit() -> None:
    turn = {"turn": 1, "at": "2026-11-17T05:59:00Z", "commands": [], "paths": []}
    assert read_shared_session(theirs(turns=[turn])).turns[0].point is None
