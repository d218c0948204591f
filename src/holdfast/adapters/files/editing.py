"""Writes entries into the text of a page; only the values that differ are changed."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from holdfast.adapters.files.entries import (
    KEYS,
    ReadEntry,
    body_of,
    parts_of,
    plain_body,
    read_piece,
    read_pieces,
    written_body,
)
from holdfast.adapters.files.generated_mark import is_generated
from holdfast.adapters.files.page_text import PieceKind, line_end_of
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Mapping

    from holdfast.adapters.files.frontmatter import Field, Scalar
    from holdfast.domain.memory.entry import PageEntry

_WORD = r"[^\W_][\w./@+-]*(?::[\w./@+-]+)*"
_PLAIN = re.compile(rf"{_WORD}(?: {_WORD})*", re.ASCII)
Value = str | tuple[str, ...]
_LISTS = frozenset({"tags", "check", "evidence", "was"})
_STANDING = frozenset({"type", "status", "tags", "key", "expires", "check", "evidence"})
"""An empty new value of these keys replaces the old one; any other key then stays."""


def rendered(entry: PageEntry, line_end: str) -> str:
    """Return the text of a new entry."""
    lines = ["---"]
    for key, value in _values(entry).items():
        if value:
            lines.append(f"{key}: {written(value)}")
    lines += ["---", written_body(plain_body(entry.body))]
    return "".join(f"{line}\n" for line in lines).replace("\n", line_end)


def has_more(known: ReadEntry) -> bool:
    """Return whether the frontmatter has something that Holdfast does not write there."""
    inner = known.piece.inner
    if inner.count("\n") != len(known.fields) or any(key not in KEYS for key in known.fields):
        return True
    # Rendering takes as long as parsing, and a comment on the line of a key follows a space.
    return " #" in inner and not _is_written(inner, _values(known.entry))


def _is_written(inner: str, values: Mapping[str, Value]) -> bool:
    """Return whether every line is a key with its value as Holdfast writes it, in any quotes."""
    lines = [line.partition(": ") for line in inner.splitlines()]
    return all(
        text in {written(values[key], style) for style in ("", "'", '"')} for key, _, text in lines
    )


def edited(known: ReadEntry, wanted: PageEntry, path: str) -> str | None:
    """Return the text of an entry with only the differing values replaced.

    None if the result would not parse to the wanted entry.
    """
    head, body = _edited_parts(known, wanted)
    made = read_piece(replace(known.piece, kind=PieceKind.ENTRY, head=head, body=body), path)
    if not isinstance(made, ReadEntry) or differs(made.entry, wanted):
        return None
    return head + body


def edited_unchecked(known: ReadEntry, wanted: PageEntry) -> str:
    """Return the edited text of an entry; the caller parses the whole page to check it."""
    return "".join(_edited_parts(known, wanted))


def _edited_parts(known: ReadEntry, wanted: PageEntry) -> tuple[str, str]:
    piece = known.piece
    body = piece.body
    if known.entry.body != wanted.body and body_of(body) != plain_body(wanted.body):
        before, _, after = parts_of(body)
        said = written_body(plain_body(wanted.body)).replace("\n", line_end_of(piece.head))
        body = before + said + (after or line_end_of(piece.head))
    return _edited_head(known, wanted), body


def differs(made: PageEntry, wanted: PageEntry) -> bool:
    """Return whether a written entry differs from the wanted one."""
    if made == wanted:
        return False
    return made.digest != wanted.digest or bool(_changes(made, wanted))


def _changes(there: PageEntry, wanted: PageEntry) -> list[str]:
    """Return the keys whose values differ; the order of tags does not count."""
    old, new = _values(there), _values(wanted)
    if sorted(there.tags) == sorted(wanted.tags):
        new["tags"] = there.tags
    return [key for key in KEYS if new[key] != old[key] and (new[key] or key in _STANDING)]


def _values(entry: PageEntry) -> dict[str, Value]:
    """Return the value of each key, in the order of new entries."""
    values: dict[str, Value] = {
        "id": entry.label or "",
        "uid": entry.uid or "",
        "type": entry.kind.value,
        "status": entry.status.value,
        "tags": entry.tags,
        "key": entry.key,
        "expires": entry.expires,
        "check": entry.checks,
        "source": entry.source,
        "evidence": entry.evidence,
        "updated": entry.updated,
        "was": entry.was,
    }
    return values


def _edited_head(known: ReadEntry, wanted: PageEntry) -> str:
    """Return the frontmatter with the differing values replaced."""
    piece = known.piece
    meant = _values(wanted)
    changes = _changes(known.entry, wanted)
    if not changes:
        return piece.head
    opening = piece.head.index("\n") + 1
    block, closing = piece.inner, piece.head[opening + len(piece.inner) :]
    end = line_end_of(piece.head)
    splices = [_splice(key, meant[key], known.fields, block, end) for key in changes]
    # Applied from the last position to the first, so that earlier positions stay valid. Of two new
    # lines at one position, the one that comes first in the key order is inserted last.
    splices.reverse()
    splices.sort(key=lambda one: -one[0])
    for start, stop, text in splices:
        block = block[:start] + text + block[stop:]
    return piece.head[:opening] + block + closing


_Splice = tuple[int, int, str]


def _splice(key: str, value: Value, fields: Mapping[str, Field], block: str, end: str) -> _Splice:
    """Return which range of the block is replaced by which text."""
    field = fields.get(key)
    if field is None:
        at = _place_for(key, fields, block)
        return at, at, f"{key}: {written(value)}{end}"
    if value == "":
        after = _line_after(block, max(field.end, field.after_colon))
        return block.rfind("\n", 0, field.after_colon) + 1, after, ""
    if isinstance(value, tuple) and field.items:
        splice = (
            _grown(field.items, value) if field.is_flow else _kept(field.items, value, block, end)
        )
        if splice is not None:
            return splice
    if isinstance(value, str) and field.scalar is not None and field.scalar.text:
        return field.scalar.start, field.scalar.end, written(value, field.scalar.style)
    return field.after_colon, max(field.end, field.after_colon), f" {written(value)}"


def _grown(items: tuple[Scalar, ...], value: tuple[str, ...]) -> _Splice | None:
    """Return the insertion for a bracketed list that only grows at its end, or None."""
    old = tuple(item.text for item in items)
    if value[: len(old)] != old:
        return None
    added = "".join(f", {written_item(one)}" for one in value[len(old) :])
    return items[-1].end, items[-1].end, added


def _kept(
    items: tuple[Scalar, ...], value: tuple[str, ...], block: str, end: str
) -> _Splice | None:
    """Return the edit of a one-item-per-line list: lines removed, new ones added at its end.

    Everything else stays, also comments. None if the order changes, or if an item is longer than
    its line.
    """
    kept = [item for item in items if item.text in value]
    are_lines = all("\n" not in block[item.start : item.end] for item in items)
    if not kept or not are_lines or tuple(item.text for item in kept) != value[: len(kept)]:
        return None
    start, stop = block.rfind("\n", 0, items[0].start) + 1, _line_after(block, items[-1].end)
    text = block[start:stop]
    for item in reversed(items):
        if item not in kept:
            line = block.rfind("\n", 0, item.start) + 1 - start
            text = text[:line] + text[_line_after(text, line) :]
    added = "".join(
        f"{_dash(block, kept[-1])}{written_item(one)}{end}" for one in value[len(kept) :]
    )
    return start, stop, text + added


def _dash(block: str, item: Scalar) -> str:
    """Return the start of a list item's line, up to the item."""
    return block[block.rfind("\n", 0, item.start) + 1 : item.start]


