"""Where a folder is, told without loading anything: it agrees with what the engine says."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.adapters.git.reading.identity import folder_identity
from holdfast.adapters.git.reading.light import common_dir_of, find_checkout, identity_of
from holdfast.adapters.git.reading.repository import find_repository
from tests.adapters.histories import Scene
from tests.requirements import requirement


def agree(folder: Path) -> tuple[str, str]:
    """Return what is found, after the engine found the same."""
    checkout, engine = find_checkout(str(folder)), find_repository(folder.resolve())
    assert checkout is not None
    assert engine is not None
    git_dir, branch = checkout
    assert (Path(git_dir), branch) == (engine.git_dir, engine.branch or "")
    assert Path(common_dir_of(git_dir)) == engine.common_dir
    assert identity_of(common_dir_of(git_dir)) == folder_identity(engine.common_dir)
    return checkout


@requirement("counts.of-this-checkout")
def test_a_checkout_is_found_from_any_folder_in_it(tmp_path: Path) -> None:
    scene = Scene(tmp_path / "app")
    scene.git("commit", "-q", "--allow-empty", "-m", "First")
    deep = scene.folder / "src" / "deep"
    deep.mkdir(parents=True)

    assert agree(deep) == (str(scene.folder / ".git"), "main")
    scene.git("switch", "-q", "-c", "topic/one")
    assert agree(deep)[1] == "topic/one"
    scene.git("switch", "-q", "--detach")
    assert agree(deep)[1] == ""


@requirement("counts.of-this-checkout")
def test_a_worktree_has_a_branch_of_its_own_in_the_same_repository(tmp_path: Path) -> None:
    scene = Scene(tmp_path / "app")
    scene.git("commit", "-q", "--allow-empty", "-m", "First")
    scene.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))

    here, there = agree(scene.folder), agree(tmp_path / "side")

    assert (here[1], there[1]) == ("main", "side")
    assert common_dir_of(there[0]) == here[0]


def test_outside_a_repository_there_is_no_checkout(tmp_path: Path) -> None:
    (tmp_path / ".git").write_text("gitdir: /nowhere/at/all", encoding="utf-8")

    assert find_checkout(str(tmp_path)) is None
    assert identity_of(str(tmp_path)) is None


def test_a_head_that_cannot_be_read_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".git" / "HEAD").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)

    assert find_checkout("") is None
