"""The path /mcp: recognise the caller, then let the SDK speak the protocol.

An MCP client is an agent, whatever the kind of its token: its model chooses the calls, and the
client could answer every question itself. A person decides on the page or in a terminal. The SDK
is loaded with the first request, because most servers of memories never get one.
"""

from __future__ import annotations

import asyncio
import signal
import threading
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING

from starlette.requests import Request

from holdfast.domain.errors import HoldfastError
from holdfast.surfaces.http.agents_door.place_query import PROFILE, place_query
from holdfast.surfaces.http.agents_door.sessions import (
    IDLE_SECONDS,
    SESSION_HEADER,
    OpenSessions,
    end_session,
    may_open,
    own_session,
)
from holdfast.surfaces.http.options import LOOK_SECONDS
from holdfast.surfaces.http.problems import problem
from holdfast.surfaces.http.reading import bearer_token, branch_point_of, place_of
from holdfast.surfaces.http.refusals import MethodNotAllowedError, NoSuchRouteError
from holdfast.surfaces.mcp.catalogue import DEFAULT_PROFILE

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
    from starlette.responses import Response
    from starlette.types import Message, Receive, Scope, Send

    from holdfast.surfaces.http.agents_door.senders import McpSender
    from holdfast.surfaces.http.agents_door.streams import ResourceWatch
    from holdfast.surfaces.http.endpoint import Endpoints
    from holdfast.surfaces.http.options import ServeOptions

PATH = "/mcp"
_REFUSED, _NOT_FOUND = 400, 404
_NO_SESSIONS = (
    "A server with several workers keeps no sessions of MCP, so no stream can be opened or ended"
    " here: send each message with POST."
)


