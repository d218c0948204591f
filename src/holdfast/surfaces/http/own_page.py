"""``holdfast web``: the page of one person's own memory, on this machine only.

The link has a key that counts once. Its browser gets a cookie for as long as the program runs.
"""

from __future__ import annotations

import asyncio
import hmac
import secrets
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import Response

from holdfast.domain.errors import HoldfastError
from holdfast.domain.memory.callers import PrincipalKind
from holdfast.domain.values import dataclass
from holdfast.surfaces.http.gate import Gate
from holdfast.surfaces.http.journal import Journal, visit_of
from holdfast.surfaces.http.options import ServeOptions
from holdfast.surfaces.http.paging import Ending
from holdfast.surfaces.http.problems import bug, problem
from holdfast.surfaces.http.serving import GracefulServer, listening_socket, server_config
from holdfast.surfaces.web.call import PageVisitor
from holdfast.surfaces.web.site import LINK, Site, no_such_page

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from starlette.requests import Request
    from starlette.types import ASGIApp, Receive, Scope, Send

    from holdfast.app import Holdfast
    from holdfast.surfaces.web.call import Fields
    from holdfast.surfaces.web.hosting import HasLeft

Done = TypeVar("Done")
_KEY_BYTES = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalMemory:
    """The open memory of the person who started the program, and the name they decide under.

    ``folder`` is the name of its repository or folder, for people. ``look_again`` returns
    the memory as seen from the checkout of this moment.
    """

    holdfast: Holdfast
    by: str
    look_again: Callable[[Holdfast], Holdfast]
    folder: str = ""


class OwnPages:
    """Carries out the requests of one person's browser, one at a time."""

    is_served = False

    def __init__(self, memory: PersonalMemory, ending: Ending | None = None) -> None:
        self._memory = memory
        self._ending = ending or Ending()
        self.key = secrets.token_urlsafe(_KEY_BYTES)
        self._is_used = False
        self._session = ""
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="holdfast-page")

    @property
    def is_ending(self) -> bool:
        """Whether the program was told to end."""
        return self._ending.is_near

    def exchange(self, key: str) -> str | None:
        """Return the cookie for the key of the link, once."""
        if self._is_used or not hmac.compare_digest(key.encode(), self.key.encode()):
            return None
        self._is_used = True
        self._session = secrets.token_urlsafe(_KEY_BYTES)
        return self._session

    async def recognise(self, request: Request, credential: str) -> PageVisitor | None:
        """Return the person, if this is the cookie of their browser."""
        del request
        if not self._session or not hmac.compare_digest(
            credential.encode(), self._session.encode()
        ):
            return None
        principal = self._memory.holdfast.principal
        return PageVisitor(
            name=self._memory.by,
            may=principal.may,
            space=principal.space,
            credential=credential,
            folder=self._memory.folder,
            is_person=principal.kind is PrincipalKind.PERSON,
        )

    async def sign_in(self, request: Request, token: str) -> str | None:
        """Return None: this page knows no tokens, only its link."""
        del request, token
        return None

    async def sign_out(self, credential: str) -> None:
        """End the session of the browser."""
        if hmac.compare_digest(credential.encode(), self._session.encode()):
            self._session = ""

    async def is_known(self, visitor: PageVisitor) -> bool:
        """Return whether the browser's session goes on."""
        return hmac.compare_digest(visitor.credential.encode(), self._session.encode())

    async def perform(
        self,
        visitor: PageVisitor,
        work: Callable[[Holdfast], Done],
        *,
        fields: Fields,
        writes: bool = False,
        has_left: HasLeft | None = None,
    ) -> Done:
        """Run the work of a page on the memory, as seen from the checkout of this moment."""
        del visitor, fields, writes, has_left
        memory = self._memory

        def performed() -> Done:
            return work(memory.look_again(memory.holdfast))

        return await asyncio.get_running_loop().run_in_executor(self._thread, performed)

    def close(self) -> None:
        """Wait for the request that runs."""
        self._thread.shutdown(wait=True)


def own_app(pages: OwnPages, options: ServeOptions) -> ASGIApp:
    """Return the application that answers one person's browser."""

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncGenerator[None, None]:
        yield
        pages.close()

    inner = Starlette(
        routes=Site(pages).routes(),
        lifespan=lifespan,
        exception_handlers={
            HTTPException: _no_page,
            ClientDisconnect: _gone,
            Exception: _bug,
        },
    )
    return partial(_gated, inner, Gate(options))


def open_page(
    memory: PersonalMemory, *, port: int, tell: Callable[[str], None], ready: Callable[[], None]
) -> int:
    """Serve the page until Ctrl-C; return the exit code.

    ``tell`` gets the link, ``ready`` is called when the server answers.

    Raises:
        CannotListenError: The port cannot be used.
        BadFieldError: The port is out of its range.
    """
    options = ServeOptions(port=port)
    options.refuse_unsafe()
    ending = Ending()
    pages = OwnPages(memory, ending)
    listening = listening_socket(options)
    config = server_config(own_app(pages, options), options)
    link = f"http://{options.bind}:{listening.getsockname()[1]}{LINK}?key={pages.key}"

    def begin() -> None:
        tell(link)
        ready()

    GracefulServer(config, begin, ending).run([listening])
    return 0


async def _gated(inner: ASGIApp, gate: Gate, scope: Scope, receive: Receive, send: Send) -> None:
    """Refuse requests of other hosts and other sites before anything of them is read.

    A bug is one line at the terminal; the inner application has answered the browser already.
    """
    if scope["type"] != "http":
        await inner(scope, receive, send)
        return
    visit = visit_of(scope["method"], "")
    scope.setdefault("state", {})["visit"] = visit
    try:
        gate.refuse(scope, is_page=True, is_link=scope["path"] == LINK)
        await inner(scope, receive, send)
    except HoldfastError as error:
        await problem(error)(scope, receive, send)
    except Exception as error:  # noqa: BLE001 - the last door: a bug must not end the page
        Journal().bug(visit, error)


async def _no_page(_request: Request, _error: Exception) -> Response:
    return no_such_page()


async def _gone(_request: Request, _error: Exception) -> Response:
    return Response(status_code=499)  # nobody reads it: the browser left while it sent


async def _bug(_request: Request, _error: Exception) -> Response:
    return bug()
