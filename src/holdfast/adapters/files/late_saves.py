"""Merges saves that a write displaced into their page, and keeps them for a while.

An editor that read the page before a displaced save was merged into it writes the page back without
that save. So each merged save is kept for a while. If it is missing from the page soon
after, it is merged again. If it is missing later, the person is told and gets a copy of the save.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from holdfast.adapters.disk.atomic_files import write_whole
from holdfast.adapters.disk.json_files import read_json
from holdfast.adapters.files.disk import (
    UnreadableError,
    exchange,
    open_folder,
    read_open,
    wait_for_writers,
)
from holdfast.adapters.files.line_merging import lines_lost
from holdfast.adapters.files.merging import Prefer, merge_pages
from holdfast.domain.memory.entry import SetAside
from holdfast.domain.refusals import PageUnwritableError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from holdfast.adapters.files.replacing import Item, Stash, Swapper
    from holdfast.domain.memory.entry import Pages

_NAME_BYTES = 4
_RESCUED, _KEPT = "rescued", "kept"
_BYTES = "latin-1"
"""An encoding that maps every byte to itself."""


class RescuedSave(NamedTuple):
    """A save that was merged into a page: the page without it, and with it."""

    path: Path
    page: str
    at: float
    without: bytes
    joined: bytes

    def is_missing(self, now: bytes) -> bool:
        """Return whether lines of the save are missing from the current page."""
        return lines_lost(self.without, self.joined, now)


class Rescue:
    """The merged saves of one clone, and the copies that were set aside for a person."""

    def __init__(self, state: Path) -> None:
        self._rescued = state / _RESCUED
        self._kept = state / _KEPT

    def note(self, page: str, *, without: bytes, joined: bytes) -> None:
        """Record that a save was merged into a page."""
        told = {"page": page, "at": time.time()}
        told |= {"without": without.decode(_BYTES), "joined": joined.decode(_BYTES)}
        name = f"{time.time_ns():020d}-{os.urandom(_NAME_BYTES).hex()}.json"
        write_whole(self._rescued / name, json.dumps(told).encode(), durable=False)

    def rescued(self) -> Iterator[RescuedSave]:
        """Yield the merged saves, oldest first; unreadable records are dropped."""
        for path in _files(self._rescued):
            try:
                told = read_json(path)
                yield RescuedSave(
                    path=path,
                    page=str(told["page"]),
                    at=float(told["at"]),
                    without=str(told["without"]).encode(_BYTES),
                    joined=str(told["joined"]).encode(_BYTES),
                )
            except FileNotFoundError:
                continue  # another process removed it
            except (OSError, ValueError, KeyError, TypeError):
                path.unlink(missing_ok=True)

    def set_aside(self, page: str, content: bytes) -> None:
        """Keep a copy of a save for the person, unless an equal copy exists."""
        if any(path.read_bytes() == content for path in _files(self._kept)):
            return
        moment = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
        name = f"{moment}-{os.urandom(_NAME_BYTES).hex()}-{page.rpartition('/')[2]}"
        write_whole(self._kept / name, content)

    def aside(self) -> tuple[SetAside, ...]:
        """Return the copies that were set aside and not removed yet."""
        return tuple(
            SetAside(page=path.name.split("-", 2)[-1], copy=str(path))
            for path in _files(self._kept)
        )

    def is_idle(self) -> bool:
        """Return whether there are no merged saves to watch."""
        return not _files(self._rescued)


def _files(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    except OSError:
        return []


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
