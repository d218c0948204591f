"""The modules that a Python file imports by a call with literal words, such as a plugin's."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_ENTRY = "__init__"
_PACKAGE, _FROM, _LEVEL = 1, 3, 4
"""The positions of the arguments of ``import_module`` and ``__import__``."""


class ImportedName(NamedTuple):
    """A module that a file imports, and the line; ``is_near`` says that it was relative."""

    module: str
    line: int
    is_near: bool = False

    def is_of(self, module: str) -> bool:
        """Tell whether this is the module, or something inside it."""
        if self.is_near:
            # The root of the package is unknown: src/shop/a.py may be src.shop.a or shop.a.
            return f".{module}." in f".{self.module}."
        return self.module == module or self.module.startswith(f"{module}.")

    def named(self, module: str) -> str:
        """Return the imported name from the checked module on, without folders before it."""
        start = f".{self.module}.".find(f".{module}.") if self.is_near else 0
        return self.module[start:]


def called_imports(node: ast.Call, path: str) -> Iterator[ImportedName]:
    """Return what ``import_module("os")`` or ``__import__("os")`` imports.

    A computed name is left out. A name that is relative to a computed package is returned without
    the package.
    """
    called = _literal(_argument(node, 0, "name"))
    if called is None:
        return
    module = called.lstrip(".")
    folders = path.split("/")[:-1]
    start, is_near = list[str](), False
    if dots := len(called) - len(module):
        start, is_near = _package(_argument(node, _PACKAGE, "package"), path)
        start = above(start, dots)
    elif level := _number(_argument(node, _LEVEL, "level")):
        start, is_near = above(folders, level), True
    # A level without a name is the package itself, as in `from . import db`.
    whole = ".".join(filter(None, [*start, module]))
    if whole:
        yield ImportedName(whole, node.lineno, is_near)
    if whole or is_near:
        for name in _literals(_argument(node, _FROM, "fromlist")):
            yield ImportedName(f"{whole}.{name}".lstrip("."), node.lineno, is_near)


def above(package: list[str], level: int) -> list[str]:
    """Return the package that the dots before a relative name mean, seen from another package."""
    return package[: max(0, len(package) - level + 1)]


def _package(given: ast.expr | None, path: str) -> tuple[list[str], bool]:
    """Return the package that a relative name starts from, and whether it is known by its path."""
    *folders, file = path.split("/")
    match given:
        case ast.Name(id="__package__") | ast.Attribute(attr="parent"):
            return folders, True
        case ast.Name(id="__name__"):
            stem = file.partition(".")[0]
            return (folders if stem == _ENTRY else [*folders, stem]), True
        case _:
            package = _literal(given)
            return package.split(".") if package else [], not package


def _argument(node: ast.Call, position: int, name: str) -> ast.expr | None:
    """Return an argument of a call, by its position or by its name."""
    if any(isinstance(one, ast.Starred) for one in node.args[: position + 1]):
        return None
    given = [*node.args[position : position + 1]]
    given += [one.value for one in node.keywords if one.arg == name]
    return given[0] if given else None


def _literal(node: ast.expr | None) -> str | None:
    """Return a text that is written in the code, also as an f-string or in parts; else None."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            texts = [_literal(part) for part in parts]
        case ast.FormattedValue(value=inner, conversion=-1 | 115, format_spec=None):
            texts = [_literal(inner)]
        case ast.BinOp(op=ast.Add()):
            texts = [_literal(part) for part in _summands(node)]
        case _:
            return None
    known = [text for text in texts if text is not None]
    return "".join(known) if len(known) == len(texts) else None


def _summands(node: ast.expr) -> list[ast.expr]:
    """Return the parts of a sum; one of a thousand parts is nested a thousand deep."""
    parts: list[ast.expr] = []
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        parts.append(node.right)
        node = node.left
    return [node, *reversed(parts)]


def _literals(node: ast.expr | None) -> list[str]:
    match node:
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return [text for item in items if (text := _literal(item))]
        case _:
            return []


def _number(node: ast.expr | None) -> int:
    match node:
        case ast.Constant(value=int(number)):
            return number
        case _:
            return 0
