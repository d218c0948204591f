"""The context of a hit, computed from the memories on every question."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from holdfast.adapters.inmemory.state import InMemoryState
from holdfast.domain.memory.memory import MemoryRecord
from holdfast.domain.memory.naming import names_of, plain_name
from holdfast.domain.memory.selection import Selection
from holdfast.domain.recall.finding import ThreadPosition
from holdfast.domain.recall.threads import turn_of


@dataclass(frozen=True, slots=True)
class InMemoryAround:
    """Records, threads and names."""

    state: InMemoryState

    def read(self, sequences: Sequence[int]) -> Sequence[MemoryRecord]:
        """Return the records in the requested order."""
        known = {record.sequence: record for record in self.state.memories.values()}
        return tuple(known[sequence] for sequence in sequences if sequence in known)

    def turns(self, sequences: Collection[int]) -> Mapping[int, ThreadPosition]:
        """Return each memory's position in its thread."""
        wanted = set(sequences)
        return {number: turn for number, turn in self._turns().items() if number in wanted}

    def beside(
        self, sequences: Collection[int], within: Selection, *, reach: int
    ) -> Mapping[int, ThreadPosition]:
        """Return memories of the same threads, at most ``reach`` turns away."""
        places = self.turns(sequences).values()
        taken = {record.sequence for record in self._taken(within)} - set(sequences)
        return {
            number: turn
            for number, turn in self._turns().items()
            if number in taken and any(_is_near(turn, place, reach) for place in places)
        }

    def closing(
        self, threads: Collection[str], within: Selection, *, last: int, shorter: int
    ) -> Mapping[int, ThreadPosition]:
        """Return the last turns of those threads that are short."""
        taken = {record.sequence for record in self._taken(within)}
        found: dict[int, ThreadPosition] = {}
        for thread in threads:
            said = {number: turn for number, turn in self._turns().items() if turn.thread == thread}
            if any(turn.number >= shorter for turn in said.values()):
                continue
            order = sorted(
                (turn.number, number) for number, turn in said.items() if number in taken
            )
            found |= {number: said[number] for _, number in order[-last:]}
        return dict(sorted(found.items()))

    def named(
        self, names: Collection[str], within: Selection, *, limit: int
    ) -> Mapping[str, Sequence[int]]:
        """Return the memories with each name, by sequence."""
        bearers: dict[str, list[int]] = {}
        for record in self._taken(within):
            for name in names_of(record.memory):
                bearers.setdefault(name, []).append(record.sequence)
        found = {name: tuple(bearers.get(plain_name(name), ())) for name in names}
        return {name: who for name, who in found.items() if 0 < len(who) <= limit}

    def keyed(
        self, keys: Collection[str], within: Selection, *, limit: int
    ) -> Mapping[str, Sequence[MemoryRecord]]:
        """Return the newest memories with each key."""
        found: dict[str, list[MemoryRecord]] = {}
        for record in sorted(self._taken(within), key=lambda one: -one.sequence):
            if record.memory.key is not None and record.memory.key in keys:
                found.setdefault(record.memory.key, []).append(within.view.seen(record))
        return {key: tuple(records[:limit]) for key, records in found.items()}

    def _taken(self, within: Selection) -> list[MemoryRecord]:
        return [record for record in self.state.memories.values() if within.takes(record)]

    def _turns(self) -> dict[int, ThreadPosition]:
        records = self.state.memories.values()
        turns = {record.sequence: turn_of(record.memory) for record in records}
        return {number: turn for number, turn in turns.items() if turn is not None}


def _is_near(turn: ThreadPosition, place: ThreadPosition, reach: int) -> bool:
    return turn.thread == place.thread and abs(turn.number - place.number) <= reach
