"""The session with one client: each line in gives at most one line out, in order.

Static answers are immediate; only a tool call opens the memory.
"""

from __future__ import annotations

from holdfast.surfaces.mcp.catalogue import INSTRUCTIONS, TOOLS
from holdfast.surfaces.mcp.protocol import (
    CAPABILITIES,
    HANDSHAKE_VERSIONS,
    INVALID_PARAMS,
    INVALID_REQUEST,
    LONGEST_LINE,
    METHOD_NOT_FOUND,
    MODERN_VERSIONS,
    SERVER_INFO,
    RefusedError,
    as_modern_result,
    as_object,
    check_envelope,
    client_name,
    read_request,
    refusal,
    reply,
)

TYPE_CHECKING = False  # same value as in the typing module, without the cost of importing it
if TYPE_CHECKING:
    from typing import Protocol

    from holdfast.surfaces.mcp.protocol import Json, Request

    class ToolCaller(Protocol):
        """Runs a tool call; it returns a result for every call, also after a failure."""

        def __call__(self, name: str, arguments: Json, *, client: str) -> Json:
            """Return the result of the call; an error is a result with its message."""
            ...


# The tools change only with the version of the program.
_KEEP: Json = {"ttlMs": 3_600_000, "cacheScope": "public"}
_TOOL_NAMES = frozenset(str(tool["name"]) for tool in TOOLS)


class Conversation:
    """Answers the messages of one client; it keeps the client's name from the handshake."""

    def __init__(self, call: ToolCaller) -> None:
        self._call = call
        self._client = ""

    def answer(self, line: bytes) -> bytes | None:
        """Return the answer to a line, or None if it needs none."""
        if not line.strip():
            return None
        try:
            request = read_request(line)
        except RefusedError as error:
            return refusal(error)
        if request is None:
            return None
        try:
            return reply(request.id, self._result(request))
        except RefusedError as error:
            return refusal(error, request_id=request.id)

    def refuse_long_line(self) -> bytes:
        """Return the answer to a line that is too long."""
        size = f"{LONGEST_LINE:,} bytes"
        return refusal(RefusedError(INVALID_REQUEST, f"A message may have at most {size}."))

    def _result(self, request: Request) -> Json:
        if request.method == "initialize":
            return self._greeting(request)
        if request.is_modern:
            check_envelope(request)
        if request.method == "server/discover":
            return as_modern_result(_discovery())
        if request.method == "ping" and not request.is_modern:
            return {}
        result = self._tools_result(request)
        return as_modern_result(result) if request.is_modern else result

    def _tools_result(self, request: Request) -> Json:
        match request.method:
            case "tools/list":
                if request.params.get("cursor") is not None:
                    raise RefusedError(
                        INVALID_PARAMS, "There is no such page; one holds all tools."
                    )
                return {"tools": TOOLS, **_KEEP} if request.is_modern else {"tools": TOOLS}
            case "tools/call":
                return self._called(request)
            case method:
                raise RefusedError(METHOD_NOT_FOUND, f"Method not found: {method[:80]}")

    def _greeting(self, request: Request) -> Json:
        self._client = client_name(request.params.get("clientInfo"))
        wanted = request.params.get("protocolVersion")
        return {
            "protocolVersion": wanted if wanted in HANDSHAKE_VERSIONS else HANDSHAKE_VERSIONS[-1],
            "capabilities": CAPABILITIES,
            "serverInfo": SERVER_INFO,
            "instructions": INSTRUCTIONS,
        }

    def _called(self, request: Request) -> Json:
        name, arguments = request.params.get("name"), request.params.get("arguments")
        if not isinstance(name, str):
            raise RefusedError(INVALID_PARAMS, "The params need the tool's name.")
        if name not in _TOOL_NAMES:
            raise RefusedError(INVALID_PARAMS, f"Unknown tool: {name[:80]}")
        if arguments is not None and not isinstance(arguments, dict):
            raise RefusedError(INVALID_PARAMS, "The arguments must be an object.")
        client = request.client if request.is_modern else self._client
        return self._call(name, as_object(arguments), client=client)


def _discovery() -> Json:
    return {
        "supportedVersions": list(MODERN_VERSIONS),
        "capabilities": CAPABILITIES,
        "instructions": INSTRUCTIONS,
        **_KEEP,
    }
