"""Find the lines of a span in the current file, and decide whether they changed.

Equal text counts as the same lines only if there is no other explanation: no other place that it
could be now, and no other lines that it could have been. Otherwise the verdict names all places. A
text with little content, such as a brace, needs more matching context than a distinctive one.

Decide whether a change next to some lines could also have happened inside them.

Inserted or deleted lines are often equal to lines around them: the brace that ends a new function
equals the brace that ends the one above it. A diff then shows only one of several possible
positions of the change. The most natural position starts where a block starts.
"""

from __future__ import annotations

import re
from itertools import takewhile
from operator import itemgetter
from typing import TYPE_CHECKING

from holdfast.domain.anchors.alignment import FileComparison
from holdfast.domain.anchors.file_lines import Budget, Fit, weight, words
from holdfast.domain.anchors.line_alignment import GONE
from holdfast.domain.anchors.shown_changes import difference
from holdfast.domain.anchors.sliding import slides_in
from holdfast.domain.memory.anchor import FoundLines, Sighting, Verdict, loose_hash, text_hash
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from holdfast.domain.memory.evidence import Span


# Chosen by hand; ``make torture-git`` checks the verdicts that they lead to.
MOST_PLACES = 8
ENOUGH = 30
_ENOUGH_HELD = 10
MOST_STEPS = 60_000
_LIKE = 0.3
_STRAY = 15
_ROOM = 10
_WORD = re.compile(r"\w+")
_BLANKS = re.compile(r"^[^\S\n]+|[^\S\n]+$|[^\S\n ]|[^\S\n]{2,}")
_MARKS = {ord(" "): "·", ord("\t"): "→", 0xA0: "⍽"}

SPACES_ONLY = "only white space changed"
SEVERAL = "the same text stands in several places"
TOO_COMMON = "too common: the same text stands in too many places to tell which one it is"
AROUND = "the text is the same, but nothing shows that it is the same place; it may be another copy"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """A range of lines, counted from 0."""

    at: int
    count: int

    @property
    def end(self) -> int:
        """The line after the last."""
        return self.at + self.count


def lines_of(span: Span) -> Lines:
    """Return the range of a span."""
    return Lines(at=span.first - 1, count=span.last - span.first + 1)


def read_then(span: Span, then: Sequence[str] | None) -> Sequence[str] | None:
    """Return the text of a span from the old version of its file; None if the hash differs."""
    if then is None:
        return None
    text = then[span.first - 1 : span.last]
    return text if text and text_hash(text) == span.text_hash else None


def too_common() -> Sighting:
    """Return the verdict on lines that occur in too many places to compare."""
    return Sighting(verdict=Verdict.UNVERIFIABLE, how=TOO_COMMON)


def locate(
    span: Span, path: str, compared: FileComparison, *, budget: Budget | None = None
) -> Sighting | None:
    """Return the sighting of a span in a file, given the old version; None if it is gone.

    The old lines of the comparison must contain the span's text at the span's place.
    """
    was = lines_of(span)
    text = compared.then[was.at : was.end]
    budget = budget or Budget(MOST_STEPS)
    now = compared.text_now.occurrences(text)
    others = [at for at in compared.text_then.occurrences(text) if at != was.at]
    if not budget.allows(len(now) * (len(others) + 1)):
        return too_common()
    fits = {to: compared.fit_within(budget, was.at, to, was.count) for to in now}
    rivals: dict[int, list[Fit]] = {}
    for to in now:
        rivals[to] = [compared.fit_within(budget, at, to, was.count) for at in others]
        if budget.is_spent:
            return too_common()
    left = [to for to in now if not any(rival.beats(fits[to]) for rival in rivals[to])]
    if not left:
        return changed(span, path, compared)
    best = max(left, key=lambda to: (fits[to].total, to == was.at))
    others_now = [fit for to, fit in fits.items() if to != best]
    is_copied = any(compared.is_alike(was.at, to, was.count) for to in left if to != best)
    if is_copied or not all(fits[best].beats(fit) for fit in (*others_now, *rivals[best])):
        ranked = sorted(left, key=lambda to: -fits[to].total)
        return _doubtful(path, was.count, ranked, how=SEVERAL if len(left) > 1 else AROUND)
    is_home = path == span.path
    is_still = is_home and best == was.at and stays_around(span, compared)
    known = (len(left) == 1, is_home, is_still)
    if not _is_certain(was, best, fits[best], compared, known):
        kept = compared.kept[was.at : was.end]
        stayed = [max(0, to - row) for row, to in enumerate(kept) if to not in {GONE, best + row}]
        places = dict.fromkeys([best, *stayed[:1], *left])
        return _doubtful(path, was.count, places, how=SEVERAL if len(left) > 1 else AROUND)
    return claimed(span, path, best)


