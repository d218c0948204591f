"""``python -m benchmarks.http``: recalls and durable writes of ``holdfast serve`` over loopback.

A server with one and with two workers is measured, on a file and on Postgres. CPU time per request
is the main measure; requests per second of wall time depend on the other load of the machine, and
on the client, which runs on the same cores. As many requests are sent before, with other questions
and not counted: every worker has then opened the store and knows some of its memories. Each server
is printed, and written into the page if that is asked for, as soon as it is measured.
"""

from __future__ import annotations

import argparse
import itertools
import os
import random
import statistics
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import holdfast
from benchmarks.chroma_server import chroma
from benchmarks.corpus import Corpus
from benchmarks.cpu import cpu_seconds
from benchmarks.figures import Figure, table
from benchmarks.plain_http import PlainConnection
from demo.serving import Serving
from holdfast.domain.memory.callers import PrincipalKind
from holdfast.usecases.service.tokens import CreateToken
from tests.postgres_server import Server, new_server

RECALLS, WRITES = 300, 150
_THREADS = 8
_BATCH = 500
_ROUNDS_BEFORE = 10
"""Connections go to any worker, so that those of one round may all go to the same."""
_FILE, _POSTGRES = "file", "Postgres"
_LEFT_OUT = "chroma is left out: make chroma\n"
_BEGIN, _END = "<!-- http -->", "<!-- /http -->"
Send = Callable[[int], None]
"""Send one request on a connection of this thread."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """How much is sent to how large a store."""

    memories: int
    requests: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """A running server: how threads talk to it, and the processes whose CPU time counts."""

    name: str
    recalling: Callable[[], Send]
    writing: Callable[[], Send]
    pids: Sequence[int]


def main() -> None:
    """Measure and print."""
    options = _options()
    load = Load(memories=100, requests=16) if options.short else Load(memories=2_000, requests=400)
    workers = [1] if options.short else [1, 2]
    texts = list(itertools.islice(Corpus().memories(), load.memories))
    kinds = [options.only] if options.only else [_FILE, _POSTGRES]
    told = Told(options.write)
    database = new_server() if _POSTGRES in kinds else None
    try:
        for number in workers:
            for kind in kinds:
                used = database if kind == _POSTGRES else None
                with _ours(kind, used, number, texts) as served:
                    told.add(_measured(served, load))
    finally:
        if database is not None:
            database.stop()
    if not options.short and not options.only:
        told.add(_beside(texts, load))


class Told:
    """The figures so far, and the loads of the machine under which they were measured."""

    def __init__(self, page: Path | None) -> None:
        if page is not None and not _has_place(page):
            sys.exit(f"{page} has no place for the table: it lacks {_BEGIN} and {_END}.")
        self._page = page
        self._figures: list[Figure] = []
        self._loads = [os.getloadavg()[0]]

    def add(self, figures: Sequence[Figure]) -> None:
        """Print figures, and write all of them so far into the page."""
        self._figures += figures
        self._loads.append(os.getloadavg()[0])
        shown = f"Load of the machine: {min(self._loads):.1f} to {max(self._loads):.1f}."
        sys.stdout.write(f"{table(figures)}\n{shown}\n\n")
        sys.stdout.flush()
        if self._page is not None:
            before, rest = self._page.read_text(encoding="utf-8").split(_BEGIN, 1)
            words = f"{_BEGIN}\n{table(self._figures)}\n\n{shown}\n{_END}"
            self._page.write_text(before + words + rest.split(_END, 1)[1], encoding="utf-8")


def _has_place(page: Path) -> bool:
    text = page.read_text(encoding="utf-8")
    return 0 <= text.find(_BEGIN) < text.find(_END)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.http", description=__doc__)
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--short", action="store_true", help="one worker, in seconds")
    length.add_argument("--full", action="store_true", help="1 and 2 workers (the default)")
    parser.add_argument("--only", choices=[_FILE, _POSTGRES], help="measure only this store")
    parser.add_argument("--write", type=Path, help="also write the table into this page")
    return parser.parse_args()


def _beside(texts: Sequence[str], load: Load) -> list[Figure]:
    with chroma(texts) as found:
        if found is None:
            sys.stderr.write(_LEFT_OUT)
            return []
        server, recalling, writing = found
        served = Served(
            name="the Chroma server", recalling=recalling, writing=writing, pids=[server]
        )
        return _measured(served, load)


@contextmanager
def _ours(
    kind: str, database: Server | None, workers: int, texts: Sequence[str]
) -> Generator[Served, None, None]:
    """Fill a store, serve it, and yield how it is called."""
    store = "" if database is None else database.url()
    with tempfile.TemporaryDirectory(prefix="holdfast-bench-") as folder:
        settings = {
            "HOLDFAST_HOME": folder,
            "HOLDFAST_STORE": store,
            "HOLDFAST_TENANT": uuid.uuid4().hex,
            "HOLDFAST_MODELS": folder,
        }
        os.environ.update(settings)
        token = _filled(settings["HOLDFAST_TENANT"] if store else "file", texts)
        server = Serving.start(os.environ, "--workers", str(workers))
        address = urlsplit(server.url).netloc
        corpus = Corpus()
        questions = [corpus.stop_heavy_question(text) for text in texts]
        pids = [server.process.pid, *([] if database is None else [database.process.pid])]
        try:
            yield Served(
                name=f"on {kind}, {workers} {'worker' if workers == 1 else 'workers'}",
                recalling=lambda: _recall(PlainConnection(address, token=token), questions),
                writing=lambda: _write(PlainConnection(address, token=token)),
                pids=pids,
            )
        finally:
            server.end()


def _filled(tenant: str, texts: Sequence[str]) -> str:
    with holdfast.open(as_="person", name="ada") as memory:
        for first in range(0, len(texts), _BATCH):
            part = list(texts[first : first + _BATCH])
            memory.remember_all(part, scope="global", because="made for measuring")
        wish = CreateToken(name="bench", kind=PrincipalKind.PERSON, tenant=tenant)
        return str(memory.app.access.create(wish).text)


def _recall(connection: PlainConnection, questions: Sequence[str]) -> Send:
    def send(number: int) -> None:
        question = questions[number % len(questions)]
        _demand(200, *connection.post("/v1/recall", {"q": question, "include": ["memory"]}))

    return send


def _write(connection: PlainConnection) -> Send:
    chance = random.Random()

    def send(number: int) -> None:
        name = f"{number}x{chance.getrandbits(48):x}"
        body = {"claim": f"Part {name} lies on shelf {chance.random()}.", "because": "counted"}
        _demand(201, *connection.post("/v1/memories", body))

    return send


def _demand(wanted: int, status: int, answer: bytes) -> None:
    if status != wanted:
        sys.exit(f"a request was answered with {status}: {answer.decode()[:500]}")


def _measured(served: Served, load: Load) -> list[Figure]:
    sys.stderr.write(f"{served.name} …\n")
    return [
        *_figures(f"recalls {served.name}", served.recalling, served.pids, load, RECALLS),
        *_figures(f"durable writes {served.name}", served.writing, served.pids, load, WRITES),
    ]


def _figures(
    name: str, talk: Callable[[], Send], pids: Sequence[int], load: Load, target: int
) -> Iterator[Figure]:
    for number in range(_ROUNDS_BEFORE):
        part = load.requests // _ROUNDS_BEFORE
        _sent(talk, range(load.requests + number * part, load.requests + (number + 1) * part))
    servers, own = [cpu_seconds(pid) for pid in pids], time.process_time()
    began = time.perf_counter()
    waits = sorted(_sent(talk, range(load.requests)))
    wall = time.perf_counter() - began
    spent = [cpu_seconds(pid) - before for pid, before in zip(pids, servers, strict=True)]
    shares = ", ".join(f"{1_000 * one / load.requests:.2f}" for one in spent)
    client = 1_000 * (time.process_time() - own) / load.requests
    note = (
        f"p50 {1_000 * statistics.median(waits):.0f} ms,"
        f" p99 {1_000 * waits[int(0.99 * len(waits)) - 1]:.0f} ms;"
        f" CPU ms per request: server {shares}, client {client:.2f}"
    )
    yield Figure(name=name, value=load.requests / wall, unit="/s", at_least=target, note=note)
    yield Figure(
        name=f"{name}, by CPU of the servers",
        value=2 * load.requests / sum(spent),
        unit="/s of 2 cores",
    )


def _sent(talk: Callable[[], Send], requests: range) -> list[float]:
    """Send requests from a few threads at once; return how long each took, in seconds."""
    numbers, waits = iter(requests), []
    lock = threading.Lock()

    def work() -> None:
        send = talk()
        while True:
            with lock:
                number = next(numbers, None)
            if number is None:
                return
            began = time.perf_counter()
            send(number)
            waits.append(time.perf_counter() - began)

    # A thread of its own would swallow the exit of a request that was refused.
    with ThreadPoolExecutor(_THREADS) as threads:
        for done in [threads.submit(work) for _ in range(_THREADS)]:
            done.result()
    return waits


if __name__ == "__main__":
    main()
