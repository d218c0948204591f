"""Servers that a client knows, the requests it sends them, and the writes that wait for them."""

from __future__ import annotations

from datetime import datetime

from holdfast.domain.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Remote:
    """A server that was added under a name; ``is_default`` marks the one that is used."""

    name: str
    url: str
    is_default: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteRequest:
    """A method, a path with its query, and a body.

    The body is text and not a value: a request with an idempotency key must be repeated byte for
    byte, or the server refuses it.
    """

    method: str
    target: str
    body: str | None = None

    @property
    def digest(self) -> str:
        """A hash of the whole request."""
        from hashlib import sha256

        parts = (self.method, self.target, self.body or "")
        return sha256("\n".join(parts).encode()).hexdigest()

    @property
    def words(self) -> str:
        """The method and the path, without the query and the body."""
        return f"{self.method} {self.target.partition('?')[0]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingWrite:
    """A write that waits in the outbox.

    ``sent_at`` is when the server may first have received it. ``token`` is the fingerprint of the
    token it was made with, ``space`` that token's space, and ``url`` the address it was made for.
    ``problem`` says why the server refused it.
    """

    key: str
    number: int
    request: RemoteRequest
    at: datetime
    token: str = ""
    space: str = ""
    url: str = ""
    sent_at: datetime | None = None
    problem: str = ""

    @property
    def name(self) -> str:
        """The name of its file; names sort in the order of the writes."""
        return f"{self.number:012d}-{self.key}.json"

    @property
    def claim(self) -> str:
        """The claim that its body has, or the first of several; empty if it has none."""
        return next((claim for claim, _ in self._claims()), "")

    @property
    def keyed_claims(self) -> dict[str, str]:
        """The claims of its body that have a key, by their keys."""
        return {key: claim for claim, key in self._claims() if key}

    def _claims(self) -> list[tuple[str, str]]:
        import json

        try:
            body = json.loads(self.request.body or "{}")
        except ValueError:
            return []
        several = body.get("claims") if isinstance(body, dict) else None
        bodies = several if isinstance(several, list) else [body]
        found = [
            (one.get("claim"), one.get("key") or "") for one in bodies if isinstance(one, dict)
        ]
        return [(claim, str(key)) for claim, key in found if isinstance(claim, str)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pushed:
    """What an attempt to empty the outbox did; ``stopped`` says why it did not go on."""

    sent: int = 0
    refused: int = 0
    waiting: int = 0
    stopped: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteState:
    """A remote, whether it has a token, whether it answers, and what waits for it.

    ``problem`` says why it cannot be used; None means that it was not asked, '' that it answers.
    ``damaged`` are files of the outbox that cannot be read.
    """

    remote: Remote
    has_token: bool
    problem: str | None = None
    version: str = ""
    waiting: tuple[WaitingWrite, ...] = ()
    refused: tuple[WaitingWrite, ...] = ()
    damaged: tuple[str, ...] = ()
