"""What became of commits and branches, in real repositories whose history is rewritten."""

from __future__ import annotations

import hashlib
import shutil
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import pytest

from holdfast.adapters.git.lineage.lineage import fates
from holdfast.adapters.git.lineage.patches import CommitStep, patch_ids, patches_of
from holdfast.domain.errors import OutsideUnavailableError
from holdfast.domain.memory.anchor import (
    BranchPoint,
    CommitFate,
    CommitName,
    CommitPosition,
    Rewrite,
    RewriteHow,
)
from tests.adapters.histories import FIRST, Scene, arrived, two_commits
from tests.requirements import requirement


def fate(scene: Scene, name: str, patch: str | None = None) -> CommitFate:
    """Return what became of one commit, of which nothing was told."""
    return fates(scene.repository, [CommitName(id=name, patch=patch)], {})[name]


def rewrite(old: str, new: str) -> Rewrite:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    return Rewrite(repo="repo_x", old=old, new=new, how=RewriteHow.HOOK, at=at)


def place(found: CommitFate) -> tuple[CommitPosition, str | None, RewriteHow | None]:
    return found.whereabouts, found.now, found.how


def patch_of(scene: Scene, commit: str) -> str:
    """Return the patch-id that is noted with evidence, which must be the one we look for."""
    step = CommitStep(scene.head(f"{commit}^"), commit)
    noted = patches_of(scene.repository, [commit])[commit]
    assert patch_ids(scene.repository, [step]) == {step: noted}
    return noted


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return two_commits(tmp_path / "app")


@pytest.fixture
def feature(scene: Scene) -> tuple[Scene, str, str, str]:
    """A branch of three commits; main went on meanwhile, and is checked out."""
    scene.git("checkout", "-q", "-b", "feature")
    one = scene.commit("One", app_py=FIRST.replace("line 3\n", "line three\n"))
    two = scene.commit("Two", new_py="new\n")
    three = scene.commit("Three", app_py=(scene.folder / "app.py").read_text() + "the end\n")
    scene.git("checkout", "-q", "main")
    scene.commit("Main goes on", readme="read me\n")
    return scene, one, two, three


def test_a_commit_of_this_history_is_reachable_by_any_name(scene: Scene) -> None:
    head = scene.head()
    names = [head, head[:9], "HEAD", "main~1", head.upper()[:10]]

    found = fates(scene.repository, [CommitName(id=name) for name in names], {})

    assert {name: found[name].whereabouts for name in names[:4]} == dict.fromkeys(
        names[:4], CommitPosition.REACHABLE
    )


@pytest.mark.parametrize(
    "name", ["no-such", "f" * 40, "-n1", ":/First", "HEAD:app.py", "a b", "é", "a\nb", ""]
)
def test_a_name_that_means_no_commit_is_lost_and_says_so(scene: Scene, name: str) -> None:
    found = fate(scene, name)

    assert found.whereabouts is CommitPosition.LOST
    assert "no commit here" in found.words


def test_a_short_name_that_fits_several_is_never_resolved_to_one(scene: Scene) -> None:
    made: dict[str, bytes] = {}
    start = f"tree {scene.head('HEAD^{tree}')}\nauthor A <a> 0 +0000\ncommitter A <a> 0 +0000\n\n"
    for number in count():
        content = f"{start}{number}\n".encode()
        name = hashlib.sha1(b"commit %d\0" % len(content) + content).hexdigest()[:6]  # noqa: S324
        if name in made:
            break
        made[name] = content
    for one in (made[name], content):
        (scene.folder / "made").write_bytes(one)
        scene.git("hash-object", "-w", "-t", "commit", "made")

    found = fate(scene, name)

    assert found.whereabouts is CommitPosition.LOST
    assert "several" in found.words


def test_a_commit_of_another_branch_is_elsewhere(feature: tuple[Scene, str, str, str]) -> None:
    scene, one, *_ = feature

    found = fate(scene, one)

    assert place(found) == (CommitPosition.ELSEWHERE, None, None)
    assert "feature~2" in found.words


@requirement("commit.followed-through-rewrites")
def test_a_rebased_commit_is_found_by_its_patch(feature: tuple[Scene, str, str, str]) -> None:
    scene, *old = feature
    scene.git("checkout", "-q", "feature")
    scene.git("rebase", "-q", "main")
    new = [scene.head(f"HEAD~{back}") for back in (2, 1, 0)]

    found = fates(scene.repository, [CommitName(id=name) for name in old], {})

    assert not set(old) & set(new)
    assert [place(found[name]) for name in old] == [
        (CommitPosition.REWRITTEN, name, RewriteHow.PATCH) for name in new
    ]


