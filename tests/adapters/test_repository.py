from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from holdfast.adapters.git.repository import Repository, find_repository, repository_id
from holdfast.domain.errors import OutsideUnavailableError
from tests.requirements import requirement


def git(folder: Path, *words: str) -> str:
    """Run git as nobody in particular, without the settings of whoever runs the tests."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    apart = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
    named = ["-c", "user.name=Ada", "-c", "user.email=ada@example.test"]
    options = ["-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always"]
    done = subprocess.run(  # noqa: S603
        ["git", *named, *options, *words],  # noqa: S607
        cwd=folder,
        env=clean | apart,
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout.strip()


def a_repository(folder: Path, *, message: str = "first") -> Path:
    """Make a repository with one commit."""
    folder.mkdir(parents=True)
    git(folder, "init", "-q")
    git(folder, "commit", "-q", "--allow-empty", "-m", message)
    return folder


def found(folder: Path) -> Repository:
    repository = find_repository(folder)
    assert repository is not None
    return repository


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "repositories.json"


def test_a_folder_inside_a_repository_finds_its_root_and_branch(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "app")
    inside = root / "src" / "deep"
    inside.mkdir(parents=True)

    repository = found(inside)

    assert (repository.root, repository.branch) == (root, "main")
    assert repository.git_dir == repository.common_dir == root / ".git"


def test_without_a_repository_there_is_none(tmp_path: Path) -> None:
    assert find_repository(tmp_path) is None


@pytest.mark.parametrize("words", ["gitdir: /nowhere/at/all", "no words of git", ""])
def test_a_marker_that_leads_nowhere_is_passed_over(tmp_path: Path, words: str) -> None:
    root = a_repository(tmp_path / "app")
    broken, bare = root / "broken", root / "bare"
    broken.mkdir()
    (broken / ".git").write_text(words)
    (bare / ".git").mkdir(parents=True)

    assert found(broken).root == found(bare).root == root


def test_a_detached_head_has_no_branch(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "app")
    git(root, "checkout", "-q", "--detach")

    assert found(root).branch is None


def test_a_branch_may_have_slashes(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "app")
    git(root, "checkout", "-q", "-b", "feature/tokens/v2")

    assert found(root).branch == "feature/tokens/v2"


@requirement("scope.reaches-its-place")
def test_a_worktree_is_the_same_repository_on_another_branch(tmp_path: Path, cache: Path) -> None:
    root = a_repository(tmp_path / "app")
    git(root, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))

    main, side = found(root), found(tmp_path / "side")

    assert (main.branch, side.branch) == ("main", "side")
    assert side.common_dir == main.common_dir
    assert repository_id(side, cache=cache) == repository_id(main, cache=cache)


def test_a_submodule_is_a_repository_of_its_own(tmp_path: Path, cache: Path) -> None:
    inner = a_repository(tmp_path / "inner", message="inner")
    outer = a_repository(tmp_path / "outer", message="outer")
    git(outer, "submodule", "--quiet", "add", str(inner), "lib")

    lib = found(outer / "lib")

    assert lib.root == outer / "lib"
    assert repository_id(lib, cache=cache) == repository_id(found(inner), cache=cache)
    assert repository_id(lib, cache=cache) != repository_id(found(outer), cache=cache)


@requirement("scope.reaches-its-place")
def test_a_clone_has_the_same_id_and_keeps_it_as_history_goes_on(
    tmp_path: Path, cache: Path
) -> None:
    root = a_repository(tmp_path / "app")
    first = repository_id(found(root), cache=cache)
    git(root, "commit", "-q", "--allow-empty", "-m", "second")
    git(tmp_path, "clone", "-q", str(root), "copy")
    elsewhere = tmp_path / "other-cache.json"

    assert repository_id(found(tmp_path / "copy"), cache=cache) == first
    assert repository_id(found(root), cache=elsewhere) == first


@requirement("scope.reaches-its-place")
def test_unrelated_repositories_at_the_same_path_get_different_ids(
    tmp_path: Path, cache: Path
) -> None:
    ids = []
    for number in range(6):
        root = a_repository(tmp_path / "app", message=f"first of {number}")
        ids.append(repository_id(found(root), cache=cache))
        shutil.rmtree(root)

    assert len(set(ids)) == 6


@requirement("scope.reaches-its-place")
def test_a_repository_made_anew_in_the_very_same_folder_is_another_one(
    tmp_path: Path, cache: Path
) -> None:
    root = a_repository(tmp_path / "app", message="old")
    old, inode = repository_id(found(root), cache=cache), (root / ".git").stat().st_ino
    for part in (root / ".git").iterdir():
        shutil.rmtree(part) if part.is_dir() else part.unlink()
    git(root, "init", "-q")
    git(root, "commit", "-q", "--allow-empty", "-m", "new")

    assert (root / ".git").stat().st_ino == inode
    assert repository_id(found(root), cache=cache) != old


def test_an_empty_repository_has_an_id_and_keeps_it(tmp_path: Path, cache: Path) -> None:
    root = tmp_path / "app"
    root.mkdir()
    git(root, "init", "-q")
    unborn = repository_id(found(root), cache=cache)

    git(root, "commit", "-q", "--allow-empty", "-m", "first")

    assert unborn.startswith("repo_")
    assert repository_id(found(root), cache=cache) == unborn


def test_a_repository_git_cannot_read_is_not_taken_for_an_empty_one(
    tmp_path: Path, cache: Path
) -> None:
    root = a_repository(tmp_path / "app")
    (root / ".git" / "config").write_text("[core\n")

    with pytest.raises(OutsideUnavailableError, match="git said"):
        repository_id(found(root), cache=cache)

    assert not cache.exists()


def test_git_that_is_not_installed_is_said_to_be_that(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = a_repository(tmp_path / "app")
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(OutsideUnavailableError, match="git"):
        repository_id(found(root), cache=cache)


def test_a_hook_of_another_repository_does_not_lead_astray(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, theirs = a_repository(tmp_path / "ours", message="us"), a_repository(tmp_path / "theirs")
    expected = repository_id(found(ours), cache=tmp_path / "first.json")
    monkeypatch.setenv("GIT_DIR", str(theirs / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(theirs))

    assert repository_id(found(ours), cache=cache) == expected


def test_git_is_asked_once_and_then_remembered(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = a_repository(tmp_path / "app")
    first = repository_id(found(root), cache=cache)
    monkeypatch.setenv("PATH", str(tmp_path))

    assert repository_id(found(root), cache=cache) == first


@pytest.mark.parametrize("words", ["{broken", "[1, 2]", '{"a": 5}', "\udc80"])
def test_a_cache_that_makes_no_sense_is_made_anew(tmp_path: Path, cache: Path, words: str) -> None:
    root = a_repository(tmp_path / "app")
    cache.parent.mkdir()
    cache.write_text(words, encoding="utf-8", errors="surrogateescape")

    name = repository_id(found(root), cache=cache)

    assert name in json.loads(cache.read_text()).values()


def test_a_cache_that_cannot_be_written_is_done_without(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "app")
    (tmp_path / "file").write_text("not a folder")
    (tmp_path / "folder.json").mkdir()

    for cache in (tmp_path / "file" / "cache.json", tmp_path / "folder.json"):
        assert repository_id(found(root), cache=cache).startswith("repo_")
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("folder.json.")] == []
