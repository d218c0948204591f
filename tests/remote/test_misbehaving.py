"""Servers that answer wrongly, slowly or not at all, and tokens that are not taken."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from uuid import uuid4

import pytest

from holdfast.domain.memory.callers import Operation, PrincipalKind
from tests.cli.program import Program
from tests.http.conftest import Home
from tests.http.test_program import program as process
from tests.remote.conftest import LONGEST, client_of
from tests.requirements import requirement

Answer = Callable[["Handler"], None]
KEPT_HERE, AWAY, INVALID, NOT_FOUND, CONFLICT = 7, 6, 2, 3, 4


class Handler(BaseHTTPRequestHandler):
    """Answers as the test says, and notes the headers that it saw."""

    answer: Answer
    seen: list[dict[str, str]]
    body: bytes

    def _any(self) -> None:
        self.body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.seen.append({name.lower(): value for name, value in self.headers.items()})
        type(self).answer(self)

    do_GET = do_POST = do_PUT = do_DELETE = _any  # noqa: N815 - the names of the library

    def send(self, status: int, body: bytes, **headers: str) -> None:
        """Answer as a Holdfast server does."""
        name = "0123456789abcdef"
        own = {"X-Request-Id": name, "Holdfast-Request": name}
        self.say(status, body, {**own, **headers})

    def say(self, status: int, body: bytes, headers: Mapping[str, str]) -> None:
        """Answer without the headers of a Holdfast server."""
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as the library has it
        """Say nothing."""


@contextmanager
def answering(
    answer: Answer, port: int = 0
) -> Generator[tuple[str, list[dict[str, str]]], None, None]:
    seen: list[dict[str, str]] = []
    kind = type("Scripted", (Handler,), {"answer": staticmethod(answer), "seen": seen})
    server = ThreadingHTTPServer(("127.0.0.1", port), kind)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", seen
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def problem(status: int, code: str, family: str) -> Answer:
    shape = {"code": code, "family": family, "detail": "It is so.", "facts": {"noun": "memory"}}
    shape["advice"] = "Ask its owner."
    return lambda at: at.send(status, json.dumps(shape).encode())


def shaped(status: int, **shape: object) -> Answer:
    return lambda at: at.send(status, json.dumps(shape).encode())


def portal(page: bytes) -> Answer:
    return lambda at: at.say(200, page, {"X-Request-Id": "a portal"})


def page(status: int, body: bytes = b"<html>no</html>", **headers: str) -> Answer:
    """Answer as a proxy does whose backend has no such page."""
    return lambda at: at.say(status, body, {"Content-Type": "text/html", **headers})


FOREIGN = [
    pytest.param(page(404), id="not-found"),
    pytest.param(page(403, b'{"code": "waf", "detail": "Blocked."}'), id="json-refusal"),
    pytest.param(page(200), id="html"),
    pytest.param(page(200, b"{}"), id="empty-object"),
    pytest.param(page(302, b"", Location="http://localhost/login"), id="redirect"),
]
"""Answers of something between, which may have passed the request on before."""


def port_of(url: str) -> int:
    return int(url.rpartition(":")[2])


def _waiting(client: Program) -> list[Path]:
    """Return the writes that wait for their server; an answer's name may be any digits."""
    return list((client.home / "remotes").rglob("outbox/0*"))


def _cut(at: Handler) -> None:
    at.send_response(200)
    at.send_header("Content-Length", "1000")
    at.end_headers()
    at.wfile.write(b'{"half": ')


def _silent(at: Handler) -> None:
    """Begin an answer, and wait until the client gives up."""
    at.send_response(200)
    at.end_headers()
    at.wfile.flush()
    at.rfile.read(1)


@pytest.fixture
def client(repository: Path, tmp_path: Path) -> Program:
    extra = {"HOLDFAST_TOKEN": "hft.t_01.file.default.abcdef"}
    made = Program(home=tmp_path / "client", folder=repository, extra=extra)
    made("config", "set", "remote.timeout", LONGEST).well()
    return made


