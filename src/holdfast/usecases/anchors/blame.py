"""Blame: which memories cite a line of a file.

Record what git hooks report about the history: hints, never the only source.
"""

from __future__ import annotations

from posixpath import normpath
from typing import TYPE_CHECKING

from holdfast.domain.errors import EvidenceUnreadableError
from holdfast.domain.lookup_errors import EvidenceWithheldError, NoHistoryError, NoSuchPlaceError
from holdfast.domain.memory.anchor import Rewrite, RewriteHow, Verdict, is_whole
from holdfast.domain.values import dataclass
from holdfast.usecases.anchors.checking import view
from holdfast.usecases.repeating import repeatable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from holdfast.domain.memory.anchor import Sighting
    from holdfast.domain.memory.evidence import FilePlace, Span
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.ports.anchors.surroundings import SpanText
    from holdfast.ports.store.store import Transaction
    from holdfast.usecases.anchors.checking import RepositoryPorts


_PAGE = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Governing:
    """A memory about a line, the span that cites the line, and the sighting of that span."""

    record: MemoryRecord
    span: Span
    sighting: Sighting


def blame(place: FilePlace, *, ports: RepositoryPorts) -> tuple[Governing, ...]:
    """Return the memories whose evidence is now at a line, or anywhere in a file.

    The current place of the evidence counts, not where it was read. If there is no such file or
    line now, the place where it was read counts: of a file that was renamed or deleted, the
    verdicts tell what became of the lines. The most certain verdicts come first, then the newest
    memories.

    Raises:
        NoHistoryError: There is no repository.
        EvidenceWithheldError: The caller may know nothing about the file.
        NoSuchPlaceError: There is no such file or line, and no evidence was read there.
    """
    where = ports.surroundings.place()
    if where.repo is None:
        raise NoHistoryError
    found = gone = None
    try:
        # Reading the span shows whether it exists, and gives its path from the root.
        found = ports.surroundings.read_span(place)
    except EvidenceWithheldError:
        raise
    except EvidenceUnreadableError as error:
        gone = NoSuchPlaceError(_named(place), str(error.facts["problem"]))
    with ports.store.reading() as tx:
        here = view(where, tx=tx, verifier=ports.verifier)
        spans = list(_spans(where.repo, tx))
        seen = ports.verifier.examine(spans)
        there = [
            span
            for span in spans
            if span.id in seen
            and (_was_read_at(place, span) if found is None else _is_at(found, seen[span.id]))
        ]
        citing = tx.anchors.spans.citing([span.id for span in there])
        known = tx.memories.get_many(name for names in citing.values() for name in names)
        governing = [
            Governing(record=here.seen(known[name]), span=span, sighting=seen[span.id])
            for span in there
            for name in citing.get(span.id, ())
            if name in known and not here.hides(known[name].memory)
        ]
    if gone is not None and not governing:
        raise gone
    order = list(Verdict)
    governing.sort(key=lambda one: (order.index(one.sighting.verdict), -one.record.sequence))
    return tuple(governing)


def _is_at(found: SpanText, sighting: Sighting) -> bool:
    """Tell whether evidence is now within lines that were just read."""
    return any(
        one.path == found.path and one.first <= found.last and found.first <= one.last
        for one in sighting.places
    )


def _was_read_at(place: FilePlace, span: Span) -> bool:
    """Tell whether evidence was read at a place that is not there now.

    The place may be named from a folder below the root.
    """
    path = normpath(place.path)
    if span.path != path and not span.path.endswith(f"/{path}"):
        return False
    first, last = place.first or span.first, place.last or span.last
    return span.first <= last and first <= span.last


def _named(place: FilePlace) -> str:
    """Return a place as people write it."""
    if place.first is None or place.last is None:
        return place.path
    lines = f"{place.first}" if place.first == place.last else f"{place.first}-{place.last}"
    return f"{place.path}:{lines}"


def _spans(repo: str, tx: Transaction) -> Iterator[Span]:
    beyond = None
    while page := tx.anchors.spans.within(repo, beyond=beyond, limit=_PAGE):
        yield from page
        beyond = page[-1].id


@repeatable
def note_rewrites(pairs: Sequence[tuple[str, str]], *, ports: RepositoryPorts) -> int:
    """Record that commits replaced others; return how many. Invalid names are skipped."""
    repo, now = ports.surroundings.place().repo, ports.clock.now()
    if repo is None:
        return 0
    rewrites = [
        Rewrite(repo=repo, old=old, new=new, how=RewriteHow.HOOK, at=now)
        for old, new in pairs
        if old != new and is_whole(old) and is_whole(new)
    ]
    if rewrites:
        with ports.store.writing(now) as tx:
            tx.anchors.past.put_rewrites(rewrites)
    return len(rewrites)


@repeatable
def note_head(*, ports: RepositoryPorts) -> bool:
    """Record the tip of a branch that memories were written on; tell whether that was needed."""
    repo, point = ports.surroundings.place().repo, ports.surroundings.branch_point()
    if repo is None or point is None or not point.is_aside:
        return False
    with ports.store.reading() as tx:
        known = tx.anchors.past.branch_points(repo, aside_only=True)
    if point in known or not any(one.branch == point.branch for one in known):
        return False
    with ports.store.writing(ports.clock.now()) as tx:
        tx.anchors.past.put_tip(repo, point)
    return True
