"""Commits of others that git still has, although no ref and no file names them any more."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from holdfast.adapters.git import lost_commits as module
from holdfast.adapters.git.lost_commits import lost_commits
from holdfast.adapters.git.pages.own_texts import OwnTexts
from tests.adapters.histories import Scene, two_commits
from tests.requirements import requirement


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return two_commits(tmp_path / "app")


def fetched(scene: Scene, tmp_path: Path, *options: str) -> str:
    """Fetch two commits of a stranger by a ref, and then something else; return the last."""
    scene.git("clone", "-q", str(scene.folder), str(tmp_path / "other"))
    other = Scene.of(tmp_path / "other")
    other.commit("Theirs", page="evil\n")
    last = other.commit("Theirs, too", more="more\n")
    scene.git(*options, "fetch", "-q", str(other.folder), "main")
    scene.git("fetch", "-q", ".", "main")
    return last


def loose(scene: Scene, name: str) -> Path:
    """The file of an object."""
    return scene.repository.common_dir / "objects" / name[:2] / name[2:]


@requirement("files.git-brings-candidates")
@pytest.mark.parametrize("unpacked", ["1", "100"])
def test_the_last_commit_of_what_was_fetched_is_found_loose_and_packed(
    scene: Scene, tmp_path: Path, unpacked: str
) -> None:
    assert lost_commits(scene.repository) == []

    last = fetched(scene, tmp_path, "-c", f"fetch.unpackLimit={unpacked}")

    assert loose(scene, last).exists() is (unpacked == "100")
    assert lost_commits(scene.repository) == [last]
    scene.git("branch", "theirs", last)
    assert lost_commits(scene.repository) == []


@requirement("files.git-brings-candidates")
@pytest.mark.parametrize("unpacked", ["1", "100"])
def test_a_commit_is_found_from_a_branch_without_commits(
    scene: Scene, tmp_path: Path, unpacked: str
) -> None:
    last = fetched(scene, tmp_path, "-c", f"fetch.unpackLimit={unpacked}")

    scene.git("checkout", "-q", "--orphan", "new")

    assert lost_commits(scene.repository) == [last]


def test_what_git_deleted_or_what_is_old_is_not_found(scene: Scene, tmp_path: Path) -> None:
    last = fetched(scene, tmp_path)
    for name in (last, scene.head(f"{last}~1")):
        os.utime(loose(scene, name), (1, 1))
    assert lost_commits(scene.repository) == []

    os.utime(loose(scene, last))
    assert lost_commits(scene.repository) == [last]
    scene.git("gc", "-q", "--prune=now")

    assert lost_commits(scene.repository) == []


def test_a_commit_is_found_whose_parent_git_lacks(scene: Scene, tmp_path: Path) -> None:
    last = fetched(scene, tmp_path)
    loose(scene, scene.head(f"{last}~1")).unlink()

    assert last in lost_commits(scene.repository)


@requirement("files.git-brings-candidates")
def test_a_commit_is_found_among_many_objects_of_its_pack(scene: Scene, tmp_path: Path) -> None:
    files = "".join(f"blob\ndata 5\n{number:05}\n" for number in range(20_001))
    commit = "commit refs/heads/theirs\ncommitter E <e@example.test> 1 +0000\ndata 1\nx\n"
    (tmp_path / "stream").write_text(f"{files}{commit}", encoding="utf-8")
    with (tmp_path / "stream").open("rb") as stream:
        quick = ("-c", "core.fsync=none", "-c", "core.compression=0")
        words = ["git", *quick, "fast-import", "--quiet"]
        subprocess.run(words, cwd=scene.folder, stdin=stream, check=True)  # noqa: S603 - git
    last = scene.head("theirs")
    scene.git("branch", "-q", "-D", "theirs")

    assert lost_commits(scene.repository) == [last]


def test_a_pack_that_is_too_large_is_not_read(
    scene: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetched(scene, tmp_path, "-c", "fetch.unpackLimit=1")
    monkeypatch.setattr(module, "_MOST_PACKED", 1)

    assert lost_commits(scene.repository) == []


@requirement("files.a-return-is-ones-own")
@pytest.mark.parametrize("is_fresh", [True, False])
def test_a_dropped_entry_of_the_stash_is_a_persons_own(scene: Scene, *, is_fresh: bool) -> None:
    (scene.folder / "app.py").write_text("mine\n", encoding="utf-8")
    (scene.folder / "new").write_text("mine\n", encoding="utf-8")
    scene.git("stash", "-q", "-u")
    names = [scene.head(one) for one in ("stash", "stash^2", "stash^3")]
    made = int(scene.git("log", "-1", "--format=%ct", names[0]))
    later = 0 if is_fresh else 60
    for name in names:
        os.utime(loose(scene, name), (made + later, made + later))
    scene.git("stash", "pop", "-q")

    lately = [] if is_fresh else [names[0]]

    assert found_since(scene, made) == lately


def found_since(scene: Scene, moment: int) -> list[str]:
    """Return the lost commits, as if it were that moment."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("holdfast.adapters.git.lost_commits.time.time", lambda: moment)
        return lost_commits(scene.repository)


@requirement("files.private-stays-out-of-git")
def test_a_file_of_a_ref_that_was_fetched_is_not_a_persons_own(
    scene: Scene, tmp_path: Path
) -> None:
    last = fetched(scene, tmp_path)
    scene.git("checkout", "-q", last, "--", "page")

    assert not OwnTexts(scene.repository).is_own("page")


@requirement("files.own-commits-are-ones-own")
def test_a_file_of_an_own_commit_that_was_rebased_is_a_persons_own(scene: Scene) -> None:
    side = scene.git("commit-tree", "-p", "HEAD", "-m", "Side", "HEAD^{tree}").strip()
    scene.commit("Mine", page="mine\n")
    scene.git("rebase", "-q", side)

    assert OwnTexts(scene.repository).is_own("page")


def test_a_repository_without_commits_has_none(tmp_path: Path) -> None:
    assert lost_commits(Scene(tmp_path / "empty").repository) == []