def _line_after(block: str, at: int) -> int:
    end = block.find("\n", at)
    return len(block) if end < 0 else end + 1


def _place_for(key: str, fields: Mapping[str, Field], block: str) -> int:
    """Return where a new line goes: after the nearest key that precedes it, else at the start."""
    for earlier in reversed(KEYS[: KEYS.index(key)]):
        if earlier in fields:
            field = fields[earlier]
            return _line_after(block, max(field.end, field.after_colon))
    first = min((field.line for field in fields.values()), default=0)
    at = 0
    for _ in range(first):
        at = _line_after(block, at)
    return at


def readable(text: str, path: str) -> list[ReadEntry]:
    """Return the readable entries of a page's text."""
    if is_generated(text.encode("utf-8", "surrogateescape")):
        return []
    return [read for _, read in read_pieces(text, path) if isinstance(read, ReadEntry)]


def written(value: Value, style: str = "") -> str:
    """Return a value as it is written after the colon."""
    if isinstance(value, tuple):
        return "[" + ", ".join(written_item(one) for one in value) + "]"
    if style == "'" and "\n" not in value:
        return "'" + value.replace("'", "''") + "'"
    return _quoted(value) if style == '"' else written_item(value)


def written_item(text: str) -> str:
    """Return a text unquoted if YAML reads it unchanged, else in quotes."""
    if _PLAIN.fullmatch(text):
        return text
    # A pattern with backslashes stays as its author wrote it.
    is_raw = "\\" in text and "'" not in text and text.isascii() and text.isprintable()
    return f"'{text}'" if is_raw else _quoted(text)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
