"""Convert a memory into an entry of a page, and parse the evidence of an entry.

The page that lists the candidates for review: generated from the store, read-only.
"""

from __future__ import annotations

import re
from datetime import UTC
from typing import TYPE_CHECKING

from holdfast.domain.checks.check import checks_in
from holdfast.domain.choices import EvidenceType, Scope, Status
from holdfast.domain.encryption.placeholder import is_sensitive
from holdfast.domain.memory.entry import PAGES, PageEntry
from holdfast.domain.memory.evidence import COMMIT, Evidence
from holdfast.domain.values import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from holdfast.domain.choices import Kind
    from holdfast.domain.ids import MemoryId, SpanId
    from holdfast.domain.memory.evidence import Span
    from holdfast.domain.memory.memory import Memory, MemoryRecord


PRIVATE = "private"
"""The tag that keeps a memory out of the pages."""

PAGE = "page"
"""A fact of evidence that only names the page of the entry; pages omit such evidence."""

WRITTEN = "written"
"""A fact of evidence: its text on the page, so that it is written the same way again."""

_LABEL = re.compile(r"([A-Z]{3})-([0-9]{1,6})")
_UID = re.compile(r"m_[0-9A-Za-z_]{1,62}")
_LINES = r"[0-9]{1,9}(?:-[0-9]{1,9})?"
_READ_AT = r"(?:@(?P<commit>[0-9a-f]{7,64}))?(?:#(?P<digest>[0-9a-f]{8,64}))?"
_PLACE = re.compile(rf"(?P<place>[^\s:]+:{_LINES}){_READ_AT}")
# Only the part after the lines distinguishes a path with spaces or colons from a sentence.
_ODD_PLACE = re.compile(rf"(?P<place>\S.*:{_LINES})(?=[@#]){_READ_AT}")
_COMMIT = re.compile(r"[0-9a-f]{7,64}")
_NAMED_COMMIT = re.compile(r"(?P<id>[0-9a-f]{7,64}) \((?P<name>.+)\)", re.DOTALL)
_TYPED = re.compile(rf"({'|'.join(EvidenceType)}): (.+)", re.DOTALL)
_SHORT_COMMIT = 7
_SHORT_DIGEST = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedPlace:
    """A place in a file that an entry cites.

    ``commit`` is the commit that was checked out when the lines were read, ``digest`` the start of
    the hash of their text, if the entry has them.
    """

    place: str
    commit: str | None = None
    digest: str | None = None


def belongs_in_pages(memory: Memory) -> bool:
    """Tell whether a memory belongs to the repository's pages."""
    is_shared = memory.scope is Scope.REPO and memory.kind in PAGES
    return is_shared and not is_private(memory.tags) and not is_sensitive(memory)


def is_private(tags: Iterable[str]) -> bool:
    """Tell whether one of the tags keeps a memory out of the pages, however it is spelled."""
    return any(tag.strip().casefold() == PRIVATE for tag in tags)


def is_from_page(record: MemoryRecord) -> bool:
    """Tell whether a memory was first read from a page."""
    return any(PAGE in item.facts for item in record.memory.evidence)


def is_uid(text: str) -> bool:
    """Tell whether a word has the form of a memory id."""
    return _UID.fullmatch(text) is not None


def is_label(text: str | None) -> bool:
    """Tell whether a label has the form that pages use: ``DEC-001``."""
    return text is not None and _LABEL.fullmatch(text) is not None


class Numbering:
    """Assigns labels: for each kind the next number after the highest one in use."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._highest: dict[str, int] = {}
        for label in taken:
            if found := _LABEL.fullmatch(label):
                prefix, number = found[1], int(found[2])
                self._highest[prefix] = max(number, self._highest.get(prefix, 0))

    def next(self, kind: Kind) -> str:
        """Return an unused label, and reserve it."""
        prefix = PAGES[kind][1]
        self._highest[prefix] = self._highest.get(prefix, 0) + 1
        return f"{prefix}-{self._highest[prefix]:03d}"


def entry_of(
    record: MemoryRecord,
    *,
    uid: MemoryId,
    status: Status,
    spans: Mapping[SpanId, Span],
    was: tuple[str, ...] = (),
) -> PageEntry:
    """Return a memory as an entry of a page."""
    memory, standing = record.memory, record.standing
    key, expires = key_and_expiry(memory)
    return PageEntry(
        uid=uid,
        label=standing.label if is_label(standing.label) else None,
        kind=memory.kind,
        status=status,
        tags=memory.tags,
        key=key,
        expires=expires,
        checks=checks_in(memory.metadata),
        source=" ".join(memory.source.split()),
        evidence=evidence_of(record, spans),
        updated=_last_touched(record).date().isoformat(),
        was=was,
        body=memory.claim.strip("\n"),
        origin=memory.trust,
    )


def expiry_words(moment: datetime) -> str:
    """Return the moment of an expiry as a page writes it."""
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="seconds") + "Z"


def key_and_expiry(memory: Memory) -> tuple[str, str]:
    """Return the key and the expiry of a memory as a page writes them; empty if it has none."""
    expires = "" if memory.expires_at is None else expiry_words(memory.expires_at)
    return memory.key or "", expires


def digest_fields(memory: Memory) -> tuple[str, ...]:
    """Return the fields that the digest of an entry covers since pages have them."""
    return (*key_and_expiry(memory), *checks_in(memory.metadata))


def with_key_of(memory: Memory, entry: PageEntry) -> PageEntry:
    """Return an entry with a memory's key and expiry, where the entry has none."""
    key, expires = key_and_expiry(memory)
    return replace(entry, key=entry.key or key, expires=entry.expires or expires)


