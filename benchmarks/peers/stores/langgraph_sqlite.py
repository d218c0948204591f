"""LangGraph's SqliteStore with an index."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

from benchmarks.peers.stores.given_vectors import GivenVectors
from benchmarks.peers.stores.langgraph_memory import LangGraph, index_of


class LangGraphSqlite(LangGraph):
    """The same store, in a file."""

    def close(self) -> None:
        self._store.conn.close()


def open_peer(folder: Path) -> LangGraphSqlite:
    """Open a store in a file."""
    # Some Pythons are built without loadable extensions, which sqlite-vec needs.
    sqlite3 = sys.modules["sqlite3"] = import_module("pysqlite3")
    given = GivenVectors()
    connection = sqlite3.connect(
        str(folder / "store.db"), check_same_thread=False, isolation_level=None
    )
    module = import_module("langgraph.store.sqlite")
    store = module.SqliteStore(connection, index=index_of(given))
    store.setup()
    return LangGraphSqlite(store, given)
