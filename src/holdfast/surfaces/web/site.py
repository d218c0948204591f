"""The pages as routes: recognise the visitor, check the form, run the view, render the answer."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from holdfast.domain.errors import HoldfastError, UnavailableError
from holdfast.surfaces.web.call import PageCall, fields_of
from holdfast.surfaces.web.live import counts
from holdfast.surfaces.web.problems import problem_values, status_of
from holdfast.surfaces.web.protection import HEADERS, cookie_name, form_token, is_form_token
from holdfast.surfaces.web.rendering import STATIC, render
from holdfast.surfaces.web.views.every import ROUTES
from holdfast.surfaces.web.views.frame import frame_values

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from starlette.requests import Request

    from holdfast.app import Holdfast
    from holdfast.surfaces.web.call import PageAnswer, PageRoute, PageVisitor
    from holdfast.surfaces.web.hosting import HasLeft, PageHost

_MOST_BODY = 1_048_576
_KEPT = "private, max-age=31536000, immutable"
_TYPES = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".txt": "text/plain",
    ".svg": "image/svg+xml",
}
_FORM = "application/x-www-form-urlencoded"
_SEE_OTHER = 303
LINK = "/open"
"""The path of a link with a key."""


class Site:
    """All pages of one server."""

    def __init__(self, host: PageHost) -> None:
        self._host = host
        self._static = {one.name: one.read_bytes() for one in STATIC.iterdir() if one.is_file()}

    def routes(self) -> list[Route]:
        """Return the routes of the pages."""
        by_path: dict[str, dict[str, PageRoute]] = {}
        for route in ROUTES:
            by_path.setdefault(route.path, {})[route.method] = route
        return [
            *(
                Route(path, partial(self._answer, methods), methods=list(methods))
                for path, methods in by_path.items()
            ),
            Route("/", self._start, methods=["GET"]),
            Route(LINK, self._open, methods=["GET"]),
            Route("/sign-in", self._sign_in, methods=["GET", "POST"]),
            Route("/sign-out", self._sign_out, methods=["POST"]),
            Route("/events", self._events, methods=["GET"]),
            Route("/static/{name}", self._file, methods=["GET"]),
        ]

    async def _answer(self, methods: dict[str, PageRoute], request: Request) -> Response:
        """Return the answer of a route, or a page that says what went wrong."""
        route = methods["GET" if request.method == "HEAD" else request.method]
        _note_route(request, route.path)
        try:
            visitor = await self._visitor(request)
            if visitor is None:
                return self._refused(request)
            form = fields_of(await _body(request)) if route.writes else {}
        except HoldfastError as error:
            return _broken(error)
        except ValueError:
            return _plain_page("refused.html", status=422, why="unreadable")
        if route.writes and not is_form_token(
            "".join(form.get("form_token", ())), visitor.credential
        ):
            return _plain_page("refused.html", status=403, why="form")
        call = partial(
            PageCall,
            visitor=visitor,
            address=request.url.path,
            path=dict(request.path_params),
            query=fields_of(request.url.query),
            form=form,
            is_fragment=request.headers.get("hx-request") == "true",
            is_served=self._host.is_served,
        )
        return await self._performed(route, call, visitor, request.is_disconnected)

    async def _performed(
        self,
        route: PageRoute,
        call: Callable[..., PageCall],
        visitor: PageVisitor,
        has_left: HasLeft,
    ) -> Response:
        """Run a view and its template in a thread; a refused form changed nothing."""
        # The parts of a call that are the same whatever memory it gets.
        blank = call(app=None)
        fields = blank.form if route.writes else blank.query
        if route.writes:
            does = partial(_decided, route, call)
            try:
                answer = await self._host.perform(visitor, does, fields=fields, writes=True)
            except HoldfastError as error:
                return await self._explained(error, call, visitor)
            if answer.to:
                return RedirectResponse(answer.to, status_code=_SEE_OTHER, headers=HEADERS)
            shown = partial(_rendered, answer, call)
        else:
            shown = partial(_shown, route, call)
        try:
            return await self._host.perform(visitor, shown, fields=fields, has_left=has_left)
        except HoldfastError as error:
            return await self._explained(error, call, visitor)

    async def _explained(
        self, error: HoldfastError, call: Callable[..., PageCall], visitor: PageVisitor
    ) -> Response:
        """Return the page about an error; one without the memory if that cannot be reached."""
        if isinstance(error, UnavailableError):
            return _broken(error)
        fields = call(app=None).query
        explain = partial(_problem_page, error, call)
        try:
            return await self._host.perform(visitor, explain, fields=fields)
        except HoldfastError as second:
            return _broken(second)

    async def _visitor(self, request: Request) -> PageVisitor | None:
        credential = request.cookies.get(_cookie(request), "")
        return await self._host.recognise(request, credential) if credential else None

    def _refused(self, request: Request) -> Response:
        """Return what a visitor without a session sees."""
        if not self._host.is_served:
            return _plain_page("refused.html", status=401, why="link")
        if request.method == "GET":
            return RedirectResponse("/sign-in", status_code=_SEE_OTHER, headers=HEADERS)
        return _plain_page("refused.html", status=401, why="session")

    async def _start(self, request: Request) -> Response:
        _note_route(request, "/")
        return RedirectResponse("/inbox", status_code=_SEE_OTHER, headers=HEADERS)

    async def _open(self, request: Request) -> Response:
        """Exchange the key of a link for a cookie; a key counts once."""
        _note_route(request, LINK)
        if request.method == "GET":
            credential = self._host.exchange(request.query_params.get("key", ""))
            if credential is not None:
                return _signed_in(request, credential)
        if await self._visitor(request) is not None:
            return await self._start(request)
        return _plain_page("refused.html", status=401, why="used")

    async def _sign_in(self, request: Request) -> Response:
        """Show the form that takes a token, or set the cookie of a valid one."""
        _note_route(request, "/sign-in")
        if not self._host.is_served:
            return await self._start(request)
        if request.method != "POST":
            return _plain_page("sign_in.html", problem="")
        try:
            shown = "".join(fields_of(await _body(request)).get("token", ())).strip()
            cookie = await self._host.sign_in(request, shown) if shown else None
        except HoldfastError as error:
            return _broken(error)
        except ValueError:
            cookie = None
        if cookie is None:
            return _plain_page("sign_in.html", status=401, problem="This token is not valid.")
        return _signed_in(request, cookie)

    async def _sign_out(self, request: Request) -> Response:
        _note_route(request, "/sign-out")
        try:
            visitor = await self._visitor(request)
            form = fields_of(await _body(request))
        except (HoldfastError, ValueError):
            return _plain_page("refused.html", status=422, why="unreadable")
        if visitor is not None and not is_form_token(
            "".join(form.get("form_token", ())), visitor.credential
        ):
            return _plain_page("refused.html", status=403, why="form")
        if visitor is not None:
            await self._host.sign_out(visitor.credential)
        answer = RedirectResponse("/sign-in", status_code=_SEE_OTHER, headers=HEADERS)
        answer.delete_cookie(
            _cookie(request), httponly=True, samesite="strict", secure=_is_secure(request)
        )
        return answer

    async def _events(self, request: Request) -> Response:
        """Send the number of waiting candidates whenever it changes."""
        _note_route(request, "/events")
        try:
            visitor = await self._visitor(request)
        except HoldfastError as error:
            return _broken(error)
        if visitor is None:
            return Response(status_code=401, headers=HEADERS)
        return counts(self._host, visitor, request)

    async def _file(self, request: Request) -> Response:
        _note_route(request, "/static/{name}")
        name = request.path_params["name"]
        content = self._static.get(name)
        if content is None:
            return _plain_page("refused.html", status=404, why="page")
        kind = _TYPES["." + name.rpartition(".")[2]]
        headers = {**HEADERS, "Cache-Control": _KEPT}
        return Response(content, media_type=kind, headers=headers)


def _decided(route: PageRoute, call: Callable[..., PageCall], app: Holdfast) -> PageAnswer:
    return route.does(call(app=app))


def _shown(route: PageRoute, call: Callable[..., PageCall], app: Holdfast) -> Response:
    made = call(app=app)
    return _page(route.does(made), made)


def _rendered(answer: PageAnswer, call: Callable[..., PageCall], app: Holdfast) -> Response:
    return _page(answer, call(app=app))


def _problem_page(error: HoldfastError, call: Callable[..., PageCall], app: Holdfast) -> Response:
    made = call(app=app)
    template = "problem_fragment.html" if made.is_fragment else "problem.html"
    values = {"problem": problem_values(error, made), **_usual(made)}
    return _html(template, values, status=status_of(error))


def _page(answer: PageAnswer, call: PageCall) -> Response:
    if answer.content:
        return Response(answer.content, media_type=answer.kind, headers=HEADERS)
    return _html(answer.template, {**_usual(call), **answer.values}, status=answer.status)


def _usual(call: PageCall) -> dict[str, object]:
    return {**frame_values(call), "form_token": form_token(call.visitor.credential)}


def _html(template: str, values: Mapping[str, object], *, status: int) -> Response:
    text = render(template, values)
    return Response(text, status_code=status, media_type="text/html", headers=HEADERS)


def no_such_page() -> Response:
    """Return the page for an address that is none."""
    return _plain_page("refused.html", status=404, why="page")


def _plain_page(template: str, *, status: int = 200, **values: object) -> Response:
    """Return a page for somebody who is not signed in; it shows nothing of a memory."""
    return _html(template, values, status=status)


def _broken(error: HoldfastError) -> Response:
    return _plain_page("refused.html", status=status_of(error), why="error", message=error.message)


def _signed_in(request: Request, credential: str) -> Response:
    answer: Response = RedirectResponse("/inbox", status_code=_SEE_OTHER, headers=HEADERS)
    if request.headers.get("sec-fetch-site") == "cross-site":
        # After a redirect, the browser would still count the visit as begun elsewhere, and would
        # not send the cookie. A page of this server begins a new visit.
        answer = _plain_page("opened.html")
    answer.set_cookie(
        _cookie(request),
        credential,
        httponly=True,
        samesite="strict",
        secure=_is_secure(request),
    )
    return answer


def _is_secure(request: Request) -> bool:
    """Return whether the browser reached the page over TLS, here or at a proxy before it."""
    origin = request.headers.get("origin", "")
    # Whoever sends this header without TLS changes nothing but the cookie of their own browser.
    told = request.headers.get("x-forwarded-proto", "").partition(",")[0].strip().lower()
    return "https" in {request.url.scheme, told} or origin.startswith("https://")


def _cookie(request: Request) -> str:
    return cookie_name(request.headers.get("host", ""))


def _note_route(request: Request, path: str) -> None:
    """Tell the log of the server which route answers; a path may contain an id."""
    visit = getattr(request.state, "visit", None)
    if visit is not None:
        visit.route = path


async def _body(request: Request) -> str:
    """Return the body of a form.

    Raises:
        ValueError: It is no form, too large, or not text.
    """
    kind, _, _ = request.headers.get("content-type", "").partition(";")
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > _MOST_BODY:
            raise ValueError
    if kind.strip().lower() != _FORM:
        raise ValueError
    return body.decode("utf-8")
