"""Checks many spans together: first in their own files, then the lost ones in other files.

A verdict is cached where it depends on the span's own file only.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from holdfast.adapters.git.anchors.verdict_cache import Verdicts
from holdfast.adapters.git.reading.reading import blob_names, digest, maybe_lines
from holdfast.domain.anchors.alignment import FileComparison
from holdfast.domain.anchors.file_lines import Budget, Text
from holdfast.domain.anchors.locating import (
    AROUND,
    MOST_STEPS,
    SEVERAL,
    Lines,
    by_symbol,
    claimed,
    locate,
    read_then,
)
from holdfast.domain.anchors.marking import Marked, locate_by_marks
from holdfast.domain.errors import OutsideUnavailableError
from holdfast.domain.memory.anchor import Sighting, Verdict
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from holdfast.adapters.git.anchors.verdict_cache import CachedVerdicts
    from holdfast.adapters.git.anchors.views import Content, FileView
    from holdfast.adapters.git.reading.repository import Repository
    from holdfast.domain.ids import SpanId
    from holdfast.domain.memory.evidence import Span
    from holdfast.ports.recall.code import Outline


_GONE = "its text is gone, and moved to no other file"
# About two seconds of work for all the spans of one check together.
_MOST_STEPS_IN_ALL = 4_000_000
_BINARY = "it is not text any more"


class Examination:
    """Checks spans against the files of a repository, now or at a commit."""

    def __init__(
        self,
        repository: Repository,
        *,
        cache: Path | CachedVerdicts,
        outline: Outline | None = None,
    ) -> None:
        self._repository = repository
        self._cache = cache
        self._outline = outline
        self._old: Mapping[str, bytes] = {}
        self._files: Mapping[str, Content] = {}

    def of(
        self, spans: Sequence[Span], *, at: str | None, is_noted: bool = True
    ) -> dict[SpanId, Sighting]:
        """Return the verdict on each span; cached verdicts are not computed again."""
        if at is not None:
            tree = self._tree(at)
            found = self._seen(spans, tree)
            # A commit holds the filter's output, so an equal text there proves nothing.
            return found | self._obscured(spans, found, tree)
        if not is_noted:
            return self._seen(spans, self._disk())
        verdicts = Verdicts(self._cache, self._repository)
        known = {span.id: seen for span in spans if (seen := verdicts.of(span)) is not None}
        rest = [span for span in spans if span.id not in known]
        if not rest:
            return known
        disk = self._disk()
        found = self._seen(rest, disk)
        for span in rest:
            self._note(verdicts, span, found[span.id], disk.commit)
        verdicts.save()
        return known | found

    def _tree(self, commit: str) -> FileView:
        from holdfast.adapters.git.anchors.tree_view import TreeView

        return TreeView(self._repository, commit)

    def _disk(self) -> FileView:
        from holdfast.adapters.git.anchors.views import DiskView
        from holdfast.adapters.git.reading.refs import read_refs

        head = None
        with suppress(OutsideUnavailableError):
            head = read_refs(self._repository).tip("HEAD")
        return DiskView(self._repository, head)

    def _note(self, verdicts: Verdicts, span: Span, sighting: Sighting, head: str | None) -> None:
        """Cache a verdict that depends on the span's own file only, or on its history as well.

        A verdict for a text that was not found, or found in another file, depends on all files: a
        copy in any of them would change it, and so would adding the other file to git.
        """
        if sighting.verdict in {Verdict.ORPHANED, Verdict.UNVERIFIABLE}:
            return
        if any(place.path != span.path for place in sighting.places):
            return
        files = {span.path: digest(self._files[span.path].held)}
        if span.id not in self._jumped:
            verdicts.put(span, sighting, files)
        elif head is not None and not self._is_untold(sighting):
            verdicts.put(span, sighting, files, head=head)

    def _is_untold(self, sighting: Sighting) -> bool:
        from holdfast.adapters.git.anchors.moving import UNTOLD

        return sighting.how == UNTOLD

    def _seen(self, spans: Sequence[Span], view: FileView) -> dict[SpanId, Sighting]:
        self._files = view.contents(list(dict.fromkeys(span.path for span in spans)))
        found = {span.id: seen for span in spans if (seen := self._at_once(span)) is not None}
        rest = [span for span in spans if span.id not in found]
        if not rest:
            return found
        self._old = self._read_old(rest)
        own = self._in_own_files(rest)
        own |= self._followed([span for span in rest if _is_unproved(own[span.id])], view)
        lost = [span for span in rest if not _is_settled(own[span.id])]
        elsewhere, trouble = self._elsewhere(lost, view)
        for span in rest:
            here = own[span.id]
            there = elsewhere.get(span.id)
            found[span.id] = _together(here, there) or self._nowhere(span, trouble)
        found |= self._without_proof(rest, found, view)
        doubtful = [span for span in rest if found[span.id].verdict.is_doubtful]
        return found | self._obscured(doubtful, found, view)

    def _obscured(
        self, spans: Sequence[Span], found: Mapping[SpanId, Sighting], view: FileView
    ) -> dict[SpanId, Sighting]:
        """Withdraw verdicts about files whose text only a filter could produce."""
        named = {
            span.id: (span.path, *(place.path for place in found[span.id].places))
            for span in spans
            if found[span.id].verdict is not Verdict.UNVERIFIABLE
        }
        paths = {path for some in named.values() for path in some}
        try:
            reasons = view.obscured(paths) if paths else {}
        except OutsideUnavailableError:
            return {}
        return {
            span_id: _unknown(reasons[path])
            for span_id, some in named.items()
            for path in some
            if path in reasons
        }

    def _at_once(self, span: Span) -> Sighting | None:
        """Return the verdict if the whole file is unchanged or cannot be read."""
        content = self._files[span.path]
        if content.problem:
            return _unknown(content.problem)
        if content.held is None or span.anchor is None or span.anchor.blob is None:
            return None
        letters = len(span.anchor.blob)
        if span.anchor.blob not in self._names(span.path, letters):
            return None
        return claimed(span, span.path, span.first - 1)

    def _names(self, path: str, letters: int) -> tuple[str, ...]:
        known = self._blobs.get((path, letters))
        if known is None:
            known = blob_names(self._files[path].held or b"", letters=letters)
            self._blobs[path, letters] = known
        return known

    @cached_property
    def _blobs(self) -> dict[tuple[str, int], tuple[str, ...]]:
        return {}

    def _read_old(self, spans: Iterable[Span]) -> Mapping[str, bytes]:
        """Read the old versions of the files; without git, the recorded lines are used."""
        from holdfast.adapters.git.reading.objects import read_blobs

        names = {span.anchor.blob for span in spans if span.anchor is not None}
        with suppress(OutsideUnavailableError):
            return read_blobs(self._repository, [name for name in names if name is not None])
        return {}

    def _then(self, span: Span) -> Text | None:
        blob = None if span.anchor is None else span.anchor.blob
        if blob is None or blob not in self._old:
            return None
        if blob not in self._old_lines:
            lines = maybe_lines(self._old[blob])
            self._old_lines[blob] = None if lines is None else Text(lines)
        then = self._old_lines[blob]
        if then is None or read_then(span, then.lines) is None:
            return None
        return then

    @cached_property
    def _old_lines(self) -> dict[str, Text | None]:
        return {}

    @cached_property
    def _budget(self) -> Budget:
        return Budget(_MOST_STEPS_IN_ALL)

    def _in_own_files(self, spans: Iterable[Span]) -> dict[SpanId, Sighting | None]:
        compared: dict[tuple[str, str | None], FileComparison] = {}
        marked: dict[str, Marked] = {}
        read = {span.path: maybe_lines(self._files[span.path].held) for span in spans}
        found: dict[SpanId, Sighting | None] = {}
        for span in spans:
            content, then = self._files[span.path].held, self._then(span)
            lines = read[span.path]
            if content is None:
                found[span.id] = None
            elif lines is None:
                found[span.id] = _unknown(_BINARY)
            elif then is not None:
                key = (span.path, span.anchor.blob if span.anchor is not None else None)
                pair = compared.setdefault(key, FileComparison(then, lines))
                budget = Budget(MOST_STEPS, whole=self._budget)
                sighting = found[span.id] = locate(span, span.path, pair, budget=budget)
                if sighting is not None and _has_jumped(span, sighting, pair):
                    self._jumped.add(span.id)
            else:
                file = marked.setdefault(span.path, Marked(lines))
                found[span.id] = locate_by_marks(span, span.path, file)
        return found

    def _followed(self, spans: Sequence[Span], view: FileView) -> Mapping[SpanId, Sighting]:
        """Follow doubtful spans through the history of their files; without git none are."""
        from holdfast.adapters.git.anchors.following import Follower

        if not spans or view.commit is None:
            return {}
        lines = {span.path: maybe_lines(self._files[span.path].held) for span in spans}
        now = {path: Text(some) for path, some in lines.items() if some is not None}
        follower = Follower(self._repository, commit=view.commit, now=now, budget=self._budget)
        with suppress(OutsideUnavailableError):
            return follower.run(spans)
        return {}

    def _elsewhere(
        self, spans: Sequence[Span], view: FileView
    ) -> tuple[Mapping[SpanId, Sighting], str]:
        """Search other files; if git fails, return why no verdict is possible."""
        from holdfast.adapters.git.anchors.candidates import TOO_MANY, LostSpan, Search

        if not spans:
            return {}, ""
        lost = [LostSpan(span, self._then(span)) for span in spans]
        search = Search(self._repository, view, lost, budget=self._budget)
        try:
            return search.run(), "" if search.is_whole else TOO_MANY
        except OutsideUnavailableError as error:
            return {}, str(error)

    def _without_proof(
        self, spans: Iterable[Span], found: Mapping[SpanId, Sighting], view: FileView
    ) -> dict[SpanId, Sighting]:
        """Withdraw the verdict on each text that was written where it is now, and not moved."""
        from holdfast.adapters.git.anchors.moving import Claim, MoveHistory

        claims = []
        for span in spans:
            sighting, then = found[span.id], self._then(span)
            if sighting.verdict is Verdict.MOVED:
                (place,) = sighting.places
                text = None if then is None else read_then(span, then.lines)
                if place.path != span.path or span.id in self._jumped:
                    claims.append(Claim(span, place.path, text))
        if not claims:
            return {}
        history = MoveHistory(self._repository, view, claims)
        return {
            span_id: replace(found[span_id], verdict=Verdict.DRIFTED, how=why)
            for span_id, why in history.unproved().items()
        }

    @cached_property
    def _jumped(self) -> set[SpanId]:
        """The spans whose text is in their own file, on the other side of some of its lines."""
        return set()

    def _nowhere(self, span: Span, trouble: str) -> Sighting:
        from holdfast.adapters.git.reading.graph import is_partial, is_shallow

        if (symbol := self._symbol(span)) is not None:
            return by_symbol(span, span.path, symbol)
        if trouble:
            return _unknown(trouble)
        is_cut = is_shallow(self._repository) or is_partial(self._repository)
        if is_cut and span.anchor is not None and self._then(span) is None:
            return _unknown("this clone does not have the file as it was read")
        return Sighting(verdict=Verdict.ORPHANED, how=_GONE)

    def _symbol(self, span: Span) -> Lines | None:
        """Return the lines of the only symbol with the name that the span's anchor recorded."""
        content = self._files[span.path].held
        if self._outline is None or span.anchor is None or content is None:
            return None
        if span.anchor.symbol is None:
            return None
        text = "\n".join(maybe_lines(content) or ())
        named = [
            one for one in self._outline.symbols(span.path, text) if one.name == span.anchor.symbol
        ]
        if len(named) != 1:
            return None
        return Lines(at=named[0].first - 1, count=named[0].last - named[0].first + 1)


