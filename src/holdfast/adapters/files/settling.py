"""What becomes of contents that were displaced by a write: joined into their page, or kept."""

from __future__ import annotations

import hashlib
import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from holdfast.adapters.files.line_merge import lines_lost
from holdfast.adapters.files.merging import Prefer, merge_pages
from holdfast.adapters.files.places import UnreadableError, open_folder, read_open
from holdfast.adapters.files.system import exchange, wait_for_writers
from holdfast.domain.refusals import PageUnwritableError

if TYPE_CHECKING:
    from pathlib import Path

    from holdfast.adapters.files.rescue import Rescue, Rescued
    from holdfast.adapters.files.stash import Item, Stash
    from holdfast.adapters.files.swapping import Swapper
    from holdfast.domain.entry import Pages

PATIENCE_SECONDS = 0.5
UNSURE_SECONDS = 0.02
_STALE_SECONDS = 3.0
"""A save within this time of a join may come from a copy that was read before the join."""
_MOST_TRIES = 100


class Settler:
    """Looks at what writes displaced; whoever uses it holds the lock."""

    def __init__(self, root: Path, stash: Stash, rescue: Rescue, swapper: Swapper) -> None:
        self._root = root
        self._stash = stash
        self._rescue = rescue
        self._swapper = swapper

    def has_work(self) -> bool:
        """Tell whether anything was displaced or joined that must be looked at again."""
        return not (self._stash.is_empty() and self._rescue.is_idle())

    def settle(self) -> None:
        """Look at everything that was displaced, and bring into its page what came late.

        What somebody still writes stays here for the next time.

        Raises:
            PageUnwritableError: The disk or its rights do not allow it.
        """
        self._settle_displaced()
        for one in self._rescue.rescued():
            self._look_after(one)
        self._settle_displaced()

    def _settle_displaced(self) -> None:
        for _ in range(_MOST_TRIES):
            waiting = [item for item in self._stash.items() if not self._settled(item)]
            if all(item in waiting and _is_known(item) for item in self._stash.items()):
                return

    def taken_in(self, pages: Pages) -> list[Rescued]:
        """Return the joined saves whose lines all stand in entries: a sync keeps these."""
        bodies = "\n".join(one.entry.body for one in pages.entries).encode(
            "utf-8", "surrogateescape"
        )
        return [one for one in self._rescue.rescued() if not one.is_missing(bodies)]

    def _settled(self, item: Item) -> bool:
        """Bring what came late into the page; tell whether nothing more can come."""
        try:
            file = os.open(item.content, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
        except FileNotFoundError:
            item.drop()
            return True
        try:
            is_quiet = wait_for_writers(
                file, within_seconds=PATIENCE_SECONDS, unsure_seconds=UNSURE_SECONDS
            )
            content = read_open(file)
        except UnreadableError:
            self._put_back(item)
            return True
        finally:
            os.close(file)
        if hashlib.sha256(content).hexdigest() != item.fresh:
            known = item.known.read_bytes()
            if content != known:
                joined = self.bring_in(item.page, known, item.ours(), content)
                item.now_known(content, joined)
        if is_quiet:
            item.drop()
        return is_quiet

    def bring_in(self, page: str, known: bytes, ours: bytes, late: bytes) -> bytes:
        """Join what was saved late into the page as it is now; return our page with it.

        ``ours`` was written over ``known`` while ``late`` was saved over it too. Whoever saved
        late is believed; a save that came after ours is newer than both.

        Raises:
            PageUnwritableError: Something else stands in its place, or it is saved all the time.
        """
        joined = merge_pages(known, ours, late, path=page, prefer=Prefer.THEIRS).content
        for _ in range(_MOST_TRIES):
            try:
                now = self._swapper.read(page)
                fresh = joined if now is None else _newer(ours, joined, now, page)
                if fresh == now or self._swapper.swap(page, now, fresh):
                    break
            except UnreadableError as error:
                raise PageUnwritableError(page, str(error)) from error
        else:
            raise PageUnwritableError(page, "somebody saves it without a pause")
        if lines_lost(known, late, fresh):
            self._rescue.set_aside(page, late)
        if lines_lost(ours, joined, ours):
            self._rescue.note(page, without=ours, joined=joined)
        return joined

    def _look_after(self, one: Rescued) -> None:
        """Give a page a joined save again that an older copy took out; else keep it aside."""
        now = b""
        with suppress(UnreadableError):
            now = self._swapper.read(one.page) or b""
        is_fresh = 0 <= time.time() - one.at < _STALE_SECONDS
        if is_fresh and now and one.is_missing(now):
            fresh = _newer(one.without, one.joined, now, one.page)
            if self._swapper.swap(one.page, now, fresh):
                now = fresh
        if one.is_missing(now):
            self._rescue.set_aside(one.page, one.joined)
        elif is_fresh:
            return
        one.path.unlink(missing_ok=True)

    def _put_back(self, item: Item) -> None:
        """Give a page back what cannot be joined with anything: it is larger than we read."""
        *parts, name = item.page.split("/")
        with open_folder(self._root, *parts) as folder, suppress(FileNotFoundError):
            if folder is not None and exchange(str(item.content), folder, name):
                os.fsync(folder)
                item.drop()


def _newer(ours: bytes, joined: bytes, now: bytes, page: str) -> bytes:
    """Return the page as it is now with what was joined into ours."""
    return merge_pages(ours, joined, now, path=page, prefer=Prefer.THEIRS).content


def _is_known(item: Item) -> bool:
    """Tell whether what somebody still writes holds nothing new yet."""
    with suppress(OSError):
        return item.content.read_bytes() == item.known.read_bytes()
    return True
