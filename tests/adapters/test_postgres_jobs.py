"""Jobs on a server: leases that two workers share, and what happens when one of them is killed."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from uuid import UUID, uuid4

import pytest

import holdfast
from holdfast.adapters.inmemory.store import InMemoryStore
from holdfast.adapters.postgres.store import PostgresOptions, PostgresStore
from holdfast.domain.care.job import JobKind, JobState, LeasedPart, LeaseLostError, NewJob, NewPart
from holdfast.domain.care.pruning import PrunePolicy
from holdfast.domain.choices import Status
from holdfast.domain.errors import ConflictError, NoSuchError
from holdfast.domain.exchange.shapes import tombstone_json
from holdfast.domain.memory.memory import Standing, Tombstone
from holdfast.domain.memory.selection import Selection
from holdfast.domain.recall.finding import Vector
from holdfast.domain.refusals import NotOfferedError
from holdfast.domain.review_errors import PruneTooMuchError
from holdfast.domain.values import replace
from holdfast.heuristics.english import ENGLISH
from holdfast.usecases.care.adding import (
    JobPorts,
    add_curation,
    add_embedding,
    add_import,
    add_pruning,
)
from holdfast.usecases.care.prune import prune
from holdfast.usecases.care.prune_request import Prune, PrunePorts
from holdfast.usecases.care.working import FinishingStore, WorkOrder, WorkPorts, work_off
from holdfast.usecases.exchange.exchange import BATCH
from holdfast.usecases.exchange.export import export_lines
from holdfast.usecases.screening import SecretPolicy
from tests.builders import NOON, FixedClock, PlainSurroundings
from tests.contract.conftest import STORES
from tests.contract.steps import found, keep, memory_id, numbered
from tests.postgres_server import server
from tests.requirements import requirement
from tests.usecases.reading import SmallReader

LONG, ENDED = 600.0, 0.0
CLOCK = FixedClock()
ALONE = WorkOrder(worker="alone", lease_seconds=LONG)


@pytest.fixture
def tenant() -> UUID:
    return uuid4()


@pytest.fixture
def store(tenant: UUID) -> Iterator[PostgresStore]:
    with closing(opened(tenant)) as one:
        yield one


def opened(tenant: UUID) -> PostgresStore:
    return PostgresStore.open(server().url(), PostgresOptions(tenant=tenant))


def adding(store: PostgresStore) -> JobPorts:
    return JobPorts(store=store, clock=CLOCK, by="ada")


def working(store: PostgresStore, *, embedder: SmallReader | None = None) -> WorkPorts:
    return WorkPorts(
        store=store,
        clock=FixedClock(),
        surroundings=PlainSurroundings(),
        heuristics=ENGLISH,
        embedder=embedder,
        pruning=lambda: pruning(store),
    )


def pruning(store: PostgresStore) -> PrunePorts:
    return PrunePorts(
        store=store,
        clock=FixedClock(),
        surroundings=PlainSurroundings(),
        heuristics=ENGLISH,
        policy=PrunePolicy(most=50),
        traces_of=lambda _repo: (),
    )


def no_pause() -> None:
    pytest.fail("the worker waited")


def three_parts(store: PostgresStore, *, stages: tuple[int, ...] = (0, 0, 1)) -> None:
    parts = tuple(NewPart(stage=stage, payload="{}") for stage in stages)
    store.jobs.add(NewJob(id="j_1", kind=JobKind.CURATE, by="ada", parts=parts), at=NOON)


@requirement("jobs.shared-parts")
def test_two_workers_never_hold_the_same_part(store: PostgresStore, tenant: UUID) -> None:
    three_parts(store)
    with closing(opened(tenant)) as other:
        one = store.jobs.take(worker="one", seconds=LONG)
        two = other.jobs.take(worker="two", seconds=LONG)

        assert one is not None
        assert two is not None
        assert (one.number, two.number) == (1, 2)
        assert store.jobs.take(worker="three", seconds=LONG) is None, "stage 1 waits for stage 0"
        store.jobs.finish(one)
        other.jobs.finish(two)
        last = store.jobs.take(worker="one", seconds=LONG)
        assert last is not None
        store.jobs.finish(last)
    (job,) = store.jobs.list()
    assert (job.state, job.done, job.waiting) == (JobState.DONE, 3, 0)


@requirement("jobs.shared-parts")
def test_a_worker_takes_a_part_while_another_holds_the_lock_of_the_space(
    store: PostgresStore, tenant: UUID
) -> None:
    three_parts(store)
    with closing(opened(tenant)) as other, other.writing(NOON):
        assert store.jobs.take(worker="one", seconds=LONG, job="j_1") is not None


@requirement("jobs.killed-worker")
def test_a_part_whose_lease_ended_goes_to_another_and_cannot_be_finished_by_the_first(
    store: PostgresStore,
) -> None:
    three_parts(store, stages=(0,))
    slow = store.jobs.take(worker="slow", seconds=ENDED)
    quick = store.jobs.take(worker="quick", seconds=LONG)

    assert slow is not None
    assert quick is not None
    assert slow.number == quick.number
    with pytest.raises(LeaseLostError):
        add_and_finish(store, slow)
    assert found(store, Selection()) == [], "the work of the lost lease was undone"
    store.jobs.finish(quick)


def add_and_finish(store: PostgresStore, part: LeasedPart) -> None:
    with store.writing(NOON) as tx:
        tx.memories.add(numbered(1), Standing())
        store.jobs.finish(part)


@requirement("jobs.killed-worker")
def test_a_part_that_ends_three_workers_is_failed(store: PostgresStore) -> None:
    three_parts(store, stages=(0,))
    for _ in range(3):
        assert store.jobs.take(worker="doomed", seconds=ENDED) is not None

    assert store.jobs.take(worker="next", seconds=LONG) is None
    (job,) = store.jobs.list()
    assert (job.failed, job.state, "three times" in job.problem) == (1, JobState.DONE, True)


def test_a_failed_part_is_tried_again_and_then_stays_failed(store: PostgresStore) -> None:
    three_parts(store, stages=(0,))
    for _ in range(3):
        part = store.jobs.take(worker="one", seconds=LONG)
        assert part is not None
        store.jobs.fail(part, "no model")

    (job,) = store.jobs.list()
    assert (job.failed, job.problem) == (1, "no model")


def test_a_cancelled_job_gives_no_parts_and_takes_none(store: PostgresStore) -> None:
    three_parts(store)
    part = store.jobs.take(worker="one", seconds=LONG)
    store.jobs.cancel("j_1", at=NOON)

    assert part is not None
    assert store.jobs.take(worker="one", seconds=LONG) is None
    with pytest.raises(ConflictError):
        store.jobs.finish(part)
    for name in ("j_1", "j_none"):
        with pytest.raises(NoSuchError):
            store.jobs.cancel(name, at=NOON)


@requirement("jobs.shared-parts")
def test_an_import_as_a_job_brings_everything_once() -> None:
    source = InMemoryStore()
    keep(source, *(numbered(number) for number in range(1, 602)))
    lines = list(export_lines(store=source))
    secret = (
        '{"type": "memory", "data": {"claim": "ghp_' + 'wJ8kZ2qLx9VbN4mTcR7yP1sD6fG3hA5eQ0uX"}}'
    )
    with closing(opened(uuid4())) as fresh:
        added = add_import([*lines, "", secret], secrets=SecretPolicy.REFUSE, ports=adding(fresh))
        done = list(work_off(ALONE, ports=working(fresh), pause=no_pause))

        with fresh.reading() as tx:
            assert tx.memories.count(Selection()) == 601
        assert [one.problem for one in done] == [""] * len(added.job.parts)
        assert len(done) == 3, "the header, and 601 memories by 500"
        assert [refusal.split(":")[0] for refusal in added.refused] == [f"line {len(lines) + 2}"]


@requirement("jobs.shared-parts")
def test_a_part_of_several_units_of_work_is_done_with_the_last(store: PostgresStore) -> None:
    graves = [
        Tombstone(memory_id=memory_id(number), forgotten_at=NOON, forgotten_by="ada", reason="x")
        for number in range(BATCH + 1)
    ]
    lines = [json.dumps({"type": "tombstone", "data": tombstone_json(one)}) for one in graves]
    added = add_import(lines, secrets=SecretPolicy.REFUSE, ports=adding(store))

    done = list(work_off(ALONE, ports=working(store), pause=no_pause))

    assert (len(added.job.parts), [one.problem for one in done]) == (1, [""])
    with store.reading() as tx:
        assert tx.names.tombstone(memory_id(BATCH)) is not None


def test_the_store_of_a_part_is_the_store_itself(store: PostgresStore) -> None:
    three_parts(store, stages=(0,))
    part = store.jobs.take(worker="one", seconds=LONG)
    assert part is not None
    seen = FinishingStore(store, part, units=1)

    with seen.reading() as tx:
        assert tx.memories.count(Selection()) == 0
    assert (seen.space, seen.warnings, seen.left_out) == (store.space, (), ())
    assert seen.upkeep.abilities == store.upkeep.abilities
    assert seen.jobs.list() == store.jobs.list()
    seen.close()
    with seen.writing(NOON):
        pass
    assert [job.state for job in store.jobs.list()] == [JobState.DONE]


@requirement("jobs.shared-parts")
def test_the_parts_of_an_import_say_what_was_refused(store: PostgresStore) -> None:
    lines = ['{"type": "memory", "data": {}}', "[]", "no json"]
    add_import(lines, secrets=SecretPolicy.ALLOW, ports=adding(store))

    done = list(work_off(ALONE, ports=working(store), pause=no_pause))

    assert all(one.problem for one in done)


@requirement("jobs.shared-parts")
def test_vectors_are_made_as_a_job(store: PostgresStore) -> None:
    keep(store, *(numbered(number) for number in range(1, 4)))
    reader = SmallReader()
    added = add_embedding(reader.model.name, ports=adding(store))

    unfit = list(work_off(ALONE, ports=working(store), pause=no_pause))
    again = add_embedding(reader.model.name, ports=adding(store))
    done = list(work_off(ALONE, ports=working(store, embedder=reader), pause=no_pause))

    assert (len(added.job.parts), len(again.job.parts)) == (1, 1)
    assert ["No embedding model" in one.problem for one in unfit] == [True] * 3
    assert [one.problem for one in done] == [""]
    with store.reading() as tx:
        assert [use.memories for use in tx.finding.meaning.models()] == [3]


def test_the_application_embeds_with_its_own_model(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOLDFAST_TENANT", uuid4().hex)
    with holdfast.open(home=tmp_path, folder=tmp_path, store=server().url()) as memory:
        memory.remember("Tokens rotate hourly.", scope="global", because="we agreed")
        app = replace(memory.app, embedder=SmallReader())

        app.jobs.add_embedding(by="ada")
        done = list(app.jobs.run(ALONE, pause=no_pause))

        assert [one.problem for one in done] == [""]


@requirement("jobs.stay-in-rights")
@requirement("prune.protected-never-goes")
def test_what_is_due_is_pruned_by_a_worker_but_pinned_memories_stay(store: PostgresStore) -> None:
    past = NOON - timedelta(days=31)
    noted = Standing(status=Status.NOTED)
    keep(store, numbered(1, expires_at=past), standing=noted)
    keep(store, numbered(2), numbered(3, expires_at=past), numbered(5, expires_at=past))
    keep(store, numbered(4, expires_at=past), standing=Standing(pinned=True))
    keep(store, *(numbered(number) for number in range(10, 20)))
    plan = prune(Prune(by="ada", dry_run=True), ports=pruning(store)).plan
    with pytest.raises(PruneTooMuchError):
        add_pruning(replace(plan, most=1), force=False, ports=adding(store))
    add_pruning(plan, force=False, ports=adding(store))
    with store.writing(NOON) as tx:
        tx.memories.forget(
            Tombstone(memory_id=memory_id(3), forgotten_at=NOON, forgotten_by="ada", reason="")
        )

    done = list(work_off(ALONE, ports=working(store), pause=no_pause))

    assert [one.problem for one in done] == [""]
    accepted = Selection(statuses=frozenset({Status.ACCEPTED}))
    others = [memory_id(number) for number in range(10, 20)]
    assert found(store, accepted) == [memory_id(2), memory_id(4), *others]
    assert found(store, Selection()) == [memory_id(2), memory_id(5), memory_id(4), *others]


def test_a_curation_is_one_part(store: PostgresStore) -> None:
    keep(store, numbered(1))
    added = add_curation(ports=adding(store))

    done = list(work_off(ALONE, ports=working(store), pause=no_pause))

    assert (len(added.job.parts), [one.problem for one in done]) == (1, [""])


@requirement("jobs.killed-worker")
def test_a_waiting_worker_takes_over_when_a_lease_ends(store: PostgresStore) -> None:
    add_curation(ports=adding(store))
    lost = store.jobs.take(worker="lost", seconds=LONG)
    assert lost is not None
    pauses: list[int] = []

    def pause() -> None:
        pauses.append(1)
        store.jobs.fail(lost, "killed")

    waiting = WorkOrder(worker="waits", lease_seconds=LONG, waits=True)
    done = list(work_off(waiting, ports=working(store), pause=pause))

    assert ([one.problem for one in done], pauses) == ([""], [1])


def test_a_worker_whose_job_is_cancelled_meanwhile_stores_nothing(store: PostgresStore) -> None:
    keep(store, numbered(1))
    added = add_embedding(SmallReader().model.name, ports=adding(store))
    reader = CancellingReader(lambda: store.jobs.cancel(added.job.id, at=NOON))

    (done,) = work_off(ALONE, ports=working(store, embedder=reader), pause=no_pause)

    assert "ended before it was done" in done.problem
    with store.reading() as tx:
        assert tx.finding.meaning.models() == ()


class CancellingReader(SmallReader):
    """A model in whose time something happens."""

    def __init__(self, meanwhile: Callable[[], None]) -> None:
        super().__init__()
        self._meanwhile = meanwhile

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[Vector]]:
        self._meanwhile()
        return super().embed(texts)


DOOMED = """
import sys
from uuid import UUID
from holdfast.adapters.postgres.store import PostgresOptions, PostgresStore
from tests.builders import NOON
from tests.contract.steps import numbered
from holdfast.domain.memory.memory import Standing

