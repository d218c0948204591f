"""Tell clients over HTTP when a resource that they watch has changed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import mcp_types as types
from mcp.shared.exceptions import MCPError

from holdfast.domain.errors import HoldfastError
from holdfast.domain.values import dataclass, field
from holdfast.surfaces.http.agents_door.senders import request_of, sender_of
from holdfast.surfaces.http.options import LOOK_SECONDS
from holdfast.surfaces.mcp.protocol import INVALID_PARAMS, SUBSCRIPTION_KEY, RefusedError
from holdfast.surfaces.mcp.watching import MOST_WATCHED, wanted_uris, watched_uri

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp.server.session import ServerSession

    from holdfast.surfaces.http.agents_door.senders import McpSender, SenderCalls

    Context = ServerRequestContext[Any, Any]

SESSION_HEADER = "mcp-session-id"
_SEND_SECONDS = 5.0
_MOST_WATCHERS = 1_024
_NO_SESSION = (
    "Only a session may subscribe, and a server with several workers keeps none: use"
    " subscriptions/listen of the protocol 2026-07-28, or run the server with one worker."
)
_TOO_MANY = f"At most {MOST_WATCHED} resources may be watched."


@dataclass(slots=True, kw_only=True)
class _Watcher:
    """What one session watches, and the versions that it was told."""

    sender: McpSender
    session: ServerSession
    uris: set[str] = field(default_factory=set)
    versions: dict[str, str] = field(default_factory=dict)


class ResourceWatch:
    """Compares the watched resources from time to time, and reports those that changed."""

    def __init__(self, calls: SenderCalls) -> None:
        self._calls = calls
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

    def drop(self, session: str) -> None:
        """Forget a session that ended."""
        self._watchers.pop(session, None)

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
            except HoldfastError:
                break  # the token is not valid any more, or the store cannot be reached
            for uri in changed:
                params_ = types.ResourceUpdatedNotificationParams(uri=uri, _meta=meta)
                told = types.ResourceUpdatedNotification(params=params_)
                await context.session.send_notification(told, related_request_id=context.request_id)
        return types.SubscriptionsListenResult(_meta=meta)

    async def run(self) -> None:
        """Look for changes until the server ends."""
        while not await self._is_over():
            for name, watcher in list(self._watchers.items()):
                try:
                    await self._look(watcher)
                except (HoldfastError, TimeoutError, MCPError):
                    self.drop(name)  # its token ended, or its client does not read

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
