"""Contents on their way into a page or out of it, in a folder beside git's own things.

The new content and the page change places under one name, so that whatever a person saved in
that instant is in our hand. It stays until nobody can be writing it any more, and outlives us
when we are killed.
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
    """A content on its way into a page, or out of it."""

    folder: Path
    name: str
    page: str
    fresh: str
    """The hash of what was to be put in place: while it is here, nothing has happened."""

    @property
    def content(self) -> Path:
        """What is to be put in place; then, what stood there."""
        return self.folder / f"{self.name}.page"

    @property
    def known(self) -> Path:
        """What stood there when we read it."""
        return self.folder / f"{self.name}.base"

    def ours(self) -> bytes:
        """Return what was put in place; where a kill left none, what stood there before."""
        try:
            return (self.folder / f"{self.name}.ours").read_bytes()
        except FileNotFoundError:
            return self.known.read_bytes()

    def now_known(self, content: bytes, ours: bytes) -> None:
        """Note that what stood there was seen, and is in the page as it is now."""
        for fresh, ending in ((ours, "ours"), (content, "base")):
            seen = self.folder / f"{self.name}.seen"
            seen.write_bytes(fresh)
            seen.replace(self.folder / f"{self.name}.{ending}")

    def drop(self) -> None:
        """Let go of it."""
        for ending in _ENDINGS:
            with suppress(FileNotFoundError):
                (self.folder / f"{self.name}.{ending}").unlink()


class Stash:
    """A folder of such contents."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, page: str, *, known: bytes, fresh: bytes, rights: int) -> Item:
        """Write down what shall take a page's place, and what stands there now."""
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
        # The note comes last: without it, nothing has happened yet.
        write_new(self.folder / f"{item.name}.note", note.encode(), durable=False)
        return item

    def hold(self, page: str, *, known: bytes, ours: bytes, late: bytes) -> None:
        """Keep what somebody saved over a page that we were replacing."""
        item = self.put(page, known=known, fresh=ours, rights=_OWNER_ONLY)
        item.content.write_bytes(late)

    def items(self) -> Iterator[Item]:
        """Yield what is still here; what was never finished is removed."""
        names = sorted(path.name for path in self.folder.iterdir()) if self.folder.is_dir() else []
        for name in names:
            stem, _, ending = name.rpartition(".")
            if ending == "note" and (item := self._noted(stem)) is not None:
                yield item
            elif f"{stem}.note" not in names or ending == "seen":
                with suppress(FileNotFoundError):
                    (self.folder / name).unlink()

    def is_empty(self) -> bool:
        """Tell whether there is nothing to look at."""
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
