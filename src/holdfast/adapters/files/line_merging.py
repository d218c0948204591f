"""Three-way merge of the lines of a text."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
from holdfast.adapters.files.page_text import lines_of


class _Change(NamedTuple):
    """The lines of the base from ``start`` to ``stop`` were replaced by ``lines``."""

    start: int
    stop: int
    lines: list[str]


def merge_lines(base: str, ours: str, theirs: str) -> str:
    """Return a text with both edits; if both replaced the same lines, theirs is taken.

    Lines that both inserted at one position are all kept, ours first; equal ones are kept once.
    """
    if theirs in (ours, base):
        return ours
    if ours == base:
        return theirs
    lines = [_ended(lines_of(text)) for text in (base, ours, theirs)]
    made: list[str] = []
    at = 0
    for start, stop, fresh in _joined(lines[0], lines[1], lines[2]):
        made += lines[0][at:start]
        made += fresh
        at = stop
    return "".join([*made, *lines[0][at:]])


def lines_lost(before: bytes, saved: bytes, now: bytes) -> bool:
    """Return whether a save added lines that are not in the current text."""
    return bool(_lines(saved) - _lines(before) - _lines(now))


def _lines(content: bytes) -> set[bytes]:
    return {line.strip() for line in content.splitlines() if line.strip()}


def _ended(lines: list[str]) -> list[str]:
    """Return the lines with a line end on the last one, so that another can follow it."""
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    return lines


def _joined(base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]) -> Iterator[_Change]:
    """Yield the changes of both sides in order; of overlapping ones, only theirs."""
    mine, yours = _changes(base, ours), _changes(base, theirs)
    while mine or yours:
        if not yours or (mine and _is_before(mine[0], yours[0])):
            yield mine.pop(0)
        elif not mine or _is_before(yours[0], mine[0]):
            yield yours.pop(0)
        else:
            yield _theirs(base, mine, yours)


def _is_before(one: _Change, other: _Change) -> bool:
    """Return whether a change ends before another begins; false for two equal ones."""
    return one.stop <= other.start and one != other


def _theirs(base: Sequence[str], mine: list[_Change], yours: list[_Change]) -> _Change:
    """Remove the overlapping changes from both lists, and return theirs for those lines."""
    ours, theirs = mine.pop(0), yours.pop(0)
    start, stop, taken = min(ours.start, theirs.start), max(ours.stop, theirs.stop), [theirs]
    while (mine and mine[0].start < stop) or (yours and yours[0].start < stop):
        if mine and mine[0].start < stop:
            stop = max(stop, mine.pop(0).stop)
        else:
            taken.append(yours.pop(0))
            stop = max(stop, taken[-1].stop)
    return _Change(start, stop, _applied(base, taken, start, stop))


def _applied(base: Sequence[str], changes: Sequence[_Change], start: int, stop: int) -> list[str]:
    made: list[str] = []
    for change in changes:
        made += base[start : change.start]
        made += change.lines
        start = change.stop
    return [*made, *base[start:stop]]


def _changes(base: Sequence[str], side: Sequence[str]) -> list[_Change]:
    matcher = SequenceMatcher(None, base, side, autojunk=False)
    return [
        _Change(start, stop, list(side[first:last]))
        for tag, start, stop, first, last in matcher.get_opcodes()
        if tag != "equal"
    ]