store = PostgresStore.open(sys.argv[1], PostgresOptions(tenant=UUID(sys.argv[2])))
part = store.jobs.take(worker="doomed", seconds=0.5)
with store.writing(NOON) as tx:
    tx.memories.add(numbered(1), Standing())
    store.jobs.finish(part)
    tx.names.starting("m", limit=1)
    print("inside", flush=True)
    sys.stdin.read()
"""


@requirement("jobs.killed-worker")
def test_another_worker_finishes_what_a_killed_one_left(store: PostgresStore, tenant: UUID) -> None:
    add_curation(ports=adding(store))
    doomed = subprocess.Popen(  # noqa: S603 - the worker under test
        [sys.executable, "-c", DOOMED, server().url(), str(tenant)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert doomed.stdout is not None
    assert doomed.stdout.readline() == b"inside\n"
    doomed.kill()
    doomed.communicate()

    waiting = WorkOrder(worker="survivor", lease_seconds=LONG, waits=True)
    done = list(work_off(waiting, ports=working(store), pause=a_moment))

    assert [(one.part.number, one.problem) for one in done] == [(1, "")]
    assert found(store, Selection()) == [], "the unit of work of the killed one was undone"
    (job,) = store.jobs.list()
    assert (job.state, job.done, job.parts) == (JobState.DONE, 1, 1)


def a_moment() -> None:
    """Let the server pass a moment, in which the lease of the killed worker ends."""
    server().run("SELECT pg_sleep(0.1)")


@pytest.mark.parametrize("backend", ["sqlite", "inmemory"])
def test_a_store_in_a_file_says_that_it_has_no_jobs(
    backend: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with (
        closing(STORES[backend](tmp_path_factory.mktemp("jobs"))()) as store,
        pytest.raises(NotOfferedError) as refused,
    ):
        store.jobs.list()

    assert "Postgres" in str(refused.value)
