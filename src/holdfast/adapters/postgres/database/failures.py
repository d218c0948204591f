"""Translates errors of Postgres into errors of the domain, each cause into its own error."""

from __future__ import annotations

from typing import TYPE_CHECKING

import psycopg
from psycopg import errors

from holdfast.domain.database_errors import (
    NotMigratedError,
    RoleLacksRightsError,
    ServerRefusedError,
    ServerUnreachableError,
)
from holdfast.domain.errors import (
    HoldfastError,
    StoreBusyError,
    StoreDamagedError,
    StoreFullError,
    StoreReadOnlyError,
    StoreUnreadableError,
    UnstorableTextError,
)
from holdfast.domain.refusals import WorkUndoneError

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.adapters.postgres.database.address import Address

_GRANT = "Let the owner of the tables make it a member of 'holdfast_app'."
_NOT_TEXT = frozenset({None, "22021", "22P05"})
_NUL = "It contains a NUL character."
_FATAL = "FATAL:"
_LONGEST_WORDS = 200
_STARTING = ("starting up", "shutting down", "recovery mode", "not yet accepting connections")
_ALL_IN_USE = "all of its connections are in use"
_REFUSALS = (
    ("password authentication failed", "the password is wrong"),
    ("no password supplied", "it asks for a password, and the address has none"),
    ("no pg_hba.conf entry", "its settings do not allow this user from here"),
    ("authentication failed", "it does not accept this user"),
    ("does not exist", "the user or the database does not exist"),
    ("permission denied for database", "this user may not connect to the database"),
    ("too many connections", _ALL_IN_USE),
    ("remaining connection slots", _ALL_IN_USE),
)

_BY_KIND: tuple[tuple[type[psycopg.Error], Callable[[str, str], HoldfastError]], ...] = (
    (errors.LockNotAvailable, lambda _address, _said: StoreBusyError()),
    (errors.SerializationFailure, lambda _address, _said: WorkUndoneError()),
    (errors.DeadlockDetected, lambda _address, _said: WorkUndoneError()),
    (errors.DiskFull, lambda address, _said: StoreFullError(address, can_forget=False)),
    (errors.ReadOnlySqlTransaction, lambda address, _said: StoreReadOnlyError(address)),
    (
        errors.InsufficientPrivilege,
        lambda address, said: RoleLacksRightsError(f"of {address}", f"was refused: {said}", _GRANT),
    ),
    (
        errors.UndefinedTable,
        lambda address, _said: NotMigratedError(address, found=0, needed=1),
    ),
    (errors.DataCorrupted, lambda address, said: StoreDamagedError(address, f"{said}.")),
    (errors.IndexCorrupted, lambda address, said: StoreDamagedError(address, f"{said}.")),
)


def translated(error: psycopg.Error, address: Address) -> HoldfastError:
    """Return the domain error for a failure inside a transaction."""
    said = first_line(error)
    for kind, word in _BY_KIND:
        if isinstance(error, kind):
            return word(address.shown, said)
    if is_not_text(error):
        return not_text(error)
    if is_lost(error):
        return ServerUnreachableError(address.shown, "the connection was lost")
    return StoreUnreadableError(address.shown, f"{said}.")


def is_not_text(error: psycopg.Error) -> bool:
    """Return whether the driver or the server refused a character."""
    return isinstance(error, psycopg.DataError) and error.sqlstate in _NOT_TEXT


def not_text(error: Exception) -> HoldfastError:
    """Return the domain error for text that Postgres cannot store."""
    if isinstance(error, UnicodeError):
        return UnstorableTextError(what="text", problem="It holds half a character.")
    return UnstorableTextError(what="text", problem=_NUL)


def not_connected(error: psycopg.Error, address: Address) -> HoldfastError:
    """Return the domain error for a failed attempt to connect."""
    said = str(error)
    for sign, meaning in _REFUSALS:
        if sign in said:
            return ServerRefusedError(address.shown, meaning, may_pass=meaning == _ALL_IN_USE)
    words = said.rpartition(_FATAL)[2] if _FATAL in said else ""
    own = " ".join(words.partition("\n")[0].split()).rstrip(".")[:_LONGEST_WORDS]
    return ServerUnreachableError(address.shown, f"it refuses connections: {own}" if own else "")


def is_lost(error: psycopg.Error) -> bool:
    """Return whether the connection is gone: the server ended it, or it no longer answers."""
    return isinstance(error, psycopg.OperationalError | psycopg.InterfaceError) and (
        error.sqlstate is None or error.sqlstate.startswith(("57P", "08"))
    )


def is_starting(error: psycopg.Error) -> bool:
    """Return whether the server is about to accept connections, as after a crash."""
    said = str(error)
    return any(sign in said for sign in _STARTING)


def first_line(error: psycopg.Error) -> str:
    """Return what the server said, in one line without a full stop."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")
