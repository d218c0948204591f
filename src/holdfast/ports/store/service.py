"""Ports for the server: access tokens, and stored answers to repeated requests."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from holdfast.domain.service.replies import Reply
from holdfast.domain.service.tokens import AccessToken, TokenId


class AccessTokens(Protocol):
    """The access tokens of a space. They are no events, and no export contains them."""

    def put(self, token: AccessToken) -> None:
        """Write a token, or its revocation; it must read back exactly."""
        ...

    def get(self, token_id: TokenId) -> AccessToken | None:
        """Return a token; None if there is none."""
        ...

    def every(self) -> Sequence[AccessToken]:
        """Return all tokens in the order of their ids."""
        ...


class Replies(Protocol):
    """The stored answers. Forgetting a memory must remove the body of every answer with its id.

    Answers about other records may repeat its text without the id; forgetting looks through all.
    """

    def put(self, reply: Reply) -> None:
        """Write an answer; an older one with the same key must be replaced."""
        ...

    def get(self, key: str) -> Reply | None:
        """Return an answer; None if there is none."""
        ...

    def page(self, *, beyond: str, limit: int) -> Sequence[Reply]:
        """Return answers in the order of their keys, starting after ``beyond``."""
        ...

    def drop_until(self, moment: datetime) -> None:
        """Remove the answers that were given at that moment or before."""
        ...
