"""Where in a request a refused field is: ``body.x``, ``query.x``, ``path.x`` or ``header.x``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

from holdfast.surfaces.wire.schema.service import PLACE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from holdfast.surfaces.http.table import Json, Route

_BY_A_SCHEMA = re.compile(r"(?:(parameter)|(?:request|body|claim|task)'s) (.+)")
_HEADERS = ("If-Match", "Idempotency-Key")
_PARTS = ("body.", "query.", "path.", "header.")
_OTHER_NAMES = {
    "question": ("q", "query"),
    "expiry": ("ttl", "expiresAt"),
    "check": ("checks",),
    "tag": ("tags",),
    "least similarity": ("minSimilarity",),
    "tenant": ("tenantId",),
    "user": ("userId",),
    "type of the relationship": ("relationshipType",),
    "kind of link": ("kind",),
    "link": ("dst", "targetId"),
    "list of tasks before it": ("after",),
    "commit of a turn": ("commit",),
    "branch of a turn": ("branch",),
    "reference": ("id",),
}
"""What the rules of the application call a field, and its names in requests."""


def field_path(field: str, route: Route | None) -> str:
    """Return where a field is in the requests of a route; the field itself if it is in no part.

    A schema names the part of the request. A rule of the application knows only its own name for
    the field, and the schemas of the route tell the rest.
    """
    if field.startswith(_PARTS):
        return field
    if field in _HEADERS:
        return f"header.{field}"
    named = _BY_A_SCHEMA.fullmatch(field)
    if named is not None and named[1]:
        return f"query.{_bare(named[2])}"
    name = _bare(field if named is None else named[2])
    found = None if route is None else next(_places(name, route), None)
    if found is None:
        return field if named is None else f"body.{name}"
    return found


def _bare(name: str) -> str:
    return name.replace("'", "")


def _places(name: str, route: Route) -> Iterator[str]:
    body = _properties(route.body or {})
    parts = {
        "body": {_plain(one): one for one in body},
        "query": {_plain(one): one for one in (*route.query, *PLACE)},
        "path": {_plain(one): one for one in re.findall(r"\{(\w+)\}", route.path)},
        # A rule does not know which one of a list it refuses.
        **{
            f"body.{name}[]": {_plain(one): one for one in _properties(_items(schema))}
            for name, schema in body.items()
        },
    }
    top, dot, rest = name.partition(".")
    for wanted in (top, *_OTHER_NAMES.get(top, ())):
        for part, names in parts.items():
            if _plain(wanted) in names:
                yield f"{part}.{names[_plain(wanted)]}{dot}{rest}"


def _properties(schema: Mapping[str, object]) -> dict[str, Json]:
    return cast("dict[str, Json]", schema.get("properties") or {})


def _items(schema: Json) -> Json:
    return cast("Json", schema.get("items") or {})


def _plain(name: str) -> str:
    """Return a name without what differs between a schema and a sentence."""
    return re.sub(r"[ _-]", "", name).lower()
