"""An import of one's own tasks: claims and reasons stay, and so do other repositories."""

from __future__ import annotations

import json
from datetime import timedelta

from holdfast.app import Holdfast
from holdfast.domain.tasks.task import Task, TaskStatus
from holdfast.domain.values import replace
from holdfast.usecases.tasks.adding import AddTask
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
