"""Deep recall over HTTP: a server reads again where the setting or the request asks for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.domain.memory.callers import PrincipalKind
from holdfast.surfaces.http.options import ServeOptions
from tests.http.conftest import Home, client, running
from tests.requirements import requirement
from tests.service_model import models

QUESTION = "how long do refresh tokens live"


@requirement("recall.deep")
@pytest.mark.parametrize(
    ("setting", "asked", "is_read"),
    [
        ("auto", None, False),
        ("auto", True, True),
        ("on", None, True),
        ("on", False, False),
        ("off", None, False),
    ],
)
def test_a_server_reads_again_as_it_is_set_or_asked(
    setting: str,
    asked: bool | None,  # noqa: FBT001 - a parameter of the test
    is_read: bool,  # noqa: FBT001 - a parameter of the test
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HOLDFAST_MODELS", models())
    monkeypatch.setenv("HOLDFAST_RECALL_DEEP", setting)
    home = Home(tmp_path)
    person = home.token(PrincipalKind.PERSON)
    with running(ServeOptions(home=str(tmp_path))) as address, client(address, person) as caller:
        for claim in ("Refresh tokens live for 30 days.", "Refresh tokens are opaque."):
            wish = {"claim": claim, "because": "I decided"}
            assert caller.post("/v1/memories", json=wish).status_code == 201
        question = {"q": QUESTION, "verbose": True}
        if asked is not None:
            question["deep"] = asked
        answer = caller.post("/v1/recall", json=question)

    assert answer.status_code == 200, answer.text
    legs = {why["leg"] for item in answer.json()["items"] for why in item["reasons"]}
    assert ("deep" in legs) is is_read
