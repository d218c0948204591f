"""Whether a commit that replaced another makes its change, in real repositories."""

from __future__ import annotations

import shutil
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from holdfast.adapters.git.lineage import sameness
from holdfast.adapters.git.lineage.commit_changes import Replacement
from holdfast.adapters.git.lineage.lineage import fates
from holdfast.adapters.git.lineage.reported import confirmed_rewrites
from holdfast.adapters.git.lineage.sameness import compared
from holdfast.adapters.git.reading.repository import find_repository
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


@requirement("commit.says-what-arrived")
def test_of_a_change_that_arrived_in_part_the_lines_and_files_are_named(scene: Scene) -> None:
    texts = {f"{name}_py": f"{name} = 1\n" for name in "cdefg"}
    start = scene.commit("Start", **texts, a_py="one\n")
    old = scene.commit(
        "All",
        **{name: text.replace("1", "2") for name, text in texts.items()},
        a_py="one\ntwo\nthree\n",
    )
    scene.git("reset", "-q", "--hard", start)
    part = scene.commit("Part", a_py="one\ntwo\n", c_py="c = 2\n")

    assert fate(scene, old, part).words == (
        f"only a part of its change arrived: {part[:7]} has 3 of its 12 changed lines,"
        " and none of those in d.py, e.py, f.py and 1 other file"
    )
    scene.git("reset", "-q", "--hard", start)
    whole_files = scene.commit("Files", **{n: t.replace("1", "2") for n, t in texts.items()})
    assert fate(scene, old, whole_files).words == (
        f"only a part of its change arrived: {whole_files[:7]} has 10 of its 12 changed lines,"
        " and none of those in a.py"
    )
    none = scene.commit("Another", b_py="other\n")
    assert fate(scene, old, none).words == (
        f"its change did not arrive: {none[:7]} took its place, without any of its 12 changed lines"
    )


@requirement("commit.says-what-arrived")
def test_of_one_changed_line_no_number_is_said(scene: Scene) -> None:
    start = scene.head()
    old = scene.commit("One", n_py="one\n")
    scene.git("reset", "-q", "--hard", start)
    none = scene.commit("Another", m_py="other\n")

    assert fate(scene, old, none).words.endswith("took its place, without its changed line")


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
    assert "its change did not arrive" in found[undone].words
    assert fate(scene, kept).now == scene.head()


def squashed(scene: Scene) -> None:
    """Merge the branch into main as one commit, and remove it."""
    scene.git("checkout", "-q", "main")
    scene.git("merge", "-q", "--squash", "feature")
    scene.git("commit", "-q", "-m", "Squash")
    scene.git("branch", "-q", "-D", "feature")


@requirement("commit.followed-through-rewrites")
def test_a_squash_contains_what_later_commits_of_it_left(scene: Scene) -> None:
    scene.commit("Start", b_py="keep\n", d_py="def f():\n    return None\n", e_sh="run\n")
    scene.git("checkout", "-q", "-b", "feature")
    drafted = scene.commit("Draft", a_py="lim = 2\n", b_py="keep\ndraft\n")
    kept = [
        scene.commit("Tidy", b_py="keep\n"),
        scene.commit("Value", d_py="def f():\n    return 2\n"),
        scene.commit("Another", d_py="def f():\n    return 2\n\ndef g():\n    return None\n"),
        scene.commit("Package", p____init___py=""),
        scene.commit("Fill it", p____init___py="name = 1\n"),
    ]
    scene.git("mv", "a.py", "z.py")
    kept.append(scene.commit("Rename"))
    (scene.folder / "e_sh").chmod(0o755)
    kept += [scene.commit("Run"), scene.commit("Edit", e_sh="run it\n")]
    squashed(scene)

    found = [fate(scene, name) for name in kept]

    assert [(one.now, one.is_altered) for one in found] == [(scene.head(), False)] * len(kept)
    assert fate(scene, drafted).is_altered


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
def test_modes_binary_files_and_last_newlines_are_compared_too(scene: Scene) -> None:
    scene.commit("Start", a_py="one\n", b_py="last", c_sh="run\n")
    start = scene.head()
    (scene.folder / "x.bin").write_bytes(b"\0one")
    binary = scene.commit("Binary")
    (scene.folder / "x.bin").write_bytes(b"\0two")
    scene.git("commit", "-q", "-a", "--amend", "-m", "Binary")

    assert fate(scene, binary, scene.head()).is_altered

    scene.git("reset", "-q", "--hard", start)
    (scene.folder / "c_sh").chmod(0o755)
    mode = scene.commit("Mode", a_py="two\n")
    scene.git("reset", "-q", "--hard", start)
    assert fate(scene, mode, scene.commit("Mode", a_py="two\n")).is_altered

    scene.git("reset", "-q", "--hard", start)
    newline = scene.commit("Newline", a_py="two\n", b_py="last\n")
    scene.git("reset", "-q", "--hard", start)
    assert fate(scene, newline, scene.commit("Newline", a_py="two\n")).is_altered


