"""Tasks: read back exactly, and every store gives the same answer about what can start."""

from __future__ import annotations

import random
from datetime import timedelta
from itertools import pairwise

import pytest

from holdfast.adapters.inmemory.store import InMemoryStore
from holdfast.domain.errors import AlreadyRememberedError, NoSuchError
from holdfast.domain.ids import TaskId
from holdfast.domain.memory.anchor import BranchPoint
from holdfast.domain.review.curation import Severity
from holdfast.domain.tasks.finding import ReadyQuestion, TaskFilter
from holdfast.domain.tasks.task import Lease, Task, TaskKind, TaskStatus
from holdfast.domain.values import replace
from holdfast.ports.store.store import Store, Transaction
from holdfast.usecases.tasks.placing import put_imported
from tests.builders import HERE, NOON, a_reason, a_task
from tests.requirements import requirement

ASIDE = BranchPoint(branch="feature", head="3" * 40, is_aside=True)
FULL = a_task(
    notes="naïve 'notes'?\nmore",
    status=TaskStatus.DONE,
    kind=TaskKind.MILESTONE,
    priority=0,
    parent=TaskId("t_0002"),
    after=(TaskId("t_0003"), TaskId("t_0004")),
    labels=("über", "b"),
    evidence=(a_reason(),),
    branch_point=ASIDE,
    lease=Lease(holder="bot", until=NOON + timedelta(hours=1)),
    blocked="the vendor",
    finished_at=NOON,
    finished_by="ada",
    finished_commit="4" * 40,
    external="bd-1",
    foreign={"owner": "x", "more": [1, None]},
)
REPO = str(HERE.repo)
NOW = ReadyQuestion(repo=REPO, at=NOON)


def _named(number: int) -> TaskId:
    return TaskId(f"t_{number:04d}")


@requirement("store.reads-back-exactly")
@pytest.mark.parametrize("task", [a_task(), FULL, a_task(repo=None)])
def test_a_task_reads_back_exactly(store: Store, task: Task) -> None:
    with store.writing(NOON) as tx:
        tx.diary.tasks.put(task)

    with store.reading() as tx:
        assert tx.diary.tasks.get(task.id) == task
        assert tx.diary.tasks.get_many([TaskId("t_9"), task.id]) == {task.id: task}
        assert tx.diary.tasks.find(TaskFilter(), limit=9) == (task,)
        assert tx.names.starting("t_", limit=9) == (task.id,)
        assert [event.action for event in tx.diary.events.about(task.id)] == ["task.put"]


def test_a_task_that_does_not_exist_is_not_found(store: Store) -> None:
    with store.writing(NOON) as tx:
        with pytest.raises(NoSuchError):
            tx.diary.tasks.get(TaskId("t_1"))
        with pytest.raises(NoSuchError):
            tx.diary.tasks.delete(TaskId("t_1"))
        assert tx.diary.tasks.named(HERE.repo, "bd-1") is None


@requirement("task.keeps-foreign-ids")
def test_an_external_id_names_one_task_of_a_repository(store: Store) -> None:
    with store.writing(NOON) as tx:
        tx.diary.tasks.put(a_task(1, external="bd-1"))
        tx.diary.tasks.put(a_task(1, external="bd-1", title="again"))
        tx.diary.tasks.put(a_task(2, external="bd-1", repo="another"))

    with store.writing(NOON) as tx, pytest.raises(AlreadyRememberedError):
        tx.diary.tasks.put(a_task(3, external="bd-1"))

    with store.reading() as tx:
        assert tx.diary.tasks.named(HERE.repo, "bd-1") == "t_0001"
        assert tx.diary.tasks.named("another", "bd-1") == "t_0002"


