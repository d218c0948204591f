"""A Chroma in a folder, used inside this process with the package of Chroma.

Chroma does not support several processes in one folder. A lock file beside the folder lets one in
at a time; a process that finds that another one was there opens the folder again.

A client lives as long as the process, unless its folder has to be opened again or is removed, or
too many are open.
Closing it drops Chroma's runtime while the lock of the interpreter is held, and chromadb 1.5.9 was
seen to spin there without an end. Nothing is lost: Chroma commits each write before it returns.
"""

from __future__ import annotations

import os
import shutil
import threading
from array import array
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from holdfast.adapters.chroma.collection import (
    NUMBER,
    SEQUENCE,
    ChromaAwayError,
    FoundCollection,
    Metadata,
    VectorRow,
    Where,
)
from holdfast.adapters.vectors.index_lock import IndexLock

if TYPE_CHECKING:
    from holdfast.adapters.chroma.places import ChromaPlace

_WAIT_SECONDS = 5.0
_AT_ONCE = 2_000
_STAMP_BYTES = 8
_OWNER_ONLY = 0o700
_MOST_OPEN = 16
"""How many folders one process keeps open; a server may have one for each space."""
_FOLDERS: dict[str, ChromaFolder] = {}
_CHANGING = threading.Lock()


def chroma_folder(place: ChromaPlace) -> ChromaFolder:
    """Return the folder; every thread of this process uses the same one."""
    with _CHANGING:
        return _FOLDERS.setdefault(place.folder, ChromaFolder(place))


class ChromaFolder:
    """One folder, which one thread of one process uses at a time."""

    def __init__(self, place: ChromaPlace) -> None:
        self._place = place
        self._path = Path(place.folder)
        self._turn = threading.RLock()
        self._client: Any = None
        self._is_closed = threading.Event()
        self._stamp = b""

    @contextmanager
    def entered(self) -> Generator[EmbeddedChroma, None, None]:
        """Let the block use the folder alone.

        Raises:
            ChromaAwayError: Another process uses it, or it cannot be opened.
        """
        lock = IndexLock(self._place.folder)
        with self._turn, _translated(self._place):
            if not lock.write_alone(within_seconds=_WAIT_SECONDS):
                raise ChromaAwayError(self._place.shown, "is in use by another process")
            try:
                self._open_if_needed()
                yield EmbeddedChroma(self._client)
            finally:
                lock.release()
                lock.close()

    @property
    def is_open(self) -> bool:
        """Whether the folder has a client."""
        return self._client is not None

    def stop_if_idle(self) -> None:
        """Close the folder, unless a thread uses it."""
        if self._turn.acquire(blocking=False):
            try:
                self._stop()
            finally:
                self._turn.release()

    def discard(self) -> None:
        """Remove the folder with everything in it.

        Raises:
            OSError: A file cannot be removed.
        """
        with self._turn:
            self._stop()
            if self._path.is_dir():
                shutil.rmtree(self._path)

    def _stop(self) -> None:
        """Close the folder; the next use opens it again."""
        client, self._client, self._stamp = self._client, None, b""
        if client is not None:
            self._is_closed.set()
            client.close()

    def _open_if_needed(self) -> None:
        """Open the folder, and sign its lock: who finds another signature opens it again."""
        lock = Path(f"{self._place.folder}.lock")
        if self._client is not None and self._path.is_dir() and lock.read_bytes() == self._stamp:
            return
        self._stop()
        _make_room(beside=self)
        self._client, self._is_closed = _opened(self._path), threading.Event()
        # The end of the interpreter does not unwind this thread, so it does not drop the client.
        held = (self._client, self._is_closed)
        threading.Thread(target=_hold, args=held, name="chroma", daemon=True).start()
        self._stamp = os.urandom(_STAMP_BYTES)
        lock.write_bytes(self._stamp)


def _hold(client: object, is_closed: threading.Event) -> None:
    """Hold a client until it is closed, or until the process ends."""
    is_closed.wait()
    del client


def _make_room(*, beside: ChromaFolder) -> None:
    """Close the folders that were opened first, until one more may be open."""
    others = [one for one in list(_FOLDERS.values()) if one is not beside and one.is_open]
    for one in others[: max(0, len(others) + 1 - _MOST_OPEN)]:
        one.stop_if_idle()


