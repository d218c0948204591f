"""How the memory tool shows files and folders."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MOST_LINES = 999_999
_WIDTH = len(str(MOST_LINES))
_UNITS = ("B", "K", "M", "G")
_KILO = 1024
_BITS_OF_KILO = 10
_FOLDER_SIZE = "4K"
_RANGE = 2
_AROUND = 2


def numbered(lines: Sequence[str], view_range: Sequence[int] | None) -> str:
    """Return lines with their numbers; a range of -1 goes to the last line."""
    first, last = 0, len(lines)
    if view_range and len(view_range) == _RANGE:
        first = max(1, view_range[0]) - 1
        last = last if view_range[1] == -1 else view_range[1]
    shown = lines[first:last]
    return "\n".join(f"{at:>{_WIDTH}}\t{line}" for at, line in enumerate(shown, start=first + 1))


def snippet(text: str, line: int) -> str:
    """Return the lines around one, with their numbers."""
    lines = text.split("\n")
    first, last = max(0, line - _AROUND), min(len(lines), line + _AROUND + 1)
    return "\n".join(f"{at + 1:>{_WIDTH}}\t{lines[at]}" for at in range(first, last))


def lines_without_tail(text: str) -> list[str]:
    """Return the lines of a text, without the empty one that a last line break leaves."""
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def listing(path: str, place: str, inside: Mapping[str, str | None]) -> str:
    """Return the entries of a folder, up to two levels deep; hidden ones are left out.

    ``inside`` are the texts of files by their paths, and None for folders.
    """
    lines = [f"{_FOLDER_SIZE}\t{path}"]
    lines += [f"{size}\t{path}/{name}" for size, name in _entries(place, inside, "", 1)]
    head = (
        f"Here're the files and directories up to 2 levels deep in {path}, excluding hidden items:"
    )
    return "\n".join([head, *lines])


def _entries(
    folder: str, inside: Mapping[str, str | None], before: str, depth: int
) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    names = {one[len(folder) + 1 :] for one in inside if one.startswith(f"{folder}/")}
    for name in sorted(one for one in names if "/" not in one and not one.startswith(".")):
        place, shown = f"{folder}/{name}", f"{before}{name}"
        text = inside[place]
        if text is not None:
            found.append((size_text(len(text.encode())), shown))
            continue
        found.append((_FOLDER_SIZE, f"{shown}/"))
        if depth == 1:
            found += _entries(place, inside, f"{shown}/", depth + 1)
    return found


def size_text(size: int) -> str:
    """Return a number of bytes as ``0B``, ``12B``, ``1.5K`` or ``4K``."""
    if size == 0:
        return "0B"
    unit = min((size.bit_length() - 1) // _BITS_OF_KILO, len(_UNITS) - 1)
    count = size / _KILO**unit
    return f"{count:.0f}{_UNITS[unit]}" if count == int(count) else f"{count:.1f}{_UNITS[unit]}"
