"""Writes several entries into the text of a page at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from holdfast.adapters.files.entries import (
    ReadEntry,
    read_pieces,
)
from holdfast.adapters.files.page_text import line_end_of
from holdfast.domain.memory.entry import PAGES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.entry import PageEntry
    from holdfast.ports.pages.files import Put
from holdfast.adapters.files.editing import (
    differs,
    edited,
    edited_unchecked,
    has_more,
    readable,
    rendered,
)


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
    edits = _Edits(readable(text, path), path, is_checked=is_checked)
    there = _There(edits.read)
    added = []
    for put in puts:
        known = there.meant(put)
        if known is not None and known.entry.digest == put.over:
            edits.add(put, known)
        elif known is None and put.over is None and put.at is None:
            added.append(put)
    entries = [put.entry for put in added]
    grown = _appended(edits.applied_to(text), entries, path)
    if not _says(grown, path, [*edits.meant.values(), *entries]):
        return None
    is_nothing = content is None and not grown
    return Applied(
        None if is_nothing else grown.encode("utf-8", "surrogateescape"), (*edits.taken, *added)
    )


class _Edits:
    """The changes of entries that a page has: new texts, and entries that are taken out."""

    def __init__(self, read: Sequence[ReadEntry], path: str, *, is_checked: bool) -> None:
        self.read = read
        self.meant = {one.piece.line: one.entry for one in read}
        self.taken: list[Put] = []
        self._path = path
        self._is_checked = is_checked
        self._fresh: dict[int, str] = {}

    def add(self, put: Put, known: ReadEntry) -> None:
        """Note a write of a known entry; one that would not parse as wanted is left out."""
        line = known.piece.line
        if put.is_removal:
            if has_more(known):
                return
            self._fresh[line] = ""
            del self.meant[line]
        else:
            made = (
                edited(known, put.entry, self._path)
                if self._is_checked
                else edited_unchecked(known, put.entry)
            )
            if made is None:
                return
            self._fresh[line], self.meant[line] = made, put.entry
        self.taken.append(put)

    def applied_to(self, text: str) -> str:
        """Return the page with the changes; a page of which only the heading is left is empty."""
        pieces = [piece for piece, _ in read_pieces(text, self._path)]
        # Only entries have a head; the prose before the first entry may begin on the same line.
        fresh = [self._fresh.get(one.line, one.text) if one.head else one.text for one in pieces]
        grown = "".join(fresh)
        removed = next((put.entry for put in self.taken if put.is_removal), None)
        if removed is None:
            return grown
        if grown.replace("\r\n", "\n") == _heading(removed, self._path):
            return ""
        # The blank line before the last entry was written with it.
        end = line_end_of(grown)
        return grown.removesuffix(end) if not fresh[-1] and grown.endswith(end * 2) else grown


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
