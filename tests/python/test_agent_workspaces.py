"""The workspace of an agent: kept for each cycle, protected, and restored after a kill."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

import holdfast
from holdfast import (
    AsyncAgents,
    ConflictError,
    MemoryStore,
    NotFoundError,
    RunningAgent,
    StaleError,
    TrackedWorkspace,
)
from tests.requirements import requirement

BROKEN = ValueError("broken")


@pytest.fixture
def hf(tmp_path: Path) -> Iterator[MemoryStore]:
    with holdfast.open(home=tmp_path / "home", folder=tmp_path, name="ada") as opened:
        yield opened


def step(agent: RunningAgent, name: str, content: bytes, *, ends: bool = True) -> TrackedWorkspace:
    """Let the agent write a file in a tracked cycle."""
    with agent.cycle() as cycle:
        cycle.propose(tool="write")
        with agent.workspace.track() as tracked:
            (agent.workspace.folder / name).write_bytes(content)
        if ends:
            cycle.result("written")
    return tracked


def pictured(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Return the mode and content of each file."""
    return {
        str(one.relative_to(folder)): (one.stat().st_mode, one.read_bytes())
        for one in folder.rglob("*")
        if one.is_file()
    }


def breaks(file: Path) -> None:
    """Write half of a file, and fail."""
    file.write_bytes(b"ha")
    raise BROKEN


def killed_in_its_tool(base: Path) -> None:
    """Act for the agent in a process that dies while its tool runs."""
    with holdfast.open(home=base / "home", folder=base) as other:
        agent = other.agents.open("bot", workspace=base / "work")
        agent.cycle().propose(tool="edit")
        with agent.workspace.track():
            (base / "work" / "a.bin").write_bytes(b"half")
            (base / "work" / "run.sh").unlink()
            (base / "work" / "rubbish").write_bytes(b"x")
            os.kill(os.getpid(), signal.SIGKILL)


@requirement("agent.workspace-tracked")
def test_a_cycle_keeps_the_folder_before_and_after_its_tool(
    hf: MemoryStore, tmp_path: Path
) -> None:
    with hf.agents.open("bot") as agent:
        first = step(agent, "a.txt", b"one")
        second = step(agent, "b.txt", b"two")

    assert agent.workspace.folder == tmp_path / "agents" / "bot"
    assert [(one.kind, one.path) for one in second.changes] == [("added", "b.txt")]
    cycles = [
        one.snapshot.cycle
        for one in (first.before, first.after, second.before, second.after)
        if one is not None and one.snapshot.cycle is not None
    ]
    assert [(one.agent, one.index, one.moment.value) for one in cycles] == [
        *((agent.id, 1, "before"), (agent.id, 1, "after")),
        *((agent.id, 2, "before"), (agent.id, 2, "after")),
    ]


@requirement("agent.workspace-tracked")
def test_a_tool_that_raises_is_kept_too(hf: MemoryStore, tmp_path: Path) -> None:
    with hf.agents.open("bot", workspace=tmp_path / "mine") as agent:
        cycle = agent.cycle()
        cycle.propose(tool="write")
        tracked = agent.workspace.track()
        with pytest.raises(ValueError, match="broken"), cycle, tracked:
            breaks(tmp_path / "mine" / "half")
        (tmp_path / "mine" / "half").unlink()
        done = agent.workspace.restore()

    assert [one.path for one in tracked.changes] == ["half"]
    assert done.steps == {"half": "create"}
    assert "mine" in repr(agent.workspace)


@requirement("workspace.cycles-protect-snapshots")
def test_the_snapshots_of_a_cycle_cannot_be_deleted(hf: MemoryStore, tmp_path: Path) -> None:
    with hf.agents.open("bot") as agent:
        tracked = step(agent, "a.txt", b"one")
    assert tracked.after is not None

    with pytest.raises(ConflictError, match="cited by cycle 1 of bot"):
        hf.workspaces.delete(tracked.after)
    assert hf.workspaces.gc() == 0
    assert hf.workspaces.restore(tracked.after, into=tmp_path / "copy").steps == {"a.txt": "create"}

    hf.agents.delete("bot")
    assert hf.workspaces.delete(tracked.after) == tracked.after.id