@pytest.fixture
def impatient(client: Program) -> Program:
    """A client for servers that never end their answer; a busy machine may pause for a second."""
    client("config", "set", "remote.timeout", "1").well()
    return client


@requirement("remote.wrong-answers")
@pytest.mark.parametrize(
    ("answer", "code", "said"),
    [
        pytest.param(_cut, AWAY, "truncated", id="truncated"),
        pytest.param(lambda at: at.send(200, b"<html>"), AWAY, "not a JSON object", id="html"),
        pytest.param(lambda at: at.send(200, b"[1]"), AWAY, "not a JSON object", id="list"),
        pytest.param(lambda at: at.send(200, b"{}"), AWAY, "cannot read", id="other-version"),
        pytest.param(lambda at: at.send(200, b"[" * 99_999), AWAY, "not a JSON", id="deep"),
        pytest.param(lambda at: at.send(404, b"no"), AWAY, "not from a Holdfast", id="foreign"),
        pytest.param(problem(422, "bad-field", "invalid"), INVALID, "It is so.", id="invalid"),
        pytest.param(problem(418, "new-thing", "conflict"), CONFLICT, "It is so.", id="new-code"),
        pytest.param(problem(503, "server-busy", "unavailable"), AWAY, "HTTP 503", id="busy"),
        pytest.param(
            problem(503, "no-encryption-key", "unavailable"), AWAY, "Ask its owner.", id="no-key"
        ),
        pytest.param(problem(403, "may-not", "conflict"), CONFLICT, "Ask its owner.", id="rights"),
        pytest.param(problem(429, "rate-limited", "unavailable"), AWAY, "It is so.", id="rate"),
        pytest.param(problem(422, "several-conflicts", "invalid"), INVALID, "so.", id="no-facts"),
        pytest.param(shaped(409, code=["a"]), AWAY, "not from a Holdfast", id="odd-code"),
        pytest.param(
            shaped(409, code="no-such", family={}, detail=7, facts="x", advice=[]),
            NOT_FOUND,
            "7",
            id="odd-shape",
        ),
        pytest.param(
            shaped(
                404, code="no-such", family="not-found", detail="So.", facts={"hint": "Run it."}
            ),
            NOT_FOUND,
            "So.",
            id="odd-facts",
        ),
    ],
)
def test_a_wrong_answer_is_a_clear_error(
    client: Program, answer: Answer, code: int, said: str
) -> None:
    with answering(answer) as (url, _):
        done = client("--store", url, "list")

    assert (done.code, said in done.err) == (code, True), done
    assert "abcdef" not in done.err + done.out
    assert "Traceback" not in done.err


@requirement("remote.wrong-answers")
def test_a_word_of_a_newer_server_is_no_mistake_of_the_caller(
    file_home: Home, repository: Path, tmp_path: Path
) -> None:
    with process(file_home) as (_, behind), answering(_newer(behind)) as (url, _):
        client = client_of(file_home, url, repository, tmp_path / "client")
        kept = client("remember", "--because", "Seen.", "A claim.")
        listed = client("list")

    assert "It has carried the request out." in kept.err
    for done in (kept, listed):
        assert (done.code, "'riddle' is not a kind" in done.err) == (AWAY, True), done
        assert "in a form that this version cannot read" in done.err


@requirement("remote.wrong-answers")
def test_a_server_that_falls_silent_is_given_up(impatient: Program) -> None:
    with answering(_silent) as (url, _):
        done = impatient("--store", url, "list")

    assert (done.code, "nothing came within 1 seconds" in done.err) == (AWAY, True), done
    assert "abcdef" not in done.err + done.out


