"""Open a link in the person's browser."""

from __future__ import annotations

import os
import sys

_DISPLAYS = ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY")


def has_display() -> bool:
    """Return whether a browser can be opened.

    Without a display, a text browser would take over the terminal.
    """
    return not sys.platform.startswith("linux") or any(map(os.environ.get, _DISPLAYS))


def open_link(link: str) -> None:
    """Open a link without waiting for the browser; other users see it in the list of processes."""
    import threading
    import webbrowser

    threading.Thread(target=webbrowser.open, args=(link,), daemon=True).start()
