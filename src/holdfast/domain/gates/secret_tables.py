"""Secrets whose name stands apart: in the column header, in the row, in another attribute."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from holdfast.domain.gates.file_places import COVER, with_places_covered
from holdfast.domain.gates.likeness import (
    has_shape,
    is_digest,
    is_expression,
    is_named_thing,
    is_stand_in,
    looks_chosen,
    looks_random,
)
from holdfast.domain.gates.opaque import is_description, is_literal
from holdfast.domain.gates.secret_names import rule_of_name

_LOOK_BACK = 240
_FEWEST_CELLS = 2
_DECORATION = " \t*`\"'"
_PATTERNS = {
    # A line of values: only single blanks, no brackets, no empty value at the end.
    **{
        mark: rf"{cell}(?:{mark} ?{cell}){{1,20}}"
        for mark in (",", ";", "\t")
        for cell in [rf"[^\s{mark}()\[\]{{}}]{{1,100}}(?: [^\s{mark}()\[\]{{}}]{{1,60}}){{0,2}}"]
    },
    # `value: …` and `default = …`; an attribute before it holds the name.
    "value": (
        r"(?:(?<![\w])(?:default(?:_?value)?|value|parametervalue|content|stringvalue)[\"']?"
        r"[ \t]{0,8}(?::|=>?)[ \t]{0,8}(?:[\"'](?P<quoted>[^\s\"']{3,200})[\"']"
        r"|(?P<bare>[^\s\"'{}\[\]<>,]{3,200}))"
        r"|(?<=[\"'])>(?P<element>[^\s<>]{3,200})</)"
    ),
    "insert": (
        r"\((?P<names>[\w ,\"`\[\].]{3,400})\)\s{0,8}values\s{0,8}\((?P<values>[^()]{3,1000})\)"
    ),
    "boundary": r"[>}]|\n[ \t]*\n",
    "name": (
        r"(?<![\w])(?:name|key|id|variable|parameterkey|parameter|property)[\"']?[ \t]{0,4}"
        r"(?:[:=]|[ \t](?=[\"']))[ \t]{0,4}[\"']?(?P<name>[\w.-]{2,60})"
    ),
}


@cache
def _compiled(name: str) -> re.Pattern[str]:
    return re.compile(_PATTERNS[name], re.ASCII | re.IGNORECASE)


def table_spans(text: str) -> Iterator[tuple[str, int, int]]:
    """Find secrets in the cells of Markdown tables and of delimiter-separated lines."""
    header: list[str] = []
    separator = ""
    offset = 0
    for line in text.splitlines(keepends=True):
        found = _separator(line)
        if found and found == separator:
            yield from _cells_given_away(line, offset, header, separator)
        elif found:
            header, separator = line.strip().strip("|").split(found), found
            header = header if any(map(rule_of_name, header)) else []
        else:
            header, separator = [], ""
        if found == "|":
            yield from _row_given_away(line, offset)
        offset += len(line)


def _separator(line: str) -> str:
    bare = line.strip()
    if bare.startswith("|") or bare.count(" | ") >= _FEWEST_CELLS:
        return "|"
    return next((mark for mark in ",;\t" if _compiled(mark).fullmatch(bare)), "")


def _spans_of_cells(line: str, separator: str) -> list[tuple[int, int]]:
    """Return the positions of the cells of a line, without blanks and decoration."""
    start = len(line) - len(line.lstrip())
    body = line.strip()
    if separator == "|":
        start, body = start + body.startswith("|"), body.strip("|")
    spans = []
    for cell in body.split(separator):
        bare = cell.strip(_DECORATION)
        first = start + cell.find(bare) if bare else start
        spans.append((first, first + len(bare)))
        start += len(cell) + 1
    return spans


def _cells_given_away(
    line: str, offset: int, header: list[str], separator: str
) -> Iterator[tuple[str, int, int]]:
    spans = _spans_of_cells(line, separator)
    if len(spans) < len(header) or len(header) < _FEWEST_CELLS:
        return
    for name, (start, end) in zip(header, spans, strict=False):
        rule = rule_of_name(name)
        if rule and _is_value(line[start:end], rule=rule, is_certain=True):
            yield rule, offset + start, offset + end


def _row_given_away(line: str, offset: int) -> Iterator[tuple[str, int, int]]:
    """Check each cell that follows a cell with the name of a secret."""
    spans = _spans_of_cells(line, "|")
    for (before, until), (start, end) in pairwise(spans):
        name = line[before:until]
        rule = rule_of_name(name)
        if rule and _is_value(line[start:end], rule=rule, is_certain=name.isupper()):
            yield rule, offset + start, offset + end


def inserted_spans(text: str) -> Iterator[tuple[str, int, int]]:
    """Find secrets among the values of an SQL statement, by their column names."""
    for match in _compiled("insert").finditer(text):
        names = match["names"].split(",")
        spans = _spans_of_cells(match["values"], ",")
        for name, (start, end) in zip(names, spans, strict=False):
            rule = rule_of_name(name)
            if rule and _is_value(match["values"][start:end], rule=rule, is_certain=True):
                since = match.start("values")
                yield rule, since + start, since + end


def attribute_spans(text: str) -> Iterator[tuple[str, int, int]]:
    """Find values whose name is in an attribute before them."""
    for match in _compiled("value").finditer(text):
        how = next(name for name in ("quoted", "bare", "element") if match[name])
        since = max(0, match.start() - _LOOK_BACK)
        names = list(_compiled("name").finditer(text, since, match.start()))
        if not names or _compiled("boundary").search(text, names[-1].end(), match.start()):
            continue
        name = names[-1]["name"]
        rule = rule_of_name(name)
        is_certain = how != "bare" or name.isupper()
        if rule and _is_value(match[how], rule=rule, is_certain=is_certain):
            yield rule, *match.span(how)


def _is_value(value: str, *, rule: str, is_certain: bool) -> bool:
    """Tell whether a value whose name is that of a secret is one; secrets contain no blank."""
    value = with_places_covered(value).rstrip(COVER)
    lowered = value.lower()
    if not value or " " in value or is_stand_in(value) or is_expression(value):
        return False
    if is_description(lowered) or has_shape(lowered, "technical"):
        return False
    if looks_random(value) or is_digest(value) or has_shape(value, "uuid"):
        return True
    if rule != "password":
        return False
    return is_literal(value) if is_certain else looks_chosen(value) and not is_named_thing(value)
