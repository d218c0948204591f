"""What it means to trust the pages of a clone: exactly what was shown, and nothing later."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from holdfast.domain.event import canonical_json
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from holdfast.domain.entry import Pages
    from holdfast.domain.syncing import Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Trusted:
    """Who trusted the pages of which clone, when, and what they were then."""

    clone: str
    tree: str
    by: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """What the pages of a clone say that nobody here accepted yet.

    ``shown`` names all of it at once, byte for byte; ``tree`` names the pages as a whole.
    """

    outcomes: tuple[Outcome, ...]
    shown: str
    tree: str

    @property
    def proofs(self) -> frozenset[str]:
        """What names each of them, for a sync to accept."""
        return frozenset(one.proof for one in self.outcomes if one.proof is not None)


def shown_hash(proofs: Iterable[str]) -> str:
    """Return the name of exactly these texts, in whatever order they were shown."""
    return _hash(sorted(proofs))


def tree_hash(pages: Pages) -> str:
    """Return the name of everything the pages say, and where."""
    return _hash(sorted([one.path, one.entry.uid or "", one.entry.digest] for one in pages.entries))


def _hash(value: object) -> str:
    return hashlib.sha256(canonical_json(value).encode("utf-8", "surrogatepass")).hexdigest()
