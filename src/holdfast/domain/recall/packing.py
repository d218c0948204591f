"""Pack the best answers into a token budget, only whole items, and record what is left out."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from holdfast.domain.errors import BudgetTooSmallError
from holdfast.domain.memory.selection import near_start
from holdfast.domain.memory.statement import statement_form
from holdfast.domain.recall.bundle import Bundle, BundleItem, LeftOut, PassageItem, Shortage
from holdfast.domain.recall.framing import WIDEST, costly_id, costly_letters, frame_cost, least_cost
from holdfast.domain.recall.rendering import (
    Recalled,
    below,
    best_left_out,
    form_of,
    framed,
    headline,
    item_block,
    notes_of,
    nothing_given,
    passage_block,
    repeated_by,
    says_the_same,
)
from holdfast.domain.text.fencing import quoted
from holdfast.domain.values import dataclass, field, replace

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from holdfast.domain.checks.outcome import CheckOutcome
    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.anchor import Checked
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.recall.bundle import Passage
    from holdfast.domain.recall.ranking import Scored
    from holdfast.domain.recall.resolution import Amended

# Chosen by hand.
_SMALLEST_ITEM = 16
_START_READ = 120
_START_WORDS = 3
_KNOWN_STARTS = 4_096
_SHARE_OF_MEMORY = 0.6
_COUNTINGS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedAnswers:
    """The candidates for a bundle, best first, with what is known about them.

    ``amended`` says which memories a later one corrects, ``checked`` holds the verdicts about
    their evidence, ``outcomes`` what came out of their checks. Passages of code and history come
    after the memories.
    """

    scored: Sequence[Scored] = ()
    amended: Mapping[MemoryId, Amended] = field(default_factory=dict)
    checked: Mapping[MemoryId, tuple[Checked, ...]] = field(default_factory=dict)
    outcomes: Mapping[MemoryId, tuple[CheckOutcome, ...]] = field(default_factory=dict)
    passages: Sequence[Passage] = ()


@dataclass(slots=True)
class _Packer:
    count: Callable[[str], int]
    bundle: Bundle
    answers: RankedAnswers
    spent: int
    items: list[BundleItem]
    left_out: list[LeftOut]
    said: dict[str, list[tuple[str, MemoryId]]]
    blocks: list[str]
    passages: list[PassageItem]
    passages_left_out: list[PassageItem]
    passage_blocks: list[str]
    frame: int
    nonce: str
    offered: int = 0
    """The tokens of all memories measured so far, whether they fitted or not."""
    records: list[MemoryRecord] = field(default_factory=list)
    """The records of the items."""
    best: str | None = None
    """The name of the best answer: the first that was offered."""
    unfit: dict[str, int] = field(default_factory=dict)
    """For each name that did not fit, the budget that would hold it, in the order offered."""

    def offer(self, scored: Scored, *, cap: int) -> bool:
        """Add a memory if it answers, is not a repetition, is requested and fits.

        The cheapest test comes first. Return whether the memory was refused only for lack of room.
        """
        room = cap - self.spent
        memory = scored.record.memory
        if refusal := self._refusal(scored):
            self._leave(scored, tokens=0, why=refusal)
            return False
        if repeated := self._said_before(memory.claim):
            self._leave_repetition(scored, repeated, room=room)
            return False
        if scored.answers and self.best is None:
            self.best = memory.id
        if room < _SMALLEST_ITEM and self.unfit and self.best != memory.id:
            why = f"no item fits in the {max(room, 0):,} tokens that are left"
            self._leave(scored, tokens=0, why=why)
            self.unfit.setdefault(memory.id, 0)
            return True
        amended = self.answers.amended.get(memory.id)
        newer = None if amended is None else amended.newer
        checked = self.answers.checked.get(memory.id, ())
        outcomes = self.answers.outcomes.get(memory.id, ())
        block = item_block(
            len(self.items) + 1,
            scored.record,
            scored.reasons,
            form=form_of(self.bundle, above=self.records[-1] if self.records else None),
            superseded_by=newer,
            checked=checked,
        ) + below(outcomes)
        tokens = self.count(block + "\n")
        self.offered += tokens
        if tokens > room:
            why = f"{tokens:,} tokens do not fit in {max(room, 0):,}"
            self._leave(scored, tokens=tokens, why=why)
            self._note_unfit(memory.id)
            return True
        self.unfit.pop(memory.id, None)
        self.spent += tokens
        self.blocks.append(block)
        self.records.append(scored.record)
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
                checked=checked,
                outcomes=outcomes,
            )
        )
        return False

    @property
    def most_framed(self) -> int:
        """The largest cost of an answer without items, for any random names and any budget."""
        dearest = frame_cost(_costly(self.bundle), costly_letters(self.nonce), self.count)
        return max(self.frame, dearest)

    def _note_unfit(self, name: str) -> None:
        """Record the budget that would hold it; the note about a missing best answer costs too."""
        if name == self.best and name not in self.unfit:
            told = best_left_out(Shortage(found=1, needs=WIDEST))
            self.spent += self.count(f"note: {told}\n")
        self.unfit.setdefault(name, self.most_framed + self.offered)

    def offer_passage(self, passage: Passage) -> None:
        """Add a passage if it fits and is requested."""
        head = (passage.kind.value, passage.reference, passage.title)
        reasons = passage.reasons if self.bundle.question.verbose else ()
        block = passage_block(head, passage.text, reasons=reasons, beside=passage.beside)
        tokens, room = self.count(block + "\n"), self.bundle.question.budget - self.spent
        if self.best is None and not passage.why_not:
            self.best = passage.reference
        item = PassageItem(
            kind=passage.kind,
            reference=passage.reference,
            title=passage.title,
            text_hash=passage.text_hash,
            score=passage.score,
            tokens=tokens,
            reasons=passage.reasons,
            beside=passage.beside,
        )
        if passage.why_not:
            self.passages_left_out.append(replace(item, why_not=passage.why_not))
        elif tokens > room:
            why = f"{tokens:,} tokens do not fit in {max(room, 0):,}"
            self.offered += tokens
            self._note_unfit(passage.reference)
            self.passages_left_out.append(replace(item, why_not=why))
        elif len(self.passages) >= self.bundle.question.limit:
            why = f"beyond the {self.bundle.question.limit} items asked for"
            self.passages_left_out.append(replace(item, why_not=why))
        else:
            self.spent += tokens
            self.offered += tokens
            self.passage_blocks.append(block)
            self.passages.append(item)

    def _refusal(self, scored: Scored) -> str:
        limit = self.bundle.question.limit
        if scored.why_not:
            return scored.why_not
        if len(self.items) >= limit:
            return f"beyond the {limit} items asked for"
        return ""

    def _said_before(self, claim: str) -> str:
        """Return which item already says the same; only claims with equal starts are compared."""
        for other, memory_id in self.said.get(_start(claim), ()):
            if statement_form(other) == statement_form(claim):
                return says_the_same(memory_id)
        return ""

    def _leave_repetition(self, scored: Scored, why: str, *, room: int) -> None:
        """Leave out what says the same as an item; the item names it if there is room."""
        cost = self.count(below((), (scored.record.memory.id,)) + "\n")
        if cost <= room:
            self.spent += cost
            self._leave(scored, tokens=0, why=why)
        else:
            self._leave(scored, tokens=0, why=f"{why}, without room to name it")

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

    def drop_last(self, *, whole: int) -> None:
        """Remove the last item, a passage before a memory; ``whole`` is the full text's cost."""
        if self.passages:
            passage = self.passages.pop()
            self.unfit[passage.reference] = self.most_framed + whole
            self.passage_blocks.pop()
            why = f"{passage.tokens:,} tokens do not fit"
            self.passages_left_out.insert(0, replace(passage, why_not=why))
            return
        last = self.items.pop()
        self.unfit[last.memory_id] = self.most_framed + whole
        self.blocks.pop()
        self.records.pop()
        left = LeftOut(
            memory_id=last.memory_id,
            score=last.score,
            tokens=last.tokens,
            reasons=last.reasons,
            why=f"{last.tokens:,} tokens do not fit",
            ranks=last.ranks,
        )
        self.left_out.insert(0, left)

    def shortage(self) -> Shortage | None:
        """Return what was found if nothing of it fits, or if the best of it does not."""
        if self.best in self.unfit:
            return Shortage(found=len(self.unfit), needs=self.unfit[self.best])
        if self.items or self.passages or not self.unfit:
            return None
        return Shortage(found=len(self.unfit), needs=next(iter(self.unfit.values())))

    def text(self, header: str, nonce: str) -> str:
        """Return the current answer below a first line."""
        blocks = [
            block + below((), repeated_by(item.memory_id, self.left_out))
            for block, item in zip(self.blocks, self.items, strict=True)
        ]
        blocks += self.passage_blocks
        shortage = self.shortage()
        lines = (
            quoted(blocks, nonce=nonce)
            if blocks
            else [nothing_given(shortage, self.bundle.question.include)]
        )
        notes = notes_of(self.bundle.notes, shortage, has_items=bool(blocks))
        return framed(header, lines, notes=notes)


