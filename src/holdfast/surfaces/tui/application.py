"""The application of ``holdfast ui``: its tabs, and the keys that work in each of them."""

from __future__ import annotations

import gc
import sys
from importlib import import_module
from select import POLLERR, POLLHUP, POLLNVAL, poll
from typing import TYPE_CHECKING, cast

from textual.binding import Binding
from textual.containers import Container
from textual.style import Style
from textual.widgets import Static

from holdfast.surfaces.tui.desk import TABS
from holdfast.surfaces.tui.parts.host import UiHost
from holdfast.surfaces.tui.parts.rows import Rows
from holdfast.surfaces.tui.parts.texts import BOLD, DIM, WARN, line, lines, styled

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import ClassVar

    from textual import events
    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.content import Content

    from holdfast.domain.ids import MemoryId
    from holdfast.domain.recall.rendering import Recalled
    from holdfast.surfaces.tui.desk import Desk, UiResult
    from holdfast.surfaces.tui.parts.pane import Pane

SMALLEST = (80, 24)
_WIDE = 110
_LOOK_SECONDS = 1.0
_DARK, _LIGHT = "textual-dark", "textual-light"
_PANES = {
    "inbox": ("inbox.pane", "InboxPane"),
    "search": ("panes.search", "SearchPane"),
    "memory": ("panes.memory", "MemoryPane"),
    "tasks": ("panes.tasks", "TasksPane"),
    "graph": ("panes.graph", "GraphPane"),
    "health": ("panes.health", "HealthPane"),
    "bundle": ("panes.bundle", "BundlePane"),
}
_EVERYWHERE = (("?", "keys"), ("q", "quit"))
_WHILE_TYPING = (("enter", "answer"), ("escape", "leave the line, for the other keys"))
_KEY_NAMES = {
    "asterisk": "*",
    "exclamation_mark": "!",
    "question_mark": "?",
    "slash": "/",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "full_stop": ".",
}


class HoldfastUi(UiHost):
    """Inbox, Search, Memory, Tasks, Graph, Health and Bundle, each in a tab."""

    TITLE = "holdfast"
    ENABLE_COMMAND_PALETTE = False
    CSS = """
    Screen { layers: base above; }
    #tabs, #keys { height: 1; padding: 0 1; }
    #message { height: auto; min-height: 1; max-height: 4; padding: 0 1; }
    #tabs { background: $panel; }
    #keys { background: $panel; }
    #panes { height: 1fr; }
    #small { display: none; layer: above; width: 100%; height: 100%; content-align: center middle; }
    .small #small { display: block; }
    .small #panes, .small #tabs, .small #keys, .small #message { display: none; }
    Pane { height: 1fr; }
    .heading { height: 1; padding: 0 1; }
    .body { height: 1fr; layout: vertical; }
    .body Rows { height: 2fr; min-height: 4; }
    .page { height: 5fr; padding: 0 1; border-top: solid $panel-lighten-2;
            scrollbar-size-vertical: 1; scrollbar-gutter: stable; }
    .wide .body { layout: horizontal; }
    .wide .body Rows { width: 5fr; height: 1fr; }
    .wide .page { width: 6fr; height: 1fr; border-top: none; border-left: solid $panel-lighten-2; }
    Pane > Input { height: 1; border: none; padding: 0 1; margin: 0 1; background: $surface; }
    ModalScreen { align: center middle; }
    .dialog { width: 76; max-width: 95%; height: auto; max-height: 90%; padding: 1 2;
              background: $surface; border: round $primary; }
    .dialog.tall { height: 80%; }
    .dialog Input { margin: 1 0; }
    .dialog TextArea { height: 1fr; margin: 1 0; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(str(place), f"tab('{name}')", name.title(), show=False)
          for place, name in enumerate(TABS, start=1)),
        Binding("left_square_bracket", "turn(-1)", "the tab before", show=False),
        Binding("right_square_bracket", "turn(1)", "the next tab", show=False),
        Binding("slash", "search", "ask a question", show=False),
        Binding("question_mark", "keys", "keys"),
        Binding("T", "theme", "light or dark", show=False),
        Binding("q,ctrl+q", "quit", "quit"),
    ]  # fmt: skip

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._mounted: dict[str, Pane] = {}
        self._tab = desk.tab
        self._message = Static(id="message")
        self._tab_line = Static(id="tabs")
        self._key_line = Static(id="keys")
        self._small = Static(id="small")

    def compose(self) -> ComposeResult:
        """Show the tabs, one of them, a line for messages, and the keys."""
        yield self._tab_line
        yield Container(id="panes")
        yield self._message
        yield self._key_line
        yield self._small

    def on_mount(self) -> None:
        """Show the first tab."""
        self.theme = _DARK if self.desk.is_dark else _LIGHT
        self.go_to(self._tab)
        if not self.is_headless:
            self.set_interval(_LOOK_SECONDS, self._leave_if_gone)
            self.set_timer(_LOOK_SECONDS, _collect_garbage)

    def _leave_if_gone(self) -> None:
        """Leave if the terminal is closed: Textual's reader would wait for it at full speed."""
        if is_hung_up(sys.stdin.fileno()):
            self.exit()

    def pane(self, name: str) -> Pane:
        """Return a tab, which is made when it is shown for the first time."""
        if name not in self._mounted:
            module, class_name = _PANES[name]
            made = getattr(import_module(f"holdfast.surfaces.tui.{module}"), class_name)
            self._mounted[name] = cast("Pane", made())
            self.query_one("#panes").mount(self._mounted[name])
        return self._mounted[name]

    @property
    def current(self) -> Pane:
        """The tab that is shown."""
        return self.pane(self._tab)

    def go_to(self, tab: str) -> None:
        """Show a tab."""
        self._tab = tab
        self.show_message(styled(""))
        shown = self.pane(tab)
        for one in self._mounted.values():
            one.display = one is shown
        self._tab_line.update(_tab_words(tab), layout=False)
        self._show_keys()
        self.call_after_refresh(shown.take_focus)

    def on_descendant_focus(self) -> None:
        """Show the keys that work where the focus is now."""
        self._show_keys()

    def _show_keys(self) -> None:
        keys = [*self._bound(self.current, is_short=True), *_EVERYWHERE]
        words = _key_words(_WHILE_TYPING if self.current.is_typed_into else keys)
        self._key_line.update(words, layout=False)

    def action_tab(self, name: str) -> None:
        """Show a tab."""
        self.go_to(name)

    def action_turn(self, steps: int) -> None:
        """Show the next tab, or the one before."""
        self.go_to(TABS[(TABS.index(self._tab) + steps) % len(TABS)])

    def action_search(self) -> None:
        """Ask a question."""
        self.go_to("search")

    def action_theme(self) -> None:
        """Change between light and dark."""
        self.theme = _LIGHT if self.theme == _DARK else _DARK

    def action_keys(self) -> None:
        """Show the keys of the tab."""
        from holdfast.surfaces.tui.parts.dialogs import KeyHelp

        groups = [
            (self.current.title, self._bound(self.current)),
            ("List", _bindings(Rows.BINDINGS)),
            ("Everywhere", _bindings(self.BINDINGS)),
        ]
        self.push_screen(KeyHelp("Keys", groups))

    def _bound(self, pane: Pane, *, is_short: bool = False) -> list[tuple[str, str]]:
        own = [one for one in pane.BINDINGS if isinstance(one, Binding)]
        return _bindings(one for one in own if one.show or not is_short)

    def show_message(self, message: Content) -> None:
        """Show a message above the keys."""
        self._message.update(message)

    def show_memory(self, memory_id: MemoryId) -> None:
        """Show a memory in its tab."""
        from holdfast.surfaces.tui.panes.memory import MemoryPane

        self.go_to("memory")
        cast("MemoryPane", self.pane("memory")).look_at(memory_id)

    def show_graph(self, memory_id: MemoryId) -> None:
        """Show the neighbours of a memory."""
        from holdfast.surfaces.tui.panes.graph import GraphPane

        self.go_to("graph")
        cast("GraphPane", self.pane("graph")).look_at(memory_id)

    def show_bundle(self, recalled: Recalled) -> None:
        """Show an answer that is not stored in the tab of bundles."""
        from holdfast.surfaces.tui.panes.bundle import BundlePane

        self.go_to("bundle")
        cast("BundlePane", self.pane("bundle")).look_at(recalled, is_kept=False)

    def on_resize(self, event: events.Resize) -> None:
        """Put the page beside the list if there is room; say so if there is too little."""
        width, height = event.size
        is_small = width < SMALLEST[0] or height < SMALLEST[1]
        self.screen_stack[0].set_class(width >= _WIDE, "wide")
        self.screen_stack[0].set_class(is_small, "small")
        if is_small:
            self._small.update(_too_small(width, height))
        elif self.focused is None and len(self.screen_stack) == 1:
            # What is hidden loses the focus, so that no key decides about what nobody sees.
            self.call_after_refresh(self.current.take_focus)


