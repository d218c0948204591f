"""Tasks: plan them, claim them, finish them, and what is refused."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from datetime import timedelta
from itertools import pairwise
from threading import Event, Thread
from typing import Any

import pytest

from holdfast.adapters.inmemory.store import InMemoryStore
from holdfast.app import Holdfast
from holdfast.domain.access_errors import MayNotError
from holdfast.domain.errors import (
    BadFieldError,
    NoSuchError,
    SecretRefusedError,
    StoreBusyError,
)
from holdfast.domain.ids import TaskId
from holdfast.domain.lookup_errors import NoSuchRevisionError
from holdfast.domain.memory.anchor import BranchPoint, Revision
from holdfast.domain.memory.callers import Principal, PrincipalKind
from holdfast.domain.refusals import BadCursorError
from holdfast.domain.tasks.errors import (
    NothingReadyError,
    TaskClaimedError,
    TaskCycleError,
    TaskElsewhereError,
    TaskIsBlockedError,
    TaskIsDoneError,
    TaskLeaseLostError,
    TaskNotDoneError,
    TaskWaitsError,
    WaitsForItselfError,
)
from holdfast.domain.tasks.task import Task, TaskKind, TaskStatus
from holdfast.domain.values import replace
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.tasks.adding import AddTask, EditTask
from holdfast.usecases.tasks.finding import ListTasks
from tests.builders import HERE, NOON, FixedClock, PlainSurroundings
from tests.requirements import requirement
from tests.usecases.plain_verifier import PlainVerifier
from tests.usecases.wishes import SECRET

ASIDE = BranchPoint(branch="feature", head="3" * 40, is_aside=True)
MAIN = BranchPoint(branch="main", head="1" * 40)


def added(app: Holdfast, title: str = "Rotate the keys", **fields: Any) -> Task:
    return app.tasks.add(AddTask(title=title, **fields))


def agent(app: Holdfast, name: str = "bot") -> Holdfast:
    return replace(app, principal=Principal.of(PrincipalKind.AGENT, name=name))


def edited(app: Holdfast, task: Task, **fields: Any) -> Task:
    return app.tasks.edit(EditTask(reference=task.id, **fields))


def titles(tasks: tuple[Task, ...]) -> list[str]:
    return [task.title for task in tasks]


@requirement("task.ready-is-exact")
def test_a_task_is_kept_with_everything_that_was_said(holdfast: Holdfast) -> None:
    parent = added(holdfast, "Release", kind=TaskKind.MILESTONE)
    first = added(holdfast, "First")

    task = added(
        holdfast,
        "  Rotate\n the keys ",
        notes=" soon ",
        kind=TaskKind.CHORE,
        priority=1,
        parent=parent.id,
        after=(first.id, first.id),
        labels=("a", " a ", ""),
        grounds=Grounds(places=("src/app.py:1-2",), because="I said so."),
    )

    assert (task.title, task.notes, task.priority) == ("Rotate the keys", "soon", 1)
    assert (task.kind, task.parent, task.after) == (TaskKind.CHORE, parent.id, (first.id,))
    assert (task.labels, task.added_by, task.repo) == (("a",), "ada", HERE.repo)
    assert [item.reference for item in task.evidence] == ["src/app.py:1-2", "I said so."]
    shown = holdfast.tasks.show(task.id)
    assert (shown.task, shown.parent, shown.waits_for) == (task, parent, (first,))
    assert titles(holdfast.tasks.show(parent.id).children) == ["Rotate the keys"]
    assert titles(holdfast.tasks.show(first.id).unblocks) == ["Rotate the keys"]
    assert holdfast.tasks.show(parent.id).done_children == 0


@requirement("task.texts-screened")
@pytest.mark.parametrize(
    "fields", [{"title": SECRET}, {"notes": SECRET}, {"labels": (f"k {SECRET}",)}]
)
def test_a_secret_in_a_task_is_refused(holdfast: Holdfast, fields: dict[str, Any]) -> None:
    with pytest.raises(SecretRefusedError):
        added(holdfast, **({"title": "Rotate"} | fields))

    assert holdfast.tasks.list(ListTasks()).tasks == ()


@pytest.mark.parametrize(
    "fields",
    [
        {"title": " "},
        {"title": "x" * 501},
        {"notes": "x" * 16_385},
        {"priority": 5},
        {"labels": ("x" * 61,)},
        {"labels": tuple(map(str, range(51)))},
    ],
)
def test_a_field_out_of_range_is_refused(holdfast: Holdfast, fields: dict[str, Any]) -> None:
    with pytest.raises(BadFieldError):
        added(holdfast, **({"title": "Rotate"} | fields))

    assert holdfast.tasks.list(ListTasks()).tasks == ()


def test_a_task_waits_for_a_thousand_others_at_most(holdfast: Holdfast) -> None:
    task = added(holdfast)
    many = replace(task, after=tuple(TaskId(f"t_{one}") for one in range(1_000)))
    with holdfast.store.writing(NOON) as tx:
        tx.diary.tasks.put(many)

    with pytest.raises(BadFieldError, match="milestone"):
        edited(holdfast, task, after=(added(holdfast, "more").id,))


@pytest.mark.parametrize("reference", ["t_nothing", "bd-1", " ", "m_1"])
def test_an_unknown_task_is_refused(holdfast: Holdfast, reference: str) -> None:
    with pytest.raises(NoSuchError, match="task"):
        added(holdfast, after=(reference,))
    with pytest.raises(NoSuchError):
        holdfast.tasks.show(reference)


@requirement("task.never-waits-for-itself")
def test_a_task_that_waits_for_itself_is_refused(holdfast: Holdfast) -> None:
    task = added(holdfast)

    with pytest.raises(WaitsForItselfError):
        edited(holdfast, task, after=(task.id,))
    with pytest.raises(WaitsForItselfError):
        edited(holdfast, task, parent=task.id)

    assert holdfast.tasks.show(task.id).task == task


@requirement("task.cycle-names-its-path")
def test_a_cycle_is_refused_with_its_path(holdfast: Holdfast) -> None:
    one = added(holdfast, "one")
    two = added(holdfast, "two", after=(one.id,))
    three = added(holdfast, "three", after=(two.id,))
    added(holdfast, "beside", after=(two.id,))

    with pytest.raises(TaskCycleError) as refused:
        edited(holdfast, one, after=(three.id,))

    assert refused.value.facts["path"] == [three.id, two.id, one.id, three.id]
    assert holdfast.tasks.show(one.id).task == one


@requirement("task.cycle-names-its-path")
def test_a_long_cycle_is_named_whole_and_told_by_its_ends(holdfast: Holdfast) -> None:
    chain = [added(holdfast, "0")]
    for number in range(1, 40):
        chain.append(added(holdfast, f"{number}", after=(chain[-1].id,)))
    path = [*(task.id for task in reversed(chain)), chain[-1].id]

    with pytest.raises(TaskCycleError) as refused:
        edited(holdfast, chain[0], after=(chain[-1].id,))

    assert refused.value.path == path
    shown = " → ".join([*path[:5], "… 33 more …", *path[-3:]])
    assert f"wait for the next: {shown}. A parent" in refused.value.message


@requirement("task.cycle-names-its-path")
def test_a_cycle_through_a_parent_is_refused(holdfast: Holdfast) -> None:
    parent = added(holdfast, "parent")
    child = added(holdfast, "child", parent=parent.id)
    after = added(holdfast, "after", after=(parent.id,))

    with pytest.raises(TaskCycleError):
        edited(holdfast, child, after=(parent.id,))
    with pytest.raises(TaskCycleError):
        edited(holdfast, child, after=(after.id,))
    with pytest.raises(TaskCycleError):
        edited(holdfast, parent, parent=child.id)
    with pytest.raises(TaskCycleError):
        added(holdfast, "both", parent=parent.id, after=(after.id,))


@requirement("task.cycle-names-its-path")
def test_tasks_that_are_reached_on_two_ways_are_no_cycle(holdfast: Holdfast) -> None:
    base = added(holdfast, "base")
    sides = [added(holdfast, f"side {number}", after=(base.id,)) for number in range(2)]
    top = added(holdfast, "top", after=tuple(one.id for one in sides))
    new = added(holdfast, "new", after=(added(holdfast, "newer").id,))

    edited(holdfast, base, after=(new.id,))

    with pytest.raises(TaskCycleError):
        edited(holdfast, new, after=(top.id,))


@requirement("task.cycle-names-its-path")
def test_a_new_edge_that_closes_no_cycle_is_taken_whatever_the_order(holdfast: Holdfast) -> None:
    chain = [added(holdfast, f"{number}") for number in range(6)]
    for later, earlier in pairwise(chain):
        edited(holdfast, later, after=(earlier.id,))
    top = added(holdfast, "top", after=(chain[0].id, chain[3].id))

    edited(holdfast, chain[5], after=(added(holdfast, "new").id,))

    with pytest.raises(TaskCycleError) as refused:
        edited(holdfast, chain[5], after=(top.id,))
    path = refused.value.path
    assert path[0] == path[-1]


def test_edges_labels_and_texts_are_edited(holdfast: Holdfast) -> None:
    one, two = added(holdfast, "one"), added(holdfast, "two")
    task = added(holdfast, after=(one.id,), labels=("a", "b"), parent=two.id)

    changed = edited(
        holdfast,
        task,
        title="Other",
        notes="n",
        kind=TaskKind.BUG,
        priority=0,
        parent="",
        after=(two.id,),
        not_after=(one.id,),
        labels=("c",),
        not_labels=("a",),
        grounds=Grounds(because="so"),
    )

    assert (changed.title, changed.notes, changed.kind) == ("Other", "n", TaskKind.BUG)
    assert (changed.priority, changed.parent, changed.after) == (0, None, (two.id,))
    assert (changed.labels, len(changed.evidence)) == (("b", "c"), 1)
    assert edited(holdfast, task, parent=two.id, not_after=(two.id,)).parent == two.id
    with pytest.raises(BadFieldError, match="does not contain"):
        edited(holdfast, task, not_after=(one.id,))
    with pytest.raises(BadFieldError, match="changes nothing"):
        edited(holdfast, task)


@requirement("task.says-why-not")
def test_ready_says_what_can_start_and_why_the_rest_cannot(
    holdfast: Holdfast, clock: FixedClock
) -> None:
    first = added(holdfast, "first")
    urgent = added(holdfast, "urgent", priority=0)
    added(holdfast, "later", after=(first.id, urgent.id))
    blocked = holdfast.tasks.block(added(holdfast, "blocked").id, "the vendor")
    taken = holdfast.tasks.claim(added(holdfast, "taken").id, lease=timedelta(hours=1), by="w")
    many = [added(holdfast, f"m{number}") for number in range(4)]
    added(holdfast, "many", after=tuple(one.id for one in many))
    holdfast.tasks.done(added(holdfast, "old").id)

    found = holdfast.tasks.ready()

    assert titles(found.tasks)[:2] == ["urgent", "first"]
    assert (found.total, found.held, found.done) == (6, 4, 1)
    reasons = {one.task.title: one for one in found.obstacles}
    assert titles(reasons["later"].waits_for) == ["first", "urgent"]
    assert (len(reasons["many"].waits_for), reasons["many"].more) == (3, 1)
    assert reasons["blocked"].why == "blocked: the vendor"
    assert reasons["taken"].why == "claimed by w"
    assert (blocked.status, taken.status) == (TaskStatus.BLOCKED, TaskStatus.STARTED)
    clock.advance(hours=2)
    assert holdfast.tasks.ready(limit=2).total == 7
    assert holdfast.tasks.next().tasks[0] == urgent


def test_without_tasks_nothing_is_next(holdfast: Holdfast) -> None:
    with pytest.raises(NothingReadyError):
        holdfast.tasks.next()
    with pytest.raises(NothingReadyError):
        holdfast.tasks.claim_next()
    with pytest.raises(BadFieldError):
        holdfast.tasks.ready(limit=0)


@requirement("task.given-once")
def test_a_claimed_task_is_given_to_nobody_else(holdfast: Holdfast, clock: FixedClock) -> None:
    task = added(holdfast)

    taken = holdfast.tasks.claim_next(by="one")

    assert (taken.id, taken.lease and taken.lease.holder) == (task.id, "one")
    with pytest.raises(TaskClaimedError, match=r"2026-11-15 12:30:00 UTC"):
        holdfast.tasks.claim(task.id, by="two")
    with pytest.raises(NothingReadyError):
        holdfast.tasks.claim_next(by="two")
    clock.advance(minutes=10)
    renewed = holdfast.tasks.claim(task.id, by="one", lease=timedelta(minutes=5))
    assert renewed.lease is not None
    assert renewed.lease.until == NOON + timedelta(minutes=15)


@contextmanager
def another_writer(
    store: InMemoryStore, *, seconds: float, clock: FixedClock | None = None
) -> Generator[None, None, None]:
    """Let a thread write for some seconds, or until the block ends; a clock moves a minute on."""
    begun, over = Event(), Event()

    def write() -> None:
        with store.writing(NOON):
            begun.set()
            over.wait(seconds)
            if clock is not None:
                clock.advance(minutes=1)

    writer = Thread(target=write)
    writer.start()
    begun.wait()
    try:
        yield
    finally:
        over.set()
        writer.join()


@requirement("task.workers-wait")
@pytest.mark.parametrize("verb", ["claim_next", "claim", "start", "release", "done"])
def test_a_worker_waits_longer_than_others_for_its_turn(
    holdfast: Holdfast, store: InMemoryStore, verb: str
) -> None:
    task = added(holdfast)
    if verb in {"release", "done"}:
        holdfast.tasks.start(task.id)
    store.longest_wait_seconds = 0.01
    named = () if verb == "claim_next" else (task.id,)

    with another_writer(store, seconds=0.3):
        getattr(holdfast.tasks, verb)(*named)

    after = holdfast.tasks.show(task.id).task
    assert after.status.value == {"release": "open", "done": "done"}.get(verb, "started")


@requirement("task.whole-lease")
@pytest.mark.parametrize("verb", ["claim_next", "claim"])
def test_a_lease_begins_when_the_worker_gets_its_turn(
    holdfast: Holdfast, store: InMemoryStore, clock: FixedClock, verb: str
) -> None:
    named = () if verb == "claim_next" else (added(holdfast).id,)
    added(holdfast)
    begun, lease = clock.now(), timedelta(minutes=1)

    with another_writer(store, seconds=0.3, clock=clock):
        task = getattr(holdfast.tasks, verb)(*named, lease=lease)

    assert task.lease.until == begun + 2 * lease
    assert task.updated_at == begun + lease


@requirement("task.whole-lease")
def test_a_lease_that_ends_while_a_worker_waits_is_over(
    holdfast: Holdfast, store: InMemoryStore, clock: FixedClock
) -> None:
    task = added(holdfast)
    holdfast.tasks.claim(task.id, lease=timedelta(minutes=1), by="one")

    with another_writer(store, seconds=0.3, clock=clock):
        taken = holdfast.tasks.claim(task.id, by="two")

    assert taken.lease is not None
    assert taken.lease.holder == "two"


@pytest.mark.parametrize("verb", ["start", "release", "done", "block"])
def test_a_task_is_changed_at_the_time_of_the_turn(
    holdfast: Holdfast, store: InMemoryStore, clock: FixedClock, verb: str
) -> None:
    task = added(holdfast)
    words = ("It rains.",) if verb == "block" else ()
    begun = clock.now()

    with another_writer(store, seconds=0.3, clock=clock):
        getattr(holdfast.tasks, verb)(task.id, *words)

    assert holdfast.tasks.show(task.id).task.updated_at == begun + timedelta(minutes=1)


@requirement("task.workers-wait")
def test_a_worker_waits_no_longer_than_its_caller(holdfast: Holdfast, store: InMemoryStore) -> None:
    task = added(holdfast)
    hasty = replace(holdfast, longest_wait=0.01)

    with another_writer(store, seconds=60), pytest.raises(StoreBusyError):
        hasty.tasks.claim(task.id)


@requirement("task.workers-wait")
def test_a_worker_for_whom_nothing_is_ready_waits_for_nobody(
    holdfast: Holdfast, store: InMemoryStore
) -> None:
    holdfast.tasks.claim(added(holdfast).id, by="one")

    with another_writer(store, seconds=60), pytest.raises(NothingReadyError) as refused:
        holdfast.tasks.claim_next(by="two")

    assert refused.value.facts["held"] == 1


@requirement("task.lease-ends")
@requirement("task.lost-lease-refused")
def test_a_worker_that_lost_its_lease_cannot_finish(holdfast: Holdfast, clock: FixedClock) -> None:
    bot = agent(holdfast)
    task = added(bot)
    bot.tasks.claim(task.id, lease=timedelta(minutes=1), by="one")
    clock.advance(minutes=1)
    bot.tasks.claim(task.id, by="two")

    with pytest.raises(TaskLeaseLostError, match="bot:two"):
        bot.tasks.done(task.id, by="one")
    with pytest.raises(TaskLeaseLostError):
        bot.tasks.release(task.id, by="one")

    assert bot.tasks.done(task.id, by="two").task.finished_by == "bot:two"


@requirement("task.lost-lease-refused")
def test_a_person_who_names_another_worker_needs_anyway(
    holdfast: Holdfast, clock: FixedClock
) -> None:
    task = added(holdfast)
    held = holdfast.tasks.claim(task.id, lease=timedelta(hours=1), by="w1")

    for verb in (holdfast.tasks.done, holdfast.tasks.release):
        with pytest.raises(TaskLeaseLostError, match="'w1' has claimed it"):
            verb(task.id, by="w2")
        with pytest.raises(MayNotError):
            getattr(agent(holdfast).tasks, verb.__name__)(task.id, by="w2", anyway=True)
    assert holdfast.tasks.show(task.id).task == held

    released = holdfast.tasks.release(task.id, by="w2", anyway=True)
    assert (released.task.status, released.overrode) == (TaskStatus.OPEN, "w1")
    holdfast.tasks.claim(task.id, lease=timedelta(hours=1), by="w1")
    assert holdfast.tasks.release(task.id, by="w1").overrode is None
    holdfast.tasks.claim(task.id, lease=timedelta(hours=1), by="w1")
    assert holdfast.tasks.release(task.id).overrode == "w1"
    holdfast.tasks.claim(task.id, lease=timedelta(hours=1), by="w1")
    clock.advance(hours=2)
    assert holdfast.tasks.done(task.id, by="w2").overrode is None


@requirement("task.agents-finish-their-own")
def test_an_agent_finishes_only_what_it_holds(holdfast: Holdfast) -> None:
    bot = agent(holdfast)
    task = added(holdfast)

    with pytest.raises(TaskLeaseLostError, match="nobody"):
        bot.tasks.done(task.id)
    bot.tasks.claim(task.id)
    with pytest.raises(TaskClaimedError):
        agent(holdfast, "other").tasks.block(task.id, "no")
    with pytest.raises(TaskClaimedError):
        edited(agent(holdfast, "other"), task, title="mine")
    proposed = edited(bot, task, title="Mine").proposed
    assert proposed is not None
    assert (proposed.title, proposed.by) == ("Mine", "agent bot")
    assert bot.tasks.done(task.id).task.is_done
    with pytest.raises(TaskIsDoneError):
        edited(bot, task, title="later")
    assert edited(holdfast, task, title="later").title == "later"


@requirement("task.people-decide")
def test_only_a_person_reopens_deletes_imports_and_overrides(holdfast: Holdfast) -> None:
    bot, task = agent(holdfast), added(holdfast)

    with pytest.raises(MayNotError):
        bot.tasks.delete(task.id)
    with pytest.raises(MayNotError):
        bot.tasks.bring_in([])
    with pytest.raises(MayNotError):
        bot.tasks.done(task.id, anyway=True)
    holdfast.tasks.done(task.id)
    with pytest.raises(MayNotError):
        bot.tasks.reopen(task.id)


def test_an_agent_without_a_name_works_as_an_agent(holdfast: Holdfast) -> None:
    assert added(agent(holdfast, "")).added_by == "agent"
    nameless = replace(holdfast, principal=Principal.of(PrincipalKind.PERSON))
    assert added(nameless).added_by == "person"
    with pytest.raises(BadFieldError, match="name of the worker"):
        holdfast.tasks.claim_next(by="x" * 200)


@pytest.mark.parametrize("lease", [timedelta(), timedelta(days=8)])
def test_a_lease_has_limits(holdfast: Holdfast, lease: timedelta) -> None:
    task = added(holdfast)

    if lease:
        with pytest.raises(BadFieldError, match="7d"):
            holdfast.tasks.claim(task.id, lease=lease)
        with pytest.raises(BadFieldError, match="7d"):
            holdfast.tasks.claim_next(lease=lease)
    else:
        with pytest.raises(BadFieldError, match="7d"):
            holdfast.tasks.claim(task.id, lease=-timedelta(seconds=1))


def test_a_claim_of_a_done_a_blocked_or_a_waiting_task_is_refused(holdfast: Holdfast) -> None:
    first = added(holdfast, "first")
    second = added(holdfast, "second", after=(first.id,))

    with pytest.raises(TaskWaitsError, match=first.id):
        holdfast.tasks.claim(second.id)
    with pytest.raises(TaskWaitsError):
        holdfast.tasks.start(second.id)
    holdfast.tasks.block(first.id, "no key")
    with pytest.raises(TaskIsBlockedError, match="no key"):
        holdfast.tasks.claim(first.id)
    holdfast.tasks.unblock(first.id)
    assert holdfast.tasks.unblock(first.id).status is TaskStatus.OPEN
    holdfast.tasks.done(first.id)
    for verb in (holdfast.tasks.claim, holdfast.tasks.done, holdfast.tasks.release):
        with pytest.raises(TaskIsDoneError):
            verb(first.id)
    with pytest.raises(BadFieldError, match="reason"):
        holdfast.tasks.block(second.id, " ")


def test_a_started_task_is_released_by_a_person(holdfast: Holdfast) -> None:
    task = agent(holdfast).tasks.start(added(holdfast).id)
    assert task.lease is not None
    assert task.lease.until is None
    with pytest.raises(TaskClaimedError, match="until it is released"):
        holdfast.tasks.claim(task.id)

    assert holdfast.tasks.release(task.id).task.status is TaskStatus.OPEN
    blocked = holdfast.tasks.block(task.id, "why")
    assert holdfast.tasks.release(blocked.id).task.status is TaskStatus.BLOCKED


@requirement("task.parent-waits-for-children")
@requirement("task.milestone-has-its-commit")
def test_a_milestone_is_done_after_its_children_and_notes_the_commit(
    holdfast: Holdfast, surroundings: PlainSurroundings
) -> None:
    surroundings.stands = MAIN
    stone = added(holdfast, "Release", kind=TaskKind.MILESTONE)
    child = added(holdfast, "child", parent=stone.id)
    with pytest.raises(TaskWaitsError):
        holdfast.tasks.done(stone.id)

    holdfast.tasks.done(child.id)
    done = holdfast.tasks.done(stone.id).task

    assert (done.finished_commit, done.finished_by, done.finished_at) == (MAIN.head, "ada", NOON)
    with pytest.raises(TaskIsDoneError):
        added(holdfast, "too late", parent=stone.id)
    again = holdfast.tasks.reopen(child.id)
    assert [parent.id for parent in again.parents] == [stone.id]
    assert again.task.finished_commit is None
    with pytest.raises(TaskNotDoneError):
        holdfast.tasks.reopen(child.id)
    assert holdfast.tasks.done(stone.id, anyway=True).task.is_done
    other = added(holdfast, "parent")
    young = holdfast.tasks.done(added(holdfast, "young", parent=other.id).id).task
    assert holdfast.tasks.reopen(young.id).parents == ()


def test_a_deleted_task_leaves_those_that_named_it(holdfast: Holdfast) -> None:
    gone = added(holdfast, "gone")
    child = added(holdfast, "child", parent=gone.id)
    parent = added(holdfast, "parent")
    edited(holdfast, gone, parent=parent.id)
    later = added(holdfast, "later", after=(gone.id,))

    result = holdfast.tasks.delete(gone.id)

    assert result.changed == tuple(sorted((child.id, later.id)))
    assert holdfast.tasks.show(child.id).task.parent is None
    assert holdfast.tasks.show(later.id).task.after == ()
    assert holdfast.tasks.show(parent.id).children == ()
    with pytest.raises(NoSuchError):
        holdfast.tasks.show(gone.id)


@requirement("task.branches-count-as-for-memories")
def test_a_task_of_another_branch_is_not_ready_here(
    seen: Holdfast, surroundings: PlainSurroundings, verifier: PlainVerifier
) -> None:
    surroundings.stands, surroundings.at = ASIDE, replace(HERE, branch="feature")
    aside = added(seen, "aside")
    assert aside.branch == "feature"
    assert titles(seen.tasks.ready().tasks) == ["aside"]
    surroundings.stands, surroundings.at = MAIN, HERE
    added(seen, "here")

    found = seen.tasks.ready()

    assert titles(found.tasks) == ["here"]
    assert [(one.task.title, one.why) for one in found.obstacles] == [
        ("aside", "belongs to the branch feature")
    ]
    assert (found.total, found.held) == (1, 1)
    assert found.note == "tasks of feature do not count in this checkout"
    assert titles(seen.tasks.drawn().tasks) == ["here"]
    with pytest.raises(TaskElsewhereError, match="feature"):
        seen.tasks.claim(aside.id)
    assert seen.tasks.claim_next().title == "here"
    verifier.arrived_at[None] = {ASIDE.head}
    assert seen.tasks.claim(aside.id).title == "aside"


def test_the_branch_of_a_task_is_chosen(
    seen: Holdfast, surroundings: PlainSurroundings, verifier: PlainVerifier
) -> None:
    surroundings.stands = MAIN
    verifier.revisions["refs/heads/feature"] = Revision(id=ASIDE.head, at=NOON)

    assert added(seen, branch="feature").branch_point == ASIDE
    assert added(seen, branch="main").branch_point == MAIN
    assert added(seen, branch="").branch_point is None
    task = added(seen)
    assert edited(seen, task, branch="feature").branch == "feature"
    assert edited(seen, task, branch="").branch is None
    with pytest.raises(NoSuchRevisionError):
        added(seen, branch="nowhere")


def test_several_branches_are_named_and_the_rest_counted(
    seen: Holdfast, surroundings: PlainSurroundings
) -> None:
    for number in range(5):
        surroundings.stands = BranchPoint(
            branch=f"b{number}" if number else None, head=f"{number}" * 40, is_aside=True
        )
        added(seen, f"{number}")
    surroundings.stands = MAIN

    assert seen.tasks.ready().note.endswith("b1, b2, b3 and 2 more do not count in"
                                            " this checkout")  # fmt: skip


@requirement("list.goes-on")
def test_a_list_of_tasks_goes_on_where_it_was_cut(holdfast: Holdfast) -> None:
    names = [f"Task {number}" for number in range(5)]
    for name in names:
        holdfast.tasks.add(AddTask(title=name, labels=("docs",)), by="ada")
        holdfast.tasks.add(AddTask(title="Other"), by="ada")
    found: list[str] = []
    wish = ListTasks(label="docs", limit=2)
    while True:
        part = holdfast.tasks.list(wish)
        found += titles(part.tasks)
        if part.beyond is None:
            break
        wish = replace(wish, beyond=part.beyond)

    assert found == names
    assert len(part.tasks) == 1
    with pytest.raises(BadCursorError):
        holdfast.tasks.list(ListTasks(beyond="m_1"))


def test_tasks_are_listed_by_their_fields(holdfast: Holdfast) -> None:
    parent = added(holdfast, "parent", labels=("x",), kind=TaskKind.BUG)
    added(holdfast, "child", parent=parent.id)
    holdfast.tasks.claim_next(by="w")

    def found(**fields: Any) -> list[str]:
        return titles(holdfast.tasks.list(ListTasks(**fields)).tasks)

    assert found() == ["parent", "child"]
    assert found(label="x") == ["parent"]
    assert found(parent=parent.id) == ["child"]
    assert found(kinds=frozenset({TaskKind.BUG})) == ["parent"]
    assert found(holder="w") == ["child"]
    assert found(statuses=frozenset({TaskStatus.OPEN})) == ["parent"]
    assert found(limit=1, everywhere=True) == ["parent"]


def test_a_graph_shows_all_or_what_surrounds_one(holdfast: Holdfast) -> None:
    one = added(holdfast, "one")
    two = added(holdfast, "two", after=(one.id,))
    three = added(holdfast, "three", after=(two.id,))
    other = added(holdfast, "other")
    holdfast.tasks.done(one.id)

    every = holdfast.tasks.drawn()
    around = holdfast.tasks.drawn(two.id)

    assert {task.id for task in every.tasks} == {one.id, two.id, three.id, other.id}
    assert (every.needs[three.id], every.left_out) == ((two.id,), 0)
    assert {task.id for task in around.tasks} == {one.id, two.id, three.id}
    assert titles(holdfast.tasks.drawn(with_done=False).tasks) == ["two", "three", "other"]
    assert holdfast.tasks.drawn(limit=1).left_out == 3
    assert {t.id for t in holdfast.tasks.drawn(two.id, with_done=False).tasks} == {two.id, three.id}
    with pytest.raises(BadFieldError):
        holdfast.tasks.drawn(limit=0)
