"""Rates how likely a call refers to a symbol, from the receiver before the called name.

The name alone is not enough: ``headers.get(...)`` is most likely a dictionary's method, even where
the repository defines a function called ``get``.
"""

from __future__ import annotations

import builtins
import re
from enum import IntEnum
from functools import cache
from typing import NamedTuple

from holdfast.adapters.code.parsing.parsed import stem_parts

UNKNOWN = "?"
_ITSELF = frozenset({"self", "cls", "this", "super", "Self", "$this", "@"})
# In these languages a method is called inside its own class without naming the object.
_IMPLICIT = frozenset({"c_sharp", "cpp", "java", "kotlin", "php", "ruby", "scala", "swift"})
_LOOK_BACK = 80
_BEFORE = re.compile(
    rb"(?P<name>[A-Za-z_$@][\w$]*|super\s*\(\s*\)|[)\]}\"'`])?\s*(?:\?\.|\.|->|::)\s*\Z"
)
_LONGER = re.compile(rb"(?:\.|->|::)\s*\Z")
_OF_OTHER_LANGUAGES = frozenset({
    "catch", "clone", "collect", "each", "filter", "flatMap", "forEach", "hasOwnProperty",
    "includes", "indexOf", "isEmpty", "iter", "map", "push", "reduce", "shift", "slice", "splice",
    "substring", "then", "toLowerCase", "toString", "toUpperCase", "trim", "unshift", "unwrap",
    "valueOf",
})  # fmt: skip


class Certainty(IntEnum):
    """How certain it is that a call refers to a symbol; a lower value is more certain."""

    SURE = 0
    MAYBE = 1
    UNLIKELY = 2


class CallInSource(NamedTuple):
    """A call in the source: the called name, the receiver before it, and the calling symbol."""

    name: str
    receiver: str
    caller: str
    language: str | None


class CallTarget(NamedTuple):
    """A symbol that a call may refer to: its name, its file, and whether the caller's file has it.

    ``is_near`` is true if the symbol is in the same file, or in a file that this file imports.
    """

    qualified: str
    path: str
    is_near: bool


def receiver_before(content: bytes, start: int) -> str:
    """Return the receiver of a call: empty, an identifier, or ``?`` for a longer expression."""
    before = content[max(0, start - _LOOK_BACK) : start]
    found = _BEFORE.search(before)
    if found is None:
        return ""
    name = found["name"] or b""
    if name.startswith(b"super"):
        return "super"
    is_plain = bool(re.match(rb"[A-Za-z_$@]", name))
    if not is_plain or _LONGER.search(before, 0, found.start("name")):
        return UNKNOWN
    return name.decode("ascii")


def certainty(calling: CallInSource, called: CallTarget) -> Certainty:
    """Return how certain it is that a call refers to a symbol."""
    owner = called.qualified.removesuffix(calling.name).rstrip(".:#")
    if not calling.receiver:
        return _plain(calling, called, owner)
    if calling.receiver in _ITSELF:
        return _on_itself(calling, owner)
    return _on_an_object(calling, called, owner)


def _plain(calling: CallInSource, called: CallTarget, owner: str) -> Certainty:
    """Rate ``name(...)``: a function, a class, or a symbol inside the caller itself."""
    if not owner:
        if called.is_near:
            return Certainty.SURE
        return Certainty.UNLIKELY if calling.name in _built_in() else Certainty.MAYBE
    if _is_inside(calling.caller, owner):
        # In languages that spell out the object, a bare name does not refer to a method of the
        # class.
        is_in_scope = calling.language in _IMPLICIT or not _last(owner)[:1].isupper()
        return Certainty.SURE if is_in_scope else Certainty.UNLIKELY
    is_inherited = calling.language in _IMPLICIT and called.is_near
    return Certainty.MAYBE if is_inherited else Certainty.UNLIKELY


def _on_itself(calling: CallInSource, owner: str) -> Certainty:
    """Rate ``self.name(...)``: a method of the caller's class, or an inherited one."""
    if not owner:
        return Certainty.UNLIKELY
    return Certainty.SURE if _is_inside(calling.caller, owner) else Certainty.MAYBE


def _on_an_object(calling: CallInSource, called: CallTarget, owner: str) -> Certainty:
    """Rate ``thing.name(...)``: the thing is a class, a module, or an object of unknown type."""
    receiver = calling.receiver
    if owner:
        if _last(owner) == receiver:
            return Certainty.SURE
        return Certainty.UNLIKELY if calling.name in _of_plain_objects() else Certainty.MAYBE
    if receiver in stem_parts(called.path):
        return Certainty.SURE if called.is_near else Certainty.MAYBE
    is_alias = called.is_near and receiver != UNKNOWN and calling.name not in _of_plain_objects()
    return Certainty.MAYBE if is_alias else Certainty.UNLIKELY


def _last(name: str) -> str:
    return re.split(r"[.:#]+", name)[-1]


def _is_inside(name: str, owner: str) -> bool:
    """Return whether a symbol is the other symbol or is nested in it."""
    return name == owner or name.startswith((f"{owner}.", f"{owner}::", f"{owner}#"))


@cache
def _built_in() -> frozenset[str]:
    return frozenset(dir(builtins))


@cache
def _of_plain_objects() -> frozenset[str]:
    """Return the names of methods of built-in types: dictionaries, lists, strings, files."""
    kinds = (bytes, dict, float, frozenset, int, list, set, str, tuple)
    return _OF_OTHER_LANGUAGES | {name for kind in kinds for name in dir(kind)}
