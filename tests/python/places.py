"""A repository for examples, with the file that they cite."""

from __future__ import annotations

from pathlib import Path

from tests.adapters.test_repository import a_repository

CITED = "src/auth/tokens.py"


def an_example_repository(root: Path) -> Path:
    """Make a repository with 60 lines in the file that the examples cite."""
    folder = a_repository(root)
    (folder / "src" / "auth").mkdir(parents=True)
    lines = [f"line {number}" for number in range(1, 61)]
    (folder / CITED).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder
