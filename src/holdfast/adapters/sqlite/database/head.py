"""The head file: the newest event stored outside the database, which reveals lost events.

Two slots of 512 bytes are written in turn, each with a checksum, so that a torn write damages only
one of them. They are written after the commit and not synced. That is enough: the commit was synced
before, so the head file can only be behind the database, never ahead of it. A head file that is
ahead therefore proves that events were lost.
"""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from holdfast.adapters.sqlite.database.files import OWNER_ONLY, remove_unless_regular
from holdfast.domain.memory.event import Head

if TYPE_CHECKING:
    from holdfast.adapters.sqlite.database.files import StoreFiles

_SLOT_BYTES = 512
_SLOTS = 2
_MAGIC = "holdfast-head"
_WORDS = 5


class OutsideHead(NamedTuple):
    """The content of the head file: the id of its store, and the newest event."""

    store_id: str
    head: Head


class HeadFile:
    """Reads and writes the head file beside the database."""

    def __init__(self, files: StoreFiles) -> None:
        self._path = files.head

    def read(self) -> OutsideHead | None:
        """Return the newer of the two slots; None if the file is missing or unreadable."""
        found = [slot for slot in self._slots() if slot is not None]
        return max(found, key=lambda slot: slot.head.sequence, default=None)

    def write(self, outside: OutsideHead) -> None:
        """Write the head into the older slot.

        It never raises: the commit is not affected by a failure here, and the next writer updates a
        head that stayed behind.
        """
        slots = self._slots()
        ages = [-1 if slot is None else slot.head.sequence for slot in slots]
        with suppress(OSError):
            self._put(ages.index(min(ages)), outside)

    def reset(self, outside: OutsideHead) -> None:
        """Replace the content of the file by this head, and make it durable."""
        remove_unless_regular(self._path)
        handle = os.open(self._path, os.O_CREAT | os.O_RDWR | os.O_NOFOLLOW, OWNER_ONLY)
        try:
            os.pwrite(handle, _slot(outside) * _SLOTS, 0)
            os.fsync(handle)
        finally:
            os.close(handle)

    def _put(self, place: int, outside: OutsideHead) -> None:
        remove_unless_regular(self._path)
        handle = os.open(self._path, os.O_CREAT | os.O_RDWR | os.O_NOFOLLOW, OWNER_ONLY)
        try:
            os.pwrite(handle, _slot(outside), place * _SLOT_BYTES)
        finally:
            os.close(handle)

    def _slots(self) -> list[OutsideHead | None]:
        try:
            handle = os.open(self._path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
        except OSError:
            return [None] * _SLOTS
        try:
            raw = os.pread(handle, _SLOT_BYTES * _SLOTS, 0)
        except OSError:
            raw = b""
        finally:
            os.close(handle)
        return [_read(raw[place * _SLOT_BYTES :][:_SLOT_BYTES]) for place in range(_SLOTS)]


def _slot(outside: OutsideHead) -> bytes:
    text = f"{_MAGIC} {outside.store_id} {outside.head.sequence} {outside.head.hash}"
    return f"{text} {_checksum(text)}\n".encode().ljust(_SLOT_BYTES, b"\0")


def _read(raw: bytes) -> OutsideHead | None:
    words = raw.rstrip(b"\0").decode("ascii", "replace").split()
    if len(words) != _WORDS or words[0] != _MAGIC or _checksum(" ".join(words[:-1])) != words[-1]:
        return None
    return OutsideHead(store_id=words[1], head=Head(sequence=int(words[2]), hash=words[3]))


def _checksum(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
