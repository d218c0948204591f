"""The manifest of promises and the tests agree, in both directions."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.requirements import REQUIREMENTS, requirement

TESTS = Path(__file__).parents[1]
Named = tuple[str, str]


def marks_in(source: str) -> Iterator[tuple[str, int]]:
    """Give every id a ``@requirement("id")`` in the source names, and its line."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            for decorator in node.decorator_list:
                if named := _id_of(decorator):
                    yield named, decorator.lineno


def _id_of(decorator: ast.expr) -> str | None:
    if not isinstance(decorator, ast.Call) or not decorator.args:
        return None
    called, first = decorator.func, decorator.args[0]
    name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", None)
    if name != "requirement" or not isinstance(first, ast.Constant):
        return None
    return str(first.value)


@pytest.fixture(scope="module")
def named() -> list[Named]:
    return [
        (requirement_id, f"{path.relative_to(TESTS.parent)}:{line}")
        for path in sorted(TESTS.rglob("test_*.py"))
        for requirement_id, line in marks_in(path.read_text(encoding="utf-8"))
    ]


@requirement("house.promises-have-tests")
def test_every_promise_has_a_test(named: list[Named]) -> None:
    kept = {requirement_id for requirement_id, _ in named}

    untested = sorted(set(REQUIREMENTS) - kept)

    assert not untested, (
        "no test names these promises; mark one with @requirement(...) or take the promise out of"
        f" tests/requirements.py: {', '.join(untested)}"
    )


@requirement("house.promises-have-tests")
def test_every_test_names_a_known_promise(named: list[Named]) -> None:
    unknown = [
        f"{where} names '{requirement_id}'"
        for requirement_id, where in named
        if requirement_id not in REQUIREMENTS
    ]

    assert not unknown, (
        f"add these promises to tests/requirements.py or mend the id: {'; '.join(unknown)}"
    )


def test_a_promise_is_one_sentence_under_a_dotted_id() -> None:
    odd = [
        requirement_id
        for requirement_id, promise in REQUIREMENTS.items()
        if requirement_id.count(".") != 1 or not promise.endswith(".") or "\n" in promise
    ]

    assert odd == []


def test_marks_are_found_on_functions_and_classes_and_nowhere_else() -> None:
    source = (
        '@requirement("a.one")\ndef test_one(): ...\n'
        '@pytest.mark.requirement("a.two")\nclass TestTwo: ...\n'
        '@other("a.three")\n@plain\n@requirement()\n@requirement(name)\ndef test_three(): ...\n'
        'requirement("a.four")\n'
    )

    assert list(marks_in(source)) == [("a.one", 1), ("a.two", 3)]
