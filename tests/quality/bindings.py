"""Which methods of which classes a door really calls, from its entry functions on.

A small reading of types: annotations of parameters, returns and fields, values of local names,
and imports say of which class a receiver is. A call whose receiver is not known counts for
nobody, and neither does a function that nothing reaches from an entry.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Sources:
    """The modules of a package, by their dotted names."""

    text: dict[str, str]

    @classmethod
    def of(cls, root: Path) -> Sources:
        """Read every module below a package's folder."""
        text = {}
        for path in sorted(root.rglob("*.py")):
            name = ".".join(path.relative_to(root.parent).with_suffix("").parts)
            text[name.removesuffix(".__init__")] = path.read_text(encoding="utf-8")
        return cls(text)

    @cached_property
    def modules(self) -> dict[str, Module]:
        """Return every module, read."""
        return {name: Module.read(name, text) for name, text in self.text.items()}

    def found(self, name: str) -> ast.AST | None:
        """Return the class or function of a dotted name, through packages that pass it on."""
        module, _, last = name.rpartition(".")
        if module in self.modules:
            there = self.modules[module]
            if last in there.defined:
                return there.defined[last]
            if last in there.imported and there.imported[last] != name:
                return self.found(there.imported[last])
            return None
        owner = self.found(module) if module else None
        if isinstance(owner, ast.ClassDef):
            return next((one for one in _functions(owner) if one.name == last), None)
        return None

    def home(self, name: str) -> str:
        """Return the dotted name under which a thing is defined."""
        module, _, last = name.rpartition(".")
        if module in self.modules and last not in self.modules[module].defined:
            passed_on = self.modules[module].imported.get(last, name)
            return name if passed_on == name else self.home(passed_on)
        return name


@dataclass
class Module:
    """The names of one module: what it defines, and what it imports from where."""

    name: str
    tree: ast.Module
    defined: dict[str, ast.AST] = field(default_factory=dict)
    imported: dict[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, name: str, text: str) -> Module:
        """Read a module."""
        module = cls(name, ast.parse(text))
        for node in module.tree.body:
            if isinstance(node, ast.ClassDef | Function):
                module.defined[node.name] = node
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                module.defined[node.targets[0].id] = node
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                module.defined[node.target.id] = node
        module.imported.update(_imports(module.tree))
        return module

    @cached_property
    def parameters(self) -> dict[str, ast.expr]:
        """Return the annotated parameters of its functions, by name."""
        return {
            node.arg: node.annotation
            for node in ast.walk(self.tree)
            if isinstance(node, ast.arg) and node.annotation is not None
        }

    def full(self, name: str) -> str:
        """Return the dotted name of a name of this module."""
        return f"{self.name}.{name}" if name in self.defined else self.imported.get(name, "")


@dataclass
class Bindings:
    """Follows a door from its entries, and collects the methods that it calls.

    ``within`` are the packages whose functions are followed; others are only read for types.
    """

    sources: Sources
    within: tuple[str, ...]
    called: set[str] = field(default_factory=set)
    seen: set[str] = field(default_factory=set)

    def follow(self, names: Iterable[str]) -> set[str]:
        """Return ``module.Class.method`` of every call reached from these functions or classes."""
        waiting = [self.sources.home(name) for name in names]
        while waiting:
            name = waiting.pop()
            if name in self.seen or not name.startswith(self.within):
                continue
            self.seen.add(name)
            node = self.sources.found(name)
            module = self._module(name)
            if isinstance(node, ast.ClassDef):
                waiting += [f"{name}.{one.name}" for one in _functions(node)]
            elif node is not None:
                reader = _Reader(self.sources, module, _owner(name, module))
                reader.read(node)
                self.called |= reader.called
                waiting += [self.sources.home(one) for one in reader.referred]
        return self.called

    def _module(self, name: str) -> Module:
        while name not in self.sources.modules:
            name = name.rpartition(".")[0]
        return self.sources.modules[name]


