"""Files that git converts at a checkout, by attributes that are there and that no longer are."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from holdfast.adapters.git.clone import GitClone
from holdfast.adapters.git.pages.own_texts import OwnTexts
from holdfast.adapters.git.reading import objects
from holdfast.adapters.git.reading.converted import converted
from tests.adapters.histories import Scene, two_commits
from tests.patience import PATIENCE
from tests.requirements import requirement

PAGE = "pages/deep/rules.md"
HIDDEN = ".gitattributes working-tree-encoding=UTF-16LE-BOM\n"
CONVERTING = [
    "*.md filter=x",
    "\t rules.md\tfilter",
    "rules.md\rident",
    "pages/** ident",
    "/pages/**/rules.md ident",
    "pages/*/r?les.md ident",
    "[p-r]ages/deep/[!a]ules.md ident",
    "[[:alpha:]]ules.md ident",
    "r\\ules.[\\m]d ident",
    '"pages/deep/r\\165les.md" ident',
    "**/*.m* working-tree-encoding=ASCII//TRANSLIT",
    "*r*u*l*e*s* ident",
    "[attr]odd filter=x\n[attr]odder odd\nrules.md text odder",
    "\N{ZERO WIDTH NO-BREAK SPACE}rules.md ident",
]
PLAIN = ["*.[ch] ident", "docs/** filter=x", "*.psd filter=lfs -text", "rules.md text eol=crlf",
         "rules.md -ident", "rules.md !filter", "#*.md ident", "*.md", "[attr]mine text\n*.md mine",
         "[attr]odd filter=x\n*.psd odd"]  # fmt: skip


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    made = two_commits(tmp_path / "app")
    path = made.folder / PAGE
    path.parent.mkdir(parents=True)
    path.write_text("text\n", encoding="utf-8")
    made.commit("Pages")
    return made


def put(scene: Scene, attributes: str, *, name: str = ".gitattributes") -> None:
    """Commit a file with attributes, as its blob."""
    (scene.folder / name).write_bytes(attributes.encode())
    blob = scene.git("hash-object", "-w", "--no-filters", name)
    scene.git("update-index", "--add", "--cacheinfo", f"100644,{blob},{name}")
    scene.git("commit", "-q", "-m", "Attributes")


@requirement("files.evil-repository")
@pytest.mark.parametrize("line", CONVERTING)
def test_attributes_count_that_a_later_commit_removed(scene: Scene, line: str) -> None:
    put(scene, f"{line}\n")
    assert converted(scene.repository, [PAGE]) == {PAGE}
    scene.git("rm", "-q", "-f", ".gitattributes")
    assert converted(scene.repository, [PAGE]) == {PAGE}

    scene.git("commit", "-q", "-m", "No attributes")

    assert converted(scene.repository, [PAGE]) == {PAGE}


@pytest.mark.parametrize("line", PLAIN)
def test_attributes_for_other_files_convert_no_page(scene: Scene, line: str) -> None:
    put(scene, f"{line}\n")
    scene.git("rm", "-q", "-f", ".gitattributes")
    scene.git("commit", "-q", "-m", "No attributes")

    assert converted(scene.repository, [PAGE]) == frozenset()


@requirement("files.evil-repository")
@pytest.mark.parametrize("folder", ["", "pages/", "pages/deep/"])
def test_attributes_count_that_are_unreadable_after_the_checkout(
    scene: Scene, tmp_path: Path, folder: str
) -> None:
    put(scene, f"*.md working-tree-encoding=UTF-7\n{HIDDEN}", name=f"{folder}.gitattributes")
    scene.git("clone", "-q", str(scene.folder), str(tmp_path / "other"))
    other = Scene.of(tmp_path / "other")

    assert b"\0" in (other.folder / folder / ".gitattributes").read_bytes()
    assert converted(other.repository, [PAGE]) == {PAGE}


@requirement("files.evil-repository")
def test_attributes_count_that_are_the_target_of_a_link(scene: Scene, tmp_path: Path) -> None:
    (scene.folder / ".gitattributes").symlink_to("rules.md ident")
    scene.commit("Attributes")
    scene.git("clone", "-q", str(scene.folder), str(tmp_path / "other"))

    assert converted(Scene.of(tmp_path / "other").repository, [PAGE]) == {PAGE}


@requirement("files.evil-repository")
@pytest.mark.parametrize(("lines", "largest"), [(1, 4), (2_000, 1_000_000)])
def test_attributes_that_are_too_many_to_be_read_count_for_every_file(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, lines: int, largest: int
) -> None:
    monkeypatch.setattr(objects, "LARGEST_FILE", largest)
    put(scene, "".join(f"{number} ident\n" for number in range(lines)))
    scene.git("rm", "-q", "-f", ".gitattributes")
    scene.git("commit", "-q", "-m", "No attributes")

    assert converted(scene.repository, [PAGE]) == {PAGE}


@requirement("files.own-commits-are-ones-own")
def test_a_commit_of_others_that_changes_attributes_is_not_made_here(
    scene: Scene, tmp_path: Path
) -> None:
    since = scene.head()
    scene.git("clone", "-q", str(scene.folder), str(tmp_path / "other"))
    put(Scene.of(tmp_path / "other"), "*.md ident\n")
    clone = GitClone(scene.repository, "pages/deep", is_synced=lambda: True)
    put(scene, "*.md text\n", name="pages/.gitattributes")
    assert clone.is_made_here(since)

    scene.git("pull", "-q", "--no-rebase", "--no-edit", str(tmp_path / "other"), "main")

    assert not clone.is_made_here(since)


@requirement("files.private-stays-out-of-git")
def test_the_text_of_a_converted_file_is_not_a_persons_own(scene: Scene) -> None:
    page = scene.folder / PAGE
    page.write_text("of this person\n", encoding="utf-8")
    assert OwnTexts(scene.repository).is_own(PAGE)
    put(scene, "*.md ident\n")
    os.truncate(page, 4)

    assert not OwnTexts(scene.repository).is_own(PAGE)


@requirement("files.evil-repository")
@pytest.mark.timeout(PATIENCE)  # with backtracking it takes hours
def test_attributes_with_many_stars_take_no_time(scene: Scene) -> None:
    put(scene, "".join(f"*a*a*a*a*a*a{number}b ident\n" for number in range(100)))
    scene.git("rm", "-q", "-f", ".gitattributes")
    scene.git("commit", "-q", "-m", "No attributes")

    assert converted(scene.repository, ["pages/" + "a" * 240]) == frozenset()


@pytest.mark.parametrize(
    ("pattern", "is_match"),
    [("*es*b*c", True), ("p*a*b*c", True), ("*b*a*c", False), ("**/a*b*c*", True), ("*c*c", False)],
)
def test_pieces_between_stars_are_found_in_order(
    scene: Scene, pattern: str, *, is_match: bool
) -> None:
    put(scene, f"{pattern} ident\n")
    scene.git("rm", "-q", "-f", ".gitattributes")
    scene.git("commit", "-q", "-m", "No attributes")

    assert bool(converted(scene.repository, ["pages/axbxc"])) is is_match
