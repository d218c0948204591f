"""The application: the gate, the routes, and what every request is told and counted by."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route as Path

from holdfast.bootstrap.service.service import Service, ServiceOptions
from holdfast.bootstrap.service.tracing import TraceExporter
from holdfast.domain.access_errors import MayNotError
from holdfast.domain.errors import HoldfastError
from holdfast.domain.memory.callers import Operation
from holdfast.surfaces.http.agents_door.door import PATH, AgentsDoor
from holdfast.surfaces.http.buckets import Buckets
from holdfast.surfaces.http.endpoint import Endpoints
from holdfast.surfaces.http.gate import Gate
from holdfast.surfaces.http.journal import Journal, span_of, visit_of
from holdfast.surfaces.http.metrics import CONTENT_TYPE, Metrics
from holdfast.surfaces.http.openapi import openapi
from holdfast.surfaces.http.own_headers import own_headers
from holdfast.surfaces.http.paging import ServedPages
from holdfast.surfaces.http.problems import bug, problem, sent
from holdfast.surfaces.http.refusals import MethodNotAllowedError, NoSuchRouteError
from holdfast.surfaces.http.routes.every import ROUTES
from holdfast.surfaces.http.targets import DOOR, in_origin_form, with_quoted_path
from holdfast.surfaces.web.site import Site

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from holdfast.surfaces.http.journal import Visit
    from holdfast.surfaces.http.options import ServeOptions
    from holdfast.surfaces.http.paging import Ending
    from holdfast.surfaces.http.table import Route

_NOT_FOUND = 404
_NOT_SAID = 0
_GONE = 499
"""Nobody reads this status; logs of other servers use it for the same."""
_DOCUMENT = ("/v1/openapi.json", "/openapi.json")
"""The paths of the OpenAPI document; tools look for it at the second one."""
_FOR_PROGRAMS = frozenset({*_DOCUMENT, "/healthz", "/readyz", "/metrics", PATH})


class HttpServer:
    """Everything that one process of the server holds."""

    def __init__(self, options: ServeOptions, ending: Ending | None = None) -> None:
        self._options = options
        self._gate = Gate(options)
        self._metrics = Metrics()
        self._journal = Journal()
        self._traces = TraceExporter(options.collector) if options.collector else None
        self._document = json.dumps(openapi(options.version), ensure_ascii=False)
        self._service = Service(
            ServiceOptions(
                home=options.home,
                address=options.address,
                connections=options.threads,
                most_memories=options.most_memories,
                most_bytes=options.most_bytes,
                checkout=options.checkout,
                checkout_space=options.space,
                checkout_tenant=options.tenant,
            )
        )
        self._endpoints = Endpoints(self._service, options, Buckets(options.rate))
        self._agents = AgentsDoor(self._endpoints, options)
        self._pages = Site(ServedPages(self._endpoints, ending))

    def app(self) -> ASGIApp:
        """Return the application that the web server runs."""
        inner = Starlette(
            routes=[*self._paths()],
            lifespan=self._lifespan,
            exception_handlers={
                HTTPException: self._no_route,
                ClientDisconnect: _gone,
                Exception: _bug,
            },
        )
        inner.router.redirect_slashes = False  # no second address for a route
        return partial(self._watched, inner)

    def _paths(self) -> list[Path]:
        by_path: dict[str, dict[str, Route]] = {}
        for route in ROUTES:
            by_path.setdefault(route.path, {})[route.method] = route
        return [
            *(
                Path(path, partial(self._answer, methods), methods=list(methods))
                for path, methods in by_path.items()
            ),
            *self._pages.routes(),
            *(Path(path, self._openapi, methods=["GET"]) for path in _DOCUMENT),
            Path("/healthz", self._healthy, methods=["GET"]),
            Path("/readyz", self._ready, methods=["GET"]),
            Path("/metrics", self._measured, methods=["GET"]),
            Path(PATH, self._agents),
        ]

    async def _answer(self, methods: dict[str, Route], request: Request) -> Response:
        route = methods["GET" if request.method == "HEAD" else request.method]
        return await self._endpoints.answer(request, route)

    @asynccontextmanager
    async def _lifespan(self, _app: Starlette) -> AsyncGenerator[None, None]:
        yield
        await self._agents.close()
        self._endpoints.close()
        if self._traces is not None:
            self._traces.close()

    async def _watched(self, inner: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        """Check, count and log every request; a bug is a response too."""
        if scope["type"] != "http":
            await inner(scope, receive, send)
            return
        scope = in_origin_form(scope)
        headers = dict(scope["headers"])
        visit = _visit(scope, headers)
        own = own_headers(headers, visit.request_id.encode())
        begun, said = perf_counter(), [_NOT_SAID]
        self._metrics.begin()

        async def tell(message: Message) -> None:
            if message["type"] == "http.response.start":
                said[0] = message["status"]
                set_already = {name for name, _ in message["headers"]}
                added = [one for one in own if one[0] not in set_already]
                message = {**message, "headers": [*message["headers"], *added]}
            await send(message)

        try:
            self._gate.refuse(scope, is_page=is_page(scope["path"]))
            await inner(with_quoted_path(scope), receive, tell)
        except HoldfastError as error:
            visit.code = error.code
            await problem(error)(scope, receive, tell)
        except Exception as error:  # noqa: BLE001 - the last door: a bug must not end the server
            self._journal.bug(visit, error)
            if said[0] == _NOT_SAID:
                await bug()(scope, receive, tell)
        finally:
            self._note(visit, status=said[0], seconds=perf_counter() - begun)

    def _note(self, visit: Visit, *, status: int, seconds: float) -> None:
        """Count and log a request that ended, and send its span."""
        self._metrics.end(route=visit.route, method=visit.method, status=status, seconds=seconds)
        self._journal.request(visit, status=status, seconds=seconds)
        if self._traces is not None:
            self._traces.add(span_of(visit, status=status, seconds=seconds))

    async def _no_route(self, request: Request, error: Exception) -> Response:
        is_unknown = isinstance(error, HTTPException) and error.status_code == _NOT_FOUND
        refused = NoSuchRouteError() if is_unknown else MethodNotAllowedError()
        request.state.visit.code = refused.code
        response = problem(refused)
        if isinstance(error, HTTPException) and error.headers:
            response.headers.update(error.headers)
        return response

    async def _openapi(self, request: Request) -> Response:
        request.state.visit.route = _DOCUMENT[0]
        return Response(self._document, media_type="application/json")

    async def _healthy(self, request: Request) -> Response:
        request.state.visit.route = "/healthz"
        return sent({"status": "ok"}, status=200)

    async def _ready(self, request: Request) -> Response:
        """Say whether the stores can be reached."""
        request.state.visit.route = "/readyz"
        try:
            await self._endpoints.probe()
        except HoldfastError as error:
            request.state.visit.code = error.code
            request.state.visit.reason = error.for_log or None
            return problem(error)
        return sent({"status": "ready"}, status=200)

    async def _measured(self, request: Request) -> Response:
        """Return the counts, to this machine or to a token that may maintain."""
        request.state.visit.route = "/metrics"
        try:
            if not _is_local(request):
                caller = await self._endpoints.caller(request)
                if Operation.MAINTAIN not in caller.principal.may:
                    who = caller.principal
                    raise MayNotError(kind=who.kind, name=who.name, operation=Operation.MAINTAIN)
        except HoldfastError as error:
            request.state.visit.code = error.code
            return problem(error)
        return Response(self._metrics.text(), media_type=CONTENT_TYPE)


def _visit(scope: Scope, headers: Mapping[bytes, bytes]) -> Visit:
    """Return the visit of a new request, and keep it in the scope."""
    visit = visit_of(scope["method"], headers.get(b"traceparent", b"").decode("latin-1"))
    scope.setdefault("state", {})["visit"] = visit
    return visit


async def _gone(request: Request, _error: Exception) -> Response:
    """Count a request whose client left, or broke the rules of HTTP, in the middle of its body."""
    request.state.visit.code = "client-gone"
    return Response(status_code=_GONE)


async def _bug(_request: Request, _error: Exception) -> Response:
    return bug()


def is_page(path: str) -> bool:
    """Return whether a path is of the web page; every other one is of the programs' door."""
    return not path.startswith(DOOR) and path not in _FOR_PROGRAMS


def _is_local(request: Request) -> bool:
    """Return whether the request comes from this machine, and no proxy sent it."""
    is_passed_on = any(name in request.headers for name in ("forwarded", "x-forwarded-for"))
    local = request.client is not None and request.client.host in {"127.0.0.1", "::1"}
    return local and not is_passed_on
