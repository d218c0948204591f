"""The ports of one transaction; each is imported on first use, for a fast start."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.memory.links import SqliteNames
from holdfast.adapters.sqlite.memory.memories import SqliteMemories

if TYPE_CHECKING:
    from holdfast.adapters.sqlite.anchors.anchors import SqliteAnchors
    from holdfast.adapters.sqlite.database.work import Work
    from holdfast.adapters.sqlite.memory.links import SqliteLinks
    from holdfast.adapters.sqlite.recall.bundles import SqliteBundles
    from holdfast.adapters.sqlite.recall.indexes import Indexes
    from holdfast.adapters.sqlite.recall.searching import SqliteFinding
    from holdfast.adapters.sqlite.sessions.diary import SqliteDiary
    from holdfast.adapters.sqlite.sessions.sessions import SqliteSessions


class SqliteTransaction:
    """One unit of work over one connection."""

    def __init__(self, work: Work, indexes: Indexes) -> None:
        self.work = work
        self._indexes = indexes
        self.memories = SqliteMemories(work)
        self.names = SqliteNames(work)

    @cached_property
    def finding(self) -> SqliteFinding:
        """The search ports."""
        from holdfast.adapters.sqlite.recall.searching import SqliteFinding

        return SqliteFinding(self.work, self.memories, self._indexes)

    @cached_property
    def links(self) -> SqliteLinks:
        """The links."""
        from holdfast.adapters.sqlite.memory.links import SqliteLinks

        return SqliteLinks(self.work)

    @cached_property
    def sessions(self) -> SqliteSessions:
        """The sessions."""
        from holdfast.adapters.sqlite.sessions.sessions import SqliteSessions

        return SqliteSessions(self.work)

    @cached_property
    def bundles(self) -> SqliteBundles:
        """The bundles."""
        from holdfast.adapters.sqlite.recall.bundles import SqliteBundles

        return SqliteBundles(self.work)

    @cached_property
    def anchors(self) -> SqliteAnchors:
        """The spans, the git histories, and added evidence."""
        from holdfast.adapters.sqlite.anchors.anchors import SqliteAnchors

        return SqliteAnchors(self.work)

    @cached_property
    def diary(self) -> SqliteDiary:
        """Events, runs and decisions."""
        from holdfast.adapters.sqlite.sessions.diary import SqliteDiary

        return SqliteDiary(self.work)
