"""Where we stand in a repository, read from its files."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.adapters.git.lineage.standing import branch_point, main_branch
from holdfast.adapters.git.reading.refs import AskedRefs, FiledRefs, last_seen, left_behind, moves
from holdfast.domain.memory.anchor import BranchPoint
from tests.adapters.histories import Scene


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    made = Scene(tmp_path / "app")
    made.commit("First", app_py="one\n")
    return made


def test_the_main_branch_is_not_aside(scene: Scene) -> None:
    assert branch_point(scene.repository) == BranchPoint(branch="main", head=scene.head())


def test_another_branch_is_aside_and_shared_until_it_has_a_commit(scene: Scene) -> None:
    scene.git("checkout", "-q", "-b", "feature/tokens")
    before = branch_point(scene.repository)
    scene.commit("Own", app_py="two\n")
    after = branch_point(scene.repository)

    assert before == scene_point(scene, scene.head("main"), is_shared=True)
    assert after == scene_point(scene, scene.head(), is_shared=False)


def scene_point(scene: Scene, head: str, *, is_shared: bool) -> BranchPoint:
    branch = scene.git("rev-parse", "--abbrev-ref", "HEAD")
    return BranchPoint(branch=branch, head=head, is_aside=True, is_shared=is_shared)


def test_a_branch_behind_the_main_one_is_shared(scene: Scene) -> None:
    scene.git("branch", "feature")
    scene.commit("Main goes on", app_py="two\n")
    scene.git("checkout", "-q", "feature")

    assert branch_point(scene.repository) == scene_point(scene, scene.head(), is_shared=True)


def test_a_branch_made_from_the_remotes_main_one_is_shared(scene: Scene, tmp_path: Path) -> None:
    scene.git("clone", "-q", str(scene.folder), str(tmp_path / "clone"))
    scene.commit("Main goes on", app_py="two\n")
    clone = Scene.of(tmp_path / "clone")
    clone.git("fetch", "-q")
    clone.git("checkout", "-q", "-b", "feature", "origin/main")

    assert clone.head() != clone.head("main")
    assert branch_point(clone.repository) == scene_point(clone, scene.head(), is_shared=True)


def test_a_detached_head_has_no_branch_and_is_not_aside(scene: Scene) -> None:
    scene.git("checkout", "-q", "--detach")

    assert branch_point(scene.repository) == BranchPoint(branch=None, head=scene.head())


def test_packed_refs_are_read(scene: Scene) -> None:
    scene.git("checkout", "-q", "-b", "feature")
    scene.git("branch", "feature-2")
    scene.git("pack-refs", "--all")

    assert not (scene.folder / ".git" / "refs" / "heads" / "main").exists()
    assert branch_point(scene.repository) == scene_point(scene, scene.head(), is_shared=True)
    assert set(FiledRefs(scene.repository).branches()) == {"main", "feature", "feature-2"}


def test_a_loose_ref_counts_more_than_a_packed_one(scene: Scene) -> None:
    scene.git("pack-refs", "--all")
    now = scene.commit("Second", app_py="two\n")

    assert branch_point(scene.repository) == BranchPoint(branch="main", head=now)


def test_a_worktree_has_its_own_head_and_shares_the_branches(scene: Scene, tmp_path: Path) -> None:
    scene.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    side = Scene.of(tmp_path / "side")
    own = side.commit("Own", app_py="two\n")

    assert branch_point(side.repository) == scene_point(side, own, is_shared=False)
    assert branch_point(scene.repository) == BranchPoint(branch="main", head=scene.head())
    assert main_branch(side.repository) == "main"


def test_an_empty_repository_and_an_unborn_branch_are_no_standpoint(
    scene: Scene, tmp_path: Path
) -> None:
    scene.git("checkout", "-q", "--orphan", "fresh")

    assert branch_point(scene.repository) is None
    assert branch_point(Scene(tmp_path / "empty").repository) is None
    assert main_branch(Scene(tmp_path / "empty").repository) is None


@pytest.mark.parametrize(
    ("branches", "main"),
    [
        (["main", "master"], "main"),
        (["master", "work"], "master"),
        (["work", "trunk"], "trunk"),
        (["work"], "work"),
        (["work", "play"], None),
    ],
)
def test_the_main_branch_has_a_usual_name_or_is_the_only_one(
    scene: Scene, branches: list[str], main: str | None
) -> None:
    scene.git("checkout", "-q", "--detach")
    scene.git("branch", "-q", "-m", "main", "other")
    for name in branches:
        scene.git("branch", name)
    scene.git("branch", "-q", "-D", "other")
    scene.git("checkout", "-q", branches[0])

    assert main_branch(scene.repository) == main
    found = branch_point(scene.repository)
    assert found is not None
    assert found.is_aside is (main is not None and main != branches[0])


def test_the_remote_says_which_branch_is_the_main_one(scene: Scene, tmp_path: Path) -> None:
    scene.git("branch", "-m", "main", "live")
    scene.git("branch", "main")
    scene.git("clone", "-q", str(scene.folder), str(tmp_path / "clone"))
    clone = Scene.of(tmp_path / "clone")
    clone.git("checkout", "-q", "main")

    assert main_branch(clone.repository) == "live"
    assert branch_point(clone.repository) == scene_point(clone, scene.head(), is_shared=True)

    clone.git("branch", "-q", "-D", "live")

    assert main_branch(clone.repository) == "origin/live"


def test_refs_that_only_git_can_read_are_asked_for(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene.git("checkout", "-q", "-b", "feature")
    own = scene.commit("Own", app_py="two\n")
    (scene.folder / ".git" / "reftable").mkdir()

    assert branch_point(scene.repository) == scene_point(scene, own, is_shared=False)
    assert set(AskedRefs(scene.repository).branches()) == {"main", "feature"}

    scene.git("checkout", "-q", "--detach")

    assert branch_point(scene.repository) == BranchPoint(branch=None, head=own)

    monkeypatch.setenv("PATH", str(scene.folder))

    assert branch_point(scene.repository) is None
    assert main_branch(scene.repository) is None


def test_without_git_the_files_still_tell_the_commit(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene.git("checkout", "-q", "-b", "feature")
    own = scene.commit("Own", app_py="two\n")
    monkeypatch.setenv("PATH", str(scene.folder))

    found = branch_point(scene.repository)

    # Whether the commit is its own only git can tell; until then it does not count as one.
    assert found == BranchPoint(branch="feature", head=own, is_aside=True, is_shared=True)


@pytest.mark.parametrize("words", [b"", b"ref: refs/heads/a\0b\n", b"ref: HEAD\n", b"rubbish\n"])
def test_a_head_that_makes_no_sense_is_no_standpoint(scene: Scene, words: bytes) -> None:
    (scene.folder / ".git" / "HEAD").write_bytes(words)

    assert branch_point(scene.repository) is None


def test_the_reflog_tells_where_a_deleted_branch_stood(scene: Scene) -> None:
    scene.git("checkout", "-q", "-b", "feature")
    own = scene.commit("Own", app_py="two\n")
    scene.git("checkout", "-q", "main")
    scene.git("branch", "-q", "-D", "feature")
    log = scene.folder / ".git" / "logs" / "HEAD"
    log.write_bytes(log.read_bytes() + b"half a li")

    assert last_seen(scene.repository, "feature") == own
    assert last_seen(scene.repository, "never") is None
    assert own in left_behind(scene.repository)
    assert moves(scene.repository, "feature") == []
    assert moves(scene.repository, "main/\0") == []
