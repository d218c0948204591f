"""The target of a request: its host and its path, as routes are matched with it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote, unquote_to_bytes

if TYPE_CHECKING:
    from starlette.types import Scope

DOOR = "/v1/"
"""The beginning of the paths for programs."""
_ABSOLUTE = re.compile(rb"https?://(?P<host>[^/]+)(?P<path>/.*)?", re.IGNORECASE)


def in_origin_form(scope: Scope) -> Scope:
    """Return the scope of a request whose target is a path.

    A target may be a whole URL, as for a proxy. Its host counts then, and not the header Host
    (RFC 9112, 3.2.2).
    """
    found = _ABSOLUTE.fullmatch(scope["raw_path"])
    if found is None:
        return scope
    raw_path = found["path"] or b"/"
    others = [one for one in scope["headers"] if one[0] != b"host"]
    return {
        **scope,
        "raw_path": raw_path,
        "path": unquote(raw_path.decode("ascii")),
        "headers": [(b"host", found["host"]), *others],
    }


def with_quoted_path(scope: Scope) -> Scope:
    """Return the scope of a request whose path is still quoted, if it is one for programs.

    The path of a scope has a slash for each ``%2F``, so that a key with a slash would be two parts
    of it. Each part is quoted in one way, whatever the client quoted.
    """
    if not scope["path"].startswith(DOOR):
        return scope
    parts = scope["raw_path"].split(b"/")
    return {**scope, "path": "/".join(quote(unquote_to_bytes(part), safe="") for part in parts)}
