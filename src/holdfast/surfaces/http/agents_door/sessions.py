"""The open sessions of MCP clients: how many one token may have, and which are over.

The SDK limits the sessions of all clients together, so one token could take all of them, and it
tells nobody that a session is over.
"""

from __future__ import annotations

from collections import OrderedDict
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
    from starlette.requests import Request
    from starlette.types import Message, Scope

    from holdfast.surfaces.http.agents_door.senders import McpSender

SESSION_HEADER = "mcp-session-id"
_VERSION_HEADER = "mcp-protocol-version"
MOST_OF_A_TOKEN = 64
"""How many sessions a token may have open; chosen by hand, for a team that shares one."""
IDLE_SECONDS = 1_800.0
"""After how many seconds without a request a session is over."""


@dataclass(slots=True, kw_only=True)
class _Session:
    """Whose session it is, how many requests it answers now, and when the last one ended."""

    owner: str
    requests: int = 0
    at: float


class OpenSessions:
    """Knows the sessions that are open, in the order of their last use."""

    def __init__(
        self, *, most: int = MOST_OF_A_TOKEN, clock: Callable[[], float] = monotonic
    ) -> None:
        self._most = most
        self._clock = clock
        self._known: OrderedDict[str, _Session] = OrderedDict()

    def opened(self, name: str, owner: str) -> None:
        """Note a new session of an owner; nobody tells that others were not used for too long."""
        for over in [known for known in self._known if self.is_over(known)]:
            del self._known[over]
        self._known[name] = _Session(owner=owner, at=self._clock())

    def ended(self, name: str, owner: str) -> None:
        """Note that a session is over; that of another owner goes on."""
        known = self._known.get(name)
        if known is not None and known.owner == owner:
            del self._known[name]

    @contextmanager
    def used(self, name: str) -> Generator[None, None, None]:
        """Note that a request of a session is answered inside the block."""
        known = self._known.get(name)
        if known is None:
            yield
            return
        known.requests += 1
        try:
            yield
        finally:
            known.requests -= 1
            known.at = self._clock()
            if name in self._known:
                self._known.move_to_end(name)

    def surplus(self, owner: str) -> list[str]:
        """Return the sessions that must end before an owner opens another: those used least."""
        own = [name for name, known in self._known.items() if known.owner == owner]
        idle = [name for name in own if not self._known[name].requests]
        busy = [name for name in own if self._known[name].requests]
        return [*idle, *busy][: max(0, len(own) + 1 - self._most)]

    def is_over(self, name: str) -> bool:
        """Return whether a session has ended, or was not used for too long."""
        known = self._known.get(name)
        if known is None:
            return True
        return not known.requests and self._clock() - known.at >= IDLE_SECONDS


def may_open(request: Request) -> bool:
    """Return whether a request may open a session: only those of the handshake era do."""
    from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

    version = request.headers.get(_VERSION_HEADER)
    is_old = version is None or version in HANDSHAKE_PROTOCOL_VERSIONS
    return request.method == "POST" and is_old and SESSION_HEADER not in request.headers


def own_session(scope: Scope, sender: McpSender) -> str:
    """Bind a session to the token that opened it, and return its owner.

    The SDK refuses the session to any other token.
    """
    from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
    from mcp.server.auth.provider import AccessToken

    caller = sender.caller
    scopes = sorted(operation.value for operation in caller.principal.may)
    owner = f"{caller.name.tenant}/{caller.name.space}/{caller.token_id}"
    scope["user"] = AuthenticatedUser(AccessToken(token="", client_id=owner, scopes=scopes))
    return owner


async def end_session(manager: StreamableHTTPSessionManager, scope: Scope, name: str) -> None:
    """End a session of the caller of a request, as the caller could."""
    headers = [(SESSION_HEADER.encode(), name.encode())]
    await manager.handle_request(
        {**scope, "method": "DELETE", "headers": headers}, _receive_nothing, _send_nothing
    )


async def _receive_nothing() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}


async def _send_nothing(_message: Message) -> None:
    return
