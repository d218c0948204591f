"""A home and a real repository for every test."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from holdfast.adapters.sqlite.store import SqliteStore
from tests.cli.program import Program
from tests.cli.scenes import Scenes
from tests.cli.waiting import Waiting, fill

TOKENS = "".join(f"token = rotate({number})\n" for number in range(1, 101))


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with one commit; tests work on copies of it."""
    folder = tmp_path_factory.mktemp("template") / "app"
    (folder / "src" / "auth").mkdir(parents=True)
    (folder / "src" / "auth" / "tokens.py").write_text(TOKENS, encoding="utf-8")
    _git(folder, "init", "-q", "-b", "main", ".")
    _git(folder, "add", ".")
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false")
    _git(folder, *who, "commit", "-q", "-m", "Rotate tokens")
    for sample in (folder / ".git" / "hooks").glob("*.sample"):
        sample.unlink()  # half of the files that every test would copy
    return folder


def _git(folder: Path, *words: str) -> None:
    subprocess.run(["git", "-C", str(folder), *words], check=True)  # noqa: S607 - git from the PATH


@pytest.fixture
def repository(template: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(template, tmp_path / "app"))


@pytest.fixture(scope="session")
def empty_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home with an empty store that tests get copies of."""
    home = tmp_path_factory.mktemp("empty") / "home"
    SqliteStore.open(home / "holdfast.db").close()
    return home


@pytest.fixture
def program(empty_home: Path, repository: Path, tmp_path: Path) -> Program:
    """The program of a person whose store is there and holds nothing."""
    home = Path(shutil.copytree(empty_home, tmp_path / "home"))
    return Program(home=home, folder=repository)


@pytest.fixture(scope="session")
def scenes(template: Path, empty_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Scenes:
    """The scenes that tests find as they were made."""
    return Scenes(tmp_path_factory.mktemp("scenes"), template, empty_home)


@pytest.fixture
def newcomer(repository: Path, tmp_path: Path) -> Program:
    """The program of a person who has no store yet."""
    return Program(home=tmp_path / "newcomer", folder=repository)


@pytest.fixture
def servers() -> Iterator[ExitStack]:
    """What ends the servers that a test talks to."""
    with ExitStack() as running:
        yield running


@dataclass(frozen=True)
class Filled:
    """A store with one of everything, and the ids of it."""

    program: Program
    memory: str
    other: str
    bundle: str
    span: str
    session: str


@pytest.fixture(scope="session")
def filled_template(
    empty_home: Path, template: Path, tmp_path_factory: pytest.TempPathFactory
) -> Filled:
    """The store that tests get copies of: to fill one takes longer than most tests."""
    folder = tmp_path_factory.mktemp("filled")
    program = Program(
        home=Path(shutil.copytree(empty_home, folder / "home")),
        folder=Path(shutil.copytree(template, folder / "app")),
    )
    memory = program(
        "remember", "--kind", "gotcha", "--key", "refresh-token-rotation",
        "--evidence", "src/auth/tokens.py:41-58", "--ttl", "30d",
        "Refresh tokens rotate on every use; replaying one revokes the family.",
    ).well().id  # fmt: skip
    other = program("remember", "--because", "I decided", "We deploy on Tuesdays only.").well().id
    shown = program("show", memory, "--json").well().json
    return Filled(
        program=program,
        memory=memory,
        other=other,
        bundle=program("recall", "--q", "rotate refresh tokens", "--json").well().json["id"],
        span=shown["data"]["evidence"][0]["span"],
        session=program("session", "start", "--tool", "claude").well().id,
    )


@pytest.fixture
def filled(filled_template: Filled, repository: Path, tmp_path: Path) -> Filled:
    """A copy of the filled store. The repository is a clone of the one it was filled in."""
    home = Path(shutil.copytree(filled_template.program.home, tmp_path / "home"))
    return replace(filled_template, program=Program(home=home, folder=repository))


@pytest.fixture(scope="session")
def waiting_template(
    empty_home: Path, template: Path, tmp_path_factory: pytest.TempPathFactory
) -> Waiting:
    """The store with candidates that tests get copies of."""
    folder = tmp_path_factory.mktemp("waiting")
    program = Program(
        home=Path(shutil.copytree(empty_home, folder / "home")),
        folder=Path(shutil.copytree(template, folder / "app")),
    )
    return fill(program)


@pytest.fixture
def waiting(waiting_template: Waiting, repository: Path, tmp_path: Path) -> Waiting:
    """A copy of the store with candidates, in a clone of the repository it was filled in."""
    home = Path(shutil.copytree(waiting_template.program.home, tmp_path / "home"))
    return replace(waiting_template, program=Program(home=home, folder=repository))
