"""Issues of a file come in any order: the graph is the same, and each task is written once."""

from __future__ import annotations

import json
import random
from itertools import pairwise
from typing import Any

import pytest

from holdfast.app import Holdfast
from holdfast.domain.tasks.errors import TaskCycleError
from holdfast.usecases.tasks.finding import ListTasks
from tests.requirements import requirement

Graph = dict[int, set[int]]
_TASKS = 24


def a_graph(chance: random.Random, *, edges: int) -> tuple[Graph, dict[int, int]]:
    """Return for each number those that it waits for, and its parent, in no order at all."""
    after: Graph = {number: set() for number in range(_TASKS)}
    for _ in range(edges):
        waiting, first = chance.sample(range(_TASKS), 2)
        after[waiting].add(first)
    pairs = [chance.sample(range(_TASKS), 2) for _ in range(2)]
    return after, {child: parent for child, parent in pairs if parent not in after[child]}


def an_issue(number: int, after: Graph, parents: dict[int, int], *, minute: int) -> dict[str, Any]:
    edges = [{"depends_on_id": f"bd-{one}", "type": "blocks"} for one in sorted(after[number])]
    if number in parents:
        edges.append({"depends_on_id": f"bd-{parents[number]}", "type": "parent-child"})
    return {
        "id": f"bd-{number}",
        "title": f"Task {number}",
        "status": "closed" if number % 5 == 0 else "open",
        "created_at": f"2026-01-01T00:{minute:02d}:00Z",
        "dependencies": edges,
    }


def waits_for(after: Graph, parents: dict[int, int]) -> Graph:
    """Return what each number waits for: a parent waits for its children too."""
    found = {number: set(others) for number, others in after.items()}
    for child, parent in parents.items():
        found[parent].add(child)
    return found


def has_cycle(needs: Graph) -> bool:
    """Take away what waits for nothing that is left; a cycle stays."""
    left = {number: set(others) for number, others in needs.items()}
    while free := {number for number, others in left.items() if not others}:
        left = {number: others - free for number, others in left.items() if number not in free}
    return bool(left)


def check_graph(app: Holdfast, needs: Graph) -> None:
    """Compare the edges, the levels and what can start with a graph."""
    names = {task.id: str(task.external) for task in app.tasks.list(ListTasks(limit=100)).tasks}
    with app.store.reading() as tx:
        graph = tx.diary.tasks.graph
        levels, found = graph.levels(list(names)), graph.dependencies(list(names))
    for name, others in found.items():
        expected = {f"bd-{one}" for one in needs[int(names[name][3:])]}
        assert {names[one] for one in others} == expected
        assert all(levels[name] > levels[one] for one in others)
    is_open = {number for number in needs if number % 5}
    ready = {f"bd-{number}" for number in is_open if not needs[number] & is_open}
    assert {str(task.external) for task in app.tasks.ready(limit=100).tasks} == ready


@requirement("task.cycle-names-its-path")
@requirement("task.ready-is-exact")
@pytest.mark.parametrize("seed", range(40))
def test_a_file_is_taken_in_any_order_and_refused_exactly_if_it_has_a_cycle(
    holdfast: Holdfast, seed: int
) -> None:
    chance = random.Random(seed)  # noqa: S311 - the same graphs in every run
    after, parents = a_graph(chance, edges=chance.randrange(8, 30))
    needs = waits_for(after, parents)
    minutes = chance.sample(range(60), _TASKS)
    issues = [an_issue(one, after, parents, minute=minutes[one]) for one in range(_TASKS)]
    chance.shuffle(issues)
    lines = [json.dumps(issue) for issue in issues]
    first_part = chance.randrange(_TASKS)

    try:
        holdfast.tasks.bring_in(lines[:first_part])
        holdfast.tasks.bring_in(lines)
    except TaskCycleError as refused:
        assert has_cycle(needs)
        path = [int(name[3:]) for name in refused.path]
        assert path[0] == path[-1]
        assert all(two in needs[one] for one, two in pairwise(path))
    else:
        assert not has_cycle(needs)
        check_graph(holdfast, needs)


@requirement("task.beads-both-ways")
def test_a_new_task_is_written_once(holdfast: Holdfast) -> None:
    after: Graph = {0: {1, 2}, 1: {2}, 2: set()}
    issues = [an_issue(one, after, {}, minute=one) for one in after]

    holdfast.tasks.bring_in([json.dumps(issue) for issue in issues])

    with holdfast.store.reading() as tx:
        events = tx.diary.events.since(0, limit=100)
    assert [event.action for event in events] == ["task.put"] * len(issues)
