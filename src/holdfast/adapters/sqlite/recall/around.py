"""The context of a hit: its record, its thread, and memories by name."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from holdfast.adapters.sqlite.database.rows import Row, Value, as_json
from holdfast.adapters.sqlite.database.work import Work
from holdfast.adapters.sqlite.memory.finding import conditions
from holdfast.adapters.sqlite.memory.memories import SqliteMemories
from holdfast.domain.choices import Origin
from holdfast.domain.memory.memory import MemoryRecord
from holdfast.domain.memory.naming import plain_name
from holdfast.domain.memory.selection import Selection
from holdfast.domain.recall.finding import ThreadPosition


class SqliteAround:
    """Records, threads and names of one transaction."""

    def __init__(self, work: Work, memories: SqliteMemories) -> None:
        self.work = work
        self.memories = memories
        self._all_names: list[Row] | None = None

    def read(self, sequences: Sequence[int]) -> Sequence[MemoryRecord]:
        """Return the records in the requested order."""
        return self.memories.read(list(sequences))

    def turns(self, sequences: Collection[int]) -> Mapping[int, ThreadPosition]:
        """Return each memory's position in its thread."""
        return _turns(self.work.rows("turn_places", (as_json(list(sequences)),)))

    def beside(
        self, sequences: Collection[int], within: Selection, *, reach: int
    ) -> Mapping[int, ThreadPosition]:
        """Return memories of the same threads, at most ``reach`` turns away."""
        among: dict[str, Value] = {"among": as_json(list(sequences)), "reach": reach}
        return _turns(self.work.rows("turns_beside", conditions(within) | among))

    def closing(
        self, threads: Collection[str], within: Selection, *, last: int, shorter: int
    ) -> Mapping[int, ThreadPosition]:
        """Return the last turns of those threads that are short."""
        asked: dict[str, Value] = {
            "threads": as_json(list(threads)),
            "last": last,
            "shorter": shorter,
        }
        return _turns(self.work.rows("closing_turns", conditions(within) | asked))

    def named(
        self, names: Collection[str], within: Selection, *, limit: int
    ) -> Mapping[str, Sequence[int]]:
        """Return the memories with each name, by sequence."""
        plain = {name: plain_name(name) for name in names}
        wanted = set(plain.values())
        bearers: dict[str, list[int]] = {}
        for name, sequence in self._bearers(wanted, within):
            bearers.setdefault(name, []).append(sequence)
        found = {name: tuple(bearers.get(form, ())) for name, form in plain.items()}
        return {name: who for name, who in found.items() if 0 < len(who) <= limit}

    def keyed(
        self, keys: Collection[str], within: Selection, *, limit: int
    ) -> Mapping[str, Sequence[MemoryRecord]]:
        """Return the newest memories with each key."""
        if not keys:
            return {}
        found: dict[str, list[int]] = {}
        asked = conditions(within) | {"keys": as_json(sorted(keys))}
        for key, sequence in self.work.rows("keyed_each", asked):
            found.setdefault(key, []).append(sequence)
        best = {key: sequences[:limit] for key, sequences in found.items()}
        records = self.memories.read([one for sequences in best.values() for one in sequences])
        seen = {one.sequence: within.view.seen(one) for one in records}
        return {key: tuple(seen[one] for one in sequences) for key, sequences in best.items()}

    def _bearers(self, names: set[str], within: Selection) -> list[Row]:
        """Return the memories of the selection with these names; a small store reads names once."""
        if not self.memories.are_few or self.work.may_write:
            wanted = {"names": as_json(sorted(names))}
            return self.work.rows("bearers", conditions(within) | wanted)
        if self._all_names is None:
            self._all_names = self.work.rows("all_names")
        found = [row for row in self._all_names if row[0] in names]
        sequences = list(dict.fromkeys(row[1] for row in found))
        taken = set(self.memories.among(sequences, within, limit=len(sequences)))
        return [row for row in found if row[1] in taken]


def _turns(rows: list[Row]) -> dict[int, ThreadPosition]:
    return {
        sequence: ThreadPosition(
            thread=thread,
            number=turn,
            is_agent=origin == Origin.AGENT,
            length=length,
            asks=bool(asks),
            is_question=bool(is_question),
        )
        for sequence, thread, turn, origin, length, asks, is_question in rows
    }
