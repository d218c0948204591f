"""Convert an entry of a page into a memory: read its evidence, and screen every text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.anchors.everyday_lines import are_common
from holdfast.domain.checks.check import with_checks
from holdfast.domain.choices import EvidenceType, Origin, Scope, least_trusted
from holdfast.domain.errors import EvidenceUnreadableError
from holdfast.domain.ids import MemoryId, SpanId, sortable
from holdfast.domain.memory.anchor import anchored, is_id, text_hash
from holdfast.domain.memory.evidence import COMMIT, PATCH, UNREAD, Evidence, Span, read_place
from holdfast.domain.memory.memory import Memory
from holdfast.domain.moments import moment_of
from holdfast.domain.pages.page_entry import (
    PAGE,
    WRITTEN,
    CitedPlace,
    earlier_words,
    evidence_words,
    read_evidence,
)
from holdfast.domain.values import dataclass, field, replace
from holdfast.usecases.screening import screen, screened, screened_checks

if TYPE_CHECKING:
    from collections.abc import Mapping

    from holdfast.domain.memory.anchor import Anchor, CommitName
    from holdfast.domain.memory.entry import PageEntry, PlacedEntry
    from holdfast.domain.memory.evidence import FilePlace
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.ports.anchors.clone import FileAtCommit
    from holdfast.ports.anchors.surroundings import Surroundings
    from holdfast.ports.clock import Clock
    from holdfast.usecases.pages.sync.local_pages import CheckedOut

_NOT_HERE = "this checkout did not have the lines when the page was read"
_OTHER_TEXT = "this checkout had other lines there when the page was read"
_NO_COMMIT = "this clone does not have commit {commit}, and the page has no hash of the lines"
_TOO_COMMON = "the lines are too common to be found again"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """The ports and data for reading an entry as a memory."""

    checkout: CheckedOut
    clock: Clock
    surroundings: Surroundings
    spans: Mapping[SpanId, Span] = field(default_factory=dict)
    files: Mapping[tuple[str, str], FileAtCommit] = field(default_factory=dict)
    """Files at the commits that entries name."""
    commits: Mapping[str, CommitName] = field(default_factory=dict)
    """The commits that entries name, if they are in this clone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConvertedEntry:
    """The memory of an entry, and its new spans."""

    memory: Memory
    spans: tuple[Span, ...] = ()


def convert_entry(
    placed: PlacedEntry,
    *,
    origin: Origin,
    reader: Reader,
    old: MemoryRecord | None = None,
    uid: MemoryId | None = None,
) -> ConvertedEntry:
    """Return the memory of an entry; evidence that it still shares with an older one is kept.

    Raises:
        InvalidError: It contains a secret, is too large, or is not text.
    """
    entry, checkout = placed.entry, reader.checkout
    claim = screen(entry.body.strip("\n"), what=f"entry at {placed.path}:{placed.line}").text
    evidence, spans = _evidence(placed, origin, old, reader)
    now = reader.clock.now()
    memory = Memory(
        id=uid or MemoryId(sortable("m", at=now, entropy=reader.clock.entropy())),
        claim=claim.strip("\n"),
        kind=entry.kind,
        scope=Scope.REPO,
        created_at=now,
        evidence=evidence,
        origin=origin,
        trust=origin if old is None else least_trusted([origin, old.memory.trust]),
        source=screened(entry.source, what="source"),
        space=checkout.place.space,
        workspace=checkout.place.workspace,
        repo=checkout.place.repo,
        branch=checkout.place.branch,
        key=screened(entry.key, what="key") if entry.key else None,
        weight=1.0 if old is None else old.memory.weight,
        importance=0.5 if old is None else old.memory.importance,
        tags=tuple(dict.fromkeys(screened(tag, what="tag") for tag in entry.tags)),
        expires_at=moment_of(entry.expires) if entry.expires else None,
        metadata=with_checks({}, screened_checks(entry.checks)),
        branch_point=checkout.point,
    )
    return ConvertedEntry(memory=memory, spans=spans)


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
        item, span = _read_evidence(words, origin=origin, reader=reader)
        evidence.append(item)
        spans += [] if span is None else [span]
    verb = "written" if old is None else "edited"
    page = Evidence(
        type=EvidenceType.STATEMENT,
        reference=f"{verb} in {placed.path}",
        facts={PAGE: placed.path},
    )
    return (*evidence, page), tuple(spans)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Lines:
    """Lines that are proved to be those an entry names."""

    path: str
    first: int
    last: int
    text_hash: str
    anchor: Anchor | None


