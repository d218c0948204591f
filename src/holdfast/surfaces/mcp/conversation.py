"""The session with one client: each message in gives the messages out.

Static answers are immediate; only a call about memories opens the memory.
"""

from __future__ import annotations

from time import monotonic

from holdfast.surfaces.mcp.listed.instructions import INSTRUCTIONS
from holdfast.surfaces.mcp.protocol import (
    CAPABILITIES,
    HANDSHAKE_VERSIONS,
    INVALID_PARAMS,
    INVALID_REQUEST,
    LONGEST_LINE,
    METHOD_NOT_FOUND,
    MODERN_VERSIONS,
    SERVER_INFO,
    Notice,
    RefusedError,
    Request,
    Response,
    as_modern_result,
    as_object,
    check_envelope,
    client_name,
    may_ask,
    read_message,
    refusal,
    reply,
)
from holdfast.surfaces.mcp.watching import Subscriptions

TYPE_CHECKING = False  # same value as in the typing module, without the cost of importing it
if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.surfaces.mcp.calls import Calls
    from holdfast.surfaces.mcp.pending import PendingCalls
    from holdfast.surfaces.mcp.protocol import Json

# The tools change only with the version of the program.
_KEEP: Json = {"ttlMs": 3_600_000, "cacheScope": "public"}
_FRESH: Json = {"ttlMs": 0, "cacheScope": "private"}
_ASKED = ("resources/list", "resources/read", "prompts/get", "completion/complete")
_CACHED = ("resources/list", "resources/read")


def _full() -> str:
    return "full"


def _nothing() -> list[bytes]:
    return []


