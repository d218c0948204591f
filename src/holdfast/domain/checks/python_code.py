"""The imports and the symbols of a Python file, from its syntax tree; nothing is run."""

from __future__ import annotations

import ast
import re
import warnings
from typing import TYPE_CHECKING

from holdfast.domain.checks.imported_names import ImportedName, above, called_imports

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

ENDINGS = (".py", ".pyi", ".pyw")
_COOKIE = re.compile(rb"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_NO_CODE = re.compile(rb"[ \t\f]*(?:#.*)?")
# Python reads a name that begins with one of the first two and a hyphen as that encoding.
_PLAIN_ENCODING = re.compile(
    r"(?:utf-8|latin-1)(?:-.*)?|utf8|u8|ascii|us-ascii|latin1|iso-8859-1|iso8859-1|iso-latin-1"
)
_CONTINUED = "\\\n"
_BY_NAME = frozenset({"import_module", "__import__"})


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


def odd_encoding(content: bytes) -> tuple[str, int] | None:
    """Return the encoding that a file declares and its line, if it is not read as plain text.

    Python decodes the file with it, so the code that runs may not be the text that is on disk.
    """
    for number, line in enumerate(content.split(b"\n", 2)[:2], start=1):
        if found := _COOKIE.match(line):
            name = found[1].decode("ascii", "replace")
            plain = name.casefold().replace("_", "-")
            return None if _PLAIN_ENCODING.fullmatch(plain) else (name[:40], number)
        if not _NO_CODE.fullmatch(line):
            return None
    return None


def may_import(text: str, module: str) -> bool:
    """Tell cheaply whether a file may import a module; a no is certain."""
    last = module.rpartition(".")[2]
    if not is_spelled_out(text) or any(word in text for word in _BY_NAME):
        return True
    return last in text and "import" in text


def is_spelled_out(text: str) -> bool:
    """Tell whether every name of a file is found in its text; otherwise the file must be parsed.

    Python reads some letters beyond ASCII as others, and a backslash may part a line anywhere.
    """
    return text.isascii() and _CONTINUED not in text


def imports_of(tree: ast.Module, path: str, *, at_run_time: bool = False) -> Iterator[ImportedName]:
    """Return what a file imports, anywhere in it; also by a call with a literal name.

    ``at_run_time`` leaves out what stands under ``if TYPE_CHECKING``.
    """
    package = path.split("/")[:-1]
    left_out = _typing_only(tree) if at_run_time else set()
    by_name = _BY_NAME | _other_names(tree)
    for node in ast.walk(tree):
        if node in left_out:
            continue
        if isinstance(node, ast.Import):
            for name in node.names:
                yield ImportedName(name.name, node.lineno)
        elif isinstance(node, ast.ImportFrom):
            yield from _from(node, package)
        elif isinstance(node, ast.Call) and _is_called(node, by_name):
            yield from called_imports(node, path)


def _other_names(tree: ast.Module) -> set[str]:
    """Return the names under which a file imports the functions that import by name."""
    return {
        one.asname
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for one in node.names
        if one.asname and one.name in _BY_NAME
    }


def _is_called(node: ast.Call, by_name: Collection[str]) -> bool:
    match node.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name in by_name
        case _:
            return False


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
    near = above(package, node.level) if node.level else []
    module = ".".join([*near, *([node.module] if node.module else [])])
    if module:
        yield ImportedName(module, node.lineno, bool(node.level))
    for name in node.names:
        whole = f"{module}.{name.name}" if module else name.name
        yield ImportedName(whole, node.lineno, bool(node.level))


def symbols_of(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Return the qualified names that a file defines or assigns, and their lines."""
    pending: list[tuple[ast.AST, str]] = [(tree, "")]
    while pending:
        node, within = pending.pop()
        for child in ast.iter_child_nodes(node):
            inner = within
            if name := _bound(child):
                yield f"{within}{name}", getattr(child, "lineno", 0)
                if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                    inner = f"{within}{name}."
            pending.append((child, inner))


def _bound(node: ast.AST) -> str | None:
    """Return the name that a node defines or assigns; an import counts if it renames."""
    match node:
        case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
            return node.name
        case ast.Name(id=name, ctx=ast.Store()):
            return name
        case ast.alias(asname=name) | ast.ExceptHandler(name=name):
            return name
        case ast.MatchAs(name=name) | ast.MatchStar(name=name) | ast.MatchMapping(rest=name):
            return name
        case _:
            return None


def is_named(qualified: str, name: str) -> bool:
    """Tell whether a qualified name ends with the wanted one: ``Shop.pay`` is also ``pay``."""
    own, wanted = _dotted(qualified), _dotted(name)
    return own == wanted or own.endswith(f".{wanted}")


def _dotted(name: str) -> str:
    return name.replace("::", ".").replace("#", ".")
