"""Find a span in another file: after a rename, a split, or a move by hand.

A text counts as moved only if it left its own file, appeared in a file that did not have it, and
is unique, with its context, among all files. A copy that existed before is not the new place of
the lines, and neither is a text in a file whose old content is unknown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.anchors.alignment import FileComparison
from holdfast.domain.anchors.file_lines import Budget, Fit, is_closing, weight, words
from holdfast.domain.anchors.locating import (
    ENOUGH,
    MOST_PLACES,
    MOST_STEPS,
    SEVERAL,
    changed,
    claimed,
    fixed_blanks,
    found,
    is_proved,
    lines_of,
    too_common,
)
from holdfast.domain.anchors.marking import is_sure, locate_by_marks
from holdfast.domain.anchors.suspects import FileToSearch, Suspect
from holdfast.domain.memory.anchor import Sighting, Verdict
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from holdfast.domain.memory.evidence import Span

_HALF = 0.5
_TELLING = 8
_COST_OF_WINDOW = 40
_FEWEST_PROVED = 2
COPY = "the same text, which may be a copy"
UNKNOWN_PAST = (
    "the same text, but git does not know what that file held then, so it may be an older copy"
)


def decide(
    span: Span,
    places: Sequence[Suspect],
    homes: Mapping[str, Collection[str]] | None,
) -> Sighting:
    """Return the sighting: the proved place, or all places as doubtful.

    ``homes`` maps each line of the proofs to the files that contain it, ignoring white space; if
    it is None, the search was not possible and nothing is proved.
    """
    best = max(places, key=lambda one: one.fit.total)
    rest = [one for one in places if one is not best]
    was = lines_of(span)
    is_copied = any(one.compared.is_alike(was.at, one.at, one.count) for one in rest)
    is_best = not is_copied and all(best.fit.beats(one.fit) for one in rest)
    if is_best and _is_proved(span, best, homes, is_alone=not rest):
        return claimed(span, best.candidate.path, best.at)
    ranked = sorted(places, key=lambda one: -one.fit.total)[:MOST_PLACES]
    named = tuple([found(one.candidate.path, one.at, was.count) for one in ranked])
    alone = UNKNOWN_PAST if best.candidate.then is None else COPY
    return Sighting(
        verdict=Verdict.DRIFTED, places=named, how=SEVERAL if len(places) > 1 else alone
    )


def _is_proved(
    span: Span,
    suspect: Suspect,
    homes: Mapping[str, Collection[str]] | None,
    *,
    is_alone: bool,
) -> bool:
    was, path, candidate = lines_of(span), suspect.candidate.path, suspect.candidate
    if homes is None or not all(suspect.fit.beats(rival) for rival in suspect.rivals):
        return False
    if candidate.then is None:
        return False
    common = {
        line for line in map(words, suspect.proof) if any(file != path for file in homes[line])
    }
    if is_proved(
        suspect.at, was.count, suspect.near, suspect.compared, is_alone=is_alone, but=common
    ):
        return True
    return is_alone and _is_carried_whole(suspect, common)


def _is_carried_whole(suspect: Suspect, common: Collection[str]) -> bool:
    """Tell whether a text appeared as a whole in a file, although common lines are at its edges.

    No file may have had the text when it was read. Several lines of the text itself must be unique
    in all files, so that no other file has the text now. The lines at its edges must be new in the
    file, or they may be lines that were there before. A blank line at an edge may be any other.
    """
    past, compared = suspect.candidate.text_then, suspect.compared
    if past is None or suspect.rivals:
        return False
    own = Fit(before=0, after=0)
    proved = compared.proved(suspect.at, suspect.count, but=common)
    told = compared.information(suspect.at, suspect.count, own, but=common)
    if len(proved) < _FEWEST_PROVED or told < 2 * ENOUGH:
        return False
    above, below = compared.edges(suspect.at, suspect.count, suspect.near, but=common)
    held_above, held_below = fixed_blanks(suspect.at, suspect.count, suspect.near, compared)
    if "" in (above - held_above) | (below - held_below):
        return False
    ending = frozenset(line for line in below if not is_closing(line))
    return (above | ending).isdisjoint(past.words)


def suspected_by_marks(
    span: Span, candidates: Iterable[FileToSearch], *, budget: Budget | None = None
) -> Sighting | None:
    """Return where a span may be if the file that it was read from is not available."""
    count, budget = lines_of(span).count, budget or Budget(MOST_STEPS)
    sure, doubtful = [], []
    for candidate in candidates:
        for at in candidate.marked.windows(span):
            budget.spend(_COST_OF_WINDOW)
            if budget.is_spent:
                return too_common()
            place = found(candidate.path, at, count)
            if candidate.then is None or not is_sure(span, candidate.marked, at):
                doubtful.append(place)
            elif not _was_there(span, candidate):
                sure.append(place)
    if len(sure) == 1 and not doubtful:
        return Sighting(verdict=Verdict.MOVED, places=tuple(sure))
    places = (*sure, *doubtful)[:MOST_PLACES]
    if not places:
        return None
    return Sighting(
        verdict=Verdict.DRIFTED, places=places, how=SEVERAL if len(places) > 1 else COPY
    )


def _was_there(span: Span, candidate: FileToSearch) -> bool:
    before = candidate.marked_then
    return any(is_sure(span, before, at) for at in before.windows(span))


def resembling(
    span: Span,
    then: Sequence[str] | None,
    candidates: Iterable[FileToSearch],
    *,
    renamed: Collection[str],
) -> Sighting | None:
    """Return which file contains the remains of a span whose exact text is gone; None if none."""
    likely = []
    for candidate in candidates:
        share = 1.0 if candidate.path in renamed else 0.0
        if then is not None:
            share += _share(span, then, candidate)
        if share >= _HALF:
            likely.append((share, candidate))
    for _, candidate in sorted(likely, key=lambda pair: (-pair[0], pair[1].path)):
        if then is None:
            sighting = locate_by_marks(span, candidate.path, candidate.marked)
        else:
            sighting = changed(span, candidate.path, FileComparison(then, candidate.text))
        if sighting is not None:
            return replace(sighting, verdict=Verdict.DRIFTED)
    return None


def _share(span: Span, then: Sequence[str], candidate: FileToSearch) -> float:
    """Return the share of the span's distinctive lines that newly appeared in a file."""
    was = lines_of(span)
    text = {line for line in then[was.at : was.end] if weight(line) >= _TELLING}
    held = frozenset() if candidate.text_then is None else candidate.text_then.distinct
    came = (text & candidate.text.distinct) - held
    told = sum(map(weight, text))
    return sum(map(weight, came)) / told if told else 0.0
