"""Checks every page of a derived database when it is read.

A flipped bit usually leaves a well-formed database that gives other answers. Each page therefore
ends with a checksum, in bytes that SQLite reserves. The write-ahead log needs none: SQLite checks
it when it opens the log.

SQLite reads the beginning of a page alone where a long value ends on it. Such a part has no
checksum of its own, so the whole page is read and checked.
"""

from __future__ import annotations

from functools import cache
from zlib import crc32

import apsw

RESERVED_BYTES = 8
PAGE_BYTES = 4096
_VFS = "holdfast-checked-pages"
_TAG = b"hf-1"


class _CheckedFile(apsw.VFSFile):
    """A database file whose pages are checked; the header before the first page is not."""

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802 - the name is SQLite's
        """Return the bytes at an offset.

        Raises:
            apsw.CorruptError: They are of a page that is not the one that was written.
        """
        if offset % PAGE_BYTES or amount > PAGE_BYTES or (not offset and amount < PAGE_BYTES):
            return super().xRead(amount, offset)
        page = super().xRead(PAGE_BYTES, offset)
        if len(page) == PAGE_BYTES and _checksum(page) != page[-RESERVED_BYTES:]:
            message = f"the page at byte {offset} is not the one that was written"
            raise apsw.CorruptError(message)
        return page[:amount]

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 - the name is SQLite's
        """Write bytes at an offset, a page with its checksum."""
        if len(data) == PAGE_BYTES and not offset % PAGE_BYTES:
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


def _checksum(page: bytes) -> bytes:
    return crc32(page[:-RESERVED_BYTES]).to_bytes(4) + _TAG
