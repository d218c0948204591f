"""Long lists, many claims at once, proposals to forget, and a cache that stays small."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from holdfast.adapters.remote import answer_cache
from holdfast.adapters.remote.answer_cache import AnswerCache
from holdfast.domain.memory.callers import PrincipalKind
from holdfast.domain.service.remotes import RemoteRequest
from tests.cli.program import Program
from tests.http.conftest import Home
from tests.http.test_program import program as process
from tests.remote.conftest import client_of
from tests.requirements import requirement

NOW = datetime(2026, 1, 27, tzinfo=UTC)


@pytest.fixture
def client(file_home: Home, repository: Path, tmp_path: Path) -> Iterator[Program]:
    file_home.token(PrincipalKind.AGENT)
    with process(file_home) as (_, url):
        yield client_of(file_home, url, repository, tmp_path / "client")


@requirement("remote.same-answers")
def test_a_batch_and_a_list_of_several_pages(client: Program) -> None:
    lines = [{"claim": f"Fact {number} is true.", "because": "seen"} for number in range(230)]
    client("remember", "--batch", stdin="\n".join(map(json.dumps, lines))).well()

    found = client("list", "--json", "--limit", "225", "--oldest-first").well().json

    assert found["total"] == 230
    assert [one["claim"] for one in found["memories"]] == [
        f"Fact {number} is true." for number in range(225)
    ]
    assert "0 checked" in client("verify").well().out


@requirement("remote.same-answers")
def test_forgetting_is_proposed_and_places_are_pinned(client: Program) -> None:
    words = ("remember", "--evidence", "src/auth/tokens.py:2", "Tokens rotate.", "--json")
    kept = client(*words).well().json
    name, span = kept["id"], kept["memory"]["evidence"][0]["span"]

    client("pin", "--span", span, "--label", "rotation").well()
    assert client("show", span, "--json").well().json["data"]["pinned"] is True
    client("unpin", "--span", span).well()
    client("forget", name, "--propose", "--reason", "old").well()
    assert len(client("review", "--json").well().json["waiting"]) == 1
    refused = client("learn")
    assert (refused.code, "rated" in refused.err) == (3, True)


@requirement("remote.reads-from-cache")
def test_a_cache_holds_the_newest_answers_for_a_month(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answer_cache, "_EVERY", 1)
    monkeypatch.setattr(answer_cache, "MOST_ANSWERS", 3)
    cache = AnswerCache(tmp_path / "answers")
    asked = [RemoteRequest(method="GET", target=f"/{number}") for number in range(6)]
    for request in asked:
        cache.put(request, {"n": request.target}, at=datetime.now(UTC))
    cache.put(asked[0], {"text": "x" * answer_cache.LARGEST_ANSWER}, at=NOW)

    assert len(list((tmp_path / "answers").iterdir())) == 3
    later = datetime.now(UTC) + timedelta(days=31)
    assert [cache.get(one, now=later) for one in asked] == [None] * 6
    assert list(cache.every(now=later)) == []
    broken = next((tmp_path / "answers").iterdir())
    broken.write_text("not an answer")
    assert len(list(cache.every(now=datetime.now(UTC)))) == 2


def test_a_cache_that_cannot_be_written_loses_nothing(tmp_path: Path) -> None:
    (tmp_path / "answers").write_text("not a folder")
    cache = AnswerCache(tmp_path / "answers")

    cache.put(RemoteRequest(method="GET", target="/"), {}, at=NOW)
    cache.clear()

    assert list(cache.every(now=NOW)) == []
