"""Find the places in other files where a span may be now."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from holdfast.domain.anchors.alignment import FileComparison
from holdfast.domain.anchors.file_lines import Budget, Fit, Text
from holdfast.domain.anchors.locating import (
    MOST_STEPS,
    lines_of,
)
from holdfast.domain.anchors.marking import Marked
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from holdfast.domain.anchors.locating import Lines
    from holdfast.domain.memory.evidence import Span


# Chosen by hand; ``make torture-git`` checks the verdicts that they lead to.
_LINES_ASKED = 30


class FileToSearch:
    """A file that may contain a span now.

    ``then`` is its old content: empty if the file is new, None if the content is unknown.
    """

    def __init__(
        self, path: str, now: Sequence[str] | Text, then: Sequence[str] | Text | None
    ) -> None:
        self.path = path
        self.text = Text.of(now)
        self.text_then = None if then is None else Text.of(then)

    @property
    def now(self) -> Sequence[str]:
        """The current lines."""
        return self.text.lines

    @property
    def then(self) -> Sequence[str] | None:
        """The old lines."""
        return None if self.text_then is None else self.text_then.lines

    @cached_property
    def marked(self) -> Marked:
        """The current lines with their marks."""
        return Marked(self.now)

    @cached_property
    def marked_then(self) -> Marked:
        """The old lines with their marks."""
        return Marked(self.then or ())


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspect:
    """A place in another file with exactly the text of a span."""

    candidate: FileToSearch
    at: int
    count: int
    fit: Fit
    compared: FileComparison
    rivals: tuple[Fit, ...] = ()

    @property
    def near(self) -> Fit:
        """The fit, limited to the nearby lines that are looked up in other files."""
        fit = self.fit
        return Fit(before=min(fit.before, _LINES_ASKED), after=min(fit.after, _LINES_ASKED))

    @property
    def proof(self) -> frozenset[str]:
        """The lines at and around the place that could prove its origin."""
        last = self.at + self.count + self.near.after
        return frozenset(self.candidate.now[max(0, self.at - self.near.before) : last])


def suspects(
    span: Span,
    then: Sequence[str] | Text,
    candidates: Iterable[FileToSearch],
    *,
    pasts: Iterable[Sequence[str] | Text] = (),
    budget: Budget | None = None,
) -> list[Suspect] | None:
    """Return the places in other files where a span may be, without those of other lines.

    ``pasts`` are the old contents of other files that have changed since. None means that there
    are too many places to compare.
    """
    was, budget = lines_of(span), budget or Budget(MOST_STEPS)
    source = Text.of(then)
    text = source.lines[was.at : was.end]
    others = [(source, at) for at in source.occurrences(text) if at != was.at]
    for past in map(Text.of, pasts):
        others += [(past, at) for at in past.occurrences(text)]
    places: list[Suspect] = []
    for candidate in candidates:
        found = candidate.text.occurrences(text)
        before = candidate.text_then or Text(())
        there = [(before, at) for at in before.occurrences(text)] if found else []
        if not budget.allows(len(found) * (1 + len(there) + len(others))):
            return None
        for at in found:
            suspect = _suspect(was, source, candidate, at, (there, others), budget)
            if budget.is_spent:
                return None
            if suspect is not None:
                places.append(suspect)
    return places


def _suspect(
    was: Lines,
    source: Text,
    candidate: FileToSearch,
    at: int,
    known: tuple[Sequence[tuple[Text, int]], Sequence[tuple[Text, int]]],
    budget: Budget,
) -> Suspect | None:
    """Return a place as a suspect, unless its lines are known to be others.

    ``known`` are the places of the same text in the file's own old content, and those elsewhere.
    """

    def fits(olds: Iterable[tuple[Text, int]]) -> list[Fit]:
        return [
            FileComparison(old, candidate.text).fit_within(budget, row, at, was.count)
            for old, row in olds
        ]

    compared = FileComparison(source, candidate.text)
    fit = compared.fit_within(budget, was.at, at, was.count)
    there, rivals = fits(known[0]), fits(known[1])
    # Text that was there before, or that fits other lines better, is not the moved span.
    if any(one.covers(fit) for one in there) or any(one.beats(fit) for one in rivals):
        return None
    return Suspect(
        candidate=candidate,
        at=at,
        count=was.count,
        fit=fit,
        compared=compared,
        rivals=(*there, *rivals),
    )
