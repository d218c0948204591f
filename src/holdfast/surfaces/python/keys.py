"""The encryption keys of an open memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.encryption.keys import KeyPlace, KeySource
from holdfast.surfaces.python.advice import with_advice_as
from holdfast.surfaces.python.expecting import PLACE, TEXT, TRUTH, expect, expect_given, place_of

if TYPE_CHECKING:
    from os import PathLike

    from holdfast.domain.encryption.keys import EncryptionKey
    from holdfast.surfaces.python.door import Door


@with_advice_as("KeyCollection")
class KeyCollection:
    """The encryption keys that are known here; ``hf.keys`` is one.

    >>> key = hf.keys.create()
    >>> memory = hf.remember("The vault is in Bern.", because="I saw it.", sensitive=True)
    >>> memory.is_sensitive, hf.reveal(memory).text
    (True, 'The vault is in Bern.')
    """

    def __init__(self, door: Door) -> None:
        self._door = door

    @property
    def is_closed(self) -> bool:
        """Whether the memory was closed."""
        return self._door.is_closed

    def create(
        self, *, file: str | PathLike[str] | None = None, keyring: str | None = None
    ) -> EncryptionKey:
        """Make a key, as a file of its own or in the keyring; the first one is in use at once.

        >>> hf.keys.create().is_current, hf.keys.create().is_current
        (True, False)
        """
        place_of("create", file=file)
        expect_given("create", TEXT, keyring=keyring)
        source = None
        if file is not None:
            source = KeySource(place=KeyPlace.FILE, name=str(file))
        elif keyring is not None:
            source = KeySource(place=KeyPlace.KEYRING, name=keyring)
        return self._door.app.encryption.create(source)[0]

    def add(self, file: str | PathLike[str], /) -> EncryptionKey:
        """Make a key in a file known.

        >>> key = hf.keys.create()
        >>> hf.keys.add(key.source.name).id == key.id
        True
        """
        expect("add", PLACE, file=file)
        place_of("add", file=file)
        source = KeySource(place=KeyPlace.FILE, name=str(file))
        return self._door.app.encryption.add(source)

    def list(self) -> tuple[EncryptionKey, ...]:
        """Return the keys that are known here, oldest first.

        >>> key = hf.keys.create()
        >>> [one.id == key.id for one in hf.keys.list()]
        [True]
        """
        states = self._door.app.encryption.known_keys()
        return tuple(state.key for state in states if state.key is not None)

    def use(self, key: str, /) -> EncryptionKey:
        """Encrypt with another key from now on.

        >>> first, second = hf.keys.create(), hf.keys.create()
        >>> hf.keys.use(second.id).is_current
        True
        """
        expect("use", TEXT, key=key)
        return self._door.app.encryption.use(key)

    def rotate(self, to: str | None = None) -> int:
        """Encrypt every sensitive record again, with a new key or a given one; return how many.

        A store that is encrypted as a whole stays so with its key until ``encrypt_store``.

        >>> key = hf.keys.create()
        >>> _ = hf.remember("The vault is in Bern.", because="I saw it.", sensitive=True)
        >>> hf.keys.rotate()
        1
        """
        expect_given("rotate", TEXT, to=to)
        return self._door.app.encryption.rotate(to).records

    def remove(self, key: str, /, *, delete: bool = False) -> EncryptionKey:
        """Take a key that no record needs out of the list; its file or its entry stays.

        ``delete`` also deletes it there. Exports and copies from before cannot be read without it.

        >>> key = hf.keys.create()
        >>> hf.keys.remove(key.id).id == key.id
        True
        """
        expect("remove", TEXT, key=key)
        expect("remove", TRUTH, delete=delete)
        return self._door.app.encryption.remove(key, delete=delete)

    def encrypt_store(self, key: str | None = None) -> str:
        """Encrypt the whole store with a known key, or with the one in use; return its id.

        It needs the package apsw-sqlite3mc in the place of apsw.

        >>> key = hf.keys.create()
        >>> try:
        ...     print(hf.keys.encrypt_store() == key.id)
        ... except holdfast.UnavailableError as error:
        ...     print(error.code == "no-store-cipher")
        True
        """
        expect_given("encrypt_store", TEXT, key=key)
        done = self._door.app.encryption.encrypt_store(key)
        return str(done.key_id)

    def decrypt_store(self) -> bool:
        """Write the whole store in clear again; return whether it was encrypted.

        >>> hf.keys.decrypt_store()
        False
        """
        return self._door.app.encryption.decrypt_store().is_changed

    def check(self) -> dict[str, str]:
        """Return why each sensitive record that cannot be read cannot; empty if all can.

        >>> key = hf.keys.create()
        >>> hf.keys.check()
        {}
        """
        return dict(self._door.app.encryption.check().unreadable)
