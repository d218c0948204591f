"""Git settings with values that git refuses: nothing passes as checked that was not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.program import Program
from tests.cli.test_anchors import git, write
from tests.requirements import requirement

BROKEN = {
    "core.autocrlf": "bogus",
    "core.compression": "99",
    "core.repositoryformatversion": "99",
    "core.fileMode": "bogus",
    "core.abbrev": "bogus",
    "core.packedGitLimit": "bogus",
    "extensions.objectFormat": "bogus",
    "diff.algorithm": "bogus",
    "diff.renames": "7x",
}


@pytest.fixture
def program(repository: Path, tmp_path: Path) -> Program:
    """Three memories: one whose lines changed, one whose file is gone, and one about a commit."""
    ours = Program(home=tmp_path / "home", folder=repository)
    write(repository, "a.py", "def limit():\n    return compute_the_limit(7)\n")
    write(repository, "b.py", "def other():\n    return compute_the_other(7)\n")
    git(repository, "tag", "v1")
    ours("remember", "--evidence", "a.py:1-2", "The limit is seven.").well()
    ours("remember", "--evidence", "b.py:1-2", "The other is seven.").well()
    ours("remember", "--evidence", "commit:v1", "v1 was cut.").well()
    (repository / "a.py").write_text("def limit():\n    return compute_the_limit(9)\n")
    (repository / "b.py").unlink()
    return ours


@requirement("verify.exit-code-for-ci")
@requirement("verdict.never-silent")
@pytest.mark.parametrize("key", BROKEN)
def test_what_git_could_not_check_is_counted_and_fails(program: Program, key: str) -> None:
    git(program.folder, "config", key, BROKEN[key])

    done = program("verify", "--json")

    assert done.code == 1
    assert len(done.json["memories"]) == 3
    assert done.json["unanchored"] == 0
    shown = program("recall", "limit seven", "--md").out
    assert any(word in shown for word in ("drifted", "unverifiable"))


@requirement("verify.exit-code-for-ci")
def test_evidence_that_nobody_could_check_fails_by_itself(program: Program) -> None:
    for name in program("list", "--json").json["memories"]:
        if "v1" not in name["claim"]:
            program("forget", "--id", name["id"], "--yes")
    assert program("verify").code == 0
    git(program.folder, "config", "core.autocrlf", "bogus")

    done = program("verify")

    assert done.code == 1
    assert "unverifiable" in done.out
    assert "autocrlf" in done.out
