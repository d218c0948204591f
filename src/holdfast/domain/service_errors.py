"""Errors of the server that are not about one verb: tokens, repeated requests, limits."""

from __future__ import annotations

from holdfast.domain.errors import (
    ConflictError,
    InvalidError,
    NotFoundError,
    StaleError,
    UnavailableError,
)


class NotAuthenticatedError(InvalidError, code="not-authenticated"):
    """The request shows no valid token: it is missing, unknown, expired or revoked."""


class NoSuchTokenError(NotFoundError, code="no-such-token"):
    """No token of this space has that id."""

    def __init__(self, reference: str) -> None:
        super().__init__(
            f"No token of this space has the id or the name {reference}.", reference=reference
        )


class TokenNameTakenError(ConflictError, code="token-name-taken"):
    """A valid token of this space has that name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"A valid token of this space is named '{name}'.", name=name)


class ScopeNotAllowedError(InvalidError, code="scope-not-allowed"):
    """A token cannot allow what its kind of principal may never do."""

    def __init__(self, *, kind: str, operation: str) -> None:
        super().__init__(
            f"A token of kind '{kind}' cannot have the scope '{operation}': this kind of caller"
            " may never do that.",
            kind=kind,
            operation=operation,
        )


class KeyReusedError(InvalidError, code="idempotency-key-reused"):
    """The idempotency key was used for another request."""


class ReplyForgottenError(ConflictError, code="reply-forgotten"):
    """The request was carried out, but its answer contained a memory that was forgotten since."""


class VersionChangedError(StaleError, code="version-changed"):
    """The memory changed after it was read; nothing was written."""

    def __init__(self, memory_id: str) -> None:
        super().__init__(
            f"The memory {memory_id} changed after it was read; nothing was written.",
            memory_id=memory_id,
        )


class QuotaReachedError(UnavailableError, code="quota-reached"):
    """The space, or its tenant, holds as much as its quota allows."""

    hint: str = "Forget what is no longer needed, or ask the operator of the server for more."

    def __init__(self, *, what: str, most: int) -> None:
        whose = "tenant" if what == "bytes" else "space"
        super().__init__(
            f"This {whose} has reached its quota of {most:,} {what}; nothing was written.",
            what=what,
            most=most,
        )


class TimedOutError(UnavailableError, code="request-timed-out"):
    """The request took longer than the server allows; nothing was written."""

    hint: str = "Try again; over HTTP, with the same Idempotency-Key."


class BeyondLoopbackError(InvalidError, code="beyond-loopback"):
    """A server that other machines can reach needs tokens and the names of its hosts."""

    def __init__(self, bind: str) -> None:
        super().__init__(
            f"A server at {bind} can be reached from other machines. It needs tokens, and the names"
            " by which callers may address it.",
            bind=bind,
        )


class CannotListenError(UnavailableError, code="cannot-listen"):
    """The server cannot listen at that address."""

    def __init__(self, *, bind: str, port: int, why: str) -> None:
        super().__init__(
            f"The server cannot listen at {bind}, port {port}: {why}.",
            bind=bind,
            port=port,
            why=why,
        )


class NoServerPackagesError(UnavailableError, code="no-server-packages"):
    """The packages of the server are not installed."""

    hint: str = "Install them: pip install 'holdfast[server]'."