def stays_around(span: Span, compared: FileComparison) -> bool:
    """Tell whether most content of a file outside a span is kept; a header alone is not enough."""
    was = lines_of(span)
    outside = [row for row in range(len(compared.then)) if not was.at <= row < was.end]
    told = {row: weight(compared.then[row]) for row in outside}
    kept = sum(weight for row, weight in told.items() if compared.kept[row] != GONE)
    return 0 < sum(told.values()) <= 2 * kept


def _is_certain(
    was: Lines, best: int, fit: Fit, compared: FileComparison, known: tuple[bool, bool, bool]
) -> bool:
    """Tell whether content and context prove that the best place is the right one.

    ``known`` says whether it is the only place, whether the file is the span's own, and whether
    the place has the same number in it while most of the file stayed.

    An unexplained copy may be the original, and a text with little content may be anything, unless
    unique lines fix it on both sides.
    """
    is_alone, is_home, is_still = known
    if not is_proved(best, was.count, fit, compared, is_alone=is_alone):
        return is_alone and _is_kept_whole(was, best, fit, compared, (is_home, is_still))
    kept = compared.kept[was.at : was.end]
    if kept == list(range(best, best + was.count)):
        return not slides_in(was.at, best, was.count, fit, compared)
    # By alignment, an edge may have stayed with its neighbours while the rest moved.
    strayed = [to not in {GONE, best + row} for row, to in enumerate(kept)]
    rows = range(was.at, was.end)
    edges = [
        sum(weight(compared.then[row]) for row, _ in takewhile(itemgetter(1), pairs))
        for pairs in (
            zip(rows, strayed, strict=True),
            zip(reversed(rows), reversed(strayed), strict=True),
        )
    ]
    pinned = compared.is_pinned(best, was.count, fit)
    return all(is_held or edge < _STRAY for is_held, edge in zip(pinned, edges, strict=True))


def _is_kept_whole(
    was: Lines, best: int, fit: Fit, compared: FileComparison, known: tuple[bool, bool]
) -> bool:
    """Tell whether a text stayed in its place although lines around it changed.

    No other explanation may exist: each copy of the text must be kept and no new copy may exist;
    its edges must not occur among the lines up to the nearest unique lines; and the change must
    not slide into the text. The text must be distinctive, unless it occurs once, and its own file
    only got more lines or it has the same number of the line in a file that mostly stayed.
    """
    is_home, is_still = known
    text = compared.then[was.at : was.end]
    images = {at: compared.kept[at : at + was.count] for at in compared.text_then.occurrences(text)}
    if images[was.at] != list(range(best, best + was.count)):
        return False
    copies = [list(range(to, to + was.count)) for to in compared.text_now.occurrences(text)]
    if sorted(images.values()) != copies:
        return False
    is_only = len(copies) == 1
    is_held = is_home and is_only and any(compared.is_pinned(best, was.count, fit))
    told = compared.information(best, was.count, Fit(before=0, after=0) if is_only else fit)
    # Where lines were only added, even a short text that occurs once is still the same line.
    is_undoubted = is_only and (is_still or (is_home and GONE not in compared.kept))
    enough = _ENOUGH_HELD if is_held else ENOUGH
    if told < (1 if is_undoubted else enough):
        return False
    above, below = compared.edges(best, was.count, fit)
    came_above, came_below = compared.gaps(was.at, best, was.count)
    held_above, held_below = fixed_blanks(best, was.count, fit, compared)
    above, below = above - held_above, below - held_below
    if not above.isdisjoint(came_above) or not below.isdisjoint(came_below):
        return False
    return not slides_in(was.at, best, was.count, fit, compared)


def fixed_blanks(
    to: int, count: int, fit: Fit, compared: FileComparison
) -> tuple[frozenset[str], frozenset[str]]:
    """Return for the top and the bottom edge the blank line, if no other one could be in its place.

    A blank line between kept lines cannot be another one. One at the very edge can, unless the
    lines beyond it are equal too, and not all blank.
    """
    lines, end = compared.now_words, to + count
    is_top = fit.before > to or any(lines[max(0, to - fit.before) : to])
    is_bottom = fit.after > len(lines) - end or any(lines[end : end + fit.after])
    blank, nothing = frozenset({""}), frozenset[str]()
    return (
        blank if is_top or lines[to] else nothing,
        blank if is_bottom or lines[end - 1] else nothing,
    )


