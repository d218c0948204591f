"""A hook of git refuses a commit that removes what a rule needs, and SARIF says which file."""

from __future__ import annotations

import json
import sys

import pytest

from tests.cli.clones import Clone
from tests.cli.program import Program
from tests.cli.test_checks import remember
from tests.requirements import requirement

CHECK = "symbol Engine must exist in src/engine.py"
CLAIM = "Engine is defined."


@pytest.fixture
def clone(program: Program) -> Clone:
    clone = Clone(program)
    (clone.folder / "src" / "engine.py").write_text("class Engine:\n    pass\n")
    clone.git("add", "--all")
    clone.git("commit", "-qm", "Begin")
    return clone


@requirement("checks.removals")
@pytest.mark.parametrize(
    "words", [("rm", "-q", "src/engine.py"), ("mv", "src/engine.py", "src/motor.py")]
)
def test_a_hook_refuses_a_commit_that_removes_what_a_rule_needs(
    clone: Clone, words: tuple[str, ...]
) -> None:
    name = remember(clone.program, CHECK, claim=CLAIM)
    hook = clone.folder / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\nexec {sys.executable} -m holdfast verify --checks --staged\n")
    hook.chmod(0o755)
    begun = clone.git("rev-parse", "HEAD")

    clone.git(*words)
    clone.git("commit", "-qm", "Remove the engine", check=False)
    done = clone.program("verify", "--checks", "--staged")

    assert clone.git("rev-parse", "HEAD") == begun
    assert done.code == 1
    assert done.out.splitlines() == [
        f"broken  {name}  {CLAIM}",
        f"  check  {CHECK}",
        "  why    nothing defines Engine",
        "  at     src/engine.py: was removed in this change",
        "1 check: 1 broken",
    ]

    clone.git("commit", "-qm", "Remove the engine", "--no-verify")
    for more in ((), ("--since", "HEAD~1")):
        assert clone.program("verify", "--checks", *more).code == 1


@requirement("checks.in-ci")
def test_sarif_says_that_the_file_was_removed(clone: Clone) -> None:
    remember(clone.program, "must match `class` in src/engine.py", claim=CLAIM)
    (clone.folder / "src" / "engine.py").unlink()

    done = clone.program("verify", "--checks", "--changed", "--sarif", "-")

    (result,) = json.loads(done.out)["runs"][0]["results"]
    assert result["message"]["text"].endswith(": src/engine.py: was removed in this change")
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "src/engine.py"


@requirement("checks.of-a-change")
def test_a_branch_did_not_remove_what_the_other_one_got_later(clone: Clone) -> None:
    branch = clone.git("rev-parse", "--abbrev-ref", "HEAD")
    clone.git("checkout", "-qb", "later")
    (clone.folder / "src" / "late.py").write_text("class Late:\n    pass\n")
    clone.git("add", "--all")
    clone.git("commit", "-qm", "Add a file")
    clone.git("checkout", "-q", branch)
    remember(clone.program, "symbol Late must exist in src/late.py", claim="Late is defined.")

    done = clone.program("verify", "--checks", "--since", "later")

    assert done.out == "1 check: 1 not concerned\n"
    assert done.code == 0