@requirement("agent.workspace-restored")
def test_the_folder_of_a_killed_agent_is_restored_bit_for_bit(
    hf: MemoryStore, tmp_path: Path
) -> None:
    work = tmp_path / "work"
    with hf.agents.open("bot", workspace=work) as agent:
        step(agent, "a.bin", os.urandom(700_000))
        step(agent, "run.sh", b"#!/bin/sh")
        (work / "run.sh").chmod(0o755)
        with agent.cycle() as cycle:
            cycle.propose(tool="chmod")
            with agent.workspace.track():
                pass
            cycle.result("done")
    good = pictured(work)
    child = multiprocessing.get_context("spawn").Process(
        target=killed_in_its_tool, args=(tmp_path,)
    )
    child.start()
    child.join()
    assert child.exitcode == -signal.SIGKILL

    with hf.agents.open("bot", workspace=work, take_over=True) as agent:
        rehearsed = agent.workspace.restore(dry_run=True)
        assert pictured(work) != good
        done = agent.workspace.restore()

        assert pictured(work) == good
        assert rehearsed.steps == done.steps
        assert done.steps == {"a.bin": "replace", "rubbish": "remove", "run.sh": "create"}
        assert done.displaced is not None
        agent.workspace.restore(done.displaced, into=tmp_path / "half")
    assert (tmp_path / "half" / "a.bin").read_bytes() == b"half"


@requirement("agent.workspace-restored")
def test_agents_with_one_folder_restore_their_own_cycles(hf: MemoryStore, tmp_path: Path) -> None:
    with hf.agents.open("bot", workspace=tmp_path / "mine") as agent:
        step(agent, "a.txt", b"one")
        with hf.agents.open("other", workspace=tmp_path / "mine") as other:
            step(other, "a.txt", b"two")

        agent.workspace.restore()

    assert (tmp_path / "mine" / "a.txt").read_bytes() == b"one"


@requirement("agent.workspace-restored")
def test_the_last_complete_cycle_decides_and_not_the_last_snapshot(hf: MemoryStore) -> None:
    with hf.agents.open("bot") as agent:
        step(agent, "a.txt", b"one")
        step(agent, "a.txt", b"two", ends=False)

        agent.workspace.restore()

        assert (agent.workspace.folder / "a.txt").read_bytes() == b"one"


def test_tracking_needs_a_cycle_that_runs(hf: MemoryStore) -> None:
    with hf.agents.open("bot") as agent:
        with pytest.raises(ConflictError, match="has begun no cycle") as error:
            agent.workspace.track()
        with pytest.raises(NotFoundError, match="snapshot"):
            agent.workspace.restore()
        assert not agent.workspace.folder.exists()
        old = agent.cycle()
        tracked = agent.workspace.track()
        step(agent, "a.txt", b"one")
        with pytest.raises(ConflictError, match="cycle 2 has begun"), tracked:
            pass
        with pytest.raises(ConflictError, match="is finished"), agent.workspace.track():
            pass
        with pytest.raises(NotFoundError, match="snapshot"):
            hf.agents.open("other").workspace.restore()

    assert "agent.cycle()" in error.value.advice
    assert old.index == 1


@requirement("agent.one-writer")
def test_a_process_that_lost_the_agent_neither_keeps_nor_restores(hf: MemoryStore) -> None:
    lost = hf.agents.open("bot")
    step(lost, "a.txt", b"one")
    lost.cycle()
    (lost.workspace.folder / "a.txt").write_bytes(b"mine")
    hf.agents.open("bot", take_over=True)
    count = len(hf.workspaces.list(everywhere=True))

    with pytest.raises(StaleError), lost.workspace.track():
        pass
    with pytest.raises(StaleError):
        lost.workspace.restore()

    assert (lost.workspace.folder / "a.txt").read_bytes() == b"mine"
    assert len(hf.workspaces.list(everywhere=True)) == count


def test_a_file_in_place_of_the_folder_is_named(hf: MemoryStore, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with hf.agents.open("bot", workspace=tmp_path / "file") as agent:
        agent.cycle()
        with pytest.raises(holdfast.HoldfastError, match="file"), agent.workspace.track():
            pass


@requirement("agent.asynchronous")
@requirement("agent.workspace-tracked")
def test_an_asynchronous_program_tracks_and_restores(tmp_path: Path) -> None:
    async def work() -> tuple[TrackedWorkspace, dict[str, str]]:
        async with AsyncAgents(tmp_path, home=tmp_path / "home") as agents:
            agent = await agents.open("bot", workspace=tmp_path / "w")
            async with agent.cycle() as cycle:
                await cycle.propose(tool="write")
                async with agent.workspace.track() as tracked:
                    (tmp_path / "w" / "a").write_bytes(b"one")
                await cycle.result("written")
            (tmp_path / "w" / "a").write_bytes(b"two")
            done = await agent.workspace.restore()
            async with agent.cycle() as cycle:
                await cycle.propose(tool="write")
                with pytest.raises(ValueError, match="broken"):
                    async with agent.workspace.track() as broken:
                        raise BROKEN
            assert broken.after is not None
            return tracked, done.steps

    tracked, steps = asyncio.run(work())

    assert [one.path for one in tracked.changes] == ["a"]
    assert steps == {"a": "replace"}
