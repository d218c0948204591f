"""Access: the tokens with which programs use this space over the network."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.performing import Part, performs
from holdfast.domain.memory.callers import Operation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.service.tokens import AccessToken
    from holdfast.usecases.service.tokens import CreatedToken, CreateToken


class AccessPart(Part):
    """The access tokens of a space."""

    @performs(Operation.CONFIGURE)
    def create(self, wish: CreateToken) -> CreatedToken:
        """Create a token; its text is shown once."""
        from holdfast.usecases.service.tokens import create_token

        return create_token(wish, store=self._holdfast.store, clock=self._holdfast.clock)

    @performs(Operation.CONFIGURE)
    def tokens(self) -> Sequence[AccessToken]:
        """List the tokens, oldest first; their secrets are not stored."""
        from holdfast.usecases.service.tokens import tokens

        return tokens(store=self._holdfast.store)

    @performs(Operation.CONFIGURE)
    def revoke(self, reference: str) -> AccessToken:
        """Revoke a token, by its id or its name."""
        from holdfast.usecases.service.tokens import revoke_token

        return revoke_token(reference, store=self._holdfast.store, clock=self._holdfast.clock)
