"""The calls that decide about candidates; each counts only for the text that was shown.

The use cases are imported with the first decision: the list is shown before anything is decided.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from holdfast.app import Holdfast
    from holdfast.domain.ids import MemoryId
    from holdfast.usecases.memory.forget import Forgotten
    from holdfast.usecases.review.approve import Decided
    from holdfast.usecases.review.queued import Queue, WaitingCandidate

    Deciding = Callable[[Holdfast], Decided]

WAYS = {
    "n": ("supersede", "new: it replaces the accepted memory"),
    "o": ("keep-old", "old: keep the accepted memory, reject this one"),
    "b": ("keep-both", "both: accept both, they do not exclude each other"),
}
"""The keys that resolve a conflict, with the name of the way that each chooses."""
KEEPS_OLD, MERGES = "keep-old", "merge"


def reviewing(names: Sequence[MemoryId]) -> Callable[[Holdfast], Queue]:
    """Return the call that reads some candidates again, with what a model suspects."""
    from holdfast.usecases.review.queued import Review

    wish = Review(references=tuple(names), limit=max(1, len(names)), reads_pairs=True)
    return lambda memory: memory.review.review(wish)


def approving(items: Sequence[WaitingCandidate], *, by: str) -> Deciding:
    """Return the call that accepts candidates; conflicts among several are left."""
    from holdfast.usecases.review.approve import Approve

    shown = {str(one.record.memory.id): one.shown for one in items}
    wish = Approve(references=tuple(shown), by=by, shown=shown, leaves_conflicts=len(items) > 1)
    return lambda memory: memory.review.approve(wish)


def rejecting(items: Sequence[WaitingCandidate], *, by: str, reason: str = "") -> Deciding:
    """Return the call that rejects candidates."""
    from holdfast.usecases.review.approve import Reject

    names = tuple(one.record.memory.id for one in items)
    wish = Reject(references=names, by=by, reason=reason)
    return lambda memory: memory.review.reject(wish)


def resolving(item: WaitingCandidate, way: str, *, by: str, text: str = "") -> Deciding:
    """Return the call that ends the conflict of a candidate."""
    from holdfast.usecases.review.resolve import ResolutionWay, Resolve

    wish = Resolve(
        reference=item.record.memory.id,
        other=item.opponent(takes_all=way in {"supersede", KEEPS_OLD}),
        way=ResolutionWay(way),
        by=by,
        text=text,
        shown_hash=item.shown,
    )
    return lambda memory: memory.review.resolve(wish)


def rewording(item: WaitingCandidate, claim: str, *, by: str) -> Deciding:
    """Return the call that accepts a candidate in other words."""
    from holdfast.usecases.review.rewording import Edit

    wish = Edit(reference=item.record.memory.id, claim=claim, by=by, shown_hash=item.shown)
    return lambda memory: memory.review.edit(wish)


def joining(names: Sequence[MemoryId], *, by: str, text: str | None) -> Deciding:
    """Return the call that makes one memory of several; without a text, the first one stays."""
    return lambda memory: memory.care.consolidate(names, by=by, text=text)


def forgetting(item: WaitingCandidate, *, by: str) -> Callable[[Holdfast], Forgotten]:
    """Return the call that carries out a proposal to forget a memory."""
    from holdfast.domain.memory.decision import offer_of
    from holdfast.usecases.memory.forget import Forget

    memory, offer = item.record.memory, offer_of(item.record.memory)
    reference = memory.id if offer is None else offer.about
    reason = f"proposed by {memory.source or memory.origin.value}"
    wish = Forget(reference=reference, by=by, reason=reason)
    return lambda holdfast: holdfast.memories.forget(wish)
