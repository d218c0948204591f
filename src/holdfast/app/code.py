"""Code: the index of a repository's code and commits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.part_ports import here, repository_ports
from holdfast.app.performing import Part, performs
from holdfast.domain.memory.callers import Operation

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from holdfast.domain.code.code import Indexed
    from holdfast.domain.code.commits import CommitsRead
    from holdfast.domain.memory.anchor import Checked
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.ports.store.upkeep import Progress
    from holdfast.usecases.anchors.quoting import CitedLines
    from holdfast.usecases.recall.symbol_context import SymbolContext


class Code(Part):
    """The code and the commits of the repository."""

    @performs(Operation.READ)
    def surround(self, reference: str, *, limit: int = 40) -> SymbolContext:
        """Return a symbol, its neighbours, and the memories that govern it."""
        from holdfast.usecases.recall.symbol_context import surround

        holdfast = self._holdfast
        return surround(
            reference, limit=limit, code=here(holdfast.code_index), ports=repository_ports(holdfast)
        )

    @performs(Operation.READ)
    def cited_lines(
        self, record: MemoryRecord, checked: Sequence[Checked], *, margin: int
    ) -> tuple[CitedLines, ...]:
        """Return the lines that a memory cites, as they are now, with some lines around them."""
        from holdfast.usecases.anchors.quoting import lines_around, quotes_of

        surroundings = self._holdfast.surroundings
        quotes = quotes_of(record, checked, surroundings=surroundings)
        return tuple(lines_around(one, margin=margin, surroundings=surroundings) for one in quotes)

    @performs(Operation.MAINTAIN)
    def index(self, progress: Progress, *, anew: bool = False) -> Indexed:
        """Update the code index to the checkout."""
        return here(self._holdfast.code_index).refresh(progress, anew=anew)

    @performs(Operation.MAINTAIN)
    def read_history(self, progress: Progress, *, since: datetime | None = None) -> CommitsRead:
        """Read the commits of this repository into the index, as evidence that can be searched."""
        return here(self._holdfast.history_index).refresh(progress, since=since)
