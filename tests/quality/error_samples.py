"""One error of every class, made with sample facts, wherever in the program it is defined."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from pathlib import Path

import holdfast
from holdfast.domain.errors import HoldfastError
from holdfast.domain.memory.callers import Operation, PrincipalKind
from holdfast.surfaces.wire.failures import FAMILIES

_TEXTS = ["m_one", "m_two"]
_BY_NAME: dict[str, object] = {
    "choices": _TEXTS,
    "fits": _TEXTS,
    "known": _TEXTS,
    "budget": 3,
    "least": 20,
    "size": 9,
    "cap": 8,
    "line": 3,
    "theirs": 9,
    "ours": 8,
    "wanted": 5,
    "many": 3,
    "most": 100,
    "index": 2,
    "noun": "memory",
    "folder": Path("/somewhere"),
}


_CHOICES: dict[str, object] = {
    "PrincipalKind": PrincipalKind.AGENT,
    "Operation": Operation.FORGET,
}


_INTEGRATIONS = "holdfast.integrations."


def error_classes() -> list[type[HoldfastError]]:
    """Return every class of error below the families, from every module of the program."""
    for module in pkgutil.walk_packages(holdfast.__path__, "holdfast."):
        # The integrations need the packages of their frameworks, and have no errors of Holdfast.
        if not module.name.endswith("__main__") and not module.name.startswith(_INTEGRATIONS):
            importlib.import_module(module.name)
    found = {leaf for leaf in _below(HoldfastError) if leaf.__module__.startswith("holdfast.")}
    return sorted(found - set(FAMILIES), key=lambda leaf: leaf.__name__)


def sample(leaf: type[HoldfastError]) -> HoldfastError:
    """Return an error of a class, with some value for every fact that it asks for."""
    places, names = [], {}
    for name, part in list(inspect.signature(leaf.__init__).parameters.items())[1:]:
        if part.kind in {part.VAR_POSITIONAL, part.VAR_KEYWORD, part.POSITIONAL_ONLY}:
            continue
        value = _value(leaf, name, str(part.annotation))
        if part.kind is part.KEYWORD_ONLY:
            names[name] = value
        else:
            places.append(value)
    return leaf(*places, **names)  # type: ignore[arg-type]  # each class has facts of its own


def _value(leaf: type[HoldfastError], name: str, kind: str) -> object:
    if kind in _CHOICES:
        return _CHOICES[kind]
    if "bool" in kind:
        return True
    if kind.startswith("Iterable"):
        return _TEXTS
    if kind.startswith("int"):
        return 3
    if kind.startswith("tuple"):
        return tuple(_TEXTS)
    return _BY_NAME.get(name, name)


def _below(kind: type[HoldfastError]) -> Iterator[type[HoldfastError]]:
    for leaf in kind.__subclasses__():
        yield leaf
        yield from _below(leaf)