@requirement("commit.followed-through-rewrites")
def test_a_cherry_picked_commit_is_found_by_its_patch(
    feature: tuple[Scene, str, str, str],
) -> None:
    scene, _, two, _ = feature
    scene.git("cherry-pick", two)

    assert place(fate(scene, two)) == (CommitPosition.REWRITTEN, scene.head(), RewriteHow.PATCH)


@requirement("commit.followed-through-rewrites")
def test_an_amended_message_keeps_the_patch(scene: Scene) -> None:
    old = scene.commit("Wrnog", app_py=FIRST + "more\n")
    scene.git("commit", "-q", "--amend", "-m", "Right")

    assert place(fate(scene, old)) == (CommitPosition.REWRITTEN, scene.head(), RewriteHow.PATCH)


@requirement("commit.followed-through-rewrites")
def test_what_a_hook_told_is_followed_to_the_end(scene: Scene) -> None:
    old = scene.commit("One", app_py="a\n")
    (scene.folder / "app.py").write_text("b\n")
    scene.git("commit", "-q", "-a", "--amend", "-m", "Two")
    middle = scene.head()
    (scene.folder / "app.py").write_text("c\n")
    scene.git("commit", "-q", "-a", "--amend", "-m", "Three")
    told = {old: rewrite(old, middle), middle: rewrite(middle, scene.head())}

    found = fates(scene.repository, [CommitName(id=old), CommitName(id=old[:8])], told)

    wanted = (CommitPosition.REWRITTEN, scene.head(), RewriteHow.HOOK)
    assert [place(found[old]), place(found[old[:8]])] == [wanted, wanted]


def test_without_the_hook_an_amended_change_is_lost(scene: Scene) -> None:
    old = scene.commit("One", app_py="a\n")
    (scene.folder / "app.py").write_text("b\n")
    scene.git("commit", "-q", "-a", "--amend", "-m", "Two")

    found = fate(scene, old)

    assert place(found) == (CommitPosition.LOST, None, None)
    assert "no branch has it" in found.words


def test_rewrites_that_run_in_a_circle_come_to_an_end(scene: Scene) -> None:
    a, b = "a" * 40, "b" * 40

    found = fates(scene.repository, [CommitName(id=a)], {a: rewrite(a, b), b: rewrite(b, a)})

    assert found[a].whereabouts is CommitPosition.LOST


@requirement("commit.followed-through-rewrites")
def test_a_rewrite_that_was_told_is_followed_on_by_content(
    feature: tuple[Scene, str, str, str],
) -> None:
    scene, _, two, _ = feature
    gone = "d" * 40
    scene.git("cherry-pick", two)

    found = fates(scene.repository, [CommitName(id=gone)], {gone: rewrite(gone, two)})

    assert place(found[gone]) == (CommitPosition.REWRITTEN, scene.head(), RewriteHow.PATCH)


@requirement("commit.followed-through-rewrites")
def test_every_commit_of_a_squash_is_found_in_it(feature: tuple[Scene, str, str, str]) -> None:
    scene, *old = feature
    scene.git("merge", "-q", "--squash", "feature")
    scene.git("commit", "-q", "-m", "Squash")
    squash = scene.head()
    scene.commit("After", readme="more\n")

    for with_branch in (True, False):
        if not with_branch:
            scene.git("branch", "-q", "-D", "feature")
        found = fates(scene.repository, [CommitName(id=name) for name in old], {})
        assert {place(found[name]) for name in old} == {
            (CommitPosition.REWRITTEN, squash, RewriteHow.SQUASH)
        }


@requirement("commit.followed-through-rewrites")
def test_a_squash_that_changes_more_is_known_by_the_files_it_leaves(
    feature: tuple[Scene, str, str, str],
) -> None:
    scene, *old = feature
    scene.git("merge", "-q", "--squash", "feature")
    squash = scene.commit("Squash", changelog="with a line of its own\n")

    found = fates(scene.repository, [CommitName(id=name) for name in old], {})

    assert {found[name].now for name in old} == {squash}
    assert found[old[0]].how is RewriteHow.SQUASH


