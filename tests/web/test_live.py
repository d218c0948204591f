"""Live updates: the number of waiting candidates arrives, and open answers end with the server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable
from typing import Any

from starlette.requests import Request

from holdfast.surfaces.http.own_page import OwnPages, PersonalMemory
from holdfast.surfaces.http.paging import Ending
from holdfast.surfaces.web.live import counts
from tests.requirements import requirement
from tests.web.scene import Reader, WebScene


async def never_left() -> dict[str, object]:
    await asyncio.sleep(3600)
    return {"type": "http.disconnect"}


async def lines_until(stream: AsyncIterable[Any], word: str) -> str:
    async for line in stream:
        if word in line:
            return str(line)
    return ""


@requirement("web.live-count")
def test_a_new_candidate_is_told_and_the_stream_ends_with_the_server(scene: WebScene) -> None:
    ending = Ending()
    memory = PersonalMemory(holdfast=scene.holdfast, by="ada", look_again=scene.look_again)
    pages = OwnPages(memory, ending)
    session = pages.exchange(pages.key)
    request = Request({"type": "http", "headers": []}, receive=never_left)

    async def watch() -> tuple[str, str, str]:
        visitor = await pages.recognise(request, str(session))
        assert visitor is not None
        stream = counts(pages, visitor, request).body_iterator
        before = await lines_until(stream, "data")
        scene.propose("Steps three to five rotate.")
        after = await lines_until(stream, "data")
        ending.is_near = True
        rest = await lines_until(stream, "data")
        return before, after, rest

    before, after, rest = asyncio.run(watch())

    assert (before, after, rest) == (
        "event: waiting\ndata: 0\n\n",
        "event: waiting\ndata: 1\n\n",
        "",
    )
    pages.close()


@requirement("web.live-count")
def test_a_stranger_gets_no_events(scene: WebScene, reader: Reader) -> None:
    scene.propose("Steps three to five rotate.")
    reader.client.cookies.clear()

    assert reader.get("/events").status_code == 401
