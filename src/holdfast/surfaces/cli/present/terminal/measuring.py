"""How wide a text is, and how wide a terminal."""

from __future__ import annotations

import os

_DEFAULT_WIDTH = 100


def columns(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(
        0 if combining(sign) else 2 if east_asian_width(sign) in "WF" else 1 for sign in text
    )


def terminal_width() -> int:
    """Return the width of the terminal; the variable COLUMNS overrides it."""
    wanted = os.environ.get("COLUMNS", "")
    if wanted.isascii() and wanted.isdigit() and int(wanted):
        return int(wanted)
    try:
        return os.get_terminal_size(1).columns or _DEFAULT_WIDTH
    except OSError:
        return _DEFAULT_WIDTH


def note_width() -> int:
    """Return the width of the terminal of standard error; 0 if it has none."""
    try:
        return os.get_terminal_size(2).columns
    except OSError:
        return 0
