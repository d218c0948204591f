"""The encrypted contents of sensitive records, of one transaction."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from holdfast.adapters.sqlite.database.rows import Row, Value, as_json, checked, sealed
from holdfast.adapters.sqlite.database.work import Work
from holdfast.domain.encryption.ciphertext import Ciphertext, KeyId

CIPHERTEXT = "ciphertext"


class SqliteCiphertexts:
    """Ciphertexts by the names of their records."""

    def __init__(self, work: Work) -> None:
        self.work = work

    def put(self, ciphertext: Ciphertext) -> None:
        """Write a ciphertext, or replace it by one of another key."""
        self.work.moment()
        values = sealed(
            CIPHERTEXT,
            (ciphertext.record, ciphertext.key_id, ciphertext.digest, ciphertext.body),
        )
        self.work.run("put_ciphertext", *values)
        self.work.record("ciphertext.put", ciphertext.record, values[-1])

    def get(self, record: str) -> Ciphertext | None:
        """Return the ciphertext of a record; None if there is none."""
        row = self.work.row("get_ciphertext", record)
        return None if row is None else self._ciphertext(row)

    def with_digests(self, digests: Collection[str]) -> Sequence[Ciphertext]:
        """Return the ciphertexts with one of these digests."""
        return self._every(self.work.rows("ciphertexts_alike", (as_json(sorted(digests)),)))

    def page(self, *, beyond: str | None, limit: int) -> Sequence[Ciphertext]:
        """Return ciphertexts in the order of their records."""
        values: dict[str, Value] = {"key_id": "", "beyond": beyond or "", "limit": limit}
        return self._every(self.work.rows("ciphertexts_after", values))

    def under_others(
        self, key_id: KeyId, *, beyond: str | None, limit: int
    ) -> Sequence[Ciphertext]:
        """Return ciphertexts of other keys than this one."""
        values: dict[str, Value] = {"key_id": key_id, "beyond": beyond or "", "limit": limit}
        return self._every(self.work.rows("ciphertexts_after", values))

    def keys(self) -> Mapping[KeyId, int]:
        """Return how many ciphertexts each key has."""
        return {KeyId(row[0]): int(row[1]) for row in self.work.rows("count_ciphertexts")}

    def _every(self, rows: Sequence[Row]) -> tuple[Ciphertext, ...]:
        return tuple(self.work.sound(rows, self._ciphertext))

    def _ciphertext(self, row: Row) -> Ciphertext:
        record, key_id, digest, body = checked(
            CIPHERTEXT, row, path=self.work.path, name=f"of {row[0]}"
        )[:4]
        return Ciphertext(record=record, key_id=KeyId(key_id), digest=digest, body=body)
