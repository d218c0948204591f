"""A repository with a commit, and an empty home."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.mcp.door import Door, Folder


@pytest.fixture
def door() -> Door:
    return Door()


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    repo, home = tmp_path / "repo", tmp_path / "home"
    (repo / "src").mkdir(parents=True)
    home.mkdir()
    (repo / "src" / "app.py").write_text("one\ntwo\nthree\n", encoding="utf-8")
    identity = ["-c", "user.name=ada", "-c", "user.email=ada@example.org"]
    for words in (["init", "-q"], ["add", "-A"], [*identity, "commit", "-q", "-m", "start"]):
        subprocess.run(["git", *words], cwd=repo, check=True)  # noqa: S607 - git from the path
    return Folder(repo=repo, home=home)
