"""A server that is away: reads come from the cache, writes wait, and nothing is lost or doubled."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Generator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import holdfast
from holdfast.adapters.remote.answer_cache import AnswerCache
from holdfast.adapters.remote.outbox import Outbox
from holdfast.adapters.remote.server import RemoteAccess, RemoteServer
from holdfast.bootstrap.remote.asking import Asking
from holdfast.bootstrap.remote.refusals import refusal
from holdfast.domain.memory.callers import PrincipalKind
from holdfast.domain.remote_errors import UnknownOutcomeError, WriteWaitsError
from holdfast.domain.service.remotes import RemoteRequest, WaitingWrite
from holdfast.domain.values import replace as changed
from holdfast.usecases.memory.forget import Forget
from tests.cli.program import PROGRAM, Program
from tests.hook.caller import CONTEXT, Caller
from tests.http.conftest import Home
from tests.http.test_program import program as process
from tests.remote.conftest import client_of
from tests.requirements import requirement

KEPT_HERE = 7
ACCESS = RemoteAccess(url="http://127.0.0.1:9", token="hft.t_1.file.default.s")  # noqa: S106 - a made-up one


@contextmanager
def down_and_up(home: Home, url: str) -> Generator[str, None, None]:
    """Start a server again at the port that it had."""
    with process(home, "--port", url.rpartition(":")[2]) as (_, again):
        assert again == url
        yield url


@pytest.fixture
def away(file_home: Home, repository: Path, tmp_path: Path) -> tuple[Program, Home, str]:
    """A client that has read one memory of a server, which was killed then."""
    file_home.token(PrincipalKind.AGENT)
    with process(file_home) as (_, url):
        client = client_of(file_home, url, repository, tmp_path / "client")
        keep(client, "Tokens rotate hourly.").well()
        client("recall", "how often do tokens rotate").well()
    return client, file_home, url


def keep(client: Program, claim: str):  # type: ignore[no-untyped-def]
    return client("remember", "--kind", "rule", "--because", "seen", claim)


def claims(home: Home) -> list[str]:
    """Return every claim of a server's store, as its operator sees it."""
    memory = home.machine().open()
    try:
        lines = [json.loads(line) for line in memory.exchange.export()]
    finally:
        memory.close()
    return [one["data"]["claim"] for one in lines if one["type"] == "memory"]


@requirement("remote.reads-from-cache")
def test_a_read_is_answered_from_the_cache_and_says_so(away: tuple[Program, Home, str]) -> None:
    client, _, _ = away

    same = client("recall", "how often do tokens rotate", "--json").well()
    other = client("recall", "hourly rotation of tokens", "--json").well()
    shown = client("recall", "hourly rotation of tokens", "--md").well()

    assert "This is its answer of" in same.json["notes"][-1]
    assert "read here before" in other.json["notes"][-1]
    assert [len(one.json["items"]) for one in (same, other)] == [1, 1]
    assert "note: The server team does not answer" in shown.out
    assert "warnings" in json.loads(same.err)
    once = client("recall", "hourly rotation of tokens").well()
    assert (once.out + once.err).count("read here before") == 1
    never = client("related", "m_00000000")
    assert (never.code, "does not answer" in never.err) == (6, True)


@requirement("remote.reads-from-cache")
def test_what_was_read_before_is_listed_and_shown(away: tuple[Program, Home, str]) -> None:
    client, _, _ = away

    listed = client("list", "--limit", "3", "--json").well()
    name = listed.json["memories"][0]["id"]
    shown = client("show", name).well()
    other = client("list", "--status", "candidate", "--json").well()

    assert [one["claim"] for one in listed.json["memories"]] == ["Tokens rotate hourly."]
    assert "Tokens rotate hourly." in shown.out
    for one in (listed, other):
        assert "1 memory that was read here before" in " ".join(one.err.split())
    assert f"{name} was accepted when it was read here on" in " ".join(shown.err.split())
    assert other.json["memories"] == []
    for never in (client("show", "m_00000000"), client("show", "r_00000000")):
        assert (never.code, "does not answer" in never.err) == (6, True)


