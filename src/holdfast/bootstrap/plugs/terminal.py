"""Run a program in the person's terminal while a command waits, or open their browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def run_in_terminal(command: Sequence[str]) -> int:
    """Run a program with this terminal; return its exit code.

    Raises:
        OSError: It could not be started.
        ValueError: The command holds a null character.
    """
    from holdfast.adapters.processes import running

    return running.run_in_terminal(command)


def open_link(link: str) -> bool:
    """Open a link in the person's browser; return whether there seems to be one."""
    from holdfast.adapters.processes import browsing

    return browsing.open_link(link)
