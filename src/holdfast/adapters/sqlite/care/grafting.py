"""Makes a damaged file readable with the header and schema pages of a new store.

After a bit error in the first pages SQLite refuses the whole file, although every row is there. All
stores are created in the same way, so these pages can be copied from a new one. This needs no trust
in them: every row that is read this way must still match its own hash.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from io import BufferedRandom

_PAGE = 4_096
_HEADER = 100
_CHANGES = 24
_PAGE_COUNT = 28
_COUNTED_AT = 92
_MOST_MISSING = 1 << 20
_INTERIOR = 5
_POINTERS = 12
# Header fields that are equal in every store: they describe the file format.
_CONSTANT = ((0, 24), (44, 48), (56, 60))


def graft(broken: str, new: str) -> None:
    """Overwrite the constant header fields and the schema pages of a file, in place."""
    with open(new, "rb") as donor:
        content = donor.read()
    with open(broken, "r+b") as file:
        for start, end in _CONSTANT:
            _write(file, start, content[start:end])
        first, *others = _contents_pages(content)
        _write(file, first * _PAGE + _HEADER, content[_HEADER:_PAGE])
        for page in others:
            _write(file, page * _PAGE, content[page * _PAGE : (page + 1) * _PAGE])


def fit_length(broken: str, new: str) -> None:
    """Make the file's length and the length in its header agree, in place.

    SQLite refuses a truncated file, although only the pages after the cut are lost. These pages are
    filled with zeros, because SQLite also refuses a schema that refers to a page after the end.
    """
    with open(broken, "r+b") as file:
        real = -(-file.seek(0, os.SEEK_END) // _PAGE)
        stated = int.from_bytes(_read(file, _PAGE_COUNT))
        if stated - real > _MOST_MISSING:
            stated = 0  # the header is damaged too
        pages = max(real, stated, os.stat(new).st_size // _PAGE)
        file.truncate(pages * _PAGE)
        _write(file, _PAGE_COUNT, pages.to_bytes(4))
        # SQLite uses the page count only if both change counters are equal.
        _write(file, _COUNTED_AT, _read(file, _CHANGES))


def _contents_pages(content: bytes) -> list[int]:
    """Return the numbers of the schema pages, counted from 0."""
    if content[_HEADER] != _INTERIOR:
        return [0]
    cells = int.from_bytes(content[_HEADER + 3 : _HEADER + 5])
    places = [
        int.from_bytes(content[place : place + 2])
        for place in range(_HEADER + _POINTERS, _HEADER + _POINTERS + 2 * cells, 2)
    ]
    children = [int.from_bytes(content[place : place + 4]) for place in places]
    children.append(int.from_bytes(content[_HEADER + 8 : _HEADER + 12]))
    return [0, *(child - 1 for child in children)]


def _write(file: BufferedRandom, place: int, data: bytes) -> None:
    file.seek(place)
    file.write(data)


def _read(file: BufferedRandom, place: int) -> bytes:
    file.seek(place)
    return file.read(4)
