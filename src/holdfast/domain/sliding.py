"""Whether a change next to some lines could just as well have been made inside them.

Lines that come in or go often read like those around them: the brace that ends a new function
is also the brace that ends the one above it. A diff then shows one of several ways in which
the change could have happened. The most natural one starts where a block starts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from holdfast.domain.alignment import GONE, weight

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from holdfast.domain.alignment import Comparison, Fit


class _Hunk(NamedTuple):
    """Lines that came or went, among all the lines of that side."""

    words: Sequence[str]
    lines: Sequence[str]
    start: int
    stop: int


def slides_in(at: int, to: int, count: int, fit: Fit, compared: Comparison) -> bool:
    """Tell whether what changed above or below could have changed some lines themselves."""
    above = _above(at - fit.before - 1, to - fit.before - 1, compared)
    below = _below(at + count + fit.after, to + count + fit.after, compared)
    most = count - 1
    return any(_intrudes(hunk, 1, fit.before, most) for hunk in above) or any(
        _intrudes(hunk, -1, fit.after, most) for hunk in below
    )


def _above(old: int, new: int, compared: Comparison) -> Iterator[_Hunk]:
    """Return what came or went between the lines above that differ and those that are the same."""
    kept = compared.kept
    if old < -1 or new < -1:
        return
    image = kept[old] if old >= 0 else -1
    if (old < 0 or image != GONE) and image < new:
        yield _Hunk(compared.now_words, compared.now, image + 1, new + 1)
    source = _source(kept, new) if new >= 0 else -1
    if source is not None and source < old:
        yield _Hunk(compared.then_words, compared.then, source + 1, old + 1)


def _below(old: int, new: int, compared: Comparison) -> Iterator[_Hunk]:
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
    """Tell whether a hunk, slid over as many lines as are the same, fits inside no worse."""
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
    """Return how natural it is that a change starts with a line: a block's first, after a gap."""
    start = hunk.start + slid
    line = hunk.lines[start] if start < len(hunk.lines) else ""
    indent = len(line) - len(line.lstrip())
    is_after_gap = start == 0 or not hunk.words[start - 1]
    return weight(line) > 0, -indent, is_after_gap
