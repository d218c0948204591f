"""Browse: list memories, show one record, explain where it comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import EvidenceType, LinkKind
from holdfast.domain.errors import BadFieldError
from holdfast.domain.ids import BundleId, MemoryId, RunId, SessionId, SpanId
from holdfast.domain.memory.link import alone_on
from holdfast.domain.memory.selection import Cursor, Page, Selection, Slice
from holdfast.domain.recall.relevance import telling_terms
from holdfast.domain.values import dataclass, field, replace
from holdfast.usecases.anchors.gather import cited_spans
from holdfast.usecases.naming import (
    MOST_LISTED,
    check_limit,
    full_id,
    is_known,
    memory_id,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from holdfast.domain.memory.entry import Event
    from holdfast.domain.memory.evidence import Span
    from holdfast.domain.memory.link import Link
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.memory.selection import View
    from holdfast.domain.recall.bundle import Bundle
    from holdfast.domain.sessions.run import Run
    from holdfast.domain.sessions.session import Interaction, Session
    from holdfast.ports.store.store import Store, Transaction
    from holdfast.usecases.anchors.checking import ViewPorts

_DEEPEST = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Browse:
    """A request to list the memories of a selection, or those of them that match a query.

    ``as_of`` is a day, a commit, a tag or a branch: those that held there are listed.
    """

    selection: Selection = field(default_factory=Selection)
    query: str = ""
    as_of: str | None = None
    page: Page = field(default_factory=Page)


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryListing:
    """Some memories, and the total number; a search by words counts at most 1,000."""

    records: tuple[MemoryRecord, ...]
    total: int
    left_out: tuple[str, ...] = ()
    """The branches whose memories do not reach this checkout and are not in the list."""
    beyond: Cursor | None = None
    """Where the next page begins; none for a search by words, which has one page."""
    merged: frozenset[MemoryId] = frozenset()
    """The memories that were written on another branch and reach this checkout by a merge."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionPage:
    """A session with its turns; ``recorders`` names who recorded a turn, if it was no person."""

    session: Session
    turns: tuple[Interaction, ...]
    recorders: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Where a memory comes from: its evidence, its parents, and its events."""

    record: MemoryRecord
    spans: tuple[Span, ...] = ()
    bundles: tuple[Bundle, ...] = ()
    derived_from: tuple[Provenance, ...] = ()
    replaced: tuple[MemoryRecord, ...] = ()
    events: tuple[Event, ...] = ()
    gone: tuple[MemoryId, ...] = ()


def _beyond(
    records: Slice[MemoryRecord],
    within: Selection,
    page: Page,
    *,
    total: int,
    tx: Transaction,
) -> Cursor | None:
    """Return the cursor behind a page; None if nothing comes after it."""
    if len(records) < page.limit or (page.beyond is None and total <= page.limit):
        return None
    more = tx.memories.find(within, replace(page, limit=1, beyond=records.beyond))
    return records.beyond if more else None


def _refuse_order(page: Page) -> None:
    """Refuse what only a list has: a search has one page, and the best are first."""
    if page.beyond is not None:
        raise BadFieldError(field="cursor", problem="is for lists; a search has one page.")
    if page.oldest_first:
        problem = "is an order of lists; a search puts the best first."
        raise BadFieldError(field="oldest first", problem=problem)


def browse(wish: Browse, *, store: Store, ports: ViewPorts) -> MemoryListing:
    """Return the selected memories, newest first, or best first if there is a query.

    A selection for a place excludes memories that do not reach this checkout; a selection for a
    branch shows what was written there, in the view of that branch.

    Raises:
        BadFieldError: A search is asked for a further page or for another order.
    """
    check_limit(wish.page.limit)
    if wish.query.strip():
        _refuse_order(wish.page)
    with store.reading() as tx:
        here = ports.view(tx, branch=wish.selection.branch)
        seen = here if wish.selection.place is not None else here.everywhere()
        within = replace(wish.selection, view=seen)
        if not wish.query.strip():
            records = tx.memories.find(within, wish.page)
            total = tx.memories.count(within)
            beyond = _beyond(records, within, wish.page, total=total, tx=tx)
        else:
            telling = telling_terms(wish.query)
            hits = tx.finding.words.search(telling, within, limit=wish.page.limit)
            found = tx.finding.around.read([hit.sequence for hit in hits])
            records, total, beyond = Slice(map(seen.seen, found)), len(hits), None
            if total == wish.page.limit:
                total = len(tx.finding.words.search(telling, within, limit=MOST_LISTED))
    place = ports.surroundings.place()
    branch = wish.selection.branch or place.branch
    merged = [
        one.memory.id
        for one in records
        if one.memory.repo == place.repo
        and alone_on(one.memory) not in {None, branch}
        and not here.hides(one.memory)
    ]
    return MemoryListing(
        records=tuple(records),
        total=total,
        left_out=seen.branches,
        beyond=beyond,
        merged=frozenset(merged),
    )


def one_thing(
    reference: str, *, store: Store, ports: ViewPorts
) -> MemoryRecord | Bundle | Span | Run | SessionPage:
    """Return the record with that id; the id's prefix gives its type.

    A memory is found by its id on every branch, with the status that it has in this checkout.
    """
    with store.reading() as tx:
        name = full_id(tx, reference)
        match name[:2]:
            case "m_":
                return ports.view(tx).seen(tx.memories.get(MemoryId(name)))
            case "c_":
                return tx.bundles.get(BundleId(name))
            case "s_":
                return tx.anchors.spans.get(SpanId(name))
            case "r_":
                return tx.diary.runs.get(RunId(name))
            case "a_":
                raise BadFieldError(field="id", problem=f"'{name}' is an agent; ask for its state.")
            case _:
                session = tx.sessions.get(SessionId(name))
                return _session_page(session, tx=tx)


def _session_page(session: Session, *, tx: Transaction) -> SessionPage:
    turns = tuple(tx.sessions.turns(session.id))
    by = turn_recorders(session.id, tx=tx)
    named = {turn.id: by[turn.at] for turn in turns if turn.at in by}
    return SessionPage(session=session, turns=turns, recorders=named)


def turn_recorders(session_id: SessionId, *, tx: Transaction) -> Mapping[datetime, str]:
    """Return who recorded the turns of a session, by their moments, without those of people."""
    cached = tx.sessions.caches.turns(session_id)
    return {one.at: one.recorder for one in cached if one.recorder}


def provenance(reference: str, *, store: Store, ports: ViewPorts) -> Provenance:
    """Return the full chain behind a memory: evidence, parents, superseded claims, events."""
    with store.reading() as tx:
        here = ports.view(tx)
        record = here.seen(tx.memories.get(memory_id(tx, reference)))
        return _chain(record, here, met=set(), depth=1, tx=tx)


def _chain(
    record: MemoryRecord, here: View, *, met: set[MemoryId], depth: int, tx: Transaction
) -> Provenance:
    """Follow a memory to its sources; a repeated one is named again but not followed again."""
    name = record.memory.id
    if name in met or depth > _DEEPEST:
        return Provenance(record=record)
    met.add(name)
    links, bundles = tx.links.touching(name), _bundles(record, tx=tx)
    given = dict.fromkeys(item.memory_id for bundle in bundles for item in bundle.items)
    parents = _ends(links, name, LinkKind.DERIVED_FROM)
    olds = tx.memories.get_many(_ends(links, name, LinkKind.SUPERSEDES)).values()
    return Provenance(
        record=record,
        spans=tuple(cited_spans(record, tx=tx)),
        bundles=tuple(bundles),
        derived_from=tuple(
            _chain(here.seen(parent), here, met=met, depth=depth + 1, tx=tx)
            for parent in tx.memories.get_many(parents).values()
        ),
        replaced=tuple(
            here.seen(old)
            for old in olds
            if not here.hides(old.memory) or here.hides(record.memory)
        ),
        events=tuple(tx.diary.events.about(name)),
        gone=tuple(parent for parent in given if tx.names.tombstone(parent)),
    )


def _ends(links: Sequence[Link], src: MemoryId, kind: LinkKind) -> list[MemoryId]:
    return [link.dst for link in links if link.src == src and link.kind == kind]


def _bundles(record: MemoryRecord, *, tx: Transaction) -> list[Bundle]:
    named = [item.reference for item in record.evidence if item.type is EvidenceType.BUNDLE]
    return [tx.bundles.get(BundleId(name)) for name in named if is_known(tx, name, "c_")]


def related(
    reference: str, *, limit: int, store: Store, ports: ViewPorts
) -> Sequence[tuple[Link, MemoryRecord]]:
    """Return a memory's neighbours with their links, strongest first.

    Memories that do not reach this checkout are excluded, unless the memory itself does not.
    """
    check_limit(limit)
    with store.reading() as tx:
        here = ports.view(tx)
        start = tx.memories.get(memory_id(tx, reference))
        name, seen = start.memory.id, here
        if here.hides(start.memory):
            seen = here.everywhere()
        links = tx.links.touching(name)
        known = tx.memories.get_many(link.other_end(name) for link in links)
        ends = [(link, known[end]) for link in links if (end := link.other_end(name)) in known]
    reaching = [(link, seen.seen(end)) for link, end in ends if not seen.hides(end.memory)]
    return reaching[:limit]
