"""Content that is being swapped into or out of a page, in a state folder of the clone.

The new content and the page exchange names atomically, so a save of a person in that instant is not
lost but ends up in this folder. It stays there until no process can still write it, and survives if
this process is killed.
"""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from typing import TYPE_CHECKING

from holdfast.adapters.disk.whole import make_own_folder, read_plain, write_new
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_NAME_BYTES = 8
_OWNER_ONLY = 0o600
_ENDINGS = ("note", "page", "base", "ours")


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """Content that is being swapped into a page, or was swapped out of it."""

    folder: Path
    name: str
    page: str
    fresh: str
    """The hash of the new content: while ``content`` has it, the swap has not happened."""

    @property
    def content(self) -> Path:
        """The new content before the swap, the displaced content after it."""
        return self.folder / f"{self.name}.page"

    @property
    def known(self) -> Path:
        """The content of the page when it was read."""
        return self.folder / f"{self.name}.base"

    def ours(self) -> bytes:
        """Return the content that was swapped in; if a kill left none, the one before."""
        try:
            return (self.folder / f"{self.name}.ours").read_bytes()
        except FileNotFoundError:
            return self.known.read_bytes()

    def now_known(self, content: bytes, ours: bytes) -> None:
        """Record that the displaced content was handled and is in the current page."""
        for fresh, ending in ((ours, "ours"), (content, "base")):
            seen = self.folder / f"{self.name}.seen"
            seen.write_bytes(fresh)
            seen.replace(self.folder / f"{self.name}.{ending}")

    def drop(self) -> None:
        """Remove its files."""
        for ending in _ENDINGS:
            with suppress(FileNotFoundError):
                (self.folder / f"{self.name}.{ending}").unlink()


class Stash:
    """The folder of such content."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, page: str, *, known: bytes, fresh: bytes, rights: int) -> Item:
        """Record the new content of a page, and its current content."""
        make_own_folder(self.folder)
        item = Item(
            folder=self.folder,
            name=os.urandom(_NAME_BYTES).hex(),
            page=page,
            fresh=hashlib.sha256(fresh).hexdigest(),
        )
        write_new(item.known, known, durable=False)
        write_new(self.folder / f"{item.name}.ours", fresh, durable=False)
        write_new(item.content, fresh, rights=rights)
        note = json.dumps({"page": page, "fresh": item.fresh})
        # The note is written last: without it, the swap has not begun.
        write_new(self.folder / f"{item.name}.note", note.encode(), durable=False)
        return item

    def hold(self, page: str, *, known: bytes, ours: bytes, late: bytes) -> None:
        """Keep a save that arrived while the page was being replaced."""
        item = self.put(page, known=known, fresh=ours, rights=_OWNER_ONLY)
        item.content.write_bytes(late)

    def items(self) -> Iterator[Item]:
        """Yield the items; unfinished ones are removed."""
        names = sorted(path.name for path in self.folder.iterdir()) if self.folder.is_dir() else []
        for name in names:
            stem, _, ending = name.rpartition(".")
            if ending == "note" and (item := self._noted(stem)) is not None:
                yield item
            elif f"{stem}.note" not in names or ending == "seen":
                with suppress(FileNotFoundError):
                    (self.folder / name).unlink()

    def is_empty(self) -> bool:
        """Return whether there are no items."""
        try:
            return next(self.folder.iterdir(), None) is None
        except OSError:
            return True

    def _noted(self, stem: str) -> Item | None:
        path = self.folder / f"{stem}.note"
        try:
            noted = json.loads(read_plain(path))
            page, fresh = str(noted["page"]), str(noted["fresh"])
        except (OSError, ValueError, KeyError, TypeError):
            path.unlink(missing_ok=True)
            return None
        return Item(folder=self.folder, name=stem, page=page, fresh=fresh)
