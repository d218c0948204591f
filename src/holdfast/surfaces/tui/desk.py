"""What the command line hands to the terminal UI."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from holdfast.app import Holdfast
    from holdfast.domain.errors import HoldfastError
    from holdfast.usecases.memory.forget import Forgotten
    from holdfast.usecases.review.queued import Review

TABS = ("inbox", "search", "memory", "tasks", "graph", "health", "bundle")
"""The names of the tabs, in their order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """Everything that the terminal UI needs from the program that starts it.

    ``memory`` is open and stays open; ``open_memory`` opens it once more, for another thread.
    ``edited`` lets a person change a text in their editor, ``open_at`` opens a file at a line.
    ``worded`` returns an error in words, with advice. ``wish`` restricts the Inbox.
    """

    memory: Holdfast
    open_memory: Callable[[], Holdfast]
    user: str
    may_decide: bool
    root: Callable[[], Path]
    edited: Callable[[str], str]
    open_at: Callable[[Path, int], None]
    worded: Callable[[HoldfastError], str]
    wish: Review | None = None
    tab: str = TABS[0]
    is_dark: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class UiResult:
    """What a person did in the UI: how many decisions, and which memories are forgotten."""

    decisions: int = 0
    forgotten: tuple[Forgotten, ...] = ()
