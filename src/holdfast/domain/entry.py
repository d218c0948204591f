"""A memory as people read it in a file: a few named facts, and a short body."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import TYPE_CHECKING

from holdfast.domain.choices import Kind, Status
from holdfast.domain.event import canonical_json
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from holdfast.domain.ids import MemoryId

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
"""For each kind that stands in files: the page it is on, and how its labels begin.

An agent's own observations, reflections and results are no knowledge of the team's; they
stay in the store.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One entry of a page.

    ``uid`` is its identity for good: the first memory that said it. An edit supersedes that
    memory in the store and leaves the uid as it is. ``label`` is the name people use
    (``DEC-001``), which may change. A person's own entry has no uid until the first sync.
    """

    body: str
    kind: Kind
    uid: MemoryId | None = None
    label: str | None = None
    status: Status = Status.ACCEPTED
    tags: tuple[str, ...] = ()
    source: str = ""
    evidence: tuple[str, ...] = ()
    updated: str = ""
    was: tuple[str, ...] = ()
    """Labels it had before."""

    @property
    def digest(self) -> str:
        """The hash of what the entry says; its label, its dates and its place do not count."""
        return _digest(self.kind, self.status, self.tags, self.evidence, self.body)


@lru_cache(maxsize=16_384)
def _digest(
    kind: Kind, status: Status, tags: tuple[str, ...], evidence: tuple[str, ...], body: str
) -> str:
    """Return the hash of what an entry says; a sync asks for it many times for each entry."""
    said = [kind, status, sorted(tags), list(evidence), body.strip()]
    return hashlib.sha256(canonical_json(said).encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedEntry:
    """An entry, and where it stands: the path from the repository's root, and its first line."""

    entry: Entry
    path: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Flaw:
    """Something in a file that cannot be read as an entry; the file is left as it is."""

    path: str
    line: int
    problem: str
    advice: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetAside:
    """A save of a page that could not be joined into it: the page's name, and where the copy is."""

    page: str
    copy: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Pages:
    """Everything the files say, what in them could not be read, and saves that were set aside.

    ``forgotten`` are the digests of entries that say what was forgotten in this clone.
    """

    entries: tuple[PlacedEntry, ...] = ()
    flaws: tuple[Flaw, ...] = ()
    aside: tuple[SetAside, ...] = ()
    forgotten: frozenset[str] = frozenset()
    unsure_of_forgotten: str | None = None
    """Why it is not known which texts were forgotten in this clone; none where it is known."""