@requirement("remote.reads-from-cache")
def test_a_claim_that_was_superseded_is_not_shown_as_valid(
    file_home: Home, repository: Path, tmp_path: Path
) -> None:
    file_home.token(PrincipalKind.AGENT)
    with process(file_home) as (_, url):
        client = client_of(file_home, url, repository, tmp_path / "client")
        words = ("remember", "--because", "seen", "--json")
        port = client(*words, "--key", "port", "The port is 8080.").well().json["id"]
        host = client(*words, "--key", "host", "The host is red.").well().json["id"]
        for name in ("port", "host"):
            client("show", name).well()
            client("recall", f"which {name} is it").well()
        client("list").well()
        client("edit", "port", "--claim", "The port is 9090.").well()
        client(*words, "--key", "host", "The host is blue.").well()
        client("undo", "--dry-run").well()
        with holdfast.open(home=client.home, folder=repository) as hf:
            hf.app.memories.propose_forgetting(Forget(reference="port", dry_run=True))

    for name, valid, old in (("port", "9090", port), ("host", "blue", host)):
        shown, first = client("show", name).well(), client("show", old).well()
        recalled = client("recall", f"which {name} is it", "--json").well()

        assert valid in shown.out
        assert "was accepted when it was read here on" in " ".join(shown.err.split())
        assert "superseded" in first.out.splitlines()[0]
        assert "was superseded when it was read here on" in " ".join(first.err.split())
        assert old not in [one["memory_id"] for one in recalled.json["items"]]
    listed = client("list", "--status", "accepted", "--json").well().json["memories"]
    assert sorted(one["claim"] for one in listed) == ["The host is blue.", "The port is 9090."]
    assert client("list", "--status", "candidate", "--json").well().json["memories"] == []


@requirement("remote.writes-wait")
def test_a_write_waits_and_arrives_in_order(away: tuple[Program, Home, str]) -> None:
    client, home, url = away

    first, second = keep(client, "First."), client("remember", "--because", "x", "Two.", "--json")
    assert (first.code, second.code) == (KEPT_HERE, KEPT_HERE)
    assert first.out.startswith("Kept here; the server has not got it yet")
    assert second.json["kept_here"]["waiting"] == 2
    assert client("pin", "m_0").code == 6  # a decision is about what the server holds now
    assert len(client("remote", "list", "--json").json["remotes"][0]["waiting"]) == 2
    with down_and_up(home, url):
        listed = client("list", "--json", "--oldest-first").well().json["memories"]

        assert [one["claim"] for one in listed] == ["Tokens rotate hourly.", "First.", "Two."]
        assert client("remote", "push", "--json").json["sent"] == 0


@requirement("remote.writes-wait")
def test_push_sends_what_waits(away: tuple[Program, Home, str]) -> None:
    client, home, url = away
    keep(client, "It waited.")

    assert client("remote", "push").code == KEPT_HERE
    with down_and_up(home, url):
        assert client("remote", "push").well().out.startswith("1 sent, 0 refused, 0 waiting")
    assert claims(home).count("It waited.") == 1


@requirement("remote.writes-wait")
def test_a_write_that_the_server_refuses_is_set_aside(away: tuple[Program, Home, str]) -> None:
    client, home, url = away
    folder = client.home / "remotes" / "team"
    outbox = Outbox(folder)
    token = (folder / "token").read_text().strip()
    access = RemoteAccess(url=url, token=token)
    bad = RemoteRequest(method="POST", target="/v1/memories", body='{"claim": "No evidence."}')
    outbox.add(waiting(access, bad))
    keep(client, "A good one.")
    with down_and_up(home, url):
        pushed = client("remote", "push", "--json").json
        status = client("remote", "status", "--json").well().json
        key = status["refused"][0]["key"]

        assert (pushed["sent"], pushed["refused"], pushed["waiting"]) == (1, 1, 0)
        assert status["refused"][0]["request"] == "POST /v1/memories"
        assert client("remote", "remove", "team").code == 4
        shown = client("remote", "status").well().err
        assert f"holdfast remote retry {key[:8]} --name team" in shown
        client("remote", "retry", key[:8], "--name", "team").well()
        assert client("remote", "push").code == 4
        key = client("remote", "status", "--json").well().json["refused"][0]["key"]
        client("remote", "drop", key).well()
        assert client("remote", "status", "--json").well().json["refused"] == []
    assert "A good one." in claims(home)


