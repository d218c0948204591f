"""Turns definitions into symbols: nests them and gives each its qualified name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from holdfast.adapters.code.parsing.comments import shortened
from holdfast.adapters.code.parsing.parsed import Call
from holdfast.domain.code.code import Symbol
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.adapters.code.parsing.tree_reading import CallSite, Definition, TreeMatches

_LONGEST_SIGNATURE = 200
_MOST_SIGNATURE_BYTES = 1_000
FUNCTIONS = frozenset({"function", "method", "macro"})
CLASSES = frozenset({"class", "enum", "impl", "interface", "record", "struct", "trait"})
_VALUES = frozenset({"constant", "key"})
_ARGUMENTS = re.compile(r"<[^<>]*>")
_SHOUTED = re.compile(r"[A-Z][A-Z0-9_]+\Z")
_COMMENTED = re.compile(r"(?:\n[ \t]*#[^\n]*)+\Z")
_LOOSE_ENDS = ("=>", "=", "{", ":", ";")


class Nested(NamedTuple):
    """A symbol with its place in the file and its parent.

    ``top`` is the first line of the comment above it; ``parent`` is -1 for an outermost symbol. An
    alias is another name of a function or class; its text belongs to the symbol of the first name.
    """

    symbol: Symbol
    top: int
    parent: int
    start: int
    end: int
    is_alias: bool = False


class _Body(NamedTuple):
    """The first symbol with a body, and the last words of all names that the body has."""

    place: int
    words: set[str]


def nested(reading: TreeMatches, joint: str) -> list[Nested]:
    """Return the symbols in order, with their qualified names."""
    made: list[Nested] = []
    starts: list[int] = []
    bodies: dict[int, _Body] = {}
    open_ones: list[int] = []
    values: set[str] = set()
    for definition in reading.definitions:
        while open_ones and made[open_ones[-1]].end <= definition.start:
            open_ones.pop()
        parent = open_ones[-1] if open_ones else -1
        same = None if definition.body is None else bodies.get(definition.body)
        outer = parent if same is None else made[same.place].parent
        within = made[outer].symbol if outer >= 0 else None
        kind = None if _is_named(definition, same) else _kind(definition, within)
        if kind is None:
            continue
        name = _full_name(definition, within, joint)
        if kind in _VALUES:
            # A variable is a symbol only at its first assignment.
            if name in values:
                continue
            values.add(name)
        # A wrapper that starts outside the parent does not belong to this definition.
        start, first = _wrapped(reading, definition, beyond=starts[parent] if open_ones else -1)
        top, symbol = _symbol(reading, definition, name, kind, first)
        starts.append(definition.start)
        if same is None:
            open_ones.append(len(made))
        elif not symbol.doc:
            symbol = replace(symbol, doc=made[same.place].symbol.doc)
        _note_name(definition, bodies, place=len(made))
        made.append(Nested(symbol, top, parent, start, definition.end, same is not None))
    return made


def _symbol(
    reading: TreeMatches, definition: Definition, name: str, kind: str, first: int
) -> tuple[int, Symbol]:
    """Return a symbol and the first line of the comment above it."""
    top, doc = reading.comments.above(first)
    symbol = Symbol(
        name=name,
        kind=kind,
        first=first + 1,
        last=definition.last + 1,
        signature=_signature(reading.content, definition),
        doc=reading.docs.get(definition.start) or doc,
    )
    return top + 1, symbol


def _is_named(definition: Definition, same: _Body | None) -> bool:
    """Return whether a symbol with the same body has this name already."""
    return same is not None and _last_word(definition) in same.words


def _note_name(definition: Definition, bodies: dict[int, _Body], *, place: int) -> None:
    if definition.body is not None:
        same = bodies.setdefault(definition.body, _Body(place, set()))
        same.words.add(_last_word(definition))


def _last_word(definition: Definition) -> str:
    return definition.name.rpartition(".")[2]


def calls_within(sites: Sequence[CallSite], symbols: Sequence[Nested]) -> list[Call]:
    """Return the calls of each symbol with their receivers, without duplicates."""
    seen: set[tuple[int, str, str]] = set()
    calls: list[Call] = []
    open_ones: list[int] = []
    following = 0
    for start, row, name, receiver in sites:
        while following < len(symbols) and symbols[following].start <= start:
            if not symbols[following].is_alias:
                open_ones.append(following)
            following += 1
        while open_ones and symbols[open_ones[-1]].end <= start:
            open_ones.pop()
        inside = open_ones[-1] if open_ones else -1
        if (inside, name, receiver) not in seen:
            seen.add((inside, name, receiver))
            calls.append(Call(inside=inside, name=name, line=row + 1, receiver=receiver))
    return calls


def _kind(definition: Definition, within: Symbol | None) -> str | None:
    """Return the kind of a definition in its context; None if it is not indexed."""
    kind = definition.kind
    if kind == "prototype":
        if within is not None and within.kind in FUNCTIONS:
            return None
        kind = "function"
    if kind == "function":
        is_member = within is not None and within.kind in CLASSES
        return "method" if is_member or definition.owner or "::" in definition.name else kind
    if kind == "field":
        is_value = _SHOUTED.match(definition.name) and (within is None or within.kind in CLASSES)
        return "constant" if is_value else None
    return kind


def _full_name(definition: Definition, within: Symbol | None, joint: str) -> str:
    name = definition.name
    while "<" in name and "::" in name and (shorter := _ARGUMENTS.sub("", name)) != name:
        name = shorter
    name = name.replace("::", ".").strip("\"'`")
    if definition.owner:
        name = f"{definition.owner}.{name}"
    return name if within is None else f"{within.name}{joint}{name}"


def _wrapped(reading: TreeMatches, definition: Definition, *, beyond: int) -> tuple[int, int]:
    """Return the first byte and row of a definition, including its decorators.

    Decorators, an export and attributes belong to it if they are inside its parent.
    """
    start, first = definition.start, definition.first
    for end in (definition.end, definition.end + 1):
        for place, row in reading.wrappers.get(end, ()):
            if beyond < place < start:
                start, first = place, row
    while first - 1 in reading.above:
        first = reading.above[first - 1]
    return start, first


def _signature(content: bytes, definition: Definition) -> str:
    start = definition.start
    end = definition.end if definition.body is None else definition.body
    text = content[start : min(end, start + _MOST_SIGNATURE_BYTES)].decode("utf-8", "replace")
    text = text.rstrip()
    if "#" in text:
        text = _COMMENTED.sub("", text)
    for loose in _LOOSE_ENDS:
        text = text.removesuffix(loose)
    return shortened(text, _LONGEST_SIGNATURE)
