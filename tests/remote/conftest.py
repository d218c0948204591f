"""A server in a thread or a process, and the program of a person who uses it as a store."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest

from holdfast.bootstrap.plugs.addresses import IN_A_FILE, ServerPlace
from holdfast.domain.memory.callers import PrincipalKind
from tests.cli.conftest import repository, template
from tests.cli.program import Program
from tests.http.conftest import Home
from tests.http.test_program import program as process
from tests.postgres_server import server

__all__ = ["repository", "template"]
LONGEST = "300"
"""The most seconds that the setting takes: a server on a busy machine may answer late."""


@pytest.fixture(params=["file", "postgres"])
def home(request: pytest.FixtureRequest, tmp_path: Path) -> Home:
    """The home of a server whose store is a file, or on Postgres."""
    if request.param == "file":
        return Home(tmp_path / "served", IN_A_FILE)
    place = ServerPlace(address=server().url(), tenant=str(uuid4()))
    return Home(tmp_path / "served", place)


@pytest.fixture
def file_home(tmp_path: Path) -> Home:
    return Home(tmp_path / "served", IN_A_FILE)


def client_of(home: Home, url: str, folder: Path, at: Path) -> Program:
    """Return the program of a person who has added the server."""
    token = home.token(PrincipalKind.PERSON, name="ada")
    program = Program(home=at, folder=folder, extra={"HOLDFAST_TOKEN": token})
    program("config", "set", "remote.timeout", LONGEST).well()
    program("remote", "add", url, "--name", "team", "--default").well()
    return replace(program, extra={})


@pytest.fixture
def served(home: Home, repository: Path, tmp_path: Path) -> Iterator[Program]:
    """The program of a person whose memory is on a running server."""
    home.token(PrincipalKind.AGENT)
    with process(home) as (_, url):
        yield client_of(home, url, repository, tmp_path / "client")


def copied(repository: Path, to: Path) -> Path:
    return Path(shutil.copytree(repository, to))
