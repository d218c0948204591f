"""Which branches arrived, in real repositories that merge, squash, pick and rebase."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from holdfast.adapters.git.lineage import arrival, successors
from holdfast.adapters.git.lineage.patches import CommitStep, patch_ids
from holdfast.adapters.git.reading.repository import Repository
from holdfast.domain.memory.anchor import BranchPoint, Rewrite, RewriteHow
from tests.adapters.histories import FIRST, Scene, arrived, two_commits
from tests.requirements import requirement

OutsideRanges = tuple[Scene, BranchPoint, BranchPoint, BranchPoint]


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return two_commits(tmp_path / "app")


@pytest.fixture
def aside(scene: Scene) -> OutsideRanges:
    """A branch with a point before its first commit, one after it and one after the second."""
    scene.git("checkout", "-q", "-b", "feature")
    shared = scene.point(shared=True)
    scene.commit("One", app_py=FIRST.replace("line 3\n", "line three\n"))
    early = scene.point()
    scene.commit("Two", new_py="new\n")
    late = scene.point()
    scene.git("checkout", "-q", "main")
    return scene, shared, early, late


def test_on_the_branch_itself_everything_is_there(aside: OutsideRanges) -> None:
    scene, *points = aside
    scene.git("checkout", "-q", "feature")
    scene.git("commit", "-q", "--amend", "-m", "Two, told better")

    assert arrived(scene.repository, points, {}) == set(points)


@requirement("branch.name-reused")
def test_a_new_branch_of_an_old_name_has_nothing_of_the_old_one(aside: OutsideRanges) -> None:
    scene, *points = aside
    scene.git("branch", "-q", "-D", "feature")
    scene.commit("Main goes on", readme="x\n")
    scene.git("checkout", "-q", "-b", "feature")

    assert arrived(scene.repository, points, {}) == frozenset()
    scene.commit("Other work", other_py="x\n")
    assert arrived(scene.repository, points, {}) == frozenset()
    scene.git("checkout", "-q", "main")
    scene.git("merge", "-q", "--ff-only", "feature")
    new = BranchPoint(branch="feature", head=scene.head(), is_aside=True)
    assert arrived(scene.repository, [*points, new], {}) == {new}


@requirement("branch.name-reused")
def test_a_branch_that_is_made_again_at_its_commit_is_the_same(aside: OutsideRanges) -> None:
    scene, *points = aside
    scene.git("branch", "-q", "-D", "feature")
    scene.git("checkout", "-q", "-b", "feature", points[-1].head)
    scene.commit("More work", other_py="x\n")

    assert arrived(scene.repository, points, {}) == set(points)


@requirement("branch.name-reused")
@pytest.mark.parametrize("way", ["reset", "checkout", "branch"])
def test_work_that_a_reset_threw_away_is_not_there(aside: OutsideRanges, way: str) -> None:
    scene, _, *points = aside
    scene.commit("Main goes on", readme="x\n")
    if way == "branch":
        scene.git("branch", "-q", "--force", "feature", "main")
    elif way == "checkout":
        scene.git("checkout", "-q", "-B", "feature", "main")
    scene.git("checkout", "-q", "feature")
    scene.git("reset", "-q", "--hard", "main")
    scene.commit("Other work", other_py="x\n")

    assert arrived(scene.repository, points, {}) == frozenset()


@requirement("branch.name-reused")
def test_commits_joined_by_a_reset_and_a_new_commit_are_there(aside: OutsideRanges) -> None:
    scene, *points = aside
    scene.git("checkout", "-q", "feature")
    scene.git("reset", "-q", "--soft", "main")
    assert arrived(scene.repository, points, {}) == set(points)

    scene.commit("All of it, and better", new_py="newer\n")

    assert arrived(scene.repository, points, {}) == set(points)


def test_after_many_resets_what_the_branch_stood_at_stays_visible(aside: OutsideRanges) -> None:
    scene, _, _, late = aside
    scene.git("checkout", "-q", "feature")
    scene.commit("Three", three_py="x\n")
    for number in range(6):
        scene.git("reset", "-q", "--soft", "HEAD~1")
        scene.commit(f"Again {number}", three_py=f"{number}\n")

    assert arrived(scene.repository, [late], {}) == {late}


def test_without_a_reflog_the_name_of_the_branch_decides(aside: OutsideRanges) -> None:
    scene, *points = aside
    scene.git("checkout", "-q", "feature")
    scene.git("reset", "-q", "--hard", "main")
    scene.commit("Other work", other_py="x\n")
    (scene.folder / ".git/logs/refs/heads/feature").unlink()

    assert arrived(scene.repository, points, {}) == set(points)


def test_a_branch_that_was_not_merged_has_not_arrived(aside: OutsideRanges) -> None:
    scene, *points = aside
    scene.commit("Main goes on", readme="x\n")

    assert arrived(scene.repository, points, {}) == frozenset()


@requirement("branch.arrives-by-content")
@pytest.mark.parametrize("way", ["--ff-only", "--no-ff", "--squash"])
@pytest.mark.parametrize("is_deleted", [False, True], ids=["kept", "deleted"])
def test_a_merged_branch_has_arrived(aside: OutsideRanges, way: str, *, is_deleted: bool) -> None:
    scene, *points = aside
    if way == "--squash":
        scene.commit("Main goes on", readme="x\n")
    scene.git("merge", "-q", way, "feature")
    if way == "--squash":
        scene.git("commit", "-q", "-m", "Squash")
    if is_deleted:
        scene.git("branch", "-q", "-D", "feature")

    assert arrived(scene.repository, points, {}) == set(points)


@requirement("branch.arrives-by-content")
def test_only_what_was_picked_has_arrived(aside: OutsideRanges) -> None:
    scene, shared, early, late = aside
    scene.commit("Main goes on", readme="x\n")
    scene.git("cherry-pick", early.head)

    found = arrived(scene.repository, [shared, early, late], {})

    assert early in found
    assert late not in found


@requirement("branch.arrives-by-content")
def test_a_branch_rebased_and_merged_has_arrived(aside: OutsideRanges) -> None:
    scene, *points = aside
    scene.commit("Main goes on", readme="x\n")
    scene.git("checkout", "-q", "feature")
    scene.git("rebase", "-q", "main")
    scene.git("checkout", "-q", "main")
    scene.git("merge", "-q", "--ff-only", "feature")

    assert arrived(scene.repository, points, {}) == set(points)


@requirement("branch.arrives-by-content")
def test_a_branch_that_took_in_main_before_it_was_squashed_has_arrived(
    aside: OutsideRanges,
) -> None:
    scene, *points = aside
    scene.commit("Main goes on", readme="x\n")
    scene.git("checkout", "-q", "feature")
    scene.git("merge", "-q", "--no-edit", "main")
    scene.commit("Three", new_py="newer\n")
    scene.git("checkout", "-q", "main")
    scene.commit("Main goes on again", readme="y\n")
    scene.git("checkout", "-q", "feature")
    scene.git("merge", "-q", "--no-edit", "main")
    scene.git("checkout", "-q", "main")
    scene.git("merge", "-q", "--squash", "feature")
    scene.git("commit", "-q", "-m", "Squash")

    assert arrived(scene.repository, points, {}) == set(points)


@requirement("branch.arrives-by-content")
def test_an_earlier_point_arrives_with_what_was_committed_after_it(aside: OutsideRanges) -> None:
    scene, shared, early, _ = aside
    scene.git("merge", "-q", "--squash", "feature")
    scene.git("commit", "-q", "-m", "Squash")

    assert arrived(scene.repository, [shared, early], {}) == {shared, early}


@requirement("branch.arrives-by-content")
@pytest.mark.parametrize("is_deleted", [False, True], ids=["kept", "deleted"])
@pytest.mark.parametrize("way", ["amend", "fixup", "both"])
def test_work_that_was_rewritten_and_changed_without_a_hook_arrives(
    aside: OutsideRanges, way: str, *, is_deleted: bool
) -> None:
    scene, _, early, late = aside
    scene.commit("Main goes on", readme="x\n")
    scene.git("checkout", "-q", "feature")
    (scene.folder / "new.py").write_text("quite different\n")
    scene.git("add", "-A")
    if way in ("amend", "both"):
        scene.git("commit", "-q", "--amend", "-m", "Two, in another way")
    if way in ("fixup", "both"):
        scene.git("commit", "-q", "--allow-empty", "--fixup", "HEAD")
        scene.git("rebase", "-q", "-i", "--autosquash", "main")
    scene.git("checkout", "-q", "main")
    assert arrived(scene.repository, [early, late], {}) == frozenset()
    scene.git("merge", "-q", "--no-edit", "feature")
    if is_deleted:
        scene.git("branch", "-q", "-D", "feature")

    assert arrived(scene.repository, [early, late], {}) == {early, late}


def test_work_that_was_reset_before_an_amend_does_not_arrive(aside: OutsideRanges) -> None:
    scene, _, _, late = aside
    scene.git("checkout", "-q", "feature")
    scene.git("reset", "-q", "--hard", "main")
    scene.commit("Other work", other_py="x\n")
    scene.git("commit", "-q", "--amend", "-m", "Other work, told better")
    scene.git("checkout", "-q", "main")
    scene.git("merge", "-q", "--no-edit", "feature")

    assert arrived(scene.repository, [late], {}) == frozenset()


def test_a_rebase_that_was_given_up_rewrites_nothing(aside: OutsideRanges) -> None:
    scene, _, _, late = aside
    scene.commit("Main goes on", new_py="a conflict\n")
    scene.git("checkout", "-q", "feature")
    scene.git("rebase", "-q", "main", check=False)
    scene.git("rebase", "--abort")
    scene.git("checkout", "-q", "main")
    scene.git("branch", "-q", "-D", "feature")

    assert arrived(scene.repository, [late], {}) == frozenset()


@requirement("branch.arrival-is-kept")
@pytest.mark.parametrize("way", ["squash", "amend", "pick"])
def test_what_was_found_out_once_is_known_when_the_commits_are_gone(
    aside: OutsideRanges, way: str
) -> None:
    scene, *points = aside
    scene.commit("Main goes on", readme="x\n")
    if way == "squash":
        scene.git("merge", "-q", "--squash", "feature")
        scene.git("commit", "-q", "-m", "Squash")
    elif way == "pick":
        scene.git("cherry-pick", "main..feature")
    else:
        scene.git("checkout", "-q", "feature")
        scene.commit("Three", three_py="x\n")
        scene.git("rebase", "-q", "main")
        (scene.folder / "new.py").write_text("quite different\n")
        scene.git("commit", "-q", "-a", "--amend", "-m", "Three, in another way")
        scene.git("checkout", "-q", "main")
        scene.git("merge", "-q", "--no-edit", "feature")
    found = arrival.arrived(scene.repository, points, {})
    assert found.points == set(points)
    at = datetime(2026, 1, 1, tzinfo=UTC)
    known = {
        old: Rewrite(repo="repo_x", old=old, new=new, how=how, at=at)
        for old, (new, how) in found.successors.items()
    }
    assert known.keys() == {point.head for point in points if not point.is_shared}
    again = arrival.arrived(scene.repository, points, known)
    assert again.points == set(points)
    assert not again.successors

    scene.git("branch", "-q", "-D", "feature")
    scene.git("reflog", "expire", "--expire=now", "--all")
    scene.git("prune", "--expire=now")

    assert arrived(scene.repository, points, known) == set(points)


def test_what_a_hook_told_counts(aside: OutsideRanges) -> None:
    scene, _, _, late = aside
    now = scene.commit("Something quite different", app_py="x\n")

    assert arrived(scene.repository, [late], {}) == frozenset()
    at = datetime(2026, 1, 1, tzinfo=UTC)
    told = Rewrite(repo="repo_x", old=late.head, new=now, how=RewriteHow.HOOK, at=at)

    assert arrived(scene.repository, [late], {late.head: told}) == {late}


def test_a_branch_without_a_commit_of_its_own_has_not_arrived(scene: Scene) -> None:
    scene.git("checkout", "-q", "-b", "feature")
    point = scene.point(shared=True)
    scene.git("checkout", "-q", "main")

    assert arrived(scene.repository, [point], {}) == frozenset()

    scene.commit("Main goes on", readme="x\n")
    scene.git("checkout", "-q", "feature")
    scene.git("merge", "-q", "--ff-only", "main")
    scene.git("checkout", "-q", "main")

    assert arrived(scene.repository, [point], {}) == frozenset()


def _renamed(scene: Scene) -> None:
    scene.git("branch", "-q", "-m", "feature", "other")


def _renamed_from_elsewhere(scene: Scene) -> None:
    scene.git("checkout", "-q", "main")
    scene.git("branch", "-q", "-m", "feature", "other")
    scene.git("checkout", "-q", "other")


def _renamed_twice(scene: Scene) -> None:
    scene.git("branch", "-q", "-m", "feature", "between")
    scene.git("branch", "-q", "-m", "between", "other")


def _renamed_and_its_name_reused(scene: Scene) -> None:
    scene.git("branch", "-q", "-m", "feature", "other")
    scene.git("branch", "-q", "feature", "main~1")


def _made_from_it(scene: Scene) -> None:
    scene.git("checkout", "-q", "-b", "other")
    scene.git("branch", "-q", "-D", "feature")


def _made_from_its_name(scene: Scene) -> None:
    scene.git("checkout", "-q", "main")
    scene.git("branch", "-q", "other", "feature")
    scene.git("branch", "-q", "-D", "feature")
    scene.git("checkout", "-q", "other")


def _made_over_a_third(scene: Scene) -> None:
    scene.git("checkout", "-q", "-b", "between")
    scene.git("branch", "-q", "-D", "feature")
    scene.git("checkout", "-q", "-b", "other")
    scene.git("branch", "-q", "-D", "between")


def _copied(scene: Scene) -> None:
    scene.git("branch", "-q", "-c", "feature", "other")
    scene.git("checkout", "-q", "other")
    scene.git("branch", "-q", "-D", "feature")


def _forced(scene: Scene) -> None:
    scene.git("checkout", "-q", "-B", "other")
    scene.git("branch", "-q", "-D", "feature")


_TOLD_BY_HEAD = [
    _renamed,
    _renamed_twice,
    _renamed_and_its_name_reused,
    _made_from_it,
    _made_over_a_third,
    _copied,
    _forced,
]
_TOLD_BY_ITSELF = [_renamed_from_elsewhere, _made_from_its_name]


@requirement("branch.follows-its-continuation")
@pytest.mark.parametrize("way", [*_TOLD_BY_HEAD, *_TOLD_BY_ITSELF])
def test_a_point_without_a_commit_follows_the_branch_that_continues_its_own(
    scene: Scene, way: Callable[[Scene], None]
) -> None:
    scene.git("checkout", "-q", "-b", "feature")
    point = scene.point(shared=True)
    way(scene)
    assert arrived(scene.repository, [point], {}) == {point}
    scene.commit("Work", new_py="new\n")
    assert arrived(scene.repository, [point], {}) == {point}

    scene.git("checkout", "-q", "main")
    assert arrived(scene.repository, [point], {}) == frozenset()
    scene.git("merge", "-q", "other")

    assert arrived(scene.repository, [point], {}) == {point}


def _amended(scene: Scene) -> None:
    (scene.folder / "new.py").write_text("newer\n")
    scene.git("commit", "-q", "--all", "--amend", "-m", "Two, amended")


def _reworded(scene: Scene) -> None:
    scene.git("commit", "-q", "--amend", "-m", "Two, in other words")


def _rebased(scene: Scene) -> None:
    scene.git("checkout", "-q", "main")
    scene.commit("Elsewhere", elsewhere_py="main\n")
    scene.git("checkout", "-q", "other")
    scene.git("rebase", "-q", "main")


@requirement("branch.follows-its-continuation")
@pytest.mark.parametrize("rewrite", [_amended, _reworded, _rebased])
@pytest.mark.parametrize("way", [*_TOLD_BY_HEAD, *_TOLD_BY_ITSELF])
def test_points_follow_a_continuation_that_is_rewritten(
    aside: OutsideRanges, way: Callable[[Scene], None], rewrite: Callable[[Scene], None]
) -> None:
    scene, *points = aside
    scene.git("checkout", "-q", "feature")
    way(scene)
    rewrite(scene)

    assert arrived(scene.repository, points, {}) == set(points)


@requirement("branch.follows-its-continuation")
@pytest.mark.parametrize("way", _TOLD_BY_HEAD)
def test_the_reflog_of_head_tells_what_continued_a_branch_after_both_are_deleted(
    scene: Scene, way: Callable[[Scene], None]
) -> None:
    scene.git("checkout", "-q", "-b", "feature")
    point = scene.point(shared=True)
    way(scene)
    scene.commit("Work", new_py="new\n")
    scene.git("checkout", "-q", "main")
    scene.git("merge", "-q", "other")
    scene.git("branch", "-q", "-D", "other")

    assert arrived(scene.repository, [point], {}) == {point}


@requirement("branch.follows-its-continuation")
def test_a_rename_in_another_worktree_is_followed(scene: Scene, tmp_path: Path) -> None:
    scene.git("worktree", "add", "-q", "-b", "feature", str(tmp_path / "beside"))
    beside = Scene.of(tmp_path / "beside")
    point = beside.point(shared=True)
    beside.git("branch", "-q", "-m", "other")
    beside.commit("Work", new_py="new\n")
    beside.git("commit", "-q", "--amend", "-m", "Work, told better")

    assert arrived(beside.repository, [point], {}) == {point}
    assert arrived(scene.repository, [point], {}) == frozenset()
    scene.git("merge", "-q", "other")
    assert arrived(scene.repository, [point], {}) == {point}


def test_a_branch_made_from_one_that_still_exists_does_not_continue_it(scene: Scene) -> None:
    scene.git("checkout", "-q", "-b", "feature")
    point = scene.point(shared=True)
    scene.git("checkout", "-q", "-b", "other")

    assert arrived(scene.repository, [point], {}) == frozenset()


def test_a_branch_made_from_main_does_not_continue_a_deleted_one(scene: Scene) -> None:
    scene.git("checkout", "-q", "-b", "feature")
    point = scene.point(shared=True)
    scene.git("checkout", "-q", "main")
    scene.git("checkout", "-q", "-b", "other")
    scene.git("branch", "-q", "-D", "feature")
    scene.commit("Work", new_py="new\n")

    assert arrived(scene.repository, [point], {}) == frozenset()
    scene.git("checkout", "-q", "main")
    scene.git("merge", "-q", "other")
    assert arrived(scene.repository, [point], {}) == frozenset()


def test_a_branch_made_at_another_commit_does_not_continue_the_one_before_it(scene: Scene) -> None:
    scene.git("checkout", "-q", "-b", "feature")
    point = scene.point(shared=True)
    scene.git("checkout", "-q", "-b", "other", "main~1")
    scene.git("branch", "-q", "-D", "feature")
    scene.git("merge", "-q", "main")

    assert arrived(scene.repository, [point], {}) == frozenset()


def test_a_new_branch_of_an_old_name_does_not_arrive_with_the_old_one(aside: OutsideRanges) -> None:
    scene, _, _, late = aside
    scene.git("merge", "-q", "--no-ff", "feature")
    scene.git("branch", "-q", "-D", "feature")
    scene.git("checkout", "-q", "-b", "feature")
    point = scene.point(shared=True)
    scene.git("checkout", "-q", "main")

    assert arrived(scene.repository, [point, late], {}) == {late}


def test_a_commit_that_is_gone_never_arrives_by_ancestry(scene: Scene) -> None:
    point = BranchPoint(branch="feature", head="f" * 40, is_aside=True)

    assert arrived(scene.repository, [point], {}) == frozenset()


def test_arrival_is_told_for_any_commit(aside: OutsideRanges) -> None:
    scene, shared, early, late = aside
    before = scene.head()
    scene.git("merge", "-q", "--no-ff", "feature")
    points = [shared, early, late]

    assert arrived(scene.repository, points, {}, before) == frozenset()
    assert arrived(scene.repository, points, {}, early.head) >= {early}
    assert late not in arrived(scene.repository, points, {}, early.head)
    assert arrived(scene.repository, points, {}, scene.head()) == set(points)
    assert arrived(scene.repository, points, {}, "no-such") == frozenset()


def test_beyond_the_newest_branches_content_is_not_compared(scene: Scene) -> None:
    points = []
    for number in range(18):
        scene.git("checkout", "-q", "-b", f"feature{number}", "main")
        scene.commit(f"Number {number}", **{f"f{number}": "x\n"})
        points.append(scene.point())
    scene.git("checkout", "-q", "main")
    for point in points:
        scene.git("cherry-pick", point.head)
    scene.commit("More", f0="y\n")

    assert arrived(scene.repository, points, {}) == set(points[2:])


@requirement("recall.as-of-is-quick")
def test_what_was_written_after_a_commit_is_not_compared_with_it(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = scene.head()
    scene.wait(minutes=60 * 24 * 30)
    scene.git("checkout", "-q", "-b", "feature")
    scene.commit("Later", new_py="new\n")
    point = scene.point()
    scene.git("checkout", "-q", "main")
    scene.commit("Other", app_py="other\n")
    monkeypatch.setattr(arrival, "compare", None)

    assert arrived(scene.repository, [point], {}, old) == frozenset()


@requirement("recall.as-of-is-quick")
def test_patches_are_not_compared_where_a_commit_of_the_branch_has_no_counterpart(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene.git("checkout", "-q", "-b", "feature")
    scene.commit("One", app_py=FIRST.replace("line 3\n", "line three\n"))
    scene.commit("Two", new_py="new\n")
    point = scene.point()
    scene.git("checkout", "-q", "main")
    scene.commit("Other", app_py="other\n")
    monkeypatch.setattr(successors, "patch_ids", None)

    assert arrived(scene.repository, [point], {}, scene.head()) == frozenset()


@requirement("recall.as-of-is-quick")
def test_a_few_patches_refute_a_branch_before_the_many_are_compared(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene.git("checkout", "-q", "-b", "feature")
    scene.commit("One", app_py=FIRST.replace("line 3\n", "line three\n"))
    scene.commit("Two", new_py="new\n")
    point = scene.point()
    scene.git("checkout", "-q", "main")
    for number in range(6):
        scene.commit(f"Change {number}", app_py=f"{FIRST}line of {number}\n")
    scene.commit("Another two", new_py="another\n")
    compared: list[int] = []

    def counting(repository: Repository, steps: Sequence[CommitStep]) -> Mapping[CommitStep, str]:
        compared.append(len(steps))
        return patch_ids(repository, steps)

    monkeypatch.setattr(successors, "patch_ids", counting)
    monkeypatch.setattr(successors, "_FEW_PATCHES", 4)

    assert arrived(scene.repository, [point], {}, scene.head()) == frozenset()
    assert compared == [2]


def test_a_branch_that_a_few_patches_do_not_refute_is_compared_in_full(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene.git("checkout", "-q", "-b", "feature")
    scene.commit("One", app_py=FIRST.replace("line 3\n", "line three\n"))
    scene.commit("Two", new_py="new\n")
    point = scene.point()
    scene.git("checkout", "-q", "main")
    for number in range(6):
        scene.commit(f"Change {number}", app_py=f"{FIRST}line of {number}\n")
    scene.git("cherry-pick", "feature")
    monkeypatch.setattr(successors, "_FEW_PATCHES", 4)

    assert arrived(scene.repository, [point], {}, scene.head()) == frozenset()
    scene.git("cherry-pick", "feature~1", "-X", "theirs")
    assert arrived(scene.repository, [point], {}, scene.head()) == {point}


def test_what_was_written_before_an_old_commit_may_have_arrived_there(scene: Scene) -> None:
    scene.git("checkout", "-q", "-b", "feature")
    scene.commit("One", new_py="new\n")
    point = scene.point()
    scene.git("checkout", "-q", "main")
    scene.commit("Other", app_py="other\n")
    scene.git("cherry-pick", "feature")

    assert arrived(scene.repository, [point], {}, scene.head()) == {point}


@requirement("branch.arrives-by-content")
def test_a_commit_that_was_undone_before_the_squash_has_arrived_with_it(scene: Scene) -> None:
    scene.git("checkout", "-q", "-b", "feature")
    scene.commit("Undone", undone_py="x\n")
    undone = scene.point()
    scene.git("revert", "--no-edit", "HEAD")
    scene.commit("Kept", kept_py="x\n")
    kept = scene.point()
    scene.git("checkout", "-q", "main")
    assert arrived(scene.repository, [undone, kept], {}) == frozenset()

    scene.git("merge", "-q", "--squash", "feature")
    scene.git("commit", "-q", "-m", "Squash")

    assert arrived(scene.repository, [undone, kept], {}) == {undone, kept}
