"""What somebody without a valid token learns about stores that cannot be used."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import rmtree

import pytest

from holdfast.domain.memory.callers import PrincipalKind
from holdfast.domain.memory.place import SpaceId
from holdfast.surfaces.http.options import ServeOptions
from tests.http.conftest import Home, client, running
from tests.requirements import requirement

INVENTED = f"hft.t_01m7v3n434wxz4cftbnemkf5xb.file.beta.{'0' * 80}"
ALPHA, BETA = SpaceId("alpha"), SpaceId("beta")


def logged(capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    lines = [line for line in capsys.readouterr().err.splitlines() if line.startswith("{")]
    return [one for one in map(json.loads, lines) if one.get("event") == "request"]


@requirement("http.strangers-learn-no-paths")
def test_the_path_of_a_damaged_store_is_only_in_the_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = Home(tmp_path)
    home.token(PrincipalKind.PERSON, space=BETA)
    (tmp_path / "spaces" / BETA / "holdfast.db").write_bytes(b"no database" * 999)
    options = ServeOptions(home=str(tmp_path), address="")
    with running(options) as url, client(url, INVENTED) as stranger:
        refused = stranger.get("/v1/memories")
        over_mcp = stranger.post("/mcp", json={})
        page = stranger.post("/sign-in", data={"token": INVENTED})

    for answer in (refused, over_mcp, page):
        assert answer.status_code == 503
        assert str(tmp_path) not in answer.text
    assert refused.json()["facts"] == {}
    assert refused.json()["detail"].startswith("The store")
    assert [str(tmp_path) in str(one.get("reason")) for one in logged(capsys)] == [True] * 3


@requirement("http.strangers-learn-no-paths")
def test_the_address_of_a_database_that_is_away_is_only_in_the_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    address = f"postgresql://nobody@/none?host={tmp_path}"
    shown = INVENTED.replace(".file.", ".acme.")
    options = ServeOptions(home=str(tmp_path), address=address)
    with running(options) as url, client(url, shown) as stranger:
        answers = [stranger.get("/v1/memories"), stranger.get("/readyz")]

    for answer in answers:
        assert (answer.status_code, answer.json()["code"]) == (503, "server-unreachable")
        assert answer.json()["detail"] == "The database server does not answer."
        assert answer.json()["facts"] == {}
    assert ["nobody@" in str(one.get("reason")) for one in logged(capsys)] == [True, True]


@requirement("http.strangers-learn-no-paths")
def test_a_space_that_was_removed_is_as_unknown_as_one_that_never_was(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.token(PrincipalKind.PERSON, space=ALPHA)
    token = home.token(PrincipalKind.PERSON, space=BETA)
    with (
        running(ServeOptions(home=str(tmp_path), address="")) as url,
        client(url, token) as former,
        client(url, INVENTED) as stranger,
        client(url, INVENTED.replace("beta", "gamma")) as other,
    ):
        before = former.get("/v1/memories")
        rmtree(tmp_path / "spaces" / BETA)
        after = [one.get("/v1/memories") for one in (former, stranger, other)]

    assert before.status_code == 200
    assert [one.status_code for one in after] == [401] * 3
    assert len({one.text for one in after}) == 1


@requirement("store.open-store-made-once")
@pytest.mark.parametrize("gone", ["spaces", "spaces/beta"])
def test_a_space_whose_disk_was_taken_away_is_not_taken_for_removed(
    tmp_path: Path, gone: str
) -> None:
    home = Home(tmp_path)
    home.token(PrincipalKind.PERSON, space=ALPHA)
    token = home.token(PrincipalKind.PERSON, space=BETA)
    with (
        running(ServeOptions(home=str(tmp_path), address="")) as url,
        client(url, token) as caller,
    ):
        caller.get("/v1/memories")
        moved = tmp_path / gone
        aside = moved.rename(tmp_path / "aside")
        moved.mkdir()  # where the disk was mounted
        away = caller.get("/v1/memories")
        moved.rmdir()
        aside.rename(moved)
        back = caller.get("/v1/memories")

    assert (away.status_code, back.status_code) == (503, 200)
