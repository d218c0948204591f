"""Agents over HTTP: what they did, an export, and a deletion that only a person may ask for."""

from __future__ import annotations

from http import HTTPStatus

import holdfast
from tests.http.conftest import Served
from tests.requirements import requirement

LINES = 4
"""The header, the agent, and its two cycles."""


@requirement("agent.resumes")
@requirement("agent.deleted-whole")
def test_agents_are_shown_exported_and_deleted_over_http(served: Served) -> None:
    folder, ada, bot = served.home.folder, served.person, served.agent
    with holdfast.open(folder, home=folder) as hf, hf.agents.open("bot") as running:
        with running.cycle() as cycle:
            cycle.propose(tool="edit")
            cycle.result("edited")
        running.cycle().propose(tool="test")

    (agent,) = bot.get("/v1/agents").json()["agents"]
    assert (agent["name"], agent["cycles"]) == ("bot", 2)
    assert bot.get("/v1/agents/bot").json()["agent"] == agent
    cycles = bot.get("/v1/agents/bot/cycles?limit=1").json()["cycles"]
    assert [one["status"] for one in cycles] == ["interrupted"]
    found = bot.get(f"/v1/agents/{agent['id']}/resume").json()
    assert found["last"]["result"]["summary"] == "edited"
    assert ada.get("/v1/agents/bot/export").text.count("\n") == LINES
    assert bot.get("/v1/agents/nobody").status_code == HTTPStatus.NOT_FOUND
    assert bot.post("/v1/agents/bot/delete", json={}).status_code == HTTPStatus.FORBIDDEN
    planned = ada.post("/v1/agents/bot/delete", json={"dry_run": True}).json()
    assert planned["cycles"] == 2
    assert ada.post("/v1/agents/bot/delete", json={"reason": "done"}).status_code == HTTPStatus.OK
    assert bot.get("/v1/agents").json() == {"agents": []}
