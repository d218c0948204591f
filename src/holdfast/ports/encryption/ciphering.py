"""Ports for encryption: a cipher, and the keys that are known on this machine."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from holdfast.domain.encryption.ciphertext import Ciphertext, KeyId
from holdfast.domain.encryption.keys import EncryptionKey, KeySource


class Cipher(Protocol):
    """Encrypts and decrypts contents of records; each is bound to the name of its record."""

    @property
    def key_id(self) -> KeyId:
        """The key that encrypts.

        Raises:
            NoKeyError: No key is in use.
        """
        ...

    def encrypt(self, record: str, text: str, *, compared: str = "") -> Ciphertext:
        """Return the content of a record, encrypted.

        ``compared`` is the form of a claim whose keyed hash finds equal claims.

        Raises:
            NoKeyError: No key is in use.
        """
        ...

    def decrypt(self, ciphertext: Ciphertext) -> str:
        """Return the content of a record.

        Raises:
            KeyMissingError: Its key is not available here.
            CiphertextDamagedError: It was changed, or belongs to another record.
        """
        ...

    def digests(self, compared: str) -> Sequence[str]:
        """Return the keyed hashes of a form, one for each key that is available here."""
        ...


class KeyRing(Protocol):
    """The encryption keys that are known on this machine; each is read when it is used."""

    def cipher(self) -> Cipher:
        """Return a cipher with these keys.

        Raises:
            NoCipherError: The library is not installed.
        """
        ...

    def known(self) -> Sequence[EncryptionKey]:
        """Return the keys, oldest first."""
        ...

    def create(self, source: KeySource | None, *, at: datetime) -> tuple[EncryptionKey, str]:
        """Make a new key, put it into its place, and return it with its text.

        Without a source it becomes a file of its own. A key for a variable is put nowhere: its
        text is shown once. It is not in use yet.

        Raises:
            KeyPlaceError: The file is no safe place, or exists.
        """
        ...

    def add(self, source: KeySource, *, at: datetime) -> EncryptionKey:
        """Make a key known that exists, and return it.

        Raises:
            KeySourceError: It cannot be read.
            BadKeyError: There is no key.
        """
        ...

    def use(self, key_id: KeyId) -> EncryptionKey:
        """Encrypt new records with a known key.

        Raises:
            NoSuchKeyError: It is not known.
        """
        ...

    def remove(self, key_id: KeyId, *, delete: bool = False) -> EncryptionKey:
        """Take a key out of the list. It must stay in its place, unless ``delete`` is asked for.

        A key in a variable is never deleted.

        Raises:
            NoSuchKeyError: It is not known.
            KeySourceError: It cannot be deleted; it stays in the list.
        """
        ...

    def problem(self, key_id: KeyId) -> str:
        """Return why a key cannot be read here now; empty if it can."""
        ...