@requirement("remote.wrong-answers")
@pytest.mark.parametrize("answer", [_cut, problem(500, "bug", "bug"), problem(503, "x", "y")])
def test_a_write_whose_answer_is_lost_waits_with_its_key(client: Program, answer: Answer) -> None:
    with answering(answer) as (url, seen):
        done = client("--store", url, "remember", "--because", "x", "A claim.", "--json")

    assert done.code == KEPT_HERE, done
    keys = {one["idempotency-key"] for one in seen if "idempotency-key" in one}
    assert keys == {done.json["kept_here"]["key"]}


@requirement("remote.wrong-answers")
def test_a_decision_whose_answer_is_lost_says_that_it_may_have_been_made(client: Program) -> None:
    with answering(_cut) as (url, seen):
        done = client("--store", url, "pin", "m_01")

    assert (done.code, "it may have carried the request out" in done.err) == (AWAY, True)
    assert len({one["idempotency-key"] for one in seen}) == 1
    assert not _waiting(client)


@requirement("remote.token-stays")
def test_a_redirect_never_carries_the_token_on(client: Program) -> None:
    with answering(lambda at: at.send(200, b"{}")) as (elsewhere, seen):
        there = f"{elsewhere.replace('127.0.0.1', 'localhost')}/v1/memories"
        with answering(lambda at: at.send(307, b"", Location=there)) as (url, _):
            done = client("--store", url, "list")

    assert (done.code, seen) == (AWAY, [])
    assert "redirects are not followed" in done.err


@requirement("remote.token-stays")
def test_the_token_is_nowhere_but_in_its_file(
    file_home: Home, repository: Path, tmp_path: Path
) -> None:
    with process(file_home) as (_, url):
        program = client_of(file_home, url, repository, tmp_path / "client")
        secret = (program.home / "remotes" / "team" / "token").read_text().strip()
        said = [
            program(*words)
            for words in (("remote", "list"), ("remote", "status"), ("status",), ("config", "list"))
        ]

    found = [path for path in tmp_path.rglob("*") if path.is_file() and _holds(path, secret)]
    assert [path.name for path in found] == ["token"]
    assert found[0].stat().st_mode & 0o777 == 0o600
    assert not any(secret in one.out + one.err for one in said)


def _holds(path: Path, secret: str) -> bool:
    return secret.encode() in path.read_bytes()


@requirement("remote.token-stays")
@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("http://memory.example.com", "without TLS"),
        ("ftp://memory.example.com", "https://"),
        ("https://ada:hunter2@memory.example.com", "no user"),
        ("https://memory.example.com/?token=hunter2", "no query"),
        ("https://", "name a host"),
        ("https://memory.example.com:99999", "name a host"),
    ],
)
def test_an_address_that_would_leak_is_refused(client: Program, url: str, said: str) -> None:
    added, used = client("remote", "add", url, "--no-token"), client("--store", url, "list")

    assert (added.code, said in added.err, "hunter2" in added.err) == (INVALID, True, False)
    assert used.code == INVALID
    assert "hunter2" not in used.err


@requirement("remote.token-stays")
def test_http_to_another_machine_needs_a_word_of_its_own(impatient: Program) -> None:
    words = ("remote", "add", "http://192.0.2.1:1", "--name", "lab", "--insecure-http")

    assert impatient(*words, "--json").json["url"] == "http://192.0.2.1:1"


@requirement("remote.wrong-answers")
def test_a_certificate_that_nobody_signed_is_not_trusted(client: Program) -> None:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(1)
        port = listening.getsockname()[1]

        def talk() -> None:
            one, _ = listening.accept()
            one.recv(100)
            one.sendall(b"\x15\x03\x03\x00\x02\x02\x28")  # a TLS alert
            one.close()

        thread = threading.Thread(target=talk)
        thread.start()
        done = client("--store", f"https://127.0.0.1:{port}", "list")
        thread.join()

    assert (done.code, "cannot be trusted" in done.err) == (AWAY, True)


