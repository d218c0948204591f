"""A damaged word index, worked around at once: a question never fails for what can be rebuilt."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import apsw

from holdfast.adapters.sqlite.asking import SQL

if TYPE_CHECKING:
    from holdfast.adapters.sqlite.rows import Row
    from holdfast.adapters.sqlite.work import Work

_INDEX = "memory_fts"
_SIGNS = (apsw.CorruptError, apsw.ConstraintError)
_SEVEN_BITS, _MORE_FOLLOWS = 7, 0x80
WORDS_DAMAGED = (
    "The word index of the store was damaged. It is rebuilt from the memories by the next write,"
    " and the answer comes from them already; 'holdfast doctor' says whether anything else is."
)


def is_about_words(name: str, error: apsw.Error) -> bool:
    """Tell whether a query failed because the word index is damaged."""
    return isinstance(error, _SIGNS) and _INDEX in SQL[name]


def heal_words(work: Work) -> None:
    """Make the word index anew, for good where this transaction may write.

    A transaction that only reads makes a second one in memory, under the same name. It is
    found first, and it goes when the transaction is over.
    """
    work.noticed.add(WORDS_DAMAGED)
    work.words_are_damaged = not work.may_write
    names = ("rebuild_words",) if work.may_write else ("drop_words_beside", "make_words_beside")
    for name in names:
        work.connection.execute(SQL[name]).fetchall()


def commit_with_words(work: Work) -> None:
    """Write the word index and commit.

    A commit writes the index too. If the index is damaged, though, it would take the whole unit
    of work with it, and here the index can still be rebuilt.
    """
    if work.changed_words:
        work.run("flush_words")
    work.connection.execute(SQL["commit"])


def words_are_missing(work: Work) -> bool:
    """Tell whether the index counts other memories than there are; zeros in it look like none.

    Inside a unit of work it cannot be told: the count is written when that is committed.
    """
    if work.may_write:
        return False
    rows = cast("list[Row]", work.connection.execute(SQL["counted_words"]).fetchall())
    memories, block = rows[0]
    return _first_number(block or b"") != int(memories)


def _first_number(block: bytes) -> int:
    """Return the number of texts that the index says it holds."""
    number = 0
    for byte in block:
        number = (number << _SEVEN_BITS) | (byte & ~_MORE_FOLLOWS)
        if byte < _MORE_FOLLOWS:
            return number
    return 0
