"""The files of an index: rows of 8-bit numbers, the memory of each row, and checksums of both.

Rows are only appended. A removed row is overwritten with zeros and keeps its position, so that a
process with a mapped file sees every other row unchanged.

The header of an index file: its progress, in two slots that are written in turn.

A torn write leaves the other slot intact. Rows are synced before the slot that counts them is
written, so a slot never counts a missing row.

The lock of an index's files: many readers at once, or one writer.
"""

from __future__ import annotations

import mmap
import os
from contextlib import suppress
from errno import EINVAL
from stat import S_ISREG
from struct import Struct
from typing import TYPE_CHECKING, Any
from zlib import crc32

from holdfast.adapters.vectors.header import HEAD_BYTES, Header, read_header

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    from numpy.typing import NDArray

    Column = np.ndarray[tuple[int], np.dtype[Any]]


NAME = [("sequence", "<i8"), ("number", "<i8"), ("scale", "<f4"), ("unused", "<u4")]
"""The memory of a row, negative after its removal; the change that wrote or removed it; and the
scale of its numbers."""
_NAME = Struct("<qqfI")
NAME_BYTES = _NAME.size
BLOCK_ROWS = 1_024
SUM_BYTES = 4
FILE_ENDINGS = (".i8", ".ids", ".sums")


class VectorFile:
    """An index opened for reading, and for writing if that is allowed."""

    def __init__(self, place: str) -> None:
        self._paths = [f"{place}{ending}" for ending in FILE_ENDINGS]
        self._handles: list[int] = []
        try:
            for path in self._paths:
                self._handles.append(_opened(path))
        except BaseException:
            self.close()
            raise
        self.rows_handle, self.names_handle, self.sums_handle = self._handles
        self._identity = [os.fstat(handle).st_ino for handle in self._handles]
        self._verified: tuple[object, ...] = ()
        self._map: mmap.mmap | None = None
        self._columns: tuple[Column, Column] | None = None
        self._loaded = self._loaded_removed = 0

    def is_in_place(self) -> bool:
        """Return whether these are still the current files; another process may replace them."""
        try:
            return [os.stat(path).st_ino for path in self._paths] == self._identity
        except OSError:
            return False

    def header(self) -> Header | None:
        """Return the header if both files belong together and are as long as it says."""
        header = read_header(self.rows_handle)
        if header is None or header.dimension <= 0:
            return None
        is_whole = (
            os.fstat(self.rows_handle).st_size >= HEAD_BYTES + header.count * header.dimension
            and os.fstat(self.names_handle).st_size >= (header.count + 1) * NAME_BYTES
            and self._birth() == header.birth
        )
        return header if is_whole else None

    def is_sound(self, header: Header) -> bool:
        """Return whether every block of rows matches its checksum.

        The result is cached until a file changes: a process checks what it scans once.
        """
        state = self._state(header)
        if state == self._verified:
            return True
        sums = os.pread(self.sums_handle, blocks_of(header.count) * SUM_BYTES, SUM_BYTES)
        if sums != self.sums(header, range(blocks_of(header.count))):
            return False
        self._verified = state
        return True

    def trust(self, header: Header) -> None:
        """Record that the files were valid before this process itself changed them."""
        self._verified = self._state(header)

    def sums(self, header: Header, blocks: Iterable[int]) -> bytes:
        """Return the checksums of some blocks, of their rows and memories."""
        rows = self.raw_rows(header)
        found = bytearray()
        for block in blocks:
            start = block * BLOCK_ROWS
            end = min(start + BLOCK_ROWS, header.count)
            part = rows[start * header.dimension : end * header.dimension]
            found += crc32(self.raw_names(start, end), crc32(part)).to_bytes(SUM_BYTES, "little")
        return bytes(found)

    def _state(self, header: Header) -> tuple[object, ...]:
        times = [os.fstat(handle).st_mtime_ns for handle in self._handles]
        return (header, *times)

    def columns(self, header: Header) -> tuple[Column, Column]:
        """Return the memory of each row, and its scale."""
        import numpy as np

        sequences, scales = self._columns or (np.zeros(0, np.int64), np.zeros(0, np.float32))
        if header.removed != self._loaded_removed or header.count < self._loaded:
            self._loaded = 0
        if header.count > self._loaded:
            fresh = self.names(self._loaded, header.count)
            sequences = _joined(sequences, self._loaded, fresh["sequence"])
            scales = _joined(scales, self._loaded, fresh["scale"])
        self._columns = (sequences, scales)
        self._loaded, self._loaded_removed = header.count, header.removed
        return sequences[: header.count], scales[: header.count]

    def names(self, start: int, end: int) -> Column:
        """Return the memories of these rows, directly from the file."""
        import numpy as np

        return np.frombuffer(self.raw_names(start, end), NAME)

    def raw_names(self, start: int, end: int) -> bytes:
        """Return the same as bytes."""
        place, length = (start + 1) * NAME_BYTES, (end - start) * NAME_BYTES
        return os.pread(self.names_handle, length, place)

    def rows(self, header: Header) -> NDArray[np.int8]:
        """Return all counted rows, as they are in the file now."""
        import numpy as np

        if not header.count:
            return np.zeros((0, header.dimension), np.int8)
        flat = np.frombuffer(self.raw_rows(header), np.int8)
        return flat.reshape(header.count, header.dimension)

    def raw_rows(self, header: Header) -> memoryview:
        """Return the same as bytes, one row after the other."""
        length = HEAD_BYTES + header.count * header.dimension
        if not header.count:
            return memoryview(b"")
        if self._map is None or len(self._map) < length:
            self._map = mmap.mmap(self.rows_handle, 0, access=mmap.ACCESS_READ)
        return memoryview(self._map)[HEAD_BYTES:length]

    def close(self) -> None:
        """Close the files."""
        self._map = None
        for handle in self._handles:
            with suppress(OSError):
                os.close(handle)
        self._handles = []

    def _birth(self) -> int:
        raw = os.pread(self.names_handle, NAME_BYTES, 0)
        return int(_NAME.unpack(raw)[0]) if len(raw) == NAME_BYTES else -1


def blocks_of(rows: int) -> int:
    """Return the number of blocks of this many rows."""
    return -(-rows // BLOCK_ROWS)


def birth_record(birth: int) -> bytes:
    """Return the first record of the file of names, which links it to its index."""
    return _NAME.pack(birth, 0, 0.0, 0)


def _opened(path: str) -> int:
    try:
        handle = os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        if isinstance(error, FileNotFoundError | IsADirectoryError):
            raise
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    if not S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(EINVAL, "it is not a regular file", path)
    return handle


def _joined(column: Column, start: int, fresh: Column) -> Column:
    """Return a column with new values from a position on, and with room for more."""
    import numpy as np

    end = start + len(fresh)
    if end > len(column):
        grown = np.zeros(max(end, start + start // 2), column.dtype)
        grown[:start] = column[:start]
        column = grown
    column[start:end] = fresh
    return column