@requirement("commit.followed-through-rewrites")
def test_two_commits_melted_into_one_are_found_in_it(feature: tuple[Scene, str, str, str]) -> None:
    scene, one, two, three = feature
    scene.git("checkout", "-q", "feature")
    scene.git("rebase", "-q", "-i", "HEAD~3", editor="sed -i 3s/pick/fixup/")
    melted = scene.head()

    found = fates(scene.repository, [CommitName(id=name) for name in (one, two, three)], {})

    assert found[one].whereabouts is CommitPosition.REACHABLE
    assert place(found[two]) == (CommitPosition.REWRITTEN, melted, RewriteHow.SQUASH)
    assert found[three].now == melted


@requirement("commit.followed-through-rewrites")
def test_a_dropped_commit_is_lost_and_the_others_are_found(
    feature: tuple[Scene, str, str, str],
) -> None:
    scene, one, two, three = feature
    scene.git("checkout", "-q", "feature")
    scene.git("rebase", "-q", "-i", "HEAD~3", editor="sed -i 2s/pick/drop/")

    found = fates(scene.repository, [CommitName(id=name) for name in (one, two, three)], {})

    assert found[one].whereabouts is CommitPosition.REACHABLE
    assert found[two].whereabouts is CommitPosition.LOST
    assert place(found[three]) == (CommitPosition.REWRITTEN, scene.head(), RewriteHow.PATCH)


@requirement("commit.followed-through-rewrites")
def test_commits_in_another_order_are_each_found(feature: tuple[Scene, str, str, str]) -> None:
    scene, one, two, three = feature
    scene.git("checkout", "-q", "feature")
    scene.git("rebase", "-q", "-i", "HEAD~3", editor="sed -i '1{h;d};2{G}'")

    found = fates(scene.repository, [CommitName(id=name) for name in (one, two, three)], {})

    assert found[one].now == scene.head("HEAD~1")
    assert found[two].now == scene.head("HEAD~2")
    assert found[three].now == scene.head()


def test_the_last_commit_that_leaves_the_same_files_is_not_taken_for_one_melted_into_another(
    feature: tuple[Scene, str, str, str],
) -> None:
    scene, one, two, three = feature
    scene.git("checkout", "-q", "feature")
    scene.git("rebase", "-q", "-i", "HEAD~3", editor="sed -i '2{h;d};3{s/pick/fixup/;G}'")
    tree = scene.head("HEAD^{tree}")

    found = fates(scene.repository, [CommitName(id=name) for name in (one, two, three)], {})

    assert tree == scene.head(f"{three}^{{tree}}")
    assert found[two].now == scene.head()
    assert found[three].whereabouts is CommitPosition.LOST
    assert found[one].whereabouts is CommitPosition.LOST


@requirement("commit.followed-through-rewrites")
def test_a_merge_that_was_undone_is_known_by_its_tree(scene: Scene) -> None:
    scene.git("checkout", "-q", "-b", "feature")
    scene.commit("One", a="a\n")
    scene.git("checkout", "-q", "main")
    scene.commit("Main", b="b\n")
    scene.git("merge", "-q", "--no-ff", "feature")
    merge = scene.head()
    scene.git("reset", "-q", "--hard", "HEAD~1")
    scene.git("cherry-pick", "feature")

    assert place(fate(scene, merge)) == (CommitPosition.REWRITTEN, scene.head(), RewriteHow.TREE)


def test_a_tree_that_comes_back_to_the_start_says_nothing(scene: Scene) -> None:
    scene.git("checkout", "-q", "-b", "feature")
    empty = scene.commit("Nothing in it")
    scene.git("checkout", "-q", "main")
    scene.commit("There", a="a\n")
    scene.commit("And back", a=None)

    assert fate(scene, empty).whereabouts is CommitPosition.ELSEWHERE


def test_an_equal_change_before_a_commit_is_not_what_became_of_it(scene: Scene) -> None:
    scene.git("checkout", "-q", "-b", "old")
    old = scene.commit("Aside for long", c="c\n")
    scene.git("checkout", "-q", "main")
    scene.commit("Apply", a="a\n")
    scene.commit("Undo", a=None)
    scene.git("checkout", "-q", "-b", "feature")
    again = scene.commit("Apply again", a="a\n")
    scene.git("checkout", "-q", "main")
    scene.commit("Else", b="b\n")

    found = fates(scene.repository, [CommitName(id=old), CommitName(id=again)], {})

    assert {one.whereabouts for one in found.values()} == {CommitPosition.ELSEWHERE}


