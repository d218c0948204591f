"""Checks of a change that removes, renames, links or adds the files that they read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from holdfast.adapters.git.checks.tree import LINK
from holdfast.domain.checks.change import Change, ChangeRange
from tests.requirements import requirement
from tests.usecases.test_checks import git, ports_of, said, tree

__all__ = ["tree"]

STAGED = Change(kind=ChangeRange.STAGED)
CHANGED = Change(kind=ChangeRange.CHANGED)
SINCE = Change(kind=ChangeRange.SINCE, since="HEAD~1")
RANGES = (STAGED, CHANGED, SINCE)
REMOVED = "was removed in this change"
NOT_THERE = "there is no such file"
NAMED = (
    ("must match `class Shop` in src/b.py", f"broken at src/b.py: {REMOVED}", NOT_THERE),
    ("must match `pay` in src/*.py, src/b.py", f"broken at src/b.py: {REMOVED}", NOT_THERE),
    (
        "symbol Shop must exist in src/b.py",
        "broken at src/b.py: nothing defines Shop",
        "nothing defines Shop",
    ),
    ("file src/b.py must exist", "broken at src/b.py: there is no such file", NOT_THERE),
)
FORBIDDING = (
    "must not match `lost` in src/b.py",
    "symbol lost must not exist in src/b.py",
    "src/b.py must not import lost",
    "file src/b.py must not exist",
    "dependency lost must not appear in src/b.py",
)


def removal(root: Path) -> None:
    git(root, "rm", "-q", "src/b.py")


def rename(root: Path) -> None:
    (root / "lib").mkdir()
    git(root, "mv", "src/b.py", "lib/b.py")


def in_each_range(root: Path, change: Callable[[Path], None], text: str) -> dict[str, str]:
    """Return what a check says while a change is staged, on disk, and after its commit."""
    change(root)
    found = {one.kind.value: said(root, text, one) for one in (STAGED, CHANGED)}
    git(root, "commit", "-q", "--all", "-m", "Change")
    found[SINCE.kind.value] = said(root, text, SINCE)
    return found


@requirement("checks.removals")
@pytest.mark.parametrize("change", [removal, rename])
@pytest.mark.parametrize(("text", "words", "later"), NAMED)
def test_a_file_that_a_check_needs_may_not_leave(
    tree: Path, change: Callable[[Path], None], text: str, words: str, later: str
) -> None:
    found = in_each_range(tree, change, text)

    assert found == {one.kind.value: words for one in RANGES}
    assert said(tree, text) == f"broken at src/b.py: {later}"
    (now,) = ports_of(tree).brief([text]).values()
    assert now.words == f"broken at src/b.py: {later}"


@requirement("checks.removals")
@pytest.mark.parametrize("change", [removal, rename])
@pytest.mark.parametrize("text", FORBIDDING)
def test_a_check_that_forbids_something_is_not_broken_by_a_removal(
    tree: Path, change: Callable[[Path], None], text: str
) -> None:
    for words in in_each_range(tree, change, text).values():
        assert words in {"not concerned", "holds"}


@requirement("checks.removals")
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("must match `pay` in src/*.py", f"broken at src/a.py, src/b.py: {REMOVED}"),
        ("symbol Shop must exist in src/*.py", "broken at src/a.py, src/b.py: nothing defines"),
        ("symbol Shop must exist in src/**", "broken: nothing defines Shop"),
        ("file src/*.py must exist", f"broken at src/a.py, src/b.py: {NOT_THERE}"),
        ("must match `print` in src/*", "not concerned"),
    ],
)
def test_the_last_files_of_a_glob_may_not_leave(tree: Path, text: str, words: str) -> None:
    def change(root: Path) -> None:
        git(root, "rm", "-q", "src/a.py", "src/b.py")

    for found in in_each_range(tree, change, text).values():
        assert found.startswith(words)


@requirement("checks.removals")
def test_one_of_many_files_of_a_glob_may_leave(tree: Path) -> None:
    removal(tree)

    assert said(tree, "must match `pay` in src/*.py", STAGED) == "not concerned"
    assert said(tree, "must match `pay` in src/*.py") == "holds"
    assert said(tree, "file src/*.py must exist", STAGED) == "holds"
    assert said(tree, "symbol pay must exist in src/a.py, src/b.py", STAGED) == "holds"
    assert said(tree, "must match `x` in src/a.py, !src/**", STAGED) == "not concerned"


@requirement("checks.removals")
def test_a_manifest_may_not_leave_with_a_package(tree: Path) -> None:
    git(tree, "mv", "pyproject.toml", "setup.toml")

    for text in ("dependency requests must appear", "dependency x must appear in pyproject.toml"):
        assert said(tree, text, STAGED).startswith("broken at pyproject.toml: there is no")
    for text in ("dependency x must not appear", "dependency x must not appear in pyproject.toml"):
        assert said(tree, text, STAGED) == "holds"
    assert said(tree, "dependency x must appear in pyproject.toml").startswith("broken")
    assert said(tree, "dependency x must not appear in pyproject.toml").startswith("unknown")
    assert said(tree, "dependency requests must appear").startswith("unknown")

    (tree / "setup.py").write_text("setup()\n")
    git(tree, "add", "setup.py")

    words = said(tree, "dependency requests must appear", STAGED)
    assert words.endswith("and setup.py is not read")


@requirement("checks.removals")
def test_a_file_that_git_no_longer_holds_left_the_change(tree: Path) -> None:
    text = "must match `class Shop` in src/b.py"
    git(tree, "rm", "-q", "--cached", "src/b.py")

    assert said(tree, text, STAGED) == f"broken at src/b.py: {REMOVED}"
    assert said(tree, text) == "holds"

    (tree / ".gitignore").write_text("src/b.py\n")

    assert said(tree, text, CHANGED) == f"broken at src/b.py: {REMOVED}"
    assert said(tree, text) == "unknown: no file is in src/b.py"


@requirement("checks.never-a-false-holds")
def test_a_file_that_became_a_link_is_unknown(tree: Path) -> None:
    (tree / "src" / "b.py").unlink()
    (tree / "src" / "b.py").symlink_to("a.py")
    git(tree, "add", "--all")
    texts = ("must match `pay` in src/b.py", "must not match `lost` in src/*.py")

    for text in texts:
        for change in (STAGED, CHANGED):
            assert said(tree, text, change) == f"unknown: src/b.py: {LINK}"
    assert said(tree, "file src/b.py must exist", STAGED) == "holds"
    assert said(tree, "file src/b.py must not exist", STAGED) == "broken at src/b.py: exists"


@requirement("checks.of-a-change")
def test_a_link_that_became_a_file_is_part_of_the_change(tree: Path) -> None:
    (tree / "src" / "c.py").symlink_to("a.py")
    git(tree, "add", "--all")
    git(tree, "commit", "-q", "-m", "Link")
    (tree / "src" / "c.py").unlink()
    (tree / "src" / "c.py").write_text("print\n")

    assert said(tree, "must not match `print` in src/c.py", CHANGED) == "broken at src/c.py:1"


@requirement("checks.of-a-change")
def test_copies_and_modes_are_part_of_the_change(tree: Path) -> None:
    (tree / "src" / "c.py").write_bytes((tree / "src" / "a.py").read_bytes())
    (tree / "src" / "b.py").chmod(0o755)
    git(tree, "add", "--all")

    assert said(tree, "must not match `print` in src/*.py", STAGED) == "broken at src/c.py:5"
    assert said(tree, "must match `SPDX` in src/b.py", STAGED) == "holds"


@requirement("checks.removals")
def test_a_file_in_a_folder_that_is_not_looked_at_is_unknown(tree: Path) -> None:
    git(tree, "init", "--quiet", "vendor")
    (tree / "vendor" / "a.py").write_text("x = 1\n")
    git(tree / "vendor", "add", "a.py")
    git(tree / "vendor", "commit", "--quiet", "--message", "Begin")

    assert said(tree, "must match `x` in vendor/a.py").startswith("unknown: vendor: ")


@requirement("checks.removals")
def test_a_file_that_is_about_to_be_written_was_not_removed(tree: Path) -> None:
    wanted = {
        "must match `x` in src/new.py": f"broken at src/new.py: {NOT_THERE}",
        "must match `x` in lib/*.py": "not concerned",
        "must match `Shop` in src/b.py": "not concerned",
    }

    found = ports_of(tree).brief(wanted, only={"src/new.py", "lib/new.py"})

    assert {text: found[text].words for text in wanted} == wanted
