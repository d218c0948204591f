"""Pack files: many pieces of content in one file, with an index at its end.

A pack is written under a temporary name, synced, and renamed; it never changes afterwards. The name
is the hash of the index.
"""

from __future__ import annotations

import os
import zlib
from contextlib import suppress
from hashlib import sha256
from struct import Struct
from typing import TYPE_CHECKING, NamedTuple

from holdfast.domain.workspace_errors import ContentDamagedError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

START = b"HFPACK1\n"
SUFFIX, UNFINISHED = ".pack", ".unfinished"
_ROW = Struct(">32sBQII")  # hash, form, offset, stored bytes, bytes
_END = Struct(">32sQ8s")  # hash of the index, number of rows, magic
_OWNER_ONLY = 0o600
_PACKED, _LIST = 1, 2
_HASH_BYTES = 32
_PROBE = 4_096
_WORTH_IT = 0.9
_FAST = 1


class Piece(NamedTuple):
    """Where a piece is; ``form`` tells whether it is compressed, and whether it is a list."""

    pack: str
    form: int
    offset: int
    stored: int
    size: int

    @property
    def is_list(self) -> bool:
        """Whether it is the list of the pieces of a large content."""
        return bool(self.form & _LIST)


class PackWriter:
    """Writes one pack."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder = folder
        self._fresh = folder / f"{name}{UNFINISHED}"
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        self._file = os.fdopen(os.open(self._fresh, flags, _OWNER_ONLY), "wb", 1 << 20)
        self._file.write(START)
        self.size = len(START)
        self.rows: dict[bytes, Piece] = {}

    def add(self, name: bytes, content: bytes, *, is_list: bool) -> None:
        """Add a piece."""
        if is_list:
            content = sha256(content).digest() + content
        form, stored = _packed(content)
        form |= _LIST if is_list else 0
        self._file.write(stored)
        self.rows[name] = Piece(str(self._fresh), form, self.size, len(stored), len(content))
        self.size += len(stored)

    def copy(self, name: bytes, piece: Piece, stored: bytes) -> None:
        """Add a piece of another pack as it is stored there."""
        self._file.write(stored)
        self.rows[name] = piece._replace(offset=self.size)
        self.size += len(stored)

    def finish(self) -> Mapping[bytes, Piece]:
        """Sync the pack and give it its name; return its pieces."""
        index = b"".join(
            _ROW.pack(name, one.form, one.offset, one.stored, one.size)
            for name, one in self.rows.items()
        )
        digest = sha256(index).digest()
        self._file.write(index)
        self._file.write(_END.pack(digest, len(self.rows), START))
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        path = self._folder / f"{digest.hex()}{SUFFIX}"
        self._fresh.replace(path)
        return {name: one._replace(pack=str(path)) for name, one in self.rows.items()}

    def drop(self) -> None:
        """Remove the unfinished pack; if that fails, a garbage collection removes it."""
        with suppress(OSError):
            self._file.close()
        with suppress(OSError):
            self._fresh.unlink(missing_ok=True)


def _packed(content: bytes) -> tuple[int, bytes]:
    """Return content compressed if that saves a tenth; the start tells whether to try."""
    if len(zlib.compress(content[:_PROBE], _FAST)) > _WORTH_IT * len(content[:_PROBE]):
        return 0, content
    small = zlib.compress(content, _FAST)
    return (_PACKED, small) if len(small) < _WORTH_IT * len(content) else (0, content)


def read_index(path: Path) -> Iterator[tuple[bytes, Piece]]:
    """Return the pieces of a pack.

    Raises:
        ContentDamagedError: The index is damaged.
    """
    name = str(path)
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - _END.size))
        end = file.read()
        if len(end) != _END.size:
            raise _damaged(path)
        digest, rows, magic = _END.unpack(end)
        start = size - _END.size - rows * _ROW.size
        if magic != START or start < len(START):
            raise _damaged(path)
        file.seek(start)
        index = file.read(rows * _ROW.size)
    if sha256(index).digest() != digest:
        raise _damaged(path)
    for piece, form, offset, stored, length in _ROW.iter_unpack(index):
        yield piece, Piece(name, form, offset, stored, length)


def _damaged(path: Path) -> ContentDamagedError:
    return ContentDamagedError(hash=path.stem, problem="is a pack whose index is damaged.")


def stored_bytes(file: int, piece: Piece) -> bytes:
    """Return a piece as it is stored."""
    return os.pread(file, piece.stored, piece.offset)


def content_of(stored: bytes, piece: Piece, name: bytes) -> bytes:
    """Return the content of a stored piece.

    Raises:
        ContentDamagedError: It is not what was stored.
    """
    content = stored
    if piece.form & _PACKED:
        try:
            content = zlib.decompress(stored, bufsize=max(piece.size, 1))
        except zlib.error:
            content = b""
    seal = name
    if piece.is_list:
        # A list is named after the whole content, so it carries a hash of its own.
        seal, content = content[:_HASH_BYTES], content[_HASH_BYTES:]
    if sha256(content).digest() != seal:
        raise ContentDamagedError(hash=name.hex(), problem="is not what was stored.")
    return content
