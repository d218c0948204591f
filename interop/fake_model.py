"""A model that says little: it calls the memory tool it is offered, once, and then is done.

It speaks OpenAI's Responses and Chat Completions, Anthropic's Messages and Gemini's
generateContent, each streamed or not, and keeps every request it gets.
"""

from __future__ import annotations

import gzip
import json
import threading
import time
from collections.abc import Iterable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import zstandard

Json = dict[str, Any]
ARGUMENTS: Json = {
    "kind": "gotcha",
    "key": "ledger-rounding",
    "value": "The ledger rounds half to even, so sums of cents differ from a spreadsheet's.",
    "evidence": [{"type": "command", "ref": "pytest tests/ledger"}],
}
DONE = "DONE"


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.requests: list[tuple[str, Json]] = []


class FakeModel:
    """A server on a port of its own, which keeps the path and body of each call."""

    def __init__(self) -> None:
        self._server = _Server()
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def requests(self) -> list[tuple[str, Json]]:
        """What was asked so far."""
        return self._server.requests

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def close(self) -> None:
        """Stop listening."""
        self._server.shutdown()
        self._server.server_close()


class _Handler(BaseHTTPRequestHandler):
    """One call: noted by the server, and answered in the protocol of its path."""

    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's own word
        """Say nothing."""

    def do_GET(self) -> None:
        if "models" in self.path:
            models = [{"id": "fake-model", "object": "model", "name": "models/fake-model"}]
            self._answer({"object": "list", "data": models, "models": models})
        else:
            self._answer({"error": {"message": "not found"}}, code=404)

    def do_HEAD(self) -> None:
        self.send_response(200)
        self.send_header("content-length", "0")
        self.end_headers()

    def do_POST(self) -> None:
        body = _body(self)
        path = self.path.split("?")[0]
        if isinstance(self.server, _Server):
            self.server.requests.append((self.path, body))
        if path.endswith(("/count_tokens", ":countTokens")):
            self._answer({"input_tokens": 10, "totalTokens": 10})
        elif path.endswith("/responses"):
            self._stream(_responses(body), is_named=True)
        elif path.endswith("/messages"):
            self._messages(body)
        elif path.endswith("/chat/completions"):
            self._chat(body)
        elif path.endswith(":streamGenerateContent"):
            self._stream([_gemini(body)], is_named=False)
        elif path.endswith(":generateContent"):
            self._answer(_gemini(body))
        else:
            self._answer({"error": {"message": f"no {path} here"}}, code=404)

    def _messages(self, body: Json) -> None:
        if body.get("stream"):
            self._stream(_messages(body), is_named=True)
            return
        call = _call(_anthropic_tools(body), body.get("messages", []))
        block: Json = {"type": "text", "text": DONE}
        if call:
            block = {"type": "tool_use", "id": "toolu_1", "name": call, "input": ARGUMENTS}
        stop = "tool_use" if call else "end_turn"
        self._answer({**_message(body), "content": [block], "stop_reason": stop})

    def _chat(self, body: Json) -> None:
        chunks = _chat(body)
        if body.get("stream"):
            self._stream(chunks, is_named=False, last="[DONE]")
            return
        first = chunks[0]
        choice = first["choices"][0]
        finish = chunks[1]["choices"][0]["finish_reason"]
        whole = {"index": 0, "message": choice["delta"], "finish_reason": finish}
        self._answer({**first, "object": "chat.completion", "choices": [whole]})

    def _answer(self, shape: Json, *, code: int = 200) -> None:
        content = json.dumps(shape).encode()
        self.send_response(code)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _stream(self, events: Iterable[Json], *, is_named: bool, last: str = "") -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        for event in events:
            if is_named:
                self.wfile.write(f"event: {event['type']}\n".encode())
            self.wfile.write(f"data: {json.dumps(event)}\n\n".encode())
        if last:
            self.wfile.write(f"data: {last}\n\n".encode())
        self.wfile.flush()
        self.close_connection = True


def _body(handler: BaseHTTPRequestHandler) -> Json:
    raw = handler.rfile.read(int(handler.headers.get("content-length") or 0))
    match handler.headers.get("content-encoding"):
        case "zstd":
            raw = zstandard.ZstdDecompressor().decompressobj().decompress(raw)
        case "gzip":
            raw = gzip.decompress(raw)
        case _:
            pass
    try:
        body = json.loads(raw or b"{}")
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def _call(names: Iterable[str], said: object) -> str | None:
    """Return the tool to call: ours, if it is offered and nothing was called yet."""
    text = json.dumps(said)
    if any(mark in text for mark in ("tool_result", "function_call_output", "functionResponse")):
        return None
    if '"role": "tool"' in text:
        return None
    return next((name for name in names if "memory" in name and "create" in name), None)


