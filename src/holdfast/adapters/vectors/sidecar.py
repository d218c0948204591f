"""The vector index: an exact scan over 8-bit rows in files beside the store.

The store is canonical. A search first updates the files from it, under an exclusive lock, and
rebuilds them if they are damaged, belong to another store or have another history. Vectors that the
files do not have yet, or have although this transaction does not see them, are read from the store
itself; and so are all vectors if no file can be used.

Scans all rows or some of them with numpy.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from holdfast.adapters.vectors.full_scan import FullScan
from holdfast.adapters.vectors.index_lock import IndexLock
from holdfast.adapters.vectors.scanning import (
    changed_since,
    merged,
    weighed,
)
from holdfast.adapters.vectors.vector_file import VectorFile
from holdfast.domain.recall.finding import Nearest

if TYPE_CHECKING:
    from holdfast.adapters.vectors.header import Header
    from holdfast.domain.exchange.copies import IndexDigests
    from holdfast.domain.recall.finding import VectorChange
    from holdfast.ports.store.finding import VectorSource
    from holdfast.ports.store.upkeep import Progress


_READ_FROM_STORE = 16
_WAIT_SECONDS = 0.05
_SCRUB_SECONDS = 5.0
_WRONG_SUM = "a checksum does not fit its rows"
_WRONG_SIZE = "the header or the length of a file is wrong"


class Sidecar:
    """The index of one model; every method may be called whatever state the files are in."""

    def __init__(self, place: str) -> None:
        self._place = place
        self._lock = IndexLock(place)
        self._shelf: VectorFile | None = None
        self._full: FullScan | None = None
        self._damage = ""

    def nearest(
        self, question: bytes, source: VectorSource, *, among: Sequence[int] | None, limit: int
    ) -> Nearest:
        """Return the memories that may be nearest, as this transaction sees them."""
        last = source.last()
        if last is None or limit <= 0:
            return Nearest(found=(), slack=0.0, is_all=last is None)
        with suppress(OSError), self._read_together():
            header = self._followed(source, last)
            if header is not None:
                near = self._scanned(question, source, header, last, among=among, limit=limit)
                if near is not None:
                    return near
        wanted = changed_since(0, source) if among is None else set(among)
        cosines = weighed(question, wanted, source)
        return merged([], cosines, limit=limit, slack=0.0, rows_are_all=True)

    def likeness(self, question: bytes, vectors: Mapping[int, bytes]) -> Mapping[int, float]:
        """Return the cosine of each, by the nearest of its vectors."""
        from holdfast.adapters.vectors.scanning import likeness_of

        return likeness_of(question, vectors)

    @property
    def notices(self) -> Sequence[str]:
        """Return what was wrong with the files since they were opened; answers were correct."""
        if not self._damage:
            return ()
        said = f"The vector index {self._place}.* was damaged: {self._damage}."
        return (f"{said} The vectors in the store answer instead, and the index is rebuilt.",)

    def problem(self, source: VectorSource) -> str | None:
        """Check every file against its checksums and the store; change nothing."""
        last = source.last()
        if last is None or not self._lock.read_together(within_seconds=_WAIT_SECONDS):
            return None
        try:
            self._damage = ""
            self._usable(source, last)
        except OSError as error:
            return f"a file cannot be read ({error.strerror})"
        finally:
            self._lock.release()
        return self._damage or None

    def copy(self, source: VectorSource, progress: Progress) -> int:
        """Write every vector that the files lack; return how many changes they were behind."""
        last = source.last()
        if last is None or not self._lock.write_alone(within_seconds=_SCRUB_SECONDS):
            return 0
        try:
            header = self._usable(source, last)
            behind = last.number - (0 if header is None else header.last.number)
            self._bring_up(source, last)
        finally:
            self._lock.release()
        progress(last.number, last.number)
        return max(0, behind)

    def digests(self, source: VectorSource) -> IndexDigests:
        """Return the hash of each row, as it should be and as the files have it."""
        from holdfast.adapters.vectors.comparing import row_digests

        last = source.last()
        header = None if last is None else self._usable(source, last)
        return row_digests(self._shelf if header is not None else None, header, source)

    def scrub(self, source: VectorSource) -> None:
        """Overwrite what the source no longer has; if that fails, remove the files."""
        from holdfast.adapters.vectors.following import cut, discard, discard_unfinished, follow

        if not self._lock.write_alone(within_seconds=_SCRUB_SECONDS):
            discard(self._place)
            return
        try:
            discard_unfinished(self._place)
            last = source.last()
            header = None if last is None else self._usable(source, last)
            if header is None or last is None or self._shelf is None or header.is_unfinished:
                discard(self._place)
            else:
                cut(self._shelf, header)
                if header.last.number < last.number:
                    follow(self._shelf, header, source)
        except OSError:
            discard(self._place)
        finally:
            self._lock.release()

    def close(self) -> None:
        """Close the files; may be called twice."""
        self._first = self._full = None
        if self._shelf is not None:
            self._shelf.close()
            self._shelf = None
        self._lock.close()

    @contextmanager
    def _read_together(self) -> Generator[None, None, None]:
        if not self._lock.read_together(within_seconds=_WAIT_SECONDS) and self._lock.may_write:
            raise BlockingIOError
        try:
            yield
        finally:
            self._lock.release()

    def _followed(self, source: VectorSource, last: VectorChange) -> Header | None:
        """Update the files from the store, and return their header if they can be read."""
        header = self._usable(source, last)
        if header is not None and last.number - header.last.number <= _READ_FROM_STORE:
            return header
        if not source.is_settled or not self._lock.may_write:
            return header
        if self._lock.write_alone(within_seconds=0.0):
            # On a full disk the files stay outdated, and the rest is read from the store.
            with suppress(OSError):
                self._bring_up(source, last)
        if not self._lock.read_together(within_seconds=_WAIT_SECONDS):
            return None
        return self._usable(source, last)

    def _bring_up(self, source: VectorSource, last: VectorChange) -> None:
        from holdfast.adapters.vectors.following import build, follow

        header = self._usable(source, last)
        if header is None or self._shelf is None or header.is_unfinished:
            build(self._place, source)
        elif header.last.number < last.number:
            follow(self._shelf, header, source)

    def _usable(self, source: VectorSource, last: VectorChange) -> Header | None:
        """Return the header if the files are complete and have the same history as the source."""
        if self._shelf is None or not self._shelf.is_in_place():
            self._open()
        header = None if self._shelf is None else self._shelf.header()
        if header is None and self._shelf is not None:
            self._damage = _WRONG_SIZE
        if header is None or (header.store_id, header.dimension) != (
            source.store_id,
            source.dimension,
        ):
            return None
        if not _is_same_past(header.last, last, source):
            return None
        if self._shelf is None or self._shelf.is_sound(header):
            return header
        if not header.is_unfinished:
            self._damage = _WRONG_SUM
        return None

    def _open(self) -> None:
        if self._shelf is not None:
            self._shelf.close()
            self._shelf = None
        try:
            self._shelf = VectorFile(self._place)
        except FileNotFoundError:
            return
        except OSError as error:
            self._damage = f"a file cannot be opened ({error.strerror})"

    def _scanned(
        self,
        question: bytes,
        source: VectorSource,
        header: Header,
        last: VectorChange,
        *,
        among: Sequence[int] | None,
        limit: int,
    ) -> Nearest | None:
        """Return the combined result of the files and the changes they do not have."""
        shelf = self._shelf
        if shelf is None:
            return None
        changed = changed_since(header.last.number, source)
        scan = self._full_scan()
        if header.reached > last.number:
            changed |= scan.changed_after(last.number, shelf, header)
        found = scan.best(question, shelf, header, among=among, changed=changed, limit=limit)
        if not self._lock.may_write and shelf.header() != header:
            return None  # somebody wrote while we read without a lock
        wanted = changed if among is None else changed & set(among)
        return merged(
            found.rows,
            weighed(question, wanted, source),
            limit=limit,
            slack=found.slack,
            rows_are_all=found.is_all,
        )

    def _full_scan(self) -> FullScan:
        if self._full is None:
            self._full = FullScan()
        return self._full


def _is_same_past(ours: VectorChange, last: VectorChange, source: VectorSource) -> bool:
    """Return whether the last change of an index is also in the source."""
    if ours.number == 0 or ours == last:
        return True
    if ours.number > last.number:
        return source.holds(ours)
    return list(source.changes(beyond=ours.number - 1, limit=1)) == [ours]