def evidence_of(record: MemoryRecord, spans: Mapping[SpanId, Span]) -> tuple[str, ...]:
    """Return the evidence of a memory as a page writes it."""
    words = [evidence_words(item, spans) for item in record.evidence if PAGE not in item.facts]
    return tuple(dict.fromkeys(words))


def earlier_evidence_of(record: MemoryRecord, spans: Mapping[SpanId, Span]) -> tuple[str, ...]:
    """Return the evidence of a memory as pages wrote it before they had hashes and ids."""
    words = [earlier_words(item, spans) for item in record.evidence if PAGE not in item.facts]
    return tuple(dict.fromkeys(words))


def status_at(record: MemoryRecord, moment: datetime) -> Status:
    """Return a memory's status for its page; an expired memory is deprecated there."""
    status = record.standing.status
    if status is Status.ACCEPTED and not record.may_be_recalled_at(moment):
        return Status.DEPRECATED
    return status


def evidence_words(item: Evidence, spans: Mapping[SpanId, Span]) -> str:
    """Return one piece of evidence as a page writes it.

    Lines have the start of the hash of their text (``src/app.py:10-30@9f3c2ab#1f0c5a9be27d``), and
    a commit has its full id (``commit: 4c9ab48… (HEAD~2)``), so that another clone can check them.
    Other evidence has its type in front.
    """
    words = earlier_words(item, spans)
    if WRITTEN in item.facts:
        return words
    span = None if item.span is None else spans.get(item.span)
    if item.type is EvidenceType.SPAN and span is not None:
        return f"{words}#{span.text_hash[:_SHORT_DIGEST]}"
    if item.type is EvidenceType.COMMIT and (whole := item.facts.get(COMMIT)):
        name = " ".join(item.reference.split())
        beside = "" if whole.startswith(name) else f" ({name})"
        return f"{item.type.value}: {whole}{beside}"
    return words


def earlier_words(item: Evidence, spans: Mapping[SpanId, Span]) -> str:
    """Return evidence in the older form: lines without a hash, a commit without its id."""
    if written := item.facts.get(WRITTEN):
        return written
    reference = " ".join(item.reference.split())
    if item.type is EvidenceType.SPAN:
        span = None if item.span is None else spans.get(item.span)
        anchor = None if span is None else span.anchor
        head = None if anchor is None else anchor.head
        return reference if head is None else f"{reference}@{head[:_SHORT_COMMIT]}"
    if item.type is EvidenceType.URL and reference.startswith(("https://", "http://")):
        return reference
    return f"{item.type.value}: {reference}"


def read_evidence(text: str) -> Evidence | CitedPlace:
    """Parse one piece of evidence of an entry; a place in a file is returned for checking."""
    written = {WRITTEN: text}
    if typed := _TYPED.fullmatch(text):
        kind, reference = EvidenceType(typed[1]), typed[2].strip()
        if kind is EvidenceType.COMMIT and (named := _NAMED_COMMIT.fullmatch(reference)):
            facts = {**written, COMMIT: named["id"]}
            return Evidence(type=kind, reference=named["name"], facts=facts)
        return Evidence(type=kind, reference=reference, facts=written)
    if text.startswith(("https://", "http://")):
        return Evidence(type=EvidenceType.URL, reference=text, facts=written)
    if place := _PLACE.fullmatch(text) or _ODD_PLACE.fullmatch(text):
        return CitedPlace(place=place["place"], commit=place["commit"], digest=place["digest"])
    if _COMMIT.fullmatch(text):
        return Evidence(type=EvidenceType.COMMIT, reference=text, facts=written)
    return Evidence(type=EvidenceType.STATEMENT, reference=text, facts=written)


def _last_touched(record: MemoryRecord) -> datetime:
    decided = record.standing.decided_at
    return record.memory.created_at if decided is None else decided
