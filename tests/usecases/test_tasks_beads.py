"""Tasks from beads and back: nothing lost, nothing doubled, all or nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest

from holdfast.app import Holdfast
from holdfast.domain.tasks.errors import BadTaskLineError, TaskCycleError
from holdfast.domain.tasks.task import Task, TaskKind, TaskStatus
from holdfast.domain.values import replace
from holdfast.usecases.tasks.adding import AddTask, EditTask
from holdfast.usecases.tasks.finding import ListTasks
from tests.builders import NOON, FixedClock
from tests.requirements import requirement
from tests.usecases.wishes import SECRET

EPIC = {
    "id": "bd-abc",
    "title": "Feature",
    "description": "Build it.\nAll.",
    "status": "in_progress",
    "priority": 1,
    "issue_type": "epic",
    "owner": "x",
    "created_at": "2026-03-03T11:10:57.5-06:00",
    "updated_at": "2026-03-03T11:10:57Z",
    "compaction_level": 0,
}
CHILD = {
    "id": "bd-abc.1",
    "title": "Schema",
    "status": "open",
    "priority": 0,
    "issue_type": "bug",
    "labels": ["db", "ü"],
    "created_at": "2026-03-03T11:11:38Z",
    "dependencies": [
        {
            "issue_id": "bd-abc.1",
            "depends_on_id": "bd-abc",
            "type": "parent-child",
            "metadata": "{}",
        },
        {"issue_id": "bd-abc.1", "depends_on_id": "bd-zzz", "type": "blocks"},
        {"issue_id": "bd-abc.1", "depends_on_id": "bd-not-here", "type": "blocks"},
        {"issue_id": "bd-abc.1", "depends_on_id": "bd-old", "type": "discovered-from"},
    ],
    "comments": [{"id": 1, "text": "hm"}],
}
BASIS = {"id": "bd-zzz", "title": "Basis", "status": "closed", "closed_at": "2026-03-04T00:00:00Z"}
DEFERRED = {"id": "bd-d", "title": "Later", "status": "deferred", "issue_type": "message"}
GONE = {"id": "bd-g", "title": "Gone", "status": "tombstone"}
ISSUES: list[dict[str, Any]] = [EPIC, CHILD, BASIS, DEFERRED]


def lines(issues: list[dict[str, Any]]) -> list[str]:
    return [json.dumps(issue) for issue in issues]


def exported(app: Holdfast) -> dict[str, dict[str, Any]]:
    read = [json.loads(line) for line in app.tasks.export()]
    return {issue["id"]: issue for issue in read}


def by_name(app: Holdfast) -> dict[str, Task]:
    return {str(task.external): task for task in app.tasks.list(ListTasks()).tasks}


@requirement("task.beads-both-ways")
@requirement("task.keeps-foreign-ids")
def test_issues_come_in_and_go_out_without_loss(holdfast: Holdfast) -> None:
    brought = holdfast.tasks.bring_in([*lines([*ISSUES, GONE]), "", "  "])

    assert (brought.added, brought.changed, brought.known, brought.left_out) == (4, 0, 0, 1)
    tasks = by_name(holdfast)
    epic, child = tasks["bd-abc"], tasks["bd-abc.1"]
    assert (epic.kind, epic.status, epic.priority) == (TaskKind.MILESTONE, TaskStatus.STARTED, 1)
    assert (child.parent, child.after) == (epic.id, (tasks["bd-zzz"].id,))
    assert (child.labels, child.kind) == (("db", "ü"), TaskKind.BUG)
    assert tasks["bd-zzz"].is_done
    assert (tasks["bd-d"].status, tasks["bd-d"].blocked) == (TaskStatus.BLOCKED, "deferred")
    assert holdfast.tasks.show("bd-abc").task == epic
    assert exported(holdfast) == {issue["id"]: issue for issue in ISSUES}


@requirement("task.beads-both-ways")
def test_an_edge_that_a_merge_doubled_stays_as_it_was(holdfast: Holdfast) -> None:
    edges = [
        {"issue_id": "bd-2", "depends_on_id": "bd-1", "type": "blocks", "created_by": name}
        for name in ("ada", "grace")
    ]
    first = {"id": "bd-1", "title": "First", "status": "open"}
    second = {"id": "bd-2", "title": "Second", "status": "open", "dependencies": edges}
    holdfast.tasks.bring_in(lines([first, second]))

    back = exported(holdfast)
    again = holdfast.tasks.bring_in(lines(list(back.values())))
    holdfast.tasks.edit(EditTask(reference="bd-2", not_after=("bd-1",)))

    assert back == {"bd-1": first, "bd-2": second}
    assert (again.added, again.changed) == (0, 0)
    assert exported(holdfast)["bd-2"]["dependencies"] == []


@requirement("task.beads-both-ways")
def test_a_second_import_changes_nothing(holdfast: Holdfast) -> None:
    holdfast.tasks.bring_in(lines(ISSUES))
    before = by_name(holdfast)

    again = holdfast.tasks.bring_in(lines(ISSUES))

    assert (again.added, again.changed, again.known) == (0, 0, 4)
    assert by_name(holdfast) == before


@requirement("task.beads-both-ways")
def test_what_changed_in_the_file_and_what_changed_here_are_both_kept(
    holdfast: Holdfast, clock: FixedClock
) -> None:
    holdfast.tasks.bring_in(lines(ISSUES))
    clock.advance(hours=1)
    holdfast.tasks.edit(EditTask(reference="bd-abc.1", priority=3, labels=("new",)))

    again = holdfast.tasks.bring_in(lines([{**CHILD, "title": "Other", "x": 1}, DEFERRED]))

    assert (again.changed, again.known) == (1, 1)
    child = by_name(holdfast)["bd-abc.1"]
    assert (child.title, child.priority, child.labels) == ("Other", 3, ("db", "ü", "new"))
    out = exported(holdfast)["bd-abc.1"]
    assert (out["title"], out["priority"], out["x"]) == ("Other", 3, 1)
    assert (out["comments"], out["dependencies"]) == (CHILD["comments"], CHILD["dependencies"])
    assert out["updated_at"] == "2026-11-15T13:00:00Z"


@requirement("task.beads-both-ways")
def test_changes_here_are_written_into_the_line(holdfast: Holdfast, clock: FixedClock) -> None:
    holdfast.tasks.bring_in(lines(ISSUES))
    clock.advance(hours=1)
    own = holdfast.tasks.add(AddTask(title="Own", notes="n", kind=TaskKind.MILESTONE))
    holdfast.tasks.edit(
        EditTask(reference="bd-abc.1", parent="", not_after=("bd-zzz",), after=(own.id,))
    )
    holdfast.tasks.reopen("bd-zzz")
    holdfast.tasks.claim("bd-zzz", by="w")
    holdfast.tasks.done(own.id)

    out = exported(holdfast)

    kinds = [(one["depends_on_id"], one["type"]) for one in out["bd-abc.1"]["dependencies"]]
    assert kinds == [("bd-not-here", "blocks"), ("bd-old", "discovered-from"), (own.id, "blocks")]
    assert (out["bd-zzz"]["status"], out["bd-zzz"]["assignee"]) == ("in_progress", "w")
    assert out["bd-zzz"]["closed_at"] is None
    mine = out[own.id]
    assert (mine["status"], mine["issue_type"], mine["description"]) == ("closed", "epic", "n")
    assert (mine["created_by"], mine["closed_at"]) == ("ada", "2026-11-15T13:00:00Z")


def test_own_tasks_come_back_under_their_own_ids(holdfast: Holdfast) -> None:
    first = holdfast.tasks.add(AddTask(title="first"))
    second = holdfast.tasks.add(AddTask(title="second", after=(first.id,), parent=None))
    out = list(holdfast.tasks.export())
    same = holdfast.tasks.bring_in(out)
    holdfast.tasks.delete(first.id)
    holdfast.tasks.delete(second.id)

    brought = holdfast.tasks.bring_in(out)

    assert (same.added, brought.added) == (0, 2)
    again = holdfast.tasks.show(second.id).task
    assert (again.after, again.external) == ((first.id,), None)
    late = json.dumps({"id": "bd-9", "title": "late", "created_at": "1969-01-01T00:00:00Z",
                       "dependencies": [{"depends_on_id": first.id},
                                        {"depends_on_id": "t_no"}]})  # fmt: skip
    holdfast.tasks.bring_in([late])
    assert holdfast.tasks.show("bd-9").task.after == (first.id,)
    later = json.dumps({"id": "bd-10", "title": "x", "dependencies": [{"depends_on_id": "bd-9"}]})
    holdfast.tasks.bring_in([later])
    assert holdfast.tasks.show("bd-10").task.after == (holdfast.tasks.show("bd-9").task.id,)


@requirement("task.import-all-or-nothing")
@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{", "it is not JSON"),
        ("[" * 100_000, "over 65,536 bytes"),
        ("[" * 30_000, "it is not JSON"),
        ("[]", "it is not an object"),
        ('{"id": "bd-1"}', "title must be text"),
        ('{"id": " ", "title": "x"}', "id is blank"),
        ('{"id": "bd-1", "title": "x", "priority": 9}', "priority"),
        ('{"id": "bd-1", "title": "x", "dependencies": [{}]}', "depends_on_id"),
        ('{"id": "bd-1", "title": "x", "dependencies": {}}', "must be a list"),
        ('{"id": "bd-abc", "title": "x"}', "is there twice"),
        (json.dumps({"id": "bd-1", "title": SECRET}), "secret"),
        (json.dumps({"id": "bd-1", "title": "x", "notes": SECRET}), "secret"),
    ],
)
def test_a_bad_line_is_named_by_its_number_and_nothing_changes(
    holdfast: Holdfast, line: str, problem: str
) -> None:
    with pytest.raises(BadTaskLineError, match="Line 5:") as refused:
        holdfast.tasks.bring_in([*lines(ISSUES), line])

    assert problem.lower() in str(refused.value).lower()
    assert holdfast.tasks.list(ListTasks()).tasks == ()


@requirement("task.import-all-or-nothing")
def test_a_cycle_in_a_file_is_refused_and_nothing_changes(holdfast: Holdfast) -> None:
    edge = [{"depends_on_id": "bd-2"}]
    one = {"id": "bd-1", "title": "one", "dependencies": edge}
    two = {"id": "bd-2", "title": "two", "dependencies": [{"depends_on_id": "bd-1"}]}

    with pytest.raises(TaskCycleError, match="bd-1 → bd-2 → bd-1|bd-2 → bd-1 → bd-2"):
        holdfast.tasks.bring_in(lines([one, two]))

    assert holdfast.tasks.list(ListTasks()).tasks == ()


@requirement("task.never-waits-for-itself")
@pytest.mark.parametrize("kind", ["blocks", "parent-child"])
def test_an_issue_that_waits_for_itself_is_named_by_its_line(holdfast: Holdfast, kind: str) -> None:
    edge = [{"depends_on_id": "bd-1", "type": kind}]

    with pytest.raises(BadTaskLineError, match=r"Line 1\D.*'bd-1' waits for itself"):
        holdfast.tasks.bring_in(lines([{"id": "bd-1", "title": "one", "dependencies": edge}]))

    assert holdfast.tasks.list(ListTasks()).tasks == ()


def test_a_file_has_a_limit(holdfast: Holdfast) -> None:
    with pytest.raises(BadTaskLineError, match="Line 200001"):
        holdfast.tasks.bring_in("" for _ in range(200_001))


@requirement("task.travels")
def test_an_export_carries_tasks_and_an_import_takes_them_in_any_order(
    holdfast: Holdfast,
) -> None:
    parent = holdfast.tasks.add(AddTask(title="parent"))
    child = holdfast.tasks.add(AddTask(title="child", parent=parent.id))
    last = holdfast.tasks.add(AddTask(title="last", after=(parent.id,)))
    out = [line for line in holdfast.exchange.export() if '"task"' in line]
    known = holdfast.exchange.bring_in(out)
    kept = [holdfast.tasks.show(one.id).task for one in (parent, child, last)]
    for one in (parent, child, last):
        holdfast.tasks.delete(one.id)

    brought = holdfast.exchange.bring_in(reversed(out))

    assert (known.known, brought.added, brought.refused) == (3, 3, ())
    assert [holdfast.tasks.show(one.id).task for one in (parent, child, last)] == kept
    assert [task.title for task in holdfast.tasks.ready().tasks] == ["child"]


@requirement("task.cycle-names-its-path")
def test_a_line_of_an_export_that_closes_a_cycle_is_refused(holdfast: Holdfast) -> None:
    one = holdfast.tasks.add(AddTask(title="one"))
    two = holdfast.tasks.add(AddTask(title="two", after=(one.id,)))
    out = {line for line in holdfast.exchange.export() if one.id in line and '"one"' in line}
    changed = [line.replace('"after": []', f'"after": ["{two.id}"]') for line in out]
    holdfast.tasks.delete(one.id)
    with holdfast.store.writing(NOON) as tx:
        tx.diary.tasks.put(replace(tx.diary.tasks.get(two.id), after=(one.id,)))

    brought = holdfast.exchange.bring_in(changed)

    assert (brought.added, len(brought.refused)) == (0, 1)
    assert [task.title for task in holdfast.tasks.list(ListTasks()).tasks] == ["two"]


@requirement("task.import-names-missing-edges")
def test_an_import_names_edges_to_issues_that_are_not_here(holdfast: Holdfast) -> None:
    brought = holdfast.tasks.bring_in(lines(ISSUES))

    assert brought.missing_edges == 1
    assert [str(one) for one in brought.missing] == [
        "bd-abc.1 waits for bd-not-here, which is not here"
    ]
    assert holdfast.tasks.bring_in(lines(ISSUES)).missing == brought.missing
    assert holdfast.tasks.show("bd-abc.1").missing == brought.missing
    assert holdfast.tasks.show("bd-abc").missing == ()
    own = holdfast.tasks.add(AddTask(title="own"))
    assert holdfast.tasks.show(own.id).missing == ()


def edge(name: str, word: str = "blocks") -> dict[str, str]:
    return {"depends_on_id": name, "type": word}


@requirement("task.import-names-missing-edges")
def test_a_missing_parent_counts_and_at_most_five_edges_are_named(holdfast: Holdfast) -> None:
    edges = [edge("bd-x", "parent-child"), *(edge(f"bd-{number}") for number in range(6))]
    # An issue that is deleted in the file is there: nothing waits for it, and nothing is missing.
    edges += [edge("bd-g"), edge("t_nothere"), edge("bd-0")]
    brought = holdfast.tasks.bring_in(
        lines([{"id": "bd-a", "title": "a", "dependencies": edges}, GONE])
    )

    assert brought.missing_edges == 8
    assert [one.depends_on for one in brought.missing] == [f"bd-{number}" for number in range(5)]
    shown = holdfast.tasks.show("bd-a").missing
    assert str(shown[-1]) == "bd-a is a part of bd-x, which is not here"


@requirement("task.import-names-missing-edges")
def test_an_edge_leads_to_its_task_when_the_task_arrives_later(
    holdfast: Holdfast, clock: FixedClock
) -> None:
    issue = {
        "id": "bd-a",
        "title": "a",
        "dependencies": [edge("bd-b"), edge("bd-c", "parent-child")],
    }
    holdfast.tasks.bring_in(lines([issue]))
    clock.advance(seconds=1)
    late = [{"id": "bd-b", "title": "b"}, {"id": "bd-c", "title": "c"}]

    brought = holdfast.tasks.bring_in(lines([issue, *late]))

    assert (brought.added, brought.changed, brought.missing_edges) == (2, 1, 0)
    tasks = by_name(holdfast)
    assert tasks["bd-a"].after == (tasks["bd-b"].id,)
    assert tasks["bd-a"].parent == tasks["bd-c"].id
    assert holdfast.tasks.bring_in(lines([issue, *late])).known == 3


@requirement("task.import-names-missing-edges")
def test_an_edge_leads_to_a_task_that_arrives_in_a_file_without_the_waiting_one(
    holdfast: Holdfast, clock: FixedClock
) -> None:
    child = {"id": "zz-1", "title": "child", "dependencies": [edge("zz-98", "parent-child")]}
    waits = {"id": "zz-2", "title": "waits", "dependencies": [edge("zz-98"), edge("zz-99")]}
    other = {"id": "zz-3", "title": "other", "dependencies": [edge("zz-2")]}
    holdfast.tasks.bring_in(lines([child, other]))
    holdfast.tasks.bring_in(lines([waits]))
    holdfast.tasks.add(AddTask(title="own"))
    assert by_name(holdfast)["zz-3"].after == (by_name(holdfast)["zz-2"].id,)
    clock.advance(seconds=1)

    brought = holdfast.tasks.bring_in(lines([{"id": "zz-99", "title": "late"}, child]))

    assert (brought.added, brought.changed, brought.known) == (1, 1, 1)
    tasks = by_name(holdfast)
    assert tasks["zz-2"].after == (tasks["zz-99"].id,)
    assert holdfast.tasks.bring_in(lines([{"id": "zz-98", "title": "later"}])).changed == 2
    tasks = by_name(holdfast)
    assert tasks["zz-2"].after == (tasks["zz-99"].id, tasks["zz-98"].id)
    assert tasks["zz-1"].parent == tasks["zz-98"].id
    out = {line["id"]: line for line in map(json.loads, holdfast.tasks.export())}
    assert out["zz-2"]["dependencies"] == waits["dependencies"]
    assert out["zz-1"]["dependencies"] == child["dependencies"]


@requirement("task.cycle-names-its-path")
def test_an_issue_that_closes_a_cycle_with_a_waiting_task_is_refused(holdfast: Holdfast) -> None:
    holdfast.tasks.bring_in(lines([{"id": "zz-1", "title": "a", "dependencies": [edge("zz-2")]}]))

    with pytest.raises(TaskCycleError, match="zz-1"):
        holdfast.tasks.bring_in(
            lines([{"id": "zz-2", "title": "b", "dependencies": [edge("zz-1")]}])
        )
    assert set(by_name(holdfast)) == {"zz-1"}
