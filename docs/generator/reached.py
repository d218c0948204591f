"""Which verbs of the application a piece of code calls, read from its source."""

from __future__ import annotations

import ast
import inspect
from importlib import import_module
from pkgutil import walk_packages
from typing import TYPE_CHECKING

import holdfast.app
from holdfast.app import Holdfast
from holdfast.app.performing import DECLARED, Performed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

Verb = tuple[str, str]
"""A part of Holdfast by the name of its property, and one of its methods."""


def _classes() -> dict[str, type]:
    found: dict[str, type] = {}
    for module in walk_packages(holdfast.app.__path__, "holdfast.app."):
        for name, one in vars(import_module(module.name)).items():
            if inspect.isclass(one) and one.__module__ == module.name:
                found[name] = one
    return found


CLASSES = _classes()
"""Every class of the application, by its name."""
PARTS: dict[str, type] = {
    name: CLASSES[one.fget.__annotations__["return"]]
    for name, one in vars(Holdfast).items()
    if isinstance(one, property)
    and one.fget is not None
    and one.fget.__annotations__["return"] in CLASSES
}
"""Every part of Holdfast, by the name of its property."""
_BY_CLASS = {part.__name__: name for name, part in PARTS.items()}


def methods(part: type) -> dict[str, Performed | None]:
    """Return the public methods of a part with what each declares; none where one does not."""
    return {
        name: getattr(method, DECLARED, None)
        for name, method in inspect.getmembers(part, inspect.isfunction)
        if not name.startswith("_")
    }


MACHINE_PARTS: dict[str, type] = {
    name: getattr(import_module(f"holdfast.bootstrap.machine.{module}"), class_name)
    for name, module, class_name in (
        ("settings", "installed", "Configuration"),
        ("models", "installed_models", "Models"),
        ("tools", "installed", "CodingTools"),
        ("hooks", "installed", "GitHooks"),
        ("project", "project", "ProjectFiles"),
        ("sources", "sources", "Sources"),
        ("beside_store", "beside_store", "FilesBesideStore"),
        ("copies", "copies", "Copies"),
        ("remotes", "remotes", "Remotes"),
        ("database", "database", "Database"),
        ("tenants", "database", "Tenants"),
        ("measuring", "measuring", "Measuring"),
    )
}
"""Every part of the machine, by the name of its property."""


VERBS: dict[Verb, Performed | None] = {
    (name, method): declared
    for name, part in PARTS.items()
    for method, declared in methods(part).items()
}
"""Every verb of the application, with the operation that it declares."""


def reached(source: str) -> set[Verb]:
    """Return the verbs that a source calls, or hands to somebody who calls them."""
    tree = ast.parse(source)
    aliases = dict(_aliases(tree))
    found: set[Verb] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            verb = (_part_of(node.value, aliases) or "", node.attr)
            if verb in VERBS:
                found.add(verb)
    return found


def reached_under(folder: Path) -> set[Verb]:
    """Return the verbs that the modules under a folder call."""
    return {
        verb for path in folder.rglob("*.py") for verb in reached(path.read_text(encoding="utf-8"))
    }


def _aliases(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield the names that stand for a part: by annotation, or by assignment."""
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            yield from _annotated(node.arg, node.annotation)
        elif isinstance(node, ast.FunctionDef):
            yield from _annotated(f"{node.name}()", node.returns)
        elif isinstance(node, ast.Assign):
            yield from _assigned(node)


def _annotated(name: str, annotation: ast.expr | None) -> Iterator[tuple[str, str]]:
    part = None if annotation is None else _BY_CLASS.get(ast.unparse(annotation))
    if part is not None:
        yield name, part


def _assigned(node: ast.Assign) -> Iterator[tuple[str, str]]:
    targets, values = _pairs(node.targets[0], node.value)
    for target, value in zip(targets, values, strict=True):
        part = _part_of(value, {})
        if part is not None and isinstance(target, ast.Name):
            yield target.id, part


def _pairs(target: ast.expr, value: ast.expr) -> tuple[list[ast.expr], list[ast.expr]]:
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        return target.elts, value.elts
    return [target], [value]


def _part_of(node: ast.expr, aliases: dict[str, str]) -> str | None:
    """Return the part that an expression stands for."""
    if isinstance(node, ast.Attribute):
        return node.attr if node.attr in PARTS else aliases.get(node.attr)
    if isinstance(node, ast.Name):
        return aliases.get(node.id)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return "intake" if node.func.attr == "intake_using" else None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return aliases.get(f"{node.func.id}()")
    return None