def _responses(body: Json) -> list[Json]:
    tools: list[tuple[str, str]] = []
    for tool in body.get("tools", []):
        if tool.get("type") == "namespace":
            tools += [
                (str(one.get("name")), str(tool.get("name"))) for one in tool.get("tools", [])
            ]
        elif tool.get("type") == "function":
            tools.append((str(tool.get("name")), ""))
    called = _call([f"{name} {space}" for name, space in tools], body.get("input", []))
    if called:
        name, _, space = called.partition(" ")
        item: Json = {
            "type": "function_call",
            "id": "fc_1",
            "call_id": "call_1",
            "name": name,
            "arguments": json.dumps(ARGUMENTS),
            **({"namespace": space} if space else {}),
        }
    else:
        content = [{"type": "output_text", "text": DONE, "annotations": []}]
        item = {
            "type": "message",
            "id": "msg_1",
            "role": "assistant",
            "status": "completed",
            "content": content,
        }
    usage = {
        "input_tokens": 1,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 1,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 2,
    }
    answer = {"id": "resp_1", "object": "response", "output": [item], "usage": usage}
    begun = {**answer, "output": [], "status": "in_progress"}
    return [
        {"type": "response.created", "response": begun},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": {**answer, "status": "completed"}},
    ]


def _anthropic_tools(body: Json) -> list[str]:
    return [str(tool.get("name", "")) for tool in body.get("tools", [])]


def _message(body: Json) -> Json:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": body.get("model"),
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }


def _messages(body: Json) -> list[Json]:
    call = _call(_anthropic_tools(body), body.get("messages", []))
    block: Json = {"type": "text", "text": ""}
    delta: Json = {"type": "text_delta", "text": DONE}
    if call:
        block = {"type": "tool_use", "id": "toolu_1", "name": call, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(ARGUMENTS)}
    stop = {"stop_reason": "tool_use" if call else "end_turn", "stop_sequence": None}
    begun = {**_message(body), "content": [], "stop_reason": None}
    return [
        {"type": "message_start", "message": begun},
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": stop, "usage": {"output_tokens": 1}},
        {"type": "message_stop"},
    ]


def _chat(body: Json) -> list[Json]:
    names = [tool.get("function", {}).get("name", "") for tool in body.get("tools") or []]
    call = _call(names, body.get("messages", []))
    delta: Json = {"role": "assistant", "content": DONE}
    if call:
        function = {"name": call, "arguments": json.dumps(ARGUMENTS)}
        one = {"index": 0, "id": "call_1", "type": "function", "function": function}
        delta = {"role": "assistant", "content": None, "tool_calls": [one]}
    about = {
        "id": "c1",
        "object": "chat.completion.chunk",
        "created": int(time.time()),
        "model": body.get("model"),
    }
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    first = {"index": 0, "delta": delta, "finish_reason": None}
    last = {"index": 0, "delta": {}, "finish_reason": "tool_calls" if call else "stop"}
    return [{**about, "choices": [first]}, {**about, "choices": [last], "usage": usage}]


def _gemini(body: Json) -> Json:
    offered = [
        one for tool in body.get("tools") or [] for one in tool.get("functionDeclarations", [])
    ]
    call = _call([str(one.get("name", "")) for one in offered], body.get("contents", []))
    part: Json = {"functionCall": {"name": call, "args": ARGUMENTS}} if call else {"text": DONE}
    settings = body.get("generationConfig") or {}
    if settings.get("responseMimeType") == "application/json":
        # It asks beside the conversation, and asks again until the answer has the shape it wants.
        schema = settings.get("responseJsonSchema") or settings.get("responseSchema") or {}
        part = {"text": json.dumps(_filled(schema))}
    content = {"role": "model", "parts": [part]}
    usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
    candidate = {"content": content, "finishReason": "STOP", "index": 0}
    return {"candidates": [candidate], "usageMetadata": usage}


def _filled(schema: Json) -> object:
    """Return something of the shape a schema describes."""
    if schema.get("enum"):
        return schema["enum"][0]
    match str(schema.get("type", "string")).lower():
        case "object":
            return {name: _filled(inner) for name, inner in schema.get("properties", {}).items()}
        case "array":
            return []
        case "integer" | "number":
            return 1
        case "boolean":
            return False
        case _:
            return "none"
