"""The tab Graph: the neighbours of one memory, as a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.binding import Binding

from holdfast.domain.values import dataclass
from holdfast.surfaces.tui.panes.memory_page import first_lines
from holdfast.surfaces.tui.parts.pane import Pane
from holdfast.surfaces.tui.parts.texts import BOLD, DIM, NAME, fact, line, one_line, styled

if TYPE_CHECKING:
    from typing import ClassVar

    from textual.binding import BindingType
    from textual.content import Content

    from holdfast.app import Holdfast
    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.link import Link
    from holdfast.domain.memory.memory import MemoryRecord

_DEPTH = 2
_MOST = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphRow:
    """A memory of the tree; the link says how it is connected with the one above it."""

    record: MemoryRecord
    depth: int
    link: Link | None = None


class GraphPane(Pane):
    """A memory, what is linked with it, and what is linked with that."""

    title = "Graph"
    nothing = "Press g on a memory in another tab, or f and type an id, a key or a label."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f", "find", "find"),
        Binding("enter", "choose", "make it the centre", show=False),
        Binding("backspace", "back", "back"),
        Binding("v", "memory", "in Memory"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.branches: list[GraphRow] = []
        self._path: list[str] = []

    async def load(self) -> None:
        """Read the neighbours of the centre, if there is one."""
        self.rows.say_when_empty(self.nothing)
        if not self._path:
            self.rows.show(0)
            return
        centre = self._path[-1]
        found = await self.ui.ask(lambda memory: neighbours(memory, centre))
        if found is None:
            self._path.pop()
            return
        self.branches = found
        many = len(found) - 1
        self.show_heading(line((f"{many:,} neighbour{'' if many == 1 else 's'}", DIM)))
        self.rows.show(len(found), at=0)

    def look_at(self, reference: str) -> None:
        """Make a memory the centre."""
        self._path.append(reference)
        self.reload()

    def action_find(self) -> None:
        """Make a memory the centre, by its id, key or label."""
        self.ui.ask_line("A memory: its id, key or label", self.look_at)

    def action_back(self) -> None:
        """Return to the centre before."""
        if len(self._path) > 1:
            self._path.pop()
            self.reload()

    def on_rows_chosen(self) -> None:
        """Make the current memory the centre."""
        self.look_at(self.branches[self.rows.at].record.memory.id)

    def action_memory(self) -> None:
        """Show the current memory in its tab."""
        if self.branches:
            self.ui.show_memory(self.branches[self.rows.at].record.memory.id)

    def draw(self, index: int) -> Content:
        """Return a row of the tree."""
        row = self.branches[index]
        claim = one_line(row.record.memory.claim)
        if row.link is None:
            return line((claim, BOLD))
        is_out = row.link.dst == row.record.memory.id
        arrow = f"{row.link.kind} →" if is_out else f"← {row.link.kind}"
        return line(("  " * row.depth + "└ ", DIM), (f"{arrow} ", NAME), claim)

    def write_page(self) -> None:
        """Write the page about the current memory."""
        if not self.branches:
            return
        row = self.branches[self.rows.at]
        shown = first_lines(row.record)
        if row.link is not None:
            shown.append(fact("link", f"{row.link.kind}, score {row.link.score:g}"))
        self.show_page([*shown, styled(""), line((row.record.memory.id, DIM))])


def neighbours(memory: Holdfast, reference: str) -> list[GraphRow]:
    """Return a memory and its neighbours in the order of a tree; each memory is in it once."""
    centre = memory.memories.explain(reference).record
    met: set[MemoryId] = {centre.memory.id}
    rows = [GraphRow(record=centre, depth=0)]

    def follow(name: MemoryId, depth: int) -> None:
        for link, record in memory.memories.related(name, limit=_MOST):
            if record.memory.id in met or len(rows) > _MOST:
                continue
            met.add(record.memory.id)
            rows.append(GraphRow(record=record, depth=depth, link=link))
            if depth < _DEPTH:
                follow(record.memory.id, depth + 1)

    follow(centre.memory.id, 1)
    return rows
