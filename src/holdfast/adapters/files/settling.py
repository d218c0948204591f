"""Handles content that a write displaced: merges it into its page, or keeps it."""

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

    from holdfast.adapters.files.rescue import Rescue, RescuedSave
    from holdfast.adapters.files.stash import Item, Stash
    from holdfast.adapters.files.swapping import Swapper
    from holdfast.domain.memory.entry import Pages

PATIENCE_SECONDS = 0.5
UNSURE_SECONDS = 0.02
_STALE_SECONDS = 3.0
"""A save within this time after a merge may come from a copy that was read before the merge."""
_MOST_TRIES = 100


class Settler:
    """Processes displaced content; the caller holds the lock."""

    def __init__(self, root: Path, stash: Stash, rescue: Rescue, swapper: Swapper) -> None:
        self._root = root
        self._stash = stash
        self._rescue = rescue
        self._swapper = swapper

    def has_work(self) -> bool:
        """Return whether displaced or merged content must be checked."""
        return not (self._stash.is_empty() and self._rescue.is_idle())

    def settle(self) -> None:
        """Check all displaced content, and merge late saves into their pages.

        Content that a process is still writing stays for the next call.

        Raises:
            PageUnwritableError: The disk is full or the permissions do not allow it.
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

    def taken_in(self, pages: Pages) -> list[RescuedSave]:
        """Return the merged saves whose lines are all in entries: a sync stores these."""
        bodies = "\n".join(one.entry.body for one in pages.entries).encode(
            "utf-8", "surrogateescape"
        )
        return [one for one in self._rescue.rescued() if not one.is_missing(bodies)]

    def _settled(self, item: Item) -> bool:
        """Merge a late save into the page; return whether no further save can follow."""
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
        """Merge a late save into the current page; return Holdfast's page with the save.

        ``ours`` replaced ``known`` while ``late`` was also saved over ``known``. Where they
        conflict, the late save is taken; a save after ours is newer than both.

        Raises:
            PageUnwritableError: The path is not a page, or it is saved again and again.
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

    def _look_after(self, one: RescuedSave) -> None:
        """Merge a save again if an older copy overwrote it, else keep a copy aside."""
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
        """Restore content that cannot be merged because it exceeds the size limit."""
        *parts, name = item.page.split("/")
        with open_folder(self._root, *parts) as folder, suppress(FileNotFoundError):
            if folder is not None and exchange(str(item.content), folder, name):
                os.fsync(folder)
                item.drop()


def _newer(ours: bytes, joined: bytes, now: bytes, page: str) -> bytes:
    """Return the current page with the merged save."""
    return merge_pages(ours, joined, now, path=page, prefer=Prefer.THEIRS).content


def _is_known(item: Item) -> bool:
    """Return whether a file that is still being written holds nothing new yet."""
    with suppress(OSError):
        return item.content.read_bytes() == item.known.read_bytes()
    return True
