"""Answer a request: recognise the caller, read the request, run the route in a thread."""

from __future__ import annotations

import asyncio
import hmac
import json
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING
from urllib.parse import unquote

from starlette.responses import Response

from holdfast.bootstrap.service.deadline import RequestDeadline
from holdfast.bootstrap.service.service import Caller, ServedRequest
from holdfast.domain.errors import HoldfastError
from holdfast.domain.service.replies import Reply
from holdfast.domain.service_errors import TimedOutError
from holdfast.surfaces.http.problems import problem
from holdfast.surfaces.http.reading import (
    bearer_token,
    branch_point_of,
    idempotency_key,
    parse_body,
    parse_query,
    place_of,
    read_body,
    wanted_version,
)
from holdfast.surfaces.http.scopes import operations_of
from holdfast.surfaces.http.table import RouteCall
from holdfast.surfaces.http.threads import RequestThreads
from holdfast.surfaces.wire.json_text import json_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from starlette.requests import Request

    from holdfast.app import Holdfast
    from holdfast.bootstrap.service.service import Service
    from holdfast.domain.memory.anchor import BranchPoint
    from holdfast.domain.memory.place import Place
    from holdfast.surfaces.http.buckets import Buckets
    from holdfast.surfaces.http.options import ServeOptions
    from holdfast.surfaces.http.table import Route
    from holdfast.surfaces.web.hosting import HasLeft

    Done = TypeVar("Done")

_LINES = "application/x-ndjson"
_DRY_RUN = b"dry_run"
# A stored reply is one JSON object: {"version": …, "body": …}.
_VERSION, _BODY, _END = '{"version":', ',"body":', "}"
_read_version = json.JSONDecoder().raw_decode