def is_proved(
    to: int,
    count: int,
    fit: Fit,
    compared: FileComparison,
    *,
    is_alone: bool,
    but: Collection[str] = frozenset(),
) -> bool:
    """Tell whether unique lines prove a place up to its edges."""
    is_held = all(compared.is_pinned(to, count, fit, but=but))
    if not is_held and not is_alone:
        return False
    is_said = is_held or compared.information(to, count, fit, but=but) >= ENOUGH
    return is_said and compared.is_whole(to, count, fit, but=but)


def claimed(span: Span, path: str, at: int) -> Sighting:
    """Return the verdict on unchanged lines, by their current place."""
    was = lines_of(span)
    place = found(path, at, was.count)
    is_here = path == span.path and at == was.at
    return Sighting(verdict=Verdict.FRESH if is_here else Verdict.MOVED, places=(place,))


def found(path: str, at: int, count: int) -> FoundLines:
    """Return a place with lines counted from 1."""
    return FoundLines(path=path, first=at + 1, last=at + count)


def _doubtful(path: str, count: int, places: Iterable[int], *, how: str) -> Sighting:
    named = [found(path, at, count) for at in places]
    return Sighting(verdict=Verdict.DRIFTED, places=tuple(named[:MOST_PLACES]), how=how)


def changed(span: Span, path: str, compared: FileComparison) -> Sighting | None:
    """Return the sighting of the lines that replaced the span; None if there are none."""
    was = lines_of(span)
    region = _region(was, compared.kept, len(compared.now))
    if region is None:
        return None
    then = compared.then[was.at : was.end]
    now = compared.now[region.at : region.end]
    if not _are_alike(then, now):
        return None
    spaces = loose_hash(then) == loose_hash(now)
    return Sighting(
        verdict=Verdict.DRIFTED,
        places=(found(path, region.at, region.count),),
        how=SPACES_ONLY if spaces else "",
        change=difference(*map(_with_marks, (then, now))) if spaces else difference(then, now),
    )


def _region(was: Lines, kept: Sequence[int], length: int) -> Lines | None:
    """Return the current lines at the old place, derived from the kept lines around it."""
    inside = [to for to in kept[was.at : was.end] if to != GONE]
    above = next((to for to in reversed(kept[: was.at]) if to != GONE), -1)
    below = next((to for to in kept[was.end :] if to != GONE), length)
    is_next_above = was.at == 0 or kept[was.at - 1] != GONE
    is_next_below = was.end == len(kept) or kept[was.end] != GONE
    most = 3 * was.count + _ROOM
    first, last = above + 1, below
    if inside:
        is_open = kept[was.at] == GONE and is_next_above and inside[0] - first <= most
        first = first if is_open else inside[0]
        is_open = kept[was.end - 1] == GONE and is_next_below and last - inside[-1] <= most
        last = last if is_open else inside[-1] + 1
    elif last - first > most:
        first = first if is_next_above else last - was.count
        last = first + was.count
    return Lines(at=first, count=last - first) if first < last else None


def _are_alike(then: Sequence[str], now: Sequence[str]) -> bool:
    """Tell whether enough words of the old lines remain."""
    old = _WORD.findall("\n".join(then))
    new = set(_WORD.findall("\n".join(now)))
    if not old:
        return loose_hash(then) == loose_hash(now)
    return sum(word in new for word in old) >= _LIKE * len(old)


def _with_marks(lines: Sequence[str]) -> list[str]:
    """Return lines whose white space can be seen; a single blank between words stays a blank."""
    return [_BLANKS.sub(lambda run: run[0].translate(_MARKS), line) for line in lines]


def by_symbol(span: Span, path: str, lines: Lines) -> Sighting:
    """Return the verdict on a span of which only the surrounding symbol is left."""
    symbol = span.anchor.symbol if span.anchor is not None else None
    place = found(path, lines.at, lines.count)
    how = f"its text is gone; this is {symbol} now"
    return Sighting(verdict=Verdict.DRIFTED, places=(place,), how=how)


def tells_alone(text: Sequence[str]) -> int:
    """Return how distinctive some lines are by themselves."""
    return sum(weight(line) for line in {words(line) for line in text})
