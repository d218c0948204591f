"""Updates the files of an index from the store: removes rows, and appends changed ones."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np

from holdfast.adapters.vectors.header import HEAD_BYTES, Header, write_header
from holdfast.adapters.vectors.index_lock import OWNER_ONLY
from holdfast.adapters.vectors.scanning import kept_vectors, quantised
from holdfast.adapters.vectors.vector_file import (
    BLOCK_ROWS,
    FILE_ENDINGS,
    NAME,
    NAME_BYTES,
    SUM_BYTES,
    VectorFile,
    birth_record,
    blocks_of,
)
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Mapping

    from holdfast.domain.recall.finding import VectorChange
    from holdfast.ports.store.finding import VectorSource

_AT_ONCE = 8_192
_BIRTH_BYTES = 7
_NO_SUMS = b"\0" * SUM_BYTES


def build(place: str, source: VectorSource) -> None:
    """Build the files anew and replace the existing ones."""
    fresh = f"{place}.new"
    header = Header(
        store_id=source.store_id,
        dimension=source.dimension,
        birth=int.from_bytes(os.urandom(_BIRTH_BYTES)),
    )
    discard_unfinished(place)
    try:
        _make(f"{fresh}.i8", b"\0" * HEAD_BYTES)
        _make(f"{fresh}.ids", birth_record(header.birth))
        _make(f"{fresh}.sums", _NO_SUMS)
        _fill(fresh, header, source)
        for end in reversed(FILE_ENDINGS):
            _put_in_place(f"{fresh}{end}", f"{place}{end}")
    except OSError:
        discard_unfinished(place)
        raise


def _put_in_place(fresh: str, path: str) -> None:
    _remove_folder(path)
    os.replace(fresh, path)


def _remove(path: str) -> None:
    _remove_folder(path)
    # A folder with content at this path is left alone.
    with suppress(FileNotFoundError, IsADirectoryError):
        os.unlink(path)


def _remove_folder(path: str) -> None:
    """Remove an empty folder at the path of a file."""
    with suppress(OSError):
        os.rmdir(path)


def discard(place: str) -> None:
    """Remove the files; a process that has them open keeps its copy."""
    for end in FILE_ENDINGS:
        _remove(f"{place}{end}")
    discard_unfinished(place)


def discard_unfinished(place: str) -> None:
    """Remove the remains of a process that died while building."""
    for end in FILE_ENDINGS:
        _remove(f"{place}.new{end}")


def follow(shelf: VectorFile, header: Header, source: VectorSource) -> Header:
    """Update the files to the newest change; return their new header.

    A process that dies here leaves a header that says so, and the next one rebuilds the files.
    """
    cut(shelf, header)
    target = source.last() or header.last
    begun = replace(header, generation=header.generation + 1, reached=target.number)
    write_header(shelf.rows_handle, begun)
    try:
        done = _Following(shelf, begun).up_to(target, source)
        for handle in (shelf.rows_handle, shelf.names_handle, shelf.sums_handle):
            os.fdatasync(handle)
    except BaseException:
        # On a full disk, half-written rows must not use the remaining space.
        with suppress(OSError):
            cut(shelf, header)
        raise
    write_header(shelf.rows_handle, done)
    shelf.trust(done)
    return done


def cut(shelf: VectorFile, header: Header) -> None:
    """Truncate rows that the header does not count: a process died while writing them."""
    os.ftruncate(shelf.rows_handle, HEAD_BYTES + header.count * header.dimension)
    os.ftruncate(shelf.names_handle, (header.count + 1) * NAME_BYTES)
    os.ftruncate(shelf.sums_handle, (blocks_of(header.count) + 1) * SUM_BYTES)


class _Following:
    """One update from a header to the newest change."""

    def __init__(self, shelf: VectorFile, header: Header) -> None:
        self._shelf = shelf
        self._header = header
        self._sequences = np.abs(shelf.columns(header)[0])
        self._highest = int(self._sequences.max()) if len(self._sequences) else 0
        self._touched: set[int] = set()

    def up_to(self, target: VectorChange, source: VectorSource) -> Header:
        beyond = self._header.last.number
        while changes := source.changes(beyond=beyond, limit=_AT_ONCE):
            latest = {change.sequence: change.number for change in changes}
            self._remove(latest)
            self._append(latest, source.vectors(latest))
            beyond = changes[-1].number
        self._write_sums()
        return replace(
            self._header, generation=self._header.generation + 1, last=target, reached=target.number
        )

    def _remove(self, latest: Mapping[int, int]) -> None:
        """Overwrite the removed memories' rows with zeros, and mark them as removed."""
        old = [sequence for sequence in latest if sequence <= self._highest]
        if not old:
            return
        dimension, removed = self._header.dimension, self._header.removed
        for row in np.flatnonzero(np.isin(self._sequences, old)).tolist():
            sequence = int(self._sequences[row])
            name = np.zeros(1, NAME)
            name["sequence"], name["number"] = -sequence, latest[sequence]
            os.pwrite(self._shelf.names_handle, name.tobytes(), (row + 1) * NAME_BYTES)
            place = HEAD_BYTES + row * dimension
            os.pwrite(self._shelf.rows_handle, b"\0" * dimension, place)
            self._touched.add(row // BLOCK_ROWS)
            removed += 1
        self._header = replace(self._header, removed=removed)

    def _append(self, latest: Mapping[int, int], kept: Mapping[int, bytes]) -> None:
        there = sorted(kept, key=latest.__getitem__)
        if not there:
            return
        dimension, count = self._header.dimension, self._header.count
        rows, scales = quantised(kept_vectors(b"".join(kept[each] for each in there), dimension))
        parts = [len(kept[each]) // (2 * dimension) for each in there]
        names = np.zeros(len(rows), NAME)
        names["sequence"] = np.repeat(there, parts)
        names["number"] = np.repeat([latest[each] for each in there], parts)
        names["scale"] = scales
        _write(self._shelf.rows_handle, rows.tobytes(), HEAD_BYTES + count * dimension)
        _write(self._shelf.names_handle, names.tobytes(), (count + 1) * NAME_BYTES)
        self._sequences = np.concatenate([self._sequences, names["sequence"]])
        self._highest = max(self._highest, *there)
        self._header = replace(self._header, count=count + len(rows))
        self._touched.update(range(count // BLOCK_ROWS, blocks_of(count + len(rows))))

    def _write_sums(self) -> None:
        """Write the checksums of the changed blocks."""
        for block in sorted(self._touched):
            content = self._shelf.sums(self._header, (block,))
            _write(self._shelf.sums_handle, content, (block + 1) * SUM_BYTES)


def _fill(fresh: str, header: Header, source: VectorSource) -> None:
    shelf = VectorFile(fresh)
    try:
        write_header(shelf.rows_handle, header)
        follow(shelf, header, source)
    finally:
        shelf.close()


def _make(path: str, content: bytes) -> None:
    handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_NOFOLLOW, OWNER_ONLY)
    try:
        os.write(handle, content)
    finally:
        os.close(handle)


def _write(handle: int, data: bytes, place: int) -> None:
    """Write all bytes: a full disk may accept a part first and refuse the rest."""
    view = memoryview(data)
    while view:
        written = os.pwrite(handle, view, place)
        view, place = view[written:], place + written
