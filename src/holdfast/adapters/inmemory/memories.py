"""Memories in a dict, in the order they were added.

How often memories were returned and how they were rated, stored in their records.

Ids and tombstones.

Links by their ends and kind.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from holdfast.adapters.inmemory.state import InMemoryState, sequence_in, sliced
from holdfast.domain.documents.document import FrameworkDocument
from holdfast.domain.errors import AlreadyRememberedError, ForgottenError, NoSuchError
from holdfast.domain.ids import MemoryId, SpanId
from holdfast.domain.memory.memory import Memory, MemoryRecord, Standing, Tombstone, Usage
from holdfast.domain.memory.selection import Page, Selection, Slice


@dataclass(frozen=True, slots=True)
class InMemoryUsageCounts:
    """The counts of one transaction, which is the only writer."""

    state: InMemoryState

    def count_given(self, memory_ids: Collection[MemoryId], at: datetime) -> None:
        """Count that each memory was returned once more."""
        self._change(memory_ids, lambda usage: usage.given_at(at))

    def rate(self, memory_ids: Collection[MemoryId], *, before: bool | None, now: bool) -> None:
        """Count a rating of each memory."""
        self._change(memory_ids, lambda usage: usage.rated(before=before, now=now))

    def put(self, memory_id: MemoryId, usage: Usage) -> None:
        """Replace the counts of a memory."""
        self.state.moment()
        if grave := self.state.tombstones.get(memory_id):
            raise ForgottenError(memory_id, f"{grave.forgotten_at:%Y-%m-%d}")
        if memory_id not in self.state.memories:
            raise NoSuchError(noun="memory", reference=memory_id)
        self._change([memory_id], lambda _before: usage)

    def _change(self, memory_ids: Collection[MemoryId], counted: Callable[[Usage], Usage]) -> None:
        self.state.moment()
        for memory_id in dict.fromkeys(memory_ids):
            if record := self.state.memories.get(memory_id):
                self.state.memories[memory_id] = replace(record, usage=counted(record.usage))


@dataclass(frozen=True, slots=True)
class InMemoryMemories:
    """The memories that one transaction sees."""

    state: InMemoryState

    def add(self, memory: Memory, standing: Standing) -> MemoryRecord:
        """Add a memory as the last in sequence."""
        self.state.moment()
        self._refuse_forgotten(memory.id)
        if memory.id in self.state.memories:
            raise AlreadyRememberedError(memory.id)
        self.state.last_sequence += 1
        record = MemoryRecord(sequence=self.state.last_sequence, memory=memory, standing=standing)
        self.state.memories[memory.id] = record
        self.state.record("memory.added", memory.id, record)
        self.state.record_part("standpoint", memory.id, memory.branch_point, None)
        return record

    def get(self, memory_id: MemoryId) -> MemoryRecord:
        """Return a memory with its status, usage and added evidence."""
        self._refuse_forgotten(memory_id)
        try:
            return self.state.memories[memory_id]
        except KeyError:
            raise NoSuchError(noun="memory", reference=memory_id) from None

    def get_many(self, memory_ids: Iterable[MemoryId]) -> Mapping[MemoryId, MemoryRecord]:
        """Return several memories at once, in the requested order."""
        known = self.state.memories
        return {memory_id: known[memory_id] for memory_id in memory_ids if memory_id in known}

    def find(self, selection: Selection, page: Page) -> Slice[MemoryRecord]:
        """Return the memories of the selection, newest first unless the page states otherwise."""
        taken = [record for record in self.state.memories.values() if selection.takes(record)]
        if not page.oldest_first:
            taken.reverse()
        if page.beyond is not None:
            after = sequence_in(page.beyond)
            taken = [one for one in taken if (one.sequence > after) is page.oldest_first]
            taken = [one for one in taken if one.sequence != after]
        return sliced([selection.view.seen(record) for record in taken[: page.limit]])

    def count(self, selection: Selection) -> int:
        """Return the number of memories in the selection."""
        return sum(selection.takes(record) for record in self.state.memories.values())

    def set_standing(self, memory_id: MemoryId, standing: Standing) -> None:
        """Replace the status, pin and label of a memory."""
        record = self.get(memory_id).with_standing(standing)
        self.state.moment()
        self.state.memories[memory_id] = record
        self.state.record("memory.standing", memory_id, record)

    @property
    def usage(self) -> InMemoryUsageCounts:
        """How often memories were returned, and whether they helped."""
        return InMemoryUsageCounts(self.state)

    def forget(self, tombstone: Tombstone) -> None:
        """Remove a memory, its links and the spans only it cites; leave the tombstone."""
        self.state.moment()
        record = self.get(tombstone.memory_id)
        memory_id = record.memory.id
        del self.state.memories[memory_id]
        for name in [name for name in self.state.links if memory_id in name[:2]]:
            del self.state.links[name]
        for subject in [one for one in self.state.indexes if one.startswith(f"{memory_id} ")]:
            del self.state.indexes[subject]
        self._forget_decisions(memory_id)
        for model in self.state.models:
            self.state.vectors.pop((model, memory_id), None)
        for span_id in sorted(_cited(record) - self._still_needed_spans()):
            if self.state.spans.pop(span_id, None):
                self.state.record("span.forgotten", span_id)
        self.state.ciphertexts.pop(memory_id, None)
        for document in self._documents_of(memory_id):
            del self.state.documents[document.name]
        self._empty_replies(memory_id)
        self.state.tombstones[memory_id] = tombstone
        self.state.record("memory.forgotten", memory_id)

    def _documents_of(self, memory_id: MemoryId) -> list[FrameworkDocument]:
        return [one for one in self.state.documents.values() if one.memory_id == memory_id]

    def _forget_decisions(self, memory_id: MemoryId) -> None:
        """Remove a memory from the decisions about it."""
        for decision in reversed(list(self.state.decisions.values())):
            if memory_id in decision.memories:
                left = decision.without(memory_id)
                self.state.decisions[decision.id] = left
                self.state.record("decision.put", decision.id, left)

    def _empty_replies(self, memory_id: MemoryId) -> None:
        """Remove the text of stored answers that contain a memory."""
        for reply in list(self.state.replies.values()):
            if memory_id in (reply.body or ""):
                self.state.replies[reply.key] = replace(reply, body=None)

    def _still_needed_spans(self) -> set[SpanId]:
        """Return the spans that other memories cite, and those that people pinned."""
        named = {span for record in self.state.memories.values() for span in _cited(record)}
        return named | {span.id for span in self.state.spans.values() if span.pinned}

    def _refuse_forgotten(self, memory_id: MemoryId) -> None:
        if tombstone := self.state.tombstones.get(memory_id):
            raise ForgottenError(memory_id, f"{tombstone.forgotten_at:%Y-%m-%d}")


def _cited(record: MemoryRecord) -> set[SpanId]:
    return {item.span for item in record.evidence if item.span is not None}
