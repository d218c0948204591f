"""The vectors of one model in Chroma: an approximate search, rebuilt from the store when needed.

The store is canonical. A search first brings the collection up to date. Vectors that it does not
have yet, or has although this transaction does not see them, are read from the store itself. If
Chroma does not answer, the search fails with a reason, and recall goes on by words.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from holdfast.adapters.chroma.collection import NUMBER, SEQUENCE, read_metadata, read_row
from holdfast.adapters.chroma.comparing import digests, first_difference
from holdfast.adapters.chroma.following import Following, build, collection_name, is_busy
from holdfast.adapters.vectors.scanning import changed_since, likeness_of, merged, weighed
from holdfast.domain.recall.finding import Nearest
from holdfast.domain.values import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.adapters.chroma.collection import ChromaCalls, ChromaHeader, FoundCollection
    from holdfast.adapters.chroma.embedded import ChromaFolder
    from holdfast.adapters.chroma.places import ChromaPlace
    from holdfast.adapters.chroma.server import ChromaServer
    from holdfast.domain.exchange.copies import IndexDigests
    from holdfast.domain.recall.finding import VectorChange
    from holdfast.ports.store.finding import VectorSource

_READ_FROM_STORE = 16
_FEW = 1_000
# A dot product of vectors that were rounded to 16-bit floats differs from the cosine by this much.
_SLACK = 2e-3


@dataclass(frozen=True, slots=True, kw_only=True)
class _Collection:
    calls: ChromaCalls
    name: str
    found: FoundCollection
    header: ChromaHeader


class ChromaIndex:
    """The index of one model; ``model`` is the number that the store gave it."""

    def __init__(self, place: ChromaPlace, model: str) -> None:
        self._place = place
        self._model = model
        self._damage = ""

    def nearest(
        self, question: bytes, source: VectorSource, *, among: Sequence[int] | None, limit: int
    ) -> Nearest:
        """Return the memories that may be nearest, as this transaction sees them.

        Raises:
            ChromaAwayError: Chroma does not answer.
        """
        last = source.last()
        if last is None or limit <= 0:
            return Nearest(found=(), slack=0.0, is_all=last is None)
        if among is None or len(among) > _FEW:
            with self._calls() as calls:
                collection = self._followed(calls, source, last)
                if collection is not None:
                    return _asked(collection, question, source, last, among=among, limit=limit)
        wanted = changed_since(0, source) if among is None else set(among)
        cosines = weighed(question, wanted, source)
        return merged([], cosines, limit=limit, slack=0.0, rows_are_all=True)

    def likeness(self, question: bytes, vectors: Mapping[int, bytes]) -> Mapping[int, float]:
        """Return the cosine of each, by the nearest of its vectors."""
        return likeness_of(question, vectors)

    @property
    def notices(self) -> Sequence[str]:
        """Return what was wrong with the collection; answers were correct."""
        if not self._damage:
            return ()
        said = f"The vector index in {self._place.shown} was damaged: {self._damage}."
        return (f"{said} It is rebuilt from the store.",)

    def problem(self, source: VectorSource) -> str | None:
        """Compare every row with the store; change nothing."""
        last = source.last()
        if last is None:
            return None
        with self._calls() as calls:
            self._damage = ""
            collection = self._usable(calls, source, last)
            if collection is None:
                return self._damage or None
            return first_difference(calls, collection.found, collection.header, source)

    def copy(self, source: VectorSource, progress: Callable[[int, int], None]) -> int:
        """Write every vector that Chroma does not have; return how many changes it was behind."""
        last = source.last()
        if last is None:
            return 0
        with self._calls() as calls:
            found = self._usable(calls, source, last)
            behind = last.number - (0 if found is None else found.header.last.number)
            self._bring_up(calls, source, last, found, progress)
        return max(0, behind)

    def digests(self, source: VectorSource) -> IndexDigests:
        """Return the hash of each row, as it should be and as Chroma has it."""
        with self._calls() as calls:
            return digests(calls, calls.find(collection_name(source, self._model)), source)

    def scrub(self, source: VectorSource) -> None:
        """Remove the rows of everything that the source no longer has.

        Chroma keeps bytes of removed rows in its files. A folder that belongs to this index alone
        is therefore removed whole, and the next search builds it anew.

        Raises:
            ChromaAwayError: Chroma does not answer, so the rows are still there.
        """
        last = source.last()
        with self._calls() as calls:
            found = None if last is None else self._usable(calls, source, last)
            if found is None or last is None:
                calls.drop(collection_name(source, self._model))
                is_clean = False
            else:
                header = found.header
                if header.last.number < last.number:
                    header = _follower(found).up_to(last, header, source)
                is_clean = not header.removed
        if self._place.is_own and not is_clean:
            self._folder().discard()

    def discard(self, source: VectorSource) -> None:
        """Remove the index from Chroma: another one took its place."""
        with self._calls() as calls:
            calls.drop(collection_name(source, self._model))
        if self._place.is_own:
            self._folder().discard()

    def close(self) -> None:
        """Do nothing: the client of a folder is shared, and lives as long as the process."""

    @contextmanager
    def _calls(self) -> Generator[ChromaCalls, None, None]:
        if self._place.url:
            yield self._server()
            return
        with self._folder().entered() as calls:
            yield calls

    def _server(self) -> ChromaServer:
        from holdfast.adapters.chroma.server import ChromaServer

        return ChromaServer(self._place)

    def _folder(self) -> ChromaFolder:
        from holdfast.adapters.chroma.embedded import chroma_folder

        return chroma_folder(self._place)

    def _followed(
        self, calls: ChromaCalls, source: VectorSource, last: VectorChange
    ) -> _Collection | None:
        """Update the collection from the store, and return it if it can be asked."""
        found = self._usable(calls, source, last)
        if found is not None:
            is_near = last.number - found.header.last.number <= _READ_FROM_STORE
            # In a folder nobody else writes now: this process holds its lock.
            if is_near or (self._place.url and is_busy(found.header)):
                return found
        if not source.is_settled:
            return found
        return self._bring_up(calls, source, last, found)

    def _bring_up(
        self,
        calls: ChromaCalls,
        source: VectorSource,
        last: VectorChange,
        found: _Collection | None,
        progress: Callable[[int, int], None] = lambda _done, _total: None,
    ) -> _Collection | None:
        if found is None:
            name = collection_name(source, self._model)
            made, header = build(calls, name, source)
            found = _Collection(calls=calls, name=name, found=made, header=header)
        if found.header.last.number < last.number:
            header = _follower(found).up_to(last, found.header, source, progress)
            found = replace(found, header=header)
        return found

    def _usable(
        self, calls: ChromaCalls, source: VectorSource, last: VectorChange
    ) -> _Collection | None:
        """Return the collection if it is whole and has the same history as the source."""
        name = collection_name(source, self._model)
        found = calls.find(name)
        if found is None:
            return None
        header = read_metadata(found.metadata)
        if header is None:
            self._damage = "its header is missing"
            return None
        if (header.store_id, header.dimension) != (source.store_id, source.dimension):
            return None
        if not _is_same_past(header.last, last, source):
            return None
        if not header.writer and (rows := calls.count(found)) != header.rows:
            self._damage = f"it has {rows:,} rows instead of {header.rows:,}"
            return None
        return _Collection(calls=calls, name=name, found=found, header=header)


def _follower(one: _Collection) -> Following:
    return Following(one.calls, one.name, one.found)


def _asked(
    one: _Collection,
    question: bytes,
    source: VectorSource,
    last: VectorChange,
    *,
    among: Sequence[int] | None,
    limit: int,
) -> Nearest:
    """Return the combined result of Chroma and the changes that it does not have."""
    changed = changed_since(one.header.last.number, source)
    if one.header.writer or one.header.last.number > last.number:
        ahead = one.calls.ids(one.found, {NUMBER: {"$gt": last.number}})
        changed |= {row.sequence for name in ahead if (row := read_row(name)) is not None}
    where = None if among is None else {SEQUENCE: {"$in": list(among)}}
    most = min(2 * limit + len(changed), max(1, one.header.rows))
    near = one.calls.query(one.found, question, where, most)
    best: dict[int, float] = {}
    for name, cosine in near:
        row = read_row(name)
        if row is not None and row.sequence not in changed:
            best.setdefault(row.sequence, cosine)
    wanted = changed if among is None else changed & set(among)
    found = merged(
        list(best.items()),
        weighed(question, wanted, source),
        limit=limit,
        slack=_SLACK,
        rows_are_all=len(near) < most or most >= one.header.rows or not best,
    )
    is_exact = among is None and len(near) >= one.header.rows
    return replace(found, is_exact=is_exact, looked_at=0 if is_exact else len(near))


def _is_same_past(ours: VectorChange, last: VectorChange, source: VectorSource) -> bool:
    """Return whether the last change of a collection is also in the source."""
    if ours.number == 0 or ours == last:
        return True
    if ours.number > last.number:
        return source.holds(ours)
    return list(source.changes(beyond=ours.number - 1, limit=1)) == [ours]
