"""Writes entries into the text of a page; only the values that differ are changed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from holdfast.adapters.files.disk import LARGEST_PAGE
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
from holdfast.adapters.files.page_text import PieceKind, is_generated, line_end_of
from holdfast.adapters.files.pages import MEMORY
from holdfast.adapters.files.written_values import Value, written, written_item
from holdfast.domain.memory.entry import PAGES
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from holdfast.adapters.files.frontmatter import Field, Scalar
    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.entry import PageEntry
    from holdfast.ports.pages.files import Put

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


_LONGEST_SLUG = 60
_HEADING = 32
"""More than the heading of a new page and the blank lines before an entry need."""
_LETTERS = re.compile(r"[a-z0-9]+")


class PageIndex:
    """The current pages, and which page holds each entry."""

    def __init__(self, pages: Mapping[str, bytes], folders: Collection[str]) -> None:
        self._sizes = {path: len(content) for path, content in pages.items()}
        self._folders = frozenset(folders)
        self._places: dict[MemoryId, str] = {}
        for path, content in pages.items():
            for one in readable(content.decode("utf-8", "surrogateescape"), path):
                if one.entry.uid is not None:
                    self._places.setdefault(one.entry.uid, path)

    def page_for(self, put: Put) -> str | None:
        """Return the page of a write; None if it no longer exists."""
        uid = put.entry.uid
        known = None if uid is None else self._places.get(uid)
        if put.over is None and put.at is None:
            return self._new_page(put.entry) if known is None else None
        if known is None and put.at is not None and put.at[0] in self._sizes:
            return put.at[0]
        return known

    def _new_page(self, entry: PageEntry) -> str:
        """Return the page of a new entry; a file of its own if its page is a folder, or full."""
        folder = f"{MEMORY}/{PAGES[entry.kind][0]}"
        size = len(rendered(entry, "\r\n").encode("utf-8", "surrogateescape")) + _HEADING
        place = f"{folder}.md"
        if folder in self._folders or self._sizes.get(place, 0) + size > LARGEST_PAGE:
            place = self._own_file(folder, entry)
        self._sizes[place] = self._sizes.get(place, 0) + size
        if entry.uid is not None:
            self._places[entry.uid] = place
        return place

    def _own_file(self, folder: str, entry: PageEntry) -> str:
        name = "-".join(part for part in (entry.label, _slug(entry.body)) if part) or "entry"
        number, place = 1, f"{folder}/{name}.md"
        while place in self._sizes:
            number += 1
            place = f"{folder}/{name}-{number}.md"
        return place


def readable(text: str, path: str) -> list[ReadEntry]:
    """Return the readable entries of a page's text."""
    if is_generated(text.encode("utf-8", "surrogateescape")):
        return []
    return [read for _, read in read_pieces(text, path) if isinstance(read, ReadEntry)]


def _slug(body: str) -> str:
    words = _LETTERS.findall(body.lower()[: _LONGEST_SLUG * 2])
    return "-".join(words)[:_LONGEST_SLUG].strip("-")


class Applied(NamedTuple):
    """A page with some writes applied, and the writes that were applied."""

    content: bytes | None
    taken: tuple[Put, ...]


def with_puts(content: bytes | None, path: str, puts: Sequence[Put]) -> Applied:
    """Return a page with the applicable writes applied; the rest of it is unchanged."""
    # An edit is checked alone only if the page with all edits does not parse as wanted.
    for is_checked in (False, True):
        together = _at_once(content, path, puts, is_checked=is_checked)
        if together is not None:
            return together
    # One of them would change how the page parses; the others are applied without it.
    taken: list[Put] = []
    for put in puts:
        alone = _at_once(content, path, [put], is_checked=True)
        if alone is not None:
            content = alone.content
            taken += alone.taken
    return Applied(content, tuple(taken))


def _at_once(
    content: bytes | None, path: str, puts: Sequence[Put], *, is_checked: bool
) -> Applied | None:
    """Apply all writes to a page; None if the result would not parse to the wanted entries.

    If ``is_checked``, an edit that does not parse as wanted is left out.

    A code block that a person never closed would extend to the next fence, and hide the entries
    between.
    """
    text = (content or b"").decode("utf-8", "surrogateescape")
    read = readable(text, path)
    there = _There(read)
    meant = {one.piece.line: one.entry for one in read}
    fresh: dict[int, str] = {}
    edits, added = [], []
    for put in puts:
        known = there.meant(put)
        if known is None and put.over is None and put.at is None:
            added.append(put)
        elif known is not None and known.entry.digest == put.over:
            made = (
                edited(known, put.entry, path) if is_checked else edited_unchecked(known, put.entry)
            )
            if made is not None:
                line = known.piece.line
                fresh[line], meant[line] = made, put.entry
                edits.append(put)
    entries = [put.entry for put in added]
    pieces = (piece for piece, _ in read_pieces(text, path))
    # Only entries have a head; the prose before the first entry may begin on the same line.
    grown = "".join([(piece.head and fresh.get(piece.line)) or piece.text for piece in pieces])
    grown = _appended(grown, entries, path)
    if not _says(grown, path, [*meant.values(), *entries]):
        return None
    is_nothing = content is None and not grown
    return Applied(
        None if is_nothing else grown.encode("utf-8", "surrogateescape"), (*edits, *added)
    )


def _says(text: str, path: str, entries: Sequence[PageEntry]) -> bool:
    """Return whether a page parses to exactly these entries, in this order."""
    said = [one.entry for one in readable(text, path)]
    return len(said) == len(entries) and not any(
        differs(one, meant) for one, meant in zip(said, entries, strict=True)
    )


class _There:
    """The entries of a page, found by uid or, without one, by their content."""

    def __init__(self, read: Sequence[ReadEntry]) -> None:
        self._named: dict[MemoryId, ReadEntry] = {}
        self._unnamed: dict[str, list[ReadEntry]] = {}
        for one in read:
            if one.entry.uid is not None:
                self._named.setdefault(one.entry.uid, one)
            else:
                self._unnamed.setdefault(one.entry.digest, []).append(one)

    def meant(self, put: Put) -> ReadEntry | None:
        """Return the entry of a write: by uid, else the nearest equal one without a uid."""
        uid = put.entry.uid
        if uid is not None and uid in self._named:
            return self._named[uid]
        if put.at is None or put.over is None:
            return None
        line = put.at[1]
        alike = self._unnamed.get(put.over, ())
        return min(alike, key=lambda one: abs(one.piece.line - line), default=None)


def _appended(text: str, entries: Sequence[PageEntry], path: str) -> str:
    """Return a page with new entries at its end; a new page gets a heading first."""
    end = line_end_of(text)
    for entry in entries:
        text = text or _heading(entry, path)
        gap = end if text.endswith("\n") else end * 2
        text += ("" if not text or text.endswith(end * 2) else gap) + rendered(entry, end)
    return text


def _heading(entry: PageEntry, path: str) -> str:
    """Return the heading of a new page; a file of one entry has none."""
    page = PAGES[entry.kind][0]
    return f"# {page.capitalize()}\n\n" if path.endswith(f"/{page}.md") else ""
