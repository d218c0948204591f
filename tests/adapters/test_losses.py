"""Which commits a checkout lost, in real repositories that rename, rebase and amend."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from holdfast.adapters.git.lineage.losses import losses
from holdfast.adapters.git.lineage.surviving import surviving
from holdfast.adapters.git.reading.refs import moves, rewritten_into
from holdfast.domain.memory.anchor import BranchPoint, LossHow, Rewrite, RewriteHow
from tests.adapters.histories import Scene, two_commits
from tests.requirements import requirement

DROP_ONE = ("rebase", "-q", "--onto", "main", "HEAD~1")


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    made = two_commits(tmp_path / "app")
    made.git("checkout", "-q", "-b", "feature")
    return made


def lost(
    scene: Scene, *points: BranchPoint, known: Mapping[str, Rewrite] | None = None
) -> dict[str, LossHow]:
    return dict(losses(scene.repository, points, known or {}, None))


def two_points(scene: Scene) -> tuple[BranchPoint, BranchPoint]:
    scene.commit("One", one_py="one\n")
    one = scene.point()
    scene.commit("Two", two_py="two\n")
    return one, scene.point()


def renamed(scene: Scene) -> None:
    scene.git("branch", "-q", "-m", "renamed")


def renamed_from_elsewhere(scene: Scene) -> None:
    scene.git("checkout", "-q", "main")
    scene.git("branch", "-q", "-m", "feature", "renamed")
    scene.git("checkout", "-q", "renamed")


def replaced(scene: Scene) -> None:
    scene.git("checkout", "-q", "-b", "replacement")
    scene.git("branch", "-q", "-D", "feature")


@requirement("session.lost-commits")
@pytest.mark.parametrize("first", [renamed, renamed_from_elsewhere, replaced])
def test_a_rebase_under_another_name_loses_the_commits_it_leaves_out(
    scene: Scene, first: Callable[[Scene], None]
) -> None:
    one, two = two_points(scene)
    first(scene)
    scene.git(*DROP_ONE)

    assert lost(scene, one, two) == {one.head: LossHow.REWRITTEN}


@requirement("session.lost-commits")
@pytest.mark.parametrize("first", [renamed, renamed_from_elsewhere, replaced])
def test_a_rebase_under_another_name_loses_nothing_that_it_copies(
    scene: Scene, first: Callable[[Scene], None]
) -> None:
    one, two = two_points(scene)
    first(scene)
    name = scene.point().branch or ""
    scene.git("checkout", "-q", "main")
    scene.commit("Main goes on", readme="x\n")
    scene.git("checkout", "-q", name)
    scene.git("rebase", "-q", "main")

    assert lost(scene, one, two) == {}


@requirement("session.lost-commits")
def test_a_rebase_of_another_branch_loses_nothing_of_a_renamed_one(scene: Scene) -> None:
    scene.commit("One", app_py="one\n")
    point = scene.point()
    renamed(scene)
    scene.git("commit", "-q", "--amend", "-m", "One, told better")
    scene.git("checkout", "-q", "-b", "other", "main")
    scene.commit("Other", other_py="else\n")
    other = scene.point()
    scene.git("checkout", "-q", "main")
    scene.commit("Main goes on", readme="x\n")
    scene.git("checkout", "-q", "other")
    scene.git("rebase", "-q", "main")
    scene.git("checkout", "-q", "renamed")

    assert set(lost(scene, point, other)) == {other.head}


@requirement("session.lost-commits")
def test_an_amended_commit_is_not_lost_when_it_is_copied_with_its_new_subject(
    scene: Scene,
) -> None:
    one, two = two_points(scene)
    (scene.folder / "two.py").write_text("two and a half\n")
    scene.git("commit", "-q", "-a", "--amend", "-m", "Two and a half")
    scene.git("checkout", "-q", "main")
    scene.commit("Main goes on", readme="x\n")
    scene.git("checkout", "-q", "feature")
    scene.git("rebase", "-q", "main")

    assert lost(scene, one, two) == {}


@requirement("session.lost-commits")
def test_an_amended_commit_that_a_rebase_leaves_out_is_lost(scene: Scene) -> None:
    scene.commit("One", one_py="one\n")
    one = scene.point()
    (scene.folder / "one.py").write_text("one and a half\n")
    scene.git("commit", "-q", "-a", "--amend", "-m", "One and a half")
    scene.commit("Two", two_py="two\n")
    scene.git(*DROP_ONE)

    assert lost(scene, one) == {one.head: LossHow.REWRITTEN}


@requirement("session.lost-commits")
def test_a_copy_that_a_later_rebase_starts_from_is_not_lost(scene: Scene) -> None:
    scene.commit("One", app_py="feature\n")
    one = scene.point()
    scene.git("checkout", "-q", "main")
    scene.commit("Main goes on", app_py="main\n")
    scene.git("checkout", "-q", "feature")
    scene.git("rebase", "-q", "main", check=False)
    (scene.folder / "app.py").write_text("both\n")
    scene.git("add", "app.py")
    scene.git("rebase", "--continue")
    assert lost(scene, one) == {}

    scene.commit("Two", two_py="two\n")
    scene.commit("Three", three_py="three\n")
    scene.git("rebase", "-q", "--onto", "HEAD~2", "HEAD~1")

    assert lost(scene, one) == {}


@requirement("session.lost-commits")
def test_a_rebase_loses_an_amended_commit_of_which_the_hook_told(scene: Scene) -> None:
    scene.commit("One", one_py="one\n")
    one = scene.point()
    scene.git("commit", "-q", "--amend", "-m", "One, told better")
    at, new = datetime.now(UTC), scene.head()
    known = {one.head: Rewrite(repo="r", old=one.head, new=new, how=RewriteHow.HOOK, at=at)}
    scene.commit("Two", two_py="two\n")
    assert lost(scene, one, known=known) == {}

    scene.git(*DROP_ONE)

    assert lost(scene, one, known=known) == {one.head: LossHow.REWRITTEN}


@requirement("session.lost-commits")
def test_a_commit_with_the_title_of_a_lost_one_does_not_hide_the_loss(scene: Scene) -> None:
    scene.commit("Work", one_py="one\n")
    one = scene.point()
    scene.commit("Work", two_py="two\n")
    two = scene.point()
    scene.git(*DROP_ONE)

    assert lost(scene, one, two) == {one.head: LossHow.REWRITTEN}


def conflict(scene: Scene, title: str) -> BranchPoint:
    """Commit a change on the branch that a rebase onto main must change."""
    scene.commit(title, app_py="feature\n")
    point = scene.point()
    scene.git("checkout", "-q", "main")
    scene.commit("Main goes on", app_py="main\n")
    scene.git("checkout", "-q", "feature")
    return point


def resolved(scene: Scene, *rebase: str, editor: str = "true") -> None:
    scene.git("rebase", *rebase, "main", check=False, editor=editor)
    (scene.folder / "app.py").write_text("both\n")
    scene.git("add", "app.py")
    scene.git("rebase", "--continue")


@requirement("session.lost-commits")
@pytest.mark.parametrize("title", ["One  and   two", "A long title\nthat goes on", "Größe"])
def test_a_resolved_copy_is_found_by_any_title(scene: Scene, title: str) -> None:
    one = conflict(scene, title)
    resolved(scene)

    assert lost(scene, one) == {}


@requirement("session.lost-commits")
def test_a_resolved_copy_with_a_new_author_date_is_found(scene: Scene) -> None:
    one = conflict(scene, "One")
    resolved(scene, "--reset-author-date")

    assert lost(scene, one) == {}


@requirement("session.lost-commits")
def test_a_resolved_copy_is_not_lost_with_the_commits_on_top_of_it(scene: Scene) -> None:
    one = conflict(scene, "One")
    scene.commit("Two", two_py="two\n")
    two = scene.point()
    resolved(scene)
    scene.git("reset", "-q", "--hard", "HEAD~1")

    assert set(lost(scene, one, two)) == {two.head}


@requirement("session.lost-commits")
def test_a_reworded_commit_is_followed_to_the_rebase_that_leaves_it_out(scene: Scene) -> None:
    one, two = two_points(scene)
    scene.git("checkout", "-q", "main")
    scene.commit("Main goes on", readme="x\n")
    scene.git("checkout", "-q", "feature")
    scene.git("rebase", "-q", "-i", "main", editor="sed -i 1s/pick/reword/")
    assert lost(scene, one, two) == {}

    scene.git(*DROP_ONE)

    assert lost(scene, one, two) == {one.head: LossHow.REWRITTEN}


@requirement("session.lost-commits")
def test_after_a_rebase_that_edits_commits_none_is_called_lost(scene: Scene) -> None:
    one, two = two_points(scene)
    scene.git("rebase", "-q", "-i", "main", editor="sed -i 1s/pick/edit/")
    (scene.folder / "one.py").write_text("other\n")
    scene.git("commit", "-q", "-a", "--amend", "-m", "Another title")
    scene.git("rebase", "--continue")
    scene.git("checkout", "-q", "main")
    scene.commit("Main goes on", readme="x\n")
    scene.git("checkout", "-q", "feature")
    scene.git("rebase", "-q", "main")

    assert lost(scene, one, two) == {}


@requirement("session.lost-commits")
@pytest.mark.parametrize("end", ["--abort", "checkout"])
def test_a_rebase_that_did_not_end_loses_nothing(scene: Scene, end: str) -> None:
    point = conflict(scene, "One")
    if end == "checkout":
        scene.git("checkout", "-q", "--detach")
        scene.git("rebase", "-q", "--onto", "main", "HEAD")
    else:
        scene.git("rebase", "-q", "main", check=False)
        scene.git("rebase", end)
    scene.git("checkout", "-q", "feature")
    (scene.folder / "app.py").write_text("more\n")
    scene.git("commit", "-q", "-a", "--amend", "-m", "Another title")
    resolved(scene)

    assert lost(scene, point) == {}


@requirement("session.lost-commits")
def test_a_commit_that_no_longer_exists_is_not_called_left_out(scene: Scene) -> None:
    scene.commit("Two", two_py="two\n")
    gone = BranchPoint(branch="feature", head="a" * 40, is_aside=True)
    log = scene.folder / ".git/logs/refs/heads/feature"
    lines = log.read_text().splitlines(keepends=True)
    old, new, rest = lines[-1].split(" ", 2)
    made = [f"{old} {gone.head} {rest}", f"{gone.head} {new} {rest}"]
    log.write_text("".join([*lines[:-1], *made]))
    scene.git("checkout", "-q", "main")
    scene.commit("Main goes on", readme="x\n")
    scene.git("checkout", "-q", "feature")
    scene.git("rebase", "-q", "main")

    assert lost(scene, gone) == {}


def joined_by_hand(scene: Scene, **files: str) -> None:
    """Take the last commit back, and commit its files with others as one with the one before."""
    scene.git("reset", "-q", "--soft", "HEAD~1")
    amended(scene, **files)


def amended(scene: Scene, **files: str) -> None:
    """Write files, and put everything into the last commit."""
    for name, text in files.items():
        (scene.folder / name.replace("_", ".")).write_text(text, encoding="utf-8")
    scene.git("add", "-A")
    scene.git("commit", "-q", "--amend", "-m", "Both")


@requirement("session.lost-commits")
@pytest.mark.parametrize(
    ("first", "second", "then", "is_lost"),
    [
        ("a\n", "a\nb\n", "a\nb\nc\n", False),
        ("a\n", "a\nb\n", "c\na\nb\n", False),
        ("a\n", "a\nb\n", "a\nc\n", True),
        ("a\nb\n", "a\n", "a\nc\n", False),
        ("a\nb\n", "a\n", "a\nc\nb\n", True),
        ("a\n", "a\nb\n", "a\n\0\n", True),
    ],
)
def test_a_commit_that_was_taken_back_is_lost_if_its_lines_are_gone(
    scene: Scene, first: str, second: str, then: str, *, is_lost: bool
) -> None:
    scene.commit("One", one_py=first)
    scene.commit("Two", one_py=second)
    two = scene.point()

    joined_by_hand(scene, one_py=then)

    assert bool(lost(scene, two)) is is_lost


@requirement("session.lost-commits")
def test_the_lines_of_a_commit_are_followed_to_a_renamed_file(scene: Scene) -> None:
    text = "".join(f"{number}\n" for number in range(20))
    scene.commit("One", one_py=text)
    scene.commit("Two", one_py=f"{text}more\n")
    two = scene.point()
    scene.git("mv", "one.py", "moved.py")

    joined_by_hand(scene, moved_py=f"{text}more\nand more\n")
    assert lost(scene, two) == {}

    amended(scene, moved_py=f"{text}and more\n")
    assert lost(scene, two) == {two.head: LossHow.RESET}


@requirement("session.lost-commits")
def test_a_commit_without_lines_that_was_taken_back_is_lost(scene: Scene) -> None:
    scene.git("commit", "-q", "--allow-empty", "-m", "Nothing")
    empty = scene.point()
    scene.commit("Binary", one_py="\0\n")
    binary = scene.point()
    scene.git("reset", "-q", "--hard", "HEAD~2")
    scene.commit("Other", other_py="x\n")

    assert set(lost(scene, empty, binary)) == {empty.head, binary.head}


@requirement("session.lost-commits")
@pytest.mark.parametrize("name", ["my file.txt", "ä.txt", 'a "b"\tc', "two\nlines"])
def test_a_deleted_file_of_any_name_is_a_loss(scene: Scene, name: str) -> None:
    scene.commit("One", one_py="one\n")
    (scene.folder / name).write_text("text\n", encoding="utf-8")
    scene.commit("Two", two_py="two\n")
    two = scene.head()

    joined_by_hand(scene, three_py="three\n")
    assert surviving(scene.repository, {two}, scene.head()) == {two}

    (scene.folder / name).unlink()
    amended(scene)
    assert surviving(scene.repository, {two}, scene.head()) == frozenset()


@requirement("session.lost-commits")
def test_a_commit_without_a_change_hides_no_other_one(scene: Scene) -> None:
    scene.git("checkout", "-q", "main")
    scene.commit("Main goes on", main_py="main\n")
    scene.git("checkout", "-q", "feature")
    made, empty = set(), set()
    for number in range(6):
        empty.add(scene.commit("Nothing"))
        made.add(scene.commit("Work", **{f"file{number}": "text\n"}))
    scene.git("merge", "-q", "--no-edit", "main")
    end = scene.head()

    assert surviving(scene.repository, {*made, *empty, end}, end) == made


@requirement("session.lost-commits")
def test_a_commit_with_the_files_of_the_target_hides_no_other_one(scene: Scene) -> None:
    made = set()
    for number in range(6):
        text = "".join(f"{one}\n" for one in range(number + 1))
        made.add(scene.commit("Work", work_py=text))

    assert surviving(scene.repository, made, scene.head()) == made


@requirement("session.lost-commits")
def test_a_file_that_was_only_renamed_or_made_a_program_keeps_its_lines(scene: Scene) -> None:
    scene.commit("One", one_py="one\n")
    two = scene.commit("Two", one_py="one\ntwo\nthree\n", program="text\n", __init__="")
    scene.git("mv", "one.py", "moved.py")
    (scene.folder / "program").chmod(0o755)
    joined_by_hand(scene)

    assert surviving(scene.repository, {two}, scene.head()) == {two}


@requirement("session.lost-commits")
@pytest.mark.parametrize("undone", ["rename", "mode", "empty file", "link"])
def test_a_commit_whose_change_has_no_lines_is_lost_with_it(scene: Scene, undone: str) -> None:
    scene.commit("One", one_py="one\n", program="text\n", more="more\n")
    first = scene.head()
    scene.git("mv", "one.py", "moved.py")
    (scene.folder / "program").chmod(0o755)
    two = scene.commit("Two", empty="")
    scene.git("reset", "-q", "--soft", first)
    assert surviving(scene.repository, {two}, scene.commit("Both", more="and more\n")) == {two}

    if undone == "rename":
        scene.git("mv", "moved.py", "one.py")
    elif undone == "mode":
        (scene.folder / "program").chmod(0o644)
    else:
        (scene.folder / "empty").unlink()
    if undone == "link":
        (scene.folder / "empty").symlink_to("more")
    scene.commit("Other")

    assert surviving(scene.repository, {two}, scene.head()) == frozenset()


@requirement("session.lost-commits")
def test_of_many_commits_the_newest_are_looked_at(scene: Scene) -> None:
    made = [scene.commit("Work", **{f"file{number}": "text\n"}) for number in range(34)]

    assert surviving(scene.repository, made, made[-1]) == set(made[2:])


@requirement("session.lost-commits")
@pytest.mark.parametrize("subject", ["Explain a forced-update", "fetch: forced-update"])
def test_a_subject_does_not_tell_that_others_pushed(scene: Scene, subject: str) -> None:
    scene.commit("One", one_py="one\n")
    one = scene.point()
    scene.git("commit", "-q", "--amend", "-m", subject)
    scene.git("reset", "-q", "--hard", "main")
    scene.commit("Other", other_py="x\n")

    assert lost(scene, one) == {one.head: LossHow.REWRITTEN}


@requirement("session.lost-commits")
def test_a_subject_does_not_end_a_rebase(scene: Scene) -> None:
    scene.commit("One (finish)", one_py="one\n")
    two = scene.commit("Two", two_py="two\n")
    scene.git("checkout", "-q", "main")
    scene.commit("Main goes on", readme="x\n")
    scene.git("checkout", "-q", "feature")
    scene.git("rebase", "-q", "main")

    assert rewritten_into(moves(scene.repository), two) == (scene.head(),)


@requirement("session.lost-commits")
def test_a_rebase_by_a_pull_from_an_address_is_seen(scene: Scene) -> None:
    one = scene.commit("One", one_py="one\n")
    scene.git("checkout", "-q", "main")
    scene.commit("Main goes on", readme="x\n")
    scene.git("checkout", "-q", "feature")
    scene.git("pull", "-q", "--rebase", f"file://{scene.folder}", "main")

    assert rewritten_into(moves(scene.repository), one) == (scene.head(),)
    assert rewritten_into(moves(scene.repository, "feature"), one) == (scene.head(),)


@requirement("session.lost-commits")
@pytest.mark.parametrize(
    "pull",
    [
        ("pull", "-q", "--ff-only", ".", "next"),
        ("pull", "-q", "--no-rebase", "--no-ff", "--no-edit", ".", "next"),
        ("fetch", "-q", ".", "next:feature"),
    ],
)
def test_a_pull_before_a_reset_takes_nothing_away(scene: Scene, pull: tuple[str, ...]) -> None:
    one, two = two_points(scene)
    scene.git("checkout", "-q", "-b", "next")
    scene.commit("Three", three_py="three\n")
    scene.git("checkout", "-q", "next" if pull[0] == "fetch" else "feature")
    scene.git(*pull)
    scene.git("checkout", "-q", "feature")
    scene.git("reset", "-q", "--hard", "main")

    assert lost(scene, one, two) == dict.fromkeys((one.head, two.head), LossHow.RESET)
