"""What a reply tells: whether a Holdfast server sent it, its object, and its problem in words."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from holdfast.adapters.http.requesting import HttpReply

_LONGEST_DETAIL = 300
_OLD_REQUEST_ID = re.compile(r"[0-9a-f]{16}")


def is_from_holdfast(reply: HttpReply) -> bool:
    """Tell whether an answer has the header that a Holdfast server adds to each.

    A proxy may replace ``X-Request-Id``, the only sign of an answer of an older server.
    """
    if reply.headers.get("holdfast-request"):
        return True
    return _OLD_REQUEST_ID.fullmatch(reply.headers.get("x-request-id", "")) is not None


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
