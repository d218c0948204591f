"""Whether a commit that replaced another makes its change, in real repositories."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from holdfast.adapters.git.lineage import sameness
from holdfast.adapters.git.lineage.lineage import fates
from holdfast.adapters.git.lineage.told import borne_out
from holdfast.domain.memory.anchor import CommitFate, CommitName, Rewrite, RewriteHow
from tests.adapters.histories import Scene, arrived, two_commits
from tests.requirements import requirement

_ABOVE, _BELOW = ("    a = 1\n    b = 2\n    c = 3\n", "    d = 4\n    e = 5\n    f = 6\n")
_BODY = f"{_ABOVE}    limit = 5\n{_BELOW}    return limit\n"
_TWINS = f"def pay():\n{_BODY}\n\ndef refund():\n{_BODY}"


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return two_commits(tmp_path / "app")


def fate(scene: Scene, commit: str, by: str | None = None) -> CommitFate:
    """Return what became of a commit; git said which one replaced it, if that is given."""
    at = datetime(2026, 1, 1, tzinfo=UTC)
    told = Rewrite(repo="repo_x", old=commit, new=by or "", how=RewriteHow.HOOK, at=at)
    known = {} if by is None else {commit: told}
    return fates(scene.repository, [CommitName(id=commit)], known)[commit]


def in_pay(text: str = _TWINS) -> str:
    return text.replace("limit = 5", "limit = 99", 1)


def in_refund(text: str = _TWINS) -> str:
    before, refund, after = text.partition("def refund")
    return before + refund + after.replace("limit = 5", "limit = 99", 1)


@requirement("commit.followed-through-rewrites")
def test_a_commit_with_other_indentation_makes_another_change(scene: Scene) -> None:
    scene.commit("Start", a_py="def f(x):\n    if x:\n        log(x)\n    done()\n")
    text = (scene.folder / "a.py").read_text()
    old = scene.commit("Return", a_py=text.replace("log(x)\n", "log(x)\n        return None\n"))
    scene.git("reset", "-q", "--hard", "HEAD~1")
    new = scene.commit("Return", a_py=text.replace("log(x)\n", "log(x)\n    return None\n"))

    found = fate(scene, old)

    assert (found.now, found.is_altered) == (new, True)
    assert "white space" in found.words


@requirement("commit.followed-through-rewrites")
@pytest.mark.parametrize("more", ["", "# a line above\n"])
def test_a_commit_that_changes_the_twin_of_a_place_makes_another_change(
    scene: Scene, more: str
) -> None:
    scene.commit("Start", a_py=_TWINS)
    old = scene.commit("Raise", a_py=in_pay())
    scene.git("reset", "-q", "--hard", "HEAD~1")
    if more:
        scene.commit("More", a_py=more + _TWINS)
    new = scene.commit("Raise", a_py=in_refund(more + _TWINS))

    found = fate(scene, old)

    assert (found.now, found.is_altered) == (new, True)
    assert "another place" in found.words


@requirement("commit.followed-through-rewrites")
@pytest.mark.parametrize(
    "more", ["# a line above\n", _TWINS.replace("def ", "def other_") + "\n\n"]
)
def test_a_rebased_commit_makes_the_same_change_though_the_place_has_twins(
    scene: Scene, more: str
) -> None:
    start = scene.commit("Start", a_py=_TWINS)
    old = scene.commit("Raise", a_py=in_refund())
    scene.git("reset", "-q", "--hard", start)
    scene.commit("More", a_py=more + _TWINS)
    new = scene.commit("Raise", a_py=more + in_refund())

    found = fate(scene, old)

    assert (found.now, found.is_altered) == (new, False), found.words


@requirement("commit.followed-through-rewrites")
def test_of_two_commits_with_one_patch_id_that_in_the_same_place_is_taken(scene: Scene) -> None:
    scene.commit("Start", a_py=_TWINS)
    old = scene.commit("Raise", a_py=in_pay())
    scene.git("reset", "-q", "--hard", "HEAD~1")
    scene.commit("The twin first", a_py=in_refund())
    scene.git("commit", "-q", "--allow-empty", "-m", "Nothing")
    new = scene.commit("Raise", a_py=in_pay(in_refund()))

    found = fate(scene, old)

    assert (found.now, found.is_altered) == (new, False), found.words


@requirement("commit.followed-through-rewrites")
def test_a_squash_that_has_nothing_of_a_commit_does_not_contain_it(scene: Scene) -> None:
    scene.commit("Start", a_py="lim = 1\n", b_py="keep\ndrop\n")
    scene.git("checkout", "-q", "-b", "feature")
    undone = scene.commit("Two", a_py="lim = 2\n")
    removed = scene.commit("Drop", b_py="keep\n")
    kept = scene.commit("Other", c_py="other\n", a_py="lim = 1\n", b_py="keep\ndrop\n")
    scene.git("checkout", "-q", "main")
    scene.git("merge", "-q", "--squash", "feature")
    scene.git("commit", "-q", "-m", "Squash")
    scene.git("branch", "-q", "-D", "feature")

    found = {name: fate(scene, name) for name in (undone, removed)}

    assert {one.is_altered for one in found.values()} == {True}
    assert "does not contain" in found[undone].words
    assert fate(scene, kept).now == scene.head()


@requirement("commit.followed-through-rewrites")
def test_a_squash_contains_a_commit_whose_file_was_renamed_or_lines_were_new(scene: Scene) -> None:
    scene.commit("Start", b_py="keep\n")
    scene.git("checkout", "-q", "-b", "feature")
    added = scene.commit("Add", a_py="lim = 2\n", b_py="keep\ndraft\n")
    tidied = scene.commit("Tidy", b_py="keep\n")
    scene.git("mv", "a.py", "z.py")
    scene.git("commit", "-q", "-m", "Rename")
    last = scene.commit("More", c_py="more\n")
    scene.git("checkout", "-q", "main")
    scene.git("merge", "-q", "--squash", "feature")
    scene.git("commit", "-q", "-m", "Squash")
    scene.git("branch", "-q", "-D", "feature")

    assert [fate(scene, name).is_altered for name in (added, tidied, last)] == [True, False, False]


@requirement("commit.followed-through-rewrites")
def test_an_amended_commit_makes_another_change_only_if_its_lines_changed(scene: Scene) -> None:
    scene.commit("Start", a_py="lim = 1\n")
    old = scene.commit("Two", a_py="lim = 2\n")
    scene.git("commit", "-q", "--amend", "-m", "Set it to two")
    reworded = scene.head()
    scene.git("commit", "-q", "--amend", "--allow-empty", "-m", "Two", "--only")
    (scene.folder / "a.py").write_text("lim = 3\n")
    scene.git("commit", "-q", "-a", "--amend", "-m", "Three")
    other = scene.head()

    assert fate(scene, old, other).is_altered
    scene.git("reset", "-q", "--hard", reworded)
    assert not fate(scene, old, reworded).is_altered


@requirement("commit.followed-through-rewrites")
def test_modes_and_binary_files_are_compared_too(scene: Scene) -> None:
    scene.commit("Start", a_py="one\n")
    (scene.folder / "x.bin").write_bytes(b"\0one")
    scene.git("add", "-A")
    scene.git("commit", "-q", "-m", "Binary")
    old = scene.head()
    (scene.folder / "x.bin").write_bytes(b"\0two")
    scene.git("commit", "-q", "-a", "--amend", "-m", "Binary")

    assert fate(scene, old, scene.head()).is_altered


@requirement("commit.followed-through-rewrites")
def test_a_told_rewrite_counts_only_if_the_commits_bear_it_out(scene: Scene) -> None:
    scene.commit("Start", a_py="lim = 1\n")
    old = scene.commit("Two", a_py="lim = 2\n")
    (scene.folder / "a.py").write_text("lim = 3\n")
    scene.git("commit", "-q", "-a", "--amend", "-m", "Three")
    amended = scene.head()
    scene.git("reset", "-q", "--hard", "HEAD~1")
    scene.git("config", "user.email", "other@example.org")
    other = scene.commit("Other", b_py="other\n")
    squash = scene.commit("Squash", a_py="lim = 2\n", c_py="more\n")
    told = [(old, amended), (old, other), (old, squash), (old, "f" * 40), ("-n1", other), ("", "")]

    assert borne_out(scene.repository, told) == [(old, amended), (old, squash)]


@requirement("branch.arrives-by-content")
@pytest.mark.parametrize("text", [in_refund(), _TWINS.replace("    limit = 5", "  limit = 99", 1)])
def test_a_branch_does_not_arrive_by_the_twin_of_its_change(scene: Scene, text: str) -> None:
    scene.commit("Start", a_py=_TWINS)
    scene.git("checkout", "-q", "-b", "feature")
    scene.commit("Raise", a_py=in_pay())
    point = scene.point()
    scene.git("checkout", "-q", "main")
    scene.commit("Raise", a_py=text)

    assert not arrived(scene.repository, [point], {})

    scene.commit("Back", a_py=_TWINS)
    scene.commit("Raise", a_py=in_pay())
    assert arrived(scene.repository, [point], {}) == {point}


def test_beyond_the_bound_the_patch_ids_decide(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sameness, "MOST_READ", 1)
    scene.commit("Start", a_py=_TWINS)
    old = scene.commit("Raise", a_py=in_pay())
    scene.git("reset", "-q", "--hard", "HEAD~1")
    scene.commit("Raise", a_py=in_refund())

    assert not fate(scene, old).is_altered