class _Reader(ast.NodeVisitor):
    """Reads one function: the classes of its names, its calls, and what it refers to."""

    def __init__(self, sources: Sources, module: Module, owner: str) -> None:
        self.called: set[str] = set()
        self.referred: set[str] = set()
        self._sources = sources
        self._module = module
        self._types: dict[str, str] = {"self": owner} if owner else {}

    def read(self, node: ast.AST) -> None:
        """Read a function, those inside it included, or the value of a name."""
        self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> None:
        # A lambda annotates nothing: its parameter is what that name is elsewhere in the module.
        said = node.annotation or self._module.parameters.get(node.arg)
        if said is not None:
            self._types[node.arg] = self._named(said, self._module)

    def visit_Assign(self, node: ast.Assign) -> None:
        for target in node.targets:
            if isinstance(target, ast.Name):
                self._types[target.id] = self._type(node.value)
        self.generic_visit(node)

    def visit_With(self, node: ast.With) -> None:
        for item in node.items:
            if isinstance(item.optional_vars, ast.Name):
                self._types[item.optional_vars.id] = self._type(item.context_expr)
        self.generic_visit(node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        self._module.imported.update(_imports(node))

    def visit_Name(self, node: ast.Name) -> None:
        self._refer(self._module.full(node.id))

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if isinstance(node.value, ast.Name) and node.value.id not in self._types:
            self._refer(f"{self._module.full(node.value.id)}.{node.attr}")
        if receiver := self._type(node.value):
            self.called.add(f"{receiver}.{node.attr}")
            self._refer(f"{receiver}.{node.attr}")
        self.generic_visit(node)

    def _refer(self, name: str) -> None:
        if name and self._sources.found(name) is not None:
            self.referred.add(name)

    def _type(self, node: ast.expr) -> str:
        """Return the class of a value; empty where it cannot be told."""
        match node:
            case ast.Name(id=name):
                return self._types.get(name, "")
            case (
                ast.NamedExpr(value=value) | ast.Call(func=ast.Name(id="replace"), args=[value, *_])
            ):
                return self._type(value)
            case ast.Call(func=ast.Name(id=name)):
                return self._result(self._module.full(name))
            case (
                ast.Attribute(value=value, attr=attr)
                | ast.Call(func=ast.Attribute(value=value, attr=attr))
            ):
                return self._member(self._type(value), attr)
            case _:
                return ""

    def _result(self, name: str) -> str:
        found = self._sources.found(name) if name else None
        if isinstance(found, ast.ClassDef):
            return self._sources.home(name)
        if isinstance(found, Function) and found.returns is not None:
            return self._named(found.returns, self._home_of(name))
        return ""

    def _member(self, owner: str, attr: str) -> str:
        """Return the class of a field, a property's value or a method's result."""
        found = self._sources.found(owner) if owner else None
        if not isinstance(found, ast.ClassDef):
            return ""
        module = self._home_of(owner)
        for node in found.body:
            match node:
                case ast.AnnAssign(target=ast.Name(id=name), annotation=said) if name == attr:
                    return self._named(said, module)
                case ast.FunctionDef(name=name, returns=ast.expr() as said) if name == attr:
                    return self._named(said, module)
        return self._set_by_init(found, attr, module)

    def _set_by_init(self, owner: ast.ClassDef, attr: str, module: Module) -> str:
        """Return the class of a field that the constructor copies from one of its parameters."""
        init = next((one for one in _functions(owner) if one.name == "__init__"), None)
        for node in ast.walk(init) if init is not None else ():
            match node:
                case ast.Assign(
                    targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)],
                    value=ast.Name(id=given),
                ) if name == attr:
                    arguments = [*init.args.args, *init.args.kwonlyargs] if init else []
                    said = next((one.annotation for one in arguments if one.arg == given), None)
                    return self._named(said, module) if said is not None else ""
        return ""

    def _home_of(self, name: str) -> Module:
        name = self._sources.home(name)
        while name not in self._sources.modules:
            name = name.rpartition(".")[0]
        return self._sources.modules[name]

    def _named(self, said: ast.expr, module: Module) -> str:
        match said:
            case ast.Name(id=name):
                return self._sources.home(module.full(name)) if module.full(name) else ""
            case ast.BinOp(left=left, op=ast.BitOr()):
                return self._named(left, module)
            case ast.Constant(value=str(text)):
                return self._named(ast.parse(text, mode="eval").body, module)
            case ast.Subscript(slice=inner):
                # A generator or a context manager of ours hands out what it is a generator of.
                first = inner.elts[0] if isinstance(inner, ast.Tuple) else inner
                return self._named(first, module)
            case _:
                return ""


def _functions(node: ast.ClassDef) -> Iterator[Function]:
    return (one for one in node.body if isinstance(one, Function))


def _owner(name: str, module: Module) -> str:
    """Return the class that a method belongs to; empty for a plain function."""
    above = name.rpartition(".")[0]
    return "" if above == module.name else above


def _imports(tree: ast.AST) -> dict[str, str]:
    return {
        alias.asname or alias.name: f"{node.module}.{alias.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
    }
