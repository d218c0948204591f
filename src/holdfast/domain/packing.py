"""Fit the best answers into a budget, whole thoughts only, and say what stayed outside."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.bundle import Bundle, BundleItem, LeftOut
from holdfast.domain.rendering import Recalled, framed, headline, item_block
from holdfast.domain.selection import near_form
from holdfast.domain.values import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory import MemoryRecord
    from holdfast.domain.ranking import Scored
    from holdfast.domain.resolution import Amended

_WIDEST = 999_999
_SMALLEST_ITEM = 16
_START_READ = 120
_START_WORDS = 3


@dataclass(slots=True)
class _Packer:
    count: Callable[[str], int]
    bundle: Bundle
    spent: int
    items: list[BundleItem]
    left_out: list[LeftOut]
    said: dict[str, list[tuple[str, MemoryId]]]
    blocks: list[str]
    amended: Mapping[MemoryId, Amended]

    def offer(self, scored: Scored) -> None:
        """Take a memory in if it answers, is new, is asked for and fits; cheapest test first."""
        room = self.bundle.question.budget - self.spent
        if refusal := self._refusal(scored, room):
            self._leave(scored, tokens=0, why=refusal)
            return
        memory = scored.record.memory
        amended = self.amended.get(memory.id)
        newer = None if amended is None else amended.newer
        block = item_block(
            len(self.items) + 1,
            scored.record,
            scored.reasons,
            at=self.bundle.asked_at,
            superseded_by=newer,
        )
        tokens = self.count(block + "\n")
        if tokens > room:
            self._leave(scored, tokens=tokens, why=f"{tokens:,} tokens do not fit in {room:,}")
            return
        self.spent += tokens
        self.blocks.append(block)
        self.said.setdefault(_start(memory.claim), []).append((memory.claim, memory.id))
        self.items.append(
            BundleItem(
                memory_id=memory.id,
                content_hash=memory.content_hash,
                score=scored.score,
                tokens=tokens,
                reasons=scored.reasons,
                ranks=scored.ranks,
                superseded_by=newer,
            )
        )

    def _refusal(self, scored: Scored, room: int) -> str:
        limit = self.bundle.question.limit
        if room < _SMALLEST_ITEM:
            return f"no item fits in the {max(room, 0):,} tokens that are left"
        if not scored.answers:
            return "too little in common with the question"
        if len(self.items) >= limit:
            return f"beyond the {limit} items asked for"
        return self._said_before(scored.record.memory.claim)

    def _said_before(self, claim: str) -> str:
        """Say who said the same already; only those that begin alike are compared whole."""
        for other, memory_id in self.said.get(_start(claim), ()):
            if near_form(other) == near_form(claim):
                return f"says the same as {memory_id}"
        return ""

    def _leave(self, scored: Scored, *, tokens: int, why: str) -> None:
        self.left_out.append(
            LeftOut(
                memory_id=scored.record.memory.id,
                score=scored.score,
                tokens=tokens,
                reasons=scored.reasons,
                why=why,
                ranks=scored.ranks,
            )
        )


def _start(claim: str) -> str:
    """Return the first letters of a claim: claims that say the same have them in common."""
    words = near_form(claim[:_START_READ]).split()
    return " ".join(words[:_START_WORDS])


def pack(
    scored: Sequence[Scored],
    *,
    amended: Mapping[MemoryId, Amended],
    bundle: Bundle,
    nonce: str,
    count: Callable[[str], int],
) -> Recalled:
    """Fill the bundle best first; the text of the result never counts more than the budget."""
    packer = _Packer(
        count=count,
        bundle=bundle,
        spent=_frame_cost(bundle, nonce, count),
        items=[],
        left_out=[],
        said={},
        blocks=[],
        amended=amended,
    )
    for item in scored:
        packer.offer(item)
    records = {item.record.memory.id: item.record for item in scored}
    return _settled(packer, records, nonce)


def _frame_cost(bundle: Bundle, nonce: str, count: Callable[[str], int]) -> int:
    header = headline(
        bundle.id, tokens=_WIDEST, budget=bundle.question.budget, items=_WIDEST, left_out=_WIDEST
    )
    return count(framed(header, ["."], notes=bundle.notes, nonce=nonce))


def _settled(packer: _Packer, records: dict[MemoryId, MemoryRecord], nonce: str) -> Recalled:
    """Measure the finished text, and drop the last item while it is over: tokens may join up."""
    budget = packer.bundle.question.budget
    while (tokens := _finished_cost(packer, nonce)) > budget and packer.items:
        last = packer.items.pop()
        packer.blocks.pop()
        left = LeftOut(
            memory_id=last.memory_id,
            score=last.score,
            tokens=last.tokens,
            reasons=last.reasons,
            why=f"{last.tokens:,} tokens do not fit",
            ranks=last.ranks,
        )
        packer.left_out.insert(0, left)
    filled = replace(
        packer.bundle, items=tuple(packer.items), left_out=tuple(packer.left_out), tokens=tokens
    )
    kept = {memory_id: records[memory_id] for memory_id in _named(filled)}
    return Recalled(bundle=filled, records=kept, nonce=nonce)


def _finished_cost(packer: _Packer, nonce: str) -> int:
    bundle = packer.bundle
    header = headline(
        bundle.id,
        tokens=min(packer.spent, bundle.question.budget),
        budget=bundle.question.budget,
        items=len(packer.items),
        left_out=len(packer.left_out),
    )
    return packer.count(framed(header, packer.blocks, notes=bundle.notes, nonce=nonce))


def _named(bundle: Bundle) -> list[MemoryId]:
    given = [item.memory_id for item in bundle.items]
    return given + [item.memory_id for item in bundle.left_out]