@requirement("remote.tokens")
def test_a_wrong_an_expired_and_a_revoked_token_are_refused(
    file_home: Home, repository: Path, tmp_path: Path
) -> None:
    good = file_home.token(PrincipalKind.PERSON, name="good")
    expired = file_home.token(PrincipalKind.PERSON, name="old", keep_for=timedelta(microseconds=1))
    reader = file_home.token(PrincipalKind.PERSON, name="r", may=frozenset({Operation.READ}))
    client = Program(home=tmp_path / "client", folder=repository)
    with process(file_home) as (_, url):
        wrong = good[:-3] + "abc"
        for token in (wrong, expired, "nonsense"):
            done = with_token(client, token)("--store", url, "list")
            assert (done.code, "no valid token" in done.err) == (INVALID, True)
            kept = with_token(client, token)("--store", url, "remember", "--because", "x", "A.")
            assert kept.code == INVALID  # refused, so it does not wait
        assert with_token(client, good)("--store", url, "list").code == 0
        may_not = with_token(client, reader)("--store", url, "remember", "--because", "x", "A.")
        assert may_not.code == CONFLICT
        file_home.revoke("good")
        assert with_token(client, good)("--store", url, "list").code == INVALID


def with_token(client: Program, token: str) -> Program:
    return replace(client, extra={"HOLDFAST_TOKEN": token})


@requirement("remote.tokens")
def test_an_agent_with_a_persons_token_stays_an_agent(
    file_home: Home, repository: Path, tmp_path: Path
) -> None:
    with process(file_home) as (_, url):
        client = client_of(file_home, url, repository, tmp_path / "client")
        agent = replace(client, extra={"CLAUDECODE": "1"})
        words = ("remember", "--evidence", "https://example.com", "Agents propose.", "--json")
        kept = agent(*words).well().json

        assert kept["memory"]["status"] == "candidate"
        assert agent("approve", kept["id"]).code == CONFLICT
        assert client("approve", kept["id"]).code == 0


@requirement("remote.known")
def test_remotes_are_added_listed_used_and_removed(
    file_home: Home, repository: Path, tmp_path: Path
) -> None:
    client = Program(home=tmp_path / "client", folder=repository)
    token = tmp_path / "ada.token"
    token.write_text(file_home.token(PrincipalKind.PERSON))
    with process(file_home) as (_, url):
        added = client("remote", "add", f"{url}/", "--name", "team", "--token-file", str(token))
        assert "answers  version" in added.well().out
        assert client("list").code == 3  # it is not the default, and there is no store here
        assert client("--store", "team", "list").code == 0
        client("remote", "use", "team").well()
        assert client("list").code == 0
        assert client("remote", "list", "--json").json["remotes"][0]["default"] is True
        client("remote", "use", "local").well()
        assert client("list").code == 3
        assert client("--store", "nobody", "list").code == 3
        assert client("remote", "use", "nobody").code == 3
        assert client("remote", "add", url, "--name", "Not A Name", "--no-token").code == 2
        assert client("remote", "add", url).code == 2  # nobody can be asked for a token
        assert client("remote", "add", url, "--token-file", "none").code == 3
        client("remote", "remove", "team").well()
        assert client("remote", "remove", "team").code == 3
        assert not (client.home / "remotes" / "team").exists()
    assert client("remote", "status", "team").code == 3


@requirement("remote.known")
def test_a_damaged_list_of_remotes_is_an_error_and_not_an_empty_memory(client: Program) -> None:
    (client.home / "remotes.json").write_text("{")

    done = client("list")

    assert (done.code, "remotes.json" in done.err) == (AWAY, True)
    assert "Move it away, and add your remotes again." in done.err


def _send_slowly(at: Handler) -> None:
    """Send a byte now and then, each within the time that a read of the socket may take."""
    at.send_response(200)
    at.send_header("Content-Length", "1000000")
    at.end_headers()
    try:
        while True:
            at.wfile.write(b" ")
            at.wfile.flush()
            time.sleep(0.1)
    except OSError:
        return


