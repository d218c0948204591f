"""Parses a file of code: its symbols, their calls, its imports, and its chunks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from holdfast.adapters.code.parsing.chunks import cut
from holdfast.adapters.code.parsing.feeding import is_digestible, matched, parsed
from holdfast.adapters.code.parsing.grammars import grammar_of
from holdfast.adapters.code.parsing.languages import language_of
from holdfast.adapters.code.parsing.nesting import calls_within, nested
from holdfast.adapters.code.parsing.parsed import Parsed
from holdfast.adapters.code.parsing.tree_reading import TreeMatches

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.adapters.code.parsing.grammars import Grammar
    from holdfast.domain.code.code import Symbol

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_LONE_RETURN = re.compile(rb"\r(?!\n)")


class CodeOutline:
    """Reads symbols with the installed grammars."""

    def symbols(self, path: str, text: str) -> Sequence[Symbol]:
        """Return the symbols in order; none if the language is not known."""
        return parse(path, text.encode("utf-8", "replace")).symbols


def parse(path: str, content: bytes) -> Parsed:
    """Parse a file; for a language without a grammar, return only its chunks.

    It never fails: text that no grammar can parse in time is treated as plain text.
    """
    content = _levelled(content)
    language = language_of(path, content)
    lines = _lines(content)
    if language == "markdown":
        return _parsed_markdown(lines)
    grammar = grammar_of(language)
    if grammar is None:
        return Parsed(language=language, chunks=tuple(cut(lines, ())))
    return _parsed_code(content, lines, language, grammar)


def plain(path: str, content: bytes) -> Parsed:
    """Return only the chunks of a file, without parsing it."""
    content = _levelled(content)
    language = language_of(path, content)
    return Parsed(language=language, chunks=tuple(cut(_lines(content), ())), has_errors=True)


def _parsed_code(
    content: bytes, lines: Sequence[bytes], language: str | None, grammar: Grammar
) -> Parsed:
    tree = parsed(grammar.parser, content) if is_digestible(content) else None
    if tree is None:
        return Parsed(language=language, chunks=tuple(cut(lines, ())), has_errors=True)
    reading = TreeMatches(content)
    reading.take(matched(grammar.cursor, tree))
    symbols = nested(reading, grammar.joint)
    return Parsed(
        language=language,
        symbols=tuple([each.symbol for each in symbols]),
        calls=tuple(calls_within(reading.calls, symbols)),
        imports=tuple(reading.imports),
        chunks=tuple(cut(lines, symbols)),
        has_errors=tree.root_node.has_error,
    )


def _parsed_markdown(lines: Sequence[bytes]) -> Parsed:
    from holdfast.adapters.code.parsing.headings import headings

    symbols = headings(lines)
    return Parsed(
        language="markdown",
        symbols=tuple([each.symbol for each in symbols]),
        chunks=tuple(cut(lines, symbols)),
    )


def _levelled(content: bytes) -> bytes:
    """Return the text with uniform line ends and without bytes that break a parser."""
    content = content.removeprefix(_BYTE_ORDER_MARK)
    if b"\r" in content:
        content = _LONE_RETURN.sub(b"\n", content)
    return content.replace(b"\0", b" ")


def _lines(content: bytes) -> list[bytes]:
    lines = content.split(b"\n")
    if not lines[-1]:
        lines.pop()
    return lines
