"""The application as the tabs see it: threads, messages, editors, and what a person did."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from textual.app import App

from holdfast.domain.errors import HoldfastError
from holdfast.surfaces.tui.desk import UiResult
from holdfast.surfaces.tui.parts.lanes import Lane
from holdfast.surfaces.tui.parts.texts import BAD, DIM, GOOD, WARN, one_line, styled

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from textual.content import Content

    from holdfast.app import Holdfast
    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.decision import Decision
    from holdfast.domain.recall.rendering import Recalled
    from holdfast.surfaces.tui.desk import Desk
    from holdfast.usecases.memory.forget import Forgotten

Answer = TypeVar("Answer")


class UiHost(App[None]):
    """What every tab may ask of the application."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.desk = desk
        self.lane = Lane(desk.open_memory, memory=desk.memory)
        self.slow = Lane(desk.open_memory)
        self.decisions = 0
        self.forgotten: list[Forgotten] = []
        self.fault: Exception | None = None

    @property
    def ui_result(self) -> UiResult:
        """What the person did so far."""
        return UiResult(decisions=self.decisions, forgotten=tuple(self.forgotten))

    async def ask(
        self, question: Callable[[Holdfast], Answer], *, is_slow: bool = False
    ) -> Answer | None:
        """Carry out a call in a thread; a refusal is shown, and gives None."""
        try:
            return await (self.slow if is_slow else self.lane).ask(question)
        except HoldfastError as error:
            self.refuse(error)
            return None

    def refuse(self, error: HoldfastError) -> None:
        """Show why something was not done."""
        self.tell(self.desk.worded(error), BAD)

    def tell(self, words: str, style: str = GOOD) -> None:
        """Show a message in the last line but one."""
        self.show_message(styled(one_line(words), style))

    def show_message(self, message: Content) -> None:
        """Show a message; the application says where."""
        raise NotImplementedError

    def go_to(self, tab: str) -> None:
        """Show a tab."""
        raise NotImplementedError

    def show_memory(self, memory_id: MemoryId) -> None:
        """Show a memory in its tab."""
        raise NotImplementedError

    def show_graph(self, memory_id: MemoryId) -> None:
        """Show the neighbours of a memory."""
        raise NotImplementedError

    def show_bundle(self, recalled: Recalled) -> None:
        """Show an answer in the tab of bundles."""
        raise NotImplementedError

    def may_decide(self) -> bool:
        """Return whether the person may decide; otherwise say why not."""
        if not self.desk.may_decide:
            self.tell("Agents may look here; only a person decides.", WARN)
        return self.desk.may_decide

    def count(self, decision: Decision | None) -> None:
        """Remember that a decision was made, so that the pages are written at the end."""
        self.decisions += decision is not None

    def confirm(self, question: str, work: Callable[[], object], *more: Content) -> None:
        """Do something that cannot be taken back, if the person agrees."""
        from holdfast.surfaces.tui.parts.dialogs import confirmation

        def answered(key: str | None) -> None:
            if key == "y":
                work()
            else:
                self.tell("Nothing was changed.", DIM)

        self.push_screen(confirmation(question, *more), answered)

    def choose(
        self, question: Content, keys: dict[str, str], chosen: Callable[[str], object]
    ) -> None:
        """Ask a question that one of some keys answers."""
        from holdfast.surfaces.tui.parts.dialogs import KeyChoice

        def answered(key: str | None) -> None:
            if key:
                chosen(key)

        self.push_screen(KeyChoice(question, keys), answered)

    def ask_line(self, question: str, typed: Callable[[str], object], *, value: str = "") -> None:
        """Ask a question that a line answers."""
        from holdfast.surfaces.tui.parts.dialogs import AskLine

        def answered(text: str | None) -> None:
            if text is not None:
                typed(text)

        self.push_screen(AskLine(question, value=value), answered)

    def change_text(self, title: str, text: str, changed: Callable[[str], object]) -> None:
        """Let the person change a text, here or in their editor."""
        from holdfast.surfaces.tui.parts.dialogs import EditText

        def answered(words: str | None) -> None:
            if words is None:
                self.tell("Nothing was changed.", DIM)
            else:
                changed(words)

        self.push_screen(EditText(title, text, outside=self.in_editor), answered)

    def in_editor(self, text: str) -> str | None:
        """Return a text as the person saved it in their editor; None if nothing was saved."""
        return self._outside(lambda: self.desk.edited(text))

    def open_file(self, path: str, first: int) -> None:
        """Open a file of the repository at a line, in the person's editor."""

        def opened() -> Path:
            place = self.desk.root() / path
            self.desk.open_at(place, first)
            return place

        if self._outside(opened) is not None:
            self.tell(f"opened {path}:{first}", DIM)

    def _outside(self, work: Callable[[], Answer]) -> Answer | None:
        """Give the terminal to another program while it works."""
        try:
            if self._driver is not None and self._driver.can_suspend:
                with self.suspend():
                    return work()
            return work()
        except HoldfastError as error:
            self.refuse(error)
            return None

    def _handle_exception(self, error: Exception) -> None:
        """End the application after a fault; the command line reports it without a traceback."""
        self.fault = self.fault or error
        if self._exception is None:
            self._exception = error
            self._exception_event.set()
        self._return_code = 1
        self._close_messages_no_wait()
