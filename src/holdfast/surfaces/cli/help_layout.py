"""Lay help out in the width of the terminal: prose in lines, long commands over several lines."""

from __future__ import annotations

import os
import re
from argparse import RawDescriptionHelpFormatter

_WIDEST = 100
_NARROWEST = 40
_MARGIN = 2
_CONTINUED = " \\"
_INDENT = "      "
# A word of a shell command: quoted parts belong to it with the spaces in them.
_WORD = re.compile(r"""(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'\\])+""")


class HelpFormatter(RawDescriptionHelpFormatter):
    """Argparse's help, with the description and the examples fitted to the width."""

    def __init__(self, prog: str) -> None:
        # argparse would import shutil to find the width, for every option.
        self._columns = help_width()
        super().__init__(prog, max_help_position=28, width=self._columns)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return wrapped(text, self._columns)


def help_width() -> int:
    """Return the width of help: that of the terminal, less a margin, within limits."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isdigit() and int(columns):
        wide = int(columns)
    else:
        try:
            wide = os.get_terminal_size(1).columns
        except OSError:
            wide = _WIDEST
    return max(min(wide, _WIDEST), _NARROWEST) - _MARGIN


def wrapped(text: str, width: int) -> str:
    """Return prose in lines of at most this width.

    An empty line separates paragraphs. An indented line is a command: it is broken between words
    with a backslash, so that a shell still reads it as one command.
    """
    from textwrap import fill

    return "\n\n".join(
        broken_lines(paragraph, width)
        if re.search(r"^ ", paragraph, re.MULTILINE)
        else fill(
            " ".join(paragraph.split()), width, break_long_words=False, break_on_hyphens=False
        )
        for paragraph in text.split("\n\n")
    )


def broken_lines(text: str, width: int) -> str:
    """Return lines of commands, each broken with backslashes if it is wider than this."""
    return "\n".join(
        "\n".join(_broken(line, width)) if len(line) > width else line for line in text.split("\n")
    )


def _broken(line: str, width: int) -> list[str]:
    indent = line[: len(line) - len(line.lstrip())]
    lines = [indent]
    for group in _groups(_WORD.findall(line)):
        is_first = not lines[-1].strip()
        longer = f"{lines[-1]}{group}" if is_first else f"{lines[-1]} {group}"
        if is_first or len(longer) + len(_CONTINUED) <= width:
            lines[-1] = longer
        else:
            lines[-1] += _CONTINUED
            lines.append(f"{_INDENT}{group}")
    return lines


def _groups(words: list[str]) -> list[str]:
    """Return the words of a command; an option and its value stay together."""
    groups: list[str] = []
    for word in words:
        is_value = groups and groups[-1].startswith("--") and " " not in groups[-1]
        if is_value and not word.startswith("-"):
            groups[-1] += f" {word}"
        else:
            groups.append(word)
    return groups
