"""Access tokens and stored answers of one transaction, in dicts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from holdfast.adapters.inmemory.state import InMemoryState

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.domain.service.replies import Reply
    from holdfast.domain.service.tokens import AccessToken, TokenId


@dataclass(frozen=True, slots=True)
class InMemoryTokens:
    """The access tokens of a space."""

    state: InMemoryState

    def put(self, token: AccessToken) -> None:
        """Write a token, or its revocation."""
        self.state.moment()
        self.state.tokens[token.id] = token

    def get(self, token_id: TokenId) -> AccessToken | None:
        """Return a token; None if there is none."""
        return self.state.tokens.get(token_id)

    def every(self) -> Sequence[AccessToken]:
        """Return all tokens in the order of their ids."""
        return tuple(self.state.tokens[name] for name in sorted(self.state.tokens))


@dataclass(frozen=True, slots=True)
class InMemoryReplies:
    """The stored answers of a space."""

    state: InMemoryState

    def put(self, reply: Reply) -> None:
        """Write an answer; an older one with the same key is replaced."""
        self.state.moment()
        self.state.replies[reply.key] = reply

    def get(self, key: str) -> Reply | None:
        """Return an answer; None if there is none."""
        return self.state.replies.get(key)

    def page(self, *, beyond: str, limit: int) -> Sequence[Reply]:
        """Return answers in the order of their keys, starting after ``beyond``."""
        keys = sorted(key for key in self.state.replies if key > beyond)
        return tuple(self.state.replies[key] for key in keys[:limit])

    def drop_until(self, moment: datetime) -> None:
        """Remove the answers that were given at that moment or before."""
        self.state.moment()
        for key in [one.key for one in self.state.replies.values() if one.at <= moment]:
            del self.state.replies[key]
