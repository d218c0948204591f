"""One walk through the API: an agent proposes, a person decides, both recall."""

from __future__ import annotations

from tests.http.conftest import Served
from tests.requirements import requirement

CLAIM = {"claim": "Tokens rotate hourly.", "evidence": ["https://example.com/tokens"]}


@requirement("http.same-words")
def test_an_agent_proposes_and_a_person_decides(served: Served) -> None:
    kept = served.agent.post("/v1/memories", json=CLAIM)
    name = kept.json()["id"]
    refused = served.agent.post("/v1/candidates/approve", json={"ids": [name]})
    waiting = served.person.get("/v1/candidates").json()["waiting"]
    decided = served.person.post("/v1/candidates/approve", json={"ids": [name]})
    answer = served.agent.post("/v1/recall", json={"q": "how often do tokens rotate"})

    assert (kept.status_code, kept.json()["memory"]["status"]) == (201, "candidate")
    assert (refused.status_code, refused.json()["code"]) == (403, "may-not")
    assert refused.headers["content-type"] == "application/problem+json"
    assert [one["memory"]["id"] for one in waiting] == [name]
    assert decided.json()["decided"][0]["status"] == "accepted"
    assert [one["memory_id"] for one in answer.json()["items"]] == [name]
