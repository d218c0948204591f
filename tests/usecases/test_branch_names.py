"""Runs, sessions and tasks of a renamed branch are shown with its name now."""

from __future__ import annotations

from dataclasses import replace

from holdfast.app import Holdfast
from holdfast.app.work.runs import RunsPart
from holdfast.domain.ids import RunId, SessionId
from holdfast.usecases.tasks.adding import AddTask
from holdfast.usecases.tasks.finding import ListTasks
from tests.builders import HERE, NOON, PlainSurroundings, a_run, a_session
from tests.requirements import requirement
from tests.usecases.test_runs import TwoCommits
from tests.usecases.test_tasks import ASIDE, MAIN


@requirement("branch.name-now")
def test_runs_and_sessions_are_listed_with_the_name_now(
    holdfast: Holdfast, surroundings: PlainSurroundings
) -> None:
    surroundings.renamed = {"old": "new"}
    with holdfast.store.writing(NOON) as tx:
        for number, (repo, branch) in enumerate(
            [(HERE.repo, "old"), (HERE.repo, "kept"), (HERE.repo, None), ("other", "old")], 1
        ):
            tx.diary.runs.put(
                a_run(id=RunId(f"r_{number}"), label=f"run-{number}", repo=repo, branch=branch)
            )
            tx.sessions.put(a_session(id=SessionId(f"i_{number}"), repo=repo, branch=branch))

    part = RunsPart(holdfast, commit_reader=TwoCommits(), notebook=None)
    runs = {one.id: one.branch for one in part.latest(everywhere=True)}
    sessions = {one.id: one.branch for one in holdfast.sessions.latest()}

    assert runs == {"r_1": "new", "r_2": "kept", "r_3": None, "r_4": "old"}
    assert sessions == {"i_1": "new", "i_2": "kept", "i_3": None, "i_4": "old"}
    assert part.show("r_1").branch == "new"
    surroundings.at = replace(HERE, branch="new")
    assert part.show().id == "r_1"


@requirement("branch.name-now")
def test_tasks_are_shown_with_the_name_now(seen: Holdfast, surroundings: PlainSurroundings) -> None:
    surroundings.stands, surroundings.at = ASIDE, replace(HERE, branch="feature")
    aside = seen.tasks.add(AddTask(title="aside"))
    surroundings.stands, surroundings.at = MAIN, HERE
    here = seen.tasks.add(AddTask(title="here", branch=""))
    surroundings.renamed = {"feature": "new"}

    found = seen.tasks.ready()

    assert [one.why for one in found.obstacles] == ["belongs to the branch new"]
    assert found.note == "tasks of new do not count in this checkout"
    listed = seen.tasks.list(ListTasks())
    assert [one.branch for one in listed.tasks] == ["new", None]
    assert listed.elsewhere == {aside.id}
    assert seen.tasks.show(aside.id).task.branch == "new"
    surroundings.at = replace(HERE, repo="other")
    assert seen.tasks.show(aside.id).task.branch == "feature"
    assert seen.tasks.show(here.id).task.branch is None
