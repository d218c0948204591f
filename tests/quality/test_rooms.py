"""What import-linter cannot say: purity, size, and how much a port asks for."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

from tests.requirements import requirement

SRC = Path(__file__).parents[2] / "src" / "holdfast"
PURE_ROOMS = ("domain", "ports", "usecases", "heuristics")
LONGEST_MODULE = 400
MOST_METHODS = 8
MOST_IN_A_FOLDER = 25
SUBJECTS = {
    *("memory", "recall", "anchors", "review", "pages", "sessions"),
    *("code", "exchange", "evaluation", "care", "service", "workspaces", "tasks", "agents"),
    *("checks", "encryption", "roles", "documents"),
}
"""The subjects of packages, the same in every room."""
OF_THE_ROOM = {
    "domain": {"text", "gates"},
    "heuristics": {"conflict", "extraction", "junk", "planning"},
    "usecases": set[str](),
    "ports": {"store"},
    "bootstrap": {"plugs", "opening", "hooks", "machine", "remote"},
}
"""Packages that only one room has."""
SHARED_NAMES = dict.fromkeys(
    ("Memory", "Hit"), "the engine's value, the view that Python programs receive, and mem0's name"
)
"""Class names that two modules have, with the reason."""
EMPTY_WORDS = ("helpers", "utils", "common", "base", "misc", "v2")


def modules(*rooms: str) -> list[Path]:
    return sorted(path for room in rooms for path in (SRC / room).rglob("*.py"))


def named(path: Path) -> str:
    return str(path.relative_to(SRC))


def imported_roots(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return {name.split(".")[0] for name in names}


def protocols() -> dict[str, list[str]]:
    """Every port and the methods it asks for."""
    return {
        f"{path.stem}.{node.name}": [
            part.name for part in node.body if isinstance(part, ast.FunctionDef)
        ]
        for path in modules("ports")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    }


@requirement("house.core-is-pure")
@pytest.mark.parametrize("path", modules(*PURE_ROOMS), ids=named)
def test_the_core_imports_only_the_standard_library_and_itself(path: Path) -> None:
    assert imported_roots(path) <= set(sys.stdlib_module_names) | {"holdfast"}


@requirement("house.heuristics-behind-ports")
def test_only_bootstrap_imports_the_heuristics() -> None:
    importers = {
        path.relative_to(SRC).parts[0]
        for path in modules(".")
        if "from holdfast.heuristics" in path.read_text(encoding="utf-8")
    }

    assert importers == {"bootstrap", "heuristics"}


@requirement("house.modules-fit-one-sitting")
@pytest.mark.parametrize("path", modules("."), ids=named)
def test_a_module_fits_in_one_sitting(path: Path) -> None:
    assert path.read_text(encoding="utf-8").count("\n") <= LONGEST_MODULE


@pytest.mark.parametrize("path", modules("."), ids=named)
def test_a_module_is_named_after_what_it_holds(path: Path) -> None:
    words = path.stem.strip("_").split("_")

    assert not set(words) & set(EMPTY_WORDS)


def folders() -> list[Path]:
    return sorted({path.parent for path in modules(".")})


@requirement("house.folders-fit-one-screen")
@pytest.mark.parametrize("folder", folders(), ids=named)
def test_a_folder_fits_on_one_screen_and_says_what_it_holds(folder: Path) -> None:
    held = [path for path in folder.glob("*.py") if path.stem != "__init__"]
    said = ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8")))

    assert len(held) <= MOST_IN_A_FOLDER
    assert said


@requirement("house.rooms-share-subjects")
@pytest.mark.parametrize("room", OF_THE_ROOM)
def test_the_packages_of_a_room_are_subjects_that_every_room_knows(room: str) -> None:
    packages = {path.parent.name for path in (SRC / room).glob("*/__init__.py")}

    assert packages - SUBJECTS == OF_THE_ROOM[room]


@requirement("house.one-name-one-class")
def test_no_two_classes_have_one_name() -> None:
    homes: dict[str, list[str]] = {}
    for path in modules("."):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(named(path))

    shared = {name for name, paths in homes.items() if len(paths) > 1}
    assert shared == set(SHARED_NAMES)


@requirement("house.ports-are-small")
@pytest.mark.parametrize("port", protocols())
def test_a_port_asks_for_no_more_than_eight_things(port: str) -> None:
    assert len(protocols()[port]) <= MOST_METHODS
