"""Levels: cycles are found whatever the order of the edges, and searches stay small."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import pairwise

import pytest

from holdfast.adapters.inmemory.store import InMemoryStore
from holdfast.adapters.inmemory.tasks import InMemoryTaskGraph
from holdfast.domain.ids import TaskId
from holdfast.domain.tasks.errors import TaskCycleError
from holdfast.domain.tasks.finding import TaskFilter
from holdfast.domain.tasks.task import Task
from holdfast.domain.values import replace
from holdfast.ports.store.store import Transaction
from holdfast.ports.store.tasks import Neighbours
from holdfast.usecases.tasks.placing import connect, put_task
from tests.builders import NOON, a_task
from tests.requirements import requirement

_ALL = 1_000


@dataclass(frozen=True)
class Asked(InMemoryTaskGraph):
    """A graph that counts the tasks whose neighbours were asked for, and those that were moved."""

    counts: Counter[str] = field(default_factory=Counter)

    def dependents(
        self, task_ids: Collection[TaskId], *, onward: int = 0
    ) -> Mapping[TaskId, Neighbours]:
        found = super().dependents(task_ids, onward=onward)
        return self._counted(found, onward)

    def dependencies(
        self, task_ids: Collection[TaskId], *, unmet: bool = False, onward: int = 0
    ) -> Mapping[TaskId, Neighbours]:
        found = super().dependencies(task_ids, unmet=unmet, onward=onward)
        return self._counted(found, onward)

    def _counted(
        self, found: Mapping[TaskId, Neighbours], onward: int
    ) -> Mapping[TaskId, Neighbours]:
        # A line asks for its tasks one after the other, and each was counted then.
        self.counts["asked"] += 0 if onward else len(found)
        self.counts["queries"] += 1 - len(found) if onward else 1
        return found

    def set_levels(self, levels: Mapping[TaskId, int]) -> None:
        self.counts["moved"] += len(levels)
        super().set_levels(levels)


def named(number: int) -> TaskId:
    return TaskId(f"t_{number:04d}")


def a_later_task(number: int, **fields: object) -> Task:
    return a_task(number, created_at=NOON + timedelta(minutes=number), **fields)


def is_behind(one: TaskId, other: TaskId, tx: Transaction) -> bool:
    """Say whether a task waits for another, directly or not."""
    due, seen = [one], {one}
    while due:
        for name in tx.diary.tasks.graph.dependencies([due.pop()]).values():
            due += [found for found in name if found not in seen]
            seen.update(name)
    return other in seen


def falling(tx: Transaction) -> list[tuple[TaskId, TaskId]]:
    """Return the edges whose ends are not in the order of their levels."""
    graph = tx.diary.tasks.graph
    names = [task.id for task in tx.diary.tasks.find(TaskFilter(), limit=_ALL)]
    levels = graph.levels(names)
    return [
        (name, first)
        for name, others in graph.dependencies(names).items()
        for first in others
        if levels[name] <= levels[first]
    ]


@requirement("task.cycle-names-its-path")
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("minutes", "size", "length"), [(0, 30, 1), (1, 30, 1), (1, 60, 20)])
def test_an_edge_is_refused_exactly_if_it_closes_a_cycle(
    seed: int, minutes: int, size: int, length: int
) -> None:
    chance = random.Random(seed)  # noqa: S311 - the same edges in every run
    tasks = {
        named(one): a_task(
            one,
            created_at=NOON + timedelta(minutes=minutes * one),
            after=(named(one - 1),) if one % length else (),
        )
        for one in range(size)
    }
    with InMemoryStore().writing(NOON) as tx:
        for task in tasks.values():
            put_task(task, before=None, tx=tx)
        for _ in range(120):
            waiting, first = chance.sample(sorted(tasks), 2)
            before = tasks[waiting]
            task = replace(before, after=tuple(dict.fromkeys((*before.after, first))))
            closes = is_behind(first, waiting, tx)
            try:
                put_task(task, before=before, tx=tx)
            except TaskCycleError as closed:
                path = [TaskId(one) for one in closed.path]
                assert path[0] == path[-1] == first
                assert path[-2] == waiting
                needs = tx.diary.tasks.graph.dependencies(path)
                assert all(two in needs[one] for one, two in pairwise(path))
                tx.diary.tasks.put(before)
                assert closes
            else:
                tasks[waiting] = task
                assert not closes
            assert falling(tx) == []


def test_levels_hold_when_the_room_between_two_tasks_is_used_up() -> None:
    with InMemoryStore().writing(NOON) as tx:
        put_task(a_later_task(0), before=None, tx=tx)
        for number in (1, 500):
            put_task(a_later_task(number, after=(named(0),)), before=None, tx=tx)
        for number in range(2, 400):
            before = (named(number - 1),) if number > 2 else ()
            child = a_later_task(number, parent=named(0), after=before)
            put_task(child, before=None, tx=tx)

        assert falling(tx) == []


@requirement("task.cycle-names-its-path")
def test_a_task_that_is_moved_stays_above_those_that_the_search_did_not_ask_for() -> None:
    after = {2: (1,), 4: (3,), 5: (2, 3), 6: (4, 5), 8: (2, 3), 9: (1, 7)}
    levels = (100, 103, 105, 205, 215, 217, 218, 100_218, 100_228, 100_231)
    with InMemoryStore().writing(NOON) as tx:
        for number in range(len(levels)):
            names = tuple(named(one) for one in after.get(number, ()))
            put_task(a_task(number, after=names), before=None, tx=tx)
        graph = tx.diary.tasks.graph
        graph.set_levels({named(number): level for number, level in enumerate(levels)})
        assert falling(tx) == []

        put_after(2, 9, tx)

        assert falling(tx) == []


def refused(tasks: Sequence[Task], levels: Mapping[int, int], edited: Task) -> list[str]:
    """Return the path of the cycle that an edit of the first task closes."""
    with InMemoryStore().writing(NOON) as tx:
        for task in tasks:
            put_task(task, before=None, tx=tx)
        tx.diary.tasks.graph.set_levels({named(one): level for one, level in levels.items()})
        with pytest.raises(TaskCycleError) as found:
            put_task(edited, before=tasks[0], tx=tx)
    return found.value.path


@requirement("task.cycle-names-its-path")
def test_a_cycle_of_a_second_edge_is_found() -> None:
    tasks = [a_task(1), a_task(4, after=(named(1),)), a_task(5, after=(named(1),))]
    tasks += [*(a_task(one) for one in (6, 7, 8)), a_task(3, after=(named(6), named(7), named(8)))]
    levels = {1: 0, 4: 3, 3: 5, 5: 6, 6: 1, 7: 2, 8: 3}

    path = refused(tasks, levels, a_task(1, after=(named(3), named(4))))

    assert path == [named(4), named(1), named(4)]


@requirement("task.cycle-names-its-path")
def test_a_cycle_through_a_new_parent_is_found() -> None:
    tasks = [a_task(1), a_task(2), a_task(3, after=(named(2),))]

    path = refused(tasks, {2: 4, 1: 5, 3: 10}, a_task(1, after=(named(3),), parent=named(2)))

    assert path == [named(1), named(3), named(2), named(1)]


def chain(numbers: range, tx: Transaction) -> None:
    """Add tasks, each after the one before."""
    for number in numbers:
        after = () if number == numbers.start else (named(number - 1),)
        put_task(a_later_task(number, after=after), before=None, tx=tx)


def cost(task: Task, edge: tuple[TaskId, TaskId], tx: Transaction) -> Counter[str]:
    """Write a task with a new edge; return how many tasks were asked for, and how many moved."""
    tx.diary.tasks.put(task)
    graph = tx.diary.tasks.graph
    assert isinstance(graph, InMemoryTaskGraph)
    asked = Asked(graph.state)
    connect([edge], graph=asked)
    assert falling(tx) == []
    return asked.counts


def put_after(waiting: int, first: int, tx: Transaction) -> Counter[str]:
    """Let a task wait for one more."""
    task = tx.diary.tasks.get(named(waiting))
    edge = named(waiting), named(first)
    return cost(replace(task, after=(*task.after, named(first))), edge, tx)


@requirement("task.edges-stay-cheap")
def test_a_new_edge_costs_as_much_as_its_smaller_side() -> None:
    with InMemoryStore().writing(NOON) as tx:
        chain(range(200), tx)
        put_task(a_later_task(300), before=None, tx=tx)
        put_task(a_later_task(301), before=None, tx=tx)

        assert put_after(300, 199, tx) == put_after(199, 3, tx) == {}
        assert put_after(0, 301, tx) == {
            "asked": 2,
            "queries": 2,
            "moved": 1,
        }  # the one without others moves


@requirement("task.edges-stay-cheap")
def test_a_new_child_of_an_old_parent_moves_nothing_else() -> None:
    with InMemoryStore().writing(NOON) as tx:
        chain(range(100), tx)

        for number in range(200, 220):
            child = a_later_task(number, parent=named(0))
            assert cost(child, (named(0), child.id), tx)["moved"] == 1


@requirement("task.edges-stay-cheap")
def test_an_edge_against_the_order_of_a_plan_stops_where_the_two_sides_pass_each_other() -> None:
    old, young = range(1, 100), range(100, 200)
    with InMemoryStore().writing(NOON) as tx:
        for number in (0, *old):
            put_task(a_later_task(number), before=None, tx=tx)
        for number in young:
            put_task(a_later_task(number, after=(named(0),)), before=None, tx=tx)
        after = tuple(named(one) for one in old)
        put_task(a_later_task(200, after=after), before=None, tx=tx)

        assert put_after(0, 200, tx) == {"asked": 2, "queries": 2, "moved": 2}


@requirement("task.edges-stay-cheap")
def test_two_chains_are_joined_at_the_cost_of_the_shorter_one() -> None:
    with InMemoryStore().writing(NOON) as tx:
        chain(range(50), tx)
        chain(range(100, 300), tx)

        assert put_after(20, 250, tx)["moved"] == 30


@requirement("task.edges-stay-cheap")
def test_a_chain_is_searched_in_few_queries_and_read_little_beyond_its_end() -> None:
    with InMemoryStore().writing(NOON) as tx:
        chain(range(400), tx)
        graph = tx.diary.tasks.graph
        assert isinstance(graph, InMemoryTaskGraph)
        asked = Asked(graph.state)

        with pytest.raises(TaskCycleError) as found:
            connect([(named(0), named(399))], graph=asked)

    assert found.value.path == [*(named(one) for one in range(399, -1, -1)), named(399)]
    assert asked.counts["queries"] <= 50  # it was one for each task
    assert asked.counts["asked"] <= 400 * 5 // 4


@requirement("task.cycle-names-its-path")
def test_a_line_does_not_follow_a_new_edge_that_is_still_due() -> None:
    with InMemoryStore().writing(NOON) as tx:
        chain(range(16), tx)
        chain(range(20, 40), tx)
        graph = tx.diary.tasks.graph
        graph.set_levels({named(number): number for number in range(10, 16)})
        tx.diary.tasks.put(replace(tx.diary.tasks.get(named(20)), after=(named(15),)))
        tx.diary.tasks.put(replace(tx.diary.tasks.get(named(0)), after=(named(39),)))

        with pytest.raises(TaskCycleError) as found:
            connect([(named(0), named(39)), (named(10), named(9))], graph=graph)

    path = (*range(9, -1, -1), *range(39, 19, -1), *range(15, 8, -1))
    assert found.value.path == [named(number) for number in path]


@requirement("task.edges-stay-cheap")
def test_a_search_reads_little_beyond_the_task_at_which_it_ends() -> None:
    leaves, tree, first, met = range(120), range(200, 300), 400, 267
    with InMemoryStore().writing(NOON) as tx:
        for number in leaves:
            put_task(a_later_task(number), before=None, tx=tx)
        for number in tree:
            after = (named(200 + (number - 201) // 2),) if number > tree.start else ()
            put_task(a_later_task(number, after=after), before=None, tx=tx)
        below = tuple(named(one) for one in (*leaves, met))
        put_task(a_later_task(first, after=below), before=None, tx=tx)
        graph = tx.diary.tasks.graph
        assert isinstance(graph, InMemoryTaskGraph)
        asked = Asked(graph.state)

        with pytest.raises(TaskCycleError) as found:
            connect([(named(tree.start), named(first))], graph=asked)

    assert found.value.path[:2] == [named(first), named(met)]
    needed = 35  # the task that is waited for, and the tree as far as the task below ``met``
    assert asked.counts["asked"] <= needed * 5 // 4
