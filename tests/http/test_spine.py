"""One walk through the API: an agent proposes, a person decides, both recall."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import apsw
import pytest

from holdfast.bootstrap.remote.refusals import refusal
from holdfast.domain.memory.callers import PrincipalKind
from holdfast.domain.sessions.said import SaidBy
from holdfast.surfaces.http.options import ServeOptions
from holdfast.usecases.sessions.saying import SayTurn
from tests.http.conftest import Home, Served, client, running
from tests.requirements import requirement

_AT_ONCE = 6
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


@requirement("http.same-words")
def test_the_last_page_names_no_next_one(tmp_path: Path) -> None:
    home = Home(tmp_path)
    token = home.token(PrincipalKind.PERSON, name="ada")
    with running(ServeOptions(home=str(tmp_path))) as url, client(url, token) as caller:
        for number in range(4):
            claim = {**CLAIM, "claim": f"Claim {number} of four."}
            assert caller.post("/v1/memories", json=claim).status_code == 201
        whole = caller.get("/v1/memories", params={"limit": 4}).json()
        first = caller.get("/v1/memories", params={"limit": 2}).json()
        page = {"limit": 2, "cursor": first["next"]}
        second = caller.get("/v1/memories", params=page).json()
        middle = caller.get("/v1/memories", params={**page, "limit": 1}).json()

    assert (len(whole["memories"]), whole["next"]) == (4, None)
    assert first["next"] is not None
    assert (len(second["memories"]), second["next"]) == (2, None)
    assert middle["next"] is not None


@requirement("http.quota-says-what-to-do")
def test_a_quota_has_one_advice_at_every_door(tmp_path: Path) -> None:
    home = Home(tmp_path / "served")
    token = home.token(PrincipalKind.PERSON, name="ada")
    options = ServeOptions(home=str(home.folder), most_memories=1)
    with running(options) as url, client(url, token) as caller:
        answers = [
            caller.post("/v1/memories", json={**CLAIM, "claim": f"Claim {number} of two."})
            for number in range(2)
        ]
    refused = refusal(answers[1].status_code, answers[1].json())

    assert [one.status_code for one in answers] == [201, 429]
    assert "ask the operator of the server" in answers[1].json()["advice"]
    assert refused.code == "quota-reached"
    assert "ask the operator of the server" in refused.hint


@requirement("session.list-here")
@pytest.mark.parametrize("noun", ["session", "run"])
def test_those_of_other_repositories_are_listed_over_http_only_if_asked(
    served: Served, noun: str
) -> None:
    ours, theirs = (
        served.agent.post(f"/v1/{noun}s?repo={repo}", json={}).json()[noun]["id"]
        for repo in ("ours", "theirs")
    )

    def listed(query: str) -> set[str]:
        return {one["id"] for one in served.agent.get(f"/v1/{noun}s{query}").json()[f"{noun}s"]}

    assert listed("?repo=ours") == {ours}
    assert listed("?repo=ours&everywhere=true") == listed("?everywhere=true") == {ours, theirs}
    assert listed("") == set()
    assert served.agent.get(f"/v1/{noun}s?here=true").status_code == 422


@requirement("said.quoted")
def test_what_was_said_is_quoted_over_http_where_asked(served: Served) -> None:
    session = served.person.post("/v1/sessions", json={"tool": "x"}).json()["session"]["id"]
    memory = served.home.machine().open()
    memory.session_cache.say(session, [SayTurn(by=SaidBy.PERSON, text="The gull nests at noon.")])
    memory.close()
    asked = {"q": "when does the gull nest"}

    quoted = served.agent.post("/v1/recall", json={**asked, "include": ["sessions"]}).json()
    known = served.agent.post("/v1/recall", json=asked).json()

    assert [item["ref"] for item in quoted["passages"]] == [f"{session}/1"]
    assert "> The gull nests at noon." in quoted["markdown"]
    assert known["passages"] == []
    assert "noon" not in known["markdown"]


@requirement("bundle.kept-together")
def test_recalls_at_one_time_are_all_kept(served: Served) -> None:
    claim = {"claim": "Parcels leave at seven.", "because": "the carrier said so"}
    served.person.post("/v1/memories", json=claim)
    asked = {"q": "when do parcels leave"}

    with ThreadPoolExecutor(_AT_ONCE) as threads:
        posted = [
            threads.submit(served.person.post, "/v1/recall", json=asked) for _ in range(_AT_ONCE)
        ]
        names = [one.result().json()["id"] for one in posted]

    kept = [served.person.get(f"/v1/bundles/{name}").status_code for name in names]
    assert kept == [200] * _AT_ONCE


@requirement("bundle.kept-together")
def test_a_recall_whose_answer_cannot_be_kept_says_so(tmp_path: Path) -> None:
    home = Home(tmp_path)
    person = home.token(PrincipalKind.PERSON, name="ada")
    claim = {"claim": "Parcels leave at seven.", "because": "the carrier said so"}
    with running(ServeOptions(home=str(tmp_path))) as url, client(url, person) as caller:
        caller.post("/v1/memories", json=claim)
        store = next(tmp_path.glob("*.db"))
        Path(f"{store}-pending").write_bytes(b"a file in the place of the folder")
        other = apsw.Connection(str(store))
        other.execute("BEGIN IMMEDIATE")
        answer = caller.post("/v1/recall", json={"q": "when do parcels leave"}).json()
        other.close()

    assert [item["claim"] for item in answer["items"]] == [claim["claim"]]
    assert any("this bundle was not stored" in note for note in answer["notes"])
