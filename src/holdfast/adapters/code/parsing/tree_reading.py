"""Reads definitions, calls, imports and comments from a syntax tree.

Reads the documentation of a symbol: the docstring in it, or the comment above it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from holdfast.adapters.code.parsing.certainty import receiver_before
from holdfast.adapters.code.parsing.comments import Comments, SourceComment, docstring_words

if TYPE_CHECKING:
    from tree_sitter import Node

    from holdfast.adapters.code.parsing.feeding import Matches

    Captures = dict[str, list[Node]]


_BESIDE = frozenset({
    "attribute", "body", "definer", "doc", "from", "given", "importer", "name", "owner", "tag",
})  # fmt: skip
# Some imports and names look like a call or an attribute; only these words identify them.
_IMPORTERS = frozenset({"require", "require_relative", "load", "source", ".", "src", "href"})
# No query has a predicate on a text: the binding ends the process on trees that were fed in pieces.
_DEFINERS = frozenset({
    "defineProperty", "exports", "module.exports",
    "attr_accessor", "attr_reader", "attr_writer", "define_method", "scope",
})  # fmt: skip
_IDENTIFIER = re.compile(r"[^\W\d]\w*|[$_][\w$]*")
_HEADINGS = frozenset({"title", "h1", "h2", "h3", "h4", "h5", "h6"})
_VAGUE = frozenset({"constant", "element", "field", "type"})
_LONGEST_NAME = 120
_MOST_BYTES = 4 * _LONGEST_NAME
_LONGEST_IMPORT = 200
_MOST_DEFINITIONS = 5_000
_QUOTES = "\"'`<>"


class Definition(NamedTuple):
    """A named definition that a query matched: its bytes, its rows, and its parts."""

    kind: str
    name: str
    owner: str
    start: int
    end: int
    first: int
    last: int
    body: int | None


class CallSite(NamedTuple):
    """A called name with its position and receiver."""

    start: int
    row: int
    name: str
    receiver: str


class TreeMatches:
    """Everything that the queries matched in one tree."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        self.imports: dict[str, None] = {}
        self.comments = Comments(content)
        self.docs: dict[int, str] = {}
        self.wrappers: dict[int, list[tuple[int, int]]] = {}
        self.above: dict[int, int] = {}
        self._definitions: dict[int, Definition] = {}
        self._calls: list[CallSite] = []
        self._importers: set[int] = set()

    @property
    def definitions(self) -> list[Definition]:
        """The definitions in file order, outer before inner."""
        return sorted(self._definitions.values(), key=lambda each: (each.start, -each.end))

    @property
    def calls(self) -> list[CallSite]:
        """The calls in file order, without imports."""
        return sorted(call for call in self._calls if call.start not in self._importers)

    def take(self, matches: Matches) -> None:
        """Add every match of the queries."""
        takers = {
            "call": self._take_call,
            "component": self._take_component,
            "comment": self._take_comment,
            "import": self._take_import,
            "wrapper": self._take_wrapper,
            "above": self._take_above,
            "documented": self._take_doc,
        }
        roles: dict[int, str] = {}
        for pattern, captures in matches:
            role = roles.get(pattern)
            if role is None:
                role = roles[pattern] = next(name for name in captures if name not in _BESIDE)
            taker = takers.get(role)
            if taker is None:
                self._take_definition(role, captures)
            else:
                taker(captures)

    def text(self, node: Node) -> str:
        """Return the text of a node, truncated if it is long."""
        start = node.start_byte
        return self.content[start : min(node.end_byte, start + _MOST_BYTES)].decode(
            "utf-8", "replace"
        )

    def _take_call(self, captures: Captures) -> None:
        for node in captures["call"]:
            name = self.text(node)[:_LONGEST_NAME]
            receiver = receiver_before(self.content, node.start_byte)
            self._calls.append(CallSite(node.start_byte, node.start_point[0], name, receiver))

    def _take_component(self, captures: Captures) -> None:
        for node in captures["component"]:
            # A lower-case tag is an HTML element, not a component of this repository.
            if self.content[node.start_byte : node.start_byte + 1].isupper():
                self._take_call({"call": [node]})

    def _take_comment(self, captures: Captures) -> None:
        for node in captures["comment"]:
            first, last = _rows(node)
            self.comments.put(SourceComment(first, last, node.start_byte, node.end_byte))

    def _take_import(self, captures: Captures) -> None:
        for importer in captures.get("importer", ()):
            if self.text(importer) not in _IMPORTERS:
                return
            self._importers.add(importer.start_byte)
        start = "".join(self.text(node) for node in captures.get("from", ()))
        for node in captures["import"]:
            words = " ".join(self.text(node).split()).strip(_QUOTES)
            if words:
                self.imports[f"{start}{words}"[:_LONGEST_IMPORT]] = None

    def _take_wrapper(self, captures: Captures) -> None:
        for node in captures["wrapper"]:
            place = node.start_byte, node.start_point[0]
            self.wrappers.setdefault(node.end_byte, []).append(place)

    def _take_above(self, captures: Captures) -> None:
        for node in captures["above"]:
            first, last = _rows(node)
            self.above[last] = first

    def _take_doc(self, captures: Captures) -> None:
        node = captures["doc"][0]
        words = docstring_words(self.content[node.start_byte : node.end_byte])
        self.docs[captures["documented"][0].start_byte] = words

    def _take_definition(self, kind: str, captures: Captures) -> None:
        node = captures[kind][0]
        body = captures["body"][0] if "body" in captures else node.child_by_field_name("body")
        place, name = self._name(kind, captures, node, body)
        known = self._definitions.get(place)
        if not name or len(self._definitions) >= _MOST_DEFINITIONS or self._is_other(captures):
            return
        # A function assigned to a constant, or a struct in a type declaration, matches twice.
        if known is not None and known.kind not in _VAGUE:
            return
        first, last = _rows(node)
        if node.end_point[1] == 0:
            text = self.content[node.start_byte : node.end_byte].rstrip()
            last = first + text.count(b"\n")
        owner = self.text(captures["owner"][0]) if "owner" in captures else ""
        end = None if body is None else body.start_byte
        self._definitions[place] = Definition(
            kind, name, owner, node.start_byte, node.end_byte, first, last, end
        )

    def _is_other(self, captures: Captures) -> bool:
        """Return whether the words of a match show that it defines nothing."""
        definers, given = captures.get("definer", ()), captures.get("given", ())
        return any(self.text(node) not in _DEFINERS for node in definers) or any(
            _IDENTIFIER.fullmatch(self.text(node)) is None for node in given
        )

    def _name(
        self, kind: str, captures: Captures, node: Node, body: Node | None
    ) -> tuple[int, str]:
        """Return the position and text of a name; an empty text if it should not be indexed."""
        if "attribute" in captures:
            name = captures["name"][0]
            is_id = self.text(captures["attribute"][0]) == "id"
            return node.start_byte, f"#{self.text(name)}"[:_LONGEST_NAME] if is_id else ""
        if "tag" in captures and self.text(captures["tag"][0]).lower() not in _HEADINGS:
            return node.start_byte, ""
        if "name" in captures:
            name = captures["name"][0]
            start, end, place = name.start_byte, name.end_byte, name.start_byte
        else:
            start, place = node.start_byte, node.start_byte
            end = node.end_byte if body is None else body.start_byte
        if kind in {"heading", "element"}:
            place = node.start_byte
        if "definer" in captures and self.content[start : start + 1] == b":":
            # A symbol of Ruby, as in "attr_reader :name".
            start += 1
        text = self.content[start : min(end, start + _MOST_BYTES)]
        return place, " ".join(text.decode("utf-8", "replace").split())[:_LONGEST_NAME]


def _rows(node: Node) -> tuple[int, int]:
    """Return the first and last row of a node; a final line end is not a new row."""
    first = node.start_point[0]
    row, column = node.end_point
    return first, row - 1 if column == 0 and row > first else row