def cited_files(entry: PageEntry) -> list[tuple[str, str]]:
    """Return the files that an entry names at a commit."""
    read = [read_evidence(text) for text in entry.evidence]
    named = [one for one in read if isinstance(one, CitedPlace) and one.commit is not None]
    return [(one.commit or "", one.place.rpartition(":")[0]) for one in named]


def cited_commits(entry: PageEntry, origin: Origin) -> list[str]:
    """Return the commits that an entry names.

    A name such as ``HEAD~2`` is resolved only if it was written in this clone.
    """
    read = [read_evidence(text) for text in entry.evidence]
    named = [_named(one) for one in read if isinstance(one, Evidence)]
    is_ours = origin is not Origin.REPO
    return [name for name in named if name is not None and (is_ours or is_id(name))]


def _read_evidence(words: str, *, origin: Origin, reader: Reader) -> tuple[Evidence, Span | None]:
    """Read one piece of evidence; if its lines are not proved to be here, it records why."""
    match read_evidence(words):
        case Evidence() as item:
            return _identified(item, origin, reader), None
        case cited:
            found = _proved(cited, reader)
    facts = {WRITTEN: words}
    if isinstance(found, str):
        facts |= {UNREAD: found}
        return Evidence(type=EvidenceType.SPAN, reference=cited.place, facts=facts), None
    span = _span(found, reader)
    evidence = Evidence(type=EvidenceType.SPAN, reference=span.reference, span=span.id, facts=facts)
    return evidence, span


def _named(item: Evidence) -> str | None:
    """Return the commit that evidence names, by its id if there is one."""
    if item.type is not EvidenceType.COMMIT:
        return None
    return item.facts.get(COMMIT, item.reference)


def _identified(item: Evidence, origin: Origin, reader: Reader) -> Evidence:
    """Record the id of a commit that is in this clone.

    The page gets the id beside a name that a person wrote, because another clone could not resolve
    the name.
    """
    name = _named(item)
    known = None if name is None else reader.commits.get(name)
    if name is None or known is None:
        return item
    patch = {} if known.patch is None else {PATCH: known.patch}
    facts = {**item.facts, COMMIT: known.id, **patch}
    if origin is Origin.HUMAN and not is_id(name):
        del facts[WRITTEN]
    return replace(item, facts=facts)


def _proved(cited: CitedPlace, reader: Reader) -> _Lines | str:
    """Return the lines that an entry names, or why nothing proves that they are here.

    The hash in the entry proves lines on disk or at the named commit. Without a hash, lines on
    disk must equal those at the commit; lines without a commit are taken as they are.
    """
    place = replace(read_place(cited.place), is_from_root=True)
    here, then = _on_disk(place, reader), _at_commit(cited, place, reader)
    if cited.digest is not None:
        fits = [one for one in (here, then) if one and one.text_hash.startswith(cited.digest)]
    elif cited.commit is not None:
        fits = [one for one in (here,) if one and then and one.text_hash == then.text_hash]
    else:
        fits = [one for one in (here,) if one]
    if not fits:
        return _why(cited, here, then)
    anchor = fits[0].anchor
    return _TOO_COMMON if anchor is not None and are_common(anchor.marks) else fits[0]


def _why(cited: CitedPlace, here: _Lines | None, then: _Lines | None) -> str:
    if here is None:
        return _NOT_HERE
    if cited.digest is None and then is None:
        return _NO_COMMIT.format(commit=cited.commit)
    return _OTHER_TEXT


def _on_disk(place: FilePlace, reader: Reader) -> _Lines | None:
    try:
        found = reader.surroundings.read_span(place)
    except EvidenceUnreadableError:
        return None
    return _Lines(
        path=found.path,
        first=found.first,
        last=found.last,
        text_hash=found.text_hash,
        anchor=found.anchor,
    )


def _at_commit(cited: CitedPlace, place: FilePlace, reader: Reader) -> _Lines | None:
    """Return the lines at the commit that the entry names."""
    file = reader.files.get((cited.commit or "", place.path))
    first, last = place.first or 1, place.last or 1
    if file is None or last > len(file.lines):
        return None
    anchor = replace(
        anchored(file.lines, first, last), blob=file.blob, is_committed=True, head=file.commit
    )
    text = text_hash(file.lines[first - 1 : last])
    return _Lines(path=place.path, first=first, last=last, text_hash=text, anchor=anchor)


def _span(found: _Lines, reader: Reader) -> Span:
    now = reader.clock.now()
    return Span(
        id=SpanId(sortable("s", at=now, entropy=reader.clock.entropy())),
        repo=reader.checkout.place.repo,
        path=screened(found.path, what="path"),
        first=found.first,
        last=found.last,
        text_hash=found.text_hash,
        captured_at=now,
        anchor=found.anchor,
    )
