"""What evidence is anchored in, each part loaded when it is first asked for."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from holdfast.adapters.sqlite.past import SqlitePast
    from holdfast.adapters.sqlite.reasons import SqliteReasons
    from holdfast.adapters.sqlite.spans import SqliteSpans
    from holdfast.adapters.sqlite.work import Work


class SqliteAnchors:
    """Spans and histories of one transaction."""

    def __init__(self, work: Work) -> None:
        self._work = work

    @cached_property
    def spans(self) -> SqliteSpans:
        """The places in files."""
        from holdfast.adapters.sqlite.spans import SqliteSpans

        return SqliteSpans(self._work)

    @cached_property
    def past(self) -> SqlitePast:
        """The histories."""
        from holdfast.adapters.sqlite.past import SqlitePast

        return SqlitePast(self._work)

    @cached_property
    def reasons(self) -> SqliteReasons:
        """The reasons that came later."""
        from holdfast.adapters.sqlite.reasons import SqliteReasons

        return SqliteReasons(self._work)
