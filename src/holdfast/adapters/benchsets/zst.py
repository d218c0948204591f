"""A file compressed with zstd, read as a stream that knows when it was cut short."""

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
    """The bytes inside the frames of a file; the package's own reader takes half a frame for all.

    Raises EOFError where the last frame has no end.
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
        """Say that it can be read."""
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        """Fill a buffer with what comes next; nothing is left at the end."""
        while self._at == len(self._ready) and self._advance():
            pass
        room = memoryview(buffer).cast("B")
        piece = self._ready[self._at : self._at + len(room)]
        room[: len(piece)] = piece
        self._at += len(piece)
        return len(piece)

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()
        super().close()

    def _advance(self) -> bool:
        """Unpack some more; tell whether there may be more after it."""
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