class Conversation:
    """Answers the messages of one client.

    ``send`` takes each message out. ``profile`` names the tools to list. ``arrived`` returns the
    lines that came in meanwhile, so that a call under way can be cancelled. ``now`` counts seconds.
    """

    def __init__(
        self,
        calls: Calls,
        *,
        send: Callable[[bytes], None],
        profile: Callable[[], str] = _full,
        arrived: Callable[[], list[bytes]] = _nothing,
        now: Callable[[], float] = monotonic,
    ) -> None:
        self._calls = calls
        self._send = send
        self._profile = profile
        self._arrived = arrived
        self._now = now
        self._client = ""
        self._may_ask = False
        self._subscriptions = Subscriptions(calls, send=send)
        self._pending: PendingCalls | None = None

    @property
    def watches(self) -> bool:
        """Whether the client waits to be told about changes, or a call waits for an answer."""
        return self._subscriptions.watches or (self._pending is not None and self._pending.waits)

    def hear(self, line: bytes) -> None:
        """Answer a line, and everything that came in while it was answered."""
        self._hear(line)
        while self._pending is not None and (waiting := self._pending.next_line()) is not None:
            self._hear(waiting)

    def look(self) -> None:
        """Tell the client what changed since the last look, and end calls that wait too long."""
        if self._pending is not None:
            self._pending.look()
        self._subscriptions.look()

    def refuse_long_line(self) -> None:
        """Answer a line that is too long."""
        size = f"{LONGEST_LINE:,} bytes"
        self._send(refusal(RefusedError(INVALID_REQUEST, f"A message may have at most {size}.")))

    def _hear(self, line: bytes) -> None:
        if not line.strip():
            return
        try:
            message = read_message(line)
        except RefusedError as error:
            self._send(refusal(error))
            return
        match message:
            case Request():
                self._answer(message)
            case Notice(method="notifications/cancelled"):
                self._cancelled(message)
            case Response() if self._pending is not None:
                self._pending.answered(message)
            case _:
                return

    def _answer(self, request: Request) -> None:
        try:
            result = self._result(request)
        except RefusedError as error:
            self._send(refusal(error, request_id=request.id))
            return
        if result is not None:
            self._send(reply(request.id, result))

    def _result(self, request: Request) -> Json | None:
        """Return the result of a request; None if it comes later, or is sent elsewhere."""
        if request.method == "initialize":
            return self._greeting(request)
        if request.is_modern:
            check_envelope(request)
        if request.method == "server/discover":
            return as_modern_result(_discovery())
        if request.method == "tools/call":
            self._call(request)
            return None
        if request.is_modern and request.method == "subscriptions/listen":
            self._subscriptions.listen(request)
            return None
        if not request.is_modern and (answer := self._of_handshake(request)) is not None:
            return answer
        result = self._listed(request)
        return as_modern_result(result) if request.is_modern else result

    def _of_handshake(self, request: Request) -> Json | None:
        """Return the answer to a method that only the handshake era has; None for others."""
        match request.method:
            case "ping":
                return {}
            case "resources/subscribe":
                return self._subscriptions.subscribe(request.params)
            case "resources/unsubscribe":
                return self._subscriptions.unsubscribe(request.params)
            case _:
                return None

    def _listed(self, request: Request) -> Json:
        method = request.method
        found: Json
        if method in _ASKED:
            found = self._calls.ask(method, request.params)
            return {**found, **_FRESH} if request.is_modern and method in _CACHED else found
        # Imported when asked for: the greeting comes first, and a client waits for it.
        match method:
            case "tools/list":
                from holdfast.surfaces.mcp.catalogue import tools_of

                found = {"tools": tools_of(self._profile())}
            case "prompts/list" | "resources/templates/list":
                from holdfast.surfaces.mcp.listed.addresses import PROMPTS, TEMPLATES

                is_prompts = method == "prompts/list"
                found = {"prompts": PROMPTS} if is_prompts else {"resourceTemplates": TEMPLATES}
            case _:
                raise RefusedError(METHOD_NOT_FOUND, f"Method not found: {method[:80]}")
        if request.params.get("cursor") is not None:
            raise RefusedError(INVALID_PARAMS, "There is no such page; one holds them all.")
        return {**found, **_KEEP} if request.is_modern else found

    def _greeting(self, request: Request) -> Json:
        self._client = client_name(request.params.get("clientInfo"))
        self._may_ask = may_ask(request.params.get("capabilities"))
        wanted = request.params.get("protocolVersion")
        return {
            "protocolVersion": wanted if wanted in HANDSHAKE_VERSIONS else HANDSHAKE_VERSIONS[-1],
            "capabilities": CAPABILITIES,
            "serverInfo": SERVER_INFO,
            "instructions": INSTRUCTIONS,
        }

    def _call(self, request: Request) -> None:
        from holdfast.surfaces.mcp.catalogue import TOOL_NAMES

        name, arguments = request.params.get("name"), request.params.get("arguments")
        if not isinstance(name, str):
            raise RefusedError(INVALID_PARAMS, "The params need the tool's name.")
        if name not in TOOL_NAMES:
            raise RefusedError(INVALID_PARAMS, f"Unknown tool: {name[:80]}")
        if arguments is not None and not isinstance(arguments, dict):
            raise RefusedError(INVALID_PARAMS, "The arguments must be an object.")
        if not request.is_modern:
            request.client, request.may_ask = self._client, self._may_ask
        if self._pending is None:
            # Imported with the first call: it needs more of the standard library.
            from holdfast.surfaces.mcp.pending import PendingCalls

            self._pending = PendingCalls(
                self._calls, send=self._send, arrived=self._arrived, now=self._now
            )
        self._pending.run(request, name, as_object(arguments))
        self._subscriptions.look()

    def _cancelled(self, notice: Notice) -> None:
        request_id = notice.params.get("requestId")
        self._subscriptions.cancel(request_id)
        if self._pending is not None:
            self._pending.cancel(request_id)


def _discovery() -> Json:
    return {
        "supportedVersions": list(MODERN_VERSIONS),
        "capabilities": CAPABILITIES,
        "instructions": INSTRUCTIONS,
        **_KEEP,
    }
