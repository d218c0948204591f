"""AES-256-GCM through the library ``cryptography``, which is loaded here and nowhere else."""

from __future__ import annotations

import base64
import os
from typing import TYPE_CHECKING

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from holdfast.domain.encryption.ciphertext import Ciphertext, KeyId
from holdfast.domain.encryption.errors import CiphertextDamagedError, KeyMissingError, NoKeyError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from holdfast.domain.encryption.keys import KeyBytes

_NONCE_BYTES = 12
_FORM = "holdfast ciphertext 1"


class AeadCipher:
    """Encrypts with the current key, and decrypts with every key that can be read here.

    A key is read when it is first needed: a missing one stops only what needs it.
    """

    def __init__(
        self,
        *,
        current: KeyId | None,
        readers: Mapping[KeyId, Callable[[], KeyBytes]],
        problem: Callable[[KeyId], str],
    ) -> None:
        self._current = current
        self._readers = readers
        self._problem = problem
        self._read: dict[KeyId, KeyBytes] = {}

    @property
    def key_id(self) -> KeyId:
        """The key that encrypts."""
        if self._current is None:
            raise NoKeyError
        return self._current

    def encrypt(self, record: str, text: str, *, compared: str = "") -> Ciphertext:
        """Return the content of a record, encrypted."""
        key = self._key(self.key_id, record)
        nonce = os.urandom(_NONCE_BYTES)
        body = AESGCM(key.for_contents).encrypt(nonce, text.encode(), _bound(record, key.id))
        return Ciphertext(
            record=record,
            key_id=key.id,
            digest=key.digest(compared) if compared else "",
            body=base64.b64encode(nonce + body).decode(),
        )

    def decrypt(self, ciphertext: Ciphertext) -> str:
        """Return the content of a record."""
        record = ciphertext.record
        key = self._key(ciphertext.key_id, record)
        try:
            whole = base64.b64decode(ciphertext.body, validate=True)
            nonce, body = whole[:_NONCE_BYTES], whole[_NONCE_BYTES:]
            text = AESGCM(key.for_contents).decrypt(nonce, body, _bound(record, key.id))
            return text.decode()
        except (InvalidTag, ValueError):
            raise CiphertextDamagedError(record=record, key_id=key.id) from None

    def digests(self, compared: str) -> Sequence[str]:
        """Return the keyed hashes of a form, one for each key that is available here."""
        usable = [one for one in self._readers if not self._problem(one)]
        return tuple(self._key(one, "").digest(compared) for one in usable)

    def _key(self, key_id: KeyId, record: str) -> KeyBytes:
        if (known := self._read.get(key_id)) is not None:
            return known
        reader = self._readers.get(key_id)
        if reader is None or (why := self._problem(key_id)):
            why = "" if reader is None else why
            raise KeyMissingError(key_id=key_id, record=record, why=why)
        return self._read.setdefault(key_id, reader())


def _bound(record: str, key_id: KeyId) -> bytes:
    return f"{_FORM}\n{key_id}\n{record}".encode()