@requirement("remote.nothing-twice")
def test_a_write_that_arrived_and_was_forgotten_since_is_not_kept(
    away: tuple[Program, Home, str],
) -> None:
    client, home, url = away
    keep(client, "The walrus sleeps.")
    folder = client.home / "remotes" / "team"
    outbox = Outbox(folder)
    (write,) = outbox.waiting()
    server = RemoteServer(
        RemoteAccess(url=url, token=(folder / "token").read_text().strip()),
        outbox=outbox,
        cache=AnswerCache(folder / "answers"),
        now=lambda: datetime.now(UTC),
        refusal=refusal,
    )

    with down_and_up(home, url):
        outbox.note_sent(write, datetime.now(UTC))
        kept = server.ask(write.request, key=write.key)  # the answer that the client never got
        with closing(home.machine().open()) as memory:
            memory.memories.forget(Forget(reference=str(kept["id"]), by="ada"))
        pushed = client("remote", "push", "--json").well().json

    assert (pushed["sent"], pushed["refused"], pushed["waiting"]) == (1, 0, 0)
    assert outbox.waiting() == outbox.refused() == []
    assert "The walrus sleeps." not in claims(home)


def waiting(
    access: RemoteAccess, request: RemoteRequest, sent_at: datetime | None = None
) -> WaitingWrite:
    return WaitingWrite(
        key=os.urandom(8).hex(),
        number=0,
        request=request,
        at=datetime.now(UTC),
        token=access.fingerprint,
        space=access.space,
        url=access.url,
        sent_at=sent_at,
    )


@requirement("remote.nothing-twice")
def test_a_write_that_may_have_arrived_is_not_sent_without_its_key(tmp_path: Path) -> None:
    """A key is known for a day; a later repetition could store the write twice."""
    now = datetime.now(UTC)
    access = ACCESS
    request = RemoteRequest(method="POST", target="/v1/memories", body="{}")
    outbox = Outbox(tmp_path)
    server = RemoteServer(
        access,
        outbox=outbox,
        cache=AnswerCache(tmp_path / "answers"),
        now=lambda: now,
        refusal=refusal,
    )
    old = waiting(access, request, sent_at=now - timedelta(hours=30))
    ahead = waiting(access, request, sent_at=now + timedelta(hours=30))  # the clock was set back
    foreign = replace_space(waiting(access, request))
    rotated = changed(waiting(access, request, now), token="t_0")  # noqa: S106 - an id, no secret

    reasons = [server._unsendable(one) for one in (old, foreign, rotated, ahead)]
    assert ["no longer remembers" in reasons[0], "another space" in reasons[1]] == [True, True]
    assert reasons[3] == reasons[0]
    assert "another token" in reasons[2]
    assert server._unsendable(waiting(access, request, sent_at=now)) == ""
    with pytest.raises(WriteWaitsError):
        server.write(request, may_wait=True)
    assert outbox.waiting()[0].sent_at is None  # the connection was refused: it has not arrived


def replace_space(write: WaitingWrite) -> WaitingWrite:
    return changed(write, space="file/other")


