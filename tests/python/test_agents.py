"""Agents from Python: cycles, failures, processes that fight for one agent, and asyncio."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

import holdfast
from holdfast import (
    AsyncAgents,
    AsyncCycle,
    ClosedError,
    ConflictError,
    HoldfastError,
    InvalidError,
    MemoryStore,
    NotFoundError,
    RunningCycle,
    StaleError,
)
from tests.postgres_server import server
from tests.requirements import requirement

ROUNDS = 6
WRONG: Any = 7
"""No text and no lifetime."""


@pytest.fixture
def hf(tmp_path: Path) -> Iterator[MemoryStore]:
    with holdfast.open(home=tmp_path / "home", folder=tmp_path, name="ada") as opened:
        yield opened


@requirement("agent.resumes")
def test_a_program_records_a_cycle_and_another_resumes(hf: MemoryStore, tmp_path: Path) -> None:
    agent = hf.agents.open("bot", directives="Tidy.", config={"depth": 2})
    with agent.cycle() as cycle:
        cycle.propose(tool="edit", args={"path": "a.py"}, reasoning="why", plan="one step")
        cycle.result("edited", output=[1, None, "x"], artifacts="report.md")
    agent.cycle().propose(tool="test")

    with holdfast.open(home=tmp_path / "home", folder=tmp_path) as other:
        with pytest.raises(ConflictError) as held:
            other.agents.open("bot")
        taken = other.agents.open("bot", take_over=True)
        found = taken.resume()

    assert "take_over" in held.value.advice
    assert found.last is not None
    assert found.last.result is not None
    assert found.last.result.artifacts == ("report.md",)
    assert [one.proposal.tool for one in found.unfinished if one.proposal] == ["test"]
    assert (taken.directives, dict(taken.config)) == ("Tidy.", {"depth": 2})
    with pytest.raises(StaleError) as lost:
        agent.renew()
    assert "resume()" in lost.value.advice
    assert "bot" in repr(agent)
    assert "complete" in repr(cycle)


class ToolBrokeError(Exception):
    """A tool of a test."""


def fails(cycle: RunningCycle, error: BaseException | None, *, proposes: bool = True) -> None:
    """Leave the block of a cycle with an error; without one, with a second proposal."""
    with cycle:
        if proposes:
            cycle.propose(tool="edit")
        if error is not None:
            raise error
        cycle.propose(tool="again")


def proposes_then(cycle: RunningCycle, *steps: Callable[[], object]) -> None:
    """Propose in the block of a cycle, then take the steps."""
    with cycle:
        cycle.propose(tool="ls")
        for step in steps:
            step()


async def fails_too(cycle: AsyncCycle) -> None:
    """Leave the block of an asynchronous cycle with an error."""
    async with cycle:
        await cycle.propose(tool="edit")
        raise ToolBrokeError


def test_an_agent_that_is_open_here_is_said_to_be_open_here(hf: MemoryStore) -> None:
    with hf.agents.open("bot"), pytest.raises(holdfast.ConflictError, match="in this process"):
        hf.agents.open("bot")


def test_an_agent_that_is_open_here_is_not_deleted_and_says_so(hf: MemoryStore) -> None:
    with hf.agents.open("bot"), pytest.raises(ConflictError, match="in this process") as refused:
        hf.agents.delete("bot")
    with hf.agents.open("bot"), pytest.raises(ConflictError) as again:
        hf.agents.open("bot")

    assert refused.value.advice == "Close it first with close()."
    assert again.value.advice == "Close it first with close(), or pass take_over=True to open()."
    assert hf.agents.delete("bot").agent.name == "bot"


@requirement("agent.interrupted-not-lost")
def test_a_process_that_died_before_it_proposed_goes_on(hf: MemoryStore) -> None:
    hf.agents.open("bot").cycle()
    with hf.agents.open("bot", take_over=True) as agent:
        (cycle,) = agent.resume().unfinished
        assert cycle.proposal is None
        with agent.cycle(unfinished=True) as running:
            running.propose(tool="test")
            running.result("all tests pass")
        assert agent.resume().unfinished == ()


@requirement("agent.interrupted-not-lost")
def test_a_block_that_fails_records_a_failed_result(hf: MemoryStore) -> None:
    with hf.agents.open("bot") as agent:
        with pytest.raises(ToolBrokeError):
            fails(agent.cycle(), ToolBrokeError("the tool broke"))
        with pytest.raises(KeyboardInterrupt):
            fails(agent.cycle(), KeyboardInterrupt())
        with pytest.raises(ToolBrokeError):
            fails(agent.cycle(), ToolBrokeError("early"), proposes=False)
        with pytest.raises(HoldfastError):
            fails(agent.cycle(), None)

    first, second, third, fourth = reversed(hf.agents.cycles("bot"))
    assert first.result is not None
    assert first.result.error == {"type": "ToolBrokeError", "message": "the tool broke"}
    assert [one.result for one in (second, third)] == [None, None]
    assert fourth.result is not None
    assert fourth.result.summary == "failed: ProposedAlreadyError"


ODD_RESULTS: dict[str, tuple[str, Any]] = {
    "NUL": ("ok", {"printed": "a\x00b"}),
    "half a character": ("ok", {"printed": "a\ud800b"}),
    "too large": ("ok", "x" * 300_000),
    "blank": (" ", None),
}


@requirement("agent.interrupted-not-lost")
@pytest.mark.parametrize("odd", ODD_RESULTS.values(), ids=ODD_RESULTS)
def test_a_block_whose_output_cannot_be_kept_is_a_failed_cycle(
    hf: MemoryStore, odd: tuple[str, Any]
) -> None:
    with hf.agents.open("bot") as agent:
        cycle = agent.cycle()
        with pytest.raises(InvalidError) as refused:
            proposes_then(cycle, lambda: cycle.result(odd[0], output=odd[1]))
        assert agent.resume().unfinished == ()

    (kept,) = hf.agents.cycles("bot")
    assert kept.result is not None
    assert kept.result.summary == f"failed: {type(refused.value).__name__}"


@requirement("agent.interrupted-not-lost")
@pytest.mark.parametrize("words", ["a\x00b", "a\ud800b", "x" * 300_000])
def test_a_failure_whose_words_cannot_be_kept_is_recorded_without_them(
    hf: MemoryStore, words: str
) -> None:
    with hf.agents.open("bot") as agent, pytest.raises(ToolBrokeError):
        fails(agent.cycle(), ToolBrokeError(words))

    (kept,) = hf.agents.cycles("bot")
    assert kept.result is not None
    assert kept.result.error == {"type": "ToolBrokeError"}


@requirement("agent.interrupted-not-lost")
def test_a_block_that_reads_what_is_not_there_is_a_failed_cycle(hf: MemoryStore) -> None:
    with hf.agents.open("bot") as agent, pytest.raises(NotFoundError):
        proposes_then(agent.cycle(), lambda: hf.get("nope"))

    (kept,) = hf.agents.cycles("bot")
    assert kept.result is not None
    assert kept.result.summary == "failed: NoSuchError"


@requirement("agent.one-writer")
def test_a_block_whose_agent_was_taken_over_or_passed_records_nothing(hf: MemoryStore) -> None:
    with hf.agents.open("bot") as agent:
        with pytest.raises(NotFoundError):
            proposes_then(agent.cycle(), agent.cycle, lambda: hf.get("nope"))
        with pytest.raises(StaleError):
            proposes_then(agent.cycle(), lambda: hf.agents.open("bot", take_over=True), agent.renew)
        assert [one.result for one in hf.agents.cycles("bot")] == [None] * 3
        agent.opening = hf.agents.open("bot", take_over=True).opening


def test_arguments_of_another_type_are_named(hf: MemoryStore) -> None:
    with pytest.raises(InvalidError):
        hf.agents.open(WRONG)
    with hf.agents.open("bot", lease=timedelta(minutes=1)) as agent:
        with pytest.raises(InvalidError):
            agent.remember("x", kind="rumour")
        with pytest.raises(InvalidError):
            agent.remember("x", ttl=WRONG)
        with pytest.raises(InvalidError):
            agent.remember("x", namespace=[])
        agent.remember("Tabs and spaces mix.", namespace=["short-term", "parser"])
        assert hf.agents.get("bot").namespaces == {"short-term": 1, "parser": 1}
        noted = agent.remember("Tabs fail.", ttl="2h", tags=["parser"], kind="insight")
        scratch = agent.remember("Accents fail.", namespace="scratch", tags="parser")
    assert noted.expires_at is not None
    assert scratch.expires_at is None
    assert scratch.tags == ("parser",)
    with pytest.raises(NotFoundError) as missing:
        hf.agents.get("nobody")
    assert "agents.list()" in missing.value.advice


def test_a_closed_memory_leaves_its_agents_to_their_leases(tmp_path: Path) -> None:
    opened = holdfast.open(home=tmp_path / "home", folder=tmp_path)
    with opened.agents.open("bot") as agent:
        opened.close()
        with pytest.raises(ClosedError):
            agent.renew()
    with pytest.raises(ClosedError):
        opened.agents.list()


@requirement("agent.deleted-whole")
def test_a_deleted_agent_leaves_no_byte_in_any_file(hf: MemoryStore, tmp_path: Path) -> None:
    canary = "xylophonequartz"
    with hf.agents.open("bot", directives=f"Tune the {canary}.", config={"a": canary}) as agent:
        with agent.cycle() as cycle:
            cycle.propose(
                tool=canary, args={"a": canary}, reasoning=canary, plan=[canary], cues=[canary]
            )
            cycle.result(canary, output=canary, artifacts=[canary])
            cycle.remember(f"The {canary} is loud.")
        agent.remember(f"The {canary} is old.", namespace="long-term")
        agent.recall(f"how is the {canary}")
    assert found(tmp_path, canary)

    gone = hf.agents.delete("bot", reason="done")

    assert (gone.notes, gone.candidates, gone.cycles) == (1, 1, 1)
    hf.close()
    assert found(tmp_path, canary) == []


def found(folder: Path, word: str) -> list[str]:
    """Return the files below a folder that contain a word, or its start."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [str(path) for path in files if word.encode() in path.read_bytes()]


