"""Questions with the hits of Holdfast's own ranking, and what another order of them finds."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from training.pools import Ask, Pool

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Line = dict[str, Any]
"""A question with its hits, as one line of the file that ``candidates`` writes."""
READ, WEIGHT = 12, 0.7


def as_pool(line: Line) -> Pool:
    """Return one question with its hits as a pool: the hits are its documents, in their order."""
    gold = [number for number, hit in enumerate(line["hits"]) if hit["right"]]
    docs = [hit["text"] for hit in line["hits"]]
    return Pool(line["set"], line["group"], docs, [Ask(line["text"], gold, id=line["id"])])


def divided(found: list[Line], names: set[tuple[str, str]]) -> tuple[list[Line], list[Line]]:
    """Return the questions to train on and those left out, which ``names`` has by set and id.

    What answers a question left out is no hit of the others.
    """
    out = [line for line in found if (line["set"], line["id"]) in names]
    hidden = {(line["set"], name) for line in out for name in line["gold"]}
    kept = []
    for line in found:
        if (line["set"], line["id"]) not in names:
            hits = [hit for hit in line["hits"]
                    if hidden.isdisjoint((line["set"], name) for name in hit["names"])]  # fmt: skip
            kept.append({**line, "hits": hits})
    return kept, out


def reordered(scores: Sequence[float], read: Sequence[float], *, links: bool) -> list[int]:
    """Return the order of hits as a deep recall makes it, from their scores and a reader's."""
    head = list(read[:READ])
    if links or len(head) < 2:
        return list(range(len(scores)))
    mean = sum(head) / len(head)
    deviation = math.sqrt(sum((one - mean) ** 2 for one in head) / len(head)) + 1e-6
    total = [
        score + WEIGHT / (1 + math.exp((mean - one) / deviation))
        for score, one in zip(scores, head, strict=False)
    ]
    order = sorted(range(len(head)), key=lambda number: -total[number])
    return [*order, *range(len(head), len(scores))]


def found_by(line: Line, order: Iterable[int]) -> tuple[float, float, float]:
    """Return R@5, R@10 and MRR of one question with its hits in this order."""
    right = [len(line["hits"][number]["right"]) for number in order]
    first = next((1 / place for place, count in enumerate(right, 1) if count), 0.0)
    many = len(line["gold"])
    return sum(right[:5]) / many, sum(right[:10]) / many, first
