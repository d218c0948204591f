"""The search ports; each is imported on first use, to keep the start of a command fast."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.adapters.sqlite.database.work import Work
    from holdfast.adapters.sqlite.memory.memories import SqliteMemories
    from holdfast.adapters.sqlite.recall.around import SqliteAround
    from holdfast.adapters.sqlite.recall.indexes import Indexes
    from holdfast.adapters.sqlite.recall.meaning import SqliteMeaning
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
        from holdfast.adapters.sqlite.recall.around import SqliteAround

        return SqliteAround(self._work, self._memories)

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
