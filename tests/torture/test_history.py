"""A short check of verdicts along a real history, and of the tracking of lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.adapters.histories import Scene
from tests.requirements import requirement
from tests.torture.test_short import check
from torture.git_lines import Tree
from torture.history import Findings, findings, matrix
from torture.history_lines import LineHistory
from torture.plants import SWITCH, Plant

BODY = "def telling_name_of_it():\n    return something_of_its_own()\n"


def texts(tree: Tree) -> dict[str, list[str]]:
    return {path: [line.text for line in page.lines] for path, page in tree.items()}


def ids(tree: Tree, path: str) -> list[int]:
    return [line.id for line in tree[path].lines]


def followed(scene: Scene) -> LineHistory:
    return LineHistory(scene.folder, most=100, algorithm="myers")


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    made = Scene(tmp_path / "app")
    made.commit("Begin", one_py=f"import os\n\n{BODY}", two_py="x = 1\n")
    return made


@requirement("anchor.never-wrong")
@requirement("anchor.continuations-claimed")
def test_a_short_history_makes_no_verdict_wrong() -> None:
    check("history")


def test_lines_keep_their_identity_through_edits_renames_and_moves(scene: Scene) -> None:
    scene.commit("Edit", one_py=f"import sys\nimport os\n\n{BODY}")
    scene.git("mv", "one.py", "first.py")
    scene.commit("Rename")
    scene.commit("Move", first_py="import sys\nimport os\n\n", two_py=f"x = 1\n{BODY}")

    history = followed(scene)
    first, last = history.trees[history.commits[0]], history.trees[history.commits[-1]]

    assert texts(last)["first.py"] == ["import sys", "import os", ""]
    assert ids(last, "first.py")[1:] == ids(first, "one.py")[:2]
    assert ids(last, "two.py") == [*ids(first, "two.py"), *ids(first, "one.py")[2:]]


def test_a_line_that_was_written_anew_is_another_one(scene: Scene) -> None:
    scene.commit("Empty", one_py="import os\n")
    scene.commit("Again", one_py=f"import os\n\n{BODY}")

    history = followed(scene)
    first, last = history.trees[history.commits[0]], history.trees[history.commits[-1]]

    assert texts(first) == texts(last)
    assert set(ids(first, "one.py")[2:]).isdisjoint(ids(last, "one.py"))


def test_files_without_text_are_left_out(scene: Scene) -> None:
    (scene.folder / "picture").write_bytes(b"\0\1\2")
    scene.commit("Picture")
    (scene.folder / "two.py").write_bytes(b"\0\1\2")
    scene.commit("Binary now", three_py="no line end".removesuffix("\n"))

    history = followed(scene)

    assert set(history.trees[history.commits[-1]]) == {"one.py", "three.py"}


@requirement("torture.planted-bugs-caught")
def test_a_place_that_is_only_likely_is_caught_when_it_is_claimed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = Scene(tmp_path / "app")
    block = "def {}():\n    value = read()\n    return value\n\n\n"
    names = [f"telling_name_{number}" for number in range(12)]
    scene.commit("Begin", one_py="".join(map(block.format, names)))
    scene.commit("Edit", one_py="".join(map(block.format, ["new_name", *names[4:]])))
    honest = findings(tmp_path, scene.folder, 60, 1)
    monkeypatch.setenv(SWITCH, Plant.FIRST_OF_EQUALS)
    (tmp_path / "again").mkdir()

    hasty = findings(tmp_path / "again", scene.folder, 60, 1)

    assert not honest.wrong
    assert hasty.wrong
    assert any("WRONG" in line for line in matrix(hasty))


def test_nothing_to_claim_is_all_claimed() -> None:
    assert Findings().share_claimed == 1