def test_of_several_equal_changes_the_oldest_is_named_and_the_others_are_told(
    feature: tuple[Scene, str, str, str],
) -> None:
    scene, _, two, _ = feature
    first = scene.commit("By hand", new_py="new\n")
    scene.commit("Undo", new_py=None)
    scene.commit("By hand again", new_py="new\n")

    found = fate(scene, two)

    assert place(found) == (CommitPosition.REWRITTEN, first, RewriteHow.PATCH)
    assert "1 other commit does too" in found.words


def test_of_several_equal_changes_the_one_that_kept_the_authors_stamp_is_named(
    feature: tuple[Scene, str, str, str],
) -> None:
    scene, _, two, _ = feature
    scene.commit("By hand", new_py="new\n")
    scene.commit("Undo", new_py=None)
    scene.git("cherry-pick", two)

    assert fate(scene, two).now == scene.head()


@requirement("commit.followed-through-rewrites")
def test_a_commit_that_is_not_here_is_found_by_the_patch_that_was_noted(
    feature: tuple[Scene, str, str, str], tmp_path: Path
) -> None:
    scene, _, two, _ = feature
    patch = patch_of(scene, two)
    scene.git("cherry-pick", two)
    copied = scene.head()
    scene.commit("After", app_py="x\n")
    scene.git("clone", "-q", "--single-branch", f"file://{scene.folder}", str(tmp_path / "clone"))
    clone = Scene.of(tmp_path / "clone")

    found = fate(clone, two, patch)

    assert place(found) == (CommitPosition.REWRITTEN, copied, RewriteHow.PATCH)
    assert fate(clone, two).whereabouts is CommitPosition.LOST
    assert fate(clone, two, "0" * 40).whereabouts is CommitPosition.LOST


@requirement("commit.followed-through-rewrites")
def test_a_force_push_is_followed_in_a_second_clone(scene: Scene, tmp_path: Path) -> None:
    scene.git("clone", "-q", "--bare", str(scene.folder), str(tmp_path / "hub"))
    scene.git("remote", "add", "origin", str(tmp_path / "hub"))
    old = scene.commit("Change", app_py=FIRST + "end\n")
    scene.git("push", "-q", "origin", "main")
    scene.git("clone", "-q", str(tmp_path / "hub"), str(tmp_path / "second"))
    scene.git("commit", "-q", "--amend", "-m", "Change, told better")
    scene.git("push", "-q", "--force", "origin", "main")
    second = Scene.of(tmp_path / "second")
    second.git("fetch", "-q")
    second.git("reset", "-q", "--hard", "origin/main")

    assert place(fate(second, old)) == (CommitPosition.REWRITTEN, scene.head(), RewriteHow.PATCH)


@requirement("commit.followed-through-rewrites")
def test_a_history_rewritten_from_its_root_is_followed(scene: Scene) -> None:
    old = [scene.head("HEAD~1"), scene.head()]
    scene.git("filter-branch", "-f", "--msg-filter", "sed s/^/x:/", "--", "--all")

    found = fates(scene.repository, [CommitName(id=name) for name in old], {})

    assert [found[name].now for name in old] == [scene.head("HEAD~1"), scene.head()]


def test_a_commit_that_a_shallow_clone_lacks_cannot_be_checked(
    scene: Scene, tmp_path: Path
) -> None:
    old = scene.head("HEAD~1")
    scene.git("clone", "-q", "--depth=1", f"file://{scene.folder}", str(tmp_path / "shallow"))
    shallow = Scene.of(tmp_path / "shallow")

    found = fate(shallow, old)

    assert found.whereabouts is CommitPosition.UNVERIFIABLE
    assert "shallow clone" in found.words
    assert fate(shallow, "HEAD").whereabouts is CommitPosition.REACHABLE


