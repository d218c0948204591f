"""Parses JSON with comments and trailing commas, and gives the position of every value.

Other programs' settings are changed by inserting text, never by writing them anew, so that order,
indentation and comments stay.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from holdfast.adapters.tools.writing import TextDraft

_TRIVIA = re.compile(r"(?:[\s\ufeff]+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_WORD = re.compile(r"true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_COMMENT = re.compile(r"[ \t]*(?://[^\n\r]*|/\*[^\n]*?\*/)")
_DEEPEST = 100


class NotJsonError(ValueError):
    """The text is not JSON; ``line`` is the line of the first error."""

    def __init__(self, text: str, at: int) -> None:
        super().__init__("it is no JSON there")
        self.line = text.count("\n", 0, at) + 1


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonNode:
    """A value and its range; its parts are an object's members or an array's elements."""

    start: int
    end: int
    value: object
    parts: tuple[JsonPart, ...] = ()

    def at(self, *path: str) -> JsonNode | None:
        """Return the value under these names; of two members with one name the last counts."""
        if not path:
            return self
        named = [part.node for part in self.parts if part.name == path[0]]
        return named[-1].at(*path[1:]) if named else None

    @property
    def is_object(self) -> bool:
        """Return whether it is an object."""
        return isinstance(self.value, dict)

    @property
    def is_array(self) -> bool:
        """Return whether it is an array."""
        return isinstance(self.value, list)


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonPart:
    """A member or an element: its start, its name ('' for an element), and its value."""

    start: int
    name: str
    node: JsonNode


def read_json(text: str) -> JsonNode:
    """Return the parsed text, with the position of every value in it.

    Raises:
        NotJsonError: It is not JSON.
    """
    reader = _Reader(text)
    root = reader.value(reader.skip(0), depth=0)
    if reader.skip(root.end) != len(text):
        raise NotJsonError(text, root.end)
    return root


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text

    def skip(self, at: int) -> int:
        """Return the next position that is neither space nor comment."""
        found = _TRIVIA.match(self._text, at)
        return at if found is None else found.end()

    def value(self, at: int, *, depth: int) -> JsonNode:
        sign = self._text[at : at + 1]
        if depth > _DEEPEST:
            raise NotJsonError(self._text, at)
        if sign == "{":
            return self._object(at, depth=depth)
        if sign == "[":
            return self._array(at, depth=depth)
        found = (_STRING if sign == '"' else _WORD).match(self._text, at)
        if found is None:
            raise NotJsonError(self._text, at)
        try:
            value = json.loads(found.group())
        except ValueError as error:
            raise NotJsonError(self._text, at) from error
        return JsonNode(start=at, end=found.end(), value=value)

    def _object(self, start: int, *, depth: int) -> JsonNode:
        parts: list[JsonPart] = []
        at = self.skip(start + 1)
        while self._text[at : at + 1] != "}":
            name = self.value(at, depth=depth + 1)
            if not isinstance(name.value, str):
                raise NotJsonError(self._text, at)
            colon = self.skip(name.end)
            if self._text[colon : colon + 1] != ":":
                raise NotJsonError(self._text, colon)
            node = self.value(self.skip(colon + 1), depth=depth + 1)
            parts.append(JsonPart(start=at, name=name.value, node=node))
            at = self._next(node.end, closing="}")
        value = {part.name: part.node.value for part in parts}
        return JsonNode(start=start, end=at + 1, value=value, parts=tuple(parts))

    def _array(self, start: int, *, depth: int) -> JsonNode:
        parts: list[JsonPart] = []
        at = self.skip(start + 1)
        while self._text[at : at + 1] != "]":
            node = self.value(at, depth=depth + 1)
            parts.append(JsonPart(start=at, name="", node=node))
            at = self._next(node.end, closing="]")
        value = [part.node.value for part in parts]
        return JsonNode(start=start, end=at + 1, value=value, parts=tuple(parts))

    def _next(self, at: int, *, closing: str) -> int:
        """Return the start of the next part, or the position of the closing bracket."""
        at = self.skip(at)
        sign = self._text[at : at + 1]
        if sign == ",":
            return self.skip(at + 1)
        if sign != closing:
            raise NotJsonError(self._text, at)
        return at


def add_part(draft: TextDraft, holder: JsonNode, words: str, *, indent: str) -> None:
    """Add a member or an element at the end of a value, on lines of its own.

    ``words`` is JSON (with its name, for a member) whose further lines are not indented yet.
    """
    text = draft.text
    newline = "\r\n" if "\r\n" in text else "\n"
    outer = _indent_of(text, holder.start)
    if not holder.parts:
        inside = text[holder.start + 1 : holder.end - 1]
        lead = newline + outer + indent
        closing = "" if "\n" in inside else newline + outer
        draft.insert(holder.start + 1, lead + words.replace("\n", lead) + closing)
        return
    last = holder.parts[-1]
    is_inline = "\n" not in text[holder.start : last.start]
    lead = newline + (outer if is_inline else _indent_of(text, last.start))
    said = (" " if is_inline else lead) + words.replace("\n", lead)
    comma = _comma_after(text, last.node.end, holder.end)
    if comma is None:
        draft.insert(_comment_end(text, last.node.end), said)
        draft.insert(last.node.end, ",")
    else:
        draft.insert(_comment_end(text, comma + 1), f"{said},")


def cut_part(draft: TextDraft, holder: JsonNode, part: JsonPart) -> None:
    """Remove a member or an element, with its comma and space."""
    text = draft.text
    place = holder.parts.index(part)
    before = holder.parts[place - 1].node.end if place else holder.start + 1
    comma = _comma_after(text, part.node.end, holder.end)
    if comma is not None:
        draft.cut(_space_before(text, part.start), comma + 1)
        return
    if not place:
        inside = text[part.node.end : holder.end - 1]
        end = holder.end - 1 if not inside.strip() else part.node.end
        draft.cut(_space_before(text, part.start), end)
        return
    draft.cut(_space_before(text, part.start), part.node.end)
    comma = _comma_after(text, before, holder.end)
    if comma is not None:
        draft.cut(comma, comma + 1)


def _comma_after(text: str, at: int, end: int) -> int | None:
    found = _TRIVIA.match(text, at)
    at = at if found is None else found.end()
    return at if at < end and text[at : at + 1] == "," else None


def _comment_end(text: str, at: int) -> int:
    """Return the end of a comment on the rest of the line, so that it stays with its value."""
    found = _COMMENT.match(text, at)
    return at if found is None else found.end()


def _space_before(text: str, at: int) -> int:
    return len(text[:at].rstrip())


def _indent_of(text: str, at: int) -> str:
    """Return the indentation of the line of a position."""
    start = text.rfind("\n", 0, at) + 1
    line = text[start:at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def indent_of(text: str, root: JsonNode) -> str:
    """Return the indentation of one level in the text; two spaces by default."""
    for part in root.parts:
        if "\n" in text[root.start : part.start]:
            return _indent_of(text, part.start) or "  "
    return "  "
