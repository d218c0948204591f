"""Open a link in the person's browser."""

from __future__ import annotations

import os
import sys

_DISPLAYS = ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY")


def open_link(link: str) -> bool:
    """Open a link without waiting for the browser; return whether one was asked.

    Without a display, a text browser would take over the terminal, so none is opened.
    """
    if sys.platform.startswith("linux") and not any(map(os.environ.get, _DISPLAYS)):
        return False
    import threading
    import webbrowser

    threading.Thread(target=webbrowser.open, args=(link,), daemon=True).start()
    return True