def test_nothing_is_fetched_in_a_partial_clone(scene: Scene, tmp_path: Path) -> None:
    scene.git("config", "uploadpack.allowFilter", "true")
    scene.git("config", "uploadpack.allowAnySHA1InWant", "true")
    there = f"file://{scene.folder}"
    scene.git("clone", "-q", "--filter=blob:none", "--no-checkout", there, str(tmp_path / "part"))
    partial = Scene.of(tmp_path / "part")
    later = scene.commit("Later", app_py="x\n")

    found = fates(partial.repository, [CommitName(id=later), CommitName(id="HEAD")], {})

    assert found["HEAD"].whereabouts is CommitPosition.REACHABLE
    assert found[later].whereabouts is CommitPosition.UNVERIFIABLE
    assert "partial clone" in found[later].words
    assert partial.git("cat-file", "--batch-all-objects", "--batch-check").count(later) == 0


def test_in_an_empty_repository_nothing_is_reachable(tmp_path: Path) -> None:
    scene = Scene(tmp_path / "empty")

    assert fate(scene, "f" * 40).whereabouts is CommitPosition.LOST
    assert fate(scene, "HEAD").whereabouts is CommitPosition.LOST
    assert arrived(scene.repository, [BranchPoint(branch="x", head="f" * 40)], {}) == frozenset()


def test_sha256_and_worktrees_and_a_detached_head_are_no_different(tmp_path: Path) -> None:
    scene = Scene(tmp_path / "app", "--object-format=sha256")
    scene.commit("First", app_py=FIRST)
    scene.git("worktree", "add", "-q", "-b", "feature", str(tmp_path / "tree"))
    tree = Scene.of(tmp_path / "tree")
    one, two = tree.commit("One", a="a\n"), tree.commit("Two", b="b\n")
    scene.git("checkout", "-q", "--detach")
    scene.git("merge", "-q", "--squash", "feature")
    squash = scene.commit("Squash", c="c\n")

    assert len(one) == 64
    assert fate(tree, one).whereabouts is CommitPosition.REACHABLE
    assert {fate(scene, one).now, fate(scene, two).now} == {squash}
    assert arrived(scene.repository, [tree.point()], {}) == {tree.point()}


def test_a_damaged_object_is_told_in_one_sentence(scene: Scene) -> None:
    old = scene.head("HEAD~1")
    parent = scene.folder / ".git" / "objects" / old[:2] / old[2:]
    parent.chmod(0o644)
    parent.write_bytes(b"rubbish")

    aside = scene.git("commit-tree", "HEAD^{tree}", "-m", "aside")

    with pytest.raises(OutsideUnavailableError, match="git fsck"):
        fate(scene, aside)


def test_a_hole_in_a_history_nobody_needs_does_not_stop_the_others(scene: Scene) -> None:
    scene.git("checkout", "-q", "--detach")
    hole, aside = scene.commit("Hole", a="a\n"), scene.commit("OutsideRanges", b="b\n")
    scene.git("checkout", "-q", "main")
    (scene.folder / ".git" / "objects" / hole[:2] / hole[2:]).unlink()

    found = fates(scene.repository, [CommitName(id=aside), CommitName(id="main~1")], {})

    assert found[aside].whereabouts is CommitPosition.LOST
    assert found["main~1"].whereabouts is CommitPosition.REACHABLE


def test_without_git_it_says_so(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    head = scene.head()
    repository = scene.repository
    monkeypatch.setenv("PATH", str(scene.folder))

    with pytest.raises(OutsideUnavailableError, match="git"):
        fates(repository, [CommitName(id=head)], {})


def test_the_number_of_processes_does_not_grow(
    scene: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "asked"
    counting = tmp_path / "bin" / "git"
    counting.parent.mkdir()
    real = shutil.which("git")
    counting.write_text(f'#!/bin/sh\necho x >> "{log}"\nexec "{real}" "$@"\n')
    counting.chmod(0o755)
    old, points = [], []
    for number in range(12):
        scene.git("checkout", "-q", "-b", f"feature{number}", "main")
        old += [scene.commit(f"{number}.{part}", **{f"f{number}": f"{part}\n"}) for part in (1, 2)]
        points.append(scene.point())
    scene.git("checkout", "-q", "main")
    for number in range(6):
        scene.git("merge", "-q", "--squash", f"feature{number}")
        scene.git("commit", "-q", "-m", f"Squash {number}")
    monkeypatch.setenv("PATH", f"{counting.parent}:/usr/bin:/bin")

    asked = []
    for many in (2, 24):
        log.write_text("")
        fates(scene.repository, [CommitName(id=name) for name in old[:many]], {})
        arrived(scene.repository, points[: many // 2], {})
        asked.append(log.read_text().count("x"))

    assert asked[0] == asked[1] <= 20
