"""Tell why a bundle gave a memory, or left it out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Status
from holdfast.domain.memory.selection import Selection, reaches
from holdfast.domain.recall.question import matched_terms
from holdfast.domain.recall.relevance import telling_terms
from holdfast.domain.refusals import NotConsideredError
from holdfast.domain.values import dataclass
from holdfast.usecases.naming import (
    bundle_id,
    memory_id,
)

if TYPE_CHECKING:
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.recall.bundle import Bundle, BundleItem, LeftOut
    from holdfast.ports.store.store import Store


_SHOWN_DISPLACERS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Placing:
    """What a bundle did with one memory: it gave it at a rank, or left it out, and why."""

    bundle: Bundle
    record: MemoryRecord | None
    item: BundleItem | LeftOut
    rank: int | None
    matched: tuple[str, ...] = ()
    displaced_by: tuple[BundleItem, ...] = ()


def placing(bundle_reference: str, memory_reference: str, *, store: Store) -> Placing:
    """Return why a bundle gave a memory or left it out.

    Raises:
        NotConsideredError: The bundle did not consider the memory; the message says why.
    """
    with store.reading() as tx:
        bundle = tx.bundles.get(bundle_id(tx, bundle_reference))
        wanted = memory_id(tx, memory_reference)
        record = tx.memories.get(wanted)
    matched = _matched(bundle, record)
    for rank, item in enumerate(bundle.items, start=1):
        if item.memory_id == wanted:
            return Placing(bundle=bundle, record=record, item=item, rank=rank, matched=matched)
    for left in bundle.left_out:
        if left.memory_id == wanted:
            return Placing(
                bundle=bundle,
                record=record,
                item=left,
                rank=None,
                matched=matched,
                displaced_by=_displacers(bundle, left),
            )
    why = _why_not_considered(bundle, record)
    raise NotConsideredError(memory_id=wanted, bundle_id=bundle.id, why=why)


def _why_not_considered(bundle: Bundle, record: MemoryRecord) -> str:
    """Return why a memory was not a candidate, as far as that can still be determined."""
    memory, question = record.memory, bundle.question
    if memory.created_at > bundle.asked_at:
        return "it was remembered after the question was asked"
    if not record.may_be_recalled_at(bundle.asked_at):
        status = record.standing.status
        state = "it had ended by then" if status is Status.ACCEPTED else f"it is {status.value}"
        return f"{state}, and only accepted memories that still hold are given"
    if not reaches(record, bundle.place):
        return "its scope does not reach the place where the question was asked"
    narrowed = Selection(
        kinds=frozenset(question.kinds),
        scopes=frozenset(question.scopes),
        tags=frozenset(question.tags),
    )
    if not narrowed.takes(record):
        return "the question asked for other kinds, scopes or tags"
    return (
        "the search did not find it by its words, by its meaning, by a name in the question"
        " or by a link from a better one"
    )


def _displacers(bundle: Bundle, left: LeftOut) -> tuple[BundleItem, ...]:
    """Return the lowest-ranked items that were given before it."""
    before = [item for item in bundle.items if item.score >= left.score]
    return tuple(before[-_SHOWN_DISPLACERS:])


def _matched(bundle: Bundle, record: MemoryRecord) -> tuple[str, ...]:
    memory = record.memory
    text = " ".join((memory.claim, memory.key or "", *memory.tags))
    return matched_terms(telling_terms(bundle.question.text), text)
