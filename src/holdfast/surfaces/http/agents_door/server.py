"""The SDK's server with our catalogue and our tools behind it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import mcp_types as types
from mcp.server.lowlevel.server import Server
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from holdfast.domain.errors import HoldfastError
from holdfast.domain.gates.unseen import escaped
from holdfast.surfaces.http.agents_door.senders import sender_of
from holdfast.surfaces.mcp.advice import worded
from holdfast.surfaces.mcp.calling import CallCancelledError, ClientSide
from holdfast.surfaces.mcp.catalogue import tools_of
from holdfast.surfaces.mcp.listed.addresses import PROMPTS, TEMPLATES
from holdfast.surfaces.mcp.listed.instructions import INSTRUCTIONS
from holdfast.surfaces.mcp.protocol import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    SERVER_INFO,
    RefusedError,
    as_object,
)
from holdfast.surfaces.mcp.results import failed
from holdfast.surfaces.mcp.tools.every import (
    NEEDS,
    OF_A_CHECKOUT,
    OWN_UNITS,
    READING,
    TOOL_BY_NAME,
)
from holdfast.surfaces.wire.json_text import shown

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp.server.lowlevel.server import NotificationOptions

    from holdfast.surfaces.http.agents_door.senders import SenderCalls
    from holdfast.surfaces.http.agents_door.streams import ResourceWatch
    from holdfast.surfaces.mcp.protocol import Json

    Context = ServerRequestContext[Any, Any]

_NO_CHECKOUT = (
    "The tool '{name}' reads a checkout, and this server has none for you: the files are on your"
    " machine. 'holdfast mcp', started there, offers it; so does a server that was started with"
    " --checkout, if your address states no branch."
)


class AgentServer:
    """Answers the methods of the protocol for the SDK."""

    def __init__(self, calls: SenderCalls, watch: ResourceWatch) -> None:
        self._calls = calls
        self._watch = watch

    def server(self, *, has_sessions: bool) -> Server[Any]:
        """Return the SDK's server."""
        kind = Server if has_sessions else _SessionlessServer
        return kind(
            str(SERVER_INFO["name"]),
            version=str(SERVER_INFO["version"]),
            title=str(SERVER_INFO["title"]),
            instructions=INSTRUCTIONS,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_list_resource_templates=self._list_templates,
            on_read_resource=self._read_resource,
            on_subscribe_resource=self._watch.subscribe,
            on_unsubscribe_resource=self._watch.unsubscribe,
            on_subscriptions_listen=self._watch.listen,
            on_list_prompts=self._list_prompts,
            on_get_prompt=self._get_prompt,
            on_completion=self._complete,
        )

    async def _list_tools(
        self, context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        """List the tools that work for the sender and that the token's scopes allow."""
        _refuse_cursor(params)
        sender = sender_of(context)
        may = sender.caller.principal.may
        hidden = frozenset[str]() if sender.has_checkout else OF_A_CHECKOUT
        listed = [
            types.Tool.model_validate(tool)
            for tool in tools_of(sender.profile)
            if tool["name"] not in hidden and NEEDS[str(tool["name"])] in may
        ]
        return types.ListToolsResult(tools=listed)

    async def _call_tool(
        self, context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        name, arguments = params.name, dict(params.arguments or {})
        if name in OF_A_CHECKOUT and not sender_of(context).has_checkout:
            raise MCPError(INVALID_PARAMS, _NO_CHECKOUT.format(name=name))
        if name not in TOOL_BY_NAME:
            raise MCPError(INVALID_PARAMS, f"Unknown tool: {name[:80]}")
        return await self._called(context, name, arguments)

    async def _called(self, context: Context, name: str, arguments: Json) -> types.CallToolResult:
        reports = ProgressReports(context)
        client = ClientSide(
            name=_client_name(context),
            checked=reports.check,
            told=reports.tell,
        )
        sender = sender_of(context)
        try:
            result = await self._calls.call(
                sender, name, arguments, client=client, writes=name not in READING | OWN_UNITS
            )
        except HoldfastError as error:
            result = failed(worded(error))
        finally:
            await reports.finish()
        return types.CallToolResult.model_validate(shown(result))

    async def _list_resources(
        self, context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        _refuse_cursor(params)
        return types.ListResourcesResult.model_validate(
            await self._asked(context, "resources/list", {})
        )

    async def _list_templates(
        self, _context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        _refuse_cursor(params)
        return types.ListResourceTemplatesResult.model_validate({"resourceTemplates": TEMPLATES})

    async def _read_resource(
        self, context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        found = await self._asked(context, "resources/read", {"uri": str(params.uri)})
        return types.ReadResourceResult.model_validate(found)

    async def _list_prompts(
        self, _context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListPromptsResult:
        _refuse_cursor(params)
        return types.ListPromptsResult.model_validate({"prompts": PROMPTS})

    async def _get_prompt(
        self, context: Context, params: types.GetPromptRequestParams
    ) -> types.GetPromptResult:
        given: Json = {"name": params.name, "arguments": dict(params.arguments or {})}
        return types.GetPromptResult.model_validate(
            await self._asked(context, "prompts/get", given)
        )

    async def _complete(
        self, context: Context, params: types.CompleteRequestParams
    ) -> types.CompleteResult:
        given = params.model_dump(by_alias=True, mode="json", exclude_none=True)
        return types.CompleteResult.model_validate(
            await self._asked(context, "completion/complete", given)
        )

    async def _asked(self, context: Context, method: str, params: Json) -> Json:
        try:
            return as_object(shown(await self._calls.ask(sender_of(context), method, params)))
        except RefusedError as error:
            raise MCPError(error.code, error.message, error.data) from error
        except HoldfastError as error:
            raise MCPError(INTERNAL_ERROR, worded(error)) from error


class _SessionlessServer(Server[Any]):
    """A server that keeps no sessions, and does not promise what needs one."""

    def get_capabilities(
        self,
        notification_options: NotificationOptions | None = None,
        experimental_capabilities: dict[str, dict[str, Any]] | None = None,
        extensions: dict[str, dict[str, Any]] | None = None,
        *,
        protocol_version: str | None = None,
    ) -> types.ServerCapabilities:
        """Return what the server can do; a handshake's subscription would belong to a session."""
        found = super().get_capabilities(
            notification_options,
            experimental_capabilities,
            extensions,
            protocol_version=protocol_version,
        )
        if found.resources is not None and protocol_version not in MODERN_PROTOCOL_VERSIONS:
            found.resources.subscribe = False
        return found


class ProgressReports:
    """Carries reports of progress from the thread of a call to its client."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._loop = asyncio.get_running_loop()
        self._sent: list[Any] = []
        self._last = -1.0
        self._is_over = False

    def check(self) -> None:
        """Return if somebody still waits for the call.

        Raises:
            CallCancelledError: Nobody does.
        """
        if self._is_over:
            raise CallCancelledError

    def tell(self, done: float, total: float, words: str) -> None:
        """Send a report; the number always rises. It is called in the thread of the call."""
        if done <= self._last:
            return
        self._last = done
        report = self._context.session.report_progress(done, total, escaped(words))
        self._sent.append(asyncio.run_coroutine_threadsafe(report, self._loop))

    async def finish(self) -> None:
        """Wait until every report is sent, and stop the call if it is still under way."""
        self._is_over = True
        waiting = [asyncio.wrap_future(one) for one in self._sent]
        await asyncio.gather(*waiting, return_exceptions=True)


def _refuse_cursor(params: types.PaginatedRequestParams | None) -> None:
    if params is not None and params.cursor is not None:
        raise MCPError(INVALID_PARAMS, "There is no such page; one holds them all.")


def _client_name(context: Context) -> str:
    told = context.session.client_params
    return "" if told is None or told.client_info is None else told.client_info.name
