"""Reads a zstd file as a stream that detects truncation."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import zstandard

if TYPE_CHECKING:
    from pathlib import Path

    from _typeshed import WriteableBuffer

_CHUNK = 1 << 20
_WIDEST_WINDOW = 1 << 28


class ZstFile(io.RawIOBase):
    """The decompressed bytes of a file; the package's own reader accepts a truncated frame.

    Raises EOFError if the last frame is incomplete.
    """

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._file = path.open("rb")
        self._frame = self._new_frame()
        self._given = False
        self._packed = b""
        self._ready = b""
        self._at = 0

    def readable(self) -> bool:
        """Return true: the stream is readable."""
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        """Fill a buffer with the next bytes; zero bytes at the end."""
        while self._at == len(self._ready) and self._advance():
            pass
        room = memoryview(buffer).cast("B")
        piece = self._ready[self._at : self._at + len(room)]
        room[: len(piece)] = piece
        self._at += len(piece)
        return len(piece)

    def close(self) -> None:
        """Close the file."""
        self._file.close()
        super().close()

    def _advance(self) -> bool:
        """Decompress some more; return whether there may be more after it."""
        if self._frame.eof:
            self._packed = self._frame.unused_data
            self._frame, self._given = self._new_frame(), False
        packed = self._packed or self._file.read(_CHUNK)
        self._packed = b""
        if not packed:
            if self._given:
                message = "it ends in the middle"
                raise EOFError(message)
            return False
        self._given = True
        self._ready, self._at = self._frame.decompress(packed), 0
        return True

    def _new_frame(self) -> zstandard.ZstdDecompressionObj:
        return zstandard.ZstdDecompressor(max_window_size=_WIDEST_WINDOW).decompressobj()
