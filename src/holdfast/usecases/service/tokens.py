"""Create, list, revoke and recognise access tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import AmbiguousError
from holdfast.domain.ids import short, sortable
from holdfast.domain.memory.callers import Operation, Permission, PrincipalKind, answer
from holdfast.domain.service.tokens import AccessToken, TokenId, TokenText, read_token_name
from holdfast.domain.service_errors import (
    NoSuchTokenError,
    ScopeNotAllowedError,
    TokenNameTakenError,
)
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.screening import screened

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import timedelta

    from holdfast.domain.memory.callers import Principal
    from holdfast.ports.clock import Clock
    from holdfast.ports.store.store import Store

_SECRET_PARTS = 4  # of 80 random bits each
_PART_LETTERS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateToken:
    """A request to create a token.

    ``may`` are its scopes; None is everything that the kind of principal may do. ``tenant`` is part
    of the token's text, so that a server finds the store.
    """

    name: str
    kind: PrincipalKind
    tenant: str
    may: frozenset[Operation] | None = None
    keep_for: timedelta | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CreatedToken:
    """A new token, and its text, which is nowhere else."""

    token: AccessToken
    text: TokenText


def _usual(kind: PrincipalKind, possible: frozenset[Operation]) -> frozenset[Operation]:
    """Return what a token allows if nothing is said.

    The stores of a service belong to its users: the token of a person opens them only on request.
    """
    return possible if kind is PrincipalKind.SERVICE else possible - {Operation.SERVE}


@repeatable
def create_token(wish: CreateToken, *, store: Store, clock: Clock) -> CreatedToken:
    """Create a token; its text is returned once and never stored.

    Raises:
        ScopeNotAllowedError: Its kind of principal may never do what a scope allows.
        TokenNameTakenError: A valid token of this space has the name.
    """
    now = clock.now()
    name = screened(read_token_name(wish.name), what="name")
    possible = frozenset(one for one in Operation if answer(wish.kind, one) is Permission.ALLOWED)
    for operation in sorted((wish.may or frozenset()) - possible):
        raise ScopeNotAllowedError(kind=wish.kind.value, operation=operation.value)
    text = TokenText(
        id=TokenId(sortable("t", at=now, entropy=clock.entropy())),
        tenant=wish.tenant,
        space=store.space,
        secret="".join(f"{clock.entropy():0{_PART_LETTERS}x}" for _ in range(_SECRET_PARTS)),
    )
    token = AccessToken(
        id=text.id,
        name=name,
        kind=wish.kind,
        may=_usual(wish.kind, possible) if wish.may is None else wish.may,
        secret_hash=text.secret_hash,
        created_at=now,
        expires_at=None if wish.keep_for is None else now + wish.keep_for,
    )
    with store.writing(now) as tx:
        for other in tx.diary.tokens.every():
            if other.name == name and other.is_valid_at(now):
                raise TokenNameTakenError(name)
        tx.diary.tokens.put(token)
    return CreatedToken(token=token, text=text)


def tokens(*, store: Store) -> Sequence[AccessToken]:
    """Return the tokens of the space, oldest first."""
    with store.reading() as tx:
        return tx.diary.tokens.every()


@repeatable
def revoke_token(reference: str, *, store: Store, clock: Clock) -> AccessToken:
    """Revoke the token with that id, whole or in short, or the newest valid one with that name.

    A token that was revoked before stays as it is.

    Raises:
        NoSuchTokenError: There is none.
        AmbiguousError: Several tokens have the short id.
    """
    now = clock.now()
    with store.writing(now) as tx:
        every = tx.diary.tokens.every()
        named = [one for one in every if one.name == reference]
        valid = [one for one in named if one.is_valid_at(now)]
        found = [one for one in every if one.id == reference]
        found = found or [one for one in every if short(one.id) == reference]
        if len(found) > 1:
            fits = [one.id for one in found]
            raise AmbiguousError(
                noun="token", reference=reference[2:], fits=fits, shared="end with"
            )
        found = found or valid[-1:] or named[-1:]
        if not found:
            raise NoSuchTokenError(reference)
        if found[0].revoked_at is not None:
            return found[0]
        revoked = replace(found[0], revoked_at=now)
        tx.diary.tokens.put(revoked)
    return revoked


def bearer(shown: TokenText, *, store: Store, clock: Clock) -> Principal | None:
    """Return the principal of a token; None if it is unknown, wrong, expired or revoked."""
    with store.reading() as tx:
        token = tx.diary.tokens.get(shown.id)
    if token is None or not token.is_shown_by(shown) or not token.is_valid_at(clock.now()):
        return None
    return token.principal(store.space)


def bearer_of(token_id: TokenId, *, store: Store, clock: Clock) -> Principal | None:
    """Return the principal of a token that was shown before; None if it is not valid any more.

    It is for sessions, whose bearer showed the secret when the session began.
    """
    with store.reading() as tx:
        token = tx.diary.tokens.get(token_id)
    if token is None or not token.is_valid_at(clock.now()):
        return None
    return token.principal(store.space)
