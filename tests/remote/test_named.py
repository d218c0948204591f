"""A remote is its name: its address, its token and its waiting writes stay together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from holdfast.domain.memory.callers import PrincipalKind
from tests.cli.program import Finished, Program
from tests.http.conftest import Home
from tests.http.test_program import program as process
from tests.requirements import requirement

INVALID, MISSING, CONFLICT, AWAY, KEPT_HERE = 2, 3, 4, 6, 7


def add(client: Program, url: str, *words: str, token: str, name: str = "team") -> Finished:
    known = replace(client, extra={"HOLDFAST_TOKEN": token})
    return known("remote", "add", url, "--name", name, *words)


@pytest.fixture
def client(repository: Path, tmp_path: Path) -> Program:
    return Program(home=tmp_path / "client", folder=repository)


@pytest.fixture
def running(file_home: Home) -> Iterator[str]:
    file_home.token(PrincipalKind.AGENT)
    with process(file_home) as (_, url):
        yield url


@requirement("remote.known")
def test_remotes_with_one_address_have_their_own_tokens(
    file_home: Home, running: str, client: Program
) -> None:
    person = file_home.token(PrincipalKind.PERSON, name="ada")
    agent = file_home.token(PrincipalKind.AGENT, name="bot")
    add(client, running, token=person, name="ada").well()
    add(client, running, token=agent, name="zteam").well()

    words = ("remember", "--evidence", "https://example.com", "--json")
    by_agent = client("--store", "zteam", *words, "An agent writes.").well().json
    by_person = client("--store", "ada", *words, "A person writes.").well().json
    client("remote", "use", "zteam").well()
    by_default = client(*words, "The default writes.").well().json
    by_address = client("--store", running, "list")

    kept = [one["memory"]["status"] for one in (by_agent, by_person, by_default)]
    assert kept == ["candidate", "accepted", "candidate"]
    assert (by_address.code, "ada, zteam" in by_address.err) == (CONFLICT, True)
    assert client("remote", "status", "--json").well().json["name"] == "zteam"
