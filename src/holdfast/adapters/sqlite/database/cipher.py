"""Encryption of a whole database: a note beside it names its key, and never contains it.

The file has the format of SQLCipher 4. It needs a build of apsw that can encrypt, which is the
package apsw-sqlite3mc in the place of apsw.
"""

from __future__ import annotations

import json
import os

import apsw

from holdfast.adapters.sqlite.database.files import OWNER_ONLY, size
from holdfast.adapters.sqlite.queries import SQL

# Defined instead of imported: a status line must not pay for importing typing.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from holdfast.domain.encryption.errors import StoreLockedError

    KeyOf = Callable[[str], bytes]

NOTE = "-cipher"
"""The end of the name of the note."""
_LARGEST_NOTE = 4_096
_READ = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW
_WRITE = os.O_CREAT | os.O_WRONLY | os.O_TRUNC | os.O_NOFOLLOW
_UNKNOWN = "?"
_FORMAT = (("cipher", "sqlcipher"), ("legacy", 4))


def can_encrypt() -> bool:
    """Return whether the installed library can read and write an encrypted file."""
    return hasattr(apsw, "mc_version")


def as_pragma(secret: bytes) -> str:
    """Return a key as the library takes it: raw, so that opening a file derives nothing."""
    return f"x'{secret.hex()}'"


class StoreLock:
    """The key of a database, found through the note beside it.

    While the file is being replaced, the note is pending: it names every key that the file may
    have, and the file may be in clear. So a stop at any moment leaves a store that can be opened.
    """

    def __init__(self, database: str, key_of: KeyOf | None = None) -> None:
        self._database = database
        self._note = f"{database}{NOTE}"
        self._key_of = key_of

    @property
    def key_id(self) -> str | None:
        """The key of the database; None if it is in clear."""
        names, _ = self.noted()
        return names[0] if names else None

    def noted(self) -> tuple[Sequence[str], bool]:
        """Return the keys that the note names, and whether it is pending; no key without a note."""
        try:
            handle = os.open(self._note, _READ)
        except FileNotFoundError:
            return (), False
        try:
            raw = os.read(handle, _LARGEST_NOTE)
        finally:
            os.close(handle)
        try:
            note = json.loads(raw)
            return [str(one) for one in note["keys"]], bool(note["pending"])
        except (ValueError, KeyError, TypeError) as error:
            raise self._refusal(_UNKNOWN, f"the note {self._note} is damaged.") from error

    def note(self, keys: Sequence[str], *, pending: bool = False) -> None:
        """Write the note durably; without keys there is none."""
        if not keys:
            os.unlink(self._note)
            return
        text = json.dumps({"format": "SQLCipher 4", "keys": list(keys), "pending": pending})
        fresh = f"{self._note}-new"
        handle = os.open(fresh, _WRITE, OWNER_ONLY)
        try:
            os.write(handle, f"{text}\n".encode())
            os.fsync(handle)
        finally:
            os.close(handle)
        os.replace(fresh, self._note)

    def opened(self, make: Callable[[], apsw.Connection]) -> apsw.Connection:
        """Return a connection that can read the file, as it is now.

        Raises:
            NoStoreCipherError: It is encrypted, and the installed library cannot read that.
            StoreLockedError: Its key is not here, or does not fit.
        """
        names, pending = self.noted()
        if not names:
            return make()
        if pending and (plain := _unless_garbled(make())) is not None and size(plain.filename):
            return plain
        self.refuse_without_cipher()
        for name in names:
            secret = self.secret(name)
            connection = _unless_garbled(keyed(make(), secret))
            if connection is not None:
                if pending:
                    self.note([name])
                return connection
        why = "the key does not fit, or the first page of the file is damaged."
        raise self._refusal(names[0], why)

    def secret(self, key_id: str) -> bytes:
        """Return a key.

        Raises:
            StoreLockedError: It is not here.
        """
        from holdfast.domain.errors import HoldfastError

        if self._key_of is None:
            raise self._refusal(key_id, "this program was given no keys.")
        try:
            return self._key_of(key_id)
        except HoldfastError as error:
            raise self._refusal(key_id, str(error)) from error

    def refuse_without_cipher(self) -> None:
        """Refuse if the installed library cannot encrypt.

        Raises:
            NoStoreCipherError: It cannot.
        """
        if not can_encrypt():
            from holdfast.domain.encryption.errors import NoStoreCipherError

            raise NoStoreCipherError(self._database)

    def _refusal(self, key_id: str, why: str) -> StoreLockedError:
        from holdfast.domain.encryption.errors import StoreLockedError

        return StoreLockedError(location=self._database, key_id=key_id, why=why)


def keyed(connection: apsw.Connection, secret: bytes) -> apsw.Connection:
    """Give a connection its key; nothing is read yet."""
    for name, value in _FORMAT:
        connection.pragma(name, value)
    connection.pragma("key", as_pragma(secret))
    return connection


def _unless_garbled(connection: apsw.Connection) -> apsw.Connection | None:
    """Return the connection if it can read the file; else close it."""
    try:
        connection.execute(SQL["any_object"]).fetchall()
    except apsw.NotADBError:
        connection.close(force=True)
        return None
    except BaseException:
        connection.close(force=True)
        raise
    return connection
