"""The counts for a status line, read without the engine: a prompt asks on every line."""

from __future__ import annotations

import os
import time

import apsw

from holdfast.adapters.sql.queries import load_file

# Defined instead of imported: a status line must not pay for importing typing.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import LiteralString

    from holdfast.adapters.sqlite.database.cipher import KeyOf

    Given = dict[str, str | int | None] | tuple[int, str]

_SLOT_BYTES = 512
_LARGEST_BOOK = 1 << 24
_END_OF_TIME = (1 << 63) - 1
# Without O_NONBLOCK, opening a pipe in place of a file blocks until another process writes to it.
_READ = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW
_SQL = f"{__file__.rpartition('/')[0]}/sql/badge.sql"


def opened_to_read(path: str, key_of: KeyOf | None = None) -> apsw.Connection:
    """Open a store to read, without the engine; one whose key is not here is no database."""

    def make() -> apsw.Connection:
        return apsw.Connection(path, flags=apsw.SQLITE_OPEN_READONLY)

    if not os.access(f"{path}-cipher", os.F_OK):
        return make()
    from holdfast.adapters.sqlite.database.cipher import StoreLock
    from holdfast.domain.errors import HoldfastError

    try:
        return StoreLock(path, key_of).opened(make)
    except HoldfastError as error:
        raise apsw.NotADBError(str(error)) from error


def badge_counts(
    path: str,
    *,
    identity: str,
    book: str,
    branch: str,
    space: str | None = None,
    key_of: KeyOf | None = None,
) -> tuple[tuple[int, int] | None, int] | None:
    """Return the number of candidates and conflicts of a checkout, and the number of warnings.

    A checkout is identified by its git folder ('' outside a repository) and its branch ('' for
    none). If the counts are None, only the whole engine can compute them; if the result is None,
    the store cannot be read, or belongs to another space than the given one. This function never
    waits, never writes and never creates a store.
    """
    if not os.access(path, os.R_OK):
        return None
    try:
        connection = opened_to_read(path, key_of)
        try:
            queries = load_file(_SQL)
            if space is not None and _space(connection, queries) != space:
                return None
            repo = _repository(connection, queries, identity, book)
            waiting = None
            if repo is not None:
                waiting = _waiting(connection, queries, repo, branch)
            head = outside_head(f"{path}-head")
            return waiting, _numbers(connection, queries["warnings"], head)[0]
        finally:
            connection.close()
    except (apsw.CorruptError, apsw.NotADBError):
        return (0, 0), 1
    except apsw.Error:
        return None


def accepted_among(path: str, names: Sequence[str], *, key_of: KeyOf | None = None) -> int:
    """Return how many of these memories are accepted; 0 if the store cannot be read."""
    if not names or not os.access(path, os.R_OK):
        return 0
    try:
        connection = opened_to_read(path, key_of)
        try:
            given: Given = {"names": ",".join(names)}
            return _numbers(connection, load_file(_SQL)["accepted_among"], given)[0]
        finally:
            connection.close()
    except apsw.Error:
        return 0


def _repository(
    connection: apsw.Connection, queries: dict[str, LiteralString], identity: str, book: str
) -> str | None:
    """Return the listed repository of a git folder: '' outside one, None if it is unknown."""
    if not identity:
        return ""
    try:
        handle = os.open(book, _READ)
    except OSError:
        return None
    try:
        text = os.read(handle, _LARGEST_BOOK).decode("utf-8", "replace")
    except OSError:
        return None
    finally:
        os.close(handle)
    given = {"book": text, "identity": identity}
    row = connection.execute(queries["repository_of_folder"], given).fetchone()
    return None if row is None or row[0] is None else str(row[0])


def _space(connection: apsw.Connection, queries: dict[str, LiteralString]) -> str:
    """Return the space of a store; '' is the default one."""
    row = connection.execute(queries["space_of_store"]).fetchone()
    return "" if row is None else str(row[0])


def _now() -> int:
    """Return the milliseconds since 1970; a clock of centuries ahead has none that fit."""
    try:
        return int(time.time() * 1000)
    except OverflowError:
        return _END_OF_TIME


def _waiting(
    connection: apsw.Connection, queries: dict[str, LiteralString], repo: str, branch: str
) -> tuple[int, int] | None:
    given = {"repo": repo, "branch": branch or None, "now": _now()}
    candidates, conflicts, is_unsure = _numbers(connection, queries["waiting_here"], given)
    return None if is_unsure else (candidates, conflicts)


def _numbers(connection: apsw.Connection, query: LiteralString, given: Given) -> tuple[int, ...]:
    """Return the only row of a counting query."""
    rows = connection.execute(query, given).fetchall()
    return tuple([int(str(number)) for number in rows[0]])


def outside_head(path: str) -> tuple[int, str]:
    """Return the newest event in the head file, without verifying its checksum."""
    try:
        handle = os.open(path, _READ)
    except OSError:
        return (0, "")
    try:
        raw = os.pread(handle, 2 * _SLOT_BYTES, 0)
    except OSError:
        return (0, "")
    finally:
        os.close(handle)
    slots = (raw[:_SLOT_BYTES].split(), raw[_SLOT_BYTES:].split())
    heads = [(int(words[2]), words[3].decode()) for words in slots if _whole(words)]
    return max(heads, default=(0, ""))


def _whole(words: list[bytes]) -> bool:
    return len(words) > 4 and words[2].isdigit() and words[3].isalnum()  # noqa: PLR2004 - magic, store, sequence, hash, checksum
