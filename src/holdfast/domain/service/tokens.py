"""Access tokens: what a caller of the server shows, and what the store holds of it.

A token's text carries its id, its tenant and its space, so that a server finds the one store that
can hold it. The store holds only a hash of the secret part.
"""

from __future__ import annotations

import hmac
from hashlib import sha256
from typing import TYPE_CHECKING, NewType

from holdfast.domain.errors import BadFieldError
from holdfast.domain.memory.callers import Operation, Principal, PrincipalKind
from holdfast.domain.memory.place import SpaceId, read_space
from holdfast.domain.values import dataclass, replace

if TYPE_CHECKING:
    from datetime import datetime

TokenId = NewType("TokenId", str)
MARK = "hft"
"""The first word of every token's text; scanners for leaked secrets find it."""
IN_A_FILE = "file"
"""The tenant in the token of a store that has no tenants."""
LONGEST_TEXT = 256
_LONGEST_NAME = 64
_FIELDS = 3
_NAME_TAKES = f"1 to {_LONGEST_NAME} letters, digits, spaces, '.', '_' and '-'"
_SIGNS = frozenset(" ._-")


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenText:
    """The parts of a token's text."""

    id: TokenId
    tenant: str
    space: SpaceId
    secret: str

    def __str__(self) -> str:
        """Return the text that the caller shows."""
        return f"{MARK}.{self.id}.{self.tenant}.{self.space}.{self.secret}"

    @property
    def secret_hash(self) -> str:
        """The hash by which the store recognises the secret.

        The secret is 256 random bits, which nobody can try out; a slow hash would add nothing.
        """
        return sha256(f"{self.id}.{self.secret}".encode()).hexdigest()


def read_token(text: str) -> TokenText | None:
    """Return the parts of a token's text; None if it is not one.

    A tenant has one spelling: a server keeps its stores by it.
    """
    rest, _, secret = text.rpartition(".")
    fields = rest.split(".", _FIELDS)
    if len(text) > LONGEST_TEXT or not text.isascii() or len(fields) != _FIELDS + 1:
        return None
    mark, token_id, tenant, space = fields
    is_spelled = tenant.isalnum() and tenant == tenant.lower()
    if mark != MARK or not (token_id and is_spelled and secret):
        return None
    try:
        return TokenText(
            id=TokenId(token_id), tenant=tenant, space=read_space(space), secret=secret
        )
    except BadFieldError:
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessToken:
    """A token as the store holds it: who its bearer is, and what the bearer may do until when."""

    id: TokenId
    name: str
    kind: PrincipalKind
    may: frozenset[Operation]
    secret_hash: str
    created_at: datetime
    expires_at: datetime | None = None
    revoked_at: datetime | None = None

    def is_valid_at(self, moment: datetime) -> bool:
        """Return whether the token is accepted at a moment; the expiry instant itself is too late.

        A revoked token is not accepted again.
        """
        is_over = self.expires_at is not None and moment >= self.expires_at
        return self.revoked_at is None and not is_over

    def is_shown_by(self, shown: TokenText) -> bool:
        """Return whether a text contains the secret; the comparison takes the same time for all."""
        return hmac.compare_digest(self.secret_hash, shown.secret_hash)

    def principal(self, space: SpaceId) -> Principal:
        """Return the bearer as a principal.

        The table of principals has the last word: a token never allows what its kind may not do.
        """
        bearer = Principal.of(self.kind, space=space, name=self.name)
        return replace(bearer, may=bearer.may & self.may)


def read_token_name(name: str) -> str:
    """Return the name of a token.

    Raises:
        BadFieldError: It is blank, too long, or has other characters.
    """
    clean = name.strip()
    if 0 < len(clean) <= _LONGEST_NAME and all(c.isalnum() or c in _SIGNS for c in clean):
        return clean
    raise BadFieldError(field="name", problem=f"takes {_NAME_TAKES}.")