@lru_cache(maxsize=_KNOWN_STARTS)
def _start(claim: str) -> str:
    """Return the first words of a claim, which equal claims share."""
    return near_start(claim[:_START_READ], _START_WORDS)


def pack(
    answers: RankedAnswers, *, bundle: Bundle, nonce: str, count: Callable[[str], int]
) -> Recalled:
    """Fill the bundle best first; the text of the result never exceeds the budget.

    If there are passages too, memories first get most of the room; in the end, memories that did
    not fit get the room that is left.

    Raises:
        BudgetTooSmallError: Not even an answer without items fits.
    """
    budget = bundle.question.budget
    if budget < (least := least_cost(bundle, count)):
        dearest = least_cost(_costly(bundle), count)
        raise BudgetTooSmallError(budget=budget, least=max(least, dearest))
    hits = len(answers.scored) + len(answers.passages)
    frame = frame_cost(bundle, nonce, count, most=hits)
    packer = _Packer(
        count=count,
        bundle=bundle,
        answers=answers,
        spent=frame,
        items=[],
        left_out=[],
        said={},
        blocks=[],
        passages=[],
        passages_left_out=[],
        passage_blocks=[],
        frame=frame,
        nonce=nonce,
    )
    has_passages = any(not passage.why_not for passage in answers.passages)
    cap = int(budget * _SHARE_OF_MEMORY) if has_passages else budget
    # Memories up to the best answer may use all the room.
    crowded = [
        item
        for item in answers.scored
        if packer.offer(item, cap=budget if packer.best is None else cap)
    ]
    for passage in answers.passages:
        packer.offer_passage(passage)
    if has_passages and crowded:
        waiting = {item.record.memory.id for item in crowded}
        packer.left_out = [one for one in packer.left_out if one.memory_id not in waiting]
        for item in crowded:
            packer.offer(item, cap=budget)
    return _settled(packer, nonce)


