"""What import-linter cannot say: purity, size, and how much a port asks for."""

from __future__ import annotations

import ast
import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.requirements import requirement

SRC = Path(__file__).parents[2] / "src" / "holdfast"
PURE_ROOMS = ("domain", "ports", "usecases", "heuristics")
LONGEST_MODULE = 400
SHORT_MODULE = 250
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


class Facts(NamedTuple):
    """What the tests ask about a module; its tree is not kept, because all of them fill memory."""

    imports: frozenset[str]
    classes: dict[str, list[str]]
    of_the_module: frozenset[str]
    docstring: str | None


@cache
def facts(path: Path) -> Facts:
    """Read a module: its imports, its classes with their methods, and which are not nested."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names: set[str] = set()
    classes = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
        elif isinstance(node, ast.ClassDef):
            classes[node.name] = [one.name for one in node.body if isinstance(one, ast.FunctionDef)]
    return Facts(
        imports=frozenset(name.split(".")[0] for name in names),
        classes=classes,
        of_the_module=frozenset(one.name for one in tree.body if isinstance(one, ast.ClassDef)),
        docstring=ast.get_docstring(tree),
    )


def protocols() -> dict[str, list[str]]:
    """Every port and the methods it asks for."""
    return {
        f"{path.stem}.{name}": methods
        for path in modules("ports")
        for name, methods in facts(path).classes.items()
    }


@requirement("house.core-is-pure")
def test_the_core_imports_only_the_standard_library_and_itself() -> None:
    allowed = set(sys.stdlib_module_names) | {"holdfast"}

    assert {
        named(path): beyond
        for path in modules(*PURE_ROOMS)
        if (beyond := facts(path).imports - allowed)
    } == {}


@requirement("house.heuristics-behind-ports")
def test_only_bootstrap_imports_the_heuristics() -> None:
    importers = {
        path.relative_to(SRC).parts[0]
        for path in modules(".")
        if "from holdfast.heuristics" in path.read_text(encoding="utf-8")
    }

    assert importers == {"bootstrap", "heuristics"}


@requirement("house.modules-fit-one-sitting")
def test_a_module_fits_in_one_sitting() -> None:
    assert {
        named(path): lines
        for path in modules(".")
        if (lines := path.read_text(encoding="utf-8").count("\n")) > LONGEST_MODULE
    } == {}


@requirement("house.most-modules-are-short")
def test_nine_of_ten_modules_are_short() -> None:
    lengths = [path.read_text(encoding="utf-8").count("\n") for path in modules(".")]

    assert sum(length > SHORT_MODULE for length in lengths) <= len(lengths) / 10


def test_a_module_is_named_after_what_it_holds() -> None:
    assert [
        named(path)
        for path in modules(".")
        if set(path.stem.strip("_").split("_")) & set(EMPTY_WORDS)
    ] == []


def folders() -> list[Path]:
    return sorted({path.parent for path in modules(".")})


@requirement("house.folders-fit-one-screen")
def test_a_folder_fits_on_one_screen() -> None:
    held = {
        named(folder): sum(path.stem != "__init__" for path in folder.glob("*.py"))
        for folder in folders()
    }

    assert {folder: count for folder, count in held.items() if count > MOST_IN_A_FOLDER} == {}


@requirement("house.folders-fit-one-screen")
def test_a_folder_says_what_it_holds() -> None:
    assert [
        named(folder) for folder in folders() if not facts(folder / "__init__.py").docstring
    ] == []


@requirement("house.rooms-share-subjects")
@pytest.mark.parametrize("room", OF_THE_ROOM)
def test_the_packages_of_a_room_are_subjects_that_every_room_knows(room: str) -> None:
    packages = {path.parent.name for path in (SRC / room).glob("*/__init__.py")}

    assert packages - SUBJECTS == OF_THE_ROOM[room]


@requirement("house.one-name-one-class")
def test_no_two_classes_have_one_name() -> None:
    homes: dict[str, list[str]] = {}
    for path in modules("."):
        for name in facts(path).of_the_module:
            if not name.startswith("_"):
                homes.setdefault(name, []).append(named(path))

    shared = {name for name, paths in homes.items() if len(paths) > 1}
    assert shared == set(SHARED_NAMES)


@requirement("house.ports-are-small")
def test_a_port_asks_for_no_more_than_eight_things() -> None:
    asked = {port: methods for port, methods in protocols().items() if len(methods) > MOST_METHODS}

    assert protocols()
    assert asked == {}


@requirement("recall.one-text-at-every-door")
def test_every_door_writes_its_answers_with_one_function() -> None:
    exempt = {
        "surfaces/wire/json_text.py": "the function itself",
        "surfaces/mcp/protocol.py": "ids and tokens go back as the client wrote them",
        "surfaces/http/agents_door/senders.py": "passes an answer on inside the server",
        "surfaces/http/reading.py": "checks a request",
        "surfaces/http/application.py": "the description of the routes",
        "surfaces/http/options.py": "passes settings to the processes of the server",
        "surfaces/http/journal.py": "the log of the server, in ASCII",
        "surfaces/cli/verbs/care/evaluate.py": "results that a later run reads",
    }

    found = {
        named(path)
        for path in modules("surfaces")
        if "json.dumps" in (text := path.read_text(encoding="utf-8")) or "JSONEncoder" in text
    }

    assert found == set(exempt)