class Endpoints:
    """Answers the requests of all routes."""

    def __init__(self, service: Service, options: ServeOptions, buckets: Buckets) -> None:
        self._service = service
        self._options = options
        self._buckets = buckets
        self._threads = RequestThreads(options.threads)

    def close(self) -> None:
        """Wait for the work that runs, and close every store."""
        self._threads.close()
        self._service.close()

    async def answer(self, request: Request, route: Route) -> Response:
        """Return the response of a route; an error is a response too."""
        request.state.visit.route = route.path
        try:
            return await self._answered(request, route)
        except HoldfastError as error:
            request.state.visit.code = error.code
            return problem(error, route)

    async def _answered(self, request: Request, route: Route) -> Response:
        until = asyncio.get_running_loop().time() + self._options.seconds
        caller = await self._caller(request, until)
        try:
            async with asyncio.timeout_at(until):
                raw = await read_body(request, most=self._options.most_body)
        except TimeoutError as error:
            raise TimedOutError from error
        rehearses = _DRY_RUN in raw or _DRY_RUN in request.scope["query_string"]
        self._service.admit(caller, *operations_of(route, rehearses=rehearses))
        query, body = parse_query(request, route), parse_body(request, raw, route)
        point = branch_point_of(query)
        place = place_of(query, caller.name.space)
        name = idempotency_key(request)
        key = None if name is None or not route.takes_key else f"{caller.token_id}:{name}"
        deadline = RequestDeadline()
        served = ServedRequest(
            caller=caller,
            place=place,
            point=point,
            deadline=deadline,
            key=key,
            digest="" if key is None else self._digest(request, route, raw, body),
        )
        call = partial(
            RouteCall,
            calls=partial(self._service.calls, served),
            path={name: unquote(part) for name, part in request.path_params.items()},
            query=query,
            body=body,
            if_match=wanted_version(request),
        )
        work = partial(_performed, route=route, call=call)
        if route.serves:
            serving = partial(self._service.serve, served, work)
            reply = await self._threads.run(serving, until, deadline)
        else:
            has_left = request.is_disconnected
            reply = await self._carried(served, work, until, writes=route.writes, has_left=has_left)
        return _response(reply, request, route)

    async def _carried(
        self,
        served: ServedRequest,
        work: Callable[[Holdfast], Reply],
        until: float,
        *,
        writes: bool,
        has_left: HasLeft | None = None,
    ) -> Reply:
        """Run work for a caller in a thread, in one unit of work if it writes.

        A change that has begun is finished, whether or not its caller has left.
        """
        if writes:
            change = partial(self._service.change, served, work)
            return await self._threads.change(served.caller.name, change, until, served.deadline)
        look = partial(self._service.look, served, work)
        return await self._threads.run(look, until, served.deadline, has_left)

    def _digest(self, request: Request, route: Route, raw: bytes, body: object) -> str:
        return _digest(request, route, raw, self._secret_for(request, raw, body))

    def _secret_for(self, request: Request, raw: bytes, body: object) -> bytes:
        """Return the secret for the hash of a sensitive body; empty for any other.

        It is the caller's token, of which a store has only the hash. A server without tokens has a
        secret of its own, outside the store.

        Raises:
            UnavailableError: That secret can be neither read nor made.
        """
        # A name that contains a backslash may spell any other name.
        may_be = b"sensitive" in raw or b"\\" in raw
        if not (may_be and _has_sensitive_part(body)):
            return b""
        shown = bearer_token(request.headers.getlist("authorization")).encode()
        return shown or self._service.reply_secret()

    async def caller(self, request: Request) -> Caller:
        """Return who sent a request.

        Raises:
            NotAuthenticatedError: The request shows no valid token.
        """
        until = asyncio.get_running_loop().time() + self._options.seconds
        return await self._caller(request, until)

    async def carry(
        self, served: ServedRequest, work: Callable[[Holdfast], Reply], *, writes: bool
    ) -> Reply:
        """Run work for a caller in a thread, in one unit of work if it writes.

        Raises:
            TimedOutError: The time is over, and nothing was committed.
        """
        until = asyncio.get_running_loop().time() + self._options.seconds
        return await self._carried(served, work, until, writes=writes)

    def has_checkout(self, caller: Caller, place: Place, point: BranchPoint | None) -> bool:
        """Return whether a caller at a place works with the checkout of the server."""
        return self._service.has_checkout(caller, place, point)

    async def known(self, shown: str) -> Caller:
        """Return who shows a token now.

        Raises:
            NotAuthenticatedError: The token is not valid, or not any more.
        """
        options = self._options
        if not options.asks_for_tokens:
            return self._service.agent(options.space, options.tenant)
        return await self._asked(partial(self._service.caller, shown))

    async def probe(self) -> None:
        """Return if the stores can be reached.

        Raises:
            UnavailableError: They cannot.
        """
        await self._briefly(self._service.probe)

    async def _caller(self, request: Request, until: float) -> Caller:
        options = self._options
        if not options.asks_for_tokens:
            caller = self._service.agent(options.space, options.tenant)
            self._buckets.take("everybody")
        else:
            shown = bearer_token(request.headers.getlist("authorization"))
            caller = await self._bearer(request, shown, until)
        request.state.visit.token_id = caller.token_id
        return caller

    async def _bearer(self, request: Request, shown: str, until: float) -> Caller:
        return await self._recognised(request, partial(self._service.caller, shown), until)

    async def _recognised(
        self, request: Request, find: Callable[[RequestDeadline], Caller], until: float
    ) -> Caller:
        """Find out who sent a request; each caller, and each wrong try, is counted."""
        deadline = RequestDeadline()
        try:
            caller = await self._threads.run(partial(find, deadline), until, deadline)
        except HoldfastError as error:
            request.state.visit.reason = error.for_log or None
            self._buckets.take(f"address {request.client.host if request.client else ''}")
            raise
        self._buckets.take(caller.token_id)
        return caller

    async def visited(self, request: Request, cookie: str) -> Caller:
        """Return whose browser sent a request, by the cookie of its session.

        Raises:
            NotAuthenticatedError: There is no such session, or its token is not valid any more.
        """
        until = asyncio.get_running_loop().time() + self._options.seconds
        caller = await self._recognised(request, partial(self._service.signed_in, cookie), until)
        request.state.visit.token_id = caller.token_id
        return caller

    async def sign_in(self, request: Request, shown: str) -> str:
        """Return the cookie of a new session of the bearer of a token.

        Raises:
            NotAuthenticatedError: The token is not valid.
        """
        until = asyncio.get_running_loop().time() + self._options.seconds
        made: list[str] = []

        def begin(deadline: RequestDeadline) -> Caller:
            caller, cookie = self._service.sign_in(shown, deadline)
            made.append(cookie)
            return caller

        caller = await self._recognised(request, begin, until)
        request.state.visit.token_id = caller.token_id
        return made[-1]

    async def still_visits(self, cookie: str) -> bool:
        """Return whether a session goes on: an answer that stays open ends with it."""
        try:
            await self._asked(partial(self._service.signed_in, cookie))
        except HoldfastError:
            return False
        return True

    async def sign_out(self, cookie: str) -> None:
        """End the session of a cookie."""
        await self._briefly(partial(self._service.sign_out, cookie))

    async def _asked(self, find: Callable[[RequestDeadline], Caller]) -> Caller:
        """Find out who a caller is now; this is no request, and is not counted."""
        deadline = RequestDeadline()
        until = asyncio.get_running_loop().time() + self._options.seconds
        return await self._threads.run(partial(find, deadline), until, deadline)

    async def _briefly(self, work: Callable[[], Done]) -> Done:
        """Run work that changes no memory in a thread."""
        until = asyncio.get_running_loop().time() + self._options.seconds
        return await self._threads.run(work, until, RequestDeadline())

    async def page(
        self,
        caller: Caller,
        place: Place,
        work: Callable[[Holdfast], Done],
        *,
        writes: bool,
        has_left: HasLeft | None,
    ) -> Done:
        """Run the work of a web page; a form is stored whole or not at all."""
        until = asyncio.get_running_loop().time() + self._options.seconds
        deadline = RequestDeadline()
        served = ServedRequest(caller=caller, place=place, deadline=deadline)
        if writes:
            write = partial(self._service.write, served, work)
            return await self._threads.change(caller.name, write, until, deadline)
        look = partial(self._service.look, served, work)
        return await self._threads.run(look, until, deadline, has_left)


