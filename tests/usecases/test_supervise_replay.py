"""RunReplay: a recorded run is done again from its inputs, and every difference is shown."""

from __future__ import annotations

import pytest

from holdfast.adapters.inmemory.store import InMemoryStore
from holdfast.app import Holdfast
from holdfast.domain.checks.change import CommandEnd
from holdfast.domain.choices import Kind, Status
from holdfast.domain.errors import BadFieldError
from holdfast.domain.memory.memory import MemoryRecord
from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.review.curation import Concern, MemoryTrouble, Remedy, TidyStep
from holdfast.domain.roles.step import RunStep, StepStatus, StepWork
from holdfast.domain.values import replace
from holdfast.usecases.agents import cycling
from holdfast.usecases.agents.looking import resume
from holdfast.usecases.memory.forget import Forget
from holdfast.usecases.review.undo import Undo
from holdfast.usecases.roles import executing
from holdfast.usecases.roles.applying import fix_findings
from holdfast.usecases.roles.asking import answered
from holdfast.usecases.roles.queueing import bounded
from holdfast.usecases.roles.replaying import NOBODY, NOT_AGAIN, RunReplay, replay
from holdfast.usecases.roles.role_ports import SuperviseOptions
from holdfast.usecases.roles.supervising import SupervisedRun, resume_supervised, supervise
from holdfast.usecases.tasks.adding import AddTask, EditTask, add_task, edit_task
from holdfast.usecases.tasks.working import delete_task
from tests.builders import NOON
from tests.requirements import requirement
from tests.usecases.supervised import PlainCommits, Scene, a_talk
from tests.usecases.wishes import said

WANT = SuperviseOptions()
HEAD = "a" * 40


class KilledError(Exception):
    """The process ended here."""


@pytest.fixture
def scene(holdfast: Holdfast) -> Scene:
    return Scene(holdfast)


def told(found: RunReplay) -> list[str]:
    return [
        f"{one.step.work.value} {each.where}: {each.now}"
        for one in found.steps
        for each in one.differences
    ]


def name_of(done: SupervisedRun) -> str:
    assert done.run is not None
    return done.run.id


@requirement("roles.replay")
def test_a_replay_from_the_same_inputs_shows_no_difference(
    scene: Scene, store: InMemoryStore
) -> None:
    scene.commits = PlainCommits({HEAD: "Why\n\nWe decided to keep logs because of audits."})
    scene.shelf.talks = [a_talk("We decided to run the linter before each commit.")]
    scene.commands.texts = {"test": "make test"}
    ports = scene.ports()
    said(scene.holdfast, "A release needs two reviews.", kind=Kind.RULE)
    add_task(AddTask(title="Fix the crash for release 1.2"), ports=ports.tasks("ada"))
    done = supervise("release 1.2", replace(WANT, run=("test",), may_run=True), ports=ports)
    with store.reading() as tx:
        before = tx.diary.events.head()

    found = replay(name_of(done), ports=ports)

    assert found.is_same
    assert [one.not_replayed for one in found.steps] == ["", "", "", NOT_AGAIN, "", ""]
    assert len(scene.commands.ran) == 1
    with store.reading() as tx:
        assert tx.diary.events.head() == before


@requirement("roles.replay")
def test_a_replay_shows_another_answer_and_a_specialist_that_is_gone(scene: Scene) -> None:
    scene.specialists.choice = {StepWork.PLAN: "model", StepWork.CURATE: "other"}
    usual: dict[str, object] = {"reuse": None, "after": [], "command": "", "why": ""}
    scene.specialists.answers = {
        "model": lambda _: {
            "tasks": [{"key": "a", "title": "One", **usual}],
            "cites": [],
            "notes": [],
        },
        "other": lambda _: {"fix": [], "notes": []},
    }
    ports = scene.ports()
    done = supervise("fix it", WANT, ports=ports)
    scene.specialists.answers["model"] = lambda _: {
        "tasks": [{"key": "a", "title": "Two", **usual}],
        "cites": [],
        "notes": ["new"],
    }
    scene.specialists.answers["other"] = "no package offers it"

    found = told(replay(name_of(done), ports=ports))

    assert found[0] == "plan outputs.notes[0]: new"
    assert found[1].startswith("plan outputs.tasks[a].title: ")
    assert found[2] == "curate outputs: no package offers it"
    scene.specialists.answers["other"] = lambda _: "garbage"
    assert "its answer is not usable" in told(replay(name_of(done), ports=ports))[2]


