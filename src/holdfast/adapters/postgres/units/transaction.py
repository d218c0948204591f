"""The ports of one transaction: those of the embedded store, and the search in the server."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from holdfast.adapters.postgres.database.usage import PostgresMemories
from holdfast.adapters.sqlite.recall.bundles import SqliteBundles
from holdfast.adapters.sqlite.recall.searching import SqliteFinding
from holdfast.adapters.sqlite.units.transaction import SqliteTransaction

if TYPE_CHECKING:
    from holdfast.adapters.postgres.database.work import PostgresWork
    from holdfast.adapters.sqlite.recall.indexes import OpenIndex
    from holdfast.adapters.sqlite.recall.meaning import SqliteMeaning
    from holdfast.adapters.sqlite.recall.said_search import SqliteSaidSearch
    from holdfast.adapters.sqlite.recall.words import SqliteWords
    from holdfast.domain.recall.bundle import Bundle


class PostgresFinding(SqliteFinding):
    """The search ports; those that search by meaning differ, and how common words help to rank."""

    @cached_property
    def words(self) -> SqliteWords:
        """The keyword index."""
        from holdfast.adapters.sqlite.recall.words import SqliteWords

        return SqliteWords(self._work, self._memories)

    @cached_property
    def meaning(self) -> SqliteMeaning:
        """The vectors."""
        from holdfast.adapters.postgres.recall.meaning import PostgresMeaning

        return PostgresMeaning(self._work, self._memories, self._indexes)

    @cached_property
    def said(self) -> SqliteSaidSearch:
        """The search among what was said in sessions."""
        from holdfast.adapters.postgres.recall.said_search import PostgresSaidSearch

        return PostgresSaidSearch(self._work, self._indexes)


class PostgresBundles(SqliteBundles):
    """Bundles by id; a server lets readers write beside writers, so none are set aside."""

    def set_aside(self, bundle: Bundle) -> bool:
        """Return False: there is no folder beside a store on a server."""
        del bundle
        return False


class PostgresTransaction(SqliteTransaction):
    """One unit of work on a server."""

    def __init__(self, work: PostgresWork, outside: OpenIndex | None = None) -> None:
        from holdfast.adapters.postgres.recall.meaning import ServerIndexes

        super().__init__(work, ServerIndexes(work, outside))
        self.memories = PostgresMemories(work)

    @cached_property
    def finding(self) -> SqliteFinding:
        """The search ports."""
        return PostgresFinding(self.work, self.memories, self._indexes)

    @cached_property
    def bundles(self) -> SqliteBundles:
        """The bundles."""
        return PostgresBundles(self.work)