@requirement("remote.wrong-answers")
def test_an_answer_that_drips_ends_with_the_time_of_the_request(impatient: Program) -> None:
    with answering(_send_slowly) as (url, _):
        done = impatient("--store", url, "list")

    assert (done.code, "nothing came within 1 seconds" in done.err) == (AWAY, True), done


def _drip_headers(at: Handler) -> None:
    """Send the headers byte by byte, and never the last of them."""
    try:
        at.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        while True:
            at.wfile.write(b"x")
            at.wfile.flush()
            time.sleep(0.1)
    except OSError:
        return


@requirement("remote.wrong-answers")
def test_headers_that_drip_end_with_the_time_of_the_request(impatient: Program) -> None:
    with answering(_drip_headers) as (url, _):
        done = impatient("--store", url, "list")

    assert (done.code, "nothing came within 1 seconds" in done.err) == (AWAY, True), done


@requirement("remote.token-stays")
def test_a_server_that_echoes_the_token_does_not_get_it_printed(client: Program) -> None:
    def echo(at: Handler) -> None:
        shape = {"code": "bad-field", "family": "invalid", "facts": {}}
        said = f"You sent {at.headers['Authorization']}."
        at.send(422, json.dumps({**shape, "detail": said}).encode())

    with answering(echo) as (url, seen):
        done = client("--store", url, "list")

    assert any("abcdef" in one.get("authorization", "") for one in seen)
    assert (done.code, "[token]" in done.err, "abcdef" in done.err) == (INVALID, True, False)


@requirement("remote.nothing-lost")
@pytest.mark.parametrize("page", [b"<html>Please log in.</html>", b'{"ok": true}'])
def test_a_page_of_a_portal_does_not_take_a_waiting_write(client: Program, page: bytes) -> None:
    with answering(_cut) as (url, _):
        client("--store", url, "remember", "--because", "x", "A claim.")
    (written,) = _waiting(client)

    with answering(portal(page), port_of(url)) as (_, seen):
        done = client("--store", url, "remote", "push")

    assert "not from a Holdfast server" in done.out + done.err, done
    assert written.is_file()
    assert not any("authorization" in one for one in seen)


@requirement("remote.nothing-lost")
@pytest.mark.parametrize("answer", FOREIGN)
def test_a_write_that_something_else_answers_waits_with_its_key(
    client: Program, answer: Answer
) -> None:
    with answering(answer) as (url, seen):
        done = client("--store", url, "remember", "--because", "x", "A claim.", "--json")

    assert done.code == KEPT_HERE, done
    keys = {one["idempotency-key"] for one in seen if "idempotency-key" in one}
    assert keys == {done.json["kept_here"]["key"]}
    assert len(_waiting(client)) == 1


@requirement("remote.writes-wait")
def test_a_write_that_never_passes_is_dropped(client: Program) -> None:
    with answering(page(413)) as (url, _):
        words = ("--store", url, "remember", "--because", "x", "A claim.", "--json")
        key = client(*words).json["kept_here"]["key"]
        done = client("--store", url, "remote", "drop", key[:8]).well()

    assert "may have stored it" in done.err
    assert not _waiting(client)


@requirement("remote.nothing-lost")
@requirement("remote.nothing-twice")
@requirement("remote.reads-from-cache")
@pytest.mark.parametrize("answer", FOREIGN)
def test_something_between_that_answers_loses_and_doubles_nothing(
    file_home: Home, repository: Path, tmp_path: Path, answer: Answer
) -> None:
    mode = {"is_broken": False, "passes_on": False}

    def between(at: Handler) -> None:
        if mode["is_broken"] and at.path != "/healthz":
            if mode["passes_on"]:
                passed_on(at, behind)
            answer(at)
        else:
            proxied(behind, is_old=False)(at)

    with process(file_home) as (_, behind), answering(between) as (url, _):
        client = client_of(file_home, url, repository, tmp_path / "client")
        client("remember", "--because", "x", "Known.").well()
        client("list").well()
        for claim, passes_on in (("Before.", False), ("After.", True)):
            mode.update(is_broken=True, passes_on=passes_on)
            kept = client("remember", "--because", "x", claim)
            pushed = client("remote", "push")
            listed = client("list")
            mode.update(is_broken=False)
            assert (kept.code, "not confirmed it yet" in kept.out) == (KEPT_HERE, True), kept
            assert (pushed.code, pushed.out) == (KEPT_HERE, "0 sent, 0 refused, 1 waiting\n")
            assert (listed.code, "read here before" in " ".join(listed.err.split())) == (0, True)
            client("remote", "push").well()
        listed = client("list", "--json").well().json["memories"]

    assert sorted(one["claim"] for one in listed) == ["After.", "Before.", "Known."]


