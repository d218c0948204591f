"""The event log as a hash chain, which reveals missing and altered events."""

from __future__ import annotations

import hashlib
import json

from holdfast.domain.values import dataclass

GENESIS = "0" * 64
_encode = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode


def canonical_json(value: object) -> str:
    """Return the canonical JSON of a value, so that equal values have equal hashes."""
    return _encode(value)


def digest(value: object) -> str:
    """Return the hash of a value's canonical JSON."""
    return hashlib.sha256(canonical_json(value).encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """A change to the canonical data. It contains names and hashes, never text.

    ``digest`` is the hash of the row after the change, empty if the row is gone.
    """

    sequence: int
    at_millis: int
    action: str
    subject: str
    digest: str
    previous: str

    @property
    def hash(self) -> str:
        """The hash over this event and the hash of the one before it."""
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
