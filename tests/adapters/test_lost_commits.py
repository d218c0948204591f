"""Commits of others that git still has, although no ref and no file names them any more."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest

from holdfast.adapters.git import stored_objects
from holdfast.adapters.git.clone import GitClone
from holdfast.adapters.git.lost_commits import lost_commits
from holdfast.adapters.git.pages.own_texts import OwnTexts
from holdfast.adapters.git.reading.refs import moves
from holdfast.domain.errors import OutsideUnavailableError
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


@requirement("files.git-brings-candidates")
@pytest.mark.parametrize("made_by", ["fetch", "clone", "gc"])
def test_every_edit_waits_if_a_fetch_brought_a_pack_that_is_too_large(
    scene: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, made_by: str
) -> None:
    fetched(scene, tmp_path, "-c", "fetch.unpackLimit=1")
    if made_by == "gc":
        scene.git("gc", "-q", "--prune=now")
    if made_by == "clone":
        scene.git("clone", "-q", "--no-local", str(scene.folder), str(tmp_path / "new"))
        scene = Scene.of(tmp_path / "new")
        # The scene gives commands another time, and git writes it into the reflog.
        at = moves(scene.repository)[0].at or 0
        for pack in (scene.folder / ".git/objects/pack").iterdir():
            os.utime(pack, (at, at))
        monkeypatch.setattr(stored_objects, "_LATELY", time.time())
    monkeypatch.setattr(stored_objects, "_MOST_PACKED", 1)
    clone = GitClone(scene.repository, "pages", is_synced=lambda: True)

    assert clone.brought({"mine"}).lines == ({"mine"} if made_by == "fetch" else set())


@requirement("files.git-brings-candidates")
@pytest.mark.parametrize("is_packed", [False, True])
def test_a_commit_is_found_that_another_repository_lends(
    scene: Scene, tmp_path: Path, *, is_packed: bool
) -> None:
    scene.git("clone", "-q", "--bare", str(scene.folder), str(tmp_path / "hub"))
    other = fetched(scene, tmp_path)
    scene.git("push", "-q", str(tmp_path / "hub"), f"{other}:refs/pull/1/head")
    hub = tmp_path / "hub/objects"
    if is_packed:
        scene.git("--git-dir", str(tmp_path / "hub"), "repack", "-q", "-a", "-d")
    for file in [one for one in hub.rglob("*") if one.is_file()]:
        os.utime(file, (1, 1))
    scene.git("clone", "-q", "--shared", str(tmp_path / "hub"), str(tmp_path / "first"))
    scene.git("clone", "-q", "--shared", str(tmp_path / "first"), str(tmp_path / "second"))

    for name in ("first", "second"):
        assert lost_commits(Scene.of(tmp_path / name).repository) == [other]


@pytest.mark.parametrize("limit", ["_MOST_PACKED", "_MOST_STORES"])
def test_every_edit_waits_if_others_lend_too_much(
    scene: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    scene.git("gc", "-q")
    scene.git("clone", "-q", "--shared", str(scene.folder), str(tmp_path / "first"))
    repository = Scene.of(tmp_path / "first").repository
    assert lost_commits(repository) == []

    monkeypatch.setattr(stored_objects, limit, 0)

    with pytest.raises(OutsideUnavailableError):
        lost_commits(repository)


@requirement("files.a-return-is-ones-own")
@pytest.mark.parametrize("is_fresh", [True, False])
def test_a_dropped_entry_of_the_stash_is_a_persons_own(scene: Scene, *, is_fresh: bool) -> None:
    (scene.folder / "app.py").write_text("mine\n", encoding="utf-8")
    (scene.folder / "new").write_text("mine\n", encoding="utf-8")
    scene.git("stash", "-q", "-u")
    names = [scene.head(one) for one in ("stash", "stash^2", "stash^3")]
    made = made_at(scene, names[0], later=0 if is_fresh else 60)
    scene.git("stash", "pop", "-q")

    lately = [] if is_fresh else [names[0]]

    assert found_since(scene, made) == lately


@requirement("files.a-return-is-ones-own")
def test_what_a_rebase_stashed_is_a_persons_own(scene: Scene) -> None:
    (scene.folder / "app.py").write_text("mine\n", encoding="utf-8")
    scene.git("rebase", "-q", "--autostash", "--force-rebase", "HEAD~1")
    stashed = [name for name in lost_commits(scene.repository) if is_stash(scene, name)]
    assert len(stashed) == 1

    made = made_at(scene, stashed[0])

    assert stashed[0] not in found_since(scene, made)


@requirement("files.git-brings-candidates")
@pytest.mark.parametrize("unpacked", ["1", "100"])
def test_a_commit_of_others_in_the_form_of_a_stash_entry_is_found(
    scene: Scene, tmp_path: Path, unpacked: str
) -> None:
    scene.git("clone", "-q", str(scene.folder), str(tmp_path / "other"))
    other = Scene.of(tmp_path / "other")
    tree = other.git("rev-parse", "HEAD^{tree}")
    index = other.git("commit-tree", tree, "-p", "HEAD", "-m", "index")
    last = other.git("commit-tree", tree, "-p", "HEAD", "-p", index, "-m", "WIP on main")
    other.git("update-ref", "refs/pull/1/head", last)
    limit = ("-c", f"fetch.unpackLimit={unpacked}")
    scene.git(*limit, "fetch", "-q", str(other.folder), "refs/pull/1/head")
    scene.git("fetch", "-q", ".", "main")

    made = made_at(scene, last) if unpacked == "100" else int(time.time())

    assert found_since(scene, made) == [last]


def is_stash(scene: Scene, name: str) -> bool:
    return len(scene.git("log", "-1", "--format=%P", name).split()) == 2


def made_at(scene: Scene, name: str, *, later: int = 0) -> int:
    """Make the files of a commit and its parents as old as it is; return its date."""
    made = int(scene.git("log", "-1", "--format=%ct", name))
    for one in (name, *scene.git("log", "-1", "--format=%P", name).split()):
        os.utime(loose(scene, one), (made + later, made + later))
    return made


def found_since(scene: Scene, moment: int) -> list[str]:
    """Return the lost commits, as if it were that moment."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("holdfast.adapters.git.stored_objects.time.time", lambda: moment)
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
