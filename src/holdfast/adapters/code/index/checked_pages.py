"""Checks every page of a derived database when it is read.

A flipped bit usually leaves a well-formed database that gives other answers. Each page therefore
ends with a checksum, in bytes that SQLite reserves. The write-ahead log needs none: SQLite checks
it when it opens the log.
"""

from __future__ import annotations

from functools import cache
from zlib import crc32

import apsw

RESERVED_BYTES = 8
_VFS = "holdfast-checked-pages"
_TAG = b"hf-1"
_SMALLEST_PAGE = 512


class _CheckedFile(apsw.VFSFile):
    """A database file whose pages are checked; other reads, such as of the header, are not."""

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802 - the name is SQLite's
        """Return the bytes at an offset.

        Raises:
            apsw.CorruptError: It is a page, and not the one that was written.
        """
        page = super().xRead(amount, offset)
        is_whole = len(page) == amount and _is_page(amount, offset)
        if is_whole and _checksum(page) != page[-RESERVED_BYTES:]:
            message = f"the page at byte {offset} is not the one that was written"
            raise apsw.CorruptError(message)
        return page

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 - the name is SQLite's
        """Write bytes at an offset, a page with its checksum."""
        if _is_page(len(data), offset):
            data = data[:-RESERVED_BYTES] + _checksum(data)
        super().xWrite(data, offset)


class _CheckedFiles(apsw.VFS):
    def __init__(self) -> None:
        super().__init__(_VFS, "")

    def xOpen(  # noqa: N802 - the name is SQLite's
        self, name: str | apsw.URIFilename | None, flags: list[int]
    ) -> apsw.VFSFile:
        """Open a file; only the database itself is checked."""
        is_database = flags[0] & apsw.SQLITE_OPEN_MAIN_DB
        return (_CheckedFile if is_database else apsw.VFSFile)("", name, flags)


@cache
def checked_pages() -> str:
    """Return the name of the file system that checks pages; it is registered once."""
    _registered.append(_CheckedFiles())
    return _VFS


_registered: list[apsw.VFS] = []


def _is_page(length: int, offset: int) -> bool:
    return length >= _SMALLEST_PAGE and offset % length == 0


def _checksum(page: bytes) -> bytes:
    return crc32(page[:-RESERVED_BYTES]).to_bytes(4) + _TAG
