"""A home and a real repository for every test, and a tool that calls."""

from __future__ import annotations

import pytest

from tests.cli.conftest import newcomer, program, repository, template
from tests.cli.program import Program
from tests.hook.caller import Caller, keep

__all__ = ["newcomer", "program", "repository", "template"]


@pytest.fixture
def caller(program: Program) -> Caller:
    """A session of Claude Code where three things are known."""
    keep(program, "Never run `git push --force` on main.")
    keep(program, "We deploy on Tuesdays only.", "decision")
    program(
        "remember", "--kind", "gotcha", "--evidence", "src/auth/tokens.py:41-58",
        "Refresh tokens rotate on every use; replaying one revokes the family.",
    ).well()  # fmt: skip
    return Caller(program)
