"""The two files of an index: rows of 8-bit numbers, and whose row each is.

Rows are only ever added. A removed row is written over with zeros and keeps its place, so
whoever has mapped the file sees every other row where it was.
"""

from __future__ import annotations

import mmap
import os
from contextlib import suppress
from struct import Struct
from typing import TYPE_CHECKING, Any

from holdfast.adapters.vectors.header import HEAD_BYTES, Header, read_header

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Column = np.ndarray[tuple[int], np.dtype[Any]]

NAME = [("sequence", "<i8"), ("number", "<i8"), ("scale", "<f4"), ("crc", "<u4")]
"""Whose row it is, negative once it is removed; the change that put or removed it; what its
numbers are to be multiplied by; and a checksum of them."""
_NAME = Struct("<qqfI")
NAME_BYTES = _NAME.size


class Shelf:
    """An index opened for reading, and for writing where that is allowed."""

    def __init__(self, place: str) -> None:
        self.rows_path = f"{place}.i8"
        self.names_path = f"{place}.ids"
        self.rows_handle = _opened(self.rows_path)
        try:
            self.names_handle = _opened(self.names_path)
        except BaseException:
            os.close(self.rows_handle)
            raise
        self._identity = (os.fstat(self.rows_handle).st_ino, os.fstat(self.names_handle).st_ino)
        self._map: mmap.mmap | None = None
        self._columns: tuple[Column, Column] | None = None
        self._loaded = self._loaded_removed = 0

    def is_in_place(self) -> bool:
        """Tell whether these are still the files that lie there: others may have been put."""
        try:
            found = (os.stat(self.rows_path).st_ino, os.stat(self.names_path).st_ino)
        except OSError:
            return False
        return found == self._identity

    def header(self) -> Header | None:
        """Return the header if both files are whole as far as it counts."""
        header = read_header(self.rows_handle)
        if header is None or header.dimension <= 0:
            return None
        is_whole = (
            os.fstat(self.rows_handle).st_size >= HEAD_BYTES + header.count * header.dimension
            and os.fstat(self.names_handle).st_size >= (header.count + 1) * NAME_BYTES
            and self._birth() == header.birth
        )
        return header if is_whole else None

    def columns(self, header: Header) -> tuple[Column, Column]:
        """Return whose row each is, and its scale."""
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
        """Return whose rows these are, straight from the file."""
        import numpy as np

        return np.frombuffer(self.raw_names(start, end), NAME)

    def raw_names(self, start: int, end: int) -> bytes:
        """Return the same as bytes."""
        place, length = (start + 1) * NAME_BYTES, (end - start) * NAME_BYTES
        return os.pread(self.names_handle, length, place)

    def rows(self, header: Header) -> NDArray[np.int8]:
        """Return all rows that count, as the file has them now."""
        import numpy as np

        if not header.count:
            return np.zeros((0, header.dimension), np.int8)
        flat = np.frombuffer(self.raw_rows(header), np.int8)
        return flat.reshape(header.count, header.dimension)

    def raw_rows(self, header: Header) -> memoryview:
        """Return the same as bytes, one row after the other."""
        length = HEAD_BYTES + header.count * header.dimension
        if self._map is None or len(self._map) < length:
            self._map = mmap.mmap(self.rows_handle, 0, access=mmap.ACCESS_READ)
        return memoryview(self._map)[HEAD_BYTES:length]

    def close(self) -> None:
        """Let go of both files."""
        self._map = None
        for handle in (self.rows_handle, self.names_handle):
            with suppress(OSError):
                os.close(handle)

    def _birth(self) -> int:
        raw = os.pread(self.names_handle, NAME_BYTES, 0)
        return int(_NAME.unpack(raw)[0]) if len(raw) == NAME_BYTES else -1


def birth_record(birth: int) -> bytes:
    """Return what the file of names begins with, so that it is known whose it is."""
    return _NAME.pack(birth, 0, 0.0, 0)


def _opened(path: str) -> int:
    try:
        return os.open(path, os.O_RDWR)
    except OSError as error:
        if isinstance(error, FileNotFoundError):
            raise
        return os.open(path, os.O_RDONLY)


def _joined(column: Column, start: int, fresh: Column) -> Column:
    """Return a column with fresh values from a place on, and with room for more to come."""
    import numpy as np

    end = start + len(fresh)
    if end > len(column):
        grown = np.zeros(max(end, start + start // 2), column.dtype)
        grown[:start] = column[:start]
        column = grown
    column[start:end] = fresh
    return column
