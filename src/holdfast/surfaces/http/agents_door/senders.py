"""The sender of one MCP request: who it is, from where, and the work done for them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, cast

from holdfast.bootstrap.service.deadline import RequestDeadline
from holdfast.bootstrap.service.service import Caller, ServedRequest
from holdfast.domain.service.replies import Reply
from holdfast.domain.values import dataclass
from holdfast.surfaces.mcp.tool_calls import ToolCalls

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp.server.context import ServerRequestContext
    from starlette.requests import Request

    from holdfast.app import Holdfast
    from holdfast.domain.memory.anchor import BranchPoint
    from holdfast.domain.memory.place import Place
    from holdfast.surfaces.http.endpoint import Endpoints
    from holdfast.surfaces.mcp.calling import ClientSide
    from holdfast.surfaces.mcp.protocol import Json

    Context = ServerRequestContext[Any, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class McpSender:
    """Who sent a request, from which place, and which tools are listed for them."""

    caller: Caller
    shown: str
    place: Place
    point: BranchPoint | None
    profile: str
    has_checkout: bool = False
    """Whether the sender works with the checkout of the server."""


def request_of(context: Context) -> Request:
    """Return the HTTP request that carried a message."""
    return cast("Request", context.request)


def sender_of(context: Context) -> McpSender:
    """Return the sender whom the door recognised."""
    found: McpSender = request_of(context).state.sender
    return found


class _FailedCallError(Exception):
    """A call failed: its unit of work is rolled back, and its result is sent."""

    def __init__(self, result: Json) -> None:
        super().__init__("a tool call failed")
        self.result = result


@dataclass(frozen=True, slots=True, kw_only=True)
class _ServedMemory:
    """The memory of one request; no answer of a client's user decides here."""

    app: Holdfast
    person: str = ""

    def here(self) -> Holdfast:
        """Return the memory as the request sees it."""
        return self.app

    def release(self) -> None:
        """Leave the memory open: the server keeps it."""


class SenderCalls:
    """Runs the calls of senders in threads, each in a unit of work of its own."""

    def __init__(self, endpoints: Endpoints) -> None:
        self._endpoints = endpoints

    async def call(
        self, sender: McpSender, name: str, arguments: Json, *, client: ClientSide, writes: bool
    ) -> Json:
        """Return the result of a tool; a call that fails changes nothing."""

        def work(app: Holdfast) -> Json:
            result = ToolCalls(_ServedMemory(app=app)).call(name, arguments, client=client)
            if result["isError"]:
                raise _FailedCallError(result)
            return result

        try:
            return await self._carried(sender, work, writes=writes)
        except _FailedCallError as failed:
            return failed.result

    async def ask(self, sender: McpSender, method: str, params: Json) -> Json:
        """Return the answer about resources, prompts or completions."""
        return await self._carried(
            sender,
            lambda app: ToolCalls(_ServedMemory(app=app)).ask(method, params),
            writes=False,
        )

    async def versions(self, sender: McpSender, uris: list[str]) -> dict[str, str]:
        """Return a hash of each resource, if the sender's token is still valid.

        Raises:
            NotAuthenticatedError: It is not.
        """
        await self._endpoints.known(sender.shown)
        found = await self._carried(
            sender,
            lambda app: {**ToolCalls(_ServedMemory(app=app)).versions(uris)},
            writes=False,
        )
        return {uri: str(version) for uri, version in found.items()}

    async def _carried(
        self, sender: McpSender, work: Callable[[Holdfast], Json], *, writes: bool
    ) -> Json:
        served = ServedRequest(
            caller=sender.caller,
            place=sender.place,
            point=sender.point,
            deadline=RequestDeadline(),
            is_in_checkout=sender.has_checkout,
        )

        def performed(app: Holdfast) -> Reply:
            body = json.dumps(work(app), ensure_ascii=False)
            return Reply(key="", request_hash="", status=200, body=body, at=app.now())

        reply = await self._endpoints.carry(served, performed, writes=writes)
        found: Json = json.loads(reply.body or "{}")
        return found
