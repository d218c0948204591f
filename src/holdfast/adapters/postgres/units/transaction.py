"""The ports of one transaction: those of the embedded store, and the search in the server."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from holdfast.adapters.postgres.recall import keywords
from holdfast.adapters.sqlite.recall.indexes import Indexes
from holdfast.adapters.sqlite.recall.searching import SqliteFinding
from holdfast.adapters.sqlite.units.transaction import SqliteTransaction

if TYPE_CHECKING:
    from holdfast.adapters.postgres.database.work import PostgresWork
    from holdfast.adapters.sqlite.recall.meaning import SqliteMeaning
    from holdfast.ports.store.finding import VectorStore

__all__ = ["PostgresTransaction", "keywords"]


class ServerIndexes(Indexes):
    """The vector indexes of one unit of work, one for each model."""

    def __init__(self, work: PostgresWork) -> None:
        super().__init__("", None)
        self._work = work

    def of(self, model: int) -> VectorStore:
        """Return the index of a model."""
        from holdfast.adapters.postgres.recall.meaning import ServerIndex

        return ServerIndex(model, self._work)


class PostgresFinding(SqliteFinding):
    """The search ports; only the search by meaning differs."""

    @cached_property
    def meaning(self) -> SqliteMeaning:
        """The vectors."""
        from holdfast.adapters.postgres.recall.meaning import PostgresMeaning

        return PostgresMeaning(self._work, self._memories, self._indexes)


class PostgresTransaction(SqliteTransaction):
    """One unit of work on a server."""

    def __init__(self, work: PostgresWork) -> None:
        super().__init__(work, ServerIndexes(work))

    @cached_property
    def finding(self) -> SqliteFinding:
        """The search ports."""
        return PostgresFinding(self.work, self.memories, self._indexes)
