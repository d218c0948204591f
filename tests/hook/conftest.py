"""A home and a real repository for every test, and a tool that calls."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import empty_home, newcomer, program, repository, template
from tests.cli.program import Program
from tests.hook.caller import Caller, keep

__all__ = ["empty_home", "newcomer", "program", "repository", "template"]


@pytest.fixture(scope="session")
def home_of_caller(
    empty_home: Path, template: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The home where three things are known, which tests get copies of."""
    folder = tmp_path_factory.mktemp("caller")
    home = Path(shutil.copytree(empty_home, folder / "home"))
    program = Program(home=home, folder=Path(shutil.copytree(template, folder / "app")))
    keep(program, "Never run `git push --force` on main.")
    keep(program, "We deploy on Tuesdays only.", "decision")
    program(
        "remember", "--kind", "gotcha", "--evidence", "src/auth/tokens.py:41-58",
        "Refresh tokens rotate on every use; replaying one revokes the family.",
    ).well()  # fmt: skip
    return home


@pytest.fixture
def caller(home_of_caller: Path, program: Program) -> Caller:
    """A session of Claude Code where three things are known."""
    shutil.rmtree(program.home)
    shutil.copytree(home_of_caller, program.home)
    # A hook asks git about a folder that is new to it, and does not have the time for more.
    program("status").well()
    return Caller(program)
