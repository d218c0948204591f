"""Access tokens and stored answers of one transaction."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.database.rows import (
    Row,
    as_json,
    maybe_millis,
    maybe_moment,
    millis,
    moment_of,
)
from holdfast.domain.memory.callers import Operation, PrincipalKind
from holdfast.domain.service.replies import Reply
from holdfast.domain.service.tokens import AccessToken, TokenId

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.adapters.sqlite.database.work import Work


class SqliteTokens:
    """The access tokens of a space."""

    def __init__(self, work: Work) -> None:
        self.work = work

    def put(self, token: AccessToken) -> None:
        """Write a token, or its revocation."""
        self.work.moment()
        self.work.run(
            "put_token",
            token.id,
            token.name,
            token.kind.value,
            as_json(sorted(one.value for one in token.may)),
            bytes.fromhex(token.secret_hash),
            millis(token.created_at),
            maybe_millis(token.expires_at),
            maybe_millis(token.revoked_at),
        )

    def get(self, token_id: TokenId) -> AccessToken | None:
        """Return a token; None if there is none."""
        row = self.work.row("get_token", token_id)
        return None if row is None else _token(row)

    def every(self) -> Sequence[AccessToken]:
        """Return all tokens in the order of their ids."""
        return tuple(_token(row) for row in self.work.rows("all_tokens"))


def _token(row: Row) -> AccessToken:
    token_id, name, kind, may, secret_hash, created_at, expires_at, revoked_at = row
    return AccessToken(
        id=TokenId(token_id),
        name=name,
        kind=PrincipalKind(kind),
        may=frozenset(Operation(word) for word in json.loads(may)),
        secret_hash=bytes(secret_hash).hex(),
        created_at=moment_of(created_at),
        expires_at=maybe_moment(expires_at),
        revoked_at=maybe_moment(revoked_at),
    )


class SqliteReplies:
    """The stored answers of a space."""

    def __init__(self, work: Work) -> None:
        self.work = work

    def put(self, reply: Reply) -> None:
        """Write an answer; an older one with the same key is replaced."""
        self.work.moment()
        request_hash = bytes.fromhex(reply.request_hash)
        values = (reply.key, request_hash, reply.status, reply.body, millis(reply.at))
        self.work.run("put_reply", *values)

    def get(self, key: str) -> Reply | None:
        """Return an answer; None if there is none."""
        row = self.work.row("get_reply", key)
        return None if row is None else _reply(row)

    def page(self, *, beyond: str, limit: int) -> Sequence[Reply]:
        """Return answers in the order of their keys, starting after ``beyond``."""
        return tuple(_reply(row) for row in self.work.rows("page_of_replies", (beyond, limit)))

    def drop_until(self, moment: datetime) -> None:
        """Remove the answers that were given at that moment or before."""
        self.work.moment()
        self.work.run("drop_replies_until", millis(moment))


def _reply(row: Row) -> Reply:
    key, request_hash, status, body, at = row
    return Reply(
        key=key,
        request_hash=bytes(request_hash).hex(),
        status=status,
        body=body,
        at=moment_of(at),
    )