def test_tasks_are_found_by_every_field_of_a_filter(store: Store) -> None:
    one, two = a_task(1), a_task(2, parent=TaskId("t_0001"), kind=TaskKind.BUG)
    three = a_task(
        3, status=TaskStatus.STARTED, lease=Lease(holder="bot"), after=(one.id,), repo=None
    )
    with store.writing(NOON) as tx:
        for task in (one, two, three):
            tx.diary.tasks.put(task)

    def found(**fields: object) -> list[str]:
        with store.reading() as tx:
            which = replace(TaskFilter(), **fields)  # type: ignore[arg-type]  # one field each
            return [task.id[-1] for task in tx.diary.tasks.find(which, limit=9)]

    assert found(repo=REPO) == ["1", "2"]
    assert found(repo="") == ["3"]
    assert found(statuses=frozenset({TaskStatus.STARTED})) == ["3"]
    assert found(kinds=frozenset({TaskKind.BUG})) == ["2"]
    assert found(parent=one.id) == ["2"]
    assert found(holder="bot") == ["3"]
    assert found(is_waiting=True) == ["1", "3"]
    assert found(is_waiting=False) == ["2"]
    assert found(beyond=two.id) == ["3"]


@requirement("task.ready-is-exact")
def test_what_can_start_is_ordered_by_urgency_then_by_what_waits_then_by_age(
    store: Store,
) -> None:
    with store.writing(NOON) as tx:
        tx.diary.tasks.put(a_task(1))
        tx.diary.tasks.put(a_task(2))
        tx.diary.tasks.put(a_task(3, priority=1))
        tx.diary.tasks.put(a_task(4, after=(TaskId("t_0002"),)))
        tx.diary.tasks.put(a_task(5, repo=None))

    with store.reading() as tx:
        found = tx.diary.tasks.graph.ready(NOW)
        assert found == (("t_0003", 0), ("t_0002", 1), ("t_0001", 0))
        assert tx.diary.tasks.graph.ready(replace(NOW, limit=1)) == (("t_0003", 0),)
        assert tx.diary.tasks.graph.held(NOW) == ("t_0004",)


@requirement("task.branches-count-as-for-memories")
def test_a_task_of_a_branch_that_does_not_count_is_held(store: Store) -> None:
    with store.writing(NOON) as tx:
        tx.diary.tasks.put(a_task(1, branch_point=ASIDE))
        tx.diary.tasks.put(a_task(2, branch_point=replace(ASIDE, is_aside=False)))

    with store.reading() as tx:
        graph = tx.diary.tasks.graph
        question = replace(NOW, unseen=frozenset({ASIDE}))
        assert graph.asides(REPO) == (ASIDE,)
        assert graph.ready(NOW) == (("t_0001", 0), ("t_0002", 0))
        assert graph.ready(question) == (("t_0002", 0),)
        assert graph.held(question) == ("t_0001",)


@requirement("task.lease-ends")
def test_a_task_can_start_again_when_its_lease_has_ended(store: Store) -> None:
    lease = Lease(holder="bot", until=NOON)
    with store.writing(NOON) as tx:
        tx.diary.tasks.put(a_task(1, status=TaskStatus.STARTED, lease=lease))
        tx.diary.tasks.put(a_task(2, status=TaskStatus.STARTED, lease=Lease(holder="ada")))

    with store.reading() as tx:
        graph = tx.diary.tasks.graph
        early = replace(NOW, at=NOON - timedelta(seconds=1))
        assert graph.ready(NOW) == (("t_0001", 0),)
        assert graph.ready(early) == ()
        assert graph.held(early) == ("t_0001", "t_0002")


@requirement("task.edges-stay-cheap")
def test_the_neighbours_of_a_line_come_at_once_and_end_where_it_branches(store: Store) -> None:
    with store.writing(NOON) as tx:
        put_imported(a_task(0), tx=tx)
        for number in range(1, 5):
            put_imported(a_task(number, after=(_named(number - 1),)), tx=tx)
        for number in (5, 6):
            put_imported(a_task(number, after=(_named(4),)), tx=tx)
        graph = tx.diary.tasks.graph

        assert list(graph.dependents([_named(0)], onward=2)) == [_named(0), _named(1), _named(2)]
        assert list(graph.dependents([_named(2)], onward=9)) == [_named(2), _named(3), _named(4)]
        assert list(graph.dependents([_named(2)], onward=9)[_named(4)]) == [_named(5), _named(6)]
        assert list(graph.dependencies([_named(5)], onward=3)) == [_named(n) for n in (5, 4, 3, 2)]
        assert list(graph.dependencies([_named(9)], onward=3)) == [_named(9)]


