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
from holdfast.domain.memory.place import DEFAULT_SPACE, SpaceId
from tests.cli.conftest import repository, template
from tests.cli.program import Program
from tests.http.conftest import Home
from tests.http.test_program import program as process
from tests.postgres_server import server

__all__ = ["repository", "template"]
LONGEST = "300"
"""The most seconds that the setting takes: a server on a busy machine may answer late."""


def _home(kind: str, folder: Path) -> Home:
    if kind == "file":
        return Home(folder / "served", IN_A_FILE)
    return Home(folder / "served", ServerPlace(address=server().url(), tenant=str(uuid4())))


@pytest.fixture(params=["file", "postgres"])
def home(request: pytest.FixtureRequest, tmp_path: Path) -> Home:
    """The home of a server whose store is a file, or on Postgres."""
    return _home(request.param, tmp_path)


@pytest.fixture
def file_home(tmp_path: Path) -> Home:
    return Home(tmp_path / "served", IN_A_FILE)


def client_of(
    home: Home, url: str, folder: Path, at: Path, *, space: SpaceId = DEFAULT_SPACE
) -> Program:
    """Return the program of a person who has added the server."""
    token = home.token(PrincipalKind.PERSON, space=space, name="ada")
    program = Program(home=at, folder=folder, extra={"HOLDFAST_TOKEN": token})
    program("config", "set", "remote.timeout", LONGEST).well()
    program("remote", "add", url, "--name", "team", "--default").well()
    return replace(program, extra={})


@pytest.fixture(scope="session", params=["file", "postgres"])
def standing(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Home, str]]:
    """A running server for many tests, and its URL: each test has a space of its own there."""
    home = _home(request.param, tmp_path_factory.mktemp("standing"))
    home.token()  # so that there is a store
    with process(home) as (_, url):
        yield home, url


@pytest.fixture
def served(standing: tuple[Home, str], repository: Path, tmp_path: Path) -> Program:
    """The program of a person whose memory is on a running server."""
    home, url = standing
    space = SpaceId(f"space-{uuid4()}")
    home.token(PrincipalKind.AGENT, space=space)
    return client_of(home, url, repository, tmp_path / "client", space=space)


def copied(repository: Path, to: Path) -> Path:
    return Path(shutil.copytree(repository, to))
