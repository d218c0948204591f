"""Which key encrypts a whole store, and what is refused; the store itself is a stand-in.

tests/integration/test_whole_store.py encrypts real files.
"""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from holdfast.adapters.encryption.key_ring import KeyRingFile
from holdfast.adapters.inmemory.store import InMemoryStore, InMemoryUpkeep
from holdfast.app import Holdfast
from holdfast.domain.encryption.ciphertext import KeyId
from holdfast.domain.encryption.errors import KeyMissingError, KeyOfStoreError, NoKeyError
from holdfast.domain.review.curation import Ability
from holdfast.heuristics.english import ENGLISH
from holdfast.ports.encryption.ciphering import KeyRing
from holdfast.usecases.encryption.keys import keys_of_locked
from tests.builders import ADA, FixedClock, PlainSurroundings, WordCounter
from tests.requirements import requirement


class EncryptableStore(InMemoryStore):
    """A store that notes its key instead of encrypting."""

    encrypted_with: KeyId | None = None
    written = 0

    def encrypt(self, key_id: KeyId | None) -> None:
        self.encrypted_with = key_id
        self.written += 1

    @property
    def upkeep(self) -> InMemoryUpkeep:
        return cast("InMemoryUpkeep", SimpleNamespace(abilities={Ability.COPY}, copying=self))


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Holdfast:
    monkeypatch.setenv("HOLDFAST_KEYS", str(tmp_path / "keys"))
    monkeypatch.delenv("HOLDFAST_ENCRYPTION_KEY", raising=False)
    return Holdfast(
        principal=ADA,
        store=EncryptableStore(),
        clock=FixedClock(),
        counter=WordCounter(),
        surroundings=PlainSurroundings(),
        heuristics=ENGLISH,
        keys=KeyRingFile(tmp_path / "home"),
    )


@requirement("encryption.whole-store-exact")
def test_a_store_is_written_anew_only_for_another_key(memory: Holdfast) -> None:
    first, second = memory.encryption.create()[0], memory.encryption.create()[0]
    store = cast("EncryptableStore", memory.store)

    done = memory.encryption.encrypt_store()
    again = memory.encryption.encrypt_store()
    other = memory.encryption.encrypt_store(second.id[:6])

    assert (done.key_id, done.before, done.is_changed) == (first.id, None, True)
    assert not again.is_changed
    assert (other.key_id, other.before) == (second.id, first.id)
    assert store.written == 2
    assert [one.reads_store for one in memory.encryption.known_keys()] == [False, True]
    assert memory.encryption.decrypt_store().before == second.id
    assert not memory.encryption.decrypt_store().is_changed
    assert store.written == 3


@requirement("encryption.whole-store-locked")
def test_a_store_is_not_encrypted_with_a_key_that_cannot_be_read(memory: Holdfast) -> None:
    with pytest.raises(NoKeyError):
        memory.encryption.encrypt_store()
    key = memory.encryption.create()[0]
    Path(key.source.name).unlink()

    with pytest.raises(KeyMissingError, match="No such file"):
        memory.encryption.encrypt_store()

    assert cast("EncryptableStore", memory.store).written == 0


@requirement("encryption.rotation-names-the-store")
def test_a_rotation_names_the_key_that_the_store_keeps(memory: Holdfast) -> None:
    first = memory.encryption.create()[0]
    in_clear = memory.encryption.rotate(first.id)
    memory.encryption.encrypt_store()

    same = memory.encryption.rotate(first.id)
    other = memory.encryption.rotate()

    assert (in_clear.store_key, same.store_key, other.store_key) == (None, None, first.id)


@requirement("encryption.whole-store-locked")
def test_keys_are_listed_for_a_store_that_cannot_be_opened(memory: Holdfast) -> None:
    key, keys = memory.encryption.create()[0], cast("KeyRing", memory.keys)
    unknown = KeyId("k_0000000000000000")

    known = keys_of_locked(key.id, keys=keys)
    missing = keys_of_locked(unknown, keys=keys)

    assert [(one.id, one.records, one.reads_store) for one in known] == [(key.id, None, True)]
    assert [(one.id, one.reads_store) for one in missing] == [(key.id, False), (unknown, True)]
    assert missing[1].problem == "it is not known here."


@requirement("encryption.remove-refuses")
def test_the_key_of_a_whole_store_is_not_removed(memory: Holdfast) -> None:
    key = memory.encryption.create()[0]
    memory.encryption.encrypt_store()

    with pytest.raises(KeyOfStoreError, match=key.id):
        memory.encryption.remove(key.id)

    memory.encryption.decrypt_store()
    assert memory.encryption.remove(key.id).id == key.id
