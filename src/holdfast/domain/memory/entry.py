"""A memory as an entry of a page: a few named fields and a short body.

The event log as a hash chain, which reveals missing and altered events.
"""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from holdfast.domain.choices import Kind, Status
from holdfast.domain.memory.statement import statement_form
from holdfast.domain.values import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from holdfast.domain.choices import Origin
    from holdfast.domain.ids import MemoryId


GENESIS = "0" * 64
_encode = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode


def canonical_json(value: object) -> str:
    """Return the canonical JSON of a value, so that equal values have equal hashes."""
    return _encode(value)


def digest(value: object) -> str:
    """Return the hash of a value's canonical JSON."""
    return hashlib.sha256(canonical_json(value).encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """A change to the canonical data. It contains names and hashes, never text.

    ``digest`` is the hash of the row after the change, empty if the row is gone.
    """

    sequence: int
    at_millis: int
    action: str
    subject: str
    digest: str
    previous: str

    @property
    def hash(self) -> str:
        """The hash over this event and the hash of the one before it."""
        return digest(
            [
                self.sequence,
                self.at_millis,
                self.action,
                self.subject,
                self.digest,
                self.previous,
            ]
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The newest event of a chain: its number and its hash."""

    sequence: int = 0
    hash: str = GENESIS


PAGES: dict[Kind, tuple[str, str]] = {
    Kind.DECISION: ("decisions", "DEC"),
    Kind.ASSUMPTION: ("assumptions", "ASM"),
    Kind.INVARIANT: ("invariants", "INV"),
    Kind.RULE: ("rules", "RUL"),
    Kind.GOTCHA: ("gotchas", "GOT"),
    Kind.FACT: ("facts", "FAC"),
    Kind.PLAN: ("plans", "PLN"),
    Kind.INSIGHT: ("insights", "INS"),
    Kind.FAILURE: ("failures", "FAI"),
    Kind.NAME_ALIAS: ("aliases", "ALI"),
    Kind.EXEMPLAR: ("exemplars", "EXE"),
}
"""For each kind that has a page: the page's name, and the prefix of its labels.

Observations, reflections and results of agents are not team knowledge; they stay in the store.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageEntry:
    """One entry of a page.

    ``uid`` is its permanent identity: the id of the first memory with this entry. An edit
    supersedes that memory in the store and keeps the uid. ``label`` is the name that people use
    (``DEC-001``); it may change. An entry written by a person has no uid until the first sync.
    """

    body: str
    kind: Kind
    uid: MemoryId | None = None
    label: str | None = None
    status: Status = Status.ACCEPTED
    tags: tuple[str, ...] = ()
    key: str = ""
    expires: str = ""
    """When the claim expires, in UTC: ``2026-11-30T12:00:00Z``; empty means never."""
    checks: tuple[str, ...] = ()
    source: str = ""
    evidence: tuple[str, ...] = ()
    updated: str = ""
    was: tuple[str, ...] = ()
    """The labels it had before."""
    origin: Origin | None = None
    """The trust of the memory that is written to a page; None for an entry read from a page."""

    @property
    def digest(self) -> str:
        """The hash of the entry's content, without its label, dates and place."""
        more = (self.key, self.expires, *self.checks)
        return entry_digest(self.kind, self.status, self.tags, self.evidence, self.body, more)

    @property
    def field_marks(self) -> frozenset[str]:
        """What the digest covers, in parts, so that fields, lines and words can be compared."""
        fields = {
            "kind": self.kind,
            "status": self.status,
            "tags": sorted(self.tags),
            "key": self.key,
            "expires": self.expires,
            "checks": self.checks,
            "evidence": self.evidence,
            "body": self.body.strip(),
            "lines": [line.strip() for line in self.body.splitlines() if line.strip()],
        }
        return field_marks(fields)

    def removal_marks(self, before: PageEntry) -> frozenset[str]:
        """Return the marks of the items that an earlier version had and this one lacks.

        Lines count only if more of them are gone than new: a line that was changed is both.
        """
        names = ("tags", "checks", "evidence")
        lists = {name: (getattr(before, name), getattr(self, name)) for name in names}
        old, new = (list(map(str.strip, one.body.splitlines())) for one in (before, self))
        if len(set(old) - set(new)) > len(set(new) - set(old)):
            lists["lines"] = (old, new)
        return removal_marks(lists)

    @property
    def text_mark(self) -> str:
        """The hash of the entry's text alone, without spelling that never changes a statement."""
        return digest(["text", statement_form(self.body)])


def field_marks(fields: Mapping[str, object]) -> frozenset[str]:
    """Return a mark for the value of each field, for each of its items, and for adjacent words.

    So a value that is partly somebody else's has a mark in common with theirs.
    """
    return frozenset(
        digest([name, part]) for name, value in fields.items() for part in _parts(value)
    )


def removal_marks(
    lists: Mapping[str, tuple[Collection[str], Collection[str]]],
) -> frozenset[str]:
    """Return a mark for each item that a list had before and lacks now."""
    return frozenset(
        removed(digest([name, ["item", one]]))
        for name, (before, now) in lists.items()
        for one in set(before) - set(now)
    )


def removed(mark: str) -> str:
    """Return the mark of the removal of what has a mark."""
    return f"-{mark}"


def _parts(value: object) -> Iterator[object]:
    yield value
    if isinstance(value, list | tuple):
        yield from (["item", one] for one in value)
    elif isinstance(value, str):
        yield from (["words", *pair] for pair in pairwise(value.split()))


@lru_cache(maxsize=16_384)
def entry_digest(
    kind: Kind,
    status: Status,
    tags: tuple[str, ...],
    evidence: tuple[str, ...],
    body: str,
    more: tuple[str, ...],
) -> str:
    """Return the hash of an entry's content; cached, because a sync needs it many times.

    ``more`` is the key, the expiry and the checks. Without them it is the hash that was stored
    before entries had them.
    """
    named, checks = more[:2], list(more[2:])
    said = [kind, status, sorted(tags), list(evidence), body.strip()]
    said += [*(named if any(named) else ()), *([checks] if checks else ())]
    return hashlib.sha256(canonical_json(said).encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedEntry:
    """An entry and its place: the path from the repository root, and its first line.

    ``has_more``: its frontmatter has something that Holdfast does not write, such as a comment.
    """

    entry: PageEntry
    path: str
    line: int
    has_more: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Flaw:
    """A part of a file that cannot be read as an entry; sync leaves the file as it is."""

    path: str
    line: int
    problem: str
    advice: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetAside:
    """A saved page version that could not be merged: the page's name, and the path of the copy."""

    page: str
    copy: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Pages:
    """All entries of the pages, the parts that could not be read, and the versions set aside.

    ``forgotten`` holds the digests of entries whose text was forgotten in this clone.
    """

    entries: tuple[PlacedEntry, ...] = ()
    flaws: tuple[Flaw, ...] = ()
    aside: tuple[SetAside, ...] = ()
    forgotten: frozenset[str] = frozenset()
    unsure_of_forgotten: str | None = None
    """Why the forgotten texts of this clone are unknown; None if they are known."""
    written: Mapping[str, Origin] = field(default_factory=dict)
    """The origins of the texts that Holdfast wrote to the pages, by digest; people's are omitted.

    Several stores can share the pages of a clone, and none may take another's text for a person's.
    """
    proposed: Mapping[str, Origin] = field(default_factory=dict)
    """The origins of the edits that agents' syncs found, by the digest and by the text's mark."""
