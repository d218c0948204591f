"""Encryption keys: their text, their ids, and the places they come from."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
from enum import StrEnum
from typing import TYPE_CHECKING

from holdfast.domain.encryption.ciphertext import KeyId
from holdfast.domain.encryption.errors import BadKeyError
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from datetime import datetime

KEY_BYTES = 32
_MARK = "holdfast-key-1:"
_ID_DIGITS = 16


class KeyPlace(StrEnum):
    """The kinds of places that keys come from."""

    FILE = "file"
    KEYRING = "keyring"
    ENVIRONMENT = "environment"


@dataclass(frozen=True, slots=True, kw_only=True)
class KeySource:
    """Where a key comes from: a path, an entry of the keyring, or the name of a variable."""

    place: KeyPlace
    name: str

    def __str__(self) -> str:
        """Return the source in words."""
        words = {
            KeyPlace.FILE: f"the file {self.name}",
            KeyPlace.KEYRING: f"the keyring entry {self.name}",
            KeyPlace.ENVIRONMENT: f"the environment variable {self.name}",
        }
        return words[self.place]


@dataclass(frozen=True, slots=True, kw_only=True)
class EncryptionKey:
    """A key that is known here. ``is_current`` means that new records are encrypted with it.

    >>> key = hf.keys.create()
    >>> key.is_current, str(key.source).startswith("the file ")
    (True, True)
    """

    id: KeyId
    source: KeySource
    created_at: datetime | None = None
    is_current: bool = False


@dataclass(frozen=True, slots=True)
class KeyBytes:
    """The key itself. From it come keys for contents, whole stores and digests, and its id."""

    secret: bytes

    def __repr__(self) -> str:
        """Return the id only, so that no log contains a key."""
        return f"KeyBytes({self.id})"

    @property
    def id(self) -> KeyId:
        """The id of the key, which reveals nothing of it."""
        return KeyId(f"k_{self._derived('id').hex()[:_ID_DIGITS]}")

    @property
    def for_contents(self) -> bytes:
        """The key that encrypts."""
        return self._derived("contents")

    @property
    def for_store(self) -> bytes:
        """The key that encrypts a whole store."""
        return self._derived("store")

    def digest(self, text: str) -> str:
        """Return a hash of a text that nobody can compute without the key."""
        return hmac.new(self._derived("digests"), text.encode(), hashlib.sha256).hexdigest()

    @property
    def text(self) -> str:
        """The key as text, as it is kept in a file, a keyring or a variable."""
        return f"{_MARK}{base64.b64encode(self.secret).decode()}"

    def _derived(self, purpose: str) -> bytes:
        return hmac.new(self.secret, f"holdfast 1 {purpose}".encode(), hashlib.sha256).digest()


def read_key(text: str, *, place: str) -> KeyBytes:
    """Return the key of a text.

    Raises:
        BadKeyError: The text is empty, cut off, or no key of 32 bytes.
    """
    words = text.strip()
    if not words:
        raise BadKeyError(place=place, problem="it is empty.")
    if not words.startswith(_MARK):
        raise BadKeyError(place=place, problem=f"it does not begin with '{_MARK}'.")
    try:
        secret = base64.b64decode(words.removeprefix(_MARK), validate=True)
    except (binascii.Error, ValueError):
        raise BadKeyError(place=place, problem="what follows is no base64.") from None
    if len(secret) != KEY_BYTES:
        problem = f"it has {len(secret)} bytes, and a key has {KEY_BYTES}."
        raise BadKeyError(place=place, problem=problem)
    return KeyBytes(secret)
