"""The web page of a server: visitors sign in with a token, and its rights decide."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, TypeVar

from holdfast.bootstrap.service.service import Caller
from holdfast.domain.memory.callers import PrincipalKind
from holdfast.domain.memory.place import DEFAULT_WORKSPACE, Place
from holdfast.domain.service_errors import NotAuthenticatedError
from holdfast.surfaces.web.call import PageVisitor

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.requests import Request

    from holdfast.app import Holdfast
    from holdfast.surfaces.http.endpoint import Endpoints
    from holdfast.surfaces.web.call import Fields
    from holdfast.surfaces.web.hosting import HasLeft

Done = TypeVar("Done")


class Ending:
    """Whether the server was told to end."""

    def __init__(self) -> None:
        self.is_near = False


class ServedPages:
    """Carries out the requests of pages on the stores of a server."""

    is_served = True

    def __init__(self, endpoints: Endpoints, ending: Ending | None = None) -> None:
        self._endpoints = endpoints
        self._ending = ending or Ending()

    @property
    def is_ending(self) -> bool:
        """Whether the server was told to end."""
        return self._ending.is_near

    async def recognise(self, request: Request, credential: str) -> PageVisitor | None:
        """Return whose session a cookie opens; None if there is none, or if its token ended."""
        try:
            caller = await self._endpoints.visited(request, credential)
        except NotAuthenticatedError:
            return None
        principal = caller.principal
        return PageVisitor(
            name=principal.name or principal.kind.value,
            may=principal.may,
            space=caller.name.space,
            credential=credential,
            is_person=principal.kind is PrincipalKind.PERSON,
            caller=caller,
        )

    async def sign_in(self, request: Request, token: str) -> str | None:
        """Return the cookie of a new session; the token itself stays out of the browser."""
        try:
            return await self._endpoints.sign_in(request, token)
        except NotAuthenticatedError:
            return None

    async def sign_out(self, credential: str) -> None:
        """End the session of a cookie."""
        await self._endpoints.sign_out(credential)

    async def is_known(self, visitor: PageVisitor) -> bool:
        """Return whether the visitor's session goes on, and its token is valid."""
        return await self._endpoints.still_visits(visitor.credential)

    def exchange(self, key: str) -> str | None:
        """Return None: a server gives no links, because its visitors have tokens."""
        del key
        return None

    async def perform(
        self,
        visitor: PageVisitor,
        work: Callable[[Holdfast], Done],
        *,
        fields: Fields,
        writes: bool = False,
        has_left: HasLeft | None = None,
    ) -> Done:
        """Run the work of a page in the space of the visitor's token."""
        if not isinstance(visitor.caller, Caller):
            raise NotAuthenticatedError
        place = Place(
            space=visitor.caller.name.space,
            workspace=_last(fields, "workspace") or DEFAULT_WORKSPACE,
            repo=_last(fields, "repo"),
            branch=_last(fields, "branch"),
        )
        page = partial(self._endpoints.page, visitor.caller, place, work)
        return await page(writes=writes, has_left=None if writes else has_left)


def _last(fields: Fields, name: str) -> str | None:
    found = fields.get(name) or ("",)
    return found[-1].strip() or None
