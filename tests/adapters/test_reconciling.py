"""What happened to a branch since a turn of a session, in real repositories."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from holdfast.adapters.inmemory.store import InMemoryStore
from holdfast.bootstrap.plugs.folder_ports import look_around
from holdfast.domain.memory.anchor import BranchPoint
from holdfast.domain.sessions.reconciling import REPLACED, Happened, Reconciliation
from holdfast.domain.values import replace
from holdfast.usecases.sessions.reconciling import WorkingCheckout, lost_commits, what_happened
from tests.adapters.histories import FIRST, Scene, two_commits
from tests.requirements import requirement


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    """A branch with two commits of its own, checked out."""
    made = two_commits(tmp_path / "app")
    made.git("checkout", "-q", "-b", "feature")
    made.commit("One", app_py=FIRST.replace("line 3\n", "line three\n"))
    made.commit("Two", new_py="new\n")
    return made


def asked(scene: Scene, was: BranchPoint | None, home: Path) -> Reconciliation:
    around = look_around(home=home, folder=scene.folder)
    checkout = WorkingCheckout(surroundings=around.surroundings, verifier=around.verifier)
    with InMemoryStore().reading() as tx:
        return what_happened(was, checkout=checkout, tx=tx)


def _commit(scene: Scene) -> None:
    scene.commit("Three", three_py="3\n")


def _amend(scene: Scene) -> None:
    scene.commit("Four", four_py="4\n")
    scene.git("checkout", "-q", "-B", "feature", "HEAD~1")
    (scene.folder / "new.py").write_text("quite another text\n")
    scene.git("commit", "-q", "-a", "--amend", "-m", "Two, and better")


def _join_by_hand(scene: Scene) -> None:
    scene.git("reset", "-q", "--soft", "HEAD~1")
    (scene.folder / "new.py").write_text("new\nand more\n")
    scene.git("commit", "-q", "-a", "--amend", "-m", "One, two and more")


def _rebase(scene: Scene) -> None:
    scene.git("checkout", "-q", "main")
    scene.commit("Meanwhile", meanwhile_py="m\n")
    scene.git("checkout", "-q", "feature")
    scene.git("rebase", "-q", "main")


def _force(scene: Scene) -> None:
    scene.git("reset", "-q", "--hard", "main")
    scene.commit("Something else", else_py="else\n")


def _drop(scene: Scene) -> None:
    scene.git("rebase", "-q", "--onto", "HEAD~1", "HEAD")


def _drop_and_edit(scene: Scene) -> None:
    """Leave the last commit out of a rebase, and lose the log that says so."""
    _drop(scene)
    scene.commit("Instead", instead_py="i\n")
    (scene.folder / ".git/logs/HEAD").unlink()
    (scene.folder / ".git/logs/refs/heads/feature").unlink()


def _pushed_over(scene: Scene) -> None:
    """Take over what somebody else pushed over this branch."""
    far = scene.folder.parent / "far.git"
    scene.git("clone", "-q", "--bare", str(scene.folder), str(far))
    scene.git("remote", "add", "origin", str(far))
    scene.git("fetch", "-q")
    scene.git("--git-dir", str(far), "update-ref", "refs/heads/feature", "refs/heads/main")
    scene.git("fetch", "-q")
    scene.git("reset", "-q", "--hard", "origin/feature")


def _fetched_over(scene: Scene) -> None:
    """Do the same without a remote-tracking branch."""
    far = scene.folder.parent / "far.git"
    scene.git("clone", "-q", "--bare", str(scene.folder), str(far))
    scene.git("--git-dir", str(far), "update-ref", "refs/heads/feature", "refs/heads/main")
    scene.git("checkout", "-q", "--detach")
    scene.git("fetch", "-q", str(far), "+feature:feature")
    scene.git("checkout", "-q", "feature")


def _merge(scene: Scene) -> None:
    scene.git("checkout", "-q", "main")
    scene.git("merge", "-q", "--no-ff", "-m", "Merge", "feature")


def _fast_forward(scene: Scene) -> None:
    scene.git("checkout", "-q", "main")
    scene.git("merge", "-q", "--ff-only", "feature")


def _squash(scene: Scene) -> None:
    scene.git("checkout", "-q", "main")
    scene.git("merge", "-q", "--squash", "feature")
    scene.git("commit", "-q", "-m", "All of it")
    scene.git("branch", "-q", "-D", "feature")


def _switch(scene: Scene) -> None:
    scene.git("checkout", "-q", "main")


def _fork(scene: Scene) -> None:
    scene.git("checkout", "-q", "-b", "next")


def _remove(scene: Scene) -> None:
    scene.git("checkout", "-q", "main")
    scene.git("branch", "-q", "-D", "feature")


def _rename(scene: Scene) -> None:
    scene.git("branch", "-q", "-m", "better")


def _detach(scene: Scene) -> None:
    scene.git("checkout", "-q", "--detach", "main")


@requirement("session.reconcile")
@pytest.mark.parametrize(
    ("operation", "expected"),
    [
        (lambda _: None, Happened.SAME),
        (_commit, Happened.MOVED_ON),
        (_rebase, Happened.REBASED),
        (_amend, Happened.REBASED),
        (_join_by_hand, Happened.REBASED),
        (_force, Happened.RESET),
        (_drop, Happened.REWRITTEN),
        (_drop_and_edit, Happened.REWRITTEN),
        (_pushed_over, Happened.FORCE_PUSHED),
        (_fetched_over, Happened.FORCE_PUSHED),
        (_merge, Happened.MERGED),
        (_fast_forward, Happened.MERGED),
        (_squash, Happened.MERGED),
        (_switch, Happened.OTHER_BRANCH),
        (_fork, Happened.OTHER_BRANCH),
        (_remove, Happened.BRANCH_GONE),
        (_rename, Happened.MERGED),
        (_detach, Happened.OTHER_BRANCH),
    ],
)
def test_each_branch_operation_is_recognised(
    scene: Scene, tmp_path: Path, operation: Callable[[Scene], None], expected: Happened
) -> None:
    was = scene.point()
    operation(scene)

    found = asked(scene, was, tmp_path / "home")

    assert found.happened is expected
    assert found.is_stale == (expected in {*REPLACED, Happened.OTHER_BRANCH, Happened.BRANCH_GONE})
    if expected in {Happened.SAME, Happened.MOVED_ON, Happened.REBASED, Happened.MERGED}:
        assert found.commit is not None
        assert scene.git("merge-base", "--is-ancestor", found.commit, "HEAD") == ""


def lost(scene: Scene, points: list[BranchPoint], home: Path) -> set[str]:
    around = look_around(home=home, folder=scene.folder)
    checkout = WorkingCheckout(surroundings=around.surroundings, verifier=around.verifier)
    with InMemoryStore().reading() as tx:
        return set(lost_commits(points, checkout=checkout, tx=tx))


@requirement("session.lost-commits")
def test_a_rebase_loses_only_the_commits_that_it_left_out(scene: Scene, tmp_path: Path) -> None:
    one, two = replace(scene.point(), head=scene.git("rev-parse", "HEAD~1")), scene.point()
    home = tmp_path / "home"
    assert lost(scene, [one, two], home) == set()

    scene.git("rebase", "-q", "--onto", "main", "HEAD~1")
    assert lost(scene, [one, two], home) == {one.head}
    scene.git("checkout", "-q", "main")
    assert lost(scene, [one, two], home) == {one.head, two.head}
    assert lost(scene, [replace(two, branch=None)], home) == {two.head}


@requirement("session.lost-commits")
def test_an_amended_a_reworded_and_a_squashed_commit_are_not_lost(
    scene: Scene, tmp_path: Path
) -> None:
    one, two = replace(scene.point(), head=scene.git("rev-parse", "HEAD~1")), scene.point()
    scene.git("commit", "-q", "--amend", "-m", "Two, in other words")
    assert lost(scene, [one, two], tmp_path / "home") == set()
    scene.git("reset", "-q", "--soft", "main")
    scene.git("commit", "-q", "-m", "Both")
    assert lost(scene, [one, two], tmp_path / "home") == set()


@requirement("session.lost-commits")
def test_a_rebase_that_joins_commits_loses_none(scene: Scene, tmp_path: Path) -> None:
    one, two = replace(scene.point(), head=scene.git("rev-parse", "HEAD~1")), scene.point()
    scene.commit("fixup! One", app_py=FIRST.replace("line 3\n", "line number three\n"))
    three = scene.point()
    scene.git("-c", "sequence.editor=true", "rebase", "-q", "-i", "--autosquash", "main")

    assert lost(scene, [one, two, three], tmp_path / "home") == set()


def test_without_a_commit_there_is_nothing_to_compare(tmp_path: Path) -> None:
    empty = Scene(tmp_path / "empty")
    was = BranchPoint(branch="main", head="a" * 40)

    assert asked(empty, was, tmp_path / "home").happened is Happened.NO_HISTORY
    assert asked(empty, None, tmp_path / "home").happened is Happened.NO_HISTORY
