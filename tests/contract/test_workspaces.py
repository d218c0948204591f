"""Workspaces, their files and their snapshots, on every backend."""

from __future__ import annotations

import pytest

from holdfast.domain.agents.agent import Agent
from holdfast.domain.agents.cycle import AgentCycle
from holdfast.domain.choices import EvidenceType
from holdfast.domain.errors import NoSuchError
from holdfast.domain.ids import AgentId
from holdfast.domain.memory.evidence import Evidence
from holdfast.domain.memory.memory import Standing
from holdfast.domain.values import replace
from holdfast.domain.workspaces.snapshot import (
    CycleMoment,
    FolderSnapshot,
    SnapshotCycle,
    SnapshotId,
    SnapshotKind,
    Workspace,
    WorkspaceFile,
    WorkspaceId,
)
from holdfast.domain.workspaces.tree import OmitReason, Omitted
from holdfast.ports.store.store import Store
from tests.builders import NOON, a_memory
from tests.requirements import requirement

WORK = Workspace(
    id=WorkspaceId("w_1"), name="réport", root="/home/ada/réport", host="pluto", created_at=NOON
)
FULL = FolderSnapshot(
    id=SnapshotId("v_1"),
    workspace=WORK.id,
    taken_at=NOON,
    manifest="ab" * 32,
    kind=SnapshotKind.DISPLACED,
    note="naïve 'note'?",
    entries=3,
    size=2**40,
    stored=7,
    ignored=2,
    keeps_ignored=True,
    omitted=(Omitted(".env", OmitReason.SECRET), Omitted("pipe", OmitReason.SPECIAL)),
    more_omitted=4,
    cycle=SnapshotCycle("a_1", 3, CycleMoment.AFTER),
)


def kept(store: Store, *snapshots: FolderSnapshot) -> None:
    with store.writing(NOON) as tx:
        tx.diary.workspaces.put(WORK)
        for snapshot in snapshots:
            tx.diary.workspaces.snapshots.add(snapshot)


@requirement("store.reads-back-exactly")
def test_a_workspace_and_its_snapshots_read_back_exactly(store: Store) -> None:
    plain = FolderSnapshot(
        id=SnapshotId("v_2"), workspace=WORK.id, taken_at=NOON, manifest="cd" * 32
    )
    kept(store, FULL, plain)

    with store.reading() as tx:
        workspaces = tx.diary.workspaces
        assert workspaces.get(WORK.id) == WORK
        assert workspaces.at("pluto", WORK.root) == WORK
        assert workspaces.at("mars", WORK.root) is None
        assert workspaces.every() == (WORK,)
        assert workspaces.snapshots.get(FULL.id) == FULL
        assert workspaces.snapshots.page(workspace=None, beyond=None, limit=9) == (plain, FULL)
        assert workspaces.snapshots.page(workspace=WORK.id, beyond="v_2", limit=9) == (FULL,)
        assert workspaces.snapshots.page(workspace=WorkspaceId("w_9"), beyond=None, limit=9) == ()
        assert tx.names.starting("v_", limit=9) == ("v_1", "v_2")
        assert [one.action for one in tx.diary.events.about("w_1")] == ["workspace.put"]


def test_an_agent_is_written_over_the_workspace(store: Store) -> None:
    kept(store)
    theirs = replace(WORK, agent="refactor-bot")

    with store.writing(NOON) as tx:
        tx.diary.workspaces.put(theirs)

    with store.reading() as tx:
        assert tx.diary.workspaces.every() == (theirs,)


