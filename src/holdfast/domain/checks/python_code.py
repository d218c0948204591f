"""The imports and the symbols of a Python file, from its syntax tree; nothing is run."""

from __future__ import annotations

import ast
import warnings
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

ENDINGS = (".py", ".pyi")


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


def tree_of(text: str) -> ast.Module:
    """Return the syntax tree of a file.

    Raises:
        ValueError: It is no Python, or is nested too deeply.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, RecursionError, MemoryError) as error:
        raise ValueError(type(error).__name__) from None


def may_import(text: str, module: str) -> bool:
    """Tell cheaply whether a file may import a module; a no is certain.

    Python reads some letters as others, so a file with letters beyond ASCII is always parsed.
    """
    last = module.rpartition(".")[2]
    return not text.isascii() or (last in text and "import" in text)


def imports_of(tree: ast.Module, path: str, *, at_run_time: bool = False) -> Iterator[ImportedName]:
    """Return what a file imports, anywhere in it.

    ``at_run_time`` leaves out what stands under ``if TYPE_CHECKING``.
    """
    package = path.split("/")[:-1]
    left_out = _typing_only(tree) if at_run_time else set()
    for node in ast.walk(tree):
        if node in left_out:
            continue
        if isinstance(node, ast.Import):
            for name in node.names:
                yield ImportedName(name.name, node.lineno)
        elif isinstance(node, ast.ImportFrom):
            yield from _from(node, package)


def _typing_only(tree: ast.Module) -> set[ast.AST]:
    """Return the nodes that only a type checker reads."""
    return {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and _is_typing(node.test)
        for child in node.body
        for inner in ast.walk(child)
    }


def _is_typing(test: ast.expr) -> bool:
    match test:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name == "TYPE_CHECKING"
        case _:
            return False


def _from(node: ast.ImportFrom, package: list[str]) -> Iterator[ImportedName]:
    near = package[: len(package) - node.level + 1] if node.level else []
    module = ".".join([*near, *([node.module] if node.module else [])])
    if module:
        yield ImportedName(module, node.lineno, bool(node.level))
    for name in node.names:
        whole = f"{module}.{name.name}" if module else name.name
        yield ImportedName(whole, node.lineno, bool(node.level))


def symbols_of(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Return the qualified names that a file defines, and their lines."""
    pending: list[tuple[ast.AST, str]] = [(tree, "")]
    while pending:
        node, within = pending.pop()
        for child in ast.iter_child_nodes(node):
            inner = within
            for name, line in _defined(child):
                yield f"{within}{name}", line
                if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                    inner = f"{within}{name}."
            if not isinstance(child, ast.expr):
                pending.append((child, inner))


def _defined(node: ast.AST) -> Iterator[tuple[str, int]]:
    match node:
        case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
            yield node.name, node.lineno
        case ast.Assign():
            for target in node.targets:
                if isinstance(target, ast.Name):
                    yield target.id, node.lineno
        case ast.AnnAssign(target=ast.Name(id=name)):
            yield name, node.lineno
        case _:
            return


def is_named(qualified: str, name: str) -> bool:
    """Tell whether a qualified name ends with the wanted one: ``Shop.pay`` is also ``pay``."""
    own, wanted = _dotted(qualified), _dotted(name)
    return own == wanted or own.endswith(f".{wanted}")


def _dotted(name: str) -> str:
    return name.replace("::", ".").replace("#", ".")
