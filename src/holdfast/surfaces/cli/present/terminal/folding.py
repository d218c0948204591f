"""Break notes and errors between words, for a terminal.

A command stays on one line, because a line break in a copied command would run half of it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from holdfast.domain.gates.unseen import escaped
from holdfast.surfaces.cli.present.terminal.measuring import columns
from holdfast.surfaces.cli.present.terminal.short_ids import as_at_terminal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_UNBROKEN = re.compile(r"'[^'\n]{1,60}'|holdfast [^\s](?:(?! \(with --).)*|\[.\] \S+|\S+")
"""A quotation, a command up to its options in brackets or the end of its line, a key, or a word."""


def folded_parts(parts: Sequence[str], width: int) -> list[str]:
    """Return the parts of a text in lines of a width, each in its style; names have short ids."""
    shown = [_like(part, escaped(str(as_at_terminal(part)))) for part in parts]
    breaks = dict(_breaks("".join(shown), width))
    return list(_broken(shown, breaks)) if breaks else shown


def _breaks(text: str, width: int) -> Iterator[tuple[int, str]]:
    """Yield the places of the spaces that a line break replaces, and what each becomes."""
    begin = 0
    for line in text.splitlines(keepends=True):
        indent = line[: len(line) - len(line.lstrip(" "))]
        start = 0
        for word in _UNBROKEN.finditer(line):
            taken = (len(indent) if start else 0) + columns(line[start : word.end()])
            before = line[start : word.start()]
            kept = before.rstrip(" ")
            if taken > width and kept and kept != before:
                yield from ((begin + place, "") for place in range(start + len(kept), word.start()))
                start = word.start()
                yield begin + start - 1, f"\n{indent}"
        begin += len(line)


def _broken(parts: Sequence[str], breaks: dict[int, str]) -> Iterator[str]:
    begin = 0
    for part in parts:
        letters = [breaks.get(begin + place, letter) for place, letter in enumerate(part)]
        begin += len(part)
        yield _like(part, "".join(letters))


def _like(part: str, text: str) -> str:
    """Return a text in the style of a part."""
    return type(part)(text)
