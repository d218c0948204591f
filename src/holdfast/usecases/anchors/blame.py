"""Blame: which memories cite a line of a file.

Record what git hooks report about the history: hints, never the only source.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.lookup_errors import NoHistoryError
from holdfast.domain.memory.anchor import Rewrite, RewriteHow, Verdict, is_whole
from holdfast.domain.values import dataclass
from holdfast.usecases.anchors.checking import view
from holdfast.usecases.repeating import repeatable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from holdfast.domain.memory.anchor import Sighting
    from holdfast.domain.memory.evidence import FilePlace, Span
    from holdfast.domain.memory.memory import MemoryRecord
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

    The current place of the evidence counts, not where it was read. The most certain verdicts come
    first, then the newest memories.

    Raises:
        NoHistoryError: There is no repository.
        EvidenceUnreadableError: There is no such file or line.
    """
    where = ports.surroundings.place()
    if where.repo is None:
        raise NoHistoryError
    # Reading the span shows whether it exists, and gives its path from the root.
    found = ports.surroundings.read_span(place)
    with ports.store.reading() as tx:
        here = view(where, tx=tx, verifier=ports.verifier)
        spans = list(_spans(where.repo, tx))
        seen = ports.verifier.examine(spans)
        there = [
            span
            for span in spans
            if span.id in seen
            and any(
                one.path == found.path and one.first <= found.last and found.first <= one.last
                for one in seen[span.id].places
            )
        ]
        citing = tx.anchors.spans.citing([span.id for span in there])
        known = tx.memories.get_many(name for names in citing.values() for name in names)
        governing = [
            Governing(record=here.seen(known[name]), span=span, sighting=seen[span.id])
            for span in there
            for name in citing.get(span.id, ())
            if name in known and not here.hides(known[name].memory)
        ]
    order = list(Verdict)
    governing.sort(key=lambda one: (order.index(one.sighting.verdict), -one.record.sequence))
    return tuple(governing)


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