@requirement("roles.replay")
def test_a_replay_names_inputs_that_are_no_longer_as_they_were(scene: Scene) -> None:
    scene.shelf.talks = [
        a_talk("We decided to run the linter before each commit."),
        a_talk("We decided to keep logs because of audits.", session="s2"),
    ]
    ports = scene.ports()
    asked = ports.tasks("ada", decides=True)
    rule = said(scene.holdfast, "A release needs two reviews.", kind=Kind.RULE)
    renamed = add_task(AddTask(title="Fix the crash"), ports=asked)
    deleted = add_task(AddTask(title="Write the notes"), ports=asked)
    done = supervise("release 1.2", WANT, ports=ports)
    edit_task(EditTask(reference=renamed.id, title="Fix the other crash"), ports=asked)
    delete_task(deleted.id, ports=asked)
    scene.holdfast.memories.forget(Forget(reference=rule.memory.id, by="ada"))
    scene.shelf.talks = [a_talk("We never run the linter.")]
    scene.commits.messages_by_id = {"c" * 40: "Rewritten", HEAD: "Start", "d" * 40: "Older"}

    found = told(replay(name_of(done), ports=ports))

    assert f"history inputs: {renamed.id} has another title" in found
    assert f"history inputs: {deleted.id} is gone" in found
    assert f"history inputs: the commits that lead to {HEAD[:12]} are others" in found
    assert "history inputs: the session s1 has other turns" in found
    assert "history inputs: the session s2 is gone" in found
    assert f"plan inputs: {rule.memory.id} is gone" in found
    scene.commits.is_broken = True
    assert any(
        "the commits cannot be read" in one for one in told(replay(name_of(done), ports=ports))
    )


def test_steps_that_nobody_answered_or_that_wait_are_not_done_again(scene: Scene) -> None:
    scene.specialists.answers = {"rules": "failed"}

    def kill(step: RunStep) -> None:
        if step.work is StepWork.PLAN:
            raise KilledError

    with pytest.raises(KilledError):
        supervise("fix it", WANT, ports=replace(scene.ports(), tell=kill))
    found = replay("run-2026-11-15-1", ports=scene.ports())

    assert [one.not_replayed for one in found.steps] == [
        *(NOBODY, NOBODY, NOBODY),
        *("it is waiting", "it is waiting"),
    ]


