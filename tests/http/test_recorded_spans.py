"""Lines that a caller read, and the commit that it has checked out, arrive with a claim."""

from __future__ import annotations

import pytest

from tests.http.conftest import Served
from tests.requirements import requirement

HASH, HEAD = "ab" * 32, "cd" * 20
SPAN = {"path": "src/app.py", "first": 3, "last": 5, "text_hash": HASH}
PLACE = {"repo": "github.com/acme/app", "branch": "feature", "head": HEAD, "aside": "true"}


@requirement("http.spans")
def test_lines_that_a_caller_read_become_evidence(served: Served) -> None:
    body = {"claim": "Lines were read.", "spans": [SPAN]}

    kept = served.agent.post("/v1/memories", json=body, params=PLACE)

    assert kept.status_code == 201, kept.text
    memory = kept.json()["memory"]
    (item,) = memory["evidence"]
    assert item["ref"] == "src/app.py:3-5"
    assert memory["standpoint"] == {
        "branch": "feature",
        "head": HEAD,
        "aside": True,
        "shared": False,
    }
    names = {"ids": [item["span"], "s_00000000"]}
    (span,) = served.agent.get("/v1/spans", params=names).json()["spans"]
    assert (span["id"], span["text_hash"], span["repo"]) == (item["span"], HASH, PLACE["repo"])


@requirement("http.spans")
def test_a_caller_chooses_no_id_of_a_span(served: Served) -> None:
    """Another memory's evidence would change with it."""
    body = {"claim": "Mine now.", "spans": [{**SPAN, "id": "s_00000001"}]}

    assert served.agent.post("/v1/memories", json=body).status_code == 422


@requirement("http.spans")
@pytest.mark.parametrize(
    "wrong",
    [
        {"first": 0},
        {"first": 6},
        {"text_hash": "no hash"},
        {"path": "src/a\u202eb.py"},
        {"anchor": {"loose_hash": "--upload-pack"}},
    ],
)
def test_wrong_lines_are_refused(served: Served, wrong: dict[str, object]) -> None:
    body = {"claim": "Wrong lines.", "spans": [{**SPAN, **wrong}]}

    assert served.agent.post("/v1/memories", json=body).status_code == 422


@requirement("http.spans")
@pytest.mark.parametrize("place", [{"head": "--all"}, {"aside": "true"}, {"head": "xyzw"}])
def test_a_wrong_commit_is_refused(served: Served, place: dict[str, str]) -> None:
    body = {"claim": "Wrong commit.", "evidence": ["https://example.com"]}

    assert served.agent.post("/v1/memories", json=body, params=place).status_code == 422
