"""What a reply tells: whether a Holdfast server sent it, its object, and its problem in words."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Mapping

    from holdfast.adapters.http.requesting import HttpReply

_LONGEST_DETAIL = 300
_OLD_REQUEST_ID = re.compile(r"[0-9a-f]{16}")
_REDIRECT, _CLIENT_FAULT, _SERVER_FAULT = 300, 400, 500
_NOT_OURS = "is not from a Holdfast server"


def is_from_holdfast(reply: HttpReply) -> bool:
    """Tell whether an answer has the header that a Holdfast server adds to each.

    A proxy may replace ``X-Request-Id``, the only sign of an answer of an older server.
    """
    if reply.headers.get("holdfast-request"):
        return True
    return _OLD_REQUEST_ID.fullmatch(reply.headers.get("x-request-id", "")) is not None


def why_no_answer(reply: HttpReply) -> str:
    """Return why a reply is not an answer of a Holdfast server to the request; empty if it is one.

    Something between may have replied before or after it passed the request on, so that such a
    reply tells nothing about what the server did.
    """
    is_ours, shape = is_from_holdfast(reply), problem_of(reply)
    if reply.status < _REDIRECT:
        if not is_ours:
            return f"answers with a page that {_NOT_OURS}"
        return "" if _is_object(reply.body) else "answers with a text that is not a JSON object"
    if is_ours and shape.get("code"):
        return ""
    if reply.status < _CLIENT_FAULT:
        return f"answers with HTTP {reply.status}, a redirect, and redirects are not followed"
    if reply.status < _SERVER_FAULT:
        return f"answers with HTTP {reply.status}, which {_NOT_OURS}"
    return said(reply, shape)


def _is_object(body: bytes) -> bool:
    try:
        object_of(body)
    except ValueError:
        return False
    return True


def problem_of(reply: HttpReply) -> dict[str, object]:
    """Return the problem that a reply describes; empty if it describes none."""
    try:
        found = cast("dict[str, object]", object_of(reply.body))
    except ValueError:
        return {}
    return found if isinstance(found.get("code", ""), str) else {}


def object_of(body: bytes) -> object:
    """Return the object of a JSON text.

    Raises:
        ValueError: It is not one.
    """
    try:
        found = json.loads(body)
    except RecursionError as error:
        raise ValueError from error
    if not isinstance(found, dict):
        raise ValueError  # noqa: TRY004 - the caller treats every unreadable body alike
    return found


def said(reply: HttpReply, shape: Mapping[str, object]) -> str:
    """Return the status of a reply, and the problem that its body describes."""
    from holdfast.domain.gates.foreign_words import brief

    detail = brief(str(shape.get("detail", "")), longest=_LONGEST_DETAIL)
    return f"answers with HTTP {reply.status}" + (f": {detail}" if detail else "")
