"""An import of one's own tasks: claims and reasons stay, and so do other repositories."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest

from holdfast.app import Holdfast
from holdfast.domain.tasks.task import Task, TaskStatus
from holdfast.domain.values import replace
from holdfast.usecases.tasks.adding import AddTask, EditTask
from tests.builders import HERE, FixedClock, PlainSurroundings
from tests.requirements import requirement


def shown(app: Holdfast, task: Task) -> Task:
    return app.tasks.show(task.id).task


def without_line(task: Task) -> Task:
    return replace(task, foreign={})


@requirement("task.import-keeps-claims")
def test_an_export_that_comes_back_changes_nothing(holdfast: Holdfast) -> None:
    claimed, stuck, done = (holdfast.tasks.add(AddTask(title=name)) for name in ("a", "b", "c"))
    holdfast.tasks.claim(claimed.id, by="w1")
    holdfast.tasks.block(stuck.id, "waiting for Bob")
    holdfast.tasks.done(done.id)
    before = [shown(holdfast, one) for one in (claimed, stuck, done)]

    brought = holdfast.tasks.bring_in(list(holdfast.tasks.export()))

    assert (brought.added, brought.changed, brought.known) == (0, 0, 3)
    after = [without_line(shown(holdfast, one)) for one in (claimed, stuck, done)]
    assert after == before
    assert after[1].blocked == "waiting for Bob"


@requirement("task.import-keeps-claims")
def test_an_older_export_ends_no_claim_until_the_claim_itself_ends(
    holdfast: Holdfast, clock: FixedClock
) -> None:
    task = holdfast.tasks.add(AddTask(title="first"))
    old = list(holdfast.tasks.export())
    lease = holdfast.tasks.claim(task.id, lease=timedelta(hours=1), by="w1").lease

    holdfast.tasks.bring_in(old)
    kept = shown(holdfast, task)
    closed = [json.dumps({**json.loads(line), "status": "closed"}) for line in old]
    holdfast.tasks.bring_in(closed)
    held = shown(holdfast, task)
    clock.advance(hours=2)
    holdfast.tasks.bring_in(old)
    holdfast.tasks.bring_in(closed)

    assert (kept.status, kept.lease) == (held.status, held.lease) == (TaskStatus.STARTED, lease)
    assert (shown(holdfast, task).status, shown(holdfast, task).lease) == (TaskStatus.DONE, None)


@requirement("task.import-stays-here")
def test_an_import_in_another_repository_changes_no_task_of_this_one(
    holdfast: Holdfast,
) -> None:
    task = holdfast.tasks.add(AddTask(title="first"))
    holdfast.tasks.claim(task.id, by="w1")
    before = shown(holdfast, task)
    [line] = holdfast.tasks.export()
    place = replace(HERE, repo="another")
    other = replace(holdfast, surroundings=PlainSurroundings(at=place))
    edge = [{"depends_on_id": task.id, "type": "blocks"}]
    waiting = json.dumps({"id": "bd-1", "title": "waits", "dependencies": edge})

    brought = other.tasks.bring_in([line.replace("first", "changed"), waiting])

    assert (brought.added, brought.changed, brought.known, brought.elsewhere) == (1, 0, 0, 1)
    assert brought.missing_edges == 0
    assert shown(holdfast, task) == before
    assert other.tasks.show("bd-1").task.after == (task.id,)


def elsewhere(holdfast: Holdfast) -> Holdfast:
    return replace(holdfast, surroundings=PlainSurroundings(at=replace(HERE, repo="another")))


def read(lines: list[str], **changes: Any) -> list[str]:
    return [json.dumps({**json.loads(line), **changes}) for line in lines]


@requirement("task.import-newest-wins")
def test_an_older_export_reopens_nothing_and_is_named(
    holdfast: Holdfast, clock: FixedClock
) -> None:
    task = holdfast.tasks.add(AddTask(title="first"))
    old = list(holdfast.tasks.export())
    clock.advance(hours=1)
    holdfast.tasks.edit(EditTask(reference=task.id, title="better", priority=0))
    holdfast.tasks.done(task.id)
    before = shown(holdfast, task)

    found = [holdfast.tasks.bring_in(old) for _ in range(2)]

    assert [(one.changed, one.known, one.older_lines) for one in found] == [(0, 1, 1), (0, 1, 0)]
    assert found[0].older == (task.id,)
    assert without_line(shown(holdfast, task)) == before


@requirement("task.import-newest-wins")
def test_an_export_from_before_the_last_import_undoes_nothing(
    holdfast: Holdfast, clock: FixedClock
) -> None:
    task = holdfast.tasks.add(AddTask(title="first"))
    old = list(holdfast.tasks.export())
    clock.advance(hours=1)
    holdfast.tasks.done(task.id)
    new = list(holdfast.tasks.export())
    holdfast.tasks.bring_in(new)
    before = shown(holdfast, task)

    found = holdfast.tasks.bring_in(old)

    assert (found.changed, found.older) == (0, (task.id,))
    assert shown(holdfast, task) == before
    assert holdfast.tasks.bring_in(new).older_lines == 0


@requirement("task.import-newest-wins")
@pytest.mark.parametrize(("hours", "title", "older"), [(1, "here", 1), (3, "in the file", 0)])
def test_of_two_changes_of_a_field_the_later_wins(
    holdfast: Holdfast, clock: FixedClock, hours: int, title: str, older: int
) -> None:
    task = holdfast.tasks.add(AddTask(title="first"))
    old = list(holdfast.tasks.export())
    holdfast.tasks.bring_in(old)
    clock.advance(hours=2)
    holdfast.tasks.edit(EditTask(reference=task.id, title="here"))
    moment = f"2026-11-15T{12 + hours}:00:00Z"

    found = holdfast.tasks.bring_in(read(old, title="in the file", priority=0, updated_at=moment))

    after = shown(holdfast, task)
    assert (after.title, after.priority, found.older_lines) == (title, 0, older)


@requirement("task.import-newest-wins")
def test_an_older_line_of_which_nothing_is_taken_changes_nothing(
    holdfast: Holdfast, clock: FixedClock
) -> None:
    task = holdfast.tasks.add(AddTask(title="first"))
    old = list(holdfast.tasks.export())
    holdfast.tasks.bring_in(old)
    clock.advance(hours=2)
    holdfast.tasks.edit(EditTask(reference=task.id, title="here"))
    late = {"updated_at": "2026-11-15T13:00:00Z"}

    nothing = holdfast.tasks.bring_in(read(old, title="in the file", **late))
    some = holdfast.tasks.bring_in(read(old, title="another", priority=0, **late))

    assert (nothing.changed, nothing.known, nothing.older_lines) == (0, 1, 1)
    assert (some.changed, some.older_lines) == (1, 1)


@requirement("task.import-newest-wins")
def test_edges_of_the_file_and_edges_from_here_are_joined(holdfast: Holdfast) -> None:
    names = ("waits", "a", "b", "c")
    task, *others = (holdfast.tasks.add(AddTask(title=name)) for name in names)
    first, second, third = others
    holdfast.tasks.edit(EditTask(reference=task.id, after=(first.id,)))
    line = next(one for one in holdfast.tasks.export() if task.id in json.loads(one)["id"])
    holdfast.tasks.bring_in([line])
    holdfast.tasks.edit(EditTask(reference=task.id, after=(second.id,)))
    edge = {"depends_on_id": third.id, "type": "blocks"}

    holdfast.tasks.bring_in(read([line], dependencies=[edge]))

    assert shown(holdfast, task).after == (second.id, third.id)


@requirement("task.import-newest-wins")
@pytest.mark.parametrize(("hours", "is_kept"), [(1, True), (3, False)])
def test_of_two_changes_of_a_parent_the_later_wins(
    holdfast: Holdfast, clock: FixedClock, hours: int, *, is_kept: bool
) -> None:
    names = ("part", "first", "here", "in the file")
    task, first, here, other = (holdfast.tasks.add(AddTask(title=name)) for name in names)
    holdfast.tasks.edit(EditTask(reference=task.id, parent=first.id))
    lines = [one for one in holdfast.tasks.export() if json.loads(one)["id"] == task.id]
    holdfast.tasks.bring_in(lines)
    clock.advance(hours=2)
    holdfast.tasks.edit(EditTask(reference=task.id, parent=here.id))
    edge = {"depends_on_id": other.id, "type": "parent-child"}
    moment = f"2026-11-15T{12 + hours}:00:00Z"

    found = holdfast.tasks.bring_in(read(lines, dependencies=[edge], updated_at=moment))

    parent = shown(holdfast, task).parent
    assert (parent, found.older_lines) == ((here.id, 1) if is_kept else (other.id, 0))


@requirement("task.import-newest-wins")
def test_an_edge_holds_once_an_older_file_brings_its_end(holdfast: Holdfast) -> None:
    edge = {"depends_on_id": "bd-2", "type": "blocks"}
    old = {"id": "bd-1", "title": "waits", "updated_at": "2026-11-15T10:00:00Z"}
    new = {**old, "updated_at": "2026-11-15T11:00:00Z", "dependencies": [edge]}
    holdfast.tasks.bring_in([json.dumps(new)])

    holdfast.tasks.bring_in([json.dumps(old), json.dumps({"id": "bd-2", "title": "first"})])

    assert holdfast.tasks.show("bd-1").task.after == (holdfast.tasks.show("bd-2").task.id,)


@requirement("task.import-newest-wins")
@pytest.mark.parametrize("is_first", [True, False])
def test_an_export_says_when_a_task_was_changed_and_not_when_it_was_imported(
    holdfast: Holdfast, clock: FixedClock, *, is_first: bool
) -> None:
    task = holdfast.tasks.add(AddTask(title="first"))
    clock.advance(hours=1)
    holdfast.tasks.edit(EditTask(reference=task.id, title="second"))
    old = list(holdfast.tasks.export())
    holdfast.tasks.bring_in([] if is_first else old)
    clock.advance(hours=3)

    holdfast.tasks.bring_in(read(old, title="third", updated_at="2026-11-15T14:00:00Z"))

    [line] = map(json.loads, holdfast.tasks.export())
    assert (line["title"], line["updated_at"]) == ("third", "2026-11-15T14:00:00Z")


@requirement("task.import-keeps-far-edges")
def test_edges_to_tasks_of_other_repositories_come_back(holdfast: Holdfast) -> None:
    other = elsewhere(holdfast)
    far, above = (other.tasks.add(AddTask(title=name)) for name in ("far", "above"))
    near = holdfast.tasks.add(AddTask(title="near"))
    wish = AddTask(title="waits", after=(far.id, near.id), parent=above.id)
    task = holdfast.tasks.add(wish)
    lines = list(holdfast.tasks.export())
    bare = read(lines, dependencies=[])

    brought = holdfast.tasks.bring_in(lines)
    kept = shown(holdfast, task)
    holdfast.tasks.edit(EditTask(reference=task.id, not_after=(far.id,)))
    [out] = [one for one in map(json.loads, holdfast.tasks.export()) if one["id"] == task.id]

    assert brought.missing_edges == 0
    assert (kept.after, kept.parent) == (task.after, above.id)
    assert {one["depends_on_id"] for one in out["dependencies"]} == {near.id, above.id}
    holdfast.tasks.delete(task.id)
    again = holdfast.tasks.add(wish)
    holdfast.tasks.bring_in([line.replace(task.id, again.id) for line in bare])
    assert (shown(holdfast, again).after, shown(holdfast, again).parent) == ((far.id,), above.id)
