"""The memories that one transaction sees.

How often memories were returned and how they were rated.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isqrt
from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.database.rows import (
    Row,
    Value,
    as_json,
    near_hash,
    sequence_in,
    sliced,
)
from holdfast.adapters.sqlite.database.work import Work
from holdfast.adapters.sqlite.memory.memory_rows import (
    conditions,
    memory_values,
    narrowest,
    record_of,
    restricts_nothing,
    standing_values,
    usage_in,
    usage_values,
)
from holdfast.adapters.sqlite.memory.tombstones import derive, grave_of, remove_memory
from holdfast.domain.errors import (
    AlreadyRememberedError,
    ForgottenError,
    NoSuchError,
    StoreDamagedError,
)
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.memory import Memory, MemoryRecord, Standing, Tombstone
from holdfast.domain.memory.selection import Page, Selection, Slice
from holdfast.domain.memory.sketch import sketch

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from datetime import datetime

    from holdfast.domain.memory.memory import Usage


_NO_LIMIT = -1
_JUDGED_AT_ONCE, _JUDGED_OF_MANY = 96, 40
"""How many hits of a search are compared with its selection first: most are taken.

In a large store, most rows are not in the cache of pages, and reading them takes longer.
"""
_MANY = 20_000
_MOST_NEAR = 64
_FEWEST = 64
_FEW = 1_000
"""Up to this many memories in the store, one query evaluates all of them."""
MOST_REACHED = 420
"""Up to this many memories that can reach a place are counted in any case.

