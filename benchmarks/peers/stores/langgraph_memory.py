"""LangGraph's InMemoryStore with an index; nothing survives the process."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.peers.peer import LIMIT, Asked, Batch
from benchmarks.peers.stores.given_vectors import GivenVectors

base = import_module("langgraph.store.base")
_WIDE = 384


class LangGraph:
    """One namespace of a store; the group is a field for the filter."""

    def __init__(self, store: Any, given: GivenVectors) -> None:  # noqa: ANN401 - a type of a library that is not installed here
        self._store = store
        self._given = given

    def add(self, batch: Batch) -> None:
        self._given.announce(batch)
        self._store.batch(
            [
                base.PutOp(("items",), str(number), {"text": text, "kind": group})
                for number, text, group in batch.rows()
            ]
        )

    def finish(self) -> None:
        """Do nothing: it writes immediately."""

    def recall(self, asked: Asked) -> list[int]:
        self._given.announce_question(asked)
        within = {"kind": asked.group} if asked.group else None
        found = self._store.search(("items",), query=asked.text, filter=within, limit=LIMIT)
        return [int(item.key) for item in found]

    def nearest(self, asked: Asked) -> list[int]:
        return self.recall(asked)

    def close(self) -> None:
        """Do nothing: the process ends."""


def index_of(given: GivenVectors) -> dict[str, object]:
    """Return the index settings: the text field is embedded; one version uses another name."""
    return {"dims": _WIDE, "embed": given.of, "fields": ["text"], "text_fields": ["text"]}


def open_peer(folder: Path) -> LangGraph:
    """Open a store in memory; the folder is not used."""
    del folder
    given = GivenVectors()
    store = import_module("langgraph.store.memory").InMemoryStore(index=index_of(given))
    return LangGraph(store, given)
