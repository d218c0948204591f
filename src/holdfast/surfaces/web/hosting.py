"""What the pages need from the server that they run in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.requests import Request

    from holdfast.app import Holdfast
    from holdfast.surfaces.web.call import Fields, PageVisitor

    HasLeft = Callable[[], Awaitable[bool]]

Done = TypeVar("Done")


class PageHost(Protocol):
    """Recognises visitors, and carries out their requests on the memory that they may use."""

    @property
    def is_served(self) -> bool:
        """Whether visitors sign in with a token, because the memory is on a server."""
        ...

    @property
    def is_ending(self) -> bool:
        """Whether the server is about to end, so that open answers must end too."""
        ...

    async def recognise(self, request: Request, credential: str) -> PageVisitor | None:
        """Return who has this cookie; None if it is not valid."""
        ...

    async def sign_in(self, request: Request, token: str) -> str | None:
        """Return the cookie of a new session of a token's bearer; None if it is not valid."""
        ...

    async def sign_out(self, credential: str) -> None:
        """End the session of a cookie."""
        ...

    async def is_known(self, visitor: PageVisitor) -> bool:
        """Return whether a visitor is still signed in, for answers that stay open."""
        ...

    def exchange(self, key: str) -> str | None:
        """Return the cookie for the key of a link; None if the key is wrong or was used."""
        ...

    async def perform(
        self,
        visitor: PageVisitor,
        work: Callable[[Holdfast], Done],
        *,
        fields: Fields,
        writes: bool = False,
        has_left: HasLeft | None = None,
    ) -> Done:
        """Run the work of a page on the memory of a visitor, seen from the place they name.

        ``has_left`` says whether the browser is gone; a host may then stop to read.
        """
        ...