With a model, the threshold of silence does not rise beyond it.
"""


class SqliteMemories:
    """Reads and writes memories with their status, usage and evidence."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self._list_known: tuple[Selection, int, list[int] | None] | None = None
        self._verdicts: tuple[Selection, dict[int, bool]] | None = None
        self._reach_known: tuple[str | None, int, int] | None = None

    @property
    def are_few(self) -> bool:
        """Whether the store is so small that one query can evaluate all of its memories."""
        return self.work.last_sequence() <= _FEW

    def few(self, selection: Selection, *, limit: int) -> list[int] | None:
        """Return a short list with all memories of the selection, and possibly others.

        None means that no such list is short enough, or that counting would cost more than a deep
        search. Both parts of a search call this; a read transaction caches the result.
        """
        most = isqrt(2 * max(_FEWEST, limit) * self.work.next_sequence())
        known = self._list_known
        if self.work.may_write or known is None or known[0] is not selection or known[1] != most:
            known = self._list_known = (selection, most, self._listed(selection, most))
        return known[2]

    def reach(self, repo: str | None, *, most: int) -> int:
        """Return how many memories can reach a repository; more than ``most`` need not be counted.

        Several parts of a search ask for it; a read transaction caches the result.
        """
        known = self._reach_known
        if self.work.may_write or known is None or known[0] != repo or known[1] < most:
            asked: dict[str, Value] = {"place_repo": repo, "most": max(most, MOST_REACHED) + 1}
            many = int(self.work.rows("place_reach", asked)[0][0])
            known = self._reach_known = (repo, max(most, MOST_REACHED), many)
        return known[2]

    def add(self, memory: Memory, standing: Standing) -> MemoryRecord:
        """Add a memory as the last in sequence, together with its index entry."""
        work = self.work
        work.moment()
        if memory.id not in work.absent:
            self._refuse_known(memory.id)
        sequence = work.next_sequence()
        values = memory_values(sequence, memory)
        beside = standing_values(sequence, standing)
        work.run("add_memory", *values)
        work.note_last(sequence)
        work.run("put_standing", *beside)
        self._index(sequence, memory)
        if work.absent:
            work.absent -= {memory.id, near_hash(memory.claim), *sketch(memory.claim)}
        work.record("memory.added", memory.id, values[-1])
        if memory.branch_point is not None:
            from holdfast.adapters.sqlite.database.standpoint_rows import put_branch_point

            put_branch_point(memory.id, memory.repo, memory.branch_point, work)
        return MemoryRecord(sequence=sequence, memory=memory, standing=standing)

    def get(self, memory_id: MemoryId) -> MemoryRecord:
        """Return a memory with its status, usage and added evidence."""
        row = self._row(memory_id)
        if row is None:
            self._refuse_forgotten(memory_id)
            raise NoSuchError(noun="memory", reference=memory_id)
        if row[1] != memory_id:
            raise StoreDamagedError(self.work.path, f"{memory_id} leads to another memory.")
        return record_of(row, path=self.work.path)

    def get_many(self, memory_ids: Iterable[MemoryId]) -> Mapping[MemoryId, MemoryRecord]:
        """Return several memories at once, in the requested order."""
        wanted = dict.fromkeys(memory_ids)
        rows = self.work.rows("records_by_id", (as_json(list(wanted)),)) if wanted else []
        if len(rows) < len(wanted) and self.work.left_out:
            self._name_unreadable("sequences_of", sorted(wanted.keys() - {row[1] for row in rows}))
        for row in rows:
            if row[1] not in wanted:
                problem = "an index leads to another memory."
                self.work.leave_out(StoreDamagedError(self.work.path, problem))
        meant = [row for row in rows if row[1] in wanted]
        return {record.memory.id: record for record in self._sound(meant)}

    def find(self, selection: Selection, page: Page) -> Slice[MemoryRecord]:
        """Return the memories of the selection, newest first unless the page states otherwise."""
        beyond = None if page.beyond is None else sequence_in(page.beyond)
        values = conditions(selection) | {
            "after": beyond if page.oldest_first else None,
            "before": None if page.oldest_first else beyond,
            "oldest_first": int(page.oldest_first),
            "limit": max(0, page.limit),
        }
        walk = "take_all_oldest_first" if page.oldest_first else "take_all_newest_first"
        sequences = self._taken(narrowest(selection) or walk, values)
        seen = [selection.view.seen(record) for record in self.read(sequences)]
        return sliced(seen, last=sequences[-1] if sequences else None)

    def count(self, selection: Selection) -> int:
        """Return the number of memories in the selection."""
        if restricts_nothing(selection):
            return int(self.work.rows("count_memories")[0][0])
        values = conditions(selection) | {
            "after": None,
            "before": None,
            "oldest_first": 1,
            "limit": _NO_LIMIT,
        }
        return len(self._taken(narrowest(selection) or "take_all_oldest_first", values))

    def among(
        self,
        sequences: list[int],
        selection: Selection,
        *,
        limit: int,
        verdicts: dict[int, bool] | None = None,
    ) -> list[int]:
        """Return the first of these sequences that the selection takes, in the same order.

        ``verdicts`` are what the steps of one search found out already; this call adds to them.
        """
        verdicts = self.verdicts(selection) if verdicts is None else verdicts
        taken: list[int] = []
        is_large = self.work.last_sequence() > _MANY
        start, width = 0, max(limit, _JUDGED_OF_MANY if is_large else _JUDGED_AT_ONCE)
        while start < len(sequences) and len(taken) < limit:
            some = sequences[start : start + width]
            if fresh := [sequence for sequence in some if sequence not in verdicts]:
                verdicts |= self._judged(fresh, selection)
            taken += [sequence for sequence in some if verdicts[sequence]]
            start += width
            # Estimate the next step from the share taken so far, but limit its growth.
            likely = 8 + 2 * (limit - len(taken)) * start // max(1, len(taken))
            width = max(2 * width, min(4 * width, likely))
        return taken[:limit]

    def _judged(self, fresh: list[int], selection: Selection) -> dict[int, bool]:
        """Return whether the selection takes each given memory; a small store evaluates all."""
        asked = list(range(1, self.work.last_sequence() + 1)) if self.are_few else fresh
        taken = self._taken("take_among", conditions(selection) | {"among": as_json(asked)})
        return dict.fromkeys(asked, False) | dict.fromkeys(taken, True)

    def verdicts(self, selection: Selection) -> dict[int, bool]:
        """Return which memories a selection takes, as far as this is known.

        The parts of a search ask about the same memories. A unit of work knows nothing at first,
        because it may have written in between.
        """
        known = self._verdicts
        if self.work.may_write or known is None or known[0] is not selection:
            known = self._verdicts = (selection, {})
        return known[1]

    def _listed(self, selection: Selection, most: int) -> list[int] | None:
        if restricts_nothing(selection):
            return None
        values = conditions(selection)
        if self.are_few:
            last = self.work.last_sequence()
            return self.among(list(range(1, last + 1)), selection, limit=last)
        if (name := narrowest(selection)) is not None:
            page = {"after": None, "before": None, "oldest_first": 1, "limit": most + 1}
            found = self._taken(name, values | page)
            return found if len(found) <= most else None
        for name, query, given in _lists(selection, values):
            if self._reach(name, given | {"most": most + 1}) <= most:
                return self._taken(query, given)
        place = selection.place
        if place is not None and self.reach(place.repo, most=most) <= most:
            return self._taken("list_by_place", {"place_repo": values["place_repo"]})
        return None

    def alike(self, claim: str, selection: Selection, *, limit: int) -> list[int]:
        """Return the sequences of memories with the same or nearly the same claim."""
        absent, near, bands = self.work.absent, near_hash(claim), sketch(claim)
        if near in absent and absent.issuperset(bands):
            return []
        values = conditions(selection) | {
            "near": near,
            "after": None,
            "before": None,
            "oldest_first": 1,
            "limit": limit,
        }
        found = self._taken("take_by_near", values)
        if bands:
            like = {"near": None, "bands": as_json(bands), "most": _MOST_NEAR}
            found += self._taken("take_by_bands", values | like)
        return list(dict.fromkeys(found))[:limit]

    def read(self, sequences: list[int]) -> tuple[MemoryRecord, ...]:
        """Return the records with these sequences, in this order."""
        if not sequences:
            return ()
        rows = self.work.rows("records_by_sequence", (as_json(sequences),))
        if len(rows) < len(sequences) and self.work.left_out:
            missing = set(sequences) - {row[0] for row in rows}
            self._name_unreadable("ids_of", sorted(missing))
        return self._sound(rows)

    def set_standing(self, memory_id: MemoryId, standing: Standing) -> None:
        """Replace the status, pin and label of a memory."""
        self.work.moment()
        values = standing_values(self.sequence(memory_id), standing)
        self.work.run("put_standing", *values)
        self.work.record("memory.standing", memory_id, values[-1])

    @property
    def usage(self) -> SqliteUsageCounts:
        """How often memories were returned, and whether they helped."""
        return SqliteUsageCounts(self.work, self.sequence)

    def forget(self, tombstone: Tombstone) -> None:
        """Remove a memory and the rows that only it needs; leave the tombstone."""
        self.work.moment()
        record = self.get(tombstone.memory_id)
        remove_memory(record, tombstone, work=self.work)

    def _index(self, sequence: int, memory: Memory) -> None:
        work = self.work
        tags = as_json(memory.tags)
        parts = derive(sequence, memory, work)
        work.changed_words = True
        work.run("index_memory", sequence, memory.claim, memory.key, tags, parts)

    def _taken(self, name: str, values: dict[str, Value]) -> list[int]:
        return [row[0] for row in self.work.rows(name, values)]

    def _reach(self, name: str, values: dict[str, Value]) -> int:
        return int(self.work.rows(name, values)[0][0])

    def sequence(self, memory_id: MemoryId) -> int:
        """Return the sequence number of a memory."""
        row = self.work.row("sequence_of", memory_id)
        if row is None:
            self._refuse_forgotten(memory_id)
            raise NoSuchError(noun="memory", reference=memory_id)
        return int(row[0])

    def _row(self, memory_id: MemoryId) -> Row | None:
        try:
            return self.work.row("record_by_id", memory_id)
        except StoreDamagedError as error:
            problem = f"the memory {memory_id} is not text any more."
            raise StoreDamagedError(self.work.path, problem) from error

    def _name_unreadable(self, query: str, missing: Sequence[int] | Sequence[str]) -> None:
        """Name the memories that exist although their rows could not be read."""
        if there := self.work.rows(query, (as_json(missing),)):
            self.work.name_left_out([str(row[0]) for row in there])

    def _sound(self, rows: Sequence[Row]) -> tuple[MemoryRecord, ...]:
        path = self.work.path
        return tuple(self.work.sound(rows, lambda row: record_of(row, path=path)))

    def _refuse_known(self, memory_id: MemoryId) -> None:
        # A sync asks this for each of thousands of new memories, whose ids are all unused.
        if self.work.row("is_used", memory_id) is not None:
            self._refuse_forgotten(memory_id)
            raise AlreadyRememberedError(memory_id)

    def _refuse_forgotten(self, memory_id: MemoryId) -> None:
        if grave := grave_of(memory_id, work=self.work):
            raise ForgottenError(memory_id, f"{grave.forgotten_at:%Y-%m-%d}")