class AgentsDoor:
    """The application behind the path /mcp."""

    def __init__(self, endpoints: Endpoints, options: ServeOptions) -> None:
        self._endpoints = endpoints
        self._options = options
        self._starting = asyncio.Lock()
        self._manager: StreamableHTTPSessionManager | None = None
        self._watch: ResourceWatch | None = None
        self._running: asyncio.Task[None] | None = None
        self._streams: set[asyncio.Task[None]] = set()
        self._sessions = OpenSessions()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        request = Request(scope, receive)
        request.state.visit.route = PATH
        try:
            sender = await self._recognised(request)
        except HoldfastError as error:
            await _refused(request, error)(scope, receive, send)
            return
        request.state.sender = sender
        manager = await self._started()
        owner = own_session(scope, sender)
        if may_open(request):
            await self._make_room(manager, scope, owner)
        name = request.headers.get(SESSION_HEADER, "")
        with self._sessions.used(name):
            if request.method == "GET":
                await self._streamed(manager, sender, scope, receive, send)
            else:
                noted = partial(self._noted, send, request, owner)
                await manager.handle_request(scope, receive, noted)

    @property
    def _has_sessions(self) -> bool:
        """Whether sessions are kept: processes of one server share none."""
        return self._options.workers == 1

    async def _make_room(
        self, manager: StreamableHTTPSessionManager, scope: Scope, owner: str
    ) -> None:
        """End the sessions of an owner who has too many for another one.

        Clients often leave without ending theirs, so a new session is not refused.
        """
        for name in self._sessions.surplus(owner):
            await end_session(manager, scope, name)
            self._sessions.ended(name, owner)

    async def _noted(self, send: Send, request: Request, owner: str, message: Message) -> None:
        """Send a part of an answer, and note the session that it opens or ends."""
        if message["type"] == "http.response.start":
            name = request.headers.get(SESSION_HEADER, "")
            opened = dict(message["headers"]).get(SESSION_HEADER.encode(), b"").decode()
            if message["status"] < _REFUSED and not name and opened:
                self._sessions.opened(opened, owner)
            if request.method == "DELETE" or message["status"] == _NOT_FOUND:
                self._sessions.ended(name, owner)
        await send(message)

    async def close(self) -> None:
        """End every session."""
        self._end()
        if self._running is not None:
            await asyncio.gather(self._running, return_exceptions=True)

    async def _recognised(self, request: Request) -> McpSender:
        from holdfast.surfaces.http.agents_door.senders import McpSender

        if find_spec("mcp") is None:
            raise NoSuchRouteError
        if request.method != "POST" and not self._has_sessions:
            raise MethodNotAllowedError(_NO_SESSIONS)
        caller = await self._endpoints.caller(request)
        caller = caller._replace(principal=caller.principal.as_agent())
        query = place_query(request)
        profile = str(query.pop(PROFILE, DEFAULT_PROFILE))
        point = branch_point_of(query)
        place = place_of(query, caller.name.space)
        return McpSender(
            caller=caller,
            shown=bearer_token(request.headers.getlist("authorization")),
            place=place,
            point=point,
            profile=profile,
            has_checkout=self._endpoints.has_checkout(caller, place, point),
        )

    async def _streamed(
        self,
        manager: StreamableHTTPSessionManager,
        sender: McpSender,
        scope: Scope,
        receive: Receive,
        send: Send,
    ) -> None:
        """Serve a stream that stays open, until the client goes or its token or the server ends."""
        is_open = False

        async def noted(message: Message) -> None:
            nonlocal is_open
            is_open = message["type"] == "http.response.start" or bool(message.get("more_body"))
            await send(message)

        task = asyncio.ensure_future(manager.handle_request(scope, receive, noted))
        self._streams.add(task)
        try:
            await self._watched(task, sender)
        finally:
            self._streams.discard(task)
            task.cancel()
            await asyncio.wait([task])
        if is_open and task.cancelled():
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        elif not task.cancelled() and (error := task.exception()) is not None:
            raise error

    async def _watched(self, task: asyncio.Task[None], sender: McpSender) -> None:
        """Wait for the end of a stream, or of the token that opened it."""
        while not (await asyncio.wait([task], timeout=LOOK_SECONDS))[0]:
            try:
                await self._endpoints.known(sender.shown)
            except HoldfastError:
                return

    async def _started(self) -> StreamableHTTPSessionManager:
        """Return the SDK's manager of sessions, loaded and running."""
        async with self._starting:
            if self._manager is None:
                self._manager = await self._start()
        return self._manager

    async def _start(self) -> StreamableHTTPSessionManager:
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

        from holdfast.surfaces.http.agents_door.senders import SenderCalls
        from holdfast.surfaces.http.agents_door.server import AgentServer
        from holdfast.surfaces.http.agents_door.streams import ResourceWatch

        calls = SenderCalls(self._endpoints)
        self._watch = watch = ResourceWatch(calls, is_over=self._sessions.is_over)
        manager = StreamableHTTPSessionManager(
            AgentServer(calls, watch).server(has_sessions=self._has_sessions),
            stateless=not self._has_sessions,
            max_request_body_size=self._options.most_body,
            session_idle_timeout=IDLE_SECONDS,
        )
        ready = asyncio.Event()

        async def live() -> None:
            async with manager.run():
                ready.set()
                await watch.run()

        self._running = asyncio.create_task(live())
        await ready.wait()
        self._end_with_signals()
        return manager

    def _end_with_signals(self) -> None:
        """End open streams when the server is told to stop: it waits for every response."""
        if threading.current_thread() is not threading.main_thread():
            return
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            before = signal.getsignal(number)
            if callable(before):
                signal.signal(number, partial(self._stop, loop, before))

    def _stop(
        self,
        loop: asyncio.AbstractEventLoop,
        before: Callable[[int, FrameType | None], object],
        number: int,
        frame: FrameType | None,
    ) -> None:
        loop.call_soon_threadsafe(self._end)
        before(number, frame)

    def _end(self) -> None:
        if self._watch is not None:
            self._watch.ending.set()
        for task in self._streams:
            task.cancel()


def _refused(request: Request, error: HoldfastError) -> Response:
    """Return the response to a request that is not handed to the SDK."""
    request.state.visit.code = error.code
    response = problem(error)
    if isinstance(error, MethodNotAllowedError):
        response.headers["Allow"] = "POST"
    return response