@requirement("roles.resume")
@pytest.mark.parametrize("moment", ["the command runs", "its result is recorded"])
def test_a_command_that_was_interrupted_runs_again_but_its_result_is_recorded_once(
    scene: Scene, store: InMemoryStore, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    scene.commands.texts = {"test": "make test"}
    options = replace(WANT, run=("test",), may_run=True)
    whole = executing._settled

    def die(*_: object, **__: object) -> None:
        raise KilledError

    if moment == "the command runs":
        scene.commands.then = die
    else:
        monkeypatch.setattr(executing, "_settled", die)
    with pytest.raises(KilledError):
        supervise("release 1.2", options, ports=scene.ports())
    scene.commands.then = lambda: None
    monkeypatch.setattr(executing, "_settled", whole)

    done = resume_supervised("run-2026-11-15-1", options, ports=scene.ports())

    step = next(one for one in done.steps if one.work is StepWork.COMMAND)
    state = resume(f"executor-{step.run_id}", store=store)
    ran_twice = moment == "the command runs"
    assert len(scene.commands.ran) == (2 if ran_twice else 1)
    assert state.cycles == (2 if ran_twice else 1)
    assert state.interrupted == 0
    assert (step.outputs or {})["exit_code"] == 0


def test_a_command_that_was_interrupted_twice_runs_a_third_time(scene: Scene) -> None:
    scene.commands.texts = {"test": "make test"}
    scene.commands.ends = {"test": CommandEnd(exit_code=0)}
    options = replace(WANT, run=("test",), may_run=True)

    def die() -> None:
        raise KilledError

    scene.commands.then = die
    with pytest.raises(KilledError):
        supervise("release 1.2", options, ports=scene.ports())
    with pytest.raises(KilledError):
        resume_supervised("run-2026-11-15-1", options, ports=scene.ports())
    scene.commands.then = lambda: None

    done = resume_supervised("run-2026-11-15-1", options, ports=scene.ports())

    assert all(one.is_over for one in done.steps)
    assert len(scene.commands.ran) == 3


def test_a_curation_whose_findings_changed_before_it_was_resumed_fixes_nothing(
    scene: Scene,
) -> None:
    def dies(_: object) -> object:
        raise KilledError

    scene.specialists.choice = {StepWork.CURATE: "dies"}
    scene.specialists.answers = {"dies": dies}
    with pytest.raises(KilledError):
        supervise("tidy", replace(WANT, applies=True), ports=scene.ports())
    scene.specialists.choice = {}
    said(scene.holdfast, "Tokens rotate hourly in the feed.")
    said(scene.holdfast, "Tokens rotate hourly in the feeds.")
    with scene.holdfast.store.writing(NOON) as tx:
        (name,) = tx.diary.runs.steps.supervised(beyond=None, limit=1)
        step = next(one for one in tx.diary.runs.steps.of(name) if one.work is StepWork.CURATE)
        other = {"score": 1, "findings": [{"trouble": "x", "memories": [], "step": "deprecate"}]}
        tx.diary.runs.steps.put(replace(step, inputs=other))

    done = resume_supervised(name, replace(WANT, applies=True), ports=scene.ports())

    curated = next(one for one in done.steps if one.work is StepWork.CURATE)
    assert curated.effects == {"decisions": [], "fixable": 0, "fixed": []}


def test_a_process_that_ended_before_it_proposed_leaves_an_interrupted_cycle(
    scene: Scene, store: InMemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene.commands.texts = {"test": "make test"}
    options = replace(WANT, run=("test",), may_run=True)
    whole = cycling.propose_action

    def die(*_: object, **__: object) -> None:
        raise KilledError

    monkeypatch.setattr(executing, "propose_action", die)
    with pytest.raises(KilledError):
        supervise("release 1.2", options, ports=scene.ports())
    monkeypatch.setattr(executing, "propose_action", whole)

    done = resume_supervised("run-2026-11-15-1", options, ports=scene.ports())

    assert resume(f"executor-{name_of(done)}", store=store).interrupted == 1
    assert [name for name, _ in scene.commands.ran] == ["test"]


def test_a_run_whose_process_ended_after_its_summary_is_finished_once(scene: Scene) -> None:
    ports = scene.ports()
    done = supervise("fix it", WANT, ports=ports)
    with scene.holdfast.store.writing(NOON) as tx:
        last = done.steps[-1]
        waiting = replace(last, status=StepStatus.RUNNING, outputs=None, finished_at=None)
        tx.diary.runs.steps.put(waiting)

    again = resume_supervised(name_of(done), WANT, ports=ports)

    assert again.run == done.run
    assert again.steps[-1].status is StepStatus.DONE


def test_nobody_is_asked_without_time(scene: Scene) -> None:
    found = answered(
        StepWork.PLAN,
        {},
        seconds=0.01,
        specialists=scene.specialists,
        clock=scene.holdfast.clock,
    )

    assert found.specialist == "nothing"
    assert found.attempts[0].problem == "no time was left for it"


def test_inputs_that_are_too_large_are_refused() -> None:
    with pytest.raises(BadFieldError, match="bytes"):
        bounded({"a": ["x" * 60_000] * 20})


@requirement("roles.curator-undoable")
@pytest.mark.parametrize("decides", [False, True])
def test_the_curator_fixes_only_for_a_person_and_undo_reverts_it(
    scene: Scene, *, decides: bool
) -> None:
    ports = scene.ports()
    ports = replace(ports, caller=replace(ports.caller, decides=decides))
    for ending in ("", "!"):
        said(scene.holdfast, f"Tokens rotate hourly in the feed{ending}", kind=Kind.RULE)
    concern = Concern(
        trouble=MemoryTrouble.DUPLICATE,
        why="both say the same",
        remedy=Remedy.CONSOLIDATE,
        memories=tuple(one.memory.id for one in every_memory(scene)),
        step=TidyStep.DEPRECATE,
    )

    found = fix_findings({"fix": [0], "notes": []}, [concern], applies=True, ports=ports)

    assert bool(found["decisions"]) is decides
    if decides:
        scene.holdfast.review.undo(Undo(by="ada"))
    assert {one.standing.status for one in every_memory(scene)} == {Status.ACCEPTED}


def every_memory(scene: Scene) -> list[MemoryRecord]:
    with scene.holdfast.store.reading() as tx:
        return list(tx.memories.find(Selection(), Page(limit=9)))
