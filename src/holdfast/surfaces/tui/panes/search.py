"""The tab Search: ask a question, and see why each memory answers it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.binding import Binding
from textual.widgets import Input

from holdfast.domain.recall.question import Question
from holdfast.domain.recall.rendering import no_items, why
from holdfast.surfaces.tui.panes.answer_page import item_page, token_meter
from holdfast.surfaces.tui.parts.pane import Pane
from holdfast.surfaces.tui.parts.texts import BOLD, DIM, bar, line, one_line, styled

if TYPE_CHECKING:
    from typing import ClassVar

    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.content import Content

    from holdfast.domain.recall.bundle import BundleItem
    from holdfast.domain.recall.rendering import Recalled

_BAR = 6


class SearchPane(Pane):
    """The answer to a question. Nothing is stored and nothing is counted as given."""

    title = "Search"
    nothing = "Type a question and press Enter."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("i", "ask", "ask"),
        Binding("escape", "leave", "to the list", show=False),
        Binding("b", "bundle", "in Bundle"),
        Binding("g", "graph", "in Graph"),
        Binding("enter", "choose", "in Memory", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.recalled: Recalled | None = None
        self._input = Input(placeholder="ask a question, then press Enter")

    def compose_above(self) -> ComposeResult:
        """Show the line to type a question in."""
        yield self._input

    async def load(self) -> None:
        """Answer the question, if one was asked."""
        text = self._input.value.strip()
        self.rows.say_when_empty(self.nothing)
        if not text:
            self.rows.show(0)
            return
        self.rows.say_when_empty("searching …")
        question = Question(text=text)
        self.recalled = await self.ui.ask(lambda memory: memory.answers.answer(question))
        if self.recalled is None:
            self.rows.show(0)
            return
        bundle = self.recalled.bundle
        self.rows.say_when_empty(one_line(no_items(bundle)))
        self.show_heading(
            token_meter(bundle)
            + line((f"  {len(bundle.items)} given, {len(bundle.left_out)} left out", DIM))
        )
        self.rows.show(len(bundle.items), at=0)
        if bundle.items:
            self.rows.focus()
        else:
            self.show_page([styled(note, DIM) for note in bundle.notes])

    @property
    def is_typed_into(self) -> bool:
        """Whether the line of the question has the focus."""
        return self._input.has_focus

    def take_focus(self) -> None:
        """Let the line receive the keys until there is an answer."""
        (self.rows if self.rows.count else self._input).focus()

    def action_ask(self) -> None:
        """Type another question."""
        self._input.focus()

    def action_leave(self) -> None:
        """Leave the line."""
        self.rows.focus()

    def on_input_submitted(self) -> None:
        """Answer the question."""
        self.reload()

    def on_rows_chosen(self) -> None:
        """Show the memory in its tab."""
        for item in self._current():
            self.ui.show_memory(item.memory_id)

    def action_bundle(self) -> None:
        """Show the whole answer in its tab."""
        if self.recalled is not None:
            self.ui.show_bundle(self.recalled)

    def action_graph(self) -> None:
        """Show the neighbours of the memory."""
        for item in self._current():
            self.ui.show_graph(item.memory_id)

    def _current(self) -> tuple[BundleItem, ...]:
        items = () if self.recalled is None else self.recalled.bundle.items
        return items[self.rows.at : self.rows.at + 1]

    def draw(self, index: int) -> Content:
        """Return the row of an item: its share of the best score, and its claim."""
        if self.recalled is None:
            return styled("")
        items = self.recalled.bundle.items
        item, best = items[index], max(one.score for one in items) or 1.0
        record = self.recalled.records.get(item.memory_id)
        claim = "forgotten since" if record is None else one_line(record.memory.claim)
        return line(
            (f"{bar(item.score / best, _BAR)} ", BOLD),
            (f"{item.tokens:>4} ", DIM),
            claim,
            (f"  {why(item.reasons)}", DIM),
        )

    def write_page(self) -> None:
        """Write the page about the current item."""
        for item in self._current():
            if self.recalled is not None:
                self.show_page(item_page(item, self.recalled.records.get(item.memory_id)))
