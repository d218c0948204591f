"""The files of sessions and of the repository's state, without a disk: every way to edit them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from holdfast.adapters.inmemory.notebook import InMemoryNotebook
from holdfast.app import Holdfast
from holdfast.app.filing import Filing
from holdfast.domain.choices import Origin
from holdfast.domain.memory.entry import Flaw
from holdfast.domain.pages.syncing import EntryOutcome
from holdfast.domain.refusals import PageUnwritableError
from holdfast.domain.sessions.cache import NoteKind
from holdfast.domain.sessions.session_file import FileNote, SessionFile
from holdfast.domain.tasks.task import TaskKind
from holdfast.domain.values import replace
from holdfast.ports.pages.session_files import FileBase
from holdfast.usecases.pages.session_files import (
    shown_words,
    sync_session_files,
    write_project_file,
    write_session_file,
)
from holdfast.usecases.pages.session_texts import FilePorts
from holdfast.usecases.pages.sync import Sync, SyncPorts
from holdfast.usecases.pages.task_pages import sync_with_tasks
from holdfast.usecases.sessions.caching import KeepNote, KeepTurn
from holdfast.usecases.sessions.saying import SayTurn
from holdfast.usecases.tasks.adding import AddTask
from tests.builders import HERE, FixedClock, PlainSurroundings
from tests.requirements import requirement
from tests.usecases.pages import PlainBook, PlainClone
from tests.usecases.test_session_cache import MAIN, Desk
from tests.usecases.test_task_pages import PlainTaskPages
from tests.usecases.wishes import SECRET

PROJECT = ".holdfast/project_state.json"


@dataclass
class PlainFiles:
    """Files in a dictionary."""

    texts: dict[str, str] = field(default_factory=dict)
    flaws: list[Flaw] = field(default_factory=list)
    agreed: dict[str, FileBase] = field(default_factory=dict)
    in_git: dict[str, str] = field(default_factory=dict)
    is_busy: bool = False
    unwritable: str = ""

    def path(self, name: str) -> str:
        return f".holdfast/{name}"

    def read(self) -> tuple[Mapping[str, str], list[Flaw]]:
        return dict(self.texts), self.flaws

    def text(self, path: str) -> str | None:
        return self.texts.get(path)

    def write(self, path: str, text: str, *, over: str | None) -> bool:
        if self.unwritable and self.unwritable in path:
            raise PageUnwritableError(path, "it is private")
        if self.is_busy or self.texts.get(path) != over:
            return False
        self.texts[path] = text
        return True

    def base(self, path: str) -> FileBase | None:
        return self.agreed.get(path)

    def set_base(self, path: str, base: FileBase) -> None:
        self.agreed[path] = base

    def committed(self) -> Mapping[str, str]:
        return self.in_git


class Office:
    """A desk whose sessions are files."""

    def __init__(self, desk: Desk) -> None:
        self.desk, self.files = desk, PlainFiles()
        self.clone: PlainClone | None = None

    @property
    def ports(self) -> FilePorts:
        app = self.desk.app
        return FilePorts(
            store=app.store,
            clock=app.clock,
            surroundings=app.surroundings,
            files=self.files,
            clone=self.clone,
        )

    def sync(self, **wish: Any) -> dict[str, str]:
        usual: dict[str, Any] = {"by": "ada", "voice": Origin.HUMAN}
        found = Sync(**(usual | wish))
        outcomes, self.flaws = sync_session_files(found, ports=self.ports)
        self.outcomes = {one.path: one for one in outcomes}
        return {one.path: one.step.value for one in outcomes}

    def outcome(self, path: str) -> EntryOutcome:
        return self.outcomes[path]

    @property
    def path(self) -> str:
        (found,) = [path for path in self.files.texts if "/sessions/" in path]
        return found

    def edit(self, path: str, change: Callable[[dict[str, list[Any]]], object]) -> None:
        shape = json.loads(self.files.texts[path])
        change(shape)
        self.files.texts[path] = json.dumps(shape, indent=2, ensure_ascii=False) + "\n"

    def notes(self) -> list[str]:
        return [one.text for one in self.desk.app.session_cache.show(self.desk.session).cache.notes]

    def goals(self) -> list[tuple[str, bool]]:
        with self.desk.app.store.reading() as tx:
            state = tx.sessions.caches.projects.get(HERE.repo or "")
        return [] if state is None else [(one.text, one.is_proposed) for one in state.notes]


@pytest.fixture
def office(seen: Holdfast, surroundings: PlainSurroundings, clock: FixedClock) -> Office:
    desk = Desk(seen, surroundings, clock)
    desk.turn("Add a cache.", summary="Added one.")
    desk.app.session_cache.note(KeepNote(text="Mind the gap.", session=desk.session))
    desk.app.session_cache.note(KeepNote(text="Ship 1.2.", kind=NoteKind.GOAL))
    made = Office(desk)
    made.sync()
    return made


def said(note: str) -> Callable[[dict[str, list[Any]]], None]:
    return lambda shape: shape["notes"].append({"text": note})


@requirement("session.files")
def test_files_are_written_and_stay_as_they_are(office: Office) -> None:
    before = dict(office.files.texts)
    shape = json.loads(before[office.path])
    assert shape["turns"][0]["summary"] == "Added one."
    assert [one["text"] for one in shape["notes"]] == ["Mind the gap."]
    assert json.loads(before[PROJECT])["goals"][0]["text"] == "Ship 1.2."
    assert all(text.endswith("}\n") for text in before.values())

    assert set(office.sync().values()) == {"in line"}
    assert office.files.texts == before


def test_a_session_that_only_removed_what_was_said_has_no_file(desk: Desk) -> None:
    office = Office(desk)
    desk.app.session_cache.say(desk.session, [SayTurn(text="The feed restarts.")])
    desk.app.session_cache.unsay(desk.session)

    office.sync()

    assert office.files.texts == {}


@requirement("session.files")
def test_a_lost_file_or_a_lost_base_heals(office: Office) -> None:
    before = dict(office.files.texts)
    office.files.agreed.clear()
    assert set(office.sync().values()) == {"in line"}
    assert set(office.files.agreed) == set(before)
    office.files.texts.clear()
    assert set(office.sync().values()) == {"written"}
    assert office.files.texts == before


@requirement("session.files")
def test_what_a_person_edits_is_taken_in(office: Office) -> None:
    def change(shape: dict[str, list[Any]]) -> None:
        shape["notes"][0]["text"] = "Mind the steps."
        shape["notes"].append({"text": "A new one."})
        shape["subtasks"].append("A plain text is one, too.")
        shape["turns"][0]["summary"] = "Added a small one."

    office.edit(office.path, change)
    assert office.sync()[office.path] == "taken in"

    kept = office.desk.app.session_cache.show(office.desk.session)
    assert {note.text for note in kept.cache.notes} == {
        *("Mind the steps.", "A new one.", "A plain text is one, too."),
    }
    assert kept.turns[0].summary == "Added a small one."
    assert set(office.sync().values()) == {"in line"}
    office.edit(office.path, lambda shape: shape["notes"].clear())
    office.sync()
    assert office.notes() == ["A plain text is one, too."]


@requirement("session.candidates")
def test_what_an_agent_edits_is_proposed(office: Office) -> None:
    def change(shape: dict[str, list[Any]]) -> None:
        shape["goals"][0]["text"] = "Rewrite it all."
        shape["goals"].append({"text": "And more."})

    office.edit(PROJECT, change)
    assert office.sync(voice=Origin.AGENT)[PROJECT] == "proposed"
    assert office.goals() == [
        ("Ship 1.2.", False),
        ("Rewrite it all.", True),
        ("And more.", True),
    ]

    office.edit(PROJECT, lambda shape: shape["goals"][1].pop("proposed"))
    assert office.sync()[PROJECT] == "taken in"
    assert office.goals() == [("Rewrite it all.", False), ("And more.", True)]
    office.edit(PROJECT, lambda shape: shape["goals"].clear())
    office.sync(voice=Origin.AGENT)
    assert len(office.goals()) == 2
    office.edit(office.path, said("From an agent."))
    assert office.sync(voice=Origin.AGENT)[office.path] == "taken in"
    assert "From an agent." in office.notes()


@requirement("session.files")
def test_two_editors_of_one_note_keep_both_texts(office: Office) -> None:
    note = office.desk.app.session_cache.show(office.desk.session).cache.notes[0]
    office.edit(office.path, lambda shape: shape["notes"][0].update(text="In the file."))
    wish = KeepNote(text="In the store.", known=note.id, session=office.desk.session)
    office.desk.app.session_cache.note(wish)

    office.sync()

    assert office.notes() == ["In the store.", "In the file."]


def test_a_note_that_is_gone_from_the_store_does_not_come_back(office: Office) -> None:
    office.edit(office.path, lambda shape: shape["notes"][0].update(text="In the file."))
    with office.desk.app.store.writing(office.desk.clock.now()) as tx:
        cache = tx.sessions.caches.get(office.desk.session)
        assert cache is not None
        tx.sessions.caches.put(replace(cache, notes=()))

    office.sync()

    assert office.notes() == []


@requirement("session.files-broken")
@pytest.mark.parametrize(
    ("broken", "words"),
    [
        ('{\n  "notes": [\n    {"text": "a"', "line 3, column 17"),
        ("", "line 1, column 1"),
        ("[]", "must be an object"),
        ('{"notes": {}}', "must be a list"),
        ('{"notes": [{"text": 7}]}', "must be text"),
        ('{"notes": [{"id": "a", "text": "x"}, {"id": "a", "text": "y"}]}', "there twice"),
        ('{"turns": [{"turn": 0}]}', "which no turn has"),
        ('{"notes": ["' + "x" * 2_001 + '"]}', "the limit is 2,000"),
        ("[" * 100_000, "It is no JSON"),
        ("{}\n<<<<<<< ours\n=======\n>>>>>>> theirs\n", "conflict markers"),
    ],
)
def test_a_broken_file_is_named_and_stays_as_it_is(office: Office, broken: str, words: str) -> None:
    office.files.texts[office.path] = broken
    path = office.path

    office.sync()

    assert [flaw.path for flaw in office.flaws] == [path]
    assert words in office.flaws[0].problem
    assert office.files.texts[path] == broken
    assert office.notes() == ["Mind the gap."]
    assert write_session_file(office.desk.session, ports=office.ports) is None
    assert office.files.texts[path] == broken


def test_an_unreadable_file_is_left(office: Office) -> None:
    office.files.flaws = [Flaw(path=PROJECT, line=1, problem="It is a link.")]
    assert PROJECT not in office.sync()


def test_secrets_in_a_file_are_refused_and_not_repeated(office: Office) -> None:
    office.edit(office.path, said(f"token {SECRET}"))
    assert office.sync()[office.path] == "refused"
    assert SECRET not in str(office.outcome(office.path))
    assert office.notes() == ["Mind the gap."]


@requirement("session.files-recorded")
@pytest.mark.parametrize(
    ("edit", "named"),
    [
        (lambda shape: shape.update(started="yesterday"), "started"),
        (lambda shape: shape.pop("tool"), "tool"),
        (lambda shape: shape["turns"].clear(), "turn 1"),
        (lambda shape: shape["turns"][0].update(commit="0" * 40), "turn 1"),
        (lambda shape: shape["turns"].append({"turn": 7, "asked": "What?"}), "turn 7"),
    ],
)
def test_what_was_recorded_is_not_edited_in_a_file(
    office: Office, edit: Callable[[dict[str, Any]], None], named: str
) -> None:
    office.edit(office.path, edit)
    edited = office.files.texts[office.path]

    office.sync()

    assert office.flaws[0].problem.startswith(f"{named} cannot be edited here")
    assert office.files.texts[office.path] == edited


@requirement("session.files-recorded")
def test_an_unknown_part_of_the_state_is_named_and_not_removed(office: Office) -> None:
    office.edit(PROJECT, lambda shape: shape.update(mine=[1]))

    office.sync()

    assert office.flaws[0].problem == (
        "mine is no field of this file. Remove it, or delete the file to have it written again."
    )


@requirement("session.files-recorded")
def test_a_long_name_of_an_unknown_part_is_shortened(office: Office) -> None:
    office.edit(PROJECT, lambda shape: shape.update({"mine\n" + "x" * 500: [1]}))

    office.sync()

    assert office.flaws[0].problem.startswith(f"mine {'x' * 34}… is no field of this file")


@requirement("session.files-recorded")
def test_each_sort_of_edit_that_cannot_be_taken_is_told(office: Office) -> None:
    office.edit(PROJECT, lambda shape: shape.update(mine=[1], milestones=[1]))

    office.sync()

    told = office.flaws[0].problem
    assert "edit the tasks instead. mine is no field of this file." in told
    assert "stays as it was recorded" not in told


def test_what_is_written_from_tasks_is_not_edited_here(office: Office) -> None:
    milestone = office.desk.app.tasks.add(AddTask(title="Release", kind=TaskKind.MILESTONE))
    task = office.desk.app.tasks.add(AddTask(title="Docs", parent=milestone.id))
    assert office.sync()[PROJECT] == "written"
    shape = json.loads(office.files.texts[PROJECT])
    assert shape["milestones"][0]["title"] == "Release"
    assert shape["graph"] == {milestone.id: [task.id]}

    office.edit(PROJECT, lambda shape: shape["milestones"][0].update(title="Other"))
    office.sync()
    assert "written from tasks" in office.flaws[0].problem
    office.edit(PROJECT, lambda shape: shape["milestones"][0].update(title="Release"))
    assert PROJECT in office.sync()
    office.desk.app.tasks.done(task.id)
    office.desk.app.tasks.done(milestone.id)
    office.sync()
    point = json.loads(office.files.texts[PROJECT])["checkpoints"][0]
    assert (point["title"], point["commit"]) == ("Release", MAIN.head)


@requirement("session.files-git")
def test_what_came_with_git_waits_until_it_is_trusted(office: Office) -> None:
    office.clone = PlainClone()
    office.edit(PROJECT, lambda shape: shape["goals"].append({"text": "From afar."}))
    text = office.files.texts[PROJECT]
    office.files.in_git[PROJECT] = text

    assert office.sync()[PROJECT] == "waiting"
    waits = office.outcome(PROJECT)
    assert waits.fields == (("goal 1", "Ship 1.2."), ("goal 2", "From afar."))
    assert waits.proof is not None
    assert office.goals() == [("Ship 1.2.", False)]
    assert office.sync(trusted=frozenset({waits.proof}), takes_in=False)[PROJECT] == "taken in"
    assert office.goals()[1] == ("From afar.", False)


@requirement("session.files-git")
def test_who_wrote_an_edit_decides_git(office: Office) -> None:
    office.clone = PlainClone()
    office.edit(PROJECT, lambda shape: shape["goals"].append({"text": "A line."}))
    office.clone.others.add('"text": "A line."')
    assert office.sync()[PROJECT] == "waiting"
    office.clone.others.clear()
    office.clone.joins = True
    assert office.sync()[PROJECT] == "waiting"
    office.clone.joins = False
    office.clone.untouched.add(PROJECT)
    assert office.sync()[PROJECT] == "waiting"
    office.files.agreed.pop(PROJECT)
    assert office.sync()[PROJECT] == "waiting"
    office.files.agreed[PROJECT] = FileBase(text="{}", at=MAIN.head)
    office.clone.own_since.add(MAIN.head)
    assert office.sync(takes_in=False)[PROJECT] == "left for sync"
    assert office.sync(dry_run=True)[PROJECT] == "taken in"
    assert len(office.goals()) == 1
    assert office.sync()[PROJECT] == "taken in"
    office.clone = PlainClone()
    office.files.agreed.pop(office.path)
    office.edit(office.path, said("By hand, and never synced."))
    assert office.sync()[office.path] == "taken in"


@requirement("session.files-git")
@pytest.mark.parametrize("is_others", [True, False])
def test_others_text_that_a_person_committed_waits(office: Office, *, is_others: bool) -> None:
    office.clone = PlainClone(own_since={MAIN.head})
    office.files.agreed[PROJECT] = FileBase(text=office.files.texts[PROJECT], at=MAIN.head)
    office.edit(PROJECT, lambda shape: shape["goals"].append({"text": "A line."}))
    office.files.in_git[PROJECT] = office.files.texts[PROJECT]
    if is_others:
        office.clone.others.add('"text": "A line."')

    assert office.sync()[PROJECT] == ("waiting" if is_others else "taken in")


def test_a_file_that_names_no_session_is_refused(office: Office) -> None:
    path = ".holdfast/sessions/x.json"
    office.files.texts[path] = '{"session": "i_nothing", "notes": ["a"]}\n'
    assert office.sync()[path] == "refused"
    assert path in office.files.texts
    office.files.agreed[path] = FileBase(text=office.files.texts[path])
    assert office.sync()[path] == "in line"


def test_turns_that_do_not_exist_and_blank_notes_change_nothing(office: Office) -> None:
    def change(shape: dict[str, list[Any]]) -> None:
        shape["turns"].append({"turn": 9, "summary": "Nothing."})
        shape["notes"].append({"text": "  "})

    office.edit(office.path, change)
    office.sync()
    kept = office.desk.app.session_cache.show(office.desk.session)
    assert len(kept.turns) == 1
    assert office.notes() == ["Mind the gap."]


def test_a_save_at_the_same_moment_wins(office: Office) -> None:
    office.desk.turn("Another.")
    office.files.is_busy = True
    assert office.sync()[office.path] == "left for sync"
    assert write_session_file(office.desk.session, ports=office.ports) is None
    office.edit(office.path, said("x"))
    assert office.sync()[office.path] == "taken in"


@requirement("session.files")
def test_a_turn_is_in_its_file_unless_somebody_edited_it(office: Office) -> None:
    office.desk.turn("Another.")
    assert write_session_file(office.desk.session, ports=office.ports) == office.path
    assert "Another." in office.files.texts[office.path]
    assert write_session_file(office.desk.session, ports=office.ports) == office.path
    office.edit(office.path, said("By hand."))
    office.desk.turn("And another.")
    assert write_session_file(office.desk.session, ports=office.ports) is None
    assert "And another." not in office.files.texts[office.path]
    office.sync()
    assert "And another." in office.files.texts[office.path]
    assert "By hand." in office.files.texts[office.path]
    assert write_project_file(ports=office.ports) == PROJECT


def test_outside_a_repository_there_are_no_files(office: Office) -> None:
    office.desk.surroundings.at = replace(HERE, repo=None)
    assert office.sync() == {}
    assert write_project_file(ports=office.ports) is None


def test_a_sync_of_the_pages_brings_the_files_in_line(office: Office) -> None:
    app = office.desk.app
    ports = SyncPorts(
        store=app.store,
        clock=app.clock,
        surroundings=app.surroundings,
        notebook=InMemoryNotebook(),
        heuristics=app.heuristics,
        verifier=app.verifier,
        task_pages=PlainTaskPages(),
        session_files=office.files,
    )
    office.files.texts.clear()
    done = sync_with_tasks(Sync(by="ada", voice=Origin.HUMAN), ports=ports)
    assert PROJECT in {one.path for one in done.outcomes}
    assert PROJECT in office.files.texts


@dataclass
class ShownFiles:
    """Private files that git shows."""

    asked: list[bool] = field(default_factory=list)

    def hide(self, *, dry_run: bool = False) -> list[Flaw]:
        self.asked.append(dry_run)
        return [Flaw(path=".holdfast/sessions", line=1, problem="git shows it")]


@requirement("files.private-stays-out-of-git")
def test_a_sync_writes_no_session_where_git_would_show_it(office: Office) -> None:
    app, private = office.desk.app, ShownFiles()
    office.files.texts.clear()
    filing = Filing(
        memory=app,
        notebook=InMemoryNotebook(),
        book=PlainBook(),
        clone="app",
        task_pages=PlainTaskPages(),
        session_files=office.files,
        private_files=private,
    )

    done = filing.sync(Sync(by="ada", voice=Origin.HUMAN))

    assert [one.problem for one in done.flaws] == ["git shows it"]
    assert list(office.files.texts) == [PROJECT]
    assert filing.hide_private(dry_run=True)
    assert private.asked == [False, True]
    assert replace(filing, private_files=None).hide_private() == ()


@requirement("files.private-stays-out-of-git")
@pytest.mark.parametrize("name", ["sessions", "project_state"])
def test_a_file_that_cannot_be_written_stops_no_other(office: Office, name: str) -> None:
    office.files.texts.clear()
    office.files.unwritable = name

    outcomes, flaws = sync_session_files(Sync(by="ada", voice=Origin.HUMAN), ports=office.ports)

    (flaw,) = flaws
    assert flaw.path in {".holdfast/sessions", PROJECT}
    assert name in flaw.path
    assert "it is private" in flaw.problem
    assert len(outcomes) == len(office.files.texts) == 1


def test_a_sync_where_no_session_files_are_kept_leaves_them_out(office: Office) -> None:
    app = office.desk.app
    ports = SyncPorts(
        store=app.store,
        clock=app.clock,
        surroundings=app.surroundings,
        notebook=InMemoryNotebook(),
        heuristics=app.heuristics,
        verifier=app.verifier,
        task_pages=PlainTaskPages(),
    )
    done = sync_with_tasks(Sync(by="ada", voice=Origin.HUMAN), ports=ports)
    assert PROJECT not in {one.path for one in done.outcomes}


def test_a_repository_without_a_state_has_no_file(desk: Desk) -> None:
    office = Office(desk)
    desk.app.session_cache.keep_turn(desk.session, KeepTurn(summary="x"))
    desk.go(None)
    office.sync()
    assert PROJECT not in office.files.texts
    assert office.files.agreed[office.path].at is None


@pytest.fixture
def desk(seen: Holdfast, surroundings: PlainSurroundings, clock: FixedClock) -> Desk:
    return Desk(seen, surroundings, clock)


@requirement("files.trust-binds-to-what-was-shown")
def test_what_waits_is_shown_word_for_word() -> None:
    goals = ("one", "two")
    notes = tuple(FileNote(id="", kind=NoteKind.GOAL, text=text) for text in goals)

    names, texts = zip(*shown_words(SessionFile(notes=notes)), strict=True)

    assert len(set(names)) == len(names)
    assert texts == ("one", "two")