@requirement("task.ready-is-exact")
@pytest.mark.parametrize("seed", range(4))
def test_after_any_changes_every_store_answers_as_the_reference(store: Store, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - the same changes in every run
    model = InMemoryStore()
    for _ in range(12):
        with store.writing(NOON) as tx, model.writing(NOON) as expected:
            for _ in range(8):
                _change(chance, tx, expected)
            for _ in range(2):
                _delete(chance, tx, expected)
        with store.reading() as tx, model.reading() as expected:
            _compare(tx, expected)
    found = store.upkeep.check(lambda _done, _all: None)
    assert [one for one in found if one.severity in {Severity.DAMAGE, Severity.WARNING}] == []


def _change(chance: random.Random, tx: Transaction, expected: Transaction) -> None:
    """Write one task; edges lead to lower numbers only, so there is no cycle."""
    number = chance.randrange(2, 25)
    lower = [TaskId(f"t_{one:04d}") for one in range(1, number)]
    higher = [TaskId(f"t_{one:04d}") for one in range(number + 1, 26)]
    task = a_task(
        number,
        status=chance.choice(list(TaskStatus)),
        priority=chance.randrange(3),
        after=tuple(chance.sample(lower, min(len(lower), chance.randrange(3)))),
        parent=chance.choice([None, chance.choice(higher)]) if higher else None,
        lease=chance.choice([None, Lease(holder="b", until=NOON), Lease(holder="c")]),
        branch_point=chance.choice([None, ASIDE]),
    )
    task = replace(task, after=tuple(one for one in task.after if _is_no_child(one, task, tx)))
    for transaction in (tx, expected):
        put_imported(task, tx=transaction)


def _is_no_child(one: TaskId, task: Task, tx: Transaction) -> bool:
    """An edge that is stated twice counts twice in some stores, which only changes the order."""
    return all(child.parent != task.id for child in tx.diary.tasks.get_many([one]).values())


def _delete(chance: random.Random, tx: Transaction, expected: Transaction) -> None:
    known = [one.id for one in tx.diary.tasks.find(TaskFilter(), limit=99)]
    gone = chance.choice(known)
    for transaction in (tx, expected):
        for task in transaction.diary.tasks.find(TaskFilter(), limit=99):
            if gone in task.after or gone == task.parent:
                kept = tuple(one for one in task.after if one != gone)
                parent = None if task.parent == gone else task.parent
                transaction.diary.tasks.put(replace(task, after=kept, parent=parent))
        transaction.diary.tasks.delete(gone)


def _compare(tx: Transaction, expected: Transaction) -> None:
    names = [one.id for one in expected.diary.tasks.find(TaskFilter(), limit=99)]
    graph, model = tx.diary.tasks.graph, expected.diary.tasks.graph
    assert [one.id for one in tx.diary.tasks.find(TaskFilter(), limit=99)] == names
    assert graph.dependencies(names) == model.dependencies(names)
    assert graph.dependents(names) == model.dependents(names)
    assert graph.dependencies(names, unmet=True) == model.dependencies(names, unmet=True)
    for name in names:
        up, down = graph.dependents([name], onward=3), graph.dependencies([name], onward=3)
        assert up == model.dependents(list(up))
        assert down == model.dependencies(list(down))
        for line in (up, down):
            assert next(iter(line)) == name
            assert all([two] == list(line[one]) for one, two in pairwise(line))
    for unseen in (frozenset[BranchPoint](), frozenset({ASIDE})):
        question = replace(NOW, unseen=unseen, limit=40)
        assert [name for name, _ in graph.ready(question)] == [n for n, _ in model.ready(question)]
        assert set(graph.held(question)) == set(model.held(question))
    assert _counts(tx) == _counts(expected)


def _counts(tx: Transaction) -> set[tuple[object, ...]]:
    found = tx.diary.tasks.graph.tally(REPO)
    return {(one.status, one.is_waiting, one.aside, one.count) for one in found}
