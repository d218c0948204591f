"""Tell clients over HTTP when a resource that they watch has changed."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import mcp_types as types
from mcp.shared.exceptions import MCPError

from holdfast.domain.errors import HoldfastError, UnavailableError
from holdfast.domain.values import dataclass, field
from holdfast.surfaces.http.agents_door.senders import request_of, sender_of
from holdfast.surfaces.http.agents_door.sessions import MOST_OF_A_TOKEN, SESSION_HEADER
from holdfast.surfaces.http.options import LOOK_SECONDS
from holdfast.surfaces.mcp.protocol import INVALID_PARAMS, SUBSCRIPTION_KEY, RefusedError
from holdfast.surfaces.mcp.watching import MOST_WATCHED, wanted_uris, watched_uri

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from mcp.server.context import ServerRequestContext
    from mcp.server.session import ServerSession

    from holdfast.surfaces.http.agents_door.senders import McpSender, SenderCalls

    Context = ServerRequestContext[Any, Any]

_SEND_SECONDS = 5.0
_MOST_WATCHERS = 1_024
_NO_SESSION = (
    "Only a session may subscribe, and a server with several workers keeps none: use"
    " subscriptions/listen of the protocol 2026-07-28, or run the server with one worker."
)
_TOO_MANY = f"At most {MOST_WATCHED} resources may be watched."
_TOO_MANY_STREAMS = f"At most {MOST_OF_A_TOKEN} streams of one token may be open; end another one."


@dataclass(slots=True, kw_only=True)
class _Watcher:
    """What one session watches, and the versions that it was told."""

    sender: McpSender
    session: ServerSession
    uris: set[str] = field(default_factory=set)
    versions: dict[str, str] = field(default_factory=dict)


class ResourceWatch:
    """Compares the watched resources from time to time, and reports those that changed.

    ``is_over`` tells whether a session has ended.
    """

    def __init__(self, calls: SenderCalls, *, is_over: Callable[[str], bool]) -> None:
        self._calls = calls
        self._has_ended = is_over
        self._streams: Counter[str] = Counter()
        self._watchers: dict[str, _Watcher] = {}
        self.ending = asyncio.Event()

    async def subscribe(
        self, context: Context, params: types.SubscribeRequestParams
    ) -> types.EmptyResult:
        """Watch a resource, in the handshake era."""
        uri = _checked(str(params.uri))
        name = _session_of(context)
        watcher = self._watchers.get(name)
        if watcher is None:
            if len(self._watchers) >= _MOST_WATCHERS:
                del self._watchers[next(iter(self._watchers))]
            watcher = _Watcher(sender=sender_of(context), session=context.session)
            self._watchers[name] = watcher
        if len(watcher.uris | {uri}) > MOST_WATCHED:
            raise MCPError(INVALID_PARAMS, _TOO_MANY)
        watcher.uris.add(uri)
        watcher.versions.update(await self._calls.versions(watcher.sender, [uri]))
        return types.EmptyResult()

    async def unsubscribe(
        self, context: Context, params: types.UnsubscribeRequestParams
    ) -> types.EmptyResult:
        """Stop watching a resource; it is no error if it was not watched."""
        watcher = self._watchers.get(_session_of(context))
        if watcher is not None:
            watcher.uris.discard(str(params.uri))
        return types.EmptyResult()

    async def listen(
        self, context: Context, params: types.SubscriptionsListenRequestParams
    ) -> types.SubscriptionsListenResult:
        """Watch resources until the client goes or the server ends, in the modern era."""
        shape = params.notifications.model_dump(by_alias=True, exclude_none=True)
        try:
            uris = wanted_uris({"notifications": shape})
        except RefusedError as error:
            raise MCPError(error.code, error.message) from error
        if len(uris) > MOST_WATCHED:
            raise MCPError(INVALID_PARAMS, _TOO_MANY)
        with self._stream_of(sender_of(context)):
            return await self._listened(context, uris)

    @contextmanager
    def _stream_of(self, sender: McpSender) -> Generator[None, None, None]:
        """Count an open stream of a token: each asks the store again at every look."""
        owner = sender.caller.token_id
        if self._streams[owner] >= MOST_OF_A_TOKEN:
            raise MCPError(INVALID_PARAMS, _TOO_MANY_STREAMS)
        self._streams[owner] += 1
        try:
            yield
        finally:
            self._streams[owner] -= 1
            self._streams += Counter()  # forget those without a stream

    async def _listened(self, context: Context, uris: list[str]) -> types.SubscriptionsListenResult:
        """Tell what changed until the client goes, the token ends or the server ends."""
        meta: dict[str, Any] = {SUBSCRIPTION_KEY: context.request_id}
        sender = sender_of(context)
        versions = await self._calls.versions(sender, uris)
        honoured = types.SubscriptionFilter(resource_subscriptions=uris or None)
        await context.session.send_notification(
            types.SubscriptionsAcknowledgedNotification(
                params=types.SubscriptionsAcknowledgedNotificationParams(
                    notifications=honoured, _meta=meta
                )
            ),
            related_request_id=context.request_id,
        )
        while not await self._is_over():
            try:
                changed = await self._changed(sender, uris, versions)
            except UnavailableError:
                continue  # the store cannot be reached now; a later look tells what changed
            except HoldfastError:
                break  # the token is not valid any more
            for uri in changed:
                params_ = types.ResourceUpdatedNotificationParams(uri=uri, _meta=meta)
                told = types.ResourceUpdatedNotification(params=params_)
                await context.session.send_notification(told, related_request_id=context.request_id)
        return types.SubscriptionsListenResult(_meta=meta)

    async def run(self) -> None:
        """Look for changes until the server ends."""
        while not await self._is_over():
            for name, watcher in list(self._watchers.items()):
                if self._has_ended(name) or not await self._is_told(watcher):
                    self._watchers.pop(name, None)

    async def _is_told(self, watcher: _Watcher) -> bool:
        """Tell a session what changed; return False if it cannot be told any more."""
        try:
            await self._look(watcher)
        except UnavailableError:
            return True  # the store cannot be reached now; a later look tells what changed
        except (HoldfastError, TimeoutError, MCPError):
            return False  # its token ended, or its client does not read
        return True

    async def _look(self, watcher: _Watcher) -> None:
        changed = await self._changed(watcher.sender, sorted(watcher.uris), watcher.versions)
        async with asyncio.timeout(_SEND_SECONDS):
            for uri in changed:
                await watcher.session.send_resource_updated(uri)

    async def _changed(
        self, sender: McpSender, uris: list[str], versions: dict[str, str]
    ) -> list[str]:
        """Return the resources that changed, and note their versions."""
        now = await self._calls.versions(sender, uris)
        changed = [uri for uri in uris if versions.get(uri) != now[uri]]
        versions.update(now)
        return changed

    async def _is_over(self) -> bool:
        """Wait for the next look; return whether the server ends."""
        try:
            async with asyncio.timeout(LOOK_SECONDS):
                await self.ending.wait()
        except TimeoutError:
            return False
        return True


def _session_of(context: Context) -> str:
    name = request_of(context).headers.get(SESSION_HEADER)
    if not name:
        raise MCPError(INVALID_PARAMS, _NO_SESSION)
    return name


def _checked(uri: str) -> str:
    try:
        return watched_uri(uri)
    except RefusedError as error:
        raise MCPError(error.code, error.message) from error
