"""A list that draws only the rows on the screen, however many there are."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

from textual.binding import Binding
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.visual import Visual

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import ClassVar

    from textual import events
    from textual.binding import BindingType


class Rows(ScrollView, can_focus=True):
    """Rows of one line each; one of them is current."""

    DEFAULT_CSS = "Rows { height: 1fr; width: 1fr; overflow-x: hidden; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j,down", "move(1)", "next", show=False),
        Binding("k,up", "move(-1)", "previous", show=False),
        Binding("pagedown", "page(1)", "a page down", show=False),
        Binding("pageup", "page(-1)", "a page up", show=False),
        Binding("home", "go(0)", "first", show=False),
        Binding("end,G", "go(-1)", "last", show=False),
        Binding("enter", "choose", "open", show=False),
    ]
    at: reactive[int] = reactive(0, repaint=True)

    class Moved(Message):
        """Another row is the current one."""

    class Chosen(Message):
        """The current row was chosen, with Enter or with a click."""

    def __init__(self, draw: Callable[[int], Content], *, empty: str) -> None:
        super().__init__()
        self._draw = draw
        self._empty = empty
        self.count = 0
        self._coming = 0

    def show(self, count: int, *, at: int | None = None, coming: int = 0) -> None:
        """Show another number of rows, and make one of them the current one.

        ``coming`` rows follow them: they are drawn, and none of them can be the current one yet.
        """
        self.count, self._coming = count, coming
        self.virtual_size = Size(self.size.width, count + coming)
        self._set(self.at if at is None else at, is_told=True)
        self.refresh()

    def say_when_empty(self, words: str) -> None:
        """Change the words that stand for an empty list."""
        self._empty = words
        self.refresh()

    def _set(self, at: int, *, is_told: bool = False) -> None:
        before, self.at = self.at, max(0, min(at, self.count - 1))
        self._scroll_to_current()
        if is_told or before != self.at:
            self.post_message(self.Moved())

    def _scroll_to_current(self) -> None:
        height, top = self.scrollable_content_region.height, self.scroll_offset.y
        if self.at < top:
            self.scroll_to(y=self.at, animate=False)
        elif height and self.at >= top + height:
            self.scroll_to(y=self.at - height + 1, animate=False)

    def render_line(self, y: int) -> Strip:
        """Draw one line of the screen."""
        width, index = self.size.width, y + self.scroll_offset.y
        if not self.count and not self._coming and y < len(said := wrap(self._empty, width or 1)):
            return self._strip(Content(said[y]).stylize("$text-muted"), width)
        if index >= self.count + self._coming:
            return Strip.blank(width, self.rich_style)
        is_current = index == self.at
        content = Content("› " if is_current else "  ") + self._draw(index)
        if is_current:
            content = content.pad_right(max(0, width - content.cell_length)).stylize(
                "$block-cursor-foreground on $block-cursor-background"
                if self.has_focus
                else "$block-cursor-blurred-foreground on $block-cursor-blurred-background"
            )
        return self._strip(content, width)

    def _strip(self, content: Content, width: int) -> Strip:
        shown = content.truncate(width, ellipsis=True)
        [strip, *_] = Visual.to_strips(self, shown, width, 1, self.visual_style, pad=True)
        return strip

    def action_move(self, steps: int) -> None:
        """Move the current row."""
        self._set(self.at + steps)

    def action_page(self, pages: int) -> None:
        """Move the current row by the height of the list."""
        self._set(self.at + pages * max(1, self.scrollable_content_region.height - 1))

    def action_go(self, place: int) -> None:
        """Make the first or the last row the current one."""
        self._set(place if place >= 0 else self.count - 1)

    def action_choose(self) -> None:
        """Choose the current row."""
        if self.count:
            self.post_message(self.Chosen())

    def on_click(self, event: events.Click) -> None:
        """Make the clicked row the current one; a double click chooses it."""
        index = event.y + self.scroll_offset.y
        if index < self.count:
            self._set(index)
            if event.chain > 1:
                self.action_choose()
