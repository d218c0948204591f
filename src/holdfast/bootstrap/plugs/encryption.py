"""The encryption keys of a store; nothing of them is loaded before one is needed."""

from __future__ import annotations

# Defined instead of imported: a status line must not pay for importing typing.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from holdfast.domain.encryption.ciphertext import KeyId
    from holdfast.domain.encryption.keys import EncryptionKey, KeySource
    from holdfast.ports.encryption.ciphering import Cipher, KeyRing


def store_keys(folder: str) -> Callable[[str], bytes]:
    """Return a function that finds the key of a whole store among those that a folder lists."""

    def key_of(key_id: str) -> bytes:
        from pathlib import Path

        from holdfast.adapters.encryption.key_ring import KeyRingFile

        return KeyRingFile(Path(folder)).store_key(key_id)

    return key_of


class LazyKeyRing:
    """Opens the list of keys beside a store at the first call."""

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def cipher(self) -> Cipher:
        """Return a cipher with these keys."""
        return self._ring().cipher()

    def known(self) -> Sequence[EncryptionKey]:
        """Return the keys, oldest first."""
        return self._ring().known()

    def create(self, source: KeySource | None, *, at: datetime) -> tuple[EncryptionKey, str]:
        """Make a new key, put it into its place, and return it with its text."""
        return self._ring().create(source, at=at)

    def add(self, source: KeySource, *, at: datetime) -> EncryptionKey:
        """Make a key known that exists, and return it."""
        return self._ring().add(source, at=at)

    def use(self, key_id: KeyId) -> EncryptionKey:
        """Encrypt new records with a known key."""
        return self._ring().use(key_id)

    def remove(self, key_id: KeyId, *, delete: bool = False) -> EncryptionKey:
        """Take a key out of the list, and delete it from its place only if that is asked for."""
        return self._ring().remove(key_id, delete=delete)

    def problem(self, key_id: KeyId) -> str:
        """Return why a key cannot be read here now; empty if it can."""
        return self._ring().problem(key_id)

    def _ring(self) -> KeyRing:
        from pathlib import Path

        from holdfast.adapters.encryption.key_ring import KeyRingFile

        return KeyRingFile(Path(self._folder))
