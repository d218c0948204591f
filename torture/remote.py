"""Servers and clients that are killed, and answers that are cut: no write is lost or doubled.

Writers record turns of a session on a server, because a turn that is sent twice is stored twice. A
relay between them and the server drops requests before they arrive, and answers after the server
has stored what they confirm. The server is killed, and so are the writers. At the end what waits in
the outbox is sent, and every turn is counted.
"""

from __future__ import annotations

import os
import random
import socket
import threading
from collections import Counter
from collections.abc import Generator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from secrets import token_hex

import holdfast
from holdfast.adapters.http.requesting import HttpReply
from holdfast.adapters.remote.server import RemoteServer
from holdfast.bootstrap.remote.opening import open_server
from holdfast.domain.errors import UnavailableError
from holdfast.domain.ids import SessionId
from holdfast.domain.memory.callers import PrincipalKind
from holdfast.domain.remote_errors import WriteWaitsError
from holdfast.domain.service.remotes import RemoteRequest
from holdfast.domain.sessions.session import Interaction
from holdfast.surfaces.python.api import MemoryStore
from holdfast.usecases.service.tokens import CreateToken
from torture.crew import Crew, in_child
from torture.http import serving
from torture.pace import Pace
from torture.plants import Plant, planted
from torture.report import Report, Tally, faulty
from torture.task import Task

WRITERS = 4
WRITES_PER_FAULT = 24
_CUT_SHARE = 0.15
_PART = 1 << 16
_HEAD_END = b"\r\n\r\n"


def run(task: Task) -> Report:
    """Kill the server, the writers, or both; 200 times at full length."""
    faults = task.number(short=4, full=200)
    home, client = task.folder("home"), task.folder("client")
    chance, crew = random.Random(task.seed), Crew()
    token, session = in_child(partial(_begun, home))
    told = task.work / "told"
    relay = Relay(chance)
    with relay.running() as url:
        pace = Pace(told, crew)
        for number in range(faults):
            with serving(home, task.work / "log") as served:
                relay.target = served
                for writer in range(WRITERS):
                    work = partial(_write, url, client, token, session, told, writer)
                    crew.start(f"writer{writer}", work)
                pace.wait(WRITES_PER_FAULT)
                if number % 2:
                    crew.kill(*chance.sample(sorted(crew.pids), 2))
        crew.kill_all()
        relay.cuts = False
        with serving(home, task.work / "log") as served:
            relay.target = served
            left = in_child(partial(_sent, url, client, token))
    tally = in_child(partial(_counted, home, session, told)) + left
    done = f"{faults} kills of the server under {WRITERS} writers, {relay.cut:,} cut answers"
    return Report(tool="remote", done=done, tally=tally + Tally(faults=faults + relay.cut))


def _begun(home: Path) -> tuple[str, str]:
    """Create the store of a server; return a token for it, and a session."""
    os.environ["HOLDFAST_MODELS"] = "/none"
    with holdfast.open(home=home, folder=home, as_="person", name="ada", store="local") as memory:
        wish = CreateToken(name="writer", kind=PrincipalKind.PERSON, tenant="file")
        token = str(memory.app.access.create(wish).text)
        return token, memory.app.sessions.start(tool="torture", user="ada").id


def _opened(url: str, client: Path, token: str) -> MemoryStore:
    os.environ |= {"HOLDFAST_TOKEN": token, "HOLDFAST_MODELS": "/none"}
    return holdfast.open(home=client, folder=client, store=url)


def _write(url: str, client: Path, token: str, session: str, told: Path, number: int) -> None:
    """Record turns without end, and note each that was acknowledged."""
    if planted(Plant.NEW_KEY):
        _forget_keys()
    with _opened(url, client, token) as memory, told.open("a", encoding="ascii") as noted:
        while True:
            name = f"{number}-{token_hex(8)}"
            try:
                memory.app.sessions.add_turn(session, _turn(session, name))
            except WriteWaitsError:
                pass
            except UnavailableError:
                continue
            noted.write(f"{name}\n")
            noted.flush()


def _turn(session: str, name: str) -> Interaction:
    now = datetime.now(UTC)
    return Interaction(id=0, session_id=SessionId(session), at=now, query=name)


def _forget_keys() -> None:
    """Send every request with a key of its own, so that a repeated one is stored again."""
    inner = RemoteServer._reply  # noqa: SLF001 - the bug is planted there

    def reply(self: RemoteServer, request: RemoteRequest, key: str | None) -> HttpReply:
        return inner(self, request, None if key is None else token_hex(16))

    setattr(RemoteServer, inner.__name__, reply)


def _sent(url: str, client: Path, token: str) -> Tally:
    """Send what waits; nothing may be left over."""
    os.environ |= {"HOLDFAST_TOKEN": token}
    if planted(Plant.NEW_KEY):
        _forget_keys()
    server = open_server(url, home=client)
    pushed = server.push()
    refused = server.outbox.refused()
    notes = tuple(f"REFUSED {one.problem}" for one in refused)
    return Tally(bad=pushed.waiting + len(refused), notes=notes)


def _counted(home: Path, session: str, told: Path) -> Tally:
    """Compare the turns of the store with those that were acknowledged."""
    with holdfast.open(home=home, folder=home, store="local") as memory:
        page = memory.app.memories.show(session)
        stored = Counter(turn.query for turn in getattr(page, "turns", ()))
    acknowledged = told.read_text(encoding="ascii").split() if told.exists() else []
    lost = [name for name in acknowledged if name not in stored]
    doubled = [name for name, times in stored.items() if times > 1]
    if not acknowledged:
        return faulty("no write was acknowledged, so nothing was proved")
    notes = (*(f"LOST {name}" for name in lost), *(f"DOUBLED {name}" for name in doubled))
    return Tally(acks=len(acknowledged), lost=len(lost), bad=len(doubled), notes=notes)


class Relay:
    """Passes requests on to the server, and drops some of them, or their answers."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.target = ""
        self.cuts = True
        self.cut = 0

    @contextmanager
    def running(self) -> Generator[str, None, None]:
        """Accept connections until the block ends; yield the address."""
        thread = threading.Thread(target=self._accept, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        finally:
            self._listening.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                caller, _ = self._listening.accept()
                threading.Thread(target=self._pass_on, args=(caller,), daemon=True).start()

    def _pass_on(self, caller: socket.socket) -> None:
        """Pass one request and its answer on; the client closes a connection after each."""
        with closing(caller), suppress(OSError):
            caller.settimeout(30)
            request = _whole(caller)
            draw = self._chance.random() if self.cuts else 1.0
            if draw < _CUT_SHARE / 3:
                self.cut += 1
                return
            port = int(self.target.rpartition(":")[2])
            with closing(socket.create_connection(("127.0.0.1", port), 30)) as server:
                server.sendall(request)
                answer = b"".join(iter(lambda: server.recv(_PART), b""))
            if draw < _CUT_SHARE:
                self.cut += 1
                answer = answer[: self._chance.randrange(len(answer) or 1)]
            caller.sendall(answer)


def _whole(caller: socket.socket) -> bytes:
    """Read one request with its body."""
    found = b""
    while _HEAD_END not in found:
        part = caller.recv(_PART)
        if not part:
            return found
        found += part
    head, _, body = found.partition(_HEAD_END)
    stated = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    wanted = int(stated[0].split(b":")[1]) if stated else 0
    while len(body) < wanted:
        body += caller.recv(_PART)
    return head + _HEAD_END + body
