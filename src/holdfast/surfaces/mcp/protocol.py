"""The messages of the protocol: validation, both protocol eras, and replies.

It is imported before the first answer, so it imports very little itself.
"""

from __future__ import annotations

import json

from holdfast import __version__
from holdfast.surfaces.wire.json_text import json_text, shown

Json = dict[str, object]

HANDSHAKE_VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
MODERN_VERSIONS = ("2026-07-28",)
SERVER_INFO: Json = {"name": "holdfast", "title": "Holdfast", "version": __version__}
CAPABILITIES: Json = {
    "tools": {"listChanged": False},
    "resources": {"subscribe": True, "listChanged": False},
    "prompts": {"listChanged": False},
    "completions": {},
}
LONGEST_LINE = 4 * 1024 * 1024

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
UNSUPPORTED_VERSION = -32022

_META = "io.modelcontextprotocol/"
_VERSION_KEY = f"{_META}protocolVersion"
_CAPABILITIES_KEY = f"{_META}clientCapabilities"
_CLIENT_KEY = f"{_META}clientInfo"
SUBSCRIPTION_KEY = f"{_META}subscriptionId"
"""The key in ``_meta`` that tells to which subscription a notification belongs."""
_OF_THE_CLIENT = ("progressToken", "requestId", "_meta")
"""The params of a notification that name a request; they go back as the client wrote them."""
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class RefusedError(Exception):
    """The message cannot be answered; the client is told why in the protocol's own way."""

    def __init__(
        self,
        code: int,
        message: str,
        *,
        request_id: int | str | None = None,
        data: Json | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.request_id = request_id
        self.data = data


class Request:
    """A request of the client; ``client``, ``may_ask`` and ``is_modern`` are of its envelope."""

    __slots__ = ("client", "id", "is_modern", "may_ask", "method", "params", "progress_token")

    def __init__(self, request_id: int | str, method: str, params: Json) -> None:
        self.id = request_id
        self.method = method
        self.params = params
        meta = as_object(params.get("_meta"))
        self.is_modern = _VERSION_KEY in meta
        self.client = client_name(meta.get(_CLIENT_KEY))
        self.may_ask = may_ask(meta.get(_CAPABILITIES_KEY))
        token = meta.get("progressToken")
        self.progress_token = token if _is_id(token) else None


class Notice:
    """A notification of the client, which gets no answer."""

    __slots__ = ("method", "params")

    def __init__(self, method: str, params: object) -> None:
        self.method = method
        self.params = as_object(params)


class Response:
    """The client's answer to a request of ours; ``result`` is None for an error."""

    __slots__ = ("id", "result")

    def __init__(self, request_id: object, result: object) -> None:
        self.id = request_id
        self.result = result


def read_message(line: bytes) -> Request | Notice | Response:
    """Return the message on a line.

    Raises:
        RefusedError: It is not a message, or not a supported one.
    """
    message = _decoded(line)
    if isinstance(message, list):
        raise RefusedError(
            INVALID_REQUEST, "Batches are not supported; send one message on each line."
        )
    if not isinstance(message, dict):
        raise RefusedError(INVALID_REQUEST, "A message must be a JSON object.")
    request_id = message.get("id")
    known_id = request_id if _is_id(request_id) else None
    problem = _shape_problem(message)
    if problem:
        raise RefusedError(INVALID_REQUEST, problem, request_id=known_id)
    if "method" not in message:
        return Response(request_id, message.get("result"))
    if "id" not in message:
        return Notice(message["method"], message.get("params"))
    if known_id is None:
        raise RefusedError(INVALID_REQUEST, "The id must be text or a whole number.")
    params = message.get("params")
    if params is not None and not isinstance(params, dict):
        raise RefusedError(INVALID_PARAMS, "The params must be an object.", request_id=known_id)
    return Request(known_id, message["method"], params or {})


def may_ask(capabilities: object) -> bool:
    """Return whether a client says that its user can fill in a form."""
    declared = as_object(capabilities).get("elicitation")
    # A client of before the modes of elicitation declares an empty object, and means forms.
    return isinstance(declared, dict) and ("form" in declared or not declared)


def check_envelope(request: Request) -> None:
    """Refuse a modern request with an incomplete envelope or an unsupported version."""
    meta = as_object(request.params.get("_meta"))
    if _CAPABILITIES_KEY not in meta:
        raise RefusedError(INVALID_PARAMS, f"The params' _meta lacks {_CAPABILITIES_KEY}.")
    version = meta[_VERSION_KEY]
    if not isinstance(version, str):
        raise RefusedError(INVALID_PARAMS, f"{_VERSION_KEY} must be text.")
    if version not in MODERN_VERSIONS:
        # Handshake versions are listed too, because a client may fall back to one of them.
        supported = [*MODERN_VERSIONS, *reversed(HANDSHAKE_VERSIONS)]
        raise RefusedError(
            UNSUPPORTED_VERSION,
            "Unsupported protocol version",
            data={"supported": supported, "requested": version},
        )


def client_name(info: object) -> str:
    """Return the client's own name, unchanged; empty if it gives none."""
    name = as_object(info).get("name")
    return name if isinstance(name, str) else ""


def as_object(value: object) -> Json:
    """Return a JSON object unchanged, and any other value as an empty object."""
    return value if isinstance(value, dict) else {}


def as_modern_result(result: Json, *, kind: str = "complete") -> Json:
    """Return a result in the modern format: with its type and the server's name."""
    meta = {**as_object(result.get("_meta")), f"{_META}serverInfo": SERVER_INFO}
    return {**result, "resultType": kind, "_meta": meta}


def reply(request_id: int | str, result: Json) -> bytes:
    """Return the line that answers a request."""
    seen = _shown(result)
    meta = as_object(result.get("_meta"))
    if SUBSCRIPTION_KEY in meta:
        seen["_meta"] = as_object(seen["_meta"]) | {SUBSCRIPTION_KEY: meta[SUBSCRIPTION_KEY]}
    return _line({"jsonrpc": "2.0", "id": request_id, "result": seen})


def notification(method: str, params: Json) -> bytes:
    """Return the line that tells the client something."""
    seen = _shown(params) | {name: params[name] for name in _OF_THE_CLIENT if name in params}
    return _line({"jsonrpc": "2.0", "method": method, "params": seen})


def question(request_id: str, method: str, params: Json) -> bytes:
    """Return the line that asks the client something."""
    return _line({"jsonrpc": "2.0", "id": request_id, "method": method, "params": _shown(params)})


def refusal(error: RefusedError, *, request_id: int | str | None = None) -> bytes:
    """Return the line that refuses a request."""
    body: Json = {"code": error.code, "message": error.message}
    if error.data is not None:
        body["data"] = error.data
    known_id = request_id if request_id is not None else error.request_id
    return _line({"jsonrpc": "2.0", "id": known_id, "error": _shown(body)})


def compact(value: Json) -> str:
    """Return a value as JSON without unneeded spaces, to save tokens."""
    return json_text(value)


def _shown(value: Json) -> Json:
    return as_object(shown(value))


def _line(message: Json) -> bytes:
    # The id and the token of a request go back exactly as the client wrote them. A lone surrogate
    # cannot be sent: strict clients drop the whole line.
    text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace") + b"\n"


def _decoded(line: bytes) -> object:
    try:
        text = line.removeprefix(_BYTE_ORDER_MARK).decode("utf-8")
    except UnicodeDecodeError:
        raise RefusedError(PARSE_ERROR, "The message is not UTF-8.") from None
    try:
        message: object = json.loads(text, parse_constant=_no_number)
    except RecursionError:
        raise RefusedError(PARSE_ERROR, "The message is nested too deeply.") from None
    except ValueError:
        raise RefusedError(PARSE_ERROR, "The message is not JSON.") from None
    return message


def _no_number(word: str) -> object:
    raise ValueError(word)


def _shape_problem(message: Json) -> str:
    if message.get("jsonrpc") != "2.0":
        return 'A message must say "jsonrpc": "2.0".'
    is_response = "result" in message or "error" in message
    if "method" not in message:
        return "" if is_response else "A message needs a method."
    return "" if isinstance(message["method"], str) else "The method must be text."


def _is_id(value: object) -> bool:
    if isinstance(value, str):
        return value.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in value)
    return isinstance(value, int) and not isinstance(value, bool)
