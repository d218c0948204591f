"""Convert an entry of a page into a memory, with every gate passed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import EvidenceType, Scope, least_trusted
from holdfast.domain.ids import MemoryId, sortable
from holdfast.domain.memory.evidence import Evidence
from holdfast.domain.memory.memory import Memory
from holdfast.domain.pages.page_entry import PAGE, earlier_words, evidence_words
from holdfast.domain.values import dataclass
from holdfast.usecases.pages.sync_evidence import read_reason
from holdfast.usecases.screening import screen, screened

if TYPE_CHECKING:
    from holdfast.domain.choices import Origin
    from holdfast.domain.memory.entry import PlacedEntry
    from holdfast.domain.memory.evidence import Span
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.usecases.pages.sync_evidence import Reader


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """The memory of an entry, and its new spans."""

    memory: Memory
    spans: tuple[Span, ...] = ()


def read_entry(
    placed: PlacedEntry,
    *,
    origin: Origin,
    reader: Reader,
    old: MemoryRecord | None = None,
    uid: MemoryId | None = None,
) -> Read:
    """Return the memory of an entry; evidence that it still shares with an older one is kept.

    Raises:
        InvalidError: It contains a secret, is too large, or is not text.
    """
    entry, here = placed.entry, reader.here
    claim = screen(entry.body.strip("\n"), what=f"entry at {placed.path}:{placed.line}").text
    evidence, spans = _evidence(placed, origin, old, reader)
    now = reader.clock.now()
    before = [] if old is None else [old.memory.trust]
    memory = Memory(
        id=uid or MemoryId(sortable("m", at=now, entropy=reader.clock.entropy())),
        claim=claim.strip("\n"),
        kind=entry.kind,
        scope=Scope.REPO,
        created_at=now,
        evidence=evidence,
        origin=origin,
        trust=least_trusted([origin, *before]),
        source=screened(entry.source, what="source"),
        space=here.place.space,
        workspace=here.place.workspace,
        repo=here.place.repo,
        branch=here.place.branch,
        key=None if old is None else old.memory.key,
        weight=1.0 if old is None else old.memory.weight,
        importance=0.5 if old is None else old.memory.importance,
        tags=tuple(dict.fromkeys(screened(tag, what="tag") for tag in entry.tags)),
        expires_at=None if old is None else old.memory.expires_at,
        standpoint=here.point,
    )
    return Read(memory=memory, spans=spans)


def _evidence(
    placed: PlacedEntry, origin: Origin, old: MemoryRecord | None, reader: Reader
) -> tuple[tuple[Evidence, ...], tuple[Span, ...]]:
    """Return the evidence that an entry names, in order, and the page itself as evidence."""
    known: dict[str, Evidence] = {}
    for item in () if old is None else old.evidence:
        known.setdefault(evidence_words(item, reader.spans), item)
        known.setdefault(earlier_words(item, reader.spans), item)
    evidence: list[Evidence] = []
    spans: list[Span] = []
    for text in dict.fromkeys(placed.entry.evidence):
        words = screened(text, what=f"evidence at {placed.path}:{placed.line}")
        if words in known:
            evidence.append(known[words])
            continue
        item, span = read_reason(words, origin=origin, reader=reader)
        evidence.append(item)
        spans += [] if span is None else [span]
    verb = "written" if old is None else "edited"
    page = Evidence(
        type=EvidenceType.STATEMENT,
        reference=f"{verb} in {placed.path}",
        facts={PAGE: placed.path},
    )
    return (*evidence, page), tuple(spans)
