"""One unit of work: its connection, its time, and the events it adds.

Works around a damaged keyword index, so that a search succeeds until it is rebuilt.

The space that a store file belongs to; a file without a note belongs to the default one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, cast

import apsw

from holdfast.adapters.sqlite.database.connection import NO_TEXT, not_text
from holdfast.adapters.sqlite.database.rows import (
    Row,
    Value,
    as_hex,
    as_json,
    checked,
    near_hash,
    sealed,
)
from holdfast.adapters.sqlite.queries import SQL
from holdfast.domain.access_errors import NoSuchStoreError
from holdfast.domain.database_errors import UnfinishedCopyError
from holdfast.domain.errors import StoreDamagedError
from holdfast.domain.memory.entry import Event, Head
from holdfast.domain.memory.place import DEFAULT_SPACE
from holdfast.domain.misuse import OnlyReadingError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from holdfast.domain.errors import HoldfastError
    from holdfast.domain.memory.memory import Memory, Tombstone
    from holdfast.domain.memory.place import SpaceId


_INDEX = "memory_fts"
_SIGNS = (apsw.CorruptError, apsw.ConstraintError)
_SEVEN_BITS, _MORE_FOLLOWS = 7, 0x80
WORDS_DAMAGED = (
    "The word index of the store was damaged. The answer comes from the memories themselves, and"
    " the next write rebuilds the index. 'holdfast doctor' says whether anything else is damaged."
)


def is_about_words(name: str, error: apsw.Error) -> bool:
    """Return whether a query failed because the keyword index is damaged."""
    return isinstance(error, _SIGNS) and _INDEX in SQL[name]


def rebuild_words(connection: apsw.Connection) -> None:
    """Rebuild the keyword index inside a write transaction."""
    connection.execute(SQL["rebuild_words"]).fetchall()


def make_words_beside(connection: apsw.Connection) -> None:
    """Create a temporary keyword index under the same name, for a read transaction.

    SQLite resolves the name to the temporary one first; it is dropped after the transaction.
    """
    for name in ("drop_words_beside", "make_words_beside"):
        connection.execute(SQL[name]).fetchall()


def counted_texts(block: bytes | None) -> int:
    """Return the number of texts that the index's first block states; 0 if it is zeroed.

    The block is updated when a unit of work is committed, not before.
    """
    number = 0
    for byte in block or b"":
        number = (number << _SEVEN_BITS) | (byte & ~_MORE_FOLLOWS)
        if byte < _MORE_FOLLOWS:
            return number
    return 0


Made = TypeVar("Made")

LEFT_OUT = (
    "It was left out, and everything else is shown. 'holdfast doctor' lists what is damaged, and"
    " 'holdfast doctor --repair' rescues the rest."
)
_NOTE_END = 5
_WRITTEN_BY_A_REBUILD = frozenset({"index_memory", "flush_words", "merge_words"})


class Work:
    """The state that all ports of one transaction share."""

    def __init__(self, connection: apsw.Connection, *, path: str, at: int | None = None) -> None:
        self.connection = connection
        self.path = path
        self.forgotten: list[Tombstone] = []
        self.did: set[str] = set()
        self.noticed: set[str] = set()
        self.leaves_out = False
        self.left_out: dict[str, None] = {}
        self.words_are_damaged = False
        self.changed_words = False
        self._has_healed = False
        self._at = at
        self._newest: Row | None = None
        self._head: Head | None = None
        self._last_sequence: int | None = None
        self._memories: int | None = None
        # How common words are, by token; a read transaction looks each up once.
        self.shares: dict[str, float] = {}
        self._notes: tuple[dict[str, Row], int | None] | None = None
        # Ids, hashes and sketch parts of announced memories that the store does not have.
        self.absent: set[Value] = set()

    def moment(self) -> int:
        """Return the time of this unit of work; every write calls this first."""
        if self._at is None:
            raise OnlyReadingError
        return self._at

    @property
    def may_write(self) -> bool:
        """Whether this is a unit of work, which may still be undone."""
        return self._at is not None

    def rows(
        self, name: str, values: tuple[Value, ...] | Mapping[str, Value] | None = None
    ) -> list[Row]:
        """Run a query by name and return its rows."""
        try:
            found: list[Row] = self.connection.execute(SQL[name], values).fetchall()
        except UnicodeError as error:
            if not self.leaves_out or isinstance(error, UnicodeEncodeError):  # the caller's text
                raise not_text(error, self.path) from error
            return self._readable(self.connection.execute(SQL[name], values))
        except apsw.Error as error:
            return self.rows(name, values) if self._heal(name, error) else []
        return found

    def row(self, name: str, *values: Value) -> Row | None:
        """Run a query by name and return its only row."""
        return next(iter(self.rows(name, values)), None)

    def run(self, name: str, *values: Value) -> None:
        """Run a statement by name."""
        self.rows(name, values)

    def run_many(self, name: str, rows: Sequence[tuple[Value, ...]]) -> None:
        """Run a statement by name once for each of the rows."""
        self.connection.executemany(SQL[name], rows)

    def expect(self, memories: Sequence[Memory]) -> None:
        """Look up at once what the store has of memories that are about to be added."""
        from holdfast.domain.memory.sketch import sketch

        ids = [memory.id for memory in memories]
        nears = [near_hash(memory.claim) for memory in memories]
        bands = [band for memory in memories for band in sketch(memory.claim)]
        asked = {
            "ids": as_json(ids),
            "nears": as_json([near.hex() for near in nears]),
            "bands": as_json(bands),
        }
        self.absent = {*ids, *nears}
        self.absent.update(bands)
        self.absent.difference_update(row[0] for row in self.rows("already_there", asked))

    def _readable(self, cursor: apsw.Cursor) -> list[Row]:
        """Return the rows whose texts are valid UTF-8; report the others."""
        found: list[Row] = []
        while True:
            try:
                found.append(next(cursor))
            except UnicodeError as error:
                self.leave_out(not_text(error, self.path))
            except StopIteration:
                return found

    def sound(self, rows: Sequence[Row], make: Callable[[Row], Made]) -> list[Made]:
        """Return what each row says.

        A read of a store leaves damaged rows out and reports them; a unit of work and a check of
        the store refuse them.
        """
        found: list[Made] = []
        for row in rows:
            try:
                found.append(make(row))
            except StoreDamagedError as error:
                self.leave_out(error)
        return found

    def leave_out(self, error: HoldfastError) -> None:
        """Report a damaged row that a read leaves out; raise if nothing may be left out."""
        if not self.leaves_out:
            raise error
        self.left_out[str(error.facts["problem"])] = None
        self.noticed.add(_warning(error))

    def name_left_out(self, names: Sequence[str]) -> None:
        """Name the memories of unreadable rows, instead of reporting rows without a name."""
        unnamed = StoreDamagedError(self.path, NO_TEXT)
        self.left_out.pop(NO_TEXT, None)
        self.noticed.discard(_warning(unnamed))
        for name in names:
            self.leave_out(StoreDamagedError(self.path, f"the memory {name} is not text any more."))

    def check_words(self) -> None:
        """Replace a keyword index that has lost its texts; a search would find nothing in it."""
        if self.may_write:
            return
        last, memories, block = self.rows("extent")[0]
        self._last_sequence, self._memories = int(last), int(memories)
        if counted_texts(block) != memories:
            self._heal_words()

    def memories(self) -> int:
        """Return the number of memories."""
        if self.may_write or self._memories is None:
            self._memories = int(self.rows("count_memories")[0][0])
        return self._memories

    def _heal(self, name: str, error: apsw.Error) -> bool:
        """Work around a damaged keyword index, once; return whether to run the query again.

        Every other failure is raised. A rebuilt index contains the new memory already.
        """
        if self._has_healed or not is_about_words(name, error):
            raise error
        self._heal_words()
        return name not in _WRITTEN_BY_A_REBUILD

    def _heal_words(self) -> None:
        self._has_healed = True
        self.noticed.add(WORDS_DAMAGED)
        if self.may_write:
            rebuild_words(self.connection)
        else:
            make_words_beside(self.connection)
            self.words_are_damaged = True

    def next_sequence(self) -> int:
        """Return the number of the next memory; it is used once that memory is added."""
        if self._last_sequence is None:
            self._last_sequence = int(self.rows("last_sequence")[0][0])
        return self._last_sequence + 1

    def note_last(self, sequence: int) -> None:
        """Store the number of the newest memory."""
        self._last_sequence = sequence

    def last_sequence(self) -> int:
        """Return the highest memory number that was ever used."""
        return self.next_sequence() - 1

    @property
    def last_added(self) -> int | None:
        """The number of the newest memory, if this unit of work has read it."""
        return self._last_sequence

    def head(self) -> Head:
        """Return the number and hash of the newest event."""
        if self._head is None:
            row = self.newest_before()
            self._head = Head() if row is None else self._head_in(row)
        return self._head

    def event_hash(self, sequence: int) -> str | None:
        """Return the stored hash of an event, not verified; None if the event is missing."""
        newest = self.newest_before()
        if newest is not None and newest[0] == sequence:
            return as_hex(newest[-1])
        row = self.row("event_hash", sequence)
        return None if row is None else as_hex(row[0])

    def newest_before(self) -> Row | None:
        """Return the newest event before this unit of work, read once."""
        if self._newest is None:
            self._newest = self.row("last_event")
        return self._newest

    def _head_in(self, row: Row) -> Head:
        newest = event_of(row)
        if newest.hash != as_hex(row[-1]):
            raise StoreDamagedError(self.path, f"event {row[0]} is not what was written.")
        return Head(sequence=newest.sequence, hash=newest.hash)

    def record(self, action: str, subject: str, row_hash: Value = b"") -> None:
        """Add an event about a row in its new state; no hash means that the row was removed."""
        head = self.head()
        digest = cast("bytes", row_hash)
        event = Event(
            sequence=head.sequence + 1,
            at_millis=self.moment(),
            action=action,
            subject=subject,
            digest=digest.hex(),
            previous=head.hash,
        )
        values = event_values(event)
        self.run("add_event", *values)
        self._head = Head(sequence=event.sequence, hash=as_hex(values[-1]))
        self.did.add(action)

    def meta(self, name: str) -> str | None:
        """Return a value that the store keeps about itself."""
        row = self._begun_with()[0].get(name)
        if row is None:
            return None
        return str(checked("note", row, path=self.path, name=name)[1])

    def schema(self) -> int | None:
        """Return the number of the schema, if the store keeps anything about itself."""
        return self._begun_with()[1]

    def _begun_with(self) -> tuple[dict[str, Row], int | None]:
        """Return the values of the store about itself, and the number of its schema."""
        if self._notes is None:
            rows = self.rows("begun_with")
            notes = {row[1]: row[1:_NOTE_END] for row in rows}
            self._notes = notes, next((int(row[0]) for row in rows), None)
            newest = [row[_NOTE_END:] for row in rows if row[_NOTE_END] is not None]
            self._newest = next(iter(newest), None)
        return self._notes

    def set_meta(self, name: str, value: str) -> None:
        """Store a value about the store itself."""
        self.run("put_meta", *sealed("note", (name, value)))
        self._notes = None

    def drop_meta(self, name: str) -> None:
        """Remove a value about the store itself."""
        self.run("drop_meta", name)
        self._notes = None


def _warning(error: HoldfastError) -> str:
    return f"{error} {LEFT_OUT}"


def event_values(event: Event) -> tuple[Value, ...]:
    """Return an event as its row."""
    return (
        event.sequence,
        event.at_millis,
        event.action,
        event.subject,
        bytes.fromhex(event.digest),
        bytes.fromhex(event.previous),
        bytes.fromhex(event.hash),
    )


def event_of(row: Row) -> Event:
    """Return the event of a row; a damaged value becomes one that its hash cannot match."""
    sequence, at, action, subject = [_no_bytes(value) for value in row[:4]]
    return Event(
        sequence=sequence,
        at_millis=at,
        action=action,
        subject=subject,
        digest=as_hex(row[4]),
        previous=as_hex(row[5]),
    )


def _no_bytes(value: Any) -> Any:  # noqa: ANN401 - damage can leave any type
    return as_hex(value) if isinstance(value, bytes) else value


SPACE = "space"
COPYING = "copying"
"""The note of a store that is an unfinished copy: the mark of its source."""


def note_space(work: Work, space: SpaceId) -> None:
    """Note the space of a new file."""
    if space != DEFAULT_SPACE:
        work.set_meta(SPACE, space)


def refuse_other_space(work: Work, space: SpaceId) -> None:
    """Refuse a file of another space, and say nothing about that space.

    Raises:
        NoSuchStoreError: The file belongs to another space.
    """
    if (work.meta(SPACE) or DEFAULT_SPACE) != space:
        raise NoSuchStoreError(space)


def refuse_unfinished_copy(work: Work) -> None:
    """Refuse a store that is an unfinished copy.

    Raises:
        UnfinishedCopyError: Not all rows were copied yet.
    """
    if work.meta(COPYING) is not None:
        raise UnfinishedCopyError(work.path)