def _fight(home: str, store: str | None, number: int) -> None:
    """Finish cycles while others do the same; the first attempt takes the agent over."""
    done, take_over = 0, True
    with holdfast.open(home=home, folder=home, store=store) as opened:
        while done < ROUNDS:
            try:
                with opened.agents.open("bot", take_over=take_over) as agent:
                    cycle = agent.cycle()
                    cycle.propose(tool="work")
                    cycle.result(f"{number} {done}")
            except (StaleError, ConflictError):
                take_over = False  # otherwise nobody would ever finish
                continue
            done, take_over = done + 1, done % 3 == 0


@requirement("agent.cycles-in-order")
@requirement("agent.one-writer")
@pytest.mark.parametrize("backend", ["sqlite", "postgres"])
def test_processes_that_fight_for_an_agent_leave_no_gap_and_no_double(
    tmp_path: Path, backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = server().url() if backend == "postgres" else None
    monkeypatch.setenv("HOLDFAST_TENANT", tmp_path.name if store else "")
    context = multiprocessing.get_context("spawn")
    crew = [
        context.Process(target=_fight, args=(str(tmp_path), store, number)) for number in range(3)
    ]
    for one in crew:
        one.start()
    for one in crew:
        one.join()

    assert [one.exitcode for one in crew] == [0, 0, 0]
    with holdfast.open(home=tmp_path, folder=tmp_path, store=store) as opened:
        cycles = opened.agents.cycles("bot", limit=1000)
    assert [one.index for one in cycles] == list(range(len(cycles), 0, -1))
    results = [one.result.summary for one in cycles if one.result is not None]
    assert len(results) == len(set(results))
    acknowledged = {f"{number} {done}" for number in range(3) for done in range(ROUNDS)}
    assert acknowledged <= set(results)


@requirement("agent.asynchronous")
def test_an_asynchronous_program_drives_an_agent(tmp_path: Path) -> None:
    async def work() -> None:
        async with AsyncAgents(tmp_path, home=tmp_path / "home") as agents:
            agent = await agents.open("bot", directives="Tidy.")
            async with agent.cycle() as cycle:
                await cycle.propose(tool="edit")
                kept = await cycle.remember("Tabs break the parser.", tags=["parser"], ttl="2h")
                assert (kept.tags, kept.expires_at is None) == (("parser",), False)
                await cycle.result("edited")
            assert cycle.index == 1
            with pytest.raises(ToolBrokeError):
                await fails_too(agent.cycle())
            with pytest.raises(ClosedError):
                _ = agent.cycle().index
            other = await agent.remember(
                "Accents break it too.", namespace=["scratch", "more"], tags=["parser"]
            )
            assert other.tags == ("parser",)
            answer = await agent.recall("what breaks the parser", namespace="short-term")
            assert [hit.text for hit in answer if hit.memory] == ["Tabs break the parser."]
            await agent.renew()
            own, same = await asyncio.gather(agent.resume(), agents.resume("bot"))
            assert own == same
            assert own.last is not None
            assert own.last.index == 2
            await agent.close()
        with pytest.raises(ClosedError):
            await agents.resume("bot")
        await AsyncAgents(tmp_path).close()

    asyncio.run(work())
