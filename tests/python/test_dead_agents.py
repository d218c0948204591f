"""An agent whose process died on this machine is free at once; a living process holds it."""

from __future__ import annotations

import os
from multiprocessing import get_context
from pathlib import Path
from socket import gethostname

import pytest

import holdfast
from holdfast.domain.agent_errors import AgentHeldError, AgentTakenOverError
from holdfast.usecases.agents.opening import OpenAgent
from tests.patience import PATIENCE
from tests.requirements import requirement


def opens_and_dies(base: Path) -> None:
    """Open the agent in a process that ends without closing it."""
    other = holdfast.open(home=base / "home", folder=base)
    other.agents.open("bot")
    os._exit(0)


@requirement("agent.dead-process")
@pytest.mark.parametrize("does", ["delete", "open"])
def test_the_agent_of_a_dead_process_is_free_at_once(tmp_path: Path, does: str) -> None:
    process = get_context("spawn").Process(target=opens_and_dies, args=(tmp_path,))
    process.start()
    process.join(PATIENCE)

    with holdfast.open(home=tmp_path / "home", folder=tmp_path) as hf:
        assert [one.agent.name for one in hf.agents.list()] == ["bot"]
        if does == "delete":
            hf.agents.delete("bot")
            assert hf.agents.list() == ()
        else:
            hf.agents.open("bot").close()


@requirement("agent.dead-process")
def test_a_living_process_and_one_of_another_machine_hold_their_agents(tmp_path: Path) -> None:
    with holdfast.open(home=tmp_path / "home", folder=tmp_path) as hf:
        hf.app.agents.open(OpenAgent(name="far", holder="elsewhere:1:1"))
        hf.app.agents.open(OpenAgent(name="old", holder=f"{gethostname()}:1"))
        agent = hf.agents.open("bot")

        for name in ("bot", "far", "old"):
            with pytest.raises(AgentHeldError):
                hf.agents.delete(name)
        with pytest.raises(AgentHeldError, match=rf"\({gethostname()}:{os.getpid()}\)"):
            hf.agents.open("bot")
        agent.close()


def test_the_message_names_a_process_without_its_start() -> None:
    taken = AgentTakenOverError(name="bot", holder="vm:12:345@4026531836")

    assert "again by vm:12." in str(taken)
    assert taken.facts["holder"] == "vm:12:345@4026531836"
