"""Run a program in the person's terminal while a command waits, or open their browser."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={link}"><title>Holdfast</title>
<p><a href="{link}">Open the page</a></p></html>
"""


def run_in_terminal(command: Sequence[str]) -> int:
    """Run a program with this terminal; return its exit code.

    Raises:
        OSError: It could not be started.
        ValueError: The command holds a null character.
    """
    from holdfast.adapters.processes import running

    return running.run_in_terminal(command)


class PrivateLink:
    """A link with a secret, handed to the browser in a file that only this person can read.

    The words of a command line are shown to every user of the machine, so the browser gets the name
    of the file. ``remove`` removes it.
    """

    def __init__(self, link: str, *, home: Path | None = None) -> None:
        from os import getpid
        from pathlib import Path

        from holdfast.adapters.machine.folders import data_folder_name

        self._link = link
        self.file = Path(home or data_folder_name()).resolve() / f"open-{getpid()}.html"

    def open(self) -> bool:
        """Open the link in the person's browser; return whether one was asked."""
        from holdfast.adapters.processes import browsing

        if not browsing.has_display():
            return False
        try:
            self.write()
        except OSError:
            return False
        browsing.open_link(self.file.as_uri())
        return True

    def write(self) -> None:
        """Write the file.

        Raises:
            OSError: It cannot be written.
        """
        from html import escape

        from holdfast.adapters.disk.atomic_files import write_whole

        write_whole(self.file, _PAGE.format(link=escape(self._link)).encode(), durable=False)

    def remove(self) -> None:
        """Remove the file."""
        with suppress(OSError):
            self.file.unlink(missing_ok=True)
