"""Errors about the database of a store: its library, its address, its rights, its schema.

No message holds a password: an address is shown without it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from holdfast.domain.errors import ConflictError, InvalidError, UnavailableError

if TYPE_CHECKING:
    from collections.abc import Sequence


_USER_AND_PASSWORD = re.compile(r"(://[^:/@\s]*):\S*@")
_PASSWORD_OPTION = re.compile(r"((?:password|passfile|sslpassword)=)[^&\s]*", re.IGNORECASE)


def without_password(text: str) -> str:
    """Return a text in which no address has a password."""
    return _PASSWORD_OPTION.sub(r"\1…", _USER_AND_PASSWORD.sub(r"\1@", text))


class BadStoreAddressError(InvalidError, code="bad-store-address"):
    """The address of the store cannot be read."""

    hint: str = "Write it as postgresql://user@host:5432/database."

    def __init__(self, problem: str) -> None:
        super().__init__(f"The address of the store cannot be used: {problem}", problem=problem)


class PasswordInAddressError(InvalidError, code="password-in-address"):
    """The address has a password, and it would be written into a file that others may read."""

    hint: str = (
        "Nothing was written. Leave the password out of the address: Holdfast reads ~/.pgpass and"
        " PGPASSWORD, as psql does."
    )


class NoDriverError(UnavailableError, code="no-database-driver"):
    """The package that connects to Postgres is not installed."""

    hint: str = "Install it: pip install 'holdfast[postgres]'."


class NoSqliteError(UnavailableError, code="no-sqlite"):
    """The package apsw, which reads and writes every store in a file, is not installed."""

    hint: str = (
        "Install it: pip install apsw; for a store that is encrypted as a whole, pip install"
        " apsw-sqlite3mc instead."
    )


class ServerUnreachableError(UnavailableError, code="server-unreachable"):
    """The database server does not answer."""

    hint: str = (
        "Nothing was changed; check that the server is running and can be reached from here."
    )

    def __init__(self, address: str, problem: str = "") -> None:
        said = f" ({problem})" if problem else ""
        super().__init__(
            f"The database server of {address} does not answer{said}.",
            address=address,
            problem=problem,
        )


class ServerRefusedError(UnavailableError, code="server-refused"):
    """The database server refused the user or the database."""

    hint: str = "Check the user, the password and the name of the database in the address."

    def __init__(self, address: str, problem: str, *, may_pass: bool = False) -> None:
        super().__init__(
            f"The database server refused to open {address}: {problem}.",
            address=address,
            problem=problem,
        )
        self.may_pass = may_pass


class ServerTooOldError(UnavailableError, code="server-too-old"):
    """The database server or its vector extension is too old."""

    def __init__(self, *, what: str, found: str, needed: str) -> None:
        super().__init__(
            f"{what} {found} is too old; {needed} or newer is needed. Upgrade it on the server.",
            what=what,
            found=found,
            needed=needed,
        )


class NoVectorExtensionError(UnavailableError, code="no-vector-extension"):
    """The database has no vector extension."""

    def __init__(self, database: str) -> None:
        super().__init__(
            f"The database {database} lacks the extension 'vector'. Install pgvector on the"
            " server, then run 'CREATE EXTENSION vector' in this database as a superuser.",
            database=database,
        )


class NotMigratedError(UnavailableError, code="not-migrated"):
    """The database has no schema of Holdfast, or an older one."""

    def __init__(self, address: str, *, found: int, needed: int) -> None:
        said = "has no schema of Holdfast" if not found else f"has schema {found}, not {needed}"
        super().__init__(
            f"The database {address} {said}. Let the owner of its tables upgrade it.",
            address=address,
            found=found,
            needed=needed,
        )


class RoleTooStrongError(UnavailableError, code="role-too-strong"):
    """The role of the address could read the memories of other tenants."""

    def __init__(self, role: str, problem: str) -> None:
        super().__init__(
            f"The role {role} {problem}, so the database could not keep tenants apart. Connect"
            " as a role that owns nothing and is only a member of 'holdfast_app'.",
            role=role,
            problem=problem,
        )


class RoleLacksRightsError(UnavailableError, code="role-lacks-rights"):
    """The role of the address may not use the tables."""

    def __init__(self, role: str, problem: str, remedy: str) -> None:
        super().__init__(
            f"The role {role} {problem}. {remedy}", role=role, problem=problem, remedy=remedy
        )


class RowsLeftError(UnavailableError, code="rows-left"):
    """A table still has rows of a tenant that was to be removed."""

    def __init__(self, tables: Sequence[str]) -> None:
        names = ", ".join(tables)
        super().__init__(
            f"The tenant was not removed: it still has rows in {names}. Nothing was changed.",
            tables=names,
        )


class NotAReplicaError(UnavailableError, code="not-a-replica"):
    """The address of a replica does not lead to a replica of the store."""

    def __init__(self, address: str, problem: str) -> None:
        super().__init__(
            f"The replica {address} {problem}.",
            address=address,
            problem=problem,
        )


class ReplicaBehindError(UnavailableError, code="replica-behind"):
    """A replica has not replayed the last change of this program yet."""

    hint: str = "The primary answers meanwhile."

    def __init__(self, address: str) -> None:
        super().__init__(f"The replica {address} is behind.", address=address)


class OutcomeUnknownError(UnavailableError, code="outcome-unknown"):
    """The connection was lost during the commit, and the server cannot be asked."""

    def __init__(self, address: str) -> None:
        super().__init__(
            f"The connection to {address} was lost during the commit, and the server does not"
            " answer: the last change was either stored whole or not at all. Look before you"
            " repeat it.",
            address=address,
        )


class TenantInUseError(ConflictError, code="tenant-in-use"):
    """Programs write for a tenant while it is removed."""

    hint: str = "Stop the programs that use it, and remove it then."

    def __init__(self, name: str) -> None:
        super().__init__(
            f"The tenant {name} was not removed, because somebody added a store meanwhile."
            " Nothing was changed.",
            name=name,
        )


class StoreNotEmptyError(ConflictError, code="store-not-empty"):
    """A copy would be written into a store that has contents of its own."""

    hint: str = "Name an empty place."

    def __init__(self, location: str) -> None:
        super().__init__(
            f"The store at {location} is not empty, so nothing was copied into it.",
            location=location,
        )


class SameStoreError(InvalidError, code="same-store"):
    """The source and the target of a copy are the same store."""

    hint: str = "Name another folder or another server."

    def __init__(self, location: str) -> None:
        super().__init__(
            f"The store at {location} cannot be copied into itself.", location=location
        )


class UnfinishedCopyError(UnavailableError, code="unfinished-copy"):
    """The store is a copy that was never finished."""

    hint: str = "Repeat the same copy: it goes on where it stopped."

    def __init__(self, location: str) -> None:
        super().__init__(
            f"The store at {location} is an unfinished copy and cannot be used yet.",
            location=location,
        )


class CopyDiffersError(UnavailableError, code="copy-differs"):
    """The written copy does not have the same rows as its source."""

    hint: str = "The source is unchanged. Repeat the copy, and check the disk of the target."

    def __init__(self, table: str) -> None:
        super().__init__(
            f"The copy was written, but its table '{table}' differs from the source. The copy"
            " stays unfinished.",
            table=table,
        )
