"""Tell whether a change beside some lines could also have changed the lines themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from holdfast.domain.anchors.alignment import FileComparison
from holdfast.domain.anchors.file_lines import Fit, weight
from holdfast.domain.anchors.line_alignment import GONE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class _Hunk(NamedTuple):
    """Inserted or deleted lines, with all the lines of that side."""

    words: Sequence[str]
    lines: Sequence[str]
    start: int
    stop: int


def slides_in(at: int, to: int, count: int, fit: Fit, compared: FileComparison) -> bool:
    """Tell whether a change above or below could also have changed these lines."""
    above = _above(at - fit.before - 1, to - fit.before - 1, compared)
    below = _below(at + count + fit.after, to + count + fit.after, compared)
    most = count - 1
    return any(_intrudes(hunk, 1, fit.before, most) for hunk in above) or any(
        _intrudes(hunk, -1, fit.after, most) for hunk in below
    )


def _above(old: int, new: int, compared: FileComparison) -> Iterator[_Hunk]:
    """Yield the insertions and deletions between the equal lines and the changed ones above."""
    kept = compared.kept
    if old < -1 or new < -1:
        return
    image = kept[old] if old >= 0 else -1
    if (old < 0 or image != GONE) and image < new:
        yield _Hunk(compared.now_words, compared.now, image + 1, new + 1)
    source = _source(kept, new) if new >= 0 else -1
    if source is not None and source < old:
        yield _Hunk(compared.then_words, compared.then, source + 1, old + 1)


def _below(old: int, new: int, compared: FileComparison) -> Iterator[_Hunk]:
    kept, length = compared.kept, len(compared.now)
    if old > len(kept) or new > length:
        return
    image = kept[old] if old < len(kept) else length
    if image != GONE and image > new:
        yield _Hunk(compared.now_words, compared.now, new, image)
    source = _source(kept, new) if new < length else len(kept)
    if source is not None and source > old:
        yield _Hunk(compared.then_words, compared.then, old, source)


def _source(kept: Sequence[int], new: int) -> int | None:
    return kept.index(new) if new in kept else None


def _intrudes(hunk: _Hunk, step: int, reach: int, most: int) -> bool:
    """Tell whether a hunk that slides into the lines fits there at least as well as outside."""
    outside, inside = [_natural(hunk, 0)], list[tuple[bool, int, bool]]()
    for slid in range(1, reach + most + 1):
        leaving, coming = (slid - 1, slid - 1) if step > 0 else (-slid, -slid)
        one, other = hunk.start + leaving, hunk.stop + coming
        if one < 0 or other >= len(hunk.words) or hunk.words[one] != hunk.words[other]:
            break
        where = outside if slid <= reach else inside
        where.append(_natural(hunk, step * slid))
    return bool(inside) and max(inside) >= max(outside)


def _natural(hunk: _Hunk, slid: int) -> tuple[bool, int, bool]:
    """Return how natural a start of a change is: content first, then low indent, then a gap."""
    start = hunk.start + slid
    line = hunk.lines[start] if start < len(hunk.lines) else ""
    indent = len(line) - len(line.lstrip())
    is_after_gap = start == 0 or not hunk.words[start - 1]
    return weight(line) > 0, -indent, is_after_gap
