"""Rotate keys: encrypt every record again with the current key, in steps that may be stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.encryption.errors import CiphertextDamagedError, KeyMissingError
from holdfast.domain.encryption.keys import KeyPlace, KeySource
from holdfast.domain.encryption.sensitive import compared_form
from holdfast.domain.errors import BadFieldError
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.encryption.keeping import refuse_removed
from holdfast.usecases.encryption.keys import key_of_store
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.screening import scrubbed

if TYPE_CHECKING:
    from holdfast.domain.encryption.ciphertext import KeyId
    from holdfast.domain.encryption.keys import EncryptionKey
    from holdfast.ports.clock import Clock
    from holdfast.ports.encryption.ciphering import Cipher, KeyRing
    from holdfast.ports.store.store import Store
    from holdfast.ports.store.upkeep import Progress

_STEP = 100
_NO_PLACE = "has to be given: nobody but you sets an environment variable."


@dataclass(frozen=True, slots=True, kw_only=True)
class Rotated:
    """What a rotation did.

    ``damaged`` are records that could not be decrypted; they stay as they are. ``not_yet`` says
    why bytes of old ciphertexts may still be in the file. ``store_key`` is the key with which the
    whole store is still encrypted, if that is another one.
    """

    key: EncryptionKey
    is_new: bool
    records: int = 0
    damaged: tuple[str, ...] = ()
    not_yet: str = ""
    store_key: KeyId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    records: int
    damaged: tuple[str, ...]
    beyond: str | None


def chosen_key(
    to: EncryptionKey | None, *, store: Store, clock: Clock, keys: KeyRing
) -> tuple[EncryptionKey, bool]:
    """Return the key to rotate to, in use from now on, and whether it was made for this.

    Without one, a rotation that was stopped goes on; else a new key is made in a place like that
    of the current one.

    Raises:
        BadFieldError: The current key is in a variable, so the new one must be given.
    """
    if to is not None:
        return keys.use(to.id), False
    current = next((one for one in keys.known() if one.is_current), None)
    with store.reading() as tx:
        if current and tx.names.ciphertexts.under_others(current.id, beyond=None, limit=1):
            return current, False
    place = KeyPlace.FILE if current is None else current.source.place
    if place is KeyPlace.ENVIRONMENT:
        raise BadFieldError(field="new encryption key", problem=_NO_PLACE)
    source = None if place is KeyPlace.FILE else KeySource(place=place, name="")
    made, _text = keys.create(source, at=clock.now())
    return keys.use(made.id), True


def rotate(
    key: EncryptionKey, *, store: Store, clock: Clock, keys: KeyRing, progress: Progress
) -> Rotated:
    """Encrypt every record again with the current key.

    Each step is one unit of work, so a rotation that is stopped leaves every record readable by
    one of the two keys, and goes on when it is asked for again. A damaged record is left alone.

    Raises:
        KeyMissingError: A key that records need is not here; nothing is changed.
    """
    with store.reading() as tx:
        counts = tx.names.ciphertexts.keys()
    for needed in counts:
        if why := keys.problem(needed):
            raise KeyMissingError(key_id=needed, why=why)
    cipher, total = keys.cipher(), sum(counts.values()) - counts.get(key.id, 0)
    done, beyond = 0, None
    damaged: list[str] = []
    while True:
        step = _step(key.id, beyond, store=store, clock=clock, keys=keys, cipher=cipher)
        done, beyond = done + step.records, step.beyond
        damaged += step.damaged
        progress(min(done + len(damaged), total), total)
        if beyond is None:
            break
    whole = key_of_store(store)
    rotated = Rotated(
        key=key,
        is_new=False,
        records=done,
        damaged=tuple(damaged),
        store_key=None if whole == key.id else whole,
    )
    return replace(rotated, not_yet=scrubbed(store)) if done else rotated


@repeatable
def _step(
    key_id: KeyId,
    beyond: str | None,
    *,
    store: Store,
    clock: Clock,
    keys: KeyRing,
    cipher: Cipher,
) -> _Step:
    """Encrypt some records again; ``beyond`` of the answer is None after the last ones."""
    damaged: list[str] = []
    with store.writing(clock.now()) as tx:
        refuse_removed(cipher, keys)
        found = tx.names.ciphertexts.under_others(key_id, beyond=beyond, limit=_STEP)
        for one in found:
            try:
                text = cipher.decrypt(one)
            except CiphertextDamagedError:
                damaged.append(one.record)
                continue
            compared = compared_form(text) if one.digest else ""
            tx.names.ciphertexts.put(cipher.encrypt(one.record, text, compared=compared))
    last = found[-1].record if len(found) == _STEP else None
    return _Step(records=len(found) - len(damaged), damaged=tuple(damaged), beyond=last)
