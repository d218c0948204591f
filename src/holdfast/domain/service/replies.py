"""The answers to requests that a client may send again."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from datetime import datetime

KEPT_FOR = timedelta(hours=24)
"""How long the answer to a request with an idempotency key is stored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """The stored answer to a request: its status and body.

    ``key`` names the token and the client's idempotency key. ``body`` is None after a memory that
    the answer contained was forgotten; the key stays used.
    """

    key: str
    request_hash: str
    status: int
    body: str | None
    at: datetime

    def is_kept_at(self, moment: datetime) -> bool:
        """Return whether the answer still counts at a moment."""
        return moment < self.at + KEPT_FOR
