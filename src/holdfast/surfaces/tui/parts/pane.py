"""A tab: a heading, a list, and a page about the current row of the list."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, cast

from textual.containers import Container, VerticalScroll
from textual.widgets import Static

from holdfast.surfaces.tui.parts.code import lacks_colours, load_colours
from holdfast.surfaces.tui.parts.rows import Rows
from holdfast.surfaces.tui.parts.texts import lines

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence
    from typing import ClassVar

    from textual.app import ComposeResult
    from textual.content import Content
    from textual.worker import WorkType

    from holdfast.domain.recall.rendering import Quote
    from holdfast.surfaces.tui.parts.host import UiHost


class PageScroll(VerticalScroll):
    """The page beside or below a list; the arrow keys scroll it while it has the focus."""


class Pane(Container):
    """A tab. A subclass loads its rows, draws each of them, and writes the page of one."""

    title: ClassVar[str] = ""
    nothing: ClassVar[str] = "Nothing is here."

    def __init__(self) -> None:
        super().__init__()
        self.rows = Rows(self.draw, empty="reading …")
        self._page = Static()
        self._heading = Static(classes="heading")

    def compose(self) -> ComposeResult:
        """Show the heading, the list and the page."""
        yield self._heading
        yield from self.compose_above()
        with Container(classes="body"):
            yield self.rows
            with PageScroll(classes="page"):
                yield self._page

    def compose_above(self) -> ComposeResult:
        """Show what stands between the heading and the list."""
        yield from ()

    @property
    def is_typed_into(self) -> bool:
        """Whether the keys go into a line of text now, and are no commands."""
        return False

    @property
    def ui(self) -> UiHost:
        """The application."""
        return cast("UiHost", self.app)

    def on_mount(self) -> None:
        """Load the rows."""
        self.reload()

    def reload(self) -> None:
        """Read everything again."""
        self.load_in_background(self.load)

    def load_in_background(
        self, work: Callable[[], Coroutine[None, None, None]], *, group: str = "load"
    ) -> None:
        """Read something; what is still being read for the same purpose is dropped."""
        self.run_worker(cast("WorkType[None]", work), group=group, exclusive=True)

    def decide(self, work: Callable[[], Coroutine[None, None, None]]) -> None:
        """Change something; nothing that was begun is dropped."""
        self.run_worker(cast("WorkType[None]", work), group="decide")

    async def load(self) -> None:
        """Read the rows."""
        raise NotImplementedError

    def draw(self, index: int) -> Content:
        """Return one row."""
        raise NotImplementedError

    def write_page(self) -> None:
        """Write the page about the current row."""
        raise NotImplementedError

    def take_focus(self) -> None:
        """Let the list receive the keys."""
        self.rows.focus()

    def action_choose(self) -> None:
        """Choose the current row, also while the page has the focus."""
        self.rows.action_choose()

    def on_rows_moved(self) -> None:
        """Write the page about the row that is current now."""
        self.write_page()

    def load_colours(self, quotes: Sequence[Quote]) -> None:
        """Load the colours of cited files, and then write the page again with them."""
        paths = [quote.path for quote in quotes]
        if lacks_colours(paths):
            self.load_in_background(partial(self._load_colours, paths), group="colours")

    async def painted(self) -> None:
        """Wait until what was shown last is on the screen, before work that may come later."""
        is_painted = asyncio.Event()
        self.call_after_refresh(is_painted.set)
        await is_painted.wait()

    async def _load_colours(self, paths: Sequence[str]) -> None:
        await self.painted()
        await asyncio.to_thread(load_colours, paths)
        self.write_page()

    def show_page(self, content: Sequence[Content]) -> None:
        """Show a page from its beginning."""
        self._page.update(lines(content))
        self.query_one(PageScroll).scroll_home(animate=False)

    def show_heading(self, content: Content) -> None:
        """Show a line above the list."""
        self._heading.update(content, layout=False)

    @property
    def page_width(self) -> int:
        """How many columns the page has."""
        return max(20, self.query_one(PageScroll).scrollable_content_region.width - 1)

    def on_resize(self) -> None:
        """Write the page for its new width."""
        if self.rows.count:
            self.write_page()
