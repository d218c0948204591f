"""Agents over HTTP: what they did, an export, and a deletion that only a person may ask for."""

from __future__ import annotations

from pathlib import Path

import pytest

import holdfast
from holdfast.domain.memory.callers import PrincipalKind
from tests.http.conftest import Home, client, running
from tests.requirements import requirement


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """A store with an agent that has one complete and one unfinished cycle."""
    with holdfast.open(home=tmp_path, folder=tmp_path, as_="person") as hf:
        with hf.agents.open("bot") as agent:
            with agent.cycle() as cycle:
                cycle.propose(tool="edit")
                cycle.result("edited")
            agent.cycle().propose(tool="test")
    return Home(tmp_path)


@requirement("agent.resumes")
@requirement("agent.deleted-whole")
def test_agents_are_shown_exported_and_deleted_over_http(home: Home) -> None:
    person, other = home.token(PrincipalKind.PERSON), home.token(PrincipalKind.AGENT)
    with running(home) as url, client(url, person) as ada, client(url, other) as bot:
        (agent,) = bot.get("/v1/agents").json()["agents"]
        assert (agent["name"], agent["cycles"]) == ("bot", 2)
        assert bot.get("/v1/agents/bot").json()["agent"] == agent
        cycles = bot.get("/v1/agents/bot/cycles?limit=1").json()["cycles"]
        assert [one["status"] for one in cycles] == ["interrupted"]
        found = bot.get(f"/v1/agents/{agent['id']}/resume").json()
        assert found["last"]["result"]["summary"] == "edited"
        assert ada.get("/v1/agents/bot/export").text.count("\n") == 4
        assert bot.get("/v1/agents/nobody").status_code == 404
        assert bot.post("/v1/agents/bot/delete", json={}).status_code == 403
        planned = ada.post("/v1/agents/bot/delete", json={"dry_run": True}).json()
        assert planned["cycles"] == 2
        assert ada.post("/v1/agents/bot/delete", json={"reason": "done"}).status_code == 200
        assert bot.get("/v1/agents").json() == {"agents": []}
