"""What the model of a server suspects, as the program of a person shows it."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.adapters.embedding import judging
from holdfast.adapters.embedding.kept_scores import scores_folder
from holdfast.domain.memory.callers import PrincipalKind
from holdfast.surfaces.http.options import ServeOptions
from holdfast.usecases.review import pair_reading
from tests.http.conftest import Home, running
from tests.http.conftest import client as asking
from tests.remote.conftest import client_of
from tests.requirements import requirement
from tests.sure_judge import SureJudge

OLD, NEW = "Dana is a vegetarian.", "Dana had the steak again, she loves meat."


@requirement("conflict.advice-blocks-nothing")
def test_the_model_of_a_server_advises_and_nothing_is_blocked(
    file_home: Home, repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sure = SureJudge()
    monkeypatch.setattr(judging, "carried_judge", lambda: sure)
    token = file_home.token(PrincipalKind.AGENT)
    (file_home.folder / "config.toml").write_text('conflicts.judge = "wrack"\n')
    with running(ServeOptions(home=str(file_home.folder), address=file_home.place.address)) as url:
        # The server is a thread of this process: later it would see the variables of the program.
        with asking(url, token) as agent:
            assert agent.get("/v1/conflicts").json() == {"conflicts": [], "notes": []}
        client = client_of(file_home, url, repository, tmp_path / "client")
        old = client("remember", "--because", "I know", OLD).well().id
        by_agent = ("--origin", "agent", "--evidence", "command:ls")
        new = client("remember", *by_agent, NEW).well().id

        (waiting,) = client("review", "--json").well().json["waiting"]
        (advice,) = client("conflicts", "--json").well().json["conflicts"]
        client("approve", new, "--hash", waiting["shown"]).well()
        client("resolve", new, old, "--keep-both").well()
        left = client("conflicts", "--json").well().json["conflicts"]

    assert [one["standing"] for one in waiting["advice"]] == [old]
    assert waiting["conflicts"] == []
    assert (advice["candidate"], advice["advice"]) == (new, True)
    assert left == []
    assert sure.read == [(NEW, OLD)]
    assert not scores_folder(file_home.folder).exists()


@requirement("conflict.advice-blocks-nothing")
def test_advice_of_a_server_is_no_conflict_of_the_rules(
    file_home: Home, repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judging, "carried_judge", SureJudge)
    monkeypatch.setattr(pair_reading, "MOST_LETTERS", len(NEW) + len(OLD))
    token = file_home.token(PrincipalKind.AGENT)
    (file_home.folder / "config.toml").write_text('conflicts.judge = "wrack"\n')
    with running(ServeOptions(home=str(file_home.folder), address=file_home.place.address)) as url:
        with asking(url, token) as agent:
            assert agent.get("/v1/conflicts").json()["conflicts"] == []
        client = client_of(file_home, url, repository, tmp_path / "client")
        old = client("remember", "--because", "I know", "The API listens on port 8080.").well().id
        near = client("remember", "--because", "I know", "The API has a public name.").well().id
        for number in range(5):
            told = f"The API has a public name of its own, number {number}, for all to see."
            client("remember", "--because", "I know", told).well()
        by_agent = ("--origin", "agent", "--evidence", "command:ls")
        new = client("remember", *by_agent, "The API listens on port 9090.").well().id

        shown = client("conflicts", "--limit", "1").well()
        whole = client("conflicts").well()

    only = f"holdfast resolve {new} {old} (with --supersede, --keep-old, --keep-both or --merge"
    for done in (shown, whole):
        assert only in done.out
        assert f"holdfast resolve {new} (with" not in done.out
    assert near in whole.out
    assert "left to read; the next call" in whole.err
