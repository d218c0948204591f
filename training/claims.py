"""Pairs of claims with a label, and the file that keeps them."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from training.pools import Pool, lines

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

CONTRADICTS, AMENDS, COMPATIBLE, UNRELATED = "contradicts", "amends", "compatible", "unrelated"
LABELS = (CONTRADICTS, AMENDS, COMPATIBLE, UNRELATED)


@dataclass(frozen=True, slots=True)
class ClaimPair:
    """An older and a newer claim, and how the newer one stands to the older one.

    ``fine`` is the label of inference data, which tells entailment from neutral.
    """

    src: str
    older: str
    newer: str
    label: str
    fine: str = ""


def each(text: str, between: str | None = None) -> tuple[str, ...]:
    """Return the words of a list that is written as one text."""
    return tuple(text.split(between))


def write_pairs(path: Path, pairs: Iterable[ClaimPair]) -> int:
    """Write pairs, one a line; return how many."""
    count = 0
    with path.open("w", encoding="utf-8") as file:
        for pair in pairs:
            file.write(json.dumps(asdict(pair), ensure_ascii=False) + "\n")
            count += 1
    return count


def read_pairs(path: Path) -> list[ClaimPair]:
    """Return the pairs of a file."""
    return [ClaimPair(**line) for line in lines(path)]


def as_pools(pairs: Iterable[ClaimPair]) -> list[Pool]:
    """Return the claims of each source as a pool without questions, for the check of overlap."""
    texts: dict[str, dict[str, None]] = {}
    for pair in pairs:
        texts.setdefault(pair.src, {}).update({pair.older: None, pair.newer: None})
    return [Pool(src, src, [*found], []) for src, found in texts.items()]
