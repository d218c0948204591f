"""Encrypt a whole store, or decrypt it; the store makes an exact copy and compares it first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.encryption.errors import KeyMissingError, NoKeyError
from holdfast.domain.values import dataclass
from holdfast.usecases.encryption.keys import find_key, key_of_store

if TYPE_CHECKING:
    from holdfast.domain.encryption.ciphertext import KeyId
    from holdfast.ports.encryption.ciphering import KeyRing
    from holdfast.ports.store.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreEncryption:
    """The key of a whole store, now and before; None means in clear."""

    key_id: KeyId | None
    before: KeyId | None

    @property
    def is_changed(self) -> bool:
        """Whether the store was written anew."""
        return self.key_id != self.before


def encrypt_store(reference: str | None, *, store: Store, keys: KeyRing) -> StoreEncryption:
    """Encrypt the whole store with a known key, or with the one that encrypts new records.

    Raises:
        NoKeyError: No key is in use, and none is given.
        KeyMissingError: The key cannot be read, so nobody could read the store.
    """
    before = key_of_store(store)
    if reference is None:
        current = next((one for one in keys.known() if one.is_current), None)
        if current is None:
            raise NoKeyError
        key = current
    else:
        key = find_key(reference, keys=keys)
    if why := keys.problem(key.id):
        raise KeyMissingError(key_id=key.id, why=why)
    if key.id != before:
        store.upkeep.copying.encrypt(key.id)
    return StoreEncryption(key_id=key.id, before=before)


def decrypt_store(*, store: Store) -> StoreEncryption:
    """Write the whole store in clear; sensitive records stay encrypted."""
    before = key_of_store(store)
    if before is not None:
        store.upkeep.copying.encrypt(None)
    return StoreEncryption(key_id=None, before=before)
