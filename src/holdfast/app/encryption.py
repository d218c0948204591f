"""Encryption: make memories sensitive, read them, and look after the keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.part_ports import id_here
from holdfast.app.performing import REHEARSAL, Part, performs
from holdfast.domain.memory.callers import Operation
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.encryption.keys import EncryptionKey, KeySource
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.ports.encryption.ciphering import KeyRing
    from holdfast.ports.store.upkeep import Progress
    from holdfast.usecases.encryption.keys import KeyCheck, KeyState
    from holdfast.usecases.encryption.rotating import Rotated
    from holdfast.usecases.encryption.whole import StoreEncryption
    from holdfast.usecases.memory.protecting import Protect, ProtectedMemory


class EncryptionPart(Part):
    """The sensitive records of a space, and their keys on this machine."""

    @performs(Operation.REVEAL)
    def reveal(self, record: MemoryRecord) -> MemoryRecord:
        """Return a memory with its text; one that is not sensitive is returned as it is."""
        from holdfast.usecases.encryption.reading import decrypted

        return decrypted(record, store=self._holdfast.store, cipher=lambda: self._keys().cipher())

    @performs(Operation.FORGET, REHEARSAL)
    def protect(self, wish: Protect) -> ProtectedMemory:
        """Make an existing memory sensitive, and remove every plain copy of it."""
        from holdfast.usecases.memory.protecting import protect

        holdfast = self._holdfast
        return protect(
            replace(wish, reference=id_here(holdfast, wish.reference)),
            store=holdfast.store,
            clock=holdfast.clock,
            keys=holdfast.keys,
            traces_of=holdfast.traces_of,
        )

    @performs(Operation.CONFIGURE)
    def known_keys(self) -> Sequence[KeyState]:
        """List the keys that are known here, and those that records need."""
        from holdfast.usecases.encryption.keys import known_keys

        return known_keys(store=self._holdfast.store, keys=self._keys())

    @performs(Operation.CONFIGURE)
    def create(self, source: KeySource | None = None) -> tuple[EncryptionKey, str]:
        """Make a new key, and return it with its text; the first one is in use at once."""
        keys = self._keys()
        is_first = not any(one.is_current for one in keys.known())
        made, text = keys.create(source, at=self._holdfast.clock.now())
        return (keys.use(made.id) if is_first else made), text

    @performs(Operation.CONFIGURE)
    def add(self, source: KeySource) -> EncryptionKey:
        """Make a key known that exists; the first one is in use at once."""
        keys = self._keys()
        added = keys.add(source, at=self._holdfast.clock.now())
        is_first = not any(one.is_current for one in keys.known())
        return keys.use(added.id) if is_first else added

    @performs(Operation.CONFIGURE)
    def use(self, reference: str) -> EncryptionKey:
        """Encrypt new records with this key from now on."""
        from holdfast.usecases.encryption.keys import find_key

        keys = self._keys()
        return keys.use(find_key(reference, keys=keys).id)

    @performs(Operation.CONFIGURE)
    def rotate(
        self, to: str | None = None, *, progress: Progress = lambda _done, _all: None
    ) -> Rotated:
        """Encrypt every record again: with a key that is given, or with a new one."""
        from holdfast.usecases.encryption.keys import find_key
        from holdfast.usecases.encryption.rotating import chosen_key, rotate

        keys, holdfast = self._keys(), self._holdfast
        given = None if to is None else find_key(to, keys=keys)
        key, is_new = chosen_key(given, store=holdfast.store, clock=holdfast.clock, keys=keys)
        done = rotate(key, store=holdfast.store, clock=holdfast.clock, keys=keys, progress=progress)
        return replace(done, is_new=is_new)

    @performs(Operation.CONFIGURE)
    def remove(self, reference: str, *, delete: bool = False) -> EncryptionKey:
        """Take a key that no record needs out of the list; it stays in its place."""
        from holdfast.usecases.encryption.keys import find_key, remove_key

        keys, holdfast = self._keys(), self._holdfast
        key = find_key(reference, keys=keys)
        store, clock = holdfast.store, holdfast.clock
        return remove_key(key, store=store, clock=clock, keys=keys, delete=delete)

    @performs(Operation.CONFIGURE)
    def encrypt_store(self, reference: str | None = None) -> StoreEncryption:
        """Encrypt the whole store with a known key, or with the one in use."""
        from holdfast.usecases.encryption.whole import encrypt_store

        return encrypt_store(reference, store=self._holdfast.store, keys=self._keys())

    @performs(Operation.CONFIGURE)
    def decrypt_store(self) -> StoreEncryption:
        """Write the whole store in clear; sensitive records stay encrypted."""
        from holdfast.usecases.encryption.whole import decrypt_store

        return decrypt_store(store=self._holdfast.store)

    @performs(Operation.CONFIGURE)
    def check(self) -> KeyCheck:
        """Decrypt every record, and say which cannot be read; no text is shown."""
        from holdfast.usecases.encryption.keys import check_keys

        return check_keys(store=self._holdfast.store, keys=self._keys())

    def _keys(self) -> KeyRing:
        from holdfast.usecases.encryption.keys import required

        return required(self._holdfast.keys)
