"""A call of the memory service that a program in this process may repeat."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from holdfast.domain.fields import time_text
from holdfast.domain.memory.entry import canonical_json
from holdfast.usecases.screening import SecretPolicy, clean_metadata
from holdfast.usecases.service.once import Attempt

if TYPE_CHECKING:
    from holdfast.domain.service.memories import AddMemory

_PREFIX = "program:"
"""Keys of programs are not those of tokens, which begin with the id of the token."""


def own_attempt(key: str, wish: AddMemory) -> Attempt:
    """Return the attempt to add a memory with an idempotency key.

    Raises:
        BadFieldError: The metadata cannot be stored.
        SecretRefusedError: The metadata contain a secret.
    """
    shape = {
        "content": wish.content,
        "type": wish.memory_type,
        "source": wish.source,
        "importance": wish.importance,
        "metadata": clean_metadata(wish.metadata, secrets=SecretPolicy.REFUSE),
        "expires_at": time_text(wish.expires_at),
    }
    digest = sha256(canonical_json(shape).encode(errors="surrogatepass")).hexdigest()
    return Attempt(key=f"{_PREFIX}{key}", request_hash=digest, commits=_nothing)


def _nothing() -> None:
    """Let the call commit: its caller waits for it."""
