"""Parses the frontmatter of an entry: a strict subset of YAML in which every value is a text.

ruamel.yaml parses the block and gives the position of each value. Nothing is resolved, so that
``0123456``, ``1.10``, ``no`` and dates stay as a person wrote them. The usual block, with one plain
value or list of plain values on each line, is parsed without ruamel.yaml: its import alone would
add more to a cold start than a hundred pages do.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

from holdfast.domain.gates.hidden import make_visible, storable_problem
from holdfast.domain.values import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

DEEPEST = 4
_LONGEST_SHOWN = 60
_QUOTE = '"'
_WORD = r"[A-Za-z0-9_./][A-Za-z0-9_./@+-]*(?::[A-Za-z0-9_./@+-]+)*"
_PLAIN = rf"{_WORD}(?: {_WORD})*"
_QUOTED = r'"[ !#-\[\]-~]*"'
"""A text in double quotes without escapes: the characters between the quotes are the text."""
_VALUE = rf"(?:{_PLAIN}|{_QUOTED})"
_PLAIN_LINE = re.compile(
    rf"(?P<key>[A-Za-z_][A-Za-z0-9_-]*):(?: +(?:(?P<text>{_VALUE})"
    rf"|(?P<list>\[(?:{_VALUE}(?:, ?{_VALUE})*)?\])))? *\r?\n"
)
_ITEM = re.compile(_VALUE)
_ITEM_LINE = re.compile(rf"(?P<indent> *)- +(?P<item>{_VALUE}) *\r?\n")


class _Mark(Protocol):
    """A position in the block."""

    index: int
    line: int


class _Event(Protocol):
    """A parser event: each kind of event has some of these attributes."""

    start_mark: _Mark
    end_mark: _Mark
    value: str
    style: str | None
    flow_style: bool | None
    explicit: bool | None


class Scalar(NamedTuple):
    """A text of the frontmatter, its start and end, and its quote or block character."""

    text: str
    start: int
    end: int
    style: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One key: its line, the end of its colon, and its value."""

    key: str
    line: int
    after_colon: int
    scalar: Scalar | None = None
    items: tuple[Scalar, ...] | None = None
    is_flow: bool = True
    end: int = 0

    @property
    def texts(self) -> tuple[str, ...] | None:
        """The value as a list of texts; None if it is nested."""
        if self.items is not None:
            return tuple(item.text for item in self.items)
        if self.scalar is None:
            return None
        return tuple(part for part in (one.strip() for one in self.scalar.text.split(",")) if part)


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontmatterTrouble:
    """Why a block cannot be parsed, and its line, counted from 0."""

    line: int
    problem: str


@lru_cache(maxsize=16_384)
def read_block(block: str) -> Mapping[str, Field] | FrontmatterTrouble:
    """Return the fields of a block in order, or why it cannot be parsed; results are cached."""
    plain = _read_plain(block)
    fields = _read_yaml(block) if plain is None else plain
    if isinstance(fields, FrontmatterTrouble):
        return fields
    seen: dict[str, Field] = {}
    for field in fields:
        if field.key in seen:
            return FrontmatterTrouble(
                line=field.line, problem=f"The key '{_shown(field.key)}' is here twice."
            )
        seen[field.key] = field
    return seen


def _read_plain(block: str) -> list[Field] | None:
    """Parse a block of plain values and lists of plain values; None if it holds anything else."""
    fields: list[Field] = []
    at, indent = 0, None
    for number, line in enumerate(block.splitlines(keepends=True)):
        if match := _PLAIN_LINE.fullmatch(line):
            fields.append(_plain_field(match, number, at))
            indent = None
        elif (item := _ITEM_LINE.fullmatch(line)) and fields:
            grown = _with_item(fields[-1], item, at)
            if grown is None or indent not in {None, item["indent"]}:
                return None
            fields[-1], indent = grown, item["indent"]
        else:
            return None
        at += len(line)
    return fields


def _with_item(field: Field, match: re.Match[str], at: int) -> Field | None:
    """Return a list with one more item on its own line; None if the key has a value."""
    is_empty = field.items is None and field.end == field.after_colon
    if not is_empty and (field.items is None or field.is_flow):
        return None
    item = _scalar(match["item"], at + match.start("item"))
    items = (*(field.items or ()), item)
    return replace(field, scalar=None, items=items, is_flow=False, end=item.end)


def _plain_field(match: re.Match[str], number: int, at: int) -> Field:
    key, after = match["key"], at + match.end("key") + 1
    if match["list"] is not None:
        start = at + match.start("list")
        found = _ITEM.finditer(match["list"])
        items = tuple(_scalar(item[0], start + item.start()) for item in found)
        end = at + match.end("list")
        return Field(key=key, line=number, after_colon=after, items=items, end=end)
    if match["text"] is None:
        empty = Scalar("", after, after)
        return Field(key=key, line=number, after_colon=after, scalar=empty, end=after)
    scalar = _scalar(match["text"], at + match.start("text"))
    return Field(key=key, line=number, after_colon=after, scalar=scalar, end=scalar.end)


def _scalar(written: str, start: int) -> Scalar:
    """Return a plain or quoted text with its position."""
    end = start + len(written)
    if written.startswith(_QUOTE):
        return Scalar(written[1:-1], start, end, _QUOTE)
    return Scalar(written, start, end)


