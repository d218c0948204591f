"""The files that checks look at: a few of them by name are the same as those among all."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from holdfast.adapters.git.checks.checkout_tree import GitTree
from holdfast.adapters.git.checks.tree import StagedTree
from holdfast.adapters.git.reading.repository import Repository, find_repository
from holdfast.domain.checks.change import Change
from tests.requirements import requirement

WHOLE = Change()
ODD = os.fsdecode(b"odd-\xff name*?.py")
ASKED = (
    *("a.py", "gone.py", "new.py", "ignored.py", "nested", "linked", "folder", "folder/b.py"),
    *("turned", ODD, "never.py", "../outside.py", "/etc/passwd", "", ".git/config", "nul\0.py"),
)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    root = tmp_path / "app"
    (root / "folder").mkdir(parents=True)
    (tmp_path / "outside.py").write_text("out\n")
    git(root, "init", "--quiet")
    for name in ("a.py", "gone.py", "folder/b.py", "turned", ODD):
        (root / name).write_text("x = 1\n")
    (root / "linked").symlink_to("folder")
    (root / ".gitignore").write_text("ignored.py\n")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "Begin")
    (root / "gone.py").unlink()
    (root / "turned").unlink()
    (root / "turned").symlink_to("folder")
    (root / "new.py").write_text("x = 2\n")
    (root / "ignored.py").write_text("x = 3\n")
    git(root, "init", "--quiet", "nested")
    (root / "nested" / "c.py").write_text("x = 4\n")
    found = find_repository(root)
    assert found is not None
    return found


def git(root: Path, *words: str) -> None:
    author = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    command = ["git", *author, "-C", str(root), *words]
    subprocess.run(command, check=True)  # noqa: S603 - git, in a test


@requirement("checks.never-a-false-holds")
def test_files_by_name_are_those_among_all(repository: Repository) -> None:
    for tree in (GitTree(repository, WHOLE), StagedTree(repository)):
        some = sorted(tree.files(ASKED))
        hidden = tree.unseen(ASKED)

        assert some == sorted(set(tree.files()).intersection(ASKED))
        assert hidden == {path: what for path, what in tree.unseen().items() if path in ASKED}
    assert sorted(GitTree(repository, WHOLE).unseen(ASKED)) == ["linked", "nested", "turned"]


@requirement("checks.never-a-false-holds")
def test_many_files_are_looked_for_among_all(repository: Repository) -> None:
    many = [*ASKED, *(f"none{number}.py" for number in range(300))]
    few, listed = GitTree(repository, WHOLE), GitTree(repository, WHOLE)
    whole = listed.files()

    assert sorted(few.files(many)) == sorted(set(whole).intersection(many))
    assert sorted(listed.files(ASKED)) == sorted(set(whole).intersection(ASKED))
    assert GitTree(repository, WHOLE).files(["../outside.py"]) == []


def test_a_folder_that_cannot_be_listed_is_looked_at_by_name(repository: Repository) -> None:
    tree = GitTree(repository, WHOLE)
    tree.files()
    folder = repository.root / "folder"
    (folder / "b.py").unlink()
    folder.rmdir()

    assert sorted(tree.unseen()) == ["nested"]
