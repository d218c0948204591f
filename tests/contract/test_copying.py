"""Exact copies of a store, between every pair of backends that store rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing
from pathlib import Path
from uuid import uuid4

import apsw
import pytest

from holdfast.adapters.inmemory.store import InMemoryStore
from holdfast.adapters.postgres.store import PostgresOptions, PostgresStore
from holdfast.adapters.sqlite.store import SqliteStore, StoreOptions
from holdfast.domain.database_errors import (
    CopyDiffersError,
    StoreNotEmptyError,
    UnfinishedCopyError,
)
from holdfast.domain.encryption.ciphertext import KeyId
from holdfast.domain.errors import StoreDamagedError
from holdfast.domain.exchange.copies import StoreCopy
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.memory import Standing
from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.recall.finding import EmbeddingModel, Vector
from holdfast.domain.refusals import NotOfferedError
from holdfast.domain.review.curation import Severity
from holdfast.domain.tasks.finding import ReadyQuestion, TaskFilter
from holdfast.ports.store.copying import Copying, StoredRow, StoredRows, StoredVectors
from holdfast.ports.store.finding import VectorStore
from holdfast.ports.store.store import Store
from holdfast.usecases.exchange.copy_store import compare_stores, copy_store
from holdfast.usecases.tasks.placing import put_task
from tests.builders import (
    HERE,
    NOON,
    a_branch_point,
    a_bundle,
    a_decision,
    a_document,
    a_project,
    a_reason,
    a_rewrite,
    a_run,
    a_said_turn,
    a_session,
    a_session_cache,
    a_session_turn,
    a_span,
    a_step,
    a_task,
    a_tombstone,
    a_tuning,
    a_turn,
    an_agent,
)
from tests.contract.steps import keep, memory_id, numbered
from tests.contract.test_agents import A_CYCLE, AN_ENTRY
from tests.postgres_server import server
from tests.requirements import requirement

Open = Callable[..., Store]


def _sqlite(folder: Path) -> Open:
    def opened(*, takes_copy: bool = False) -> Store:
        return SqliteStore.open(folder / "holdfast.db", options=StoreOptions(takes_copy=takes_copy))

    return opened


def _postgres(_: Path) -> Open:
    tenant = uuid4()

    def opened(*, takes_copy: bool = False) -> Store:
        options = PostgresOptions(tenant=tenant, takes_copy=takes_copy)
        return PostgresStore.open(server().url(), options)

    return opened


BACKENDS = {"sqlite": _sqlite, "postgres": _postgres}

MODEL = EmbeddingModel(name="small@1", dimension=2)
EAST = Vector(model=MODEL, values=b"\x00\x00\x80?\x00\x00\x00\x00")


@pytest.fixture(params=BACKENDS)
def source(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """A store with something in every table."""
    (tmp_path / "from").mkdir()
    with closing(BACKENDS[request.param](tmp_path / "from")()) as store:
        fill(store)
        yield store


@pytest.fixture(params=BACKENDS)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Open:
    """A function that opens the target of the copy."""
    (tmp_path / "to").mkdir(mode=0o700)
    return BACKENDS[request.param](tmp_path / "to")


def fill(store: Store) -> None:
    keep(store, *(numbered(number, tags=("one",)) for number in range(1, 6)))
    with store.writing(NOON) as tx:
        tx.memories.set_standing(memory_id(2), Standing(pinned=True, label="second"))
        tx.memories.usage.count_given([memory_id(1)], NOON)
        tx.links.put(Link(src=memory_id(1), dst=memory_id(2), kind="supports"))
        tx.sessions.put(a_session())
        tx.sessions.add_turn(a_turn())
        tx.sessions.caches.put(a_session_cache())
        tx.sessions.caches.put_turn(a_session_turn())
        tx.sessions.caches.said.put(a_said_turn())
        tx.names.documents.put(a_document(memory_id=memory_id(3)))
        tx.sessions.caches.projects.put(a_project())
        tx.bundles.put(a_bundle())
        tx.anchors.spans.put(a_span())
        tx.anchors.past.put_tip(HERE.repo or "", a_branch_point())
        tx.anchors.past.put_rewrites([a_rewrite()])
        tx.anchors.reasons.add(memory_id(3), a_reason(reference="And again."))
        tx.finding.tunings.put(a_tuning())
        tx.diary.runs.put(a_run())
        tx.diary.runs.steps.put(a_step())
        tx.diary.decisions.put(a_decision())
        put_task(a_task(1), before=None, tx=tx)
        put_task(a_task(2, after=(a_task(1).id,)), before=None, tx=tx)
        tx.diary.agents.names.put(an_agent())
        tx.diary.agents.cycles.add(A_CYCLE)
        tx.diary.agents.indexes.put(AN_ENTRY)
        tx.finding.meaning.put(MODEL, {memory_id(number): [EAST] for number in (1, 2, 5)})
    with store.writing(NOON) as tx:
        tx.memories.forget(a_tombstone(memory_id=memory_id(5)))


def quiet(_done: int, _total: int) -> None:
    """Show no progress."""


def copied(source: Store, place: Open) -> StoreCopy:
    with closing(place(takes_copy=True)) as target:
        return copy_store(source.upkeep.copying, target.upkeep.copying, quiet)


def everything(store: Store) -> dict[str, object]:
    with store.reading() as tx:
        return {
            "memories": list(tx.memories.find(Selection(), Page(oldest_first=True))),
            "links": list(tx.links.page(beyond=None, limit=9)),
            "tombstones": list(tx.names.tombstones(beyond="", limit=9)),
            "sessions": list(tx.sessions.page(beyond=None, limit=9)),
            "cache": tx.sessions.caches.get(a_session().id),
            "session turns": list(tx.sessions.caches.turns(a_session().id)),
            "documents": list(tx.names.documents.page(beyond=0, limit=9)),
            "said": list(tx.sessions.caches.said.of(a_session().id)),
            "said words": list(tx.finding.said.uses({"feed"}, HERE.repo or "")),
            "project": tx.sessions.caches.projects.get(HERE.repo or ""),
            "bundles": list(tx.bundles.page(beyond=None, limit=9)),
            "runs": list(tx.diary.runs.page(beyond=None, limit=9)),
            "steps": list(tx.diary.runs.steps.of(a_run().id)),
            "tasks": list(tx.diary.tasks.find(TaskFilter(), limit=9)),
            "ready": list(tx.diary.tasks.graph.ready(ReadyQuestion(repo=HERE.repo or "", at=NOON))),
            "agents": list(tx.diary.agents.names.page(beyond=None, limit=9)),
            "cycles": list(tx.diary.agents.cycles.page(an_agent().id, before=None, limit=9)),
            "indexes": list(tx.diary.agents.indexes.about(memory_id(1))),
            "decisions": list(tx.diary.decisions.page(beyond=None, limit=9)),
            "events": list(tx.diary.events.since(0, limit=99)),
            "words": [
                hit.sequence for hit in tx.finding.words.search(["claim"], Selection(), limit=9)
            ],
            "near": list(tx.finding.meaning.search(EAST, Selection(), limit=9).hits),
            "models": list(tx.finding.meaning.models()),
        }


@requirement("store.copied-exactly")
def test_a_copy_has_every_row_and_answers_alike(source: Store, place: Open) -> None:
    found = copied(source, place)
    assert found.is_same
    assert found.rows == sum(table.written for table in found.tables)
    assert found.rows_from_before == 0
    with closing(place()) as target:
        assert everything(target) == everything(source)
        assert [one for one in target.upkeep.check(quiet) if one.severity is not Severity.OK] == []
        assert target.warnings == ()


@requirement("store.copied-exactly")
def test_a_copy_goes_on_as_a_store_of_its_own(source: Store, place: Open) -> None:
    copied(source, place)
    with closing(place()) as target:
        keep(target, numbered(6))
        keep(source, numbered(6))
        with target.reading() as tx, source.reading() as ours:
            assert tx.memories.get(memory_id(6)).sequence == 6
            assert ours.memories.get(memory_id(6)).sequence == 6


@requirement("store.copied-exactly")
def test_there_and_back_is_the_same(source: Store, place: Open, tmp_path: Path) -> None:
    copied(source, place)
    (tmp_path / "back").mkdir()
    back = _sqlite(tmp_path / "back")
    with closing(place()) as target:
        copied(target, back)
    with closing(back()) as home:
        found = compare_stores(source.upkeep.copying, home.upkeep.copying, quiet)
    assert found.is_same
    assert {table.written for table in found.tables} == {0}


class Failing:
    """A target whose process ends after a number of writes."""

    def __init__(self, target: Copying, writes: int) -> None:
        self._target = target
        self._left = writes

    def stored(self) -> AbstractContextManager[StoredRows]:
        return self._target.stored()

    def vectors(
        self, opener: Callable[[str], VectorStore | None]
    ) -> AbstractContextManager[Sequence[StoredVectors]]:
        return self._target.vectors(opener)

    def begin(self, mark: str) -> None:
        self._target.begin(mark)

    def finish(self) -> None:
        self._target.finish()

    @property
    def encrypted_with(self) -> KeyId | None:
        return self._target.encrypted_with

    def encrypt(self, key_id: KeyId | None) -> None:
        self._target.encrypt(key_id)

    def put(self, table: str, rows: Sequence[StoredRow]) -> None:
        if not self._left:
            raise KeyboardInterrupt
        self._left -= 1
        self._target.put(table, rows)


@requirement("store.copy-goes-on")
def test_an_interrupted_copy_is_refused_and_goes_on(source: Store, place: Open) -> None:
    with closing(place(takes_copy=True)) as target, pytest.raises(KeyboardInterrupt):
        copy_store(source.upkeep.copying, Failing(target.upkeep.copying, 4), quiet)
    with pytest.raises(UnfinishedCopyError):
        place()
    found = copied(source, place)
    assert found.is_same
    assert 0 < sum(table.written for table in found.tables) < found.rows
    assert 0 < found.rows_from_before < found.rows
    with closing(place()) as target:
        assert everything(target) == everything(source)


@requirement("store.copy-goes-on")
def test_a_copy_of_an_older_state_begins_anew(source: Store, place: Open) -> None:
    with closing(place(takes_copy=True)) as target, pytest.raises(KeyboardInterrupt):
        copy_store(source.upkeep.copying, Failing(target.upkeep.copying, 9), quiet)
    with source.writing(NOON) as tx:
        tx.memories.forget(a_tombstone(memory_id=memory_id(1)))
    found = copied(source, place)
    assert found.is_same
    assert found.rows == sum(table.written for table in found.tables)
    with closing(place()) as target:
        assert everything(target) == everything(source)


@requirement("store.copied-exactly")
def test_a_store_with_contents_is_not_overwritten(source: Store, place: Open) -> None:
    with closing(place()) as target:
        keep(target, numbered(9))
    with pytest.raises(StoreNotEmptyError):
        copied(source, place)
    with closing(place()) as target, target.reading() as tx:
        assert [one.memory.id for one in tx.memories.find(Selection(), Page())] == [memory_id(9)]


@requirement("store.copied-exactly")
def test_a_write_that_went_wrong_is_found(source: Store, place: Open) -> None:
    class Losing(Failing):
        def put(self, table: str, rows: Sequence[StoredRow]) -> None:
            self._target.put(table, rows[1:] if table == "memory_usage" else rows)

    with closing(place(takes_copy=True)) as target, pytest.raises(CopyDiffersError):
        copy_store(source.upkeep.copying, Losing(target.upkeep.copying, 0), quiet)
    with pytest.raises(UnfinishedCopyError):
        place()


@requirement("store.copied-exactly")
@pytest.mark.parametrize("statement", [
    "UPDATE memory SET value = 'Other.' WHERE id = 'm_001'",
    "UPDATE event SET subject = 'm_009' WHERE sequence = 2",
])  # fmt: skip
def test_a_damaged_row_is_not_copied(tmp_path: Path, place: Open, statement: str) -> None:
    (tmp_path / "from").mkdir()
    opened = _sqlite(tmp_path / "from")
    with closing(opened()) as store:
        fill(store)
    with closing(apsw.Connection(str(tmp_path / "from" / "holdfast.db"))) as connection:
        connection.execute(statement)
    with closing(opened()) as store, pytest.raises(StoreDamagedError):
        copied(store, place)


def test_a_store_in_memory_has_no_rows_to_copy() -> None:
    with pytest.raises(NotOfferedError, match="export"):
        _ = InMemoryStore().upkeep.copying
