"""The threads of a server: those who wait for the lock of a space hold few of them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from time import sleep

import pytest

from holdfast.bootstrap.service.deadline import RequestDeadline
from holdfast.bootstrap.service.spaces import SpaceName
from holdfast.domain.memory.callers import PrincipalKind
from holdfast.domain.memory.place import DEFAULT_SPACE, SpaceId
from holdfast.domain.service_errors import TimedOutError
from holdfast.surfaces.http.options import ServeOptions
from holdfast.surfaces.http.refusals import ServerBusyError
from holdfast.surfaces.http.threads import RequestThreads
from tests.http.conftest import Home, client, running
from tests.http.test_mcp import in_flight
from tests.patience import PATIENCE, PAUSE
from tests.requirements import requirement

THREADS = 3
ONE, OTHER = (SpaceName("file", SpaceId(name)) for name in ("one", "other"))
SECONDS = 30.0


@requirement("http.changes-hold-few-threads")
def test_changes_that_wait_for_each_other_hold_up_no_other_space(tmp_path: Path) -> None:
    home = Home(tmp_path)
    busy = home.token(PrincipalKind.PERSON)
    other = home.token(PrincipalKind.PERSON, space=SpaceId("team"))
    options = ServeOptions(home=str(tmp_path), address="", threads=THREADS, seconds=SECONDS)
    memory = home.machine(DEFAULT_SPACE).open()

    def keep(number: int) -> int:
        with client(url, busy) as caller:
            claim = {"claim": f"Claim {number}.", "because": "Seen."}
            return caller.post("/v1/memories", json=claim).status_code

    with (
        running(options) as url,
        client(url, other) as caller,
        ThreadPoolExecutor(2 * THREADS) as writers,
        closing(memory),
    ):
        with memory.store.writing(memory.now()):
            waiting = [writers.submit(keep, number) for number in range(2 * THREADS)]
            while in_flight(caller) <= 2 * THREADS:
                sleep(PAUSE)
            answer = caller.get("/v1/memories").status_code
        kept = [one.result() for one in waiting]

    assert answer == 200
    assert kept == [201] * (2 * THREADS)


class Work:
    """Work that notes that it has begun, and waits until it is let go."""

    def __init__(self) -> None:
        self.has_begun = threading.Event()
        self.may_end = threading.Event()

    def __call__(self) -> str:
        self.has_begun.set()
        assert self.may_end.wait(PATIENCE)
        return "done"


async def begun(condition: Callable[[], bool]) -> None:
    while not condition():
        await asyncio.sleep(0)


@requirement("http.changes-hold-few-threads")
def test_the_third_change_of_a_space_begins_when_one_has_ended() -> None:
    async def changed() -> tuple[bool, list[str]]:
        with closing(RequestThreads(4)) as threads:
            until = asyncio.get_running_loop().time() + PATIENCE
            works = [Work() for _ in range(4)]
            names = [ONE, ONE, ONE, OTHER]
            tasks = [
                asyncio.create_task(threads.change(name, work, until, RequestDeadline()))
                for name, work in zip(names, works, strict=True)
            ]
            await begun(lambda: all(works[at].has_begun.is_set() for at in (0, 1, 3)))
            is_early = works[2].has_begun.is_set()
            works[0].may_end.set()
            await begun(works[2].has_begun.is_set)
            for work in works:
                work.may_end.set()
            return is_early, await asyncio.gather(*tasks)

    assert asyncio.run(changed()) == (False, ["done"] * 4)


@requirement("http.changes-hold-few-threads")
@pytest.mark.parametrize("how", ["late", "cancelled", "busy"])
def test_a_change_that_gets_no_thread_in_time_is_not_begun(how: str) -> None:
    async def changed() -> bool:
        with closing(RequestThreads(1)) as threads:
            now = asyncio.get_running_loop().time()
            works, late = [Work(), Work()], Work()
            tasks = [
                asyncio.create_task(threads.change(ONE, work, now + PATIENCE, RequestDeadline()))
                for work in works
            ]
            await begun(works[0].has_begun.is_set)
            if how == "busy":
                tasks += [
                    asyncio.create_task(threads.change(ONE, Work(), now, RequestDeadline()))
                    for _ in range(14)
                ]
                await asyncio.sleep(0)
            until = now if how == "late" else now + PATIENCE
            waiting = asyncio.create_task(threads.change(ONE, late, until, RequestDeadline()))
            await asyncio.sleep(0)
            if how == "cancelled":
                waiting.cancel()
            refused = {"late": TimedOutError, "busy": ServerBusyError}.get(
                how, asyncio.CancelledError
            )
            with pytest.raises(refused):
                await waiting
            for work in works:
                work.may_end.set()
            await asyncio.gather(*tasks, return_exceptions=True)
            again = asyncio.create_task(
                threads.change(ONE, works[0], now + PATIENCE, RequestDeadline())
            )
            assert await again == "done"
            return late.has_begun.is_set()

    assert asyncio.run(changed()) is False
