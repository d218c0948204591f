"""Searches other files for a span that is no longer in its own file."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, NamedTuple

from holdfast.adapters.git.anchors.views import MOST_FILES
from holdfast.adapters.git.reading.objects import existing, read_blobs
from holdfast.adapters.git.reading.reading import maybe_lines
from holdfast.domain.anchors.alignment import FileComparison
from holdfast.domain.anchors.file_lines import Budget, Text, weight, words
from holdfast.domain.anchors.locating import MOST_STEPS, locate, stays_around, too_common
from holdfast.domain.anchors.suspects import FileToSearch, suspects
from holdfast.domain.anchors.tracing import decide, resembling, suspected_by_marks
from holdfast.domain.memory.anchor import Verdict, mark

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from holdfast.adapters.git.anchors.views import FileView
    from holdfast.adapters.git.reading.objects import Differing
    from holdfast.adapters.git.reading.repository import Repository
    from holdfast.domain.anchors.suspects import Suspect
    from holdfast.domain.ids import SpanId
    from holdfast.domain.memory.anchor import Sighting
    from holdfast.domain.memory.evidence import Span

_TELLING = 8
_HOMES = 3
_UNKNOWN = ""
TOO_MANY = "too many files would have to be searched"


class LostSpan(NamedTuple):
    """A span whose text is not at its place, and the old content of its file, if known."""

    span: Span
    then: Text | None

    @property
    def needles(self) -> frozenset[str]:
        """Lines of which a file must hold at least one to be searched."""
        if self.then is None:
            return frozenset()
        text = self.then.lines[self.span.first - 1 : self.span.last]
        telling = frozenset(line for line in text if weight(line) >= _TELLING)
        return telling or frozenset({max(text, key=weight)})

    @property
    def marks(self) -> frozenset[str]:
        """Marks that do the same if the lines themselves are not known."""
        if self.then is not None or self.span.anchor is None:
            return frozenset()
        return frozenset(self.span.anchor.marks[:1])


class _Scope(NamedTuple):
    """The files that spans of one commit may be in, each with its old content, if known.

    ``pasts`` are the old contents of all changed files, with their old names: a copy may have come
    from there. ``names`` maps the old names of renamed files to the new ones.
    """

    blobs: Mapping[str, str | None]
    pasts: Mapping[str, frozenset[str]] = {}
    names: Mapping[str, str] = {}


class Search:
    """One search for all lost spans, with a fixed number of git processes."""

    def __init__(
        self, repository: Repository, view: FileView, lost: Sequence[LostSpan], *, budget: Budget
    ) -> None:
        self._budget = budget
        self._repository = repository
        self._view = view
        self._lost = lost
        self._scopes: dict[str | None, _Scope] = {}
        self._now: dict[str, Text] = {}
        self._then: dict[str, Text | None] = {}
        self._holders: dict[str, set[str]] = {}
        self._candidates: dict[tuple[str, str | None], FileToSearch] = {}
        self.is_whole = True

    def run(self) -> dict[SpanId, Sighting]:
        """Return what was found of each span; spans that were not found are left out."""
        self._scopes = self._bounded()
        paths = {path for scope in self._scopes.values() for path in scope.blobs}
        self.is_whole = len(paths) <= MOST_FILES
        if not self.is_whole:
            return {}
        self._read_now(paths)
        self._read_then()
        places = {lost.span.id: self._places(lost) for lost in self._lost}
        homes = self._homes([one for those in places.values() for one in those or ()])
        found = {
            lost.span.id: self._sighting(lost, places[lost.span.id], homes) for lost in self._lost
        }
        return {name: sighting for name, sighting in found.items() if sighting is not None}

    def _bounded(self) -> dict[str | None, _Scope]:
        """Return the files to search for the spans of each commit; without a commit, all files."""
        heads = {_head(lost.span) for lost in self._lost}
        here = existing(self._repository, [head for head in heads if head is not None])
        scopes: dict[str | None, _Scope] = {
            head: _scope(those) for head, those in self._view.differing(here).items()
        }
        if heads - scopes.keys():
            everything = _Scope(dict.fromkeys(self._view.paths(), _UNKNOWN))
            scopes |= dict.fromkeys(heads - scopes.keys(), everything)
        return scopes

    def _read_now(self, paths: Collection[str]) -> None:
        """Keep the lines of files that hold something of a span, and of renamed files."""
        needles = frozenset().union(*(lost.needles for lost in self._lost))
        marks = frozenset().union(*(lost.marks for lost in self._lost))
        always = {name for scope in self._scopes.values() for name in scope.names.values()}
        for path, content in self._view.stream(sorted(paths)):
            lines = maybe_lines(content)
            if lines is None:
                continue
            is_alike = not needles.isdisjoint(lines)
            is_alike = is_alike or (bool(marks) and not marks.isdisjoint(map(mark, lines)))
            if is_alike or path in always:
                self._now[path] = Text(lines)
        self.is_whole = not self._view.is_cut

    def _read_then(self) -> None:
        """Read the old contents that may decide, and note which held lines of the spans."""
        wanted = {blob for lost in self._lost for blob in self._deciding(lost)}
        needles = frozenset().union(*(lost.needles for lost in self._lost))
        for blob, content in read_blobs(self._repository, wanted).items():
            lines = maybe_lines(content)
            self._then[blob] = None if lines is None else Text(lines)
            for line in needles.intersection(lines or ()):
                self._holders.setdefault(line, set()).add(blob)

    def _deciding(self, lost: LostSpan) -> Iterator[str]:
        """Return the old contents on which the verdict about a span depends.

        The old content of a file matters if the file has a line of the span now. The old contents
        of all changed files matter if a file has all lines of the span: it may be a copy.
        """
        scope = self._scopes[_head(lost.span)]
        if lost.then is None:
            yield from scope.pasts
            return
        text = lost.then.lines[lost.span.first - 1 : lost.span.last]
        for path, now in self._now.items():
            if path == lost.span.path or path not in scope.blobs:
                continue
            if now.distinct.issuperset(text):
                yield from scope.pasts
                return
            blob = scope.blobs[path]
            if blob and not lost.needles.isdisjoint(now.distinct):
                yield blob

    def _places(self, lost: LostSpan) -> list[Suspect] | None:
        """Return the places of a span's text in other files; None if there are too many."""
        if lost.then is None:
            return []
        scope = self._scopes[_head(lost.span)]
        holders = set().union(*(self._holders.get(line, ()) for line in lost.needles))
        own = {lost.span.path}
        pasts = [
            past
            for blob in sorted(holders)
            if scope.pasts.get(blob, own) - own and (past := self._then[blob]) is not None
        ]
        budget = Budget(MOST_STEPS, whole=self._budget)
        return suspects(lost.span, lost.then, self._chosen(lost), pasts=pasts, budget=budget)

    def _chosen(self, lost: LostSpan) -> list[FileToSearch]:
        """Return the files a span may be in, except its own file."""
        scope, own = self._scopes[_head(lost.span)], lost.span.path
        renamed = scope.names.get(own)
        return [
            self._candidate(path, None if path == renamed else scope.blobs[path])
            for path in self._now
            if path in scope.blobs and path != own
        ]

    def _candidate(self, path: str, blob: str | None) -> FileToSearch:
        """Return a file with its old content: empty if it is new, None if that is not known."""
        if (path, blob) not in self._candidates:
            then = Text(()) if blob is None else self._then.get(blob)
            self._candidates[path, blob] = FileToSearch(path, self._now[path], then)
        return self._candidates[path, blob]

    def _homes(self, places: Iterable[Suspect]) -> dict[str, set[str]] | None:
        """Return the files that hold the lines on which a verdict would rest; None if too many."""
        asked = frozenset().union(*(one.proof for one in places))
        paths = self._view.paths() if asked else ()
        if len(paths) > MOST_FILES:
            return None
        homes: dict[str, set[str]] = {words(line): set() for line in asked}
        for path, content in self._view.stream(paths):
            for line in asked.intersection(maybe_lines(content) or ()):
                files = homes[words(line)]
                if len(files) < _HOMES:
                    files.add(path)
        return None if self._view.is_cut else homes

    def _sighting(
        self,
        lost: LostSpan,
        places: Sequence[Suspect] | None,
        homes: Mapping[str, Collection[str]] | None,
    ) -> Sighting | None:
        if places is None:
            return too_common()
        chosen = self._chosen(lost)
        name = self._scopes[_head(lost.span)].names.get(lost.span.path)
        renamed = () if name is None else (name,)
        then = None if lost.then is None else lost.then.lines
        if places:
            moved = None if homes is None else self._renamed(lost, places)
            decided = moved or decide(lost.span, places, homes)
            if any(one.candidate.then is not None for one in places):
                return decided
            # Files that may be older than the evidence tell less than the renamed file itself.
            own = [one for one in chosen if one.path in renamed]
            return resembling(lost.span, then, own, renamed=renamed) or decided
        sighting = None
        if lost.then is None:
            budget = Budget(MOST_STEPS, whole=self._budget)
            sighting = suspected_by_marks(lost.span, chosen, budget=budget)
        return sighting or resembling(lost.span, then, chosen, renamed=renamed)

    def _renamed(self, lost: LostSpan, places: Sequence[Suspect]) -> Sighting | None:
        """Return the new place of a span whose file was renamed, if only that file has its text."""
        scope, own = self._scopes[_head(lost.span)], lost.span.path
        name = scope.names.get(own)
        if name is None or lost.then is None or not self._is_sure_of(own, name, scope):
            return None
        if any(one.candidate.path != name for one in places):
            return None
        compared = FileComparison(lost.then, self._now[name])
        if not stays_around(lost.span, compared):
            return None
        budget = Budget(MOST_STEPS, whole=self._budget)
        sighting = locate(lost.span, name, compared, budget=budget)
        is_moved = sighting is not None and sighting.verdict is Verdict.MOVED
        return sighting if is_moved else None

    def _is_sure_of(self, own: str, name: str, scope: _Scope) -> bool:
        """Return whether git cannot have confused one of several equal files with another."""
        twins = next((names for names in scope.pasts.values() if own in names), frozenset({own}))
        return len(twins) == 1 or PurePath(own).with_suffix("") == PurePath(name).with_suffix("")


def _head(span: Span) -> str | None:
    return None if span.anchor is None else span.anchor.head


def _scope(those: Iterable[Differing]) -> _Scope:
    pasts: dict[str, frozenset[str]] = {}
    for one in those:
        if one.blob:
            pasts[one.blob] = pasts.get(one.blob, frozenset()) | {one.renamed_from or one.path}
    return _Scope(
        {one.path: one.blob for one in those if not one.is_gone},
        pasts,
        {one.renamed_from: one.path for one in those if one.renamed_from is not None},
    )