@requirement("remote.wrong-answers")
@pytest.mark.parametrize("answer", FOREIGN)
def test_the_address_of_another_site_is_said_to_be_one(client: Program, answer: Answer) -> None:
    with answering(answer) as (url, _):
        added = client("remote", "add", url, "--name", "wrong")

    assert added.code == AWAY
    assert "cannot be used" in added.out
    assert any(words in added.out for words in ("not from a Holdfast server", "a redirect"))


@requirement("remote.wrong-answers")
@pytest.mark.parametrize("words", [("link", "m_1", "m_2", "--remove"), ("export",)])
def test_a_page_of_a_portal_is_no_answer(client: Program, words: tuple[str, ...]) -> None:
    with answering(portal(b'{"ok": true}')) as (url, _):
        done = client("--store", url, *words)

    assert (done.code, "not from a Holdfast server" in done.err) == (AWAY, True), done


@requirement("remote.nothing-lost")
@pytest.mark.parametrize("is_old", [False, True])
def test_a_waiting_write_is_sent_through_aproxied(
    client: Program, file_home: Home, *, is_old: bool
) -> None:
    token = file_home.token(PrincipalKind.PERSON, name="ada")
    client = replace(client, extra={"HOLDFAST_TOKEN": token})
    with answering(_cut) as (url, _):
        client("--store", url, "remember", "--because", "x", "A claim.")

    with process(file_home) as (_, behind), answering(proxied(behind, is_old), port_of(url)):
        done = client("--store", url, "remote", "push")
        listed = client("--store", url, "list")

    assert (done.code, "A claim." in listed.out) == (0, True), (done, listed)
    assert not _waiting(client)


def passed_on(at: Handler, behind: str) -> None:
    """Send a request on, and keep its answer back."""
    there = HTTPConnection("127.0.0.1", port_of(behind))
    there.request(at.command, at.path, at.body, dict(at.headers.items()) | {"Host": "localhost"})
    there.getresponse().read()
    there.close()


def _newer(behind: str) -> Answer:
    """Pass requests on to a server, which answers with a kind that only a newer one knows."""

    def answer(at: Handler) -> None:
        there = HTTPConnection("127.0.0.1", port_of(behind))
        headers = dict(at.headers.items()) | {"Host": "localhost"}
        there.request(at.command, at.path, at.body, headers)
        reply = there.getresponse()
        at.send(reply.status, reply.read().replace(b'"kind":"fact"', b'"kind":"riddle"'))
        there.close()

    return answer


def proxied(behind: str, is_old: bool) -> Answer:  # noqa: FBT001 - it is passed on
    """Pass requests on; a proxy names the requests itself, and an old server has one header."""

    def answer(at: Handler) -> None:
        there = HTTPConnection("127.0.0.1", port_of(behind))
        there.request(
            at.command, at.path, at.body, dict(at.headers.items()) | {"Host": "localhost"}
        )
        reply = there.getresponse()
        passed = {name.lower(): value for name, value in reply.getheaders()}
        if is_old:
            del passed["holdfast-request"]
        else:
            passed["x-request-id"] = str(uuid4())
        at.say(reply.status, reply.read(), passed)
        there.close()

    return answer
