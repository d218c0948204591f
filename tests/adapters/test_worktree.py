"""Which files of a working tree differ from what is committed, without running a filter."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.adapters.git.anchors.views import DiskView
from holdfast.adapters.git.reading.objects import Differing
from holdfast.adapters.git.reading.worktree import (
    IndexedFile,
    changed_on_disk,
    read_index,
    untracked,
)
from holdfast.domain.memory.anchor import Verdict
from tests.adapters.histories import Scene
from tests.adapters.test_verifier import APP, ROTATE, a_project, committed, read, seen, written
from tests.requirements import requirement
from tests.unit.places import FILE

POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"


def changed(scene: Scene) -> dict[str, Differing]:
    def held(path: str) -> bytes | None:
        file = scene.folder / path
        return file.read_bytes() if file.is_file() else None

    index = read_index(scene.repository)
    found = changed_on_disk(scene.repository, index, scene.head(), held)
    return {one.path: one for one in found}


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    made = Scene(tmp_path / "app")
    made.commit("Begin", one_py="1\n", two_py="2\n", three_py="3\n" * 20)
    return made


def blob(scene: Scene, name: str) -> str:
    return scene.git("rev-parse", f"HEAD:{name}")


def test_nothing_differs_in_a_clean_checkout(scene: Scene) -> None:
    assert changed(scene) == {}
    assert untracked(scene.repository) == []


def test_edited_deleted_staged_and_renamed_files_differ(scene: Scene) -> None:
    old = {name: blob(scene, name) for name in ("one.py", "two.py", "three.py")}
    (scene.folder / "one.py").write_text("one\n")
    (scene.folder / "two.py").unlink()
    scene.git("mv", "three.py", "third.py")
    (scene.folder / "new.py").write_text("new\n")
    scene.git("add", "-N", "new.py")
    (scene.folder / "loose.py").write_text("loose\n")

    found = changed(scene)

    assert found["one.py"] == Differing("one.py", old["one.py"])
    assert found["two.py"] == Differing("two.py", old["two.py"], is_gone=True)
    assert found["third.py"] == Differing("third.py", old["three.py"], "three.py")
    assert untracked(scene.repository) == ["loose.py"]


def test_a_file_that_only_looks_touched_does_not_differ(scene: Scene) -> None:
    (scene.folder / "one.py").write_text("1\n")

    assert changed(scene) == {}


def test_line_ends_that_git_converts_are_no_difference(scene: Scene) -> None:
    (scene.folder / "one.py").write_bytes(b"1\r\n")

    assert changed(scene) == {}


def test_a_change_in_the_second_of_the_index_is_seen(scene: Scene) -> None:
    """Size and times may be the same: a file as young as the index is read."""
    path = scene.folder / "one.py"
    scene.git("update-index", "--refresh", check=False)
    path.write_text("x\n")

    assert set(changed(scene)) == {"one.py"}


def test_a_file_that_a_merge_left_open_differs_from_our_side(scene: Scene) -> None:
    scene.git("checkout", "-q", "-b", "topic")
    scene.commit("Theirs", one_py="theirs\n")
    scene.git("checkout", "-q", "main")
    scene.commit("Ours", one_py="ours\n")
    scene.git("merge", "-q", "topic", check=False)

    assert changed(scene)["one.py"] == Differing("one.py", blob(scene, "one.py"))


def test_what_a_filtered_file_held_is_unknown(scene: Scene) -> None:
    scene.commit("Filter", **{".gitattributes": "one.py filter=upper\n"})
    (scene.folder / "one.py").write_text("one\n")

    assert changed(scene)["one.py"] == Differing("one.py", "")


def test_a_git_that_notes_nothing_about_files_makes_all_of_them_be_read(scene: Scene) -> None:
    index = read_index(scene.repository)
    bare = {path: IndexedFile(file.blob) for path, file in index.files.items()}
    (scene.folder / "one.py").write_text("one\n")

    read_all: list[str] = []

    def held(path: str) -> bytes | None:
        read_all.append(path)
        return (scene.folder / path).read_bytes()

    found = changed_on_disk(scene.repository, index._replace(files=bare), scene.head(), held)

    assert [one.path for one in found] == ["one.py"]
    assert set(read_all) == set(index.files)


def test_an_index_that_is_not_there_makes_all_files_be_read(scene: Scene) -> None:
    index = read_index(scene.repository)
    (scene.repository.git_dir / "index").unlink()

    found = changed_on_disk(scene.repository, index, scene.head(), lambda _path: None)

    assert all(one.is_gone for one in found)


def test_submodules_and_sparse_files_are_listed_apart(scene: Scene, tmp_path: Path) -> None:
    inner = Scene(tmp_path / "inner")
    inner.commit("Inside", a_py="a\n")
    scene.git("submodule", "--quiet", "add", str(inner.folder), "part")
    scene.git("update-index", "--skip-worktree", "one.py")
    (scene.folder / "one.py").unlink()

    index = read_index(scene.repository)

    assert index.submodules == {"part"}
    assert index.files["one.py"].is_aside
    assert "one.py" not in changed(scene)
    view = DiskView(scene.repository, scene.head())
    assert view.contents(["one.py"])["one.py"].held == b"1\n"


@requirement("git.runs-no-program-of-a-repository")
def test_a_filtered_file_is_judged_by_its_bytes_on_disk(tmp_path: Path) -> None:
    """The commit has other bytes than the disk; the text on disk is what was read."""
    root = a_project(tmp_path / "app")
    written(root / ".gitattributes", [f"{APP} filter=upper"])
    scene = Scene.of(root)
    scene.git("config", "filter.upper.clean", "tr a-z A-Z")
    written(root / APP, ["# Upper case in git.", *FILE])
    committed(root)
    span = read(root, "src/app.py:8-14")

    assert seen(root, span).verdict is Verdict.FRESH
    written(root / APP, ["# One more line.", "# Upper case in git.", *FILE])
    assert seen(root, span).verdict is Verdict.MOVED
    at_head = seen(root, span, at="HEAD")
    assert at_head.verdict is Verdict.UNVERIFIABLE
    assert "filter=upper" in at_head.how


def test_a_pointer_in_the_place_of_a_file_cannot_be_judged(tmp_path: Path) -> None:
    root = a_project(tmp_path / "app")
    written(root / ".gitattributes", [f"{APP} filter=lfs"])
    committed(root)
    span = read(root, ROTATE)
    (root / APP).write_text(POINTER)

    found = seen(root, span)

    assert found.verdict is Verdict.UNVERIFIABLE
    assert "git lfs pull" in found.how
