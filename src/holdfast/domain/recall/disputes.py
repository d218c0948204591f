"""Mark memories in an answer that contradict each other, while no person has decided."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import LinkKind
from holdfast.domain.recall.bundle import DISPUTED, Reason
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from holdfast.domain.memory.link import Link
    from holdfast.domain.recall.ranking import Scored
    from holdfast.domain.recall.resolution import Amended


_DECIDING = frozenset(
    {LinkKind.CONTRADICTS, LinkKind.SUPERSEDES, LinkKind.COMPATIBLE, LinkKind.WITHDRAWN}
)


def disputed(
    scored: Sequence[Scored], links: Iterable[Link], amended: Iterable[Amended] = ()
) -> tuple[Scored, ...]:
    """Return the hits in the same order, with a note on each that contradicts another.

    Pairs in which one memory amends the other get no note, because the answer already shows that.
    """
    told = {frozenset({one.older, one.newer}) for one in amended}
    names = {item.record.memory.id for item in scored}
    pairs = {
        frozenset({link.src, link.dst}): link.kind == LinkKind.CONTRADICTS
        for link in sorted(links, key=lambda link: link.kind != LinkKind.CONTRADICTS)
        if link.kind in _DECIDING and {link.src, link.dst} <= names
    }
    undecided = [sorted(pair) for pair, is_open in pairs.items() if is_open and pair not in told]
    return tuple(_noted(item, undecided) for item in scored)


def _noted(item: Scored, undecided: Sequence[Sequence[str]]) -> Scored:
    own = item.record.memory.id
    others = [one for pair in undecided if own in pair for one in pair if one != own]
    notes = tuple(
        Reason(leg=DISPUTED, amount=0.0, note=f"contradicts {other}; nobody has decided")
        for other in others
    )
    return replace(item, reasons=(*item.reasons, *notes)) if notes else item
