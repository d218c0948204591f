"""How sure it is that a call means a symbol."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from holdfast.adapters.code.parsing.certainty import (
    CallInSource,
    CallTarget,
    Certainty,
    certainty,
    receiver_before,
)
from holdfast.domain.code.code import Relation
from tests.adapters.small_project import Project
from tests.requirements import requirement

SURE, MAYBE, UNLIKELY = Certainty.SURE, Certainty.MAYBE, Certainty.UNLIKELY


@pytest.mark.parametrize(
    ("text", "receiver"),
    [
        ("rotate(", ""),
        ("x = rotate(", ""),
        ("self.rotate(", "self"),
        ("store . rotate(", "store"),
        ("store?.rotate(", "store"),
        ("$this->rotate(", "$this"),
        ("Store::rotate(", "Store"),
        ("super().rotate(", "super"),
        ("os.environ.rotate(", "?"),
        ("make().rotate(", "?"),
        ("rows[0].rotate(", "?"),
        ('" ".rotate(', "?"),
        (".rotate(", "?"),
        ("x" * 200 + ".rotate(", "x" * 79),
    ],
)
def test_what_a_name_is_called_on_is_read_from_the_text_before_it(text: str, receiver: str) -> None:
    assert receiver_before(text.encode(), text.index("rotate(")) == receiver


@requirement("code.says-what-it-only-supposes")
@pytest.mark.parametrize(
    ("receiver", "caller", "called", "is_near", "sure"),
    [
        ("", "main", "rotate", True, SURE),
        ("", "main", "rotate", False, MAYBE),
        ("", "main", "Store.rotate", True, UNLIKELY),
        ("", "Store.clear", "Store.rotate", True, UNLIKELY),
        ("", "main", "main.rotate", True, SURE),
        ("", "main.other", "main.rotate", True, SURE),
        ("self", "Store.clear", "Store.rotate", True, SURE),
        ("self", "Other.clear", "Store.rotate", True, MAYBE),
        ("self", "Store.clear", "rotate", True, UNLIKELY),
        ("Store", "main", "Store.rotate", False, SURE),
        ("store", "main", "Store.rotate", True, MAYBE),
        ("?", "main", "Store.rotate", True, MAYBE),
        ("tokens", "main", "rotate", True, SURE),
        ("tokens", "main", "rotate", False, MAYBE),
        ("alias", "main", "rotate", True, MAYBE),
        ("alias", "main", "rotate", False, UNLIKELY),
        ("?", "main", "rotate", True, UNLIKELY),
    ],
)
def test_the_receiver_says_how_sure_a_call_is(
    receiver: str, caller: str, called: str, sure: Certainty, *, is_near: bool
) -> None:
    calling = CallInSource("rotate", receiver, caller, "python")

    assert certainty(calling, CallTarget(called, "src/tokens.py", is_near)) is sure


@requirement("code.says-what-it-only-supposes")
@pytest.mark.parametrize(
    ("name", "receiver", "called", "sure"),
    [
        ("get", "headers", "Session.get", UNLIKELY),
        ("get", "?", "Session.get", UNLIKELY),
        ("get", "Session", "Session.get", SURE),
        ("open", "", "open", UNLIKELY),
        ("send", "session", "Session.send", MAYBE),
        ("forEach", "rows", "Table.forEach", UNLIKELY),
    ],
)
def test_a_name_that_plain_objects_answer_to_is_not_taken_for_ours(
    name: str, receiver: str, called: str, sure: Certainty
) -> None:
    calling = CallInSource(name, receiver, "main", "python")

    assert certainty(calling, CallTarget(called, "src/tokens.py", is_near=False)) is sure


def test_where_the_object_is_left_out_a_method_may_be_called_like_a_function() -> None:
    own = CallTarget("Store.rotate", "Store.java", is_near=True)

    assert certainty(CallInSource("rotate", "", "Store.clear", "java"), own) is SURE
    assert certainty(CallInSource("rotate", "", "Shop.clear", "java"), own) is MAYBE


FILES = {
    "src/shop/store.py": (
        "class Store:\n"
        "    def get(self, key):\n"
        "        return self.load(key)\n\n"
        "    def load(self, key):\n"
        "        return open(key)\n\n"
        "    def ship(self):\n"
        "        return 1\n"
    ),
    "src/shop/web.py": (
        "from shop.store import Store\n\n\n"
        "def page(headers, parcel):\n"
        "    parcel.ship()\n"
        "    return headers.get('x')\n"
    ),
    "src/shop/files.py": "def open(path):\n    return path\n",
    "src/shop/_old.py": "class _Old:\n    def ship(self):\n        return 2 * 3\n",
    "tests/test_store.py": "def ship():\n    return 3\n\n\nclass Store:\n    pass\n",
    "examples/ship.py": "def ship():\n    return 4\n",
    "README.md": "# Store\n\nWords.\n",
}


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    project = Project(tmp_path, FILES)
    yield project
    project.index.close()


def around(project: Project, name: str) -> set[tuple[Relation, str, bool]]:
    place = project.index.named(name, limit=1)[0]
    found = project.index.around(place, hops=2, limit=20)
    return {(one.relation, one.place.symbol.name, one.is_sure) for one in found}


@requirement("code.says-what-it-only-supposes")
def test_neighbours_are_sure_or_said_to_be_supposed_and_never_a_dictionarys(
    project: Project,
) -> None:
    assert around(project, "Store.get") == {(Relation.CALLS, "Store.load", True)}
    assert around(project, "page") == {
        (Relation.CALLS, "Store.ship", False),
        (Relation.CALLS, "_Old.ship", False),
    }
    assert around(project, "Store.ship") == {(Relation.CALLED_BY, "page", False)}


@requirement("code.prefers-what-people-mean")
@pytest.mark.parametrize(
    ("reference", "first"),
    [
        ("Store", "src/shop/store.py"),
        ("store", "src/shop/store.py"),
        ("ship", "src/shop/store.py"),
        ("_Old.ship", "src/shop/_old.py"),
        ("tests/test_store.py:Store", "tests/test_store.py"),
        ("./src/shop/_old.py:ship", "src/shop/_old.py"),
        ("_old.py::ship", "src/shop/_old.py"),
        ("shop.store.Store.ship", "src/shop/store.py"),
        ("shop.files.open", "src/shop/files.py"),
        ("examples.ship.ship", "examples/ship.py"),
    ],
)
def test_of_several_symbols_the_one_people_mean_comes_first(
    project: Project, reference: str, first: str
) -> None:
    assert project.index.named(reference, limit=5)[0].path == first


@requirement("code.prefers-what-people-mean")
def test_code_comes_before_tests_examples_and_pages(project: Project) -> None:
    assert [one.path for one in project.index.named("Store", limit=9)] == [
        *("src/shop/store.py", "tests/test_store.py", "README.md"),
    ]
    assert [one.path for one in project.index.named("ship", limit=9)] == [
        *("src/shop/store.py", "src/shop/_old.py", "examples/ship.py", "tests/test_store.py"),
    ]
    assert project.index.named("nowhere.Store", limit=9) == []
