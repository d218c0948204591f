"""Find a span by its marks, when the file that it was read from is no longer available.

Equal marks show similar lines, and the hash of the text proves that the text is the same. If all
lines of the old file were marked, it is compared with the current one like a file that git has.
Otherwise the rest of the old file is unknown, so the verdict claims less: if a text could be
another copy, the verdict only names its place.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from holdfast.domain.anchors.alignment import FileComparison
from holdfast.domain.anchors.file_lines import weight
from holdfast.domain.anchors.line_alignment import GONE, align
from holdfast.domain.anchors.locating import (
    AROUND,
    ENOUGH,
    MOST_PLACES,
    SEVERAL,
    SPACES_ONLY,
    claimed,
    found,
    lines_of,
    locate,
    tells_alone,
    too_common,
)
from holdfast.domain.anchors.shown_changes import now_only
from holdfast.domain.memory.anchor import (
    CONTEXT_LINES,
    HOLDING,
    Sighting,
    Verdict,
    loose_hash,
    mark,
    text_hash,
)
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.memory.anchor import Anchor
    from holdfast.domain.memory.evidence import Span

# Chosen by hand; ``make torture-git`` checks the verdicts that they lead to.
_MUCH = 60
_ENOUGH_AROUND = 20
_A_LITTLE = 10
_MOST_HASHED = 64 * 1024 * 1024
_MOST_WINDOWS = 1_000
_LIKE = 0.3
_BLANK = mark("")
UNNOTED = "little was noted when it was read"


class Marked:
    """The lines of a file, and the mark of each."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines

    @cached_property
    def marks(self) -> list[str]:
        """The mark of each line."""
        return [mark(line) for line in self.lines]

    def windows(self, span: Span) -> list[int]:
        """Return every position of exactly the span's text."""
        count = lines_of(span).count
        marks = () if span.anchor is None else span.anchor.marks
        starts = self.alike(marks) if marks else self._all_windows(count)
        wanted, lines = span.text_hash, self.lines
        return [at for at in starts if text_hash(lines[at : at + count]) == wanted]

    def alike(self, marks: Sequence[str]) -> list[int]:
        """Return the positions of lines with the same marks."""
        mine, wanted, first = self.marks, list(marks), marks[0]
        starts = [at for at, one in enumerate(mine) if one == first]
        return [at for at in starts if mine[at : at + len(wanted)] == wanted]

    def _all_windows(self, count: int) -> range:
        size = sum(map(len, self.lines)) + len(self.lines)
        most = len(self.lines) - count + 1
        if most > 0 and size * min(count, most) > _MOST_HASHED:
            return range(0)
        return range(max(0, most))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sides:
    """How much of the recorded context of a span is present, above and below."""

    is_full_above: bool
    is_full_below: bool
    is_held: bool
    tells: int

    @property
    def is_full(self) -> bool:
        """Tell whether all of it is present."""
        return self.is_full_above and self.is_full_below


def locate_by_marks(span: Span, path: str, marked: Marked) -> Sighting | None:
    """Return the sighting of a span in a file, from its anchor alone; None if it is gone."""
    exact = marked.windows(span)
    if span.anchor is None:
        return _unanchored(span, path, marked, exact)
    if not exact:
        return _changed(span, span.anchor, path, marked)
    if len(exact) > _MOST_WINDOWS:
        return too_common()
    whole = _by_all_marks(span, span.anchor, path, marked, exact[0])
    return whole or _by_context(span, span.anchor, path, marked, exact)


def _by_context(
    span: Span, anchor: Anchor, path: str, marked: Marked, exact: Sequence[int]
) -> Sighting:
    """Return the verdict on equal texts that the lines next to them allow."""
    sides = {at: _sides(span, anchor, marked, at) for at in exact}
    # A copy next to the original shares one side of its context.
    full = [at for at in exact if sides[at].is_full_above or sides[at].is_full_below]
    if len(full) == 1 and sides[full[0]].is_full and sides[full[0]].tells >= _ENOUGH_AROUND:
        seen = claimed(span, path, full[0])
        if len(exact) == 1 or seen.verdict is Verdict.FRESH:
            return seen
    count = lines_of(span).count
    text = marked.lines[exact[0] : exact[0] + count]
    seen = claimed(span, path, exact[0])
    is_held = len(exact) == 1 and sides[exact[0]].is_held
    if is_held and seen.verdict is Verdict.FRESH and tells_alone(text) >= _MUCH:
        return seen
    ranked = list(dict.fromkeys([*full, *exact]))[:MOST_PLACES]
    places = tuple([found(path, at, count) for at in ranked])
    how = SEVERAL if len(places) > 1 else AROUND
    return Sighting(verdict=Verdict.DRIFTED, places=places, how=how)


def _by_all_marks(
    span: Span, anchor: Anchor, path: str, marked: Marked, at: int
) -> Sighting | None:
    """Return the verdict that a comparison with the whole old file proves; None if none is.

    A line of the old file has the text of a current line with the same mark. A line without one is
    gone, and what it said does not matter.
    """
    if not anchor.is_all_marked:
        return None
    known = dict(zip(marked.marks, marked.lines, strict=True))
    text = marked.lines[at : at + lines_of(span).count]
    before = [known.get(one, f"\0{one}") for one in anchor.before]
    after = [known.get(one, f"\0{one}") for one in anchor.after]
    seen = locate(span, path, FileComparison([*before, *text, *after], marked.lines))
    return seen if seen is not None and seen.verdict in HOLDING else None


