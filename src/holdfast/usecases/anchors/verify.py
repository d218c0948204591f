"""Verify: check the evidence of memories against the current repository."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING

from holdfast.domain.choices import Status
from holdfast.domain.errors import UnavailableError
from holdfast.domain.memory.anchor import Verdict
from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.anchors.checking import (
    READER_PATIENCE,
    check_evidence,
    cited,
    rewrites_in,
    view,
)
from holdfast.usecases.naming import memory_id
from holdfast.usecases.repeating import repeatable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from holdfast.domain.memory.anchor import Checked
    from holdfast.domain.memory.branch_point import Rewrite
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.memory.place import Place
    from holdfast.domain.memory.view import View
    from holdfast.ports.store.store import Store, Transaction
    from holdfast.usecases.anchors.checking import RepositoryPorts

_PAGE = 500
_WORST_FIRST = (Verdict.ORPHANED, Verdict.DRIFTED, Verdict.UNVERIFIABLE, Verdict.MOVED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verify:
    """A request to check memories: the named ones, those that reach this place, or all.

    All means candidates, superseded memories and other branches too, but not rejected ones.
    """

    references: tuple[str, ...] = ()
    everything: bool = False
    at: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedMemory:
    """A memory with the verdict about each checkable piece of its evidence."""

    record: MemoryRecord
    evidence: tuple[Checked, ...]

    @property
    def verdict(self) -> Verdict:
        """The worst verdict: one piece of evidence that no longer holds is worth a look."""
        said = {one.sighting.verdict for one in self.evidence}
        return next((verdict for verdict in _WORST_FIRST if verdict in said), Verdict.FRESH)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """The checked memories, worst first, and how many had nothing to check."""

    checked: tuple[CheckedMemory, ...]
    unanchored: int = 0
    notes: tuple[str, ...] = ()

    @property
    def counts(self) -> Mapping[Verdict, int]:
        """The number of memories with each verdict."""
        counted = Counter(one.verdict for one in self.checked)
        return {verdict: counted[verdict] for verdict in Verdict}

    @property
    def is_sound(self) -> bool:
        """Tell whether nothing has drifted or is gone."""
        return not any(one.verdict.is_doubtful for one in self.checked)


def verify(wish: Verify, *, ports: RepositoryPorts) -> Verification:
    """Check memories against the files on disk, or against the tree of a commit."""
    store, verifier = ports.store, ports.verifier
    place, now = ports.surroundings.place(), ports.clock.now()
    as_of = None if wish.at is None else verifier.resolve(wish.at).id
    with store.reading() as tx:
        seen = view(place, tx=tx, verifier=verifier)
        records = list(_meant(wish, place, seen, now, tx))
        asked = cited(records, repo=place.repo, tx=tx)
    testimony = check_evidence(asked, repo=place.repo, at=now, verifier=verifier, as_of=as_of)
    rewrites = (*testimony.rewrites, *rewrites_in(seen, repo=place.repo, at=now))
    if rewrites:
        # The next check finds the rewrites again, so this one neither waits nor fails for them.
        with suppress(UnavailableError):
            _note(rewrites, at=now, store=store)
    checked = [
        CheckedMemory(record=record, evidence=testimony.by_memory[record.memory.id])
        for record in records
        if testimony.by_memory.get(record.memory.id)
    ]
    order = {verdict: place for place, verdict in enumerate((*_WORST_FIRST, Verdict.FRESH))}
    checked.sort(key=lambda one: (order[one.verdict], one.record.sequence))
    return Verification(
        checked=tuple(checked),
        unanchored=len(records) - len(checked),
        notes=tuple(
            note
            for note in ("" if wish.everything else seen.note, testimony.note, _emptiness(records))
            if note
        ),
    )


@repeatable
def _note(rewrites: Sequence[Rewrite], *, at: datetime, store: Store) -> None:
    with store.writing(at, patience=READER_PATIENCE) as tx:
        tx.anchors.past.put_rewrites(rewrites)


def _emptiness(records: Sequence[MemoryRecord]) -> str:
    """Return a note if nothing reaches this place: an empty check must not look successful."""
    return "" if records else "no memory reaches this place, so nothing was checked"


def _meant(
    wish: Verify, place: Place, seen: View, now: datetime, tx: Transaction
) -> Iterator[MemoryRecord]:
    if wish.references:
        for reference in wish.references:
            yield seen.seen(tx.memories.get(memory_id(tx, reference)))
        return
    selection = Selection(place=place, recallable_at=now, view=seen)
    if wish.everything:
        live = frozenset(Status) - {Status.REJECTED}
        selection = Selection(place=place, statuses=live, view=seen.everywhere())
    yield from every(selection, tx=tx)


def every(selection: Selection, *, tx: Transaction) -> Iterator[MemoryRecord]:
    """Return all memories of a selection, oldest first."""
    page = Page(limit=_PAGE, oldest_first=True)
    while records := tx.memories.find(selection, page):
        yield from records
        page = replace(page, beyond=records.beyond)


def checks_of(
    records: Sequence[MemoryRecord], *, ports: RepositoryPorts
) -> tuple[CheckedMemory, ...]:
    """Check the evidence of the given memories; one without checkable evidence has no verdicts."""
    repo = ports.surroundings.place().repo
    with ports.store.reading() as tx:
        asked = cited(records, repo=repo, tx=tx)
    testimony = check_evidence(asked, repo=repo, at=ports.clock.now(), verifier=ports.verifier)
    return tuple(
        CheckedMemory(record=record, evidence=testimony.by_memory.get(record.memory.id, ()))
        for record in records
    )
