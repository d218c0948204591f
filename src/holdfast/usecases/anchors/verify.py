"""Verify: check the evidence of memories against the current repository.

Branches: the memories that one revision has and another lacks, and those it makes doubtful.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING

from holdfast.domain.choices import Status
from holdfast.domain.encryption.placeholder import is_sensitive
from holdfast.domain.errors import UnavailableError
from holdfast.domain.memory.anchor import Verdict
from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.anchors.checking import (
    READER_PATIENCE,
    check_evidence,
    cited,
    not_checked,
    rewrites_in,
    view,
)
from holdfast.usecases.anchors.sensitive import check_spans, readable_spans, unchecked_spans
from holdfast.usecases.naming import memory_id
from holdfast.usecases.repeating import repeatable

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from datetime import datetime

    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.anchor import Checked, Rewrite
    from holdfast.domain.memory.evidence import Span
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.memory.place import Place
    from holdfast.domain.memory.selection import View
    from holdfast.ports.anchors.verifier import Verifier
    from holdfast.ports.store.store import Store, Transaction
    from holdfast.usecases.anchors.checking import EvidenceVerdicts, RepositoryPorts


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
    """The checked memories, worst first, and how many had nothing to check.

    ``sensitive`` counts those that were not checked, because their evidence is encrypted and its
    key is not here, or because only a person may read it.
    """

    checked: tuple[CheckedMemory, ...]
    unanchored: int = 0
    sensitive: int = 0
    notes: tuple[str, ...] = ()
    is_complete: bool = True
    """Whether the repository could be read for all evidence."""

    @property
    def counts(self) -> Mapping[Verdict, int]:
        """The number of memories with each verdict."""
        counted = Counter(one.verdict for one in self.checked)
        return {verdict: counted[verdict] for verdict in Verdict}

    @property
    def is_sound(self) -> bool:
        """Tell whether everything could be checked, and nothing has drifted or is gone."""
        return self.is_complete and not any(one.verdict.is_doubtful for one in self.checked)


def verify(wish: Verify, *, ports: RepositoryPorts) -> Verification:
    """Check memories against the files on disk, or against the tree of a commit."""
    store, verifier = ports.store, ports.verifier
    place, now = ports.surroundings.place(), ports.clock.now()
    as_of = None if wish.at is None else verifier.resolve(wish.at).id
    with store.reading() as tx:
        seen = view(place, tx=tx, verifier=verifier)
        records = list(_meant(wish, place, seen, now, tx))
        asked = cited(records, repo=place.repo, tx=tx)
        hidden = [record for record in records if is_sensitive(record.memory)]
        spans = readable_spans(hidden, tx=tx, cipher=ports.cipher)
    testimony = check_evidence(asked, repo=place.repo, at=now, verifier=verifier, as_of=as_of)
    testimony = _with_sensitive(testimony, spans, verifier=verifier, as_of=as_of)
    rewrites = (*testimony.rewrites, *rewrites_in(seen, repo=place.repo, at=now))
    if rewrites:
        # The next check finds the rewrites again, so this one neither waits nor fails for them.
        with suppress(UnavailableError):
            _note(rewrites, at=now, store=store)
    note = "" if wish.everything else seen.note
    return verification(records, testimony, note=note, read=spans.keys())


def _with_sensitive(
    testimony: EvidenceVerdicts,
    spans: Mapping[MemoryId, tuple[Span, ...]],
    *,
    verifier: Verifier,
    as_of: str | None,
) -> EvidenceVerdicts:
    """Return the verdicts with those on the evidence of sensitive memories."""
    try:
        found = check_spans(spans, verifier=verifier, as_of=as_of)
    except UnavailableError as error:
        testimony = replace(testimony, note=not_checked(error))
        found = unchecked_spans(spans)
    return replace(testimony, by_memory={**testimony.by_memory, **found})


def verification(
    records: Sequence[MemoryRecord],
    testimony: EvidenceVerdicts,
    *,
    note: str = "",
    read: Collection[MemoryId] = (),
) -> Verification:
    """Return the verdicts about memories, the worst first; sensitive ones that were read count."""
    checked = [
        CheckedMemory(record=record, evidence=testimony.by_memory[record.memory.id])
        for record in records
        if testimony.by_memory.get(record.memory.id)
    ]
    order = {verdict: place for place, verdict in enumerate((*_WORST_FIRST, Verdict.FRESH))}
    checked.sort(key=lambda one: (order[one.verdict], one.record.sequence))
    notes = (note, testimony.note, _emptiness(records))
    hidden = [record.memory for record in records if is_sensitive(record.memory)]
    sensitive = sum(memory.id not in read for memory in hidden)
    return Verification(
        checked=tuple(checked),
        unanchored=len(records) - len(checked) - sensitive,
        sensitive=sensitive,
        notes=tuple(words for words in notes if words),
        is_complete=not testimony.note,
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