@requirement("commit.followed-through-rewrites")
def test_a_rebase_over_a_change_of_the_same_binary_file_is_not_refused(scene: Scene) -> None:
    (scene.folder / ".gitattributes").write_text("*.lock -diff\n")
    (scene.folder / "a.lock").write_text("one\ntwo\nthree\nfour\nfive\n")
    start = scene.commit("Start", a_py="one\n")
    (scene.folder / "a.lock").write_text("one\ntwo\nthree\nfour\nsix\n")
    old = scene.commit("Change", a_py="two\n")
    scene.git("reset", "-q", "--hard", start)
    (scene.folder / "a.lock").write_text("zero\ntwo\nthree\nfour\nfive\n")
    scene.commit("Upstream")
    (scene.folder / "a.lock").write_text("zero\ntwo\nthree\nfour\nsix\n")

    found = fate(scene, old, scene.commit("Change", a_py="two\n"))

    assert not found.is_altered, found.words


@requirement("commit.followed-through-rewrites")
def test_a_place_without_a_heading_may_get_a_twin_below_or_above(scene: Scene) -> None:
    block = "  - name: x\n    a: 1\n    b: 2\n    limit: 5\n    c: 3\n    d: 4\n    e: 5\n"
    start = scene.commit("Start", y_yml=f"  top: 1\n{block}")
    old = scene.commit("Raise", y_yml=f"  top: 1\n{block}".replace("limit: 5", "limit: 9"))
    for text in (f"  top: 1\nNEW{block}", f"  top: 1\n{block}NEW"):
        scene.git("reset", "-q", "--hard", start)
        scene.commit("Twin", y_yml=text.replace("NEW", block))
        raised = text.replace(block, block.replace("limit: 5", "limit: 9")).replace("NEW", block)
        assert not fate(scene, old, scene.commit("Raise", y_yml=raised)).is_altered


@requirement("commit.followed-through-rewrites")
def test_many_rivals_with_other_white_space_do_not_make_one_of_them_right(scene: Scene) -> None:
    start = scene.commit("Start", a_py="x\n")
    old = scene.commit("Add", a_py="x\n    y\n")
    scene.git("reset", "-q", "--hard", start)
    for blanks in range(5, 16):
        scene.commit("Add", a_py=f"x\n{' ' * blanks}y\n")
        scene.commit("Back", a_py="x\n")

    assert fate(scene, old).is_altered


@requirement("commit.followed-through-rewrites")
def test_a_partial_clone_does_not_ask_for_files_that_it_lacks(scene: Scene, tmp_path: Path) -> None:
    scene.commit("Start", a_py="lim = 1\n")
    old = scene.commit("Two", a_py="lim = 2\n")
    scene.git("branch", "kept")
    scene.git("commit", "-q", "--amend", "-m", "Set it to two")
    scene.git("config", "uploadpack.allowFilter", "true")
    scene.git(
        "clone",
        "-q",
        "--filter=blob:none",
        "--no-checkout",
        f"file://{scene.folder}",
        str(tmp_path / "part"),
    )
    new = scene.head()
    shutil.move(scene.folder, tmp_path / "gone")
    part = find_repository(tmp_path / "part")
    assert part is not None

    assert not compared(part, [Replacement(old, new)])
    assert confirmed_rewrites(part, [(old, new)]) == [(old, new)]


@requirement("commit.followed-through-rewrites")
def test_a_reported_rewrite_counts_only_if_the_commits_confirm_it(scene: Scene) -> None:
    scene.commit("Start", a_py="lim = 1\n")
    old = scene.commit("Two", a_py="lim = 2\n")
    (scene.folder / "a.py").write_text("lim = 3\n")
    scene.git("commit", "-q", "-a", "--amend", "-m", "Three")
    amended = scene.head()
    scene.git("reset", "-q", "--hard", "HEAD~1")
    scene.git("config", "user.email", "other@example.org")
    other = scene.commit("Other", b_py="other\n")
    squash = scene.commit("Squash", a_py="lim = 2\n", c_py="more\n")
    scene.git("commit", "-q", "--allow-empty", "-m", "Empty")
    empty = scene.head()
    wrong = [(old, other), (old, empty), (old, "f" * 40), ("-n1", other), ("", "")]

    found = confirmed_rewrites(scene.repository, [*wrong, (old, amended), (old, squash)])

    assert found == [(old, amended), (old, squash)]


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


@requirement("commit.followed-through-rewrites")
def test_what_was_not_compared_is_not_confirmed_and_decided_by_the_patch_id(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sameness, "AT_ONCE", 1)
    scene.commit("Start", a_py=_TWINS)
    old = scene.commit("Raise", a_py=in_pay())
    scene.git("reset", "-q", "--hard", "HEAD~1")
    scene.git("config", "user.email", "other@example.org")
    new = scene.commit("Raise", a_py=in_refund())

    assert fate(scene, old).is_altered
    monkeypatch.setattr(sameness, "MOST_COMPARED", 0)
    assert not fate(scene, old).is_altered
    assert not confirmed_rewrites(scene.repository, [(old, new)])


def test_a_change_of_many_places_is_compared_in_a_short_time(scene: Scene) -> None:
    lines = [f"{'x' if number % 10 else number}\n" for number in range(60_000)]
    scene.commit("Start", a_py="".join(lines))
    start = scene.head()
    changed = ["y\n" if number % 10 == 5 else line for number, line in enumerate(lines)]
    old = scene.commit("Change", a_py="".join(changed))
    scene.git("reset", "-q", "--hard", start)
    scene.commit("Above", a_py="above\n" + "".join(lines))
    new = scene.commit("Change", a_py="above\n" + "".join(changed))
    before = time.process_time()

    assert not fate(scene, old, new).is_altered
    assert time.process_time() - before < 30  # with a search for each of 6,000 places: 105
