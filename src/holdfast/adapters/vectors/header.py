"""The header of an index file, in two slots of which one is always valid."""

from __future__ import annotations

import os
from struct import Struct
from typing import TYPE_CHECKING, Any
from zlib import crc32

from holdfast.domain.recall.finding import VectorChange
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    import numpy as np

    Column = np.ndarray[tuple[int], np.dtype[Any]]


HEAD_BYTES = 4_096
_SLOT_BYTES = 2_048
_MAGIC = b"HLDFVEC2"
_BODY = Struct("<8s32s9q")
_CRC = Struct("<I")


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """The content of an index: its store, its number of rows, and its last change.

    ``birth`` links the files of an index. ``reached`` is ahead of the last change during an update,
    or after a process died during one.
    """

    store_id: str
    dimension: int
    birth: int
    generation: int = 0
    count: int = 0
    removed: int = 0
    last: VectorChange = VectorChange(number=0, sequence=0, token=0)
    reached: int = 0

    @property
    def is_unfinished(self) -> bool:
        """Return whether an update is running, or was interrupted."""
        return self.reached > self.last.number


def read_header(handle: int) -> Header | None:
    """Return the newer of the two slots; None if neither is valid."""
    raw = os.pread(handle, HEAD_BYTES, 0)
    slots = [_read(raw[start : start + _SLOT_BYTES]) for start in range(0, HEAD_BYTES, _SLOT_BYTES)]
    found = [slot for slot in slots if slot is not None]
    return max(found, key=lambda slot: slot.generation, default=None)


def write_header(handle: int, header: Header) -> None:
    """Write a header into the older slot."""
    place = header.generation % 2 * _SLOT_BYTES
    os.pwrite(handle, _slot(header), place)


def _slot(header: Header) -> bytes:
    body = _BODY.pack(
        _MAGIC,
        header.store_id.encode("ascii", "replace"),
        header.dimension,
        header.birth,
        header.generation,
        header.count,
        header.removed,
        header.reached,
        header.last.number,
        header.last.sequence,
        header.last.token,
    )
    return body + _CRC.pack(crc32(body))


def _read(raw: bytes) -> Header | None:
    body, rest = raw[: _BODY.size], raw[_BODY.size : _BODY.size + _CRC.size]
    if len(rest) != _CRC.size or _CRC.unpack(rest)[0] != crc32(body):
        return None
    magic, store_id, *numbers = _BODY.unpack(body)
    if magic != _MAGIC:
        return None
    dimension, birth, generation, count, removed, reached, *last = numbers
    return Header(
        store_id=store_id.rstrip(b"\0").decode("ascii", "replace"),
        dimension=dimension,
        birth=birth,
        generation=generation,
        count=count,
        removed=removed,
        last=VectorChange(number=last[0], sequence=last[1], token=last[2]),
        reached=reached,
    )
