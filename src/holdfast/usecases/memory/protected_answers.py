"""Remove from stored answers what they tell about memories that became sensitive.

A bundle has no text of a memory, but a hash of it, the places that its evidence named, and the
question. A hash can be compared with guesses, and a question may repeat the words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.memory.shared_words import telling_words
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.forgotten_texts import GONE
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.stored_texts import every_bundle

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.ids import BundleId, MemoryId
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.recall.bundle import Bundle, BundleItem, LeftOut, Reason
    from holdfast.ports.clock import Clock
    from holdfast.ports.store.store import Store, Transaction

_PAGE = 200
_NO_HASH = ""


def clean_answers(records: Sequence[MemoryRecord], *, store: Store, clock: Clock) -> int:
    """Clean the answers about memories that are gone; return how many were changed.

    A question is replaced if it contains a word that only these memories contained. The answers
    are read first and changed in small units of work, so that nobody waits for all of them.
    """
    with store.reading() as tx:
        cleaner = _Cleaner(
            names=frozenset(one.memory.id for one in records), words=_words_of_nobody(records, tx)
        )
        found = [one.id for one in every_bundle(tx) if cleaner.cleaned(one) != one]
    for start in range(0, len(found), _PAGE):
        _clean(found[start : start + _PAGE], cleaner, store=store, clock=clock)
    return len(found)


@repeatable
def _clean(names: Sequence[BundleId], cleaner: _Cleaner, *, store: Store, clock: Clock) -> None:
    with store.writing(clock.now()) as tx:
        for name in names:
            tx.bundles.put(cleaner.cleaned(tx.bundles.get(name)))


def _words_of_nobody(records: Sequence[MemoryRecord], tx: Transaction) -> frozenset[str]:
    """Return the words of the claims that no memory of the store contains any more."""
    words = {word for one in records for word in telling_words(one.memory.claim)}
    holding = tx.finding.words.counts(words).holding
    return frozenset(word for word in words if not holding.get(word))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cleaner:
    """The memories that are gone, and the words that only they contained."""

    names: frozenset[MemoryId]
    words: frozenset[str]

    def cleaned(self, bundle: Bundle) -> Bundle:
        """Return a bundle without what it tells about these memories."""
        question = bundle.question
        if self._is_telling(question.text):
            question = replace(question, text=GONE)
        return replace(
            bundle,
            question=question,
            items=tuple(self._item(one) for one in bundle.items),
            left_out=tuple(self._left_out(one) for one in bundle.left_out),
        )

    def _item(self, item: BundleItem) -> BundleItem:
        if item.memory_id not in self.names:
            return item
        reasons = self._reasons(item.reasons)
        return replace(item, content_hash=_NO_HASH, reasons=reasons, checked=(), outcomes=())

    def _left_out(self, item: LeftOut) -> LeftOut:
        if item.memory_id not in self.names:
            return item
        return replace(item, reasons=self._reasons(item.reasons))

    def _reasons(self, reasons: tuple[Reason, ...]) -> tuple[Reason, ...]:
        return tuple(
            replace(one, note="") if self._is_telling(one.note) else one for one in reasons
        )

    def _is_telling(self, text: str) -> bool:
        return not self.words.isdisjoint(telling_words(text))
