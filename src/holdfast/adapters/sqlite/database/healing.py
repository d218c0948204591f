"""Works around a damaged keyword index, so that a search succeeds until it is rebuilt."""

from __future__ import annotations

import apsw

from holdfast.adapters.sqlite.queries import SQL

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
