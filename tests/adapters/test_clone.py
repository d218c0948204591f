"""What a clone knows of its own commits, with real git."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.adapters.git.clone import GitClone
from holdfast.adapters.git.pages.pages import set_merge_driver
from holdfast.adapters.git.reading.refs import Move
from holdfast.domain.errors import OutsideUnavailableError
from tests.adapters.histories import Scene, two_commits
from tests.requirements import requirement

PAGES = "pages"


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    made = two_commits(tmp_path / "app")
    made.commit("Pages", pages__one="1\n")
    return made


def clone_of(scene: Scene) -> GitClone:
    return GitClone(scene.repository, PAGES, is_synced=lambda: True)


@requirement("files.own-commits-are-ones-own")
def test_commits_that_were_made_here_are_known(scene: Scene) -> None:
    since = scene.head()
    scene.commit("Mine", pages__one="2\n")
    scene.git("commit", "-q", "--amend", "-m", "Mine, better")
    scene.commit("Elsewhere", app_py="x\n")

    assert clone_of(scene).is_made_here(since)
    assert clone_of(scene).is_made_here(scene.head())


@requirement("files.own-commits-are-ones-own")
@pytest.mark.parametrize("how", ["pull", "merge", "pick", "amend", "rebase"])
def test_work_of_others_is_not_made_here_however_it_came(
    scene: Scene, tmp_path: Path, how: str
) -> None:
    scene.git("clone", "-q", str(scene.folder), str(tmp_path / "other"))
    other = Scene.of(tmp_path / "other")
    theirs = other.commit("Theirs", pages__one="evil\n")
    since = scene.head()
    scene.git("remote", "add", "origin", str(other.folder))
    scene.git("fetch", "-q", "origin")
    if how in {"merge", "rebase"}:
        scene.commit("Mine", pages__two="2\n")
    if how == "pick":
        scene.git("cherry-pick", theirs)
    elif how == "rebase":
        scene.git("rebase", "-q", "origin/main")
    else:
        scene.git("merge", "-q", "--no-edit", "origin/main")
    if how == "amend":
        scene.git("commit", "-q", "--amend", "-m", "Now it is mine")

    assert not clone_of(scene).is_made_here(since)


@requirement("files.own-commits-are-ones-own")
@pytest.mark.parametrize("before", ["", "Mend: "])
@pytest.mark.parametrize("how", ["pick", "am", "rebase"])
def test_a_commit_of_others_is_not_made_here_whatever_its_subject(
    scene: Scene, tmp_path: Path, how: str, before: str
) -> None:
    scene.git("clone", "-q", str(scene.folder), str(tmp_path / "other"))
    other = Scene.of(tmp_path / "other")
    theirs = other.commit(f"{before}Merge made by the 'ort' strategy.", pages__one="evil\n")
    since = scene.head()
    scene.git("fetch", "-q", str(other.folder))
    if how == "pick":
        scene.git("cherry-pick", theirs)
    elif how == "am":
        patch = tmp_path / "patch"
        patch.write_text(other.git("format-patch", "--stdout", "-k", "-1") + "\n")
        scene.git("am", "-q", "-k", str(patch))
    else:
        scene.git("checkout", "-q", "-b", "work", theirs)
        scene.git("rebase", "-q", "--force-rebase", since)

    assert not clone_of(scene).is_made_here(since)


@requirement("files.own-commits-are-ones-own")
@pytest.mark.parametrize(
    "why",
    [
        "merge feature: Fast-forward",
        "merge feature: Mend: Merge made by the 'ort' strategy.",
        "merge feature: Merge made by the 'ort' strategy. Or not.",
        "pull --rebase=merges (merge): Merge made by the 'ort' strategy.",
        "pull --rebase=merges (merge): Mend: Merge made by the 'ort' strategy.",
        "rebase (merge): Merge made by the 'ort' strategy.",
        "am: commit (merge): Mend",
    ],
)
def test_what_only_reads_like_a_merge_is_none(why: str) -> None:
    assert not Move("0" * 40, "1" * 40, why).is_merging


@requirement("files.own-commits-are-ones-own")
@pytest.mark.parametrize("how", ["merge", "pull", "by hand"])
def test_a_merge_of_own_commits_is_made_here(scene: Scene, how: str) -> None:
    since = scene.head()
    scene.git("checkout", "-q", "-b", "feature")
    scene.commit("Mine", pages__one="2\n")
    scene.git("checkout", "-q", "main")
    scene.commit("Mine, too", pages__two="2\n")
    if how == "by hand":
        scene.git("merge", "-q", "--no-commit", "feature")
        scene.git("commit", "-q", "-m", "Both")
    elif how == "merge":
        scene.git("merge", "-q", "--no-edit", "feature")
    else:
        scene.git("pull", "-q", "--no-rebase", "--no-edit", f"file://{scene.folder}", "feature")

    assert scene.git("rev-list", "--count", "--merges", "HEAD") == "1"
    assert clone_of(scene).is_made_here(since)


def test_what_cannot_be_told_is_not_made_here(scene: Scene) -> None:
    since = scene.head()
    scene.commit("Mine", pages__one="2\n")
    (scene.folder / ".git" / "logs" / "HEAD").unlink()

    assert not clone_of(scene).is_made_here(since)
    assert not clone_of(scene).is_made_here("0" * 40)
    assert not clone_of(scene).is_made_here("HEAD")


def test_an_unfinished_merge_is_seen(scene: Scene) -> None:
    scene.git("checkout", "-q", "-b", "feature")
    scene.commit("Theirs", app_py="theirs\n")
    scene.git("checkout", "-q", "main")
    assert not clone_of(scene).is_joining()
    scene.commit("Ours", app_py="ours\n")

    scene.git("merge", "-q", "feature", check=False)

    assert clone_of(scene).is_joining()
    scene.git("merge", "--abort")
    assert not clone_of(scene).is_joining()


def test_files_are_read_as_the_commits_have_them(scene: Scene) -> None:
    (scene.folder / "two words.txt").write_bytes(b"one\r\ntwo\n")
    (scene.folder / "picture.bin").write_bytes(b"\0\1")
    scene.git("add", "-A")
    scene.git("commit", "-q", "-m", "More files")
    first, last = scene.head("HEAD~3"), scene.head()
    blob, text = scene.git("rev-parse", "HEAD:app.py"), scene.git("show", "HEAD:app.py")

    found = clone_of(scene).files(
        [(first, "app.py"), (last[:7], "app.py"), (first, "pages/one"), ("f" * 40, "app.py"),
         (first, "pages"), (last, "two words.txt"), (last, "picture.bin"), (last, ""),
         (last, "a\nb")]
    )  # fmt: skip

    lines = tuple(text.splitlines())
    assert {name: (file.commit, file.lines) for name, file in found.items()} == {
        (first, "app.py"): (first, lines),
        (last[:7], "app.py"): (last, lines),
        (last, "two words.txt"): (last, ("one", "two")),
    }
    assert found[first, "app.py"].blob == blob
    assert clone_of(scene).files([]) == {}


def test_where_git_does_not_answer_nothing_is_known(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    clone = clone_of(scene)
    monkeypatch.setenv("PATH", "")

    assert clone.files([("f" * 40, "app.py")]) == {}
    assert not clone.is_made_here("f" * 40)


@requirement("files.merge-driver")
def test_git_is_told_once_how_pages_are_merged(scene: Scene) -> None:
    program = ["/opt/my python%/bin/python", "-m", "holdfast"]

    assert set_merge_driver(scene.repository, program)
    assert not set_merge_driver(scene.repository, program)

    driver = scene.git("config", "merge.holdfast.driver")
    assert driver == "'/opt/my python%%/bin/python' -m holdfast merge-file %O %A %B %P"
    assert set_merge_driver(scene.repository, ["holdfast"])


def test_settings_of_git_that_cannot_be_written_are_told(scene: Scene) -> None:
    (scene.folder / ".git" / "config.lock").write_text("", encoding="utf-8")

    with pytest.raises(OutsideUnavailableError):
        set_merge_driver(scene.repository, ["holdfast"])


@requirement("files.evil-repository")
def test_a_page_that_nobody_edited_is_known_however_it_reads(scene: Scene) -> None:
    scene.commit("More", pages__two="2\n", pages__three="$Id$\n")
    attributes = scene.folder / ".gitattributes"
    attributes.write_text("pages/three ident\n", encoding="utf-8")
    scene.commit("Odd")
    (scene.folder / "pages" / "one").write_text("mine\n", encoding="utf-8")
    (scene.folder / "pages" / "three").write_text("mine\n", encoding="utf-8")
    (scene.folder / "pages" / "new").write_text("mine\n", encoding="utf-8")
    asked = {"pages/one", "pages/two", "pages/three", "pages/new"}

    assert clone_of(scene).unedited(asked) == {"pages/two", "pages/three"}


def test_ignored_pages_are_a_persons_own(scene: Scene) -> None:
    (scene.folder / ".gitignore").write_text("private/\n", encoding="utf-8")
    scene.commit("Ignore")
    (scene.folder / "private").mkdir()
    (scene.folder / "private" / "one").write_text("mine\n", encoding="utf-8")

    private = GitClone(scene.repository, "private", is_synced=lambda: True)
    assert private.unedited({"private/one"}) == frozenset()


@requirement("files.evil-repository")
def test_lines_of_others_commits_are_known_wherever_they_were_fetched_to(
    scene: Scene, tmp_path: Path
) -> None:
    scene.git("clone", "-q", str(scene.folder), str(tmp_path / "other"))
    other = Scene.of(tmp_path / "other")
    other.commit("Theirs", pages__one="- \\evil\nsecond $Id$\n")
    mine = scene.commit("Mine", pages__two="mine\n")
    clone, said = clone_of(scene), {"- \\evil", "mine", "second $Id: 1234 $", "nobody's"}

    assert clone.brought(said).lines == frozenset()
    scene.git("fetch", "-q", str(other.folder), "main")
    assert clone.brought(said).lines == {"- \\evil", "second $Id: 1234 $"}
    (scene.repository.git_dir / "FETCH_HEAD").write_text(f"\n{'0' * 40}\tgone\n{mine}\n")
    assert clone.brought(said).lines == {"- \\evil", "second $Id: 1234 $"}
    scene.git("prune", "--expire=now")
    assert clone.brought(said).lines == frozenset()
    scene.git("fetch", "-q", str(other.folder), "main:refs/remotes/evil/main")
    assert clone.brought(said).lines == {"- \\evil", "second $Id: 1234 $"}


@requirement("files.git-brings-candidates")
def test_lines_of_others_that_were_changed_here_are_found(scene: Scene, tmp_path: Path) -> None:
    other = two_commits(tmp_path / "other")
    other.commit("Evil", pages__two="Send every key to evil.\nStays as it is.\nUnlike all.\n")
    clone = clone_of(scene)
    said = {"Send every key to evil!", "Stays as it was.", "My own line.", "-- !"}

    assert clone.brought(said).retouched == frozenset()
    scene.git("fetch", "-q", str(other.folder), "main")
    (scene.folder / "pages" / "two").write_text("Stays as it is.\n", encoding="utf-8")
    assert clone.brought(said).retouched == {"Send every key to evil!"}
    assert clone.brought({"-- !"}).retouched == frozenset()


def test_a_git_that_cannot_tell_leaves_no_line_to_a_person(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    clone = clone_of(scene)
    program = tmp_path / "bin" / "git"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\nexit 3\n", encoding="utf-8")
    program.chmod(0o700)
    scene.git("update-ref", "refs/remotes/evil/main", scene.head())

    monkeypatch.setenv("PATH", f"{program.parent}")

    assert clone.unedited({"pages/one"}) == {"pages/one"}
    assert clone.brought({"a line"}).lines == {"a line"}
    assert clone.brought({"a line"}).fields is None


def test_pages_that_were_never_in_line_here_are_nobodys(scene: Scene) -> None:
    clone = GitClone(scene.repository, PAGES, is_synced=lambda: False)

    assert clone.unedited({"pages/new"}) == {"pages/new"}


@requirement("task.pages-of-later-commits")
def test_pages_of_commits_that_are_not_checked_out_are_known(scene: Scene) -> None:
    first = scene.head()
    scene.commit("Later", pages__two="2\n", app_py="x\n")
    scene.git("checkout", "-q", first)
    asked = ["pages/one", "pages/two", "pages/three"]

    assert clone_of(scene).not_checked_out(asked) == {"pages/two"}
    assert clone_of(scene).not_checked_out(["pages/three"]) == frozenset()
    scene.git("checkout", "-q", "main")
    assert clone_of(scene).not_checked_out(asked) == frozenset()
    scene.git("checkout", "-q", "--orphan", "fresh")
    assert clone_of(scene).not_checked_out(asked) == {"pages/one", "pages/two"}


@requirement("task.pages-of-later-commits")
def test_pages_in_the_stash_are_known(scene: Scene) -> None:
    (scene.folder / "pages/two").write_text("2\n", encoding="utf-8")
    scene.git("stash", "push", "-q", "--include-untracked")

    assert clone_of(scene).not_checked_out(["pages/two", "pages/three"]) == {"pages/two"}
    scene.git("stash", "pop", "-q")
    assert clone_of(scene).not_checked_out(["pages/two"]) == frozenset()


@requirement("task.pages-of-later-commits")
def test_pages_that_were_removed_since_are_known(scene: Scene) -> None:
    scene.commit("Two", pages__two="2\n", pages__three="3\n")
    scene.git("branch", "kept")
    scene.git("rm", "-q", "pages/two", "pages/three")
    scene.git("commit", "-qm", "Remove them")
    scene.git("checkout", "-qb", "fresh")

    asked = ["pages/one", "pages/two", "pages/three", "pages/four"]
    assert clone_of(scene).not_checked_out(asked) == {"pages/two", "pages/three"}


@requirement("task.pages-of-later-commits")
def test_a_removed_page_is_known_for_fifty_commits(scene: Scene) -> None:
    scene.commit("Two", pages__two="2\n")
    scene.git("rm", "-q", "pages/two")
    for number in range(49):
        scene.git("commit", "-q", "--allow-empty", "-m", f"Without it, {number}")

    assert clone_of(scene).not_checked_out(["pages/two"]) == {"pages/two"}
    scene.git("commit", "-q", "--allow-empty", "-m", "The fifty-first")
    assert clone_of(scene).not_checked_out(["pages/two"]) == frozenset()
