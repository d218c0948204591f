"""The search ports; each is imported on first use, to keep the start of a command fast.

The context of a hit: its record, its thread, and memories by name.

The answers that were given to questions.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.database.rows import Row, Value, as_json
from holdfast.adapters.sqlite.database.work import Work
from holdfast.adapters.sqlite.memory.memories import SqliteMemories
from holdfast.adapters.sqlite.memory.memory_rows import conditions
from holdfast.domain.choices import Origin
from holdfast.domain.memory.memory import MemoryRecord
from holdfast.domain.memory.naming import plain_name
from holdfast.domain.memory.selection import Selection
from holdfast.domain.recall.finding import ThreadPosition

if TYPE_CHECKING:
    from holdfast.adapters.sqlite.recall.indexes import Indexes
    from holdfast.adapters.sqlite.recall.meaning import SqliteMeaning
    from holdfast.adapters.sqlite.recall.said_search import SqliteSaidSearch
    from holdfast.adapters.sqlite.recall.words import SqliteWords
    from holdfast.domain.memory.place import SpaceId
    from holdfast.domain.recall.learning import Tuning


class SqliteFinding:
    """Search by words and by meaning, the context of hits, and the ranking weights."""

    def __init__(self, work: Work, memories: SqliteMemories, indexes: Indexes) -> None:
        self._work = work
        self._memories = memories
        self._indexes = indexes

    @cached_property
    def words(self) -> SqliteWords:
        """The keyword index."""
        from holdfast.adapters.sqlite.recall.words import SqliteWords

        return SqliteWords(self._work, self._memories)

    @cached_property
    def meaning(self) -> SqliteMeaning:
        """The vectors."""
        from holdfast.adapters.sqlite.recall.meaning import SqliteMeaning

        return SqliteMeaning(self._work, self._memories, self._indexes)

    @cached_property
    def around(self) -> SqliteAround:
        """The context of hits: records, threads and names."""
        return SqliteAround(self._work, self._memories)

    @cached_property
    def said(self) -> SqliteSaidSearch:
        """The search among what was said in sessions."""
        from holdfast.adapters.sqlite.recall.said_search import SqliteSaidSearch

        return SqliteSaidSearch(self._work, self._indexes)

    @property
    def tunings(self) -> SqliteTunings:
        """The ranking weights of spaces."""
        return SqliteTunings(self._work)


class SqliteTunings:
    """The ranking weights of spaces; every search reads them, and most spaces have none."""

    def __init__(self, work: Work) -> None:
        self.work = work

    def of(self, space: SpaceId) -> Tuning | None:
        """Return the newest version of a space."""
        row = self.work.row("newest_tuning", space)
        if row is None:
            return None
        from holdfast.adapters.sqlite.memory.tuning_rows import tuning_of

        path = self.work.path
        return next(iter(self.work.sound([row], lambda one: tuning_of(one, path=path))), None)

    def put(self, tuning: Tuning) -> None:
        """Write a version."""
        from holdfast.adapters.sqlite.memory.tuning_rows import tuning_values

        self.work.moment()
        values = tuning_values(tuning)
        self.work.run("put_tuning", *values)
        self.work.record("weights.put", f"{tuning.space} {tuning.version}", values[-1])

    def history(self, space: SpaceId) -> Sequence[Tuning]:
        """Return every version of a space, oldest first."""
        from holdfast.adapters.sqlite.memory.tuning_rows import tuning_of

        rows = self.work.rows("tunings_of", (space,))
        path = self.work.path
        return tuple(self.work.sound(rows, lambda row: tuning_of(row, path=path)))


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