def _opened(folder: Path) -> Any:  # noqa: ANN401 - the package may be absent, so it has no types here
    import chromadb
    from chromadb.config import Settings

    folder.mkdir(mode=_OWNER_ONLY, parents=True, exist_ok=True)
    # Nothing is reported to anybody, and no model is downloaded: each vector comes with its row.
    return chromadb.PersistentClient(str(folder), settings=Settings(anonymized_telemetry=False))


@contextmanager
def _translated(place: ChromaPlace) -> Generator[None, None, None]:
    from chromadb.errors import ChromaError

    try:
        yield
    except (ChromaError, OSError, RuntimeError, ValueError, TypeError, KeyError) as error:
        said = " ".join(str(error).split()) or type(error).__name__
        raise ChromaAwayError(place.shown, f"cannot be used: {said}") from error


class EmbeddedChroma:
    """The calls of a Chroma in a folder."""

    def __init__(self, client: Any) -> None:  # noqa: ANN401 - as above
        self._client = client

    def find(self, name: str) -> FoundCollection | None:
        """Return the collection with that name."""
        from chromadb.errors import NotFoundError

        try:
            found = self._named(name)
        except NotFoundError:
            return None
        return FoundCollection(id=name, metadata=found.metadata or {})

    def create(self, name: str, metadata: Metadata) -> FoundCollection:
        """Create an empty collection that compares by the dot product."""
        self._client.get_or_create_collection(
            name,
            metadata=dict(metadata),
            configuration={"hnsw": {"space": "ip"}},
            embedding_function=None,
        )
        return FoundCollection(id=name, metadata=metadata)

    def mark(self, found: FoundCollection, metadata: Metadata) -> None:
        """Replace the metadata of a collection."""
        self._named(found.id).modify(metadata=dict(metadata))

    def drop(self, name: str) -> None:
        """Remove a collection with all its rows."""
        from chromadb.errors import NotFoundError

        with suppress(NotFoundError):
            self._client.delete_collection(name)

    def count(self, found: FoundCollection) -> int:
        """Return the number of rows."""
        return int(self._named(found.id).count())

    def put(self, found: FoundCollection, rows: Sequence[VectorRow]) -> None:
        """Write rows, some at a time."""
        collection = self._named(found.id)
        for start in range(0, len(rows), _AT_ONCE):
            some = rows[start : start + _AT_ONCE]
            collection.upsert(
                ids=[row.id for row in some],
                embeddings=[list(array("f", row.values)) for row in some],
                metadatas=[{SEQUENCE: row.sequence, NUMBER: row.number} for row in some],
            )

    def remove(self, found: FoundCollection, ids: Sequence[str]) -> None:
        """Remove rows by id."""
        collection = self._named(found.id)
        for start in range(0, len(ids), _AT_ONCE):
            collection.delete(ids=list(ids[start : start + _AT_ONCE]))

    def query(
        self, found: FoundCollection, question: bytes, where: Where | None, limit: int
    ) -> Sequence[tuple[str, float]]:
        """Return the ids of the nearest rows with their cosines, nearest first."""
        answer = self._named(found.id).query(
            query_embeddings=[list(array("f", question))],
            n_results=limit,
            where=where,
            include=["distances"],
        )
        ids, distances = answer["ids"][0], answer["distances"][0]
        return [(str(one), 1.0 - float(far)) for one, far in zip(ids, distances, strict=True)]

    def ids(self, found: FoundCollection, where: Where) -> Sequence[str]:
        """Return the ids of the rows with such metadata."""
        return [str(one) for one in self._named(found.id).get(where=where, include=[])["ids"]]

    def page(
        self, found: FoundCollection, *, start: int, limit: int
    ) -> Sequence[tuple[str, bytes]]:
        """Return some rows with their vectors, in an order that stays the same."""
        answer = self._named(found.id).get(offset=start, limit=limit, include=["embeddings"])
        rows = zip(answer["ids"], answer["embeddings"], strict=True)
        return [(str(one), array("f", numbers).tobytes()) for one, numbers in rows]

    def _named(self, name: str) -> Any:  # noqa: ANN401 - as above
        return self._client.get_collection(name, embedding_function=None)
