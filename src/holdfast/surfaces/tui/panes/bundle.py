"""The tab Bundle: what an answer contains, what it left out and why, and what its tokens are."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from textual.binding import Binding

from holdfast.domain.recall.bundle import PassageItem
from holdfast.domain.recall.rendering import notes_of
from holdfast.domain.values import dataclass
from holdfast.surfaces.tui.panes.answer_page import item_page, token_meter
from holdfast.surfaces.tui.parts.pane import Pane
from holdfast.surfaces.tui.parts.texts import BOLD, DIM, NAME, WARN, fact, line, one_line, styled
from holdfast.surfaces.wire.recall import left_out_by_reason

if TYPE_CHECKING:
    from typing import ClassVar

    from textual.binding import BindingType
    from textual.content import Content

    from holdfast.domain.ids import MemoryId
    from holdfast.domain.recall.bundle import BundleItem, LeftOut
    from holdfast.domain.recall.rendering import Recalled


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleRow:
    """A row of the tree: a heading, or an item below it."""

    words: str
    item: BundleItem | LeftOut | PassageItem | None = None


class BundlePane(Pane):
    """An answer as a tree: given memories, passages, and what was left out by reason."""

    title = "Bundle"
    nothing = "Ask a question in Search and press b, or press f and type the id of a bundle."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f", "find", "find"),
        Binding("g", "graph", "in Graph"),
        Binding("enter", "choose", "in Memory", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.recalled: Recalled | None = None
        self._is_kept = False
        self.leaves: list[BundleRow] = []

    async def load(self) -> None:
        """Show the answer, if one was chosen."""
        self.rows.say_when_empty(self.nothing)
        self._show()

    def look_at(self, recalled: Recalled, *, is_kept: bool) -> None:
        """Show an answer; one of Search is not kept in the store."""
        self.recalled, self._is_kept = recalled, is_kept
        self._show()

    def action_find(self) -> None:
        """Show a kept bundle by its id."""
        self.ui.ask_line(
            "The id of a bundle (c_…)",
            lambda reference: self.load_in_background(partial(self._find, reference)),
        )

    async def _find(self, reference: str) -> None:
        found = await self.ui.ask(lambda memory: memory.answers.shown(reference))
        if found is not None:
            self.look_at(found, is_kept=True)

    def _show(self) -> None:
        if self.recalled is None:
            self.rows.show(0)
            return
        bundle = self.recalled.bundle
        self.leaves = _tree(self.recalled)
        self.show_heading(
            token_meter(bundle) + line(("  ", DIM), (one_line(bundle.question.text), BOLD))
        )
        self.rows.show(len(self.leaves), at=0)

    def draw(self, index: int) -> Content:
        """Return a row of the tree."""
        row = self.leaves[index]
        if row.item is None:
            return line((row.words, BOLD))
        return line(("  └ ", DIM), (f"{row.item.tokens:>5} ", NAME), one_line(row.words))

    def write_page(self) -> None:
        """Write the page about the current row; a heading shows the report of the answer."""
        if self.recalled is None or not self.leaves:
            return
        item = self.leaves[self.rows.at].item
        if item is None:
            name = self.recalled.bundle.id if self._is_kept else "not stored"
            self.show_page([*_report(self.recalled), styled(""), line((name, DIM))])
            return
        if isinstance(item, PassageItem):
            text = self.recalled.texts.get(item.reference, "")
            self.show_page(item_page(item, None, text=text))
        else:
            self.show_page(item_page(item, self.recalled.records.get(item.memory_id)))

    def on_rows_chosen(self) -> None:
        """Show the memory in its tab."""
        if name := self._current_id():
            self.ui.show_memory(name)

    def action_graph(self) -> None:
        """Show the neighbours of the memory."""
        if name := self._current_id():
            self.ui.show_graph(name)

    def _current_id(self) -> MemoryId | None:
        item = self.leaves[self.rows.at].item if self.leaves else None
        return None if item is None or isinstance(item, PassageItem) else item.memory_id


def _tree(recalled: Recalled) -> list[BundleRow]:
    bundle = recalled.bundle

    def claim(name: str) -> str:
        found = [one for key, one in recalled.records.items() if key == name]
        return one_line(found[0].memory.claim) if found else "forgotten since"

    rows = [BundleRow(words=f"given ({len(bundle.items)})")]
    rows += [BundleRow(words=claim(one.memory_id), item=one) for one in bundle.items]
    if bundle.passages:
        rows.append(BundleRow(words=f"passages ({len(bundle.passages)})"))
        rows += [BundleRow(words=one.title, item=one) for one in bundle.passages]
    reasons = dict.fromkeys(_sort_of(one.why) for one in bundle.left_out)
    for reason in reasons:
        some = [one for one in bundle.left_out if _sort_of(one.why) == reason]
        rows.append(BundleRow(words=f"left out ({len(some)}): {one_line(reason)}"))
        rows += [BundleRow(words=claim(one.memory_id), item=one) for one in some]
    if bundle.passages_left_out:
        rows.append(BundleRow(words=f"passages left out ({len(bundle.passages_left_out)})"))
        rows += [BundleRow(words=one.title, item=one) for one in bundle.passages_left_out]
    return rows


def _sort_of(reason: str) -> str:
    """Return a reason that is the same for items that differ in their tokens only."""
    return "no room in the budget" if {"fit", "fits"} & set(reason.split()) else reason


def _report(recalled: Recalled) -> list[Content]:
    """Return the tokens of an answer, why it stops where it stops, and its notes."""
    bundle = recalled.bundle
    budget = bundle.question.budget
    stop = "everything that answers is in it"
    if bundle.left_out or bundle.passages_left_out:
        stop = "something was left out; the reasons are below"
    if bundle.shortage is not None:
        stop = f"the best answer needs a budget of {bundle.shortage.needs:,} tokens"
    shown = [
        token_meter(bundle),
        styled(""),
        fact("asked", one_line(bundle.question.text)),
        fact("tokens", f"{bundle.tokens:,} of {budget:,}, counted by {bundle.counter}"),
        fact("rest", f"{budget - bundle.tokens:,} tokens"),
        fact("stopped", (stop, WARN)),
    ]
    shown += [
        fact("left out", f"{many:,}: {one_line(reason)}")
        for reason, many in left_out_by_reason(bundle).items()
    ]
    has_items = bool(bundle.items or bundle.passages)
    notes = notes_of(bundle.notes, bundle.shortage, has_items=has_items)
    shown += [fact("note", (one_line(note), DIM)) for note in notes]
    return shown