def _lists(
    selection: Selection, values: dict[str, Value]
) -> Iterator[tuple[str, str, dict[str, Value]]]:
    """Return the index lists that contain a selection: the queries to count and read each."""
    for tag in sorted(selection.tags):
        yield "tag_reach", "list_by_tag", {"tag": tag}
    if selection.kinds:
        yield "kinds_reach", "list_by_kinds", {"kinds": values["kinds"]}


class SqliteUsageCounts:
    """The counts of one unit of work.

    A row carries a hash over its columns, so it is read before it is written. No other writer can
    change it in between: a unit of work holds the write lock from its first statement.
    """

    def __init__(self, work: Work, sequence: Callable[[MemoryId], int]) -> None:
        self._work = work
        self._sequence = sequence

    def count_given(self, memory_ids: Collection[MemoryId], at: datetime) -> None:
        """Count that each memory was returned once more."""
        self._change(memory_ids, lambda usage: usage.given_at(at))

    def rate(self, memory_ids: Collection[MemoryId], *, before: bool | None, now: bool) -> None:
        """Count a rating of each memory."""
        self._change(memory_ids, lambda usage: usage.rated(before=before, now=now))

    def put(self, memory_id: MemoryId, usage: Usage) -> None:
        """Replace the counts of a memory."""
        self._work.moment()
        self._write([usage_values(self._sequence(memory_id), usage)])

    def _change(self, memory_ids: Collection[MemoryId], counted: Callable[[Usage], Usage]) -> None:
        work = self._work
        work.moment()
        rows = work.rows("usage_of", (as_json(list(dict.fromkeys(memory_ids))),))
        changed = [
            usage_values(sequence, counted(usage_in(tuple(usage), path=work.path, name=name)))
            for sequence, name, *usage in rows
        ]
        if changed:
            self._write(changed)

    def _write(self, rows: Sequence[tuple[Value, ...]]) -> None:
        self._work.run("put_usages", as_json(rows))
        self._work.did.add("memory.usage")
