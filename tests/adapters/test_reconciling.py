"""What happened to a branch since a turn of a session, in real repositories."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from holdfast.adapters.inmemory.store import InMemoryStore
from holdfast.bootstrap.plugs.folder_ports import look_around
from holdfast.domain.memory.anchor import BranchPoint
from holdfast.domain.sessions.reconciling import Happened, Reconciliation
from holdfast.usecases.sessions.reconciling import WorkingCheckout, what_happened
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


def _rebase(scene: Scene) -> None:
    scene.git("checkout", "-q", "main")
    scene.commit("Meanwhile", meanwhile_py="m\n")
    scene.git("checkout", "-q", "feature")
    scene.git("rebase", "-q", "main")


def _force(scene: Scene) -> None:
    scene.git("reset", "-q", "--hard", "main")
    scene.commit("Something else", else_py="else\n")


def _merge(scene: Scene) -> None:
    scene.git("checkout", "-q", "main")
    scene.git("merge", "-q", "--no-ff", "-m", "Merge", "feature")


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
        (_force, Happened.FORCE_PUSHED),
        (_merge, Happened.MERGED),
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
    assert found.is_stale == (
        expected in {Happened.FORCE_PUSHED, Happened.OTHER_BRANCH, Happened.BRANCH_GONE}
    )
    if expected in {Happened.SAME, Happened.MOVED_ON, Happened.REBASED, Happened.MERGED}:
        assert found.commit is not None
        assert scene.git("merge-base", "--is-ancestor", found.commit, "HEAD") == ""


def test_without_a_commit_there_is_nothing_to_compare(tmp_path: Path) -> None:
    empty = Scene(tmp_path / "empty")
    was = BranchPoint(branch="main", head="a" * 40)

    assert asked(empty, was, tmp_path / "home").happened is Happened.NO_HISTORY
    assert asked(empty, None, tmp_path / "home").happened is Happened.NO_HISTORY
