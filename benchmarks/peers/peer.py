"""The interface of every measured store, and the list of stores."""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from array import array

    from numpy import float32
    from numpy.typing import NDArray

LIMIT_VARIABLE = "HOLDFAST_PEERS_LIMIT"
LIMIT = int(os.environ.get(LIMIT_VARIABLE, "10"))
POOL = max(60, LIMIT)
_SMOOTHING = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Texts to store, each with its vector and group; they are numbered from ``first``."""

    first: int
    texts: list[str]
    groups: list[str]
    vectors: NDArray[float32]

    def rows(self) -> Iterator[tuple[int, str, str]]:
        """Return number, text and group of each."""
        for place, (text, group) in enumerate(zip(self.texts, self.groups, strict=True)):
            yield self.first + place, text, group


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question, its vector, and the group of the answer; ``None`` means any."""

    text: str
    vector: array[float]
    group: str | None = None


class Peer(Protocol):
    """A store under measurement."""

    def add(self, batch: Batch) -> None:
        """Store the texts with their vectors."""
        ...

    def finish(self) -> None:
        """Build the indexes, and flush everything to the disk."""
        ...

    def recall(self, asked: Asked) -> Sequence[int]:
        """Return the numbers of the ``LIMIT`` best, by words and vectors if the store has both."""
        ...

    def nearest(self, asked: Asked) -> Sequence[int]:
        """Return the numbers of the ``LIMIT`` nearest by vectors alone."""
        ...

    def close(self) -> None:
        """Close the files."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A listed store: its module, its capabilities, and notes about it."""

    name: str
    module: str
    environment: str = "peers"
    package: str = ""
    is_hybrid: bool = True
    is_kept: bool = True
    note: str = ""

    def open(self, folder: Path) -> Peer:
        """Open the store in a folder; an empty folder gives an empty store."""
        module: Any = importlib.import_module(f"benchmarks.peers.stores.{self.module}")
        peer: Peer = module.open_peer(folder)
        return peer


OURS = Entry(
    name="holdfast",
    module="holdfast_itself",
    environment="own",
    note="the whole recall: both legs, ranking, packing, reasons, and the bundle kept on disk",
)
PLAIN = Entry(
    name="fts5+numpy",
    module="plain",
    environment="own",
    note="FTS5 and an exact float32 scan, fused by rank; written here as a yardstick",
)
ENTRIES = (
    OURS,
    PLAIN,
    Entry(
        name="sqlite-vec",
        module="sqlite_vec",
        package="sqlite-vec",
        note="vec0 and FTS5 in one database, fused by rank",
    ),
    Entry(
        name="lancedb",
        module="lance",
        package="lancedb",
        note="its own hybrid query, exact vector scan, FTS and scalar index",
    ),
    Entry(
        name="chroma",
        module="chroma",
        package="chromadb",
        is_hybrid=False,
        note="HNSW as it comes; the local one has no ranked words",
    ),
    Entry(
        name="duckdb",
        module="duck",
        package="duckdb",
        note="fts extension and an exact scan, fused by rank; the HNSW of vss is left out",
    ),
    Entry(
        name="tantivy+faiss",
        module="tantivy_faiss",
        package="tantivy",
        note="two libraries joined by hand: tantivy and an exact faiss index, fused by rank",
    ),
    Entry(
        name="tantivy+usearch",
        module="tantivy_usearch",
        package="usearch",
        note="two libraries joined by hand: tantivy and an HNSW of usearch, fused by rank",
    ),
    Entry(
        name="qdrant local",
        module="qdrant",
        package="qdrant-client",
        is_hybrid=False,
        note="the client's local mode; words would need a model from a hub",
    ),
    Entry(
        name="mem0",
        module="mem0_memory",
        package="mem0ai",
        is_hybrid=False,
        note="infer=False over local qdrant; its words would need a model from a hub",
    ),
    Entry(
        name="langgraph sqlite",
        module="langgraph_sqlite",
        package="langgraph-checkpoint-sqlite",
        is_hybrid=False,
        note="SqliteStore with an index",
    ),
    Entry(
        name="langgraph memory",
        module="langgraph_memory",
        package="langgraph-checkpoint",
        is_hybrid=False,
        is_kept=False,
        note="InMemoryStore with an index; nothing is kept when the process ends",
    ),
    Entry(
        name="txtai",
        module="txtai_index",
        environment="txtai",
        package="txtai",
        note="its own hybrid of BM25 and an exact faiss index, content in SQLite",
    ),
)


def fused(*lists: Sequence[int]) -> list[int]:
    """Return the best of several ranked lists by reciprocal rank fusion."""
    scores: dict[int, float] = {}
    for ranked in lists:
        for place, number in enumerate(ranked):
            scores[number] = scores.get(number, 0.0) + 1 / (_SMOOTHING + place)
    return sorted(scores, key=lambda number: (-scores[number], number))[:LIMIT]


def as_or_query(text: str) -> str:
    """Return a question as an FTS5 query for any of its words."""
    words = dict.fromkeys(word for word in text.replace('"', " ").split() if word)
    return " OR ".join(f'"{word}"' for word in words)
