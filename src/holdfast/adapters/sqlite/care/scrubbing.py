"""Removes every byte of forgotten memories from all files of the store."""

from __future__ import annotations

from time import monotonic, sleep
from typing import TYPE_CHECKING

import apsw

from holdfast.adapters.sqlite.database.files import make_reserve, remove, remove_whole
from holdfast.adapters.sqlite.database.work import Work
from holdfast.adapters.sqlite.memory.embeddings import SqliteVectors, known_models
from holdfast.adapters.sqlite.memory.tombstones import write_anew_if_needed
from holdfast.adapters.sqlite.queries import SQL
from holdfast.domain.errors import NoMeaningError, StoreUnreadableError
from holdfast.domain.lookup_errors import PlugInFailedError

if TYPE_CHECKING:
    from holdfast.adapters.sqlite.units.engine import SqliteEngine

_BETWEEN_TRIES_SECONDS = 0.02


def scrub_store(engine: SqliteEngine) -> None:
    """Rewrite the keyword index if traces would stay, and truncate the write-ahead log.

    Raises:
        StoreUnreadableError: A reader stayed active or the disk is full, so the log is not empty.
    """
    until = monotonic() + engine.options.wait_seconds
    _scrub_vectors(engine)
    with engine.undisturbed() as connection:
        connection.execute(SQL["begin_writing"])
        try:
            write_anew_if_needed(Work(connection, path=engine.files.database))
            connection.execute(SQL["commit"])
        finally:
            if connection.in_transaction:
                connection.execute(SQL["rollback"])
        while not _emptied(connection, engine):
            if monotonic() > until:
                raise _still_there(engine, "somebody keeps reading")
            sleep(_BETWEEN_TRIES_SECONDS)
    # The truncated log freed space, so a reserve that was used on a full disk may fit again.
    make_reserve(engine.files.reserve)


def _scrub_vectors(engine: SqliteEngine) -> None:
    """Remove forgotten memories from the vector indexes, and the indexes of dropped models."""
    try:
        with engine.reading() as work:
            models = known_models(work)
            for known in models:
                engine.indexes.of(known.number).scrub(SqliteVectors(known, work))
        kept = tuple(f"{engine.files.vectors}-{known.number}." for known in models)
        for name in engine.files.vector_files():
            if not name.startswith(kept):
                remove_whole(name)
    except OSError as error:
        raise _still_there(engine, f"a vector index said '{error.strerror}'") from error
    except NoMeaningError as error:
        raise _still_there(engine, str(error)) from error
    except PlugInFailedError as error:
        raise _still_there(engine, f"its vectors may be in a plug-in: {error}") from error


def _emptied(connection: apsw.Connection, engine: SqliteEngine) -> bool:
    """Checkpoint and truncate the write-ahead log; return whether that succeeded."""
    try:
        busy, _, _ = connection.execute(SQL["checkpoint"]).fetchall()[0]
    except apsw.FullError:
        if not remove(engine.files.reserve):
            raise _still_there(engine, "the disk is full") from None
        return False
    return not busy


def _still_there(engine: SqliteEngine, why: str) -> StoreUnreadableError:
    return StoreUnreadableError(
        engine.files.database,
        f"what was forgotten is out of it, but not yet out of every file, because"
        f" {why.rstrip('.')};"
        " run 'holdfast doctor --repair' when that is over.",
    )
