"""Errors about encryption keys and sensitive records."""

from __future__ import annotations

from holdfast.domain.errors import (
    ConflictError,
    InvalidError,
    NotFoundError,
    UnavailableError,
)

# Defined instead of imported: a status line must not pay for importing typing.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.domain.encryption.ciphertext import KeyId


class NoKeyError(UnavailableError, code="no-encryption-key"):
    """There is no encryption key here, so nothing sensitive can be written."""


class KeyMissingError(UnavailableError, code="encryption-key-missing"):
    """The encryption key of a record is not available here."""

    def __init__(self, *, key_id: str, record: str = "", why: str = "") -> None:
        what = f"The content of {record} is" if record else "Something is"
        super().__init__(
            f"{what} encrypted with the key {key_id}, which is not available here"
            f"{f': {why}' if why else '.'} Nothing was read or changed.",
            key_id=key_id,
            record=record,
            why=why,
        )


class CiphertextDamagedError(UnavailableError, code="ciphertext-damaged"):
    """The content of a record cannot be decrypted, although its key is here."""

    def __init__(self, *, record: str, key_id: str) -> None:
        super().__init__(
            f"The content of {record} cannot be decrypted with its key {key_id}: it was changed,"
            " or it belongs to another record. Other records are not affected.",
            record=record,
            key_id=key_id,
        )


class NoCiphertextError(UnavailableError, code="no-ciphertext"):
    """A record is marked as sensitive, but its encrypted content is not in the store."""

    def __init__(self, record: str) -> None:
        super().__init__(
            f"{record} is sensitive, but its encrypted content is not in this store.",
            record=record,
        )


class BadKeyError(InvalidError, code="bad-encryption-key"):
    """A text is no encryption key."""

    def __init__(self, *, place: str, problem: str) -> None:
        super().__init__(f"{place} holds no encryption key: {problem}", place=place)


class KeyPlaceError(InvalidError, code="unsafe-key-place"):
    """A file is no safe place for an encryption key."""

    def __init__(self, *, place: str, problem: str) -> None:
        super().__init__(f"{place} is no safe place for a key: {problem}", place=place)


class KeySourceError(UnavailableError, code="encryption-key-unreadable"):
    """The place of an encryption key cannot be read."""

    def __init__(self, *, place: str, problem: str) -> None:
        super().__init__(f"The key in {place} cannot be read: {problem}", place=place)


class NoSuchKeyError(NotFoundError, code="no-such-encryption-key"):
    """No encryption key has that id here."""

    def __init__(self, reference: str) -> None:
        super().__init__(
            f"No encryption key that is known here has the id {reference}.", reference=reference
        )


class KeyNeededError(ConflictError, code="encryption-key-needed"):
    """Records are still encrypted with the key, so it is not removed."""

    def __init__(self, *, key_id: str, records: int) -> None:
        what = "1 record is" if records == 1 else f"{records:,} records are"
        super().__init__(
            f"{what} still encrypted with the key {key_id}; without it nobody could read"
            f" {'it' if records == 1 else 'them'}. Nothing was removed.",
            key_id=key_id,
            records=records,
        )


class KeyInUseError(ConflictError, code="encryption-key-in-use"):
    """The key encrypts new records, so it is not removed."""

    def __init__(self, key_id: str) -> None:
        super().__init__(
            f"The key {key_id} encrypts new records, so it is not removed.", key_id=key_id
        )


class SensitiveError(ConflictError, code="sensitive-record"):
    """What was asked for would need the text of a sensitive memory."""

    def __init__(self, *, memory_id: str, problem: str) -> None:
        super().__init__(f"{memory_id} is sensitive: {problem}", memory_id=memory_id)


class StoreLockedError(UnavailableError, code="store-locked"):
    """The whole store is encrypted, and its key is not here or does not fit."""

    key_id: KeyId

    def __init__(self, *, location: str, key_id: str, why: str) -> None:
        super().__init__(
            f"The store {location} is encrypted with the key {key_id}, and cannot be read: {why}"
            " Nothing was changed.",
            location=location,
            key_id=key_id,
            why=why,
        )


class NoStoreCipherError(UnavailableError, code="no-store-cipher"):
    """The installed SQLite library cannot encrypt a whole store."""

    hint: str = (
        "Put the package apsw-sqlite3mc in the place of apsw: pip uninstall apsw, then"
        " pip install apsw-sqlite3mc."
    )

    def __init__(self, location: str) -> None:
        super().__init__(
            f"The store {location} cannot be read or written encrypted: the installed SQLite"
            " library has no cipher. Nothing was changed.",
            location=location,
        )


class KeyOfStoreError(ConflictError, code="encryption-key-of-store"):
    """The whole store is encrypted with the key, so it is not removed."""

    def __init__(self, key_id: str) -> None:
        super().__init__(
            f"The whole store is encrypted with the key {key_id}, so it is not removed.",
            key_id=key_id,
        )


class NoCipherError(UnavailableError, code="no-cipher"):
    """The library that encrypts is not installed."""

    hint: str = "Install holdfast[encryption]."