def _collect_garbage() -> None:
    """Begin to look for garbage among what is made from now on; the command switched it off."""
    gc.freeze()
    gc.enable()


def is_hung_up(terminal: int) -> bool:
    """Return whether the other end of a terminal is closed."""
    watched = poll()
    watched.register(terminal, 0)
    return any(event & (POLLHUP | POLLERR | POLLNVAL) for _, event in watched.poll(0))


def run(desk: Desk) -> UiResult:
    """Run the UI until the person leaves it; return what they did.

    A fault of the program is raised again, after the terminal is restored.
    """
    ui = HoldfastUi(desk)
    try:
        ui.run()
    finally:
        ui.lane.close()
        ui.slow.close()
    if ui.fault is not None:
        raise ui.fault
    return ui.ui_result


def _too_small(width: int, height: int) -> Content:
    return lines(
        [
            styled("This terminal is too small.", WARN),
            styled(f"{width} × {height}; {SMALLEST[0]} × {SMALLEST[1]} are needed."),
            styled("Make it larger, or leave with q.", DIM),
        ]
    )


def _tab_words(current: str) -> Content:
    shown = styled("")
    for place, name in enumerate(TABS, start=1):
        style = "bold reverse" if name == current else ""
        words = line((f" {place} {name.title()} ", style))
        shown += words.stylize(Style.from_meta({"@click": f"app.tab('{name}')"}))
    return shown


def _key_words(keys: Iterable[tuple[str, str]]) -> Content:
    shown = styled("")
    for key, words in keys:
        pressed = {name: code for code, name in _KEY_NAMES.items()}.get(key, key)
        part = line((key, BOLD), (f" {words}  ", DIM))
        shown += part.stylize(Style.from_meta({"@click": f"app.simulate_key('{pressed}')"}))
    return shown


def _bindings(found: Iterable[BindingType]) -> list[tuple[str, str]]:
    return [
        (" ".join(_KEY_NAMES.get(key, key) for key in one.key.split(",")), one.description)
        for one in found
        if isinstance(one, Binding)
    ]
