from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from holdfast.adapters.git.reading.recognition import repository_id
from holdfast.adapters.git.reading.repository import (
    Repository,
    ask_git,
    ask_git_bytes,
    find_repository,
)
from holdfast.domain.errors import OutsideUnavailableError
from tests.requirements import requirement
from tests.rights import drop_root_rights


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


@pytest.mark.parametrize(
    "words", ["gitdir: /nowhere/at/all", "no words of git", "", "gitdir: a\0b", "a" * 5000]
)
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


def test_a_repository_that_may_not_be_read_is_said_to_be_that(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "app")
    ask = (
        "import sys; from pathlib import Path\n"
        "from holdfast.adapters.git.reading.repository import find_repository\n"
        "from holdfast.domain.errors import OutsideUnavailableError\n"
        "try:\n    find_repository(Path(sys.argv[1]))\n"
        "except OutsideUnavailableError as error:\n    print(error)\n"
    )
    (root / ".git").chmod(0)
    done = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", ask, str(root)],
        preexec_fn=drop_root_rights,
        capture_output=True,
        text=True,
        check=True,
    )
    (root / ".git").chmod(0o755)

    assert "cannot be read: Permission denied. Check its permissions." in done.stdout


def test_a_repository_with_its_refs_in_tables_does_not_say_a_branch(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "app")
    (root / ".git" / "HEAD").write_text("ref: refs/heads/.invalid\n", encoding="utf-8")

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

    with pytest.raises(OutsideUnavailableError, match="git reported an error"):
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


@requirement("repo.one-id-for-every-clone")
@pytest.mark.parametrize(
    "words",
    [
        "{broken",
        "[1, 2]",
        '{"repositories": 5, "folders": []}',
        '{"repositories": {"repo_a": 1, "repo_b": {"roots": 7}}, "folders": {"a": {}, "b": 2}}',
        "[" * 100_000,
        "\udc80",
    ],
)
def test_a_book_that_makes_no_sense_is_begun_anew_with_the_same_ids(
    tmp_path: Path, cache: Path, words: str
) -> None:
    root = a_repository(tmp_path / "app")
    before = repository_id(found(root), cache=tmp_path / "other.json")
    cache.parent.mkdir()
    cache.write_text(words, encoding="utf-8", errors="surrogateescape")

    assert repository_id(found(root), cache=cache) == before
    assert before in json.loads(cache.read_text())["repositories"]


def test_a_book_that_cannot_be_written_is_done_without(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "app")
    (tmp_path / "file").write_text("not a folder")
    (tmp_path / "folder.json").mkdir()

    for cache in (tmp_path / "file" / "cache.json", tmp_path / "folder.json"):
        assert repository_id(found(root), cache=cache).startswith("repo_")
    left = {path.name for path in tmp_path.iterdir() if path.name.startswith("folder.json.")}
    assert left <= {"folder.json.lock"}


def fake_git(folder: Path, script: str) -> None:
    """Put a program called git into a folder."""
    folder.mkdir()
    (folder / "git").write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    (folder / "git").chmod(0o755)


def test_git_is_asked_with_bytes_and_answers_with_bytes(tmp_path: Path) -> None:
    repository = found(a_repository(tmp_path / "app"))

    status, words, _ = ask_git(repository, "hash-object", "--stdin", given=b"one\r\ntwo\0\xff")
    raw = b"a\r\nb\0\xff"
    name = ask_git(repository, "hash-object", "-w", "--stdin", given=raw)[1].strip()

    assert (status, len(words.strip())) == (0, 40)
    assert ask_git_bytes(repository, "cat-file", "blob", name)[1] == raw
    assert ask_git(repository, "cat-file", "blob", name)[1] == "a\r\nb\0\ufffd"
    assert ask_git(repository, "cat-file", "-e", "0" * 40)[0] == 1


def test_git_that_does_not_end_is_left_and_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = found(a_repository(tmp_path / "app"))
    fake_git(tmp_path / "bin", "exec sleep 60")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")

    with pytest.raises(
        OutsideUnavailableError, match="took longer than 0.1 seconds and was stopped"
    ):
        ask_git(repository, "status", timeout=0.1)


@pytest.mark.parametrize(
    ("version", "is_old"), [("1.8.3.1", True), ("2.17.1", True), ("2.22.0", False), ("?", False)]
)
def test_git_that_is_too_old_is_said_to_be_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str, *, is_old: bool
) -> None:
    repository = found(a_repository(tmp_path / "app"))
    say = f'[ "$1" = version ] && echo "git version {version}" && exit 0'
    fake_git(tmp_path / "bin", f"{say}\necho 'Unknown option: --no-optional-locks' >&2\nexit 129")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")

    if is_old:
        with pytest.raises(OutsideUnavailableError, match=f"version {version}.*needs 2.22"):
            ask_git(repository, "status")
    else:
        assert ask_git(repository, "status")[0] == 129


def test_git_that_cannot_be_started_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = found(a_repository(tmp_path / "app"))
    with pytest.raises(OutsideUnavailableError, match="null byte"):
        ask_git(repository, "log", "a\0b")

    fake_git(tmp_path / "bin", "true")
    (tmp_path / "bin" / "git").chmod(0o644)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    with pytest.raises(OutsideUnavailableError, match=r"(?i)permission denied"):
        ask_git(repository, "status")


def test_an_object_that_a_partial_clone_left_behind_is_missing_and_not_fetched(
    tmp_path: Path,
) -> None:
    root = a_repository(tmp_path / "app")
    (root / "a.txt").write_text("here", encoding="utf-8")
    git(root, "add", "a.txt")
    git(root, "commit", "-q", "-m", "a file")
    git(root, "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "-q", "--filter=blob:none", "--no-checkout", f"file://{root}", "part")

    status, words, trouble = ask_git(found(tmp_path / "part"), "cat-file", "blob", "HEAD:a.txt")

    assert (status != 0, words) == (True, "")
    assert "fetch" in trouble
