"""One unit of work on a server: its connection, its time, and the events it adds."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, cast

import psycopg

from holdfast.adapters.postgres.asking import SQL, numbered
from holdfast.adapters.postgres.database.batching import (
    SETS,
    AnnouncedMemories,
    WaitingRows,
    as_array,
    present,
)
from holdfast.adapters.postgres.database.failures import is_not_text, not_text
from holdfast.adapters.sqlite.database.rows import near_hash
from holdfast.adapters.sqlite.database.terms import tokenizer
from holdfast.adapters.sqlite.database.work import Work
from holdfast.domain.access_errors import NoSuchStoreError
from holdfast.domain.memory.place import DEFAULT_SPACE
from holdfast.domain.memory.sketch import sketch

if TYPE_CHECKING:
    from holdfast.adapters.postgres.database.learned import Learned
    from holdfast.adapters.sqlite.database.rows import Row, Value
    from holdfast.domain.memory.memory import Memory

    Values = tuple[Value, ...] | Mapping[str, Value] | None
    Step = Callable[["PostgresWork", Values], list[Row]]
    Statement = tuple[bytes, tuple[Value, ...]]
    Opens = Callable[[Statement], tuple[psycopg.Connection, psycopg.RawCursor[Row]]]

_AT_ONCE = 1_000
_ABOUT_STORE = {
    "last_sequence": slice(0, 1),
    "count_memories": slice(1, 2),
    "extent_of_words": slice(1, 3),
}
"""The queries that one statement answers together, and their columns in it."""
_ASKED_FIRST = frozenset({"standpoints_aside", "newest_tuning"})
_EMPTY_WITHOUT = {
    "newest_tuning": 3,
    "take_pinned": 4,
    "links_among": 5,
    "turn_places": 6,
    "rewrites_of": 7,
    "standpoints_aside": 8,
}
"""The queries without rows in a store that has nothing of their kind, and the column about it."""
_NOTE_ABOUT_WORDS = 9
NOTHING: Statement = SQL["probe"], ()
"""What is asked on a connection whose first question has another form."""


class PostgresWork(Work):
    """The state that all ports of one transaction share.

    The connection of the base class is an empty database in memory: it splits texts into the same
    words as the keyword index of the embedded store. ``steps`` are the queries of the embedded
    store that need several statements here, by name. ``learned`` belongs to the open store.
    ``opens`` begins a snapshot with its first question, where there is no connection yet.
    ``may_ask`` is called before each question, and raises if the read was cancelled. ``space`` is
    named if the store is gone.
    """

    def __init__(
        self,
        server: psycopg.Connection | None,
        *,
        opens: Opens,
        path: str,
        at: int | None = None,
        steps: Mapping[str, Step],
        learned: Learned,
    ) -> None:
        super().__init__(tokenizer(), path=path, at=at)
        self._opens = opens
        self._server = server
        self._steps = steps
        self._learned = learned
        self.may_ask: Callable[[], None] = _nothing
        self.space = DEFAULT_SPACE
        self._about_store: Row | None = None
        self._waiting = WaitingRows()
        self._later: list[Callable[[], None]] = []
        self._announced = AnnouncedMemories()

    @property
    def server(self) -> psycopg.Connection:
        """The connection, inside the transaction."""
        if self._server is None:
            self._server, self._cursor = self._opens(NOTHING)
        return self._server

    @property
    def opened(self) -> psycopg.Connection | None:
        """The connection, if anything was asked on it."""
        return self._server

    @cached_property
    def _cursor(self) -> psycopg.RawCursor[Row]:
        """The cursor of a read, which fetches each answer before its next question.

        A new one for each question would look its types up again.
        """
        return psycopg.RawCursor(self.server)

    def rows(self, name: str, values: Values = None) -> list[Row]:
        """Run a query by name and return its rows."""
        if not self.may_write:
            if name in _ABOUT_STORE:
                return [self._store_row()[_ABOUT_STORE[name]]]
            if name in _EMPTY_WITHOUT and self._is_known_empty(name):
                return []
            if self._about_store is not None and (known := self._known(name, values)) is not None:
                return known
            if name == "vectors_beside":
                return self._learned.beside(
                    cast("tuple[int]", values), lambda: self.asked(name, values)
                )
        if self._announced.knows_empty(name, values):
            return []
        step = self._steps.get(name)
        return self.asked(name, values) if step is None else step(self, values)

    def note_newest(self, rows: Sequence[Row]) -> None:
        """Note the newest event before this unit of work, which was read with its lock."""
        self._newest = next(iter(rows), None)

    def _store_row(self) -> Row:
        """Return counters of the store, which a snapshot reads once.

        Raises:
            NoSuchStoreError: The tenant was removed after this store had been opened.
        """
        if self._about_store is None:
            found = self.asked("about_store")
            if not found:
                raise NoSuchStoreError(self.space)
            self._about_store = found[0]
        return self._about_store

    def _is_known_empty(self, name: str) -> bool:
        """Return whether the store is known to have nothing that a query asks for.

        Only the first queries of a recall read the counters for this: a read of another kind may
        need nothing else of them.
        """
        if self._about_store is None and name not in _ASKED_FIRST:
            return False
        return self._store_row()[_EMPTY_WITHOUT[name]] is None

    def _known(self, name: str, values: Values) -> list[Row] | None:
        """Return the rows of a query if earlier reads found them out, or else None."""
        if name == "shares_of":
            (asked,) = cast("tuple[str]", values)
            note = self._store_row()[_NOTE_ABOUT_WORDS]
            return self._learned.shares(json.loads(asked), note, lambda: self.asked("all_shares"))
        if name == "place_reach":
            return self._reach(cast("Mapping[str, Value]", values))
        return None

    def _reach(self, values: Mapping[str, Value]) -> list[Row]:
        """Return how many memories can reach a place; beyond ``most`` the number is not exact."""
        last, memories, *_ = self._store_row()
        place, most = (values["place_repo"], values["most"]), cast("int", values["most"])
        if self._learned.is_crowded(place, removed=last - memories):
            return [(most,)]
        found = self.asked("place_reach", values)
        if found[0][0] >= most:
            self._learned.note_crowded(place, removed=last - memories)
        return found

    def run(self, name: str, *values: Value) -> None:
        """Run a statement by name, and do not wait for it: its failure shows at the next query."""
        if name in SETS:
            self.run_many(name, [values])
            return
        step = self._steps.get(name)
        if step is None:
            self._sent(name, values)
        else:
            step(self, values)

    def do_later(self, step: Callable[[], None]) -> None:
        """Do a step before the next question, or at the end of the unit of work."""
        self._later.append(step)

    def finish(self) -> None:
        """Do what was left for later, and send the rows that wait."""
        while self._later:
            self._later.pop()()
        self.send_waiting()

    def send_waiting(self) -> None:
        """Send the rows that wait, all rows of a table in one statement."""
        for name, columns in self._waiting.taken():
            psycopg.RawCursor(self.server).execute(SQL[name], columns)

    def expect(self, memories: Sequence[Memory]) -> None:
        """Look up at once what the store has of memories that are about to be added."""
        ids = [memory.id for memory in memories]
        nears = [near_hash(memory.claim) for memory in memories]
        bands = [band for memory in memories for band in sketch(memory.claim)]
        values = {"ids": as_array(ids), "nears": as_array(nears), "bands": as_array(bands)}
        rows = self.server.execute(SQL["already_there"], values).fetchall()
        there = present(rows)
        for kind, wanted in (("id", ids), ("near", nears), ("band", bands)):
            self._announced.announce(kind, wanted, there[kind])

    def run_many(self, name: str, rows: Sequence[tuple[Value, ...]]) -> None:
        """Run a statement by name once for each of the rows, without waiting in between."""
        if name in SETS:
            self._announced.note(name, rows)
            self._waiting.add(name, rows)
            if self._waiting.are_many:
                self.send_waiting()
            return
        for row in rows:
            self.run(name, *row)

    def asked(self, name: str, values: Values = None) -> list[Row]:
        """Run one statement by name and return its rows."""
        cursor = self._sent(name, values)
        try:
            return cursor.fetchall()
        except psycopg.ProgrammingError as error:
            # The driver itself says that a statement has no rows; only the server has a code.
            if error.sqlstate is not None:
                raise
            return []
        except psycopg.DataError as error:
            if not is_not_text(error):
                raise
            raise not_text(error) from error

    def _sent(self, name: str, values: Values) -> psycopg.Cursor[Row]:
        self.may_ask()
        self.finish()
        text, given = _statement(name, values)
        try:
            if self._server is None:
                self._server, self._cursor = self._opens((text, given))
                return self._cursor
            cursor = psycopg.RawCursor(self.server) if self.may_write else self._cursor
            return cursor.execute(text, given)
        except UnicodeError as error:
            raise not_text(error) from error
        except psycopg.DataError as error:
            if not is_not_text(error):
                raise
            raise not_text(error) from error

    def scan(self, name: str) -> Iterator[Row]:
        """Return the rows of a query one by one; the server holds the rest."""
        self.may_ask()
        self.finish()
        with psycopg.RawServerCursor(self.server, name) as cursor:
            cursor.itersize = _AT_ONCE
            for row in cursor.execute(SQL[name]):
                self.may_ask()
                yield row

    def check_words(self) -> None:
        """Do nothing: the server keeps the keyword index in step with the memories."""


def _nothing() -> None:
    """Let a question be asked."""


def _statement(name: str, values: Values) -> Statement:
    """Return a statement with numbered parameters, and their values in this order."""
    if not isinstance(values, Mapping):
        return SQL[name], values or ()
    missing = frozenset([one for one, value in values.items() if value is None])
    text, names = numbered(name, missing)
    return text, tuple([values[one] for one in names])
