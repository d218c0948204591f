"""The current pages, and which page holds each entry."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from holdfast.adapters.files.disk import LARGEST_PAGE
from holdfast.adapters.files.pages import MEMORY
from holdfast.domain.memory.entry import PAGES

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.entry import PageEntry
    from holdfast.ports.pages.files import Put
from holdfast.adapters.files.editing import readable, rendered

_LONGEST_SLUG = 60
_HEADING = 32
"""More than the heading of a new page and the blank lines before an entry need."""
_LETTERS = re.compile(r"[a-z0-9]+")


class PageIndex:
    """The current pages, and which page holds each entry."""

    def __init__(
        self, pages: Mapping[str, bytes], folders: Collection[str], full: Collection[str] = ()
    ) -> None:
        self._sizes = {path: len(content) for path, content in pages.items()}
        self._sizes |= dict.fromkeys(full, LARGEST_PAGE)
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


def _slug(body: str) -> str:
    words = _LETTERS.findall(body.lower()[: _LONGEST_SLUG * 2])
    return "-".join(words)[:_LONGEST_SLUG].strip("-")
