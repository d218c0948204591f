"""A request to a Holdfast server, as it is sent, cached and kept in the outbox."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import UnstorableTextError
from holdfast.domain.fields import Fields
from holdfast.domain.service.remotes import RemoteRequest

if TYPE_CHECKING:
    Json = dict[str, object]


def request_json(request: RemoteRequest) -> Json:
    """Return the JSON of a request."""
    return {"method": request.method, "target": request.target, "body": request.body}


def request_from_json(shape: object) -> RemoteRequest:
    """Read a request."""
    fields = Fields(shape, noun="request")
    return RemoteRequest(
        method=fields.text("method"), target=fields.text("target"), body=fields.maybe_text("body")
    )


def request_to(
    method: str, path: str, *, query: Json | None = None, body: Json | None = None
) -> RemoteRequest:
    """Return the request for a route; a list in the query is repeated, None is left out.

    Raises:
        UnstorableTextError: A text cannot be sent.
    """
    import json
    from urllib.parse import urlencode

    words = [
        (name, sendable(_word(one)))
        for name, value in (query or {}).items()
        for one in (value if isinstance(value, list | tuple) else [value])
        if one is not None
    ]
    target = f"{path}?{urlencode(words)}" if words else path
    text = None if body is None else json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    return RemoteRequest(method=method, target=target, body=text and sendable(text))


def sendable(text: str) -> str:
    """Return a text that can be encoded.

    Raises:
        UnstorableTextError: It cannot.
    """
    try:
        text.encode()
    except UnicodeEncodeError as error:
        problem = "It holds half a character."
        raise UnstorableTextError(what="text", problem=problem) from error
    return text


def _word(value: object) -> str:
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)
