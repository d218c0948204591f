"""Tasks over HTTP: the same verbs, the same words."""

from __future__ import annotations

import json

from tests.http.conftest import Served
from tests.requirements import requirement


@requirement("task.every-door")
def test_tasks_are_planned_worked_on_and_drawn(served: Served) -> None:
    agent, person = served.agent, served.person
    first = agent.post("/v1/tasks", json={"title": "first"}).json()["task"]["id"]
    second = agent.post("/v1/tasks", json={"title": "second", "after": [first]}).json()["task"][
        "id"
    ]

    assert agent.get("/v1/tasks/next").json()["task"]["id"] == first
    assert agent.get("/v1/tasks/ready").json()["held"][0]["id"] == second
    assert [one["id"] for one in agent.get("/v1/tasks").json()["tasks"]] == [first, second]
    cycle = agent.patch(f"/v1/tasks/{first}", json={"after": [second]})
    assert (cycle.status_code, cycle.json()["code"]) == (409, "task-cycle")
    assert agent.post("/v1/tasks/claims", json={"lease": "5m"}).json()["task"]["id"] == first
    assert agent.post(f"/v1/tasks/{first}/claim", json={}).status_code == 200
    other = person.post(f"/v1/tasks/{first}/claim", json={"worker": "other"})
    assert (other.status_code, other.json()["code"]) == (409, "task-claimed")
    for verb in ("done", "release"):
        refused = person.post(f"/v1/tasks/{first}/{verb}", json={"worker": "other"})
        assert refused.json()["code"] == "task-lease-lost"
    forced = {"worker": "other", "anyway": True}
    assert agent.post(f"/v1/tasks/{first}/release", json=forced).status_code == 403
    overridden = person.post(f"/v1/tasks/{first}/release", json=forced).json()
    assert overridden["overrode"]
    assert overridden["task"]["status"] == "open"
    assert agent.post(f"/v1/tasks/{first}/claim", json={}).status_code == 200
    assert agent.post(f"/v1/tasks/{first}/release", json={}).json()["task"]["status"] == "open"
    assert agent.post(f"/v1/tasks/{first}/start", json={}).json()["task"]["status"] == "started"
    assert agent.post(f"/v1/tasks/{first}/done", json={}).json()["task"]["status"] == "done"
    assert agent.post(f"/v1/tasks/{first}/reopen", json={}).status_code == 403
    assert person.post(f"/v1/tasks/{first}/reopen", json={}).json()["parents"] == []


@requirement("task.every-door")
def test_what_is_not_there_is_refused_with_the_route_that_helps(served: Served) -> None:
    elsewhere = {"repo": "github.com/acme/empty"}
    none = served.agent.get("/v1/tasks/next", params=elsewhere).json()
    person = served.person.post("/v1/decisions/undo", json={}, params=elsewhere).json()

    assert (none["code"], "POST /v1/tasks adds one" in none["advice"]) == ("nothing-ready", True)
    assert (person["code"], person["advice"]) == (
        "nothing-to-undo",
        "GET /v1/decisions lists the decisions of everybody.",
    )


@requirement("recall.says-what-was-checked")
def test_a_server_without_a_checkout_does_not_say_that_it_checked(served: Served) -> None:
    kept = {"claim": "Tests run on each push.", "kind": "rule", "because": "agreed"}
    assert served.person.post("/v1/memories", json=kept).status_code == 201

    text = served.agent.get("/v1/context", params={"goal": "tests"}).json()["text"]

    assert "What people approved for this place. Each memory" in text


@requirement("task.every-door")
def test_tasks_are_blocked_drawn_exported_and_removed(served: Served) -> None:
    agent, person = served.agent, served.person
    first = agent.post("/v1/tasks", json={"title": "first"}).json()["task"]["id"]
    second = agent.post("/v1/tasks", json={"title": "second", "after": [first]}).json()["task"][
        "id"
    ]

    blocked = agent.post(f"/v1/tasks/{first}/block", json={"why": "vendor"}).json()["task"]
    assert blocked["status"] == "blocked"
    assert agent.post(f"/v1/tasks/{first}/unblock", json={}).json()["task"]["status"] == "open"
    assert agent.get(f"/v1/tasks/{second}").json()["waits_for"][0]["id"] == first
    edges = agent.get("/v1/tasks/tree").json()["edges"]
    assert {"task": second, "depends_on": first} in edges
    assert "<svg" in agent.get("/v1/tasks/graph", params={"format": "svg"}).json()["drawing"]
    assert agent.get("/v1/tasks/graph", params={"format": "mermaid"}).json()["drawing"]
    assert agent.get("/v1/tasks/graph").json()["drawing"] == ""
    lines = agent.get("/v1/tasks/export").text.splitlines()
    assert {first, second} <= {json.loads(line)["id"] for line in lines}
    assert agent.delete(f"/v1/tasks/{first}").status_code == 403
    assert person.delete(f"/v1/tasks/{first}").json()["changed"] == [second]
    brought = person.post("/v1/tasks/import", json={"lines": ['{"id": "bd-1", "title": "x"}']})
    assert brought.json()["added"] == 1


@requirement("task.fenced-and-visible")
def test_hidden_characters_of_a_task_are_named(served: Served) -> None:
    made = served.agent.post("/v1/tasks", json={"title": "fir\u200bst"}).json()
    edited = served.agent.patch(f"/v1/tasks/{made['task']['id']}", json={"notes": "a\u202eb"})

    assert made["task"]["title"] == "first"
    assert [one["code_point"] for one in made["removed_characters"]] == ["U+200B"]
    assert [one["code_point"] for one in edited.json()["removed_characters"]] == ["U+202E"]
    blocked = served.agent.post(f"/v1/tasks/{made['task']['id']}/block", json={"why": "no\u2060"})
    assert blocked.json()["task"]["blocked"] == "no"
    assert [one["code_point"] for one in blocked.json()["removed_characters"]] == ["U+2060"]


@requirement("gate.hidden-characters-refused")
def test_hidden_characters_of_a_turn_are_named(served: Served) -> None:
    session = served.agent.post("/v1/sessions", json={}).json()["session"]["id"]
    turn = {"q": "wh\u200by", "notes": "so\u202e"}
    answer = served.agent.post(f"/v1/sessions/{session}/turns", json=turn).json()

    assert (answer["turn"]["query"], answer["turn"]["notes"]) == ("why", "so")
    found = [one["code_point"] for one in answer["removed_characters"]]
    assert found == ["U+200B", "U+202E"]


@requirement("run.hidden-characters-named")
def test_hidden_characters_of_a_run_are_named(served: Served) -> None:
    began = served.agent.post("/v1/runs", json={"goal": "fir\u200bst"}).json()
    path = f"/v1/runs/{began['run']['id']}"
    noted = served.agent.post(f"{path}/notes", json={"text": "a\u202eb"}).json()
    ended = served.agent.post(f"{path}/finish", json={"summary": "We met\u2060."}).json()

    found = [
        [one["code_point"] for one in answer["removed_characters"]]
        for answer in (began, noted, ended)
    ]
    assert found == [["U+200B"], ["U+202E"], ["U+2060"]]