def test_files_of_a_workspace_are_written_replaced_and_removed(store: Store) -> None:
    kept(store, FULL)
    one = WorkspaceFile("a.py", "file", 0o644, 2**33, "ab" * 32, FULL.id)
    two = WorkspaceFile("é/b", "folder", 0o755, 0, "", FULL.id)
    with store.writing(NOON) as tx:
        tx.diary.workspaces.put_files(WORK.id, [one, two], [])
        tx.diary.workspaces.put_files(WORK.id, [], [])

    with store.writing(NOON) as tx:
        changed = one._replace(mode=0o600)
        tx.diary.workspaces.put_files(WORK.id, [changed], ["é/b", "never"])

    with store.reading() as tx:
        assert tx.diary.workspaces.files(WORK.id) == (changed,)
        assert tx.diary.workspaces.files(WorkspaceId("w_9")) == ()


def test_what_does_not_exist_is_named(store: Store) -> None:
    with store.reading() as tx:
        workspaces = tx.diary.workspaces
        with pytest.raises(NoSuchError, match="No workspace has the id w_7"):
            workspaces.get(WorkspaceId("w_7"))
        with pytest.raises(NoSuchError, match="No snapshot has the id v_7"):
            workspaces.snapshots.get(SnapshotId("v_7"))

    with pytest.raises(NoSuchError, match="w_1"), store.writing(NOON) as tx:
        tx.diary.workspaces.snapshots.add(FULL)


def test_a_removed_snapshot_is_gone_and_the_store_is_sound(store: Store) -> None:
    kept(store, FULL)

    with store.writing(NOON) as tx:
        tx.diary.workspaces.snapshots.remove(FULL.id)

    with store.reading() as tx:
        assert tx.diary.workspaces.snapshots.page(workspace=None, beyond=None, limit=9) == ()
        assert [one.action for one in tx.diary.events.about("v_1")] == [
            *("snapshot.put", "snapshot.removed")
        ]
    assert not [one for one in store.upkeep.check(lambda *_: None) if one.severity == "damage"]
    with pytest.raises(NoSuchError), store.writing(NOON) as tx:
        tx.diary.workspaces.snapshots.remove(FULL.id)


@requirement("workspace.cited-is-kept")
def test_the_memories_that_cite_a_snapshot_are_found(store: Store) -> None:
    artifact = Evidence(type=EvidenceType.ARTIFACT, reference="v_1/report.md")
    said = Evidence(type=EvidenceType.STATEMENT, reference='the word "artifact" alone')
    other = Evidence(type=EvidenceType.ARTIFACT, reference="build.log")
    memory = a_memory(evidence=(other, artifact, said))
    kept(store, FULL)
    with store.writing(NOON) as tx:
        tx.memories.add(memory, Standing())

    with store.reading() as tx:
        assert dict(tx.diary.workspaces.snapshots.cited_by()) == {"v_1": [memory.id]}


@requirement("workspace.cycles-protect-snapshots")
def test_the_cycle_of_a_snapshot_is_found_until_its_agent_is_deleted(store: Store) -> None:
    agent = Agent(id=AgentId("a_1"), name="bot", created_at=NOON)
    other = replace(FULL, id=SnapshotId("v_2"), cycle=SnapshotCycle("a_1", 9, CycleMoment.BEFORE))
    plain = replace(FULL, id=SnapshotId("v_3"), cycle=None)
    kept(store, FULL, other, plain)
    with store.writing(NOON) as tx:
        tx.diary.agents.names.put(agent)
        tx.diary.agents.cycles.add(AgentCycle(agent_id=agent.id, index=3, started_at=NOON, epoch=1))
        tx.memories.add(
            memory := a_memory(
                evidence=(Evidence(type=EvidenceType.ARTIFACT, reference="v_1/report.md"),)
            ),
            Standing(),
        )

    with store.reading() as tx:
        found = dict(tx.diary.workspaces.snapshots.cited_by())
    assert found == {"v_1": [memory.id, "cycle 3 of bot"]}

    with store.writing(NOON) as tx:
        tx.diary.agents.names.remove(agent.id)
    with store.reading() as tx:
        assert dict(tx.diary.workspaces.snapshots.cited_by()) == {"v_1": [memory.id]}
