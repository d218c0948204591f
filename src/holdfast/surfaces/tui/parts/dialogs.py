"""Dialogs: confirm, choose by a key, type a line, change a text, and the help."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.binding import Binding
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Static, TextArea

from holdfast.domain.gates.hidden import make_visible
from holdfast.surfaces.tui.parts.texts import BOLD, DIM, NAME, WARN, line, lines, styled

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import ClassVar

    from textual import events
    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.content import Content

_CANCEL = Binding("escape", "cancel", "cancel", show=False)


class KeyChoice(ModalScreen[str]):
    """A question that one key answers; Escape answers it with nothing."""

    BINDINGS: ClassVar[list[BindingType]] = [_CANCEL]

    def __init__(self, question: Content, keys: dict[str, str]) -> None:
        super().__init__()
        self._question, self._keys = question, keys

    def compose(self) -> ComposeResult:
        """Show the question and the keys."""
        keys = [line((f" {key} ", NAME), f" {words}") for key, words in self._keys.items()]
        with VerticalScroll(classes="dialog"):
            yield Static(
                lines([self._question, styled(""), *keys, line((" esc ", NAME), "cancel")])
            )

    def on_key(self, event: events.Key) -> None:
        """Take a key that answers."""
        if event.character in self._keys:
            event.stop()
            self.dismiss(event.character)

    def action_cancel(self) -> None:
        """Change nothing."""
        self.dismiss("")


def confirmation(question: str, *more: Content) -> KeyChoice:
    """Return a question that only ``y`` agrees to."""
    return KeyChoice(lines([styled(question, WARN), *more]), {"y": "yes", "n": "no"})


class AskLine(ModalScreen[str | None]):
    """A question that a typed line answers; Escape gives None."""

    BINDINGS: ClassVar[list[BindingType]] = [_CANCEL]

    def __init__(self, question: str, *, value: str = "") -> None:
        super().__init__()
        self._question, self._value = question, value

    def compose(self) -> ComposeResult:
        """Show the question and a line to type in."""
        with Vertical(classes="dialog"):
            yield Static(styled(self._question, BOLD))
            yield Input(value=make_visible(self._value).text)
            yield Static(line(("enter", NAME), " ok   ", ("esc", NAME), " cancel"))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Take the line."""
        event.stop()
        self.dismiss(event.value.strip())

    def action_cancel(self) -> None:
        """Change nothing."""
        self.dismiss(None)


class EditText(ModalScreen[str | None]):
    """A text that a person changes, here or in their editor; Escape gives None."""

    BINDINGS: ClassVar[list[BindingType]] = [
        _CANCEL,
        Binding("ctrl+s", "save", "save", show=False, priority=True),
        Binding("ctrl+e", "editor", "$EDITOR", show=False, priority=True),
    ]

    def __init__(self, title: str, text: str, *, outside: Callable[[str], str | None]) -> None:
        super().__init__()
        self._title, self._text, self._outside = title, text, outside

    def compose(self) -> ComposeResult:
        """Show the text."""
        with Vertical(classes="dialog tall"):
            yield Static(styled(self._title, BOLD))
            yield TextArea(make_visible(self._text).text, soft_wrap=True)
            keys = (("ctrl+s", NAME), " save   ", ("ctrl+e", NAME), " in $EDITOR   ")
            yield Static(line(*keys, ("esc", NAME), " cancel"))

    def on_mount(self) -> None:
        """Put the cursor behind the text."""
        area = self.query_one(TextArea)
        area.move_cursor(area.document.end)

    def action_save(self) -> None:
        """Take the text; an empty one changes nothing."""
        text = self.query_one(TextArea).text.strip()
        self.dismiss(text or None)

    def action_editor(self) -> None:
        """Continue in the person's own editor."""
        text = self._outside(self.query_one(TextArea).text)
        if text is not None:
            self.dismiss(text)

    def action_cancel(self) -> None:
        """Change nothing."""
        self.dismiss(None)


class KeyHelp(ModalScreen[None]):
    """The keys of the current tab, and those that work everywhere."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,question_mark,q", "dismiss", "close", show=False)
    ]

    def __init__(self, title: str, groups: Sequence[tuple[str, Sequence[tuple[str, str]]]]) -> None:
        super().__init__()
        self._title, self._groups = title, groups

    def compose(self) -> ComposeResult:
        """Show the keys in groups."""
        shown = [styled(self._title, BOLD)]
        for name, keys in self._groups:
            shown += [styled(""), styled(name, DIM)]
            shown += [line((f" {key:<12}", NAME), words) for key, words in keys]
        with VerticalScroll(classes="dialog tall"):
            yield Static(lines(shown))

    def on_mount(self) -> None:
        """Let the arrow keys scroll."""
        self.query_one(VerticalScroll).focus()
