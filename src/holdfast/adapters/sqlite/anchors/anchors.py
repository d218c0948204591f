"""Spans, histories and added evidence; each part is imported on first use."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from holdfast.adapters.sqlite.anchors.past import SqlitePast
    from holdfast.adapters.sqlite.anchors.spans import SqliteSpans
    from holdfast.adapters.sqlite.database.work import Work
    from holdfast.adapters.sqlite.memory.reasons import SqliteReasons


class SqliteAnchors:
    """The anchor ports of one transaction."""

    def __init__(self, work: Work) -> None:
        self._work = work

    @cached_property
    def spans(self) -> SqliteSpans:
        """The spans in files."""
        from holdfast.adapters.sqlite.anchors.spans import SqliteSpans

        return SqliteSpans(self._work)

    @cached_property
    def past(self) -> SqlitePast:
        """The git histories."""
        from holdfast.adapters.sqlite.anchors.past import SqlitePast

        return SqlitePast(self._work)

    @cached_property
    def reasons(self) -> SqliteReasons:
        """The evidence that was added later."""
        from holdfast.adapters.sqlite.memory.reasons import SqliteReasons

        return SqliteReasons(self._work)