def _read_yaml(block: str) -> list[Field] | FrontmatterTrouble:
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    try:
        events = cast("Iterator[_Event]", YAML(typ="safe", pure=True).parse(block))
        return list(_Reading(block, events).fields())
    except _RefusedError as refused:
        return refused.trouble
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = 0 if mark is None else min(mark.line, max(0, block.count("\n") - 1))
        return FrontmatterTrouble(
            line=line, problem=f"It is not YAML: {error.problem or error.context}."
        )
    except YAMLError:
        return FrontmatterTrouble(line=0, problem="It holds characters that YAML does not allow.")
    # An invalid code point, or nesting deeper than the parser's limit.
    except (ValueError, OverflowError, RecursionError, IndexError, AttributeError):
        return FrontmatterTrouble(line=0, problem="It cannot be read as YAML.")


class _RefusedError(Exception):
    """The block uses YAML outside the supported subset."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(problem)
        self.trouble = FrontmatterTrouble(line=line, problem=problem)


class _Nested(NamedTuple):
    """A list or a mapping: its texts if it is a list of texts, and its end."""

    items: tuple[Scalar, ...] | None
    is_flow: bool
    end: int


class _Reading:
    """Reads the parser events of one block."""

    def __init__(self, block: str, events: Iterator[_Event]) -> None:
        self._block = block
        self._events = events

    def fields(self) -> Iterator[Field]:
        """Yield the fields of the outermost mapping; any other structure is refused."""
        from ruamel.yaml.events import MappingEndEvent, MappingStartEvent

        for _ in range(2):
            self._next()
        if not isinstance(self._next(), MappingStartEvent):
            raise _RefusedError(0, "It is not a list of keys and values.")
        while not isinstance(key := self._next(), MappingEndEvent):
            yield self._field(key)
        end = self._next()
        if end.explicit or len(list(self._events)) > 1:
            raise _RefusedError(end.start_mark.line, "It holds more than one document.")

    def _field(self, event: _Event) -> Field:
        key = self._value(event, depth=1)
        line = event.start_mark.line
        if not isinstance(key, Scalar):
            raise _RefusedError(line, "A key must be a single word.")
        after = self._block.find(":", key.end) + 1
        value = self._value(self._next(), depth=2)
        if not isinstance(value, Scalar):
            return Field(
                key=key.text,
                line=line,
                after_colon=after,
                items=value.items,
                is_flow=value.is_flow,
                end=value.end,
            )
        if not value.text and not value.style:
            value = Scalar("", after, after)
        return Field(key=key.text, line=line, after_colon=after, scalar=value, end=value.end)

    def _value(self, event: _Event, *, depth: int) -> Scalar | _Nested:
        from ruamel.yaml.events import ScalarEvent, SequenceStartEvent

        if depth > DEEPEST:
            raise _RefusedError(event.start_mark.line, f"It is nested more than {DEEPEST} deep.")
        if isinstance(event, ScalarEvent):
            return self._scalar(event)
        if isinstance(event, SequenceStartEvent):
            return self._list(event, depth)
        return self._mapping(event, depth)

    def _list(self, event: _Event, depth: int) -> _Nested:
        from ruamel.yaml.events import SequenceEndEvent

        items = []
        while not isinstance(each := self._next(), SequenceEndEvent):
            items.append(self._value(each, depth=depth + 1))
        texts = tuple(item for item in items if isinstance(item, Scalar))
        end = each.end_mark.index if event.flow_style or not items else items[-1].end
        return _Nested(texts if len(texts) == len(items) else None, bool(event.flow_style), end)

    def _mapping(self, event: _Event, depth: int) -> _Nested:
        from ruamel.yaml.events import MappingEndEvent

        keys: set[str] = set()
        while not isinstance(each := self._next(), MappingEndEvent):
            key = self._value(each, depth=depth + 1)
            name = key.text if isinstance(key, Scalar) else ""
            if not isinstance(key, Scalar) or name in keys:
                problem = f"The key '{_shown(name)}' is here twice, or is no single word."
                raise _RefusedError(each.start_mark.line, problem)
            keys.add(name)
            self._value(self._next(), depth=depth + 1)
        return _Nested(None, bool(event.flow_style), each.end_mark.index)

    def _scalar(self, event: _Event) -> Scalar:
        start, end = event.start_mark.index, event.end_mark.index
        text = event.value
        if (problem := storable_problem(text)) or make_visible(text).removed:
            problem = problem or "It holds characters that nobody can see."
            raise _RefusedError(event.start_mark.line, problem)
        end = start + len(self._block[start:end].rstrip())
        return Scalar(text, start, end, event.style or "")

    def _next(self) -> _Event:
        """Return the next event; an alias or a tag is refused."""
        event = next(self._events, None)
        if event is None:
            raise _RefusedError(0, "It holds no keys.")
        if getattr(event, "anchor", None):
            raise _RefusedError(event.start_mark.line, "Anchors and aliases are not allowed.")
        if getattr(event, "tag", None):
            raise _RefusedError(event.start_mark.line, "Tags such as !!str are not allowed.")
        return event


def _shown(text: str) -> str:
    return text[:_LONGEST_SHOWN]
