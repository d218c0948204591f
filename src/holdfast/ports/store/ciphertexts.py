"""The port for the encrypted contents of sensitive records."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from holdfast.domain.encryption.ciphertext import Ciphertext, KeyId


class Ciphertexts(Protocol):
    """The encrypted contents of sensitive records, by the names of the records.

    Forgetting a memory must remove its ciphertext, and removing an agent must remove all of its.
    """

    def put(self, ciphertext: Ciphertext) -> None:
        """Write a ciphertext, or replace it by one of another key; it must read back exactly."""
        ...

    def get(self, record: str) -> Ciphertext | None:
        """Return the ciphertext of a record; None if there is none."""
        ...

    def with_digests(self, digests: Collection[str]) -> Sequence[Ciphertext]:
        """Return the ciphertexts with one of these digests, in the order of their records."""
        ...

    def page(self, *, beyond: str | None, limit: int) -> Sequence[Ciphertext]:
        """Return ciphertexts in the order of their records, starting after ``beyond``."""
        ...

    def under_others(
        self, key_id: KeyId, *, beyond: str | None, limit: int
    ) -> Sequence[Ciphertext]:
        """Return ciphertexts of other keys than this one, in the order of their records."""
        ...

    def keys(self) -> Mapping[KeyId, int]:
        """Return how many ciphertexts each key has."""
        ...
