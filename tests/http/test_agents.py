"""Agents over HTTP: what they did, an export, and a deletion that only a person may ask for."""

from __future__ import annotations

from http import HTTPStatus

import holdfast
from tests.http.conftest import Served
from tests.requirements import requirement

LINES = 6
"""The header, a note, the agent, its two cycles, and the namespace of the note."""


@requirement("agent.resumes")
@requirement("agent.notes-are-its-own")
@requirement("agent.deleted-whole")
def test_agents_are_shown_exported_and_deleted_over_http(served: Served) -> None:
    folder, ada, bot = served.home.folder, served.person, served.agent
    with holdfast.open(folder, home=folder) as hf, hf.agents.open("bot") as running:
        with running.cycle() as cycle:
            cycle.propose(tool="edit")
            cycle.result("edited")
            note = cycle.remember("Owls note.").id
        running.cycle().propose(tool="test")

    (agent,) = bot.get("/v1/agents").json()["agents"]
    assert (agent["name"], agent["cycles"]) == ("bot", 2)
    for path in ("bot", "bot/cycles", "bot/resume", "bot/export"):
        assert bot.get(f"/v1/agents/{path}").status_code == HTTPStatus.FORBIDDEN
    assert ada.get(f"/v1/memories/{note}").status_code == HTTPStatus.OK
    assert bot.get(f"/v1/memories/{note}").status_code == HTTPStatus.NOT_FOUND
    assert ada.get("/v1/memories?statuses=noted").json()["total"] == 1
    assert bot.get("/v1/memories?statuses=noted").json()["total"] == 0
    assert ada.get("/v1/agents/bot").json()["agent"]["id"] == agent["id"]
    cycles = ada.get("/v1/agents/bot/cycles?limit=1").json()["cycles"]
    assert [one["status"] for one in cycles] == ["interrupted"]
    found = ada.get(f"/v1/agents/{agent['id']}/resume").json()
    assert found["last"]["result"]["summary"] == "edited"
    assert ada.get("/v1/agents/bot/export").text.count("\n") == LINES
    assert ada.get("/v1/agents/nobody").status_code == HTTPStatus.NOT_FOUND
    assert bot.post("/v1/agents/bot/delete", json={}).status_code == HTTPStatus.FORBIDDEN
    planned = ada.post("/v1/agents/bot/delete", json={"dry_run": True}).json()
    assert planned["cycles"] == 2
    assert ada.post("/v1/agents/bot/delete", json={"reason": "done"}).status_code == HTTPStatus.OK
    assert bot.get("/v1/agents").json() == {"agents": []}
