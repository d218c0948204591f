"""The schema of the store by number: complete for a new store, in steps for an old one."""

from __future__ import annotations

import os

import apsw

from holdfast.adapters.sql.queries import load_scripts
from holdfast.adapters.sqlite.database.rows import sealed
from holdfast.adapters.sqlite.database.work import Work
from holdfast.adapters.sqlite.queries import MIGRATIONS, SQL
from holdfast.domain.errors import StoreUnreadableError
from holdfast.domain.version_errors import NewerStoreError

LATEST = 16
_LAST_TO_CHANGE_DERIVED = 14
APPLICATION = 1_212_957_766
_STORE_ID_BYTES = 16


def schema_number(connection: apsw.Connection) -> int:
    """Return the schema number of the file; a new file has 0."""
    return int(connection.execute(SQL["schema_number"]).get)


def expected_schema() -> set[tuple[str, ...]]:
    """Return the latest schema as SQLite lists it."""
    connection = apsw.Connection(":memory:")
    try:
        connection.execute(SQL["create_schema"]).fetchall()
        rows = connection.execute(SQL["schema"]).fetchall()
        return {tuple(str(value) for value in row) for row in rows}
    finally:
        connection.close()


def needs_work(connection: apsw.Connection, path: str) -> bool:
    """Return whether the store is new or old; refuse one that is newer or not a Holdfast store.

    Raises:
        NewerStoreError: A newer program wrote it.
        StoreUnreadableError: It is not a store of holdfast, or somebody added code to it.
    """
    # One transaction for all reads: another process may be creating the store right now.
    connection.execute(SQL["begin_reading"])
    try:
        found = schema_number(connection)
        application = connection.execute(SQL["application"]).get
        objects = connection.execute(SQL["any_object"]).get
        foreign = connection.execute(SQL["foreign_objects"]).get
    finally:
        if connection.in_transaction:
            connection.execute(SQL["rollback"])
    if application != APPLICATION and (found or objects):
        raise StoreUnreadableError(path, "it is not a holdfast store.")
    if found > LATEST:
        raise NewerStoreError(path, found, LATEST)
    if foreign:
        raise StoreUnreadableError(
            path, "it is not a holdfast store any more: somebody added triggers or views to it."
        )
    return found < LATEST


def migrate(connection: apsw.Connection) -> None:
    """Upgrade the schema; all steps are committed together or none.

    If a step changes what is derived, all derived data is rebuilt at the end.
    """
    if schema_number(connection) == LATEST:
        return
    # A migration may change the text of a CHECK, which SQLite's defensive mode forbids.
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 0)
    connection.execute(SQL["begin_writing"])
    try:
        found = schema_number(connection)
        if found == 0:
            connection.execute(SQL["create_schema"]).fetchall()
            store_id = os.urandom(_STORE_ID_BYTES).hex()
            connection.execute(SQL["put_meta"], sealed("note", ("store_id", store_id)))
        elif found < LATEST:
            for script in load_scripts(MIGRATIONS)[found:LATEST]:
                connection.execute(script).fetchall()
            if found < _LAST_TO_CHANGE_DERIVED:
                _derive(Work(connection, path=connection.filename, at=0))
        connection.execute(SQL["commit"])
    except BaseException:
        if connection.in_transaction:
            connection.execute(SQL["rollback"])
        raise
    finally:
        connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)


def _derive(work: Work) -> None:
    """Rebuild all derived data without progress output: it runs inside the first command."""
    from holdfast.adapters.sqlite.derived.rederiving import derive_anew

    derive_anew(work, lambda _count: None)
