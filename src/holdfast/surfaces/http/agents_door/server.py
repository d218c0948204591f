"""The SDK's server with our catalogue and our tools behind it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import mcp_types as types
from mcp.server.lowlevel.server import Server
from mcp.shared.exceptions import MCPError

from holdfast.domain.errors import HoldfastError
from holdfast.surfaces.http.agents_door.senders import sender_of
from holdfast.surfaces.mcp.advice import worded
from holdfast.surfaces.mcp.calling import (
    CallCancelledError,
    ClientSide,
    PersonAnswer,
    PersonAskedError,
)
from holdfast.surfaces.mcp.catalogue import tools_of
from holdfast.surfaces.mcp.listed.addresses import PROMPTS, TEMPLATES
from holdfast.surfaces.mcp.listed.instructions import INSTRUCTIONS
from holdfast.surfaces.mcp.pending import OpenQuestions, asked_in_result
from holdfast.surfaces.mcp.protocol import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    MODERN_VERSIONS,
    SERVER_INFO,
    RefusedError,
    as_object,
)
from holdfast.surfaces.mcp.results import failed
from holdfast.surfaces.mcp.tools.every import NEEDS, ON_A_SERVER, READING

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

    from holdfast.surfaces.http.agents_door.senders import SenderCalls
    from holdfast.surfaces.http.agents_door.streams import ResourceWatch
    from holdfast.surfaces.mcp.protocol import Json

    Context = ServerRequestContext[Any, Any]

_CANNOT_ASK = "The client's user could not be asked."


class AgentServer:
    """Answers the methods of the protocol for the SDK."""

    def __init__(self, calls: SenderCalls, watch: ResourceWatch) -> None:
        self._calls = calls
        self._watch = watch
        self._questions = OpenQuestions()

    def server(self) -> Server[Any]:
        """Return the SDK's server."""
        return Server(
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
        """List the tools that work on a server and that the token's scopes allow."""
        _refuse_cursor(params)
        sender = sender_of(context)
        may = sender.caller.principal.may
        listed = [
            types.Tool.model_validate(tool)
            for tool in tools_of(sender.profile)
            if tool["name"] in ON_A_SERVER and NEEDS[str(tool["name"])] in may
        ]
        return types.ListToolsResult(tools=listed)

    async def _call_tool(
        self, context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        name, arguments = params.name, dict(params.arguments or {})
        if name not in ON_A_SERVER:
            raise MCPError(INVALID_PARAMS, f"Unknown tool: {name[:80]}")
        answer = None
        if context.protocol_version in MODERN_VERSIONS:
            raw = params.model_dump(by_alias=True, mode="json", exclude_none=True)
            answer = self._questions.answer(raw, name, arguments)
        try:
            return await self._called(context, name, arguments, answer)
        except PersonAskedError as asked:
            if context.protocol_version in MODERN_VERSIONS:
                state = self._questions.put(name, arguments, asked.message)
                shape = {**asked_in_result(asked, state), "resultType": "input_required"}
                return types.InputRequiredResult.model_validate(shape)
            return await self._called(context, name, arguments, await _asked(context, asked))

    async def _called(
        self, context: Context, name: str, arguments: Json, answer: PersonAnswer | None
    ) -> types.CallToolResult:
        reports = ProgressReports(context)
        client = ClientSide(
            name=_client_name(context),
            may_ask=_may_ask(context),
            answer=answer,
            checked=reports.check,
            told=reports.tell,
        )
        sender = sender_of(context)
        try:
            result = await self._calls.call(
                sender, name, arguments, client=client, writes=name not in READING
            )
        except HoldfastError as error:
            result = failed(worded(error))
        finally:
            await reports.finish()
        return types.CallToolResult.model_validate(result)

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
            return await self._calls.ask(sender_of(context), method, params)
        except RefusedError as error:
            raise MCPError(error.code, error.message, error.data) from error
        except HoldfastError as error:
            raise MCPError(INTERNAL_ERROR, worded(error)) from error


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
        report = self._context.session.report_progress(done, total, words)
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


def _may_ask(context: Context) -> bool:
    capabilities = context.session.client_capabilities
    declared = None if capabilities is None else capabilities.elicitation
    if declared is None or (declared.url is not None and declared.form is None):
        return False
    return context.protocol_version in MODERN_VERSIONS or context.session.can_send_request


async def _asked(context: Context, asked: PersonAskedError) -> PersonAnswer:
    """Ask the client's user in the handshake era, and return the answer."""
    schema = as_object(asked.form()["requestedSchema"])
    try:
        said = await context.session.elicit_form(
            asked.message, schema, related_request_id=context.request_id
        )
    except MCPError as error:
        raise MCPError(INTERNAL_ERROR, _CANNOT_ASK) from error
    return PersonAnswer.read(asked.message, said.model_dump(by_alias=True, mode="json"))
