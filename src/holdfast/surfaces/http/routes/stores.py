"""Routes of the memory service: the stores of users, and the five calls about them.

A store of the service is not the space of the token, so a call is no part of a unit of work there.
The answer to a request with an idempotency key is stored in the store of the user.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, cast

from holdfast.surfaces.http.table import Result, Route, RouteCall
from holdfast.surfaces.wire.memory_service import ROUTES as CALLS
from holdfast.surfaces.wire.schema.memory_service import ANSWERS, REQUESTS

if TYPE_CHECKING:
    from holdfast.surfaces.http.table import Json
    from holdfast.surfaces.wire.memory_service import ServiceRoute

_MEANT = {
    "service.store": ("remember", "Return the id of a user's store; add the store if it is new"),
    "service.memory": ("remember", "Add a memory to a store"),
    "service.search": ("recall", "Return the memories of a store that are similar to a question"),
    "service.relationship": ("link", "State how one memory is related to another"),
    "service.related": ("related", "Return the memories that a memory is related to"),
}
_CHANGING = frozenset({"remember", "link"})


def _answered(route: ServiceRoute, call: RouteCall) -> Result:
    request = call.body if route.method == "POST" else dict(call.query)
    return Result(body=route.answer(call.calls(), call.path, request))


def _route(route: ServiceRoute) -> Route:
    verb, summary = _MEANT[route.schema]
    request, is_post = REQUESTS[route.schema], route.method == "POST"
    return Route(
        method=route.method,
        path=route.path,
        verb=verb,
        summary=summary,
        does=partial(_answered, route),
        answer=ANSWERS[route.schema],
        status=route.status,
        serves=True,
        keyed=verb in _CHANGING,
        body=request if is_post else None,
        query={} if is_post else cast("dict[str, Json]", request["properties"]),
    )


ROUTES = tuple(_route(one) for one in CALLS)