def is_sure(span: Span, marked: Marked, at: int) -> bool:
    """Tell whether a place has all of the recorded context, and the context is distinctive."""
    if span.anchor is None:
        return False
    sides = _sides(span, span.anchor, marked, at)
    return sides.is_full and sides.tells >= ENOUGH


def _sides(span: Span, anchor: Anchor, marked: Marked, at: int) -> _Sides:
    count = lines_of(span).count
    # One line more than was recorded shows whether the file continues there.
    most = CONTEXT_LINES + 1
    before = marked.marks[max(0, at - most) : at][::-1]
    after = marked.marks[at + count : at + count + most]
    noted_above, noted_below = anchor.before[::-1][:CONTEXT_LINES], anchor.after[:CONTEXT_LINES]
    up = _matched(noted_above, before)
    down = _matched(noted_below, after)
    lines = marked.lines[max(0, at - up) : at + count + down]
    return _Sides(
        is_full_above=_is_all(noted_above, up, before),
        is_full_below=_is_all(noted_below, down, after),
        is_held=_holds(noted_above, up, before) and _holds(noted_below, down, after),
        tells=sum(map(weight, lines)),
    )


def _matched(noted: Sequence[str], there: Sequence[str]) -> int:
    """Return how many marks are equal, starting with the nearest."""
    for index, one in enumerate(noted):
        if index >= len(there) or there[index] != one:
            return index
    return len(noted)


def _is_all(noted: Sequence[str], matched: int, there: Sequence[str]) -> bool:
    """Tell whether all recorded marks matched; fewer marks than usual mean the end of the file."""
    ends_alike = len(noted) == CONTEXT_LINES or len(there) == matched
    return matched == len(noted) and ends_alike


def _holds(noted: Sequence[str], matched: int, there: Sequence[str]) -> bool:
    """Tell whether a recorded line that is not blank is still there, or else the file's end."""
    if any(one != _BLANK for one in noted[:matched]):
        return True
    return len(noted) < CONTEXT_LINES and _is_all(noted, matched, there)


def _unanchored(span: Span, path: str, marked: Marked, exact: Sequence[int]) -> Sighting | None:
    """Return the verdict that the hash of the text alone allows."""
    if not exact:
        return None
    was = lines_of(span)
    tells = tells_alone(marked.lines[exact[0] : exact[0] + was.count])
    is_here = path == span.path and exact[0] == was.at
    if len(exact) == 1 and tells >= (_A_LITTLE if is_here else ENOUGH):
        return claimed(span, path, exact[0])
    places = tuple([found(path, at, was.count) for at in exact[:MOST_PLACES]])
    how = SEVERAL if len(exact) > 1 else f"the same text, but {UNNOTED}"
    return Sighting(verdict=Verdict.DRIFTED, places=places, how=how)


def _changed(span: Span, anchor: Anchor, path: str, marked: Marked) -> Sighting | None:
    if not anchor.marks:
        return None
    count = lines_of(span).count
    if spaced := marked.alike(anchor.marks):
        places = tuple([found(path, at, count) for at in spaced[:MOST_PLACES]])
        return Sighting(verdict=Verdict.DRIFTED, places=places, how=SPACES_ONLY)
    excerpt = (*anchor.before, *anchor.marks, *anchor.after)
    kept = align(excerpt, marked.marks)
    first, last = len(anchor.before), len(anchor.before) + count
    inside = [to for to in kept[first:last] if to != GONE and marked.marks[to] != _BLANK]
    around = _between(kept, first, last, marked, is_all=anchor.is_all_marked)
    told = sum(one != _BLANK for one in anchor.marks)
    if inside and len(inside) >= _LIKE * told:
        start, end = inside[0], inside[-1] + 1
        if around is not None and around[1] - around[0] <= 3 * count:
            start, end = around
    elif (
        around is not None and 0 < around[1] - around[0] <= 2 * count and _are_sure(around, marked)
    ):
        start, end = around
    else:
        return None
    now = marked.lines[start:end]
    spaces = loose_hash(now) == anchor.loose_hash
    return Sighting(
        verdict=Verdict.DRIFTED,
        places=(found(path, start, end - start),),
        how=SPACES_ONLY if spaces else "",
        change=() if spaces else _difference(anchor, now, marked.marks[start:end]),
    )


def _between(
    kept: Sequence[int], first: int, last: int, marked: Marked, *, is_all: bool
) -> tuple[int, int] | None:
    """Return the lines between the two neighbours of the span, if both are present.

    If the whole old file is known (``is_all``), its start and its end are neighbours too.
    """
    if not is_all and (first == 0 or last == len(kept)):
        return None
    before = kept[first - 1] if first else -1
    after = kept[last] if last < len(kept) else len(marked.lines)
    is_kept = (first == 0 or before != GONE) and after != GONE
    return (before + 1, after) if is_kept else None


def _are_sure(around: tuple[int, int], marked: Marked) -> bool:
    """Tell whether the lines above and below a gap are unique in the file, and one exists."""
    beside = [at for at in (around[0] - 1, around[1]) if 0 <= at < len(marked.lines)]
    return bool(beside) and all(marked.marks.count(marked.marks[at]) == 1 for at in beside)


def _difference(anchor: Anchor, now: Sequence[str], marks: Sequence[str]) -> tuple[str, ...]:
    """Return the new lines, and the number of removed lines, whose text is unknown."""
    old = set(anchor.marks)
    gone = sum(one not in set(marks) for one in anchor.marks)
    head = f"- ({gone} of {len(anchor.marks)} lines are gone; what they said is not known)"
    signed = [f"{' ' if one in old else '+'}{line}" for line, one in zip(now, marks, strict=True)]
    return now_only(head, signed)
