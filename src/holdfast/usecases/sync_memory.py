"""The memory that an entry of a page becomes, with every gate passed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import EvidenceType, Origin, Scope, least_trusted
from holdfast.domain.errors import EvidenceUnreadableError
from holdfast.domain.everyday_lines import are_common
from holdfast.domain.evidence import Evidence, Span, read_place
from holdfast.domain.ids import MemoryId, SpanId, sortable
from holdfast.domain.memory import Memory
from holdfast.domain.page_entry import PAGE, WRITTEN, Cited, evidence_words, read_evidence
from holdfast.domain.values import dataclass, field
from holdfast.usecases.screening import screen, screened

if TYPE_CHECKING:
    from collections.abc import Mapping

    from holdfast.domain.entry import Entry, PlacedEntry
    from holdfast.domain.memory import MemoryRecord
    from holdfast.ports.clock import Clock
    from holdfast.ports.surroundings import Surroundings
    from holdfast.usecases.sync_register import Here


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """What it takes to read an entry as a memory."""

    here: Here
    clock: Clock
    surroundings: Surroundings
    spans: Mapping[SpanId, Span] = field(default_factory=dict)
    blobs: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """What files were at the commits that entries name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """The memory an entry became, and the places in files that it newly rests on."""

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
    """Return the memory that an entry becomes; what it still names of an older one is kept.

    Raises:
        InvalidError: It holds a secret, or is too large, or is no text.
    """
    entry, here = placed.entry, reader.here
    claim = screen(entry.body.strip("\n"), what=f"entry at {placed.path}:{placed.line}").text
    evidence, spans = _evidence(placed, old, reader)
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
    placed: PlacedEntry, old: MemoryRecord | None, reader: Reader
) -> tuple[tuple[Evidence, ...], tuple[Span, ...]]:
    """Return the reasons an entry names, in its order, and the word of the page itself."""
    known: dict[str, Evidence] = {}
    for item in () if old is None else old.evidence:
        known.setdefault(evidence_words(item, reader.spans), item)
    evidence: list[Evidence] = []
    spans: list[Span] = []
    for text in dict.fromkeys(placed.entry.evidence):
        words = screened(text, what=f"evidence at {placed.path}:{placed.line}")
        if words in known:
            evidence.append(known[words])
            continue
        item, span = _reason(words, reader)
        evidence.append(item)
        spans += [] if span is None else [span]
    verb = "written" if old is None else "edited"
    page = Evidence(
        type=EvidenceType.STATEMENT,
        reference=f"{verb} in {placed.path}",
        facts={PAGE: placed.path},
    )
    return (*evidence, page), tuple(spans)


def _reason(words: str, reader: Reader) -> tuple[Evidence, Span | None]:
    """Read one reason; lines that are not there, or not as they were then, stay a name."""
    match read_evidence(words):
        case Evidence() as item:
            return item, None
        case cited:
            span = _span(cited, reader)
    facts = {WRITTEN: words}
    if span is None:
        return Evidence(type=EvidenceType.SPAN, reference=cited.place, facts=facts), None
    reference = span.reference
    return Evidence(type=EvidenceType.SPAN, reference=reference, span=span.id, facts=facts), span


def cited_files(entry: Entry) -> list[tuple[str, str]]:
    """Return the files that an entry names as of a commit."""
    read = [read_evidence(text) for text in entry.evidence]
    named = [one for one in read if isinstance(one, Cited) and one.commit is not None]
    return [(one.commit or "", one.place.partition(":")[0]) for one in named]


def _span(cited: Cited, reader: Reader) -> Span | None:
    """Read the lines that are named, if the file is still the one that was read then."""
    try:
        place = read_place(cited.place)
        found = reader.surroundings.read_span(place)
    except EvidenceUnreadableError:
        return None
    if found.anchor is not None and are_common(found.anchor.marks):
        return None
    if cited.commit is not None and not reader.here.head.startswith(cited.commit):
        then = reader.blobs.get((cited.commit, place.path))
        if then is None or found.anchor is None or found.anchor.blob != then:
            return None
    now = reader.clock.now()
    return Span(
        id=SpanId(sortable("s", at=now, entropy=reader.clock.entropy())),
        repo=reader.here.place.repo,
        path=screened(found.path, what="path"),
        first=found.first,
        last=found.last,
        text_hash=found.text_hash,
        captured_at=now,
        anchor=found.anchor,
    )
