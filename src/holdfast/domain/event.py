"""The chain of events: each names the one before it, so a missing or altered one shows."""

from __future__ import annotations

import hashlib
import json

from holdfast.domain.values import dataclass

GENESIS = "0" * 64
_encode = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode


def canonical_json(value: object) -> str:
    """Return the one JSON text of a value, so that equal values have equal hashes."""
    return _encode(value)


def digest(value: object) -> str:
    """Return the hash of a value's canonical JSON."""
    return hashlib.sha256(canonical_json(value).encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened to the truth. It names things and hashes; it never holds text.

    ``digest`` is the hash of the row as it was left, empty when the row is gone.
    """

    sequence: int
    at_millis: int
    action: str
    subject: str
    digest: str
    previous: str

    @property
    def hash(self) -> str:
        """The link of the chain: a hash over this event and the hash before it."""
        return digest(
            [
                self.sequence,
                self.at_millis,
                self.action,
                self.subject,
                self.digest,
                self.previous,
            ]
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The newest event of a chain: its number and its hash."""

    sequence: int = 0
    hash: str = GENESIS
