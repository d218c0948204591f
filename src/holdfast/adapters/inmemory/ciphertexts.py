"""The encrypted contents of sensitive records, in a dict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from holdfast.adapters.inmemory.state import InMemoryState
from holdfast.domain.encryption.ciphertext import Ciphertext, KeyId


@dataclass(frozen=True, slots=True)
class InMemoryCiphertexts:
    """Ciphertexts by the names of their records."""

    state: InMemoryState

    def put(self, ciphertext: Ciphertext) -> None:
        """Write a ciphertext, or replace it by one of another key."""
        self.state.moment()
        self.state.ciphertexts[ciphertext.record] = ciphertext
        self.state.record("ciphertext.put", ciphertext.record, ciphertext)

    def get(self, record: str) -> Ciphertext | None:
        """Return the ciphertext of a record; None if there is none."""
        return self.state.ciphertexts.get(record)

    def with_digests(self, digests: Collection[str]) -> Sequence[Ciphertext]:
        """Return the ciphertexts with one of these digests."""
        return tuple(one for one in self._ordered() if one.digest and one.digest in digests)

    def page(self, *, beyond: str | None, limit: int) -> Sequence[Ciphertext]:
        """Return ciphertexts in the order of their records."""
        return self.under_others(KeyId(""), beyond=beyond, limit=limit)

    def under_others(
        self, key_id: KeyId, *, beyond: str | None, limit: int
    ) -> Sequence[Ciphertext]:
        """Return ciphertexts of other keys than this one."""
        after = [one for one in self._ordered() if one.record > (beyond or "")]
        return tuple([one for one in after if one.key_id != key_id][:limit])

    def keys(self) -> Mapping[KeyId, int]:
        """Return how many ciphertexts each key has."""
        return dict(sorted(Counter(one.key_id for one in self._ordered()).items()))

    def _ordered(self) -> list[Ciphertext]:
        return [self.state.ciphertexts[name] for name in sorted(self.state.ciphertexts)]