def _unknown(how: str) -> Sighting:
    return Sighting(verdict=Verdict.UNVERIFIABLE, how=how)


def _is_unproved(sighting: Sighting | None) -> bool:
    """Tell whether the text of a span was found in its own file, but may be another copy."""
    return sighting is not None and sighting.how in {AROUND, SEVERAL}


def _has_jumped(span: Span, sighting: Sighting, compared: FileComparison) -> bool:
    """Tell whether a unique line that was below a text is above it now, or the reverse."""
    if sighting.verdict is not Verdict.MOVED:
        return False
    was, at = span.first - 1, sighting.places[0].first - 1
    now = compared.text_now.spots
    return any(
        (rows[0] < was) != (now[line][0] < at)
        for line, rows in compared.text_then.spots.items()
        if len(rows) == 1 and len(now.get(line, ())) == 1 and not was <= rows[0] < span.last
    )


def _is_settled(sighting: Sighting | None) -> bool:
    return sighting is not None and sighting.verdict is not Verdict.DRIFTED


def _together(here: Sighting | None, there: Sighting | None) -> Sighting | None:
    """Combine the results in the own file and in others: lines that remain contradict a move."""
    if here is None or there is None:
        return here or there
    places = (*here.places, *there.places)
    how = here.how or "the same text is elsewhere too"
    return replace(here, places=tuple(dict.fromkeys(places)), how=how)
