"""Names: abbreviated ids, and the tombstones of forgotten memories."""

from __future__ import annotations

import pytest

from holdfast.domain.errors import ForgottenError
from holdfast.domain.ids import (
    AgentId,
    BundleId,
    DecisionId,
    MemoryId,
    RunId,
    SessionId,
    SpanId,
    TaskId,
)
from holdfast.domain.memory.memory import Standing
from holdfast.domain.workspaces.snapshot import (
    FolderSnapshot,
    SnapshotId,
    Workspace,
    WorkspaceId,
)
from holdfast.ports.store.store import Store
from tests.builders import (
    NOON,
    a_bundle,
    a_decision,
    a_memory,
    a_run,
    a_session,
    a_span,
    a_task,
    a_tombstone,
    an_agent,
)
from tests.contract.steps import keep, memory_id, numbered
from tests.requirements import requirement


def starting(store: Store, prefix: str, *, limit: int = 9) -> tuple[str, ...]:
    with store.reading() as tx:
        return tuple(tx.names.starting(prefix, limit=limit))


@requirement("name.short-form-found")
def test_the_start_of_an_id_finds_every_noun_in_order(store: Store) -> None:
    with store.writing(NOON) as tx:
        tx.memories.add(a_memory(id=MemoryId("x_2m")), Standing())
        tx.bundles.put(a_bundle(id=BundleId("x_1c")))
        tx.sessions.put(a_session(id=SessionId("x_4i")))
        tx.anchors.spans.put(a_span(id=SpanId("x_3s")))
        tx.memories.add(a_memory(id=MemoryId("y_1")), Standing())

    assert starting(store, "x_") == ("x_1c", "x_2m", "x_3s", "x_4i")
    assert starting(store, "x_3s") == ("x_3s",)
    assert starting(store, "z") == ()


@requirement("name.short-form-found")
def test_no_more_names_come_than_were_asked_for(store: Store) -> None:
    keep(store, numbered(3), numbered(1), numbered(2))

    assert starting(store, "m_", limit=2) == (memory_id(1), memory_id(2))


@requirement("recall.short-ids")
def test_the_end_of_an_id_finds_memories_and_forgotten_ones(store: Store) -> None:
    keep(store, a_memory(id=MemoryId("m_one24150mc")), a_memory(id=MemoryId("m_two24150mc")))
    keep(store, a_memory(id=MemoryId("m_other")))
    with store.writing(NOON) as tx:
        tx.memories.forget(a_tombstone(memory_id=MemoryId("m_two24150mc")))

    with store.reading() as tx:
        ending = tx.names.ending
        assert tuple(ending("m_", "24150mc", limit=9)) == ("m_one24150mc", "m_two24150mc")
        assert tuple(ending("m_", "24150mc", limit=1)) == ("m_one24150mc",)
        assert tuple(ending("m_", "one24150mc", limit=9)) == ("m_one24150mc",)
        odd = ("%", "_", "mc%", "'", "\\")
        assert [tuple(ending("m_", end, limit=9)) for end in odd] == [()] * 5


@requirement("name.short-form-found")
def test_the_end_of_an_id_finds_every_noun_by_its_prefix_only(store: Store) -> None:
    work = Workspace(id=WorkspaceId("w_end"), name="x", root="/x", host="h", created_at=NOON)
    kept = FolderSnapshot(
        id=SnapshotId("v_end"), workspace=work.id, taken_at=NOON, manifest="ab" * 32
    )
    with store.writing(NOON) as tx:
        tx.memories.add(a_memory(id=MemoryId("m_end")), Standing())
        tx.bundles.put(a_bundle(id=BundleId("c_end")))
        tx.sessions.put(a_session(id=SessionId("i_end")))
        tx.anchors.spans.put(a_span(id=SpanId("s_end")))
        tx.diary.runs.put(a_run(id=RunId("r_end")))
        tx.diary.decisions.put(a_decision(id=DecisionId("d_end")))
        tx.diary.tasks.put(a_task(id=TaskId("t_end")))
        tx.diary.agents.names.put(an_agent(id=AgentId("a_end")))
        tx.diary.workspaces.put(work)
        tx.diary.workspaces.snapshots.add(kept)

    with store.reading() as tx:
        found = {one: tuple(tx.names.ending(f"{one}_", "nd", limit=9)) for one in "acdimrstvwx"}
        begun = {one: tuple(tx.names.starting(f"{one}_", limit=9)) for one in "acdimrstvwx"}
    assert found == begun == {one: (f"{one}_end",) for one in "acdimrstvw"} | {"x": ()}


@pytest.mark.parametrize("prefix", ["m%", "m_0?", "m*", "M_0", "m_00_", "'"])
def test_the_start_of_an_id_is_no_pattern(store: Store, prefix: str) -> None:
    keep(store, numbered(1))

    assert starting(store, prefix) == ()


def test_a_forgotten_memory_keeps_its_name(store: Store) -> None:
    keep(store, a_memory())
    with store.writing(NOON) as tx:
        tx.memories.forget(a_tombstone())

    assert starting(store, "m_") == ("m_1",)


def test_what_was_never_forgotten_has_no_tombstone(store: Store) -> None:
    keep(store, a_memory())

    with store.reading() as tx:
        assert tx.names.tombstone(MemoryId("m_1")) is None
        assert tx.names.tombstone(MemoryId("m_2")) is None


@requirement("store.pages-never-overlap")
def test_tombstones_come_by_id_a_page_at_a_time(store: Store) -> None:
    keep(store, *(numbered(n) for n in range(5)))
    with store.writing(NOON) as tx:
        for number in (3, 0, 4, 1):
            tx.memories.forget(a_tombstone(memory_id=memory_id(number)))

    with store.reading() as tx:
        first = tx.names.tombstones(beyond="", limit=3)
        second = tx.names.tombstones(beyond=first[-1].memory_id, limit=3)

    assert [grave.memory_id for grave in first] == [memory_id(n) for n in (0, 1, 3)]
    assert [grave.memory_id for grave in second] == [memory_id(4)]


@requirement("forget.leaves-tombstone")
def test_a_tombstone_from_elsewhere_is_kept_once_and_keeps_the_memory_away(store: Store) -> None:
    grave = a_tombstone(reason="It was private.")
    for _ in range(2):
        with store.writing(NOON) as tx:
            tx.names.bury(grave)

    with store.reading() as tx:
        assert tx.names.tombstones(beyond="", limit=9) == (grave,)
        assert [event.action for event in tx.diary.events.about("m_1")] == ["tombstone.buried"]
    with pytest.raises(ForgottenError):
        keep(store, a_memory())


def test_another_tombstone_of_an_id_replaces_it(store: Store) -> None:
    with store.writing(NOON) as tx:
        tx.names.bury(a_tombstone(reason="first"))
        tx.names.bury(a_tombstone(reason="second"))

    with store.reading() as tx:
        assert tx.names.tombstone(MemoryId("m_1")) == a_tombstone(reason="second")
