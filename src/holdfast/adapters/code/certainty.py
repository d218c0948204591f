"""How sure it is that a call means a symbol, by what stands before the name that is called.

Names alone do not tell: ``headers.get(...)`` is most likely a dictionary's, even where the
repository has a function called ``get``.
"""

from __future__ import annotations

import builtins
import re
from enum import IntEnum
from functools import cache
from typing import NamedTuple

from holdfast.adapters.code.pointing import stem_parts

UNKNOWN = "?"
_ITSELF = frozenset({"self", "cls", "this", "super", "Self", "$this", "@"})
# In these a method is called from its own class without naming the object.
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
    """How sure a call is; the lower, the surer."""

    SURE = 0
    MAYBE = 1
    UNLIKELY = 2


class Calling(NamedTuple):
    """A call as it stands there: the name, what stands before it, and who calls."""

    name: str
    receiver: str
    caller: str
    language: str | None


class Called(NamedTuple):
    """A symbol that a call may mean: its name, its file, and whether the caller's file has it.

    ``is_near`` is true where the symbol is in the same file, or in one that the file imports.
    """

    qualified: str
    path: str
    is_near: bool


def receiver_before(content: bytes, start: int) -> str:
    """Return what a name is called on: nothing, an identifier, or ``?`` for anything longer."""
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


def certainty(calling: Calling, called: Called) -> Certainty:
    """Return how sure it is that a call means a symbol."""
    owner = called.qualified.removesuffix(calling.name).rstrip(".:#")
    if not calling.receiver:
        return _plain(calling, called, owner)
    if calling.receiver in _ITSELF:
        return _on_itself(calling, owner)
    return _on_an_object(calling, called, owner)


def _plain(calling: Calling, called: Called, owner: str) -> Certainty:
    """Judge ``name(...)``: a function, a class, or something inside the caller itself."""
    if not owner:
        if called.is_near:
            return Certainty.SURE
        return Certainty.UNLIKELY if calling.name in _built_in() else Certainty.MAYBE
    if _is_inside(calling.caller, owner):
        # Where the object is spelled out, a method is no name inside its class.
        is_in_scope = calling.language in _IMPLICIT or not _last(owner)[:1].isupper()
        return Certainty.SURE if is_in_scope else Certainty.UNLIKELY
    is_inherited = calling.language in _IMPLICIT and called.is_near
    return Certainty.MAYBE if is_inherited else Certainty.UNLIKELY


def _on_itself(calling: Calling, owner: str) -> Certainty:
    """Judge ``self.name(...)``: a method of the caller's class, or one it inherits."""
    if not owner:
        return Certainty.UNLIKELY
    return Certainty.SURE if _is_inside(calling.caller, owner) else Certainty.MAYBE


def _on_an_object(calling: Calling, called: Called, owner: str) -> Certainty:
    """Judge ``thing.name(...)``: the thing is a class, a module, or an object nobody knows."""
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
    """Tell whether a symbol is another one, or stands in it."""
    return name == owner or name.startswith((f"{owner}.", f"{owner}::", f"{owner}#"))


@cache
def _built_in() -> frozenset[str]:
    return frozenset(dir(builtins))


@cache
def _of_plain_objects() -> frozenset[str]:
    """Return the names that dictionaries, lists, texts, files and the like answer to."""
    kinds = (bytes, dict, float, frozenset, int, list, set, str, tuple)
    return _OF_OTHER_LANGUAGES | {name for kind in kinds for name in dir(kind)}
