"""Access tokens as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.fields import time_text

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from holdfast.domain.memory.place import SpaceId
    from holdfast.domain.service.tokens import AccessToken

    Json = dict[str, object]


def token_json(token: AccessToken, *, space: SpaceId, at: datetime) -> Json:
    """Return a token without its secret, which is not stored."""
    return {
        "id": token.id,
        "name": token.name,
        "kind": token.kind.value,
        "scopes": sorted(one.value for one in token.may),
        "space": space,
        "created_at": time_text(token.created_at),
        "expires_at": time_text(token.expires_at),
        "revoked_at": time_text(token.revoked_at),
        "valid": token.is_valid_at(at),
    }


def created_token_json(token: AccessToken, *, text: str, space: SpaceId, at: datetime) -> Json:
    """Return a new token with its text."""
    return {**token_json(token, space=space, at=at), "token": text}


def tokens_json(found: Iterable[AccessToken], *, space: SpaceId, at: datetime) -> Json:
    """Return the tokens of a space."""
    return {"tokens": [token_json(one, space=space, at=at) for one in found]}
