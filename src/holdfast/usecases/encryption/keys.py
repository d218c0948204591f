"""Look after encryption keys: list, choose, check and remove them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.encryption.ciphertext import KeyId
from holdfast.domain.encryption.errors import (
    CiphertextDamagedError,
    KeyInUseError,
    KeyMissingError,
    KeyNeededError,
    KeyOfStoreError,
    NoKeyError,
    NoSuchKeyError,
)
from holdfast.domain.errors import AmbiguousError
from holdfast.domain.review.curation import Ability
from holdfast.domain.values import dataclass, field
from holdfast.usecases.repeating import repeatable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from holdfast.domain.encryption.keys import EncryptionKey
    from holdfast.ports.clock import Clock
    from holdfast.ports.encryption.ciphering import KeyRing
    from holdfast.ports.store.store import Store

_PAGE = 500
_UNKNOWN = "it is not known here."


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyState:
    """A key, how many records of this store it reads, and why it cannot be used, if so.

    ``key`` is None for a key that records need and nobody here knows. ``reads_store`` means that
    the whole store is encrypted with it; ``records`` is None if it cannot be opened.
    """

    id: KeyId
    key: EncryptionKey | None
    records: int | None
    problem: str = ""
    reads_store: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyCheck:
    """What a check found: the keys, how many records were read, and those that were not."""

    keys: tuple[KeyState, ...] = ()
    read: int = 0
    unreadable: Mapping[str, str] = field(default_factory=dict)


def known_keys(*, store: Store, keys: KeyRing) -> Sequence[KeyState]:
    """Return the keys that are known here, and those that records of this store need."""
    with store.reading() as tx:
        needed = dict(tx.names.ciphertexts.keys())
    whole = key_of_store(store)
    states = [
        KeyState(
            id=one.id,
            key=one,
            records=needed.pop(one.id, 0),
            problem=keys.problem(one.id),
            reads_store=one.id == whole,
        )
        for one in keys.known()
    ]
    missing = [
        KeyState(id=name, key=None, records=count, problem=_UNKNOWN)
        for name, count in needed.items()
    ]
    return (*states, *missing)


def keys_of_locked(whole: KeyId, *, keys: KeyRing) -> Sequence[KeyState]:
    """Return the keys that are known here, and the one that a store needs to be opened."""
    known = keys.known()
    states = [
        KeyState(
            id=one.id,
            key=one,
            records=None,
            problem=keys.problem(one.id),
            reads_store=one.id == whole,
        )
        for one in known
    ]
    if whole not in {one.id for one in known}:
        missing = KeyState(id=whole, key=None, records=None, problem=_UNKNOWN, reads_store=True)
        states.append(missing)
    return states


def key_of_store(store: Store) -> KeyId | None:
    """Return the key with which the whole store is encrypted; None if it is in clear."""
    upkeep = store.upkeep
    return upkeep.copying.encrypted_with if Ability.COPY in upkeep.abilities else None


def find_key(reference: str, *, keys: KeyRing) -> EncryptionKey:
    """Return the known key whose id begins so.

    Raises:
        NoSuchKeyError: No key has such an id.
        AmbiguousError: Several have.
    """
    found = [one for one in keys.known() if reference and one.id.startswith(reference)]
    if not found:
        raise NoSuchKeyError(reference)
    if len(found) > 1:
        fits = [one.id for one in found]
        raise AmbiguousError(noun="encryption key", reference=reference, fits=fits)
    return found[0]


def required(keys: KeyRing | None) -> KeyRing:
    """Return the keys of this machine.

    Raises:
        NoKeyError: This program was opened without any.
    """
    if keys is None:
        raise NoKeyError
    return keys


@repeatable
def remove_key(
    key: EncryptionKey, *, store: Store, clock: Clock, keys: KeyRing, delete: bool = False
) -> EncryptionKey:
    """Take a key that no record needs out of the list; ``delete`` also deletes it from its place.

    The unit of work waits for writers, and one that comes later finds the key gone.

    Raises:
        KeyNeededError: Records are encrypted with it.
        KeyInUseError: New records are encrypted with it.
        KeyOfStoreError: The whole store is encrypted with it.
    """
    if key.id == key_of_store(store):
        raise KeyOfStoreError(key.id)
    with store.writing(clock.now()) as tx:
        needed = tx.names.ciphertexts.keys()
        if count := needed.get(key.id, 0):
            raise KeyNeededError(key_id=key.id, records=count)
        known = {one.id for one in keys.known()}
        if key.is_current and (needed or known - {key.id}):
            raise KeyInUseError(key.id)
        # A unit of work may run twice; the second time, the key is gone.
        return keys.remove(key.id, delete=delete) if key.id in known else key


def check_keys(*, store: Store, keys: KeyRing) -> KeyCheck:
    """Decrypt every record of the store, and say which cannot be read; nothing is changed."""
    states = tuple(known_keys(store=store, keys=keys))
    if not any(state.records for state in states):
        return KeyCheck(keys=states)
    cipher, read, beyond = keys.cipher(), 0, None
    unreadable: dict[str, str] = {}
    with store.reading() as tx:
        while found := tx.names.ciphertexts.page(beyond=beyond, limit=_PAGE):
            for one in found:
                try:
                    cipher.decrypt(one)
                except (KeyMissingError, CiphertextDamagedError) as error:
                    unreadable[one.record] = str(error)
                else:
                    read += 1
            beyond = found[-1].record
    return KeyCheck(keys=states, read=read, unreadable=unreadable)
