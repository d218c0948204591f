"""The encryption keys of a store that this machine knows: a list in a file, without the keys."""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.adapters.disk.atomic_files import make_own_folder, write_whole
from holdfast.adapters.disk.failures import disk_problem
from holdfast.adapters.disk.file_locks import turn_at
from holdfast.adapters.disk.json_files import read_json
from holdfast.adapters.encryption.key_places import (
    DEFAULT_VARIABLE,
    default_folder,
    delete_from,
    read_from,
    whole_source,
    write_to,
)
from holdfast.domain.encryption.ciphertext import KeyId, read_key_id
from holdfast.domain.encryption.errors import (
    BadKeyError,
    KeyPlaceError,
    KeySourceError,
    NoCipherError,
    NoSuchKeyError,
)
from holdfast.domain.encryption.keys import (
    KEY_BYTES,
    EncryptionKey,
    KeyBytes,
    KeyPlace,
    KeySource,
)
from holdfast.domain.errors import BadFieldError
from holdfast.domain.fields import Fields, time_text
from holdfast.domain.values import replace
from holdfast.domain.workspace_errors import FolderUnusableError

if TYPE_CHECKING:
    from collections.abc import Generator

    from holdfast.ports.encryption.ciphering import Cipher

KEYS_FILE = "keys.json"
_ADD_AGAIN = "Restore it from a copy, or move it away and add your keys again."
_ANY = (BadKeyError, KeyPlaceError, KeySourceError, NoSuchKeyError)


class KeyRingFile:
    """Knows the keys by their ids and sources; a key itself is read when it is used."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / KEYS_FILE

    def cipher(self) -> Cipher:
        """Return a cipher with these keys."""
        try:
            from holdfast.adapters.encryption.aead import AeadCipher
        except ImportError as error:
            raise NoCipherError from error
        known = self.known()
        current = next((one.id for one in known if one.is_current), None)
        readers = {one.id: lambda one=one: _read(one) for one in known}
        return AeadCipher(current=current, readers=readers, problem=self.problem)

    def known(self) -> list[EncryptionKey]:
        """Return the keys, oldest first; one in the default variable needs no entry."""
        known = self._entries()
        named = _of_variable()
        if named is not None and named.id not in {one.id for one in known}:
            is_first = not any(one.is_current for one in known)
            known.append(replace(named, is_current=is_first))
        return known

    def create(self, source: KeySource | None, *, at: datetime) -> tuple[EncryptionKey, str]:
        """Make a new key, put it into its place, and return it with its text."""
        made = KeyBytes(os.urandom(KEY_BYTES))
        if source is None:
            name = str(default_folder() / f"{made.id}.key")
            source = KeySource(place=KeyPlace.FILE, name=name)
        elif source.place is KeyPlace.KEYRING and not source.name:
            source = replace(source, name=made.id)
        source = whole_source(source)
        with self._changing() as entries:
            write_to(source, made)
            key = EncryptionKey(id=made.id, source=source, created_at=at)
            entries.append(key)
        return key, made.text

    def add(self, source: KeySource, *, at: datetime) -> EncryptionKey:
        """Make a key known that exists, and return it."""
        source = whole_source(source)
        key = EncryptionKey(id=read_from(source).id, source=source, created_at=at)
        with self._changing() as entries:
            known = [one for one in entries if one.id == key.id]
            key = replace(key, is_current=any(one.is_current for one in known))
            entries[:] = [one for one in entries if one.id != key.id]
            entries.append(key)
        return key

    def use(self, key_id: KeyId) -> EncryptionKey:
        """Encrypt new records with a known key."""
        self._known(key_id)
        with self._changing() as entries:
            if key_id not in {one.id for one in entries}:
                entries.append(self._known(key_id))
            entries[:] = [replace(one, is_current=one.id == key_id) for one in entries]
        return self._known(key_id)

    def remove(self, key_id: KeyId, *, delete: bool = False) -> EncryptionKey:
        """Take a key out of the list, and delete it from its place only if that is asked for."""
        key = self._known(key_id)
        with self._changing() as entries:
            if delete:
                _delete(key)
            entries[:] = [one for one in entries if one.id != key_id]
        return key

    def store_key(self, key_id: str) -> bytes:
        """Return what encrypts a whole store with this key.

        Raises:
            NoSuchKeyError: It is not known.
            KeySourceError: It cannot be read.
        """
        return _read(self._known(KeyId(key_id))).for_store

    def problem(self, key_id: KeyId) -> str:
        """Return why a known key cannot be read now; empty if it can."""
        try:
            _read(self._known(key_id))
        except _ANY as error:
            return f"{error}"
        return ""

    def _known(self, key_id: KeyId) -> EncryptionKey:
        for one in self.known():
            if one.id == key_id:
                return one
        raise NoSuchKeyError(key_id)

    def _entries(self) -> list[EncryptionKey]:
        try:
            shape = Fields(read_json(self._file), noun="list of keys")
            current = shape.maybe_text("current")
            return [_entry(one, current) for one in shape.items("keys")]
        except FileNotFoundError:
            return []
        except OSError as error:
            raise disk_problem(self._file, error) from error
        except (ValueError, BadFieldError) as error:
            problem = f"it is damaged: {error}".rstrip(".")
            raise FolderUnusableError(str(self._file), problem=problem, hint=_ADD_AGAIN) from error

    @contextmanager
    def _changing(self) -> Generator[list[EncryptionKey], None, None]:
        try:
            make_own_folder(self._file.parent)
            with turn_at(self._file.with_suffix(".lock")):
                entries = self._entries()
                yield entries
                write_whole(self._file, _text(entries))
        except OSError as error:
            raise disk_problem(self._file, error) from error


def _read(key: EncryptionKey) -> KeyBytes:
    """Return a key from its place, or from the default variable if it cannot be read there."""
    try:
        return _in_place(key)
    except _ANY:
        named = _of_variable()
        if named is None or named.id != key.id:
            raise
        return read_from(named.source)


def _in_place(key: EncryptionKey) -> KeyBytes:
    """Return a key; one that was replaced in its place by another key is not it."""
    found = read_from(key.source)
    if found.id != key.id:
        problem = f"it is the key {found.id}, not {key.id}."
        raise KeySourceError(place=str(key.source), problem=problem)
    return found


def _delete(key: EncryptionKey) -> None:
    """Delete a key from its place; a file that holds another key by now is not deleted."""
    if key.source.place is KeyPlace.FILE and Path(key.source.name).exists():
        _in_place(key)
    delete_from(key.source)


def _of_variable() -> EncryptionKey | None:
    if not os.environ.get(DEFAULT_VARIABLE, "").strip():
        return None
    source = KeySource(place=KeyPlace.ENVIRONMENT, name=DEFAULT_VARIABLE)
    return EncryptionKey(id=read_from(source).id, source=source)


def _entry(shape: object, current: str | None) -> EncryptionKey:
    fields = Fields(shape, noun="key")
    key_id = read_key_id(fields.text("id"))
    source = KeySource(place=KeyPlace(fields.text("place")), name=fields.text("name"))
    return EncryptionKey(
        id=key_id,
        source=source,
        created_at=fields.maybe_moment("created_at"),
        is_current=key_id == current,
    )


def _text(entries: list[EncryptionKey]) -> bytes:
    current = next((one.id for one in entries if one.is_current), None)
    listed = [
        {
            "id": one.id,
            "place": one.source.place.value,
            "name": one.source.name,
            "created_at": time_text(one.created_at),
        }
        for one in entries
    ]
    return json.dumps({"current": current, "keys": listed}, indent=1).encode()
