"""Which commits changed the files of a folder, with real git."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from holdfast.adapters.git import arrivals, changed_lines, lost_commits, page_versions
from holdfast.adapters.git.arrivals import arrived_after
from holdfast.adapters.git.clone import GitClone
from holdfast.adapters.git.reading.refs import moves
from holdfast.domain.errors import OutsideUnavailableError
from tests.adapters.histories import Scene, two_commits
from tests.requirements import requirement

FAR = 4_000_000_000


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return two_commits(tmp_path / "app")


def test_a_merge_that_only_joins_two_sides_changes_no_page(scene: Scene) -> None:
    base = scene.commit("Pages", pages__one="a\nb\nc\nd\ne\n", pages__two="2\n")
    scene.git("checkout", "-q", "-b", "side")
    side = scene.commit("Side", pages__two="3\n")
    scene.git("checkout", "-q", "main")
    main = scene.commit("Main", pages__one=None)
    scene.git("merge", "-q", "--no-edit", "side")

    found = page_versions.page_versions(scene.repository, "pages")

    assert [(one.commit, one.path, one.blob is None, len(one.before)) for one in found] == [
        (main, "pages/one", True, 1),
        (side, "pages/two", False, 1),
        (base, "pages/one", False, 0),
        (base, "pages/two", False, 0),
    ]


def test_too_many_versions_or_lost_commits_leave_nothing_to_a_person(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene.commit("Pages", pages__one="1\n")
    clone = GitClone(scene.repository, "pages", is_synced=lambda: True)
    assert clone.brought({"mine"}).lines == frozenset()

    monkeypatch.setattr(page_versions, "MOST_VERSIONS", 0)
    assert clone.brought({"mine"}).lines == {"mine"}
    monkeypatch.undo()
    for name in ("One", "Two"):
        scene.git("commit", "-q", "--amend", "-m", name)
    monkeypatch.setattr(lost_commits, "_MOST_COMMITS", 1)
    with pytest.raises(OutsideUnavailableError):
        lost_commits.lost_commits(scene.repository)
    assert clone.brought({"mine"}).fields is None


def test_a_merge_whose_parents_git_lacks_makes_no_edit_wait(scene: Scene) -> None:
    scene.commit("Pages", pages__one="1\n")
    scene.git("checkout", "-q", "-b", "side", "HEAD~1")
    scene.commit("Side", pages__one="2\n")
    scene.git("checkout", "-q", "main")
    scene.git("merge", "-q", "--no-commit", "-X", "ours", "side")
    merge = scene.commit("Both", pages__one="3\n")
    clone = GitClone(scene.repository, "pages", is_synced=lambda: True)
    assert clone.brought({"3"}).lines == frozenset()

    (scene.folder / ".git" / "shallow").write_text(f"{merge}\n", encoding="utf-8")

    assert clone.brought({"mine"}).lines == frozenset()


def test_lines_count_as_retouched_if_there_are_too_many_to_compare(
    scene: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene.git("clone", "-q", str(scene.folder), str(tmp_path / "other"))
    other = Scene.of(tmp_path / "other")
    other.commit("Theirs", pages__one="one configuration of theirs\n")
    scene.git("fetch", "-q", str(other.folder), "main")
    clone = GitClone(scene.repository, "pages", is_synced=lambda: True)
    mine = "a configuration that nobody else ever wrote here"
    assert clone.brought({mine}).retouched == frozenset()

    monkeypatch.setattr(changed_lines, "_MOST_COMPARED", 0)

    assert clone.brought({mine}).retouched == {mine}


@requirement("files.git-brings-candidates")
def test_long_lines_are_compared_by_their_words(
    scene: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene.git("clone", "-q", str(scene.folder), str(tmp_path / "other"))
    other = Scene.of(tmp_path / "other")
    page = [" ".join(f"word{row}x{place}" for place in range(150)) for row in range(4)]
    other.commit("Theirs", pages__one="".join(f"{line} configuration\n" for line in page))
    scene.git("fetch", "-q", str(other.folder), "main")
    clone = GitClone(scene.repository, "pages", is_synced=lambda: True)
    mine = " ".join(f"own{place}" for place in range(150)) + " configuration"
    retouched = f"{page[1].replace('x1', 'y1', 20)} configuration"

    assert clone.brought({mine, retouched}).retouched == {retouched}
    # Reading words is quicker, so more letters are compared.
    for most, found in ((sum(map(len, page)) // 10, {retouched}), (100, {mine, retouched})):
        monkeypatch.setattr(changed_lines, "_MOST_COMPARED", most)
        assert clone.brought({mine, retouched}).retouched == found


@requirement("files.git-brings-candidates")
def test_long_lines_without_spaces_are_compared_too(scene: Scene, tmp_path: Path) -> None:
    scene.git("clone", "-q", str(scene.folder), str(tmp_path / "other"))
    other = Scene.of(tmp_path / "other")
    theirs = "".join(map(chr, range(0x4E00, 0x4E00 + 400)))
    other.commit("Theirs", pages__one=f"{theirs} configuration\n")
    scene.git("fetch", "-q", str(other.folder), "main")
    clone = GitClone(scene.repository, "pages", is_synced=lambda: True)
    mine = f"{theirs[::-1]} configuration"
    retouched = f"{theirs[:100]}{theirs[120:]} configuration"

    assert clone.brought({mine, retouched}).retouched == {retouched}


@requirement("files.git-brings-candidates")
def test_a_commit_in_its_own_file_tells_when_it_came(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, moment = scene.head(), moves(scene.repository)[-1].at
    assert moment is not None
    objects = scene.repository.common_dir / "objects"
    file = objects / name[:2] / name[2:]
    later = moment + 60
    os.utime(file, (later, later))

    def came(*, after: int = moment, **births: int | None) -> bool:
        """Return whether the commit came later, with other births of the folder and the file."""
        known = {objects: moment, file: later} | {
            {"objects": objects, "file": file}[place]: birth for place, birth in births.items()
        }
        monkeypatch.setattr(arrivals, "born_at", known.get)
        return arrived_after(scene.repository, name, after)

    assert came()
    assert not came(after=later)
    assert not arrived_after(scene.repository, "f" * 40, moment)
    assert not came(file=None)
    assert not came(objects=None)
    assert not came(objects=moment + 1), "the repository was copied since"
    assert not came(file=later + 1), "git wrote the object into another file since"


def test_the_birth_of_a_file_is_later_than_long_ago(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_text("a", encoding="utf-8")
    born = arrivals.born_at(file)

    assert born is None or 1_700_000_000 < born < FAR