class Writers:
    """Clients that write at the same time; one of them is killed now and then."""

    def __init__(self, client: Program) -> None:
        self._client = client
        self.acknowledged: list[str] = []
        self.sent: list[str] = []

    def run(self) -> None:
        names = ("a", "b", "c", "killed")
        threads = [threading.Thread(target=self._write, args=(name,)) for name in names]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _write(self, name: str) -> None:
        for number in range(4):
            claim = f"Claim {number} of {name}."
            self.sent.append(claim)
            running = subprocess.Popen(
                [*PROGRAM, "remember", "--because", "seen", claim],
                cwd=self._client.folder,
                env=self._client.environment,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            if name == "killed" and number % 2:
                threading.Timer(0.12 * number, running.send_signal, [signal.SIGKILL]).start()
            if running.wait() in {0, KEPT_HERE}:
                self.acknowledged.append(claim)


@contextmanager
def killed_again_and_again(home: Home, url: str) -> Generator[None, None, None]:
    """Run a server that is killed several times a second."""
    ended = threading.Event()

    def serve() -> None:
        number = 0
        while not ended.is_set():
            with process(home, "--port", url.rpartition(":")[2]):
                number += 1
                ended.wait(0.15 + 0.1 * (number % 4))

    serving = threading.Thread(target=serve)
    serving.start()
    try:
        yield
    finally:
        ended.set()
        serving.join()


@requirement("remote.nothing-lost")
@requirement("remote.nothing-twice")
@pytest.mark.parametrize("home", ["postgres"], indirect=True)
def test_killed_servers_and_clients_lose_and_double_nothing(
    home: Home, repository: Path, tmp_path: Path
) -> None:
    """The fault tool ``remote`` does the same with a store in a file."""
    home.token(PrincipalKind.AGENT)
    with process(home) as (_, url):
        client = client_of(home, url, repository, tmp_path / "client")
    writers = Writers(client)
    with killed_again_and_again(home, url):
        writers.run()
    with down_and_up(home, url):
        client("remote", "push").well()
        status = client("remote", "status", "--json").well().json
    stored = claims(home)

    assert (status["waiting"], status["refused"]) == ([], [])
    assert [claim for claim in writers.acknowledged if claim not in stored] == []
    assert [claim for claim in writers.sent if stored.count(claim) > 1] == []


_DIES = """
import os, sys
from holdfast.adapters.remote import server
from holdfast.adapters.remote.outbox import Outbox
from holdfast.surfaces.cli.main import main
place = sys.argv.pop(1)
if place == "kept":
    inner = Outbox.add
    def add(self, write):
        kept = inner(self, write)
        os.kill(os.getpid(), 9)
    Outbox.add = add
else:
    def done(self, write):
        os.kill(os.getpid(), 9)
    Outbox.done = done
main(sys.argv[1:])
"""


@requirement("remote.nothing-lost")
@requirement("remote.nothing-twice")
def test_a_client_that_is_killed_around_its_outbox_loses_and_doubles_nothing(
    away: tuple[Program, Home, str],
) -> None:
    client, home, url = away
    dying = (sys.executable, "-c", _DIES)

    kept = client.start("kept", "remember", "--because", "x", "Killed after.", program=dying)
    assert kept.code == -signal.SIGKILL
    with down_and_up(home, url):
        sent = client.start("sent", "remote", "push", program=dying)
        assert sent.code == -signal.SIGKILL
        assert client("remote", "push", "--json").well().json["sent"] == 1
    assert claims(home).count("Killed after.") == 1


@requirement("remote.nothing-lost")
def test_a_damaged_file_of_the_outbox_is_named_and_holds_nobody_up(
    away: tuple[Program, Home, str],
) -> None:
    client, home, url = away
    keep(client, "One.")
    keep(client, "Two.")
    first = min((client.home / "remotes" / "team" / "outbox").glob("0*"))
    first.write_bytes(first.read_bytes()[:-9])
    with down_and_up(home, url):
        assert client("remote", "push", "--json").well().json["sent"] == 1
        damaged = client("remote", "status", "--json").well().json["damaged"]
    assert len(damaged) == 1
    assert Path(damaged[0]).exists()


@requirement("remote.nothing-lost")
def test_a_write_that_can_be_neither_sent_nor_kept_is_an_error(
    away: tuple[Program, Home, str],
) -> None:
    client, _, _ = away
    outbox = client.home / "remotes" / "team" / "outbox"
    outbox.write_text("not a folder")

    done = keep(client, "Nowhere to go.")

    assert (done.code, "neither sent nor kept" in done.err) == (6, True)


@requirement("remote.agents-are-told")
def test_a_program_catches_that_a_write_waits(
    away: tuple[Program, Home, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    client, _, _ = away
    for name, value in client.environment.items():
        monkeypatch.setenv(name, value)
    with holdfast.open(home=client.home, folder=client.folder) as memory:
        with pytest.raises(holdfast.WriteWaitsError) as kept:
            memory.remember("A program saw it.", because="seen")
        answer = memory.recall("how often do tokens rotate")

        assert kept.value.facts["waiting"] == 1
        assert "does not answer" in memory.warnings[-1]
        assert len(answer) == 1


@requirement("remote.agents-are-told")
def test_an_agent_is_told_over_mcp_that_a_write_waits(away: tuple[Program, Home, str]) -> None:
    client, _, _ = away
    hello = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    calls = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        call(
            2,
            "memory.create",
            kind="fact",
            claim="An agent saw it.",
            evidence=["https://example.com"],
        ),
        call(3, "context.assemble", q="how often do tokens rotate"),
    ]
    lines = "".join(f"{json.dumps(one)}\n" for one in calls)

    answers = [
        json.loads(line)
        for line in client.start("mcp", stdin=lines.encode()).out.split("\n")
        if line
    ]

    by_id = {one["id"]: one["result"] for one in answers}
    said = by_id[2]["content"][0]["text"]
    assert "Kept here" in said
    assert "Do not repeat it" in said
    assert "try the same call again" not in said
    assert any("does not answer" in one["text"] for one in by_id[3]["content"])


def call(number: int, tool: str, **arguments: object) -> dict[str, object]:
    params = {"name": tool, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


@requirement("remote.hooks")
def test_a_hook_tells_what_was_read_and_never_fails(away: tuple[Program, Home, str]) -> None:
    client, home, url = away

    offline = Caller(client, session="0000").start()
    with down_and_up(home, url):
        online = Caller(client, session="1111").start()

    assert CONTEXT in online
    assert "Tokens rotate hourly." in online
    assert "Tokens rotate hourly." in offline


@requirement("remote.forgotten")
def test_forgetting_clears_the_cache(away: tuple[Program, Home, str]) -> None:
    client, home, url = away
    with down_and_up(home, url):
        name = client("list", "--json").well().json["memories"][0]["id"]
        client("forget", name, "--yes").well()

    texts = [path.read_bytes() for path in client.home.rglob("*") if path.is_file()]
    assert not any(b"Tokens rotate hourly." in text for text in texts)


@requirement("remote.forgotten")
def test_a_text_that_the_server_calls_forgotten_leaves_the_cache(
    away: tuple[Program, Home, str],
) -> None:
    client, home, url = away
    with down_and_up(home, url):
        name = client("list", "--json").well().json["memories"][0]["id"]
        keep(client, "Ports are fixed.").well()
        other = client("list", "--json").well().json["memories"][0]["id"]
        client("show", other).well()
        with closing(home.machine().open()) as memory:
            memory.memories.forget(Forget(reference=name, by="bob"))
        assert client("show", name).code == 3

    texts = [path.read_bytes() for path in client.home.rglob("*") if path.is_file()]
    assert not any(b"Tokens rotate hourly." in text for text in texts)
    assert "Ports are fixed." in client("show", other).well().out


@requirement("remote.forgotten")
def test_forgetting_of_unknown_outcome_clears_the_cache(tmp_path: Path) -> None:
    cache = AnswerCache(tmp_path / "answers")
    cache.put(RemoteRequest(method="GET", target="/"), {"claim": "Gone."}, at=datetime.now(UTC))
    server = RemoteServer(
        ACCESS, outbox=Outbox(tmp_path), cache=cache, now=lambda: datetime.now(UTC), refusal=refusal
    )
    nothing: Any = None  # the part is not used
    asking = Asking(server=server, holdfast=nothing, part=nothing)

    with pytest.raises(UnknownOutcomeError), asking.forgetting():
        raise UnknownOutcomeError(server="team", problem="does not answer")

    assert list(cache.every(now=datetime.now(UTC))) == []


@requirement("remote.forgotten")
def test_forgetting_in_a_store_here_clears_answers_of_servers_too(
    away: tuple[Program, Home, str],
) -> None:
    client, _, _ = away
    local = replace(client, extra={"HOLDFAST_STORE": "local"})
    words = ("remember", "--because", "seen", "--json", "Tokens rotate hourly.")
    name = local(*words).well().json["memory"]["id"]

    local("forget", "--id", name, "--yes").well()

    answers = [path for path in client.home.rglob("answers/*/*") if path.is_file()]
    assert not any(b"Tokens rotate hourly." in path.read_bytes() for path in answers)


def test_the_environment_of_a_client_is_its_own(away: tuple[Program, Home, str]) -> None:
    """--store local uses the store of this machine, whatever remote is the default."""
    client, _, _ = away
    local = replace(client, extra={"HOLDFAST_STORE": "local"})

    assert local("init", "--no-model").code == 0
    assert local("list").well().out == ""


@requirement("remote.waiting-replacement-told")
def test_a_claim_that_a_waiting_write_replaces_is_called_old(
    file_home: Home, repository: Path, tmp_path: Path
) -> None:
    file_home.token(PrincipalKind.AGENT)
    words = ("remember", "--because", "seen", "--key")
    with process(file_home) as (_, url):
        client = client_of(file_home, url, repository, tmp_path / "client")
        port = client(*words, "port", "The port is 8080.", "--json").well().json["id"]
        client(*words, "host", "The host is red.").well()
        client("recall", "which port is it").well()
        client("list").well()
    assert client(*words, "port", "The port is 9090.").code == KEPT_HERE
    assert client(*words, "host", "The host is red.").code == KEPT_HERE
    old = f"{port} is old: a write that waits here replaces it, under the key port."

    for question in ("which port is it", "on what port does it listen"):
        recalled = client("recall", question, "--json").well()
        assert [note for note in recalled.json["notes"] if " is old: " in note] == [old]
    for done in (client("list"), client("show", "port")):
        assert " ".join(done.well().err.split()).count(old) == 1
