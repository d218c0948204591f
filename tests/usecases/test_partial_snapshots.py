"""The snapshot of what a restore replaced is partial: it says nothing about other files."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.app import Holdfast
from holdfast.domain.workspace_errors import BadManifestError, NoSuchPathError
from holdfast.domain.workspaces.tree import TreeEntry, manifest_of, read_manifest
from holdfast.usecases.workspaces.restore_plan import RestoreSnapshot
from tests.requirements import requirement
from tests.usecases.test_workspaces import kept, taken, work

__all__ = ["kept", "work"]


def tree_of(folder: Path) -> dict[str, str]:
    files = [one for one in folder.rglob("*") if one.is_file()]
    return {str(one.relative_to(folder)): one.read_text(encoding="utf-8") for one in files}


def displaced_by(kept: Holdfast, name: str, *, removes: bool = True) -> str:
    wish = RestoreSnapshot(reference=name, replaces=True, removes=removes)
    done = kept.workspaces.restore(wish)
    assert done.displaced is not None
    return done.displaced.id


@requirement("workspace.partial-snapshots")
def test_a_partial_snapshot_brings_back_exactly_what_was_there(kept: Holdfast, work: Path) -> None:
    (work / "keep.txt").write_text("keep\n", encoding="utf-8")
    (work / "old").mkdir()
    (work / "old" / "added.txt").write_text("added\n", encoding="utf-8")
    name = taken(kept)
    (work / "src" / "app.py").write_text("edited\n", encoding="utf-8")
    (work / "old" / "added.txt").unlink()
    (work / "old").rmdir()
    (work / "extra").write_text("extra\n", encoding="utf-8")
    before = tree_of(work)

    undo = displaced_by(kept, name)
    assert (work / "old" / "added.txt").exists()
    (work / "later.txt").write_text("later\n", encoding="utf-8")
    (work / "old" / "mine.txt").write_text("mine\n", encoding="utf-8")
    redo = displaced_by(kept, undo)

    assert tree_of(work) == {**before, "later.txt": "later\n", "old/mine.txt": "mine\n"}

    displaced_by(kept, redo)
    assert (work / "old" / "added.txt").read_text(encoding="utf-8") == "added\n"
    assert not (work / "extra").exists()


@requirement("workspace.partial-snapshots")
def test_without_delete_what_a_restore_added_stays(kept: Holdfast, work: Path) -> None:
    name = taken(kept)
    (work / "src" / "app.py").write_text("edited\n", encoding="utf-8")
    (work / "report.md").unlink()

    undo = displaced_by(kept, name)
    done = kept.workspaces.restore(RestoreSnapshot(reference=undo, replaces=True))

    assert [one.path for one in done.steps] == ["src/app.py"]
    assert (work / "report.md").exists()


@requirement("workspace.partial-snapshots")
def test_one_path_of_a_partial_snapshot_is_undone_alone(kept: Holdfast, work: Path) -> None:
    name = taken(kept)
    (work / "src" / "app.py").write_text("edited\n", encoding="utf-8")
    (work / "report.md").unlink()
    undo = displaced_by(kept, name)
    wish = RestoreSnapshot(reference=undo, paths=("report.md",), replaces=True, removes=True)

    done = kept.workspaces.restore(wish)

    assert [(one.kind.value, one.path) for one in done.steps] == [("remove", "report.md")]
    with pytest.raises(NoSuchPathError):
        kept.workspaces.restore(RestoreSnapshot(reference=undo, paths=("keep.txt",)))


@requirement("workspace.partial-snapshots")
def test_a_partial_snapshot_is_compared_by_the_paths_it_knows(kept: Holdfast, work: Path) -> None:
    (work / "keep.txt").write_text("keep\n", encoding="utf-8")
    name = taken(kept)
    (work / "src" / "app.py").write_text("edited\n", encoding="utf-8")
    (work / "report.md").unlink()
    undo = displaced_by(kept, name)
    wanted = [("added", "report.md"), ("changed", "src/app.py")]

    now = kept.workspaces.diff(undo)
    between = kept.workspaces.diff(undo, name)
    back = kept.workspaces.diff(name, undo)

    assert [(one.kind.value, one.path) for one in now.changes] == wanted
    assert [(one.kind.value, one.path) for one in between.changes] == wanted
    assert [one.path for one in back.changes] == ["report.md", "src/app.py"]


@requirement("workspace.partial-snapshots")
def test_an_absent_path_is_as_safe_as_any_other() -> None:
    entry = TreeEntry("a", "file", 0o644, hash="0" * 64)

    assert [one.path for one in read_manifest(manifest_of([entry], absent=["b/c"]))] == ["a", "b/c"]
    for path in ("../b", "/b", "a"):
        with pytest.raises(BadManifestError):
            read_manifest(manifest_of([entry], absent=[path]))
