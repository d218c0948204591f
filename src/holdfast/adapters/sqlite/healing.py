"""A damaged word index, worked around at once: a question never fails for what can be rebuilt."""

from __future__ import annotations

import apsw

from holdfast.adapters.sqlite.asking import SQL

_INDEX = "memory_fts"
_SIGNS = (apsw.CorruptError, apsw.ConstraintError)
_SEVEN_BITS, _MORE_FOLLOWS = 7, 0x80
WORDS_DAMAGED = (
    "The word index of the store was damaged. The answer comes from the memories themselves, and"
    " the next write rebuilds the index. 'holdfast doctor' says whether anything else is damaged."
)


def is_about_words(name: str, error: apsw.Error) -> bool:
    """Tell whether a query failed because the word index is damaged."""
    return isinstance(error, _SIGNS) and _INDEX in SQL[name]


def rebuild_words(connection: apsw.Connection) -> None:
    """Make the word index anew, inside a transaction that writes."""
    connection.execute(SQL["rebuild_words"]).fetchall()


def make_words_beside(connection: apsw.Connection) -> None:
    """Make a second word index in memory, under the same name, for a transaction that reads.

    SQLite looks for a name there first, and the index goes when the transaction is over.
    """
    for name in ("drop_words_beside", "make_words_beside"):
        connection.execute(SQL[name]).fetchall()


def counted_texts(block: bytes | None) -> int:
    """Return the number of texts that the index counts in its first block; zeros look like none.

    It follows the memories when a unit of work is committed, not before.
    """
    number = 0
    for byte in block or b"":
        number = (number << _SEVEN_BITS) | (byte & ~_MORE_FOLLOWS)
        if byte < _MORE_FOLLOWS:
            return number
    return 0
