"""Live updates: the number of waiting candidates, sent when it changes (server-sent events)."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from starlette.responses import StreamingResponse

from holdfast.domain.errors import HoldfastError
from holdfast.surfaces.web.protection import HEADERS
from holdfast.surfaces.web.views.frame import waiting_count

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from starlette.requests import Request

    from holdfast.surfaces.web.call import PageVisitor
    from holdfast.surfaces.web.hosting import PageHost

_LOOKS = 12
_SECONDS = 2.0
_TICK = 0.25
_RETRY = "retry: 3000\n\n"


def counts(host: PageHost, visitor: PageVisitor, request: Request) -> StreamingResponse:
    """Return a stream that ends after half a minute; the browser then asks again."""
    return StreamingResponse(
        _changes(host, visitor, request), media_type="text/event-stream", headers=HEADERS
    )


async def _changes(
    host: PageHost, visitor: PageVisitor, request: Request
) -> AsyncGenerator[str, None]:
    yield _RETRY
    known: int | None = None
    for _ in range(_LOOKS):
        if not await host.is_known(visitor):
            return
        try:
            count = await host.perform(
                visitor, lambda app: waiting_count(app, is_served=host.is_served), fields={}
            )
        except HoldfastError:
            return
        if count != known:
            known = count
            yield f"event: waiting\ndata: {count}\n\n"
        if await _is_over(host, request):
            return


async def _is_over(host: PageHost, request: Request) -> bool:
    """Wait for the next look; return whether the visitor left or the server ends."""
    for _ in range(int(_SECONDS / _TICK)):
        if host.is_ending or await request.is_disconnected():
            return True
        await asyncio.sleep(_TICK)
    return False
