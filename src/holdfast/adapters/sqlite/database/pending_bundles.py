"""Bundles that wait beside the store, because another process held the write lock.

A reader writes each one into a file of its own, without a lock. The next unit of work stores them
all; until then every reader finds them here. A file that no reader of this store can have written
is damaged: nobody finds it, and the next unit of work removes it.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
from contextlib import contextmanager, suppress
from itertools import islice
from time import time
from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.database.files import (
    OWNER_ONLY,
    OWNER_ONLY_FOLDER,
    exists,
    keep_names,
)
from holdfast.adapters.sqlite.database.rows import as_json
from holdfast.adapters.sqlite.database.work import SPACE
from holdfast.domain.choices import Status
from holdfast.domain.errors import HoldfastError
from holdfast.domain.exchange.bundle_reading import bundle_from_json
from holdfast.domain.exchange.bundle_shape import bundle_json
from holdfast.domain.fields import Fields
from holdfast.domain.ids import BundleId
from holdfast.domain.memory.place import DEFAULT_SPACE
from holdfast.domain.recall.bundle import OWN
from holdfast.domain.recall.question import MOST_ITEMS

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from holdfast.adapters.sqlite.database.work import Work
    from holdfast.domain.recall.bundle import Bundle, BundleItem

# Chosen by hand.
MOST_PENDING = 1_000
MOST_BYTES = 4 * 1_048_576
_OLD_SECONDS = 3_600
_TRIES = 3
_ENDING = ".json"
_UNFINISHED = ".unfinished"
_NAME = re.compile(r"c_[0-9A-Za-z_]+", re.ASCII)
_NO_LINK = os.O_NOFOLLOW | os.O_CLOEXEC


class PendingBundles:
    """The bundles beside one store, each in a file with a checksum and the id of the store."""

    def __init__(self, work: Work) -> None:
        self._folder = f"{work.path}-pending"
        self._work = work

    def put(self, bundle: Bundle) -> bool:
        """Write a bundle durably; return False if there is no space, no right or too many wait."""
        text = as_json({"store": self._store_id, "bundle": bundle_json(bundle)})
        content = f"{_checksum(text)}\n{text}\n".encode()
        if len(content) > MOST_BYTES or len(self.ids()) >= MOST_PENDING:
            return False
        for _ in range(_TRIES):
            try:
                self._write(bundle.id, content)
            except FileNotFoundError:
                # A writer has just stored the others and removed the empty folder.
                continue
            except OSError:
                return False
            return True
        return False

    def ids(self) -> list[BundleId]:
        """Return the ids of the bundles that wait, oldest first; some may be damaged."""
        try:
            with self._opened() as folder:
                names = os.listdir(folder)
        except OSError:
            return []
        found = (name.removesuffix(_ENDING) for name in names if name.endswith(_ENDING))
        return [BundleId(name) for name in sorted(found) if _NAME.fullmatch(name)]

    def get(self, bundle_id: BundleId) -> Bundle | None:
        """Return a bundle; None if it does not wait, is damaged or belongs to another store."""
        if not _NAME.fullmatch(bundle_id):
            return None
        try:
            content = self._read(bundle_id)
        except OSError:
            return None
        bundle = _decoded(content, store_id=self._store_id)
        return bundle if bundle and bundle.id == bundle_id and self._fits(bundle) else None

    def older_than(self, beyond: str | None, *, limit: int) -> list[Bundle]:
        """Return bundles, newest id first, starting after ``beyond``."""
        ids = [name for name in reversed(self.ids()) if beyond is None or name < beyond]
        found = (self.get(name) for name in ids)
        return list(islice((bundle for bundle in found if bundle is not None), limit))

    def remove(self, bundle_ids: Sequence[BundleId]) -> None:
        """Remove bundles, files without an id, old remains of killed writers, the empty folder."""
        done = {_file(bundle_id) for bundle_id in bundle_ids}
        with self._opened() as folder:
            for name in os.listdir(folder):
                if name in done or _is_remains(name, folder):
                    with suppress(OSError):
                        os.unlink(name, dir_fd=folder)
        with suppress(OSError):
            os.rmdir(self._folder)

    @property
    def _store_id(self) -> str:
        return self._work.meta("store_id") or ""

    @contextmanager
    def _opened(self) -> Generator[int, None, None]:
        """Open the folder itself, never one that a link in its place leads to."""
        folder = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY | _NO_LINK)
        try:
            yield folder
        finally:
            os.close(folder)

    def _read(self, bundle_id: BundleId) -> bytes:
        """Return the content of a file; nothing if it is larger than any bundle, or no file."""
        with self._opened() as folder:
            handle = os.open(
                _file(bundle_id), os.O_RDONLY | os.O_NONBLOCK | _NO_LINK, dir_fd=folder
            )
        try:
            found = os.fstat(handle)
            is_bundle = stat.S_ISREG(found.st_mode) and found.st_size <= MOST_BYTES
            return os.read(handle, found.st_size) if is_bundle else b""
        finally:
            os.close(handle)

    def _fits(self, bundle: Bundle) -> bool:
        """Tell whether this store can have given a bundle.

        The writer that was waited for may have superseded, deprecated or forgotten some of its
        memories. Nothing that no person ever accepted is given, except to the agent that wrote it.
        """
        space = self._work.meta(SPACE) or DEFAULT_SPACE
        if bundle.place.space != space or len(bundle.items) > MOST_ITEMS:
            return False
        names = as_json([item.memory_id for item in bundle.items])
        rows = self._work.rows("statuses_of", {"ids": names})
        statuses: dict[str, str | None] = dict(rows)
        is_agent = bundle.question.agent is not None
        return all(
            item.memory_id in statuses
            and _may_be_given(item, statuses[item.memory_id], is_agent=is_agent)
            for item in bundle.items
        )

    def _write(self, bundle_id: BundleId, content: bytes) -> None:
        if not exists(self._folder):
            with suppress(FileExistsError):
                os.mkdir(self._folder, OWNER_ONLY_FOLDER)
            keep_names(os.path.dirname(self._folder))
        unfinished = f"{bundle_id}-{os.getpid()}{_UNFINISHED}"
        flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | _NO_LINK
        with self._opened() as folder:
            try:
                with open(os.open(unfinished, flags, OWNER_ONLY, dir_fd=folder), "wb") as file:
                    file.write(content)
                    file.flush()
                    os.fsync(file.fileno())
                os.rename(unfinished, _file(bundle_id), src_dir_fd=folder, dst_dir_fd=folder)
            except OSError:
                with suppress(OSError):
                    os.unlink(unfinished, dir_fd=folder)
                raise
            os.fsync(folder)


def _decoded(content: bytes, *, store_id: str) -> Bundle | None:
    """Return the bundle in a file of this store; None if it is damaged."""
    try:
        checksum, text, *_rest = (*content.decode().split("\n"), "")
        if checksum != _checksum(text):
            return None
        saved = Fields(json.loads(text), noun="file")
        if saved.text("store") != store_id:
            return None
        bundle = bundle_from_json(saved.raw("bundle"))
        # A lone surrogate can be read, but not stored.
        as_json(bundle_json(bundle)).encode()
    except (ValueError, TypeError, KeyError, RecursionError, HoldfastError):
        return None
    return bundle


def _file(bundle_id: BundleId) -> str:
    return f"{bundle_id}{_ENDING}"


def _is_remains(name: str, folder: int) -> bool:
    """Tell whether a file is of no use: no bundle can have its name, or its writer was killed."""
    if name.endswith(_ENDING):
        return not _NAME.fullmatch(name.removesuffix(_ENDING))
    if not name.endswith(_UNFINISHED):
        return False
    try:
        made = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mtime
    except FileNotFoundError:
        # Its writer has just given it its name.
        return False
    return made < time() - _OLD_SECONDS


def _may_be_given(item: BundleItem, status: str | None, *, is_agent: bool) -> bool:
    if status in {Status.CANDIDATE, Status.NOTED}:
        return is_agent and any(reason.leg == OWN for reason in item.reasons)
    return status != Status.REJECTED


def _checksum(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