def _costly(bundle: Bundle) -> Bundle:
    """Return a bundle whose first line costs at least as much as with any other id and budget."""
    budget = max(bundle.question.budget, WIDEST)
    return replace(
        bundle, id=costly_id(bundle.id), question=replace(bundle.question, budget=budget)
    )


def _settled(packer: _Packer, nonce: str) -> Recalled:
    """Measure the finished text, and drop the last item while it exceeds the budget.

    The sum of the parts is only an estimate, because a tokenizer may merge across their borders.
    """
    budget = packer.bundle.question.budget
    while (tokens := _finished_cost(packer, nonce)) > budget and (packer.items or packer.passages):
        packer.drop_last(whole=tokens)
    filled = replace(
        packer.bundle,
        items=tuple(packer.items),
        left_out=tuple(packer.left_out),
        tokens=tokens,
        passages=tuple(packer.passages),
        passages_left_out=tuple(packer.passages_left_out),
        shortage=packer.shortage(),
    )
    records: dict[MemoryId, MemoryRecord] = {
        item.record.memory.id: item.record for item in packer.answers.scored
    }
    given = {item.reference for item in packer.passages}
    return Recalled(
        bundle=filled,
        records={memory_id: records[memory_id] for memory_id in _named(filled)},
        nonce=nonce,
        texts={
            one.reference: one.text for one in packer.answers.passages if one.reference in given
        },
    )


def _finished_cost(packer: _Packer, nonce: str) -> int:
    """Return the cost of the text, including its own count in the first line."""
    bundle = packer.bundle
    budget = bundle.question.budget
    said = min(packer.spent, budget)
    for _ in range(_COUNTINGS):
        header = headline(
            bundle.id,
            tokens=said,
            budget=budget,
            items=len(packer.items) + len(packer.passages),
            left_out=len(packer.left_out) + len(packer.passages_left_out),
        )
        said = packer.count(packer.text(header, nonce))
    return said


def _named(bundle: Bundle) -> list[MemoryId]:
    given = [item.memory_id for item in bundle.items]
    return given + [item.memory_id for item in bundle.left_out]
