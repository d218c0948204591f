"""Errors as problem details (RFC 9457): a status for each family, and some codes of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from starlette.responses import Response

from holdfast.domain.memory.callers import Operation
from holdfast.surfaces.http.field_paths import field_path
from holdfast.surfaces.wire.failures import advised, error_json, outward
from holdfast.surfaces.wire.json_text import json_text

if TYPE_CHECKING:
    from holdfast.domain.errors import HoldfastError
    from holdfast.surfaces.http.table import Json, Route
    from holdfast.surfaces.wire.failures import Advice, Facts

PROBLEM = "application/problem+json"
STATUSES = {
    "not-authenticated": 401,
    "may-not": 403,
    "host-not-allowed": 403,
    "origin-not-allowed": 403,
    "method-not-allowed": 405,
    "body-too-large": 413,
    "url-too-long": 414,
    "content-type": 415,
    "not-http": 400,
    "not-json": 400,
    "rate-limited": 429,
    "quota-reached": 429,
    "proposed-too-fast": 429,
    "too-many-waiting": 429,
    "headers-too-large": 431,
}
"""The codes whose status is not that of their family."""
BUG_STATUS = 500
_TITLES = {
    400: "Malformed request",
    401: "Not authenticated",
    403: "Not allowed",
    404: "Not found",
    405: "Method not allowed",
    409: "Conflict",
    412: "Changed since it was read",
    413: "Body too large",
    414: "URL too long",
    415: "Content type not taken",
    422: "Invalid request",
    429: "Too many",
    431: "Headers too large",
    500: "Internal error",
    503: "Not available now",
}
TITLES = dict(_TITLES)
"""The title of a problem by its status."""
_RETRY_SECONDS = 1
_QUOTA_SECONDS = 3_600
_ASK_A_PERSON = frozenset({"proposed-too-fast", "quota-reached", "too-many-waiting"})


def _rights(facts: Facts) -> str:
    """Return which token would do."""
    if facts.get("scope"):
        return f"Use a token with the scope '{facts.get('scope')}'."
    if facts.get("operation") == Operation.SERVE:
        return "Use a token of the kind 'service' that was not made for the store of one user."
    if facts.get("operation") == Operation.EXPORT:
        return "Use the token of a person, or one of the kind 'service'."
    return "Use the token of a person, or ask one."


def _ready(facts: Facts) -> str:
    """Return what says why nothing can start, or how to add the first task."""
    route = "GET /v1/tasks/ready says why." if facts["held"] else "POST /v1/tasks adds one."
    return f"{route} Tasks belong to the repository that the parameter 'repo' names."


ADVICE: dict[str, Advice] = {
    "agents-word": "Cite a URL, 'commit:<hash>', 'command:<line>' or the bundle it came from.",
    "body-too-large": "Send less at once.",
    "content-type": "Send a JSON object with the header 'Content-Type: application/json', without"
    " 'Content-Encoding'.",
    "host-not-allowed": "The operator of the server can allow a host with --allow-host.",
    "idempotency-key-reused": "Use a new key for a new request.",
    "may-not": _rights,
    "no-encryption-key": "The operator of the server can make one with the verb 'key create'.",
    "encryption-key-missing": "The operator of the server can add it with the verb 'key add'.",
    "no-evidence": "Cite a URL, 'commit:<hash>', 'command:<line>' or the bundle it came from.",
    "no-repository": "Name the repository with the parameter 'repo', or use the scope 'global'.",
    "not-authenticated": "Send the header 'Authorization: Bearer <token>'.",
    "not-http": "Send the headers Host and Content-Length once each, and repeat no header that may"
    " occur only once.",
    "not-json": "Send one JSON object, in UTF-8.",
    "nothing-ready": _ready,
    "nothing-to-undo": "GET /v1/decisions lists the decisions of everybody.",
    "origin-not-allowed": "The operator of the server can allow an origin with --allow-origin.",
    "rate-limited": "Wait for the seconds that the header Retry-After names.",
    "proposed-too-fast": "Propose less, or later.",
    "too-many-waiting": "Propose nothing more until a person has decided about some in a review.",
    "version-changed": "Send its new ETag as If-Match.",
}
"""Advice by code, in the words of this door."""


def status_of(error: HoldfastError) -> int:
    """Return the status of an error."""
    return STATUSES.get(error.code) or outward(error).http_status


def problem_json(error: HoldfastError, route: Route | None = None) -> Json:
    """Return an error as problem details; the route tells where a refused field is."""
    shape = error_json(error, advised(error, ADVICE))
    status = status_of(error)
    facts = cast("Json", shape["facts"])
    if "field" in facts:
        facts = {**facts, "field": field_path(str(facts["field"]), route)}
    return {
        "type": f"urn:holdfast:error:{error.code}",
        "title": TITLES[status],
        "status": status,
        "detail": shape["message"],
        "code": shape["code"],
        "family": shape["family"],
        "advice": shape["advice"],
        "facts": facts,
    }


def problem(error: HoldfastError, route: Route | None = None) -> Response:
    """Return the response of an error to a request of a route."""
    status = status_of(error)
    headers: dict[str, str] = {}
    if status == STATUSES["not-authenticated"]:
        headers["WWW-Authenticate"] = 'Bearer realm="holdfast"'
    if outward(error).retry or status == STATUSES["rate-limited"]:
        headers["Retry-After"] = str(_seconds(error))
    return sent(problem_json(error, route), status=status, headers=headers, media_type=PROBLEM)


def _seconds(error: HoldfastError) -> int:
    given = error.facts.get("seconds")
    if isinstance(given, int):
        return given
    return _QUOTA_SECONDS if error.code in _ASK_A_PERSON else _RETRY_SECONDS


def bug() -> Response:
    """Return the response of a bug in Holdfast; the log has the rest."""
    body: Json = {
        "type": "urn:holdfast:error:bug",
        "title": TITLES[BUG_STATUS],
        "status": BUG_STATUS,
        "detail": "An internal error; the log of the server has the place.",
        "code": "bug",
        "family": "bug",
        "advice": "Report it to the operator of the server, with the id of the request.",
        "facts": {},
    }
    return sent(body, status=BUG_STATUS, media_type=PROBLEM)


def sent(
    body: Json,
    *,
    status: int,
    headers: dict[str, str] | None = None,
    media_type: str = "application/json",
) -> Response:
    """Return a response with JSON."""
    return Response(
        json_text(body),
        status_code=status,
        headers=headers,
        media_type=media_type,
    )
