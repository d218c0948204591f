"""What a person trusted of the pages of a clone, and what waits for that."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from holdfast.domain.memory.entry import canonical_json
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from holdfast.domain.memory.entry import Flaw, Pages
from holdfast.domain.pages.syncing import EntryOutcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Trusted:
    """Who trusted the pages of which clone, when, and the hash of their content."""

    clone: str
    tree: str
    by: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """The entries of a clone's pages that nobody here has accepted yet.

    ``shown`` is the hash of all of them, byte for byte; ``tree`` is the hash of the pages as a
    whole. ``flaws`` are the parts of the pages that cannot be read, and so are not among them.
    """

    outcomes: tuple[EntryOutcome, ...]
    shown: str
    tree: str
    flaws: tuple[Flaw, ...] = ()

    @property
    def proofs(self) -> frozenset[str]:
        """The hashes of the entries, for a sync to accept."""
        return frozenset(one.proof for one in self.outcomes if one.proof is not None)


def shown_hash(proofs: Iterable[str]) -> str:
    """Return the hash of exactly these texts, independent of their order."""
    return _hash(sorted(proofs))


def tree_hash(pages: Pages) -> str:
    """Return the hash of the whole content of the pages, with the places."""
    return _hash(sorted([one.path, one.entry.uid or "", one.entry.digest] for one in pages.entries))


def _hash(value: object) -> str:
    return hashlib.sha256(canonical_json(value).encode("utf-8", "surrogatepass")).hexdigest()
