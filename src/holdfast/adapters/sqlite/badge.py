"""Three counts for a status line, read without the engine: a prompt asks again and again."""

import os

import apsw

from holdfast.adapters.sql.queries import load_file

_SLOT_BYTES = 512
_SQL = f"{__file__.rpartition('/')[0]}/sql/badge.sql"


def badge_counts(path: str) -> tuple[int, int, int] | None:
    """Return how many candidates, conflicts and warnings there are; None if it cannot be read.

    It never waits, never writes and never makes a store.
    """
    if not os.access(path, os.R_OK):
        return None
    try:
        connection = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READONLY)
        try:
            return _counts(connection, path)
        finally:
            connection.close()
    except (apsw.CorruptError, apsw.NotADBError):
        return (0, 0, 1)
    except apsw.Error:
        return None


def _counts(connection: apsw.Connection, path: str) -> tuple[int, int, int]:
    queries = load_file(_SQL)
    sequence, digest = _outside_head(f"{path}-head")
    found = connection.execute(queries["badge"], (sequence, digest)).fetchone()
    candidates, conflicts, warnings = (0, 0, 0) if found is None else [int(str(n)) for n in found]
    return (candidates, conflicts, warnings)


def _outside_head(path: str) -> tuple[int, str]:
    """Return the newest head beside the database, its checksum left to the check of the store."""
    try:
        handle = os.open(path, os.O_RDONLY)
    except OSError:
        return (0, "")
    try:
        raw = os.pread(handle, 2 * _SLOT_BYTES, 0)
    finally:
        os.close(handle)
    slots = (raw[:_SLOT_BYTES].split(), raw[_SLOT_BYTES:].split())
    heads = [(int(words[2]), words[3].decode()) for words in slots if _whole(words)]
    return max(heads, default=(0, ""))


def _whole(words: list[bytes]) -> bool:
    return len(words) > 4 and words[2].isdigit() and words[3].isalnum()  # noqa: PLR2004 - magic, store, sequence, hash, checksum
