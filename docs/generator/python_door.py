"""The Python door, read from its signatures, docstrings and annotations."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterator
from enum import StrEnum
from itertools import pairwise
from textwrap import dedent
from typing import cast, is_typeddict

import holdfast
from docs.generator.markdown import Page, code, sentences

_QUOTED_TYPE = re.compile(r"(: |-> )'([^']*)'")


def python_door() -> str:
    """Return the page of everything that ``holdfast.__all__`` promises."""
    page = Page("The Python door")
    page.text(
        "`import holdfast` gives a program everything on this page, and nothing else is promised.",
        "`hf` stands for the memory that `holdfast.open()` returns, and `service` for a"
        " `holdfast.MemoryService()`.",
    )
    named = {name: getattr(holdfast, name) for name in holdfast.__all__}
    functions = {name: one for name, one in named.items() if inspect.isfunction(one)}
    options = {name: one for name, one in named.items() if is_typeddict(one)}
    classes = {name: one for name, one in named.items() if inspect.isclass(one)}
    for name in options:
        del classes[name]
    page.heading("Functions")
    for name, function in functions.items():
        _add_callable(page, f"holdfast.{name}", function)
    _add_class(page, "MemoryStore", holdfast.MemoryStore, "Methods of")
    for one in options.values():
        _add_options(page, one)
    page.heading("What the methods return")
    page.text(
        "A class that is a list can be iterated, indexed and measured with `len`, and it is false"
        " if it is empty.",
        "A closed choice, such as a kind or a verdict, equals its text: `memory.kind == 'rule'`.",
    )
    for name, one in classes.items():
        is_door = one.__module__.startswith("holdfast.surfaces.python")
        if is_door and name != "MemoryStore" and not _is_error(one):
            _add_class(page, name, one)
    page.heading("Values and choices")
    for name, one in classes.items():
        if not one.__module__.startswith("holdfast.surfaces") and not _is_error(one):
            _add_value(page, name, one)
    page.heading("Errors")
    page.text(
        "Each has `code`, `message`, `facts` (a dictionary) and `advice` (what to do next);"
        " [the page of errors](errors.md) lists every code.",
    )
    page.table(["error", "is a", "what happened"], list(_errors(classes)))
    return page.written()


def _is_error(one: type) -> bool:
    return issubclass(one, BaseException)


def _errors(classes: dict[str, type]) -> Iterator[list[str]]:
    for name, one in classes.items():
        if _is_error(one):
            parents = ", ".join(code(parent.__name__) for parent in one.__bases__)
            yield [code(f"holdfast.{name}"), parents, " ".join(_said(one))]


def _add_callable(page: Page, name: str, function: Callable[..., object]) -> None:
    page.heading(name, level=3)
    page.code(f"{name.partition('.')[2]}{_signature(function)}", "python")
    _add_words(page, function)


def _add_words(page: Page, thing: object) -> None:
    words, example = _parts(thing)
    for paragraph in words:
        page.text(*sentences(paragraph))
    if example:
        page.code(example, "pycon")


def _add_class(page: Page, name: str, one: type, words: str = "") -> None:
    page.heading(f"holdfast.{name}", level=2 if words else 3)
    _add_words(page, one)
    fields = list(_fields(one))
    if fields:
        page.table(["field", "type", "what it is"], fields)
    for verb, method in inspect.getmembers(one, inspect.isfunction):
        if verb.startswith("_") or not method.__module__.startswith("holdfast"):
            continue
        if words:
            _add_callable(page, f"MemoryStore.{verb}", method)
        else:
            page.text(f"`{verb}{_signature(method)}`: {' '.join(_said(method))}")


def _fields(one: type) -> Iterator[list[str]]:
    """Yield the properties of a class and its bases, and the attributes that it documents."""
    for name, member in inspect.getmembers(one):
        if isinstance(member, property) and not name.startswith("_") and member.fget is not None:
            note = member.fget.__annotations__.get("return", "")
            yield [code(name), code(_type(note)), " ".join(_said(member))]
    for base in one.__mro__[:-1]:
        given = inspect.signature(base).parameters
        for name, words in _documented(base):
            yield [code(name), code(_type(given[name].annotation)), words]


def _documented(one: type) -> Iterator[tuple[str, str]]:
    """Yield the attributes that a constructor sets and describes in the next line."""
    if not one.__module__.startswith("holdfast.surfaces.python"):
        return
    body = ast.walk(ast.parse(dedent(inspect.getsource(one))))
    made = next(
        (one.body for one in body if isinstance(one, ast.FunctionDef) and one.name == "__init__"),
        [],
    )
    for line, after in pairwise(made):
        if (
            isinstance(line, ast.Assign)
            and isinstance(target := line.targets[0], ast.Attribute)
            and isinstance(after, ast.Expr)
            and isinstance(after.value, ast.Constant)
        ):
            yield target.attr, str(after.value.value).replace("``", "`")


def _add_value(page: Page, name: str, one: type) -> None:
    page.heading(f"holdfast.{name}", level=3)
    page.text(*_said(one))
    if issubclass(one, StrEnum):
        page.text(f"Values: {', '.join(code(choice.value) for choice in one)}.")
        return
    notes = cast("dict[str, object]", one.__annotations__)
    page.table(["field", "type"], [[code(name), code(_type(note))] for name, note in notes.items()])


def _add_options(page: Page, options: type) -> None:
    page.heading(f"holdfast.{options.__name__}")
    page.text(*_said(options), "All of them are optional keywords; None means not given.")
    notes = cast("dict[str, object]", options.__annotations__)
    page.table(
        ["keyword", "type"], [[code(name), code(_type(note))] for name, note in notes.items()]
    )


def _signature(function: Callable[..., object]) -> str:
    written = str(inspect.signature(function)).replace("(self, /, ", "(").replace("(self, ", "(")
    return _QUOTED_TYPE.sub(r"\1\2", written.replace("(self)", "()"))


def _type(note: object) -> str:
    return note if isinstance(note, str) else str(getattr(note, "__forward_arg__", note))


def _parts(thing: object) -> tuple[list[str], str]:
    """Return the paragraphs of a docstring, and its example."""
    paragraphs = (inspect.getdoc(thing) or "").split("\n\n")
    words = [one.replace("``", "`") for one in paragraphs if not one.startswith(">>>")]
    return words, "\n\n".join(one for one in paragraphs if one.startswith(">>>"))


def _said(thing: object) -> list[str]:
    return sentences(_parts(thing)[0][0])