def _performed(app: Holdfast, *, route: Route, call: Callable[..., RouteCall]) -> Reply:
    """Run a route inside a thread, and return its answer as text."""
    result = route.does(call(app=app))
    if result.lines is not None:
        text = "".join(f"{line.rstrip()}\n" for line in result.lines)
    else:
        text = f"{_VERSION}{json_text(result.version)}{_BODY}{json_text(result.body)}{_END}"
    return Reply(key="", request_hash="", status=route.status, body=text, at=app.now())


def _digest(request: Request, route: Route, raw: bytes, secret: bytes) -> str:
    """Return a hash of everything that makes two requests the same.

    It is stored, and a plain hash tells whether a guess of the text is right. The hash of a
    sensitive body therefore needs a secret that no store contains.
    """
    parts = (
        route.method.encode(),
        request.scope["path"].encode(errors="surrogateescape"),
        request.scope["query_string"],
        request.headers.get("if-match", "").encode("latin-1"),
        raw,
    )
    joined = b"".join(b"%d:%b" % (len(part), part) for part in parts)
    return (hmac.digest(secret, joined, "sha256") if secret else sha256(joined).digest()).hex()


def _has_sensitive_part(body: object) -> bool:
    """Return whether a body, or one of its claims, is marked sensitive."""
    if not isinstance(body, dict):
        return False
    claims = body.get("claims")
    return any(map(_is_marked, (body, *(claims if isinstance(claims, list) else ()))))


def _is_marked(part: object) -> bool:
    mark = part.get("sensitive") if isinstance(part, dict) else None
    return mark is not None and mark is not False


def _response(reply: Reply, request: Request, route: Route) -> Response:
    text = reply.body or ""
    if route.is_lines:
        return Response(text, status_code=reply.status, media_type=_LINES)
    version, end = _read_version(text, len(_VERSION))
    headers = {}
    if route.versioned and version is not None:
        headers["ETag"] = etag = f'"{version}"'
        if route.method == "GET" and etag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
    # The body is sent as it was written; reading and writing it again would only cost time.
    body = text[end + len(_BODY) : -len(_END)]
    return Response(body, status_code=reply.status, headers=headers, media_type="application/json")
