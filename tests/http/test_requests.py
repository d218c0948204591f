"""What a request may be: its body, its query, its key, its version, its size and its time."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from time import monotonic, sleep
from urllib.parse import urlsplit
from uuid import uuid4

import httpx2
import pytest

from holdfast.app.upkeep import UpkeepPart
from holdfast.bootstrap.plugs.addresses import IN_A_FILE, ServerPlace
from holdfast.bootstrap.service.deadline import RequestDeadline
from holdfast.bootstrap.service.folders import folder_bytes
from holdfast.domain.choices import Origin, Scope
from holdfast.domain.errors import BadFieldError
from holdfast.domain.memory.callers import PrincipalKind
from holdfast.domain.memory.place import SpaceId
from holdfast.domain.service.tokens import read_token
from holdfast.domain.service_errors import TimedOutError
from holdfast.surfaces.http.buckets import Buckets
from holdfast.surfaces.http.options import ServeOptions
from holdfast.surfaces.http.problems import problem_json
from holdfast.surfaces.http.refusals import RateLimitedError
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.memory.remember import Remember
from tests.http.conftest import Home, Served, client, running
from tests.patience import PATIENCE, PAUSE
from tests.postgres_server import server
from tests.requirements import requirement

URL = "https://example.com/why"
RAIN = {"claim": "It rains.", "evidence": [URL]}


def a_claim(text: str) -> dict[str, object]:
    return {"claim": text, "evidence": [URL]}


def kept(served: Served, text: str) -> str:
    name = served.person.post("/v1/memories", json={"claim": text, "because": "Seen."}).json()["id"]
    assert isinstance(name, str)
    return name


BAD_BODIES = {
    b"": "not-json",
    b"{": "not-json",
    b"[1]": "bad-field",
    b'"text"': "bad-field",
    b'{"claim": NaN}': "bad-field",
    b'{"claim": "a", "claim": "b"}': "bad-field",
    b'{"claim": "\\ud800", "evidence": ["https://example.com"]}': "bad-field",
    b'{"claim": 1}': "bad-field",
    b'{"claim": null}': "bad-field",
    b'{"clam": "A claim.", "claim": "A claim."}': "bad-field",
    b'{"claim": "A claim.", "kind": "rumour"}': "bad-field",
    b'{"claim": "A claim.", "importance": true}': "bad-field",
    b'{"claim": "A claim.", "tags": "one"}': "bad-field",
    b'{"claim": "A claim.", "evidence": [{"type": "url"}]}': "bad-field",
    b'{"claim": "A claim.", "evidence": []}': "bad-field",
    b'{"claim": ""}': "bad-field",
    b"[" * 100_000: "not-json",
    b'{"claim": "A claim.", "weight": ' + b"9" * 5_000 + b"}": "not-json",
    b"\xff\xfe": "not-json",
}


@requirement("http.problems")
@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({"Content-Type": "application/json; charset=utf-16"}, "content-type"),
        ({"Content-Type": "application/json", "Content-Encoding": "gzip"}, "content-type"),
        ({"Content-Type": "application/json", "Content-Encoding": "identity"}, None),
        ({"Content-Type": 'application/json; charset="UTF-8"'}, None),
    ],
)
def test_a_body_is_plain_json_in_one_encoding(
    served: Served, headers: dict[str, str], code: str | None
) -> None:
    content = json.dumps(a_claim("Bodies are read in one encoding.")).encode()

    answer = served.person.post("/v1/memories", content=content, headers=headers)

    assert answer.json().get("code") == code
    assert (answer.status_code == 415) is (code is not None)


@requirement("http.problems")
def test_a_refusal_of_a_compressed_body_names_its_header(served: Served) -> None:
    headers = {"Content-Type": "application/json", "Content-Encoding": "gzip"}

    refused = served.person.post("/v1/memories", content=b"x", headers=headers).json()

    assert "no Content-Encoding" in refused["detail"]
    assert "without 'Content-Encoding'" in refused["advice"]


@requirement("http.problems")
@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_a_body_in_another_encoding_is_not_guessed(served: Served, encoding: str) -> None:
    content = json.dumps(a_claim("A claim.")).encode(encoding)

    answer = served.person.post(
        "/v1/memories", content=content, headers={"Content-Type": "application/json"}
    )

    assert (answer.status_code, answer.json()["code"]) == (400, "not-json")


@requirement("http.problems")
@pytest.mark.parametrize("path", ["/v1/memories/", "/v1/memories//", "/healthz/"])
def test_a_route_has_one_address(served: Served, path: str) -> None:
    answer = served.person.get(path)

    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"


@requirement("http.problems")
def test_a_request_with_two_lengths_ends_the_connection(served: Served) -> None:
    hidden = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    request = (
        b"POST /v1/memories HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    )
    with connected_to(served) as sent:
        sent.sendall(request + hidden)
        said = b""
        while part := sent.recv(65_536):
            said += part

    assert said.count(b"HTTP/1.1 ") == 1
    assert b"connection: close" in said.lower()


@requirement("http.problems")
@pytest.mark.parametrize("body", BAD_BODIES, ids=lambda body: body[:30].decode("latin-1"))
def test_a_bad_body_is_refused_with_the_field(served: Served, body: bytes) -> None:
    answer = served.person.post(
        "/v1/memories", content=body, headers={"Content-Type": "application/json"}
    )

    assert answer.status_code == (400 if BAD_BODIES[body] == "not-json" else 422), answer.text
    assert answer.json()["code"] == BAD_BODIES[body]
    assert answer.headers["content-type"] == "application/problem+json"


@requirement("http.problems")
@pytest.mark.parametrize(
    ("body", "said"), [(b"[" * 100_000, "nested too deeply"), (b"9" * 5_000, "too many digits")]
)
def test_json_that_cannot_be_read_is_refused_with_the_reason(
    served: Served, body: bytes, said: str
) -> None:
    answer = served.person.post(
        "/v1/memories", content=body, headers={"Content-Type": "application/json"}
    )

    assert said in answer.json()["detail"]


@requirement("http.problems")
@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_only_json_is_read(served: Served, kind: str) -> None:
    answer = served.person.post("/v1/recall", content=b'{"q": "x"}', headers={"Content-Type": kind})

    assert (answer.status_code, answer.json()["code"]) == (415, "content-type")


@requirement("http.problems")
@pytest.mark.parametrize(
    ("target", "field"),
    [
        ("/v1/memories?limit=0", "query.limit"),
        ("/v1/memories?limit=many", "query.limit"),
        ("/v1/memories?limit=1&limit=2", "query.limit"),
        ("/v1/memories?pinned=yes", "query.pinned"),
        ("/v1/memories?kinds=rumour", "query.kinds[0]"),
        ("/v1/memories?colour=red", "query.colour"),
        ("/v1/memories?cursor=%00", "query.cursor"),
        ("/v1/memories?cursor=!", "query.cursor"),
        ("/v1/memories?cursor=aGVsbG8", "query.cursor"),
        ("/v1/memories?q=rain&cursor=ZGVmYXVsdC8y", "query.cursor"),
        ("/v1/memories?q=rain&oldest_first=true", "query.oldest_first"),
        ("/v1/journal/yesterday", "path.day"),
        ("/v1/memories?aside=true", "query.head"),
        ("/v1/memories?head=xyzw", "query.head"),
    ],
)
def test_a_bad_parameter_is_refused_by_its_name(served: Served, target: str, field: str) -> None:
    answer = served.person.get(target)

    assert (answer.status_code, answer.json()["facts"]["field"]) == (422, field)


@requirement("http.problems")
def test_a_bad_field_of_a_body_is_named_in_the_same_style(served: Served) -> None:
    claim = {"claim": "It rains.", "evidence": ["https://example.com"], "importance": "high"}
    answer = served.person.post("/v1/memories", json=claim)
    shape = problem_json(BadFieldError(field="request's expiresAt", problem="must be a time."))

    assert (answer.status_code, answer.json()["facts"]["field"]) == (422, "body.importance")
    assert shape["facts"] == {"field": "body.expiresAt", "problem": "must be a time."}


@requirement("http.problems")
@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("/v1/memories", {**RAIN, "key": "a" * 300}, "body.key"),
        ("/v1/memories", {**RAIN, "key": " "}, "body.key"),
        ("/v1/memories", {**RAIN, "tags": ["a b,"]}, "body.tags"),
        ("/v1/memories", {**RAIN, "metadata": {"a": "b" * 20_000}}, "body.metadata"),
        ("/v1/memories", {**RAIN, "origin": "robot"}, "body.origin"),
        ("/v1/memories/batch", {"claims": [{**RAIN, "tags": ["a b,"]}]}, "body.claims[].tags"),
        ("/v1/recall", {"q": " "}, "body.q"),
        ("/v1/recall", {"q": "rain", "budget": 10**9}, "body.budget"),
        ("/v1/tasks", {"title": " "}, "body.title"),
        ("/v1/links", {"src": "m_1", "dst": "m_1"}, "body.dst"),
    ],
)
def test_a_rule_names_the_field_by_its_place_in_the_request(
    served: Served, path: str, body: object, field: str
) -> None:
    answer = served.person.post(path, json=body)

    assert (answer.status_code, answer.json()["facts"].get("field")) == (422, field), answer.text


@requirement("http.problems")
def test_unknown_paths_and_methods_are_problems_too(served: Served) -> None:
    missing = served.person.get("/v1/nothing")
    wrong = served.person.request("PATCH", "/v1/memories")
    body = served.person.request("GET", "/v1/memories", json={"limit": 1})

    assert (missing.status_code, missing.json()["code"]) == (404, "no-such-route")
    assert (wrong.status_code, wrong.json()["code"]) == (405, "method-not-allowed")
    assert "GET" in wrong.headers["allow"]
    assert (body.status_code, body.json()["facts"]["field"]) == (422, "body")


@requirement("http.problems")
def test_a_route_without_fields_takes_an_empty_object(served: Served) -> None:
    kept(served, "It rains on Mondays.")
    bundle = served.person.post("/v1/recall", json={"q": "when does it rain"}).json()["id"]

    path = f"/v1/bundles/{bundle}/replay"
    for answer in (served.person.post(path, json={}), served.person.post(path)):
        assert answer.status_code == 200, answer.text


@requirement("http.problems")
def test_a_refused_import_says_that_nothing_was_imported(served: Served, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    other = Home(tmp_path / "other", IN_A_FILE).machine().open()
    because = Grounds(because="Seen.")
    wish = Remember(
        claim="From elsewhere.", scope=Scope.GLOBAL, origin=Origin.HUMAN, grounds=because
    )
    other.memories.remember(wish)
    lines = [*other.exchange.export(), "no JSON"]
    other.close()
    before = served.person.get("/v1/memories?everywhere=true").json()["total"]

    refused = served.person.post("/v1/import", json={"lines": lines}).json()

    assert "Nothing was imported." in refused["detail"]
    assert served.person.get("/v1/memories?everywhere=true").json()["total"] == before


@requirement("http.limits")
def test_sizes_are_limited(served: Served) -> None:
    large = served.person.post("/v1/recall", json={"q": "x" * 1_100_000})
    streamed = served.person.post(
        "/v1/recall",
        content=(b"x" * 65_536 for _ in range(20)),
        headers={"Content-Type": "application/json"},
    )
    long = served.person.get("/v1/memories?q=" + "x" * 17_000)
    wide = served.person.get("/v1/memories", headers={"X-Wide": "x" * 17_000})

    assert (large.status_code, large.json()["code"]) == (413, "body-too-large")
    assert (streamed.status_code, streamed.json()["code"]) == (413, "body-too-large")
    assert (long.status_code, long.json()["code"]) == (414, "url-too-long")
    assert (wide.status_code, wide.json()["code"]) == (431, "headers-too-large")


@requirement("http.limits")
def test_headers_that_do_not_end_end_the_connection(served: Served) -> None:
    with connected_to(served) as raw:
        raw.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Wide: ")
        with suppress(OSError):
            for _ in range(100):
                raw.sendall(b"x" * 65_536)
        with suppress(ConnectionError):
            assert b"400" in raw.recv(65_536).splitlines()[0]
            assert raw.recv(65_536) == b""


@requirement("http.limits")
def test_requests_that_follow_each_other_at_once_are_all_answered(served: Served) -> None:
    question = json.dumps({"q": "x"}).encode() + b" " * 60_000
    head = f"Host: 127.0.0.1\r\nAuthorization: {served.agent.headers['authorization']}\r\n"
    post = (
        f"POST /v1/recall HTTP/1.1\r\n{head}Content-Type: application/json\r\n"
        f"Content-Length: {len(question)}\r\n\r\n"
    ).encode() + question
    last = f"GET /healthz HTTP/1.1\r\n{head}Connection: close\r\n\r\n".encode()
    told = b""
    with connected_to(served) as raw:
        raw.sendall(post * 3 + last)
        while some := raw.recv(65_536):
            told += some

    assert told.count(b"HTTP/1.1 200") == 4


@requirement("http.same-words")
def test_a_key_with_a_slash_is_one_part_of_a_path(served: Served) -> None:
    claim = {"claim": "Owls sleep.", "because": "Seen.", "key": "owls/sleep"}
    kept = served.person.post("/v1/memories", json=claim).json()["id"]

    for quoted in ("owls%2Fsleep", "owls%2fslee%70"):
        found = served.person.get(f"/v1/memories/{quoted}")
        assert (found.status_code, found.json()["data"]["id"]) == (200, kept)
    assert served.person.get("/%76%31/%6Demories").status_code == 200
    assert served.person.get("/v1/memories/owls/sleep").json()["code"] == "no-such-route"


@requirement("http.hosts-and-origins")
@pytest.mark.parametrize(
    ("target", "status"),
    [
        ("http://localhost:8750/healthz", b"200"),
        ("HTTP://127.0.0.1/healthz?x=1", b"200"),
        ("https://localhost/v1/memories/owls%2Fsleep", b"401"),
        ("http://localhost", b"303"),
        ("http://evil.example/healthz", b"403"),
        ("http:///healthz", b"403"),
    ],
)
def test_a_target_may_be_a_whole_url_whose_host_counts(
    served: Served, target: str, status: bytes
) -> None:
    host = "127.0.0.1" if "evil" in target else "evil.example"
    with connected_to(served) as raw:
        raw.sendall(f"GET {target} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        answer = raw.recv(65_536)

    assert answer.split()[1] == status


def connected_to(served: Served) -> socket.socket:
    """Return a connection that sends bytes as they are."""
    return socket.create_connection(("127.0.0.1", int(served.url.rpartition(":")[2])), PATIENCE)


@requirement("http.once")
def test_a_repeated_request_gets_the_same_answer(served: Served) -> None:
    said = {"Idempotency-Key": "one"}
    first = served.agent.post("/v1/memories", json=a_claim("Keys work."), headers=said)
    again = served.agent.post("/v1/memories", json=a_claim("Keys work."), headers=said)
    other = served.agent.post("/v1/memories", json=a_claim("Keys fail."), headers=said)
    others = served.person.post("/v1/memories", json=a_claim("Keys fail."), headers=said)

    assert (first.status_code, first.content) == (again.status_code, again.content)
    assert (other.status_code, other.json()["code"]) == (422, "idempotency-key-reused")
    assert others.status_code == 201


@requirement("http.once")
@pytest.mark.usefixtures("encryption")
@pytest.mark.parametrize("name", ["sensitive", "\\u0073ensitive"])
def test_another_sensitive_request_with_the_same_key_is_refused(served: Served, name: str) -> None:
    said = {"Idempotency-Key": f"secret {name}", "Content-Type": "application/json"}

    def send(claim: str) -> httpx2.Response:
        parts = f'{{"claim": "{claim}", "because": "said", "{name}": true}}'
        plain = json.dumps(a_claim("Trains are late."))
        body = f'{{"claims": [{parts}, {plain}]}}'
        return served.person.post("/v1/memories/batch", content=body.encode(), headers=said)

    first, again, other = send("The code is red."), send("The code is red."), send("It is blue.")

    assert first.status_code == 201, first.text
    assert (first.status_code, first.content) == (again.status_code, again.content)
    assert (other.status_code, other.json()["code"]) == (422, "idempotency-key-reused")


@requirement("encryption.canary")
@pytest.mark.usefixtures("encryption")
@pytest.mark.parametrize("name", ["sensitive", "\\u0073ensitive"])
def test_the_stored_hash_of_a_sensitive_request_confirms_no_guess(
    served: Served, name: str
) -> None:
    said = {"Idempotency-Key": f"guess {name}", "Content-Type": "application/json"}
    body = f'{{"claim": "The number is 4711.", "because": "said", "{name}": true}}'.encode()
    parts = (b"POST", b"/v1/memories", b"", b"", body)

    answer = served.person.post("/v1/memories", content=body, headers=said)

    guess = sha256(b"".join(b"%d:%b" % (len(part), part) for part in parts)).hexdigest()
    assert answer.status_code == 201, answer.text
    assert stored_hash(served, said["Idempotency-Key"]) not in {"", guess}


@requirement("http.limits")
@pytest.mark.parametrize("mark", ["[1]", '{"a": 1}', f"{'[' * 900}1{']' * 900}"])
def test_a_body_whose_metadata_names_something_sensitive_is_no_fault_of_the_server(
    served: Served, mark: str
) -> None:
    said = {"Content-Type": "application/json"}
    inside = f'{{"claim": "A.", "because": "said", "metadata": {{"sensitive": {mark}}}}}'
    as_field = f'{{"claim": "A.", "because": "said", "sensitive": {mark}}}'

    def status(path: str, body: str) -> int:
        return served.person.post(path, content=body.encode(), headers=said).status_code

    assert status("/v1/memories", inside) in {201, 422}
    assert status("/v1/memories", as_field) == 422
    assert status("/v1/memories/batch", f'{{"claims": [{as_field}]}}') == 422
    assert status("/v1/memories/batch", f'{{"claims": {as_field}}}') == 422
    assert status("/v1/memories/batch", f"[{as_field}]") == 422


@pytest.fixture(scope="module")
def encryption(served: Served, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Give the server a key."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOLDFAST_KEYS", str(tmp_path_factory.mktemp("keys")))
        memory = served.home.machine().open()
        try:
            memory.encryption.create()
        finally:
            memory.close()
        yield


def stored_hash(served: Served, key: str) -> str:
    token = read_token(str(served.person.headers["authorization"])[7:])
    assert token is not None
    memory = served.home.machine().open()
    try:
        with memory.store.reading() as tx:
            reply = tx.diary.replies.get(f"{token.id}:{key}")
    finally:
        memory.close()
    assert reply is not None
    return reply.request_hash


@requirement("http.once")
def test_concurrent_requests_with_one_key_are_carried_out_once(served: Served) -> None:
    answers: list[bytes] = []

    def send() -> None:
        said = {"Idempotency-Key": "race"}
        with client(served.url, str(served.agent.headers["authorization"])[7:]) as caller:
            answers.append(caller.post("/v1/runs", json={"goal": "race"}, headers=said).content)

    threads = [threading.Thread(target=send) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(set(answers)) == 1
    runs = served.agent.get("/v1/runs?everywhere=true").json()["runs"]
    assert [run["goal"] for run in runs].count("race") == 1


@requirement("http.once")
@pytest.mark.parametrize("key", ["", "x" * 201, "caf\u00e9"])
def test_a_key_is_visible_text(served: Served, key: str) -> None:
    said = [(b"Idempotency-Key", key.encode("latin-1"))]
    answer = served.agent.post("/v1/runs", json={}, headers=said)

    assert (answer.status_code, answer.json()["facts"]["field"]) == (422, "header.Idempotency-Key")


@requirement("http.versions")
def test_a_change_can_demand_the_version_that_was_read(served: Served) -> None:
    name = kept(served, "Versions count.")
    read = served.person.get(f"/v1/memories/{name}")
    version = read.headers["etag"]
    same = served.person.get(f"/v1/memories/{name}", headers={"If-None-Match": version})
    pinned = served.person.put(f"/v1/memories/{name}/pin", json={}, headers={"If-Match": version})
    stale = served.person.request("DELETE", f"/v1/memories/{name}", headers={"If-Match": version})
    served.person.post("/v1/recall", json={"q": "versions count"})
    fresh = served.person.request(
        "DELETE",
        f"/v1/memories/{name}",
        headers={"If-Match": f'"{"0" * 32}", {pinned.headers["etag"]}'},
    )

    assert (same.status_code, same.content) == (304, b"")
    assert pinned.status_code == 200
    assert (stale.status_code, stale.json()["code"]) == (412, "version-changed")
    assert fresh.status_code == 200


@requirement("http.pages")
def test_pages_neither_repeat_nor_miss_while_others_write(served: Served) -> None:
    names = {kept(served, f"Page {number}.") for number in range(7)}
    seen: list[str] = []
    cursor = None
    while True:
        query = {"limit": "3", "everywhere": "true", **({"cursor": cursor} if cursor else {})}
        page = served.person.get("/v1/memories", params=query).json()
        seen += [one["id"] for one in page["memories"]]
        kept(served, f"Meanwhile {len(seen)}.")
        cursor = page["next"]
        if cursor is None:
            break

    assert len(seen) == len(set(seen))
    assert names <= set(seen)


@requirement("http.pages")
def test_a_search_has_one_page_and_counts_all_that_match(served: Served) -> None:
    for number in range(3):
        kept(served, f"Flamingo {number}.")

    found = served.person.get("/v1/memories?q=flamingo&limit=2&everywhere=true").json()

    assert (len(found["memories"]), found["total"], found["next"]) == (2, 3, None)


@requirement("http.pages")
def test_a_cursor_of_another_listing_is_refused(served: Served) -> None:
    for number in range(3):
        kept(served, f"Page {number}.")
    first = {"limit": "1", "everywhere": "true"}
    cursor = served.person.get("/v1/memories", params=first).json()["next"]

    def follow(**query: str) -> tuple[int, str | None]:
        asked = {"everywhere": "true", "cursor": cursor, **query}
        answer = served.person.get("/v1/memories", params=asked)
        return answer.status_code, answer.json().get("code")

    assert follow(limit="2") == (200, None)
    assert follow(oldest_first="true") == (422, "bad-cursor")
    assert follow(kinds="rule") == (422, "bad-cursor")


@requirement("http.pages")
def test_a_cursor_of_another_space_is_refused(served: Served, home: Home) -> None:
    for number in range(3):
        kept(served, f"Page {number}.")
    asked = {"limit": "1", "everywhere": "true"}
    cursor = served.person.get("/v1/memories", params=asked).json()["next"]
    token = home.token(PrincipalKind.PERSON, space=SpaceId("other"), name="other")

    with client(served.url, token) as other:
        foreign = other.get("/v1/memories", params={**asked, "cursor": cursor})
    own = served.person.get("/v1/memories", params={**asked, "cursor": cursor})

    assert (foreign.status_code, foreign.json()["code"]) == (422, "bad-cursor")
    assert own.status_code == 200


@pytest.fixture
def small(home: Home) -> Iterator[Served]:
    """A server with narrow limits."""
    person = home.token(PrincipalKind.PERSON, name=f"small-{id(home)}")
    options = ServeOptions(
        home=str(home.folder), address="", rate=0.001, most_memories=1, seconds=0.5
    )
    with running(options) as url, client(url, person) as one:
        yield Served(home, url, one, one)
    home.revoke(f"small-{id(home)}")


@requirement("http.limits")
def test_a_caller_that_is_too_fast_is_told_when_to_come_back(small: Served) -> None:
    first = small.person.get("/v1/status")
    second = small.person.get("/v1/status")

    assert (first.status_code, second.status_code) == (200, 429)
    assert second.json()["code"] == "rate-limited"
    assert 900 < int(second.headers["retry-after"]) <= 1_000


@requirement("http.limits")
def test_a_bucket_fills_again() -> None:
    now = [0.0]
    buckets = Buckets(2.0, clock=lambda: now[0])
    for _ in range(4):
        buckets.take("one")
    with pytest.raises(RateLimitedError) as refusal:
        buckets.take("one")
    buckets.take("other")
    now[0] = 0.5

    buckets.take("one")

    assert refusal.value.facts["seconds"] == 1


@requirement("http.limits")
def test_a_space_over_its_quota_takes_nothing_new(tmp_path: Path) -> None:
    home = Home(tmp_path)
    token = home.token(PrincipalKind.PERSON)
    options = ServeOptions(home=str(tmp_path), address="", most_memories=1)
    with running(options) as url, client(url, token) as caller:
        first = caller.post("/v1/memories", json={"claim": "One fits.", "because": "Seen."})
        second = caller.post("/v1/memories", json={"claim": "Two do not.", "because": "Seen."})
        listed = caller.get("/v1/memories").json()
        gone = caller.request("DELETE", f"/v1/memories/{first.json()['id']}")

    assert (second.status_code, second.json()["code"]) == (429, "quota-reached")
    assert int(second.headers["retry-after"]) > 0
    assert (listed["total"], gone.status_code) == (1, 200)


@requirement("http.quota-of-bytes")
@pytest.mark.parametrize("backend", ["file", "postgres"])
def test_a_tenant_over_its_quota_of_bytes_takes_nothing_new(backend: str, tmp_path: Path) -> None:
    place = IN_A_FILE
    if backend == "postgres":
        place = ServerPlace(address=server().url(), tenant=str(uuid4()))
    home = Home(tmp_path, place)
    token = home.token(PrincipalKind.PERSON)
    long = {"claim": f"A long claim: {'word ' * 400}", "because": "Seen."}
    most = 5_000 if backend == "postgres" else folder_bytes(str(tmp_path)) + 20_000
    options = ServeOptions(home=str(tmp_path), address=place.address, most_bytes=most)
    with running(options) as url, client(url, token) as caller:
        answers = [
            caller.post("/v1/memories", json={**long, "claim": f"{long['claim']} {number}"})
            for number in range(12)
        ]
        kept = caller.get("/v1/memories").json()
        gone = caller.request("DELETE", f"/v1/memories/{answers[0].json()['id']}")

    codes = [one.status_code for one in answers]
    assert (codes[0], codes[-1]) == (201, 429)
    refused = answers[-1].json()
    assert (refused["code"], refused["facts"]) == ("quota-reached", {"what": "bytes", "most": most})
    assert "Forget what is no longer needed" in refused["advice"]
    assert (kept["total"], gone.status_code) == (codes.count(201), 200)


@requirement("http.quota-of-bytes")
def test_a_full_file_takes_no_turn_and_no_task_but_forgets(tmp_path: Path) -> None:
    home = Home(tmp_path)
    token = home.token(PrincipalKind.PERSON)
    with running(ServeOptions(home=str(tmp_path), address="")) as url, client(url, token) as caller:
        memory = caller.post("/v1/memories", json={"claim": "One fits.", "because": "Seen."}).json()
        session = caller.post("/v1/sessions", json={"tool": "t"}).json()["session"]
        task = caller.post("/v1/tasks", json={"title": "Tidy."}).json()["task"]
        run = caller.post("/v1/runs", json={"goal": "Tidy."}).json()["run"]
    turn = {"q": "why", "notes": "word " * 3_900}
    most = folder_bytes(str(tmp_path)) + 200_000
    options = ServeOptions(home=str(tmp_path), address="", most_bytes=most)
    with running(options) as url, client(url, token) as caller:
        turns = [
            caller.post(f"/v1/sessions/{session['id']}/turns", json=turn).status_code
            for _ in range(60)
        ]
        full = [
            caller.post("/v1/tasks", json={"title": "Another."}),
            caller.post("/v1/sessions", json={"tool": "t"}),
            caller.post(f"/v1/runs/{run['id']}/notes", json={"text": "A note."}),
        ]
        asked = caller.post("/v1/recall", json={"q": "what fits"})
        undone = caller.request("DELETE", f"/v1/tasks/{task['id']}")
        gone = caller.request("DELETE", f"/v1/memories/{memory['id']}")

    assert (turns[0], turns[-1]) == (201, 429)
    assert [one.status_code for one in full] == [429] * len(full)
    assert (asked.status_code, undone.status_code, gone.status_code) == (200, 200, 200)


@requirement("review.no-flood")
def test_an_agent_that_floods_the_review_is_told_to_stop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOLDFAST_REVIEW_WAITING", "2")
    home = Home(tmp_path)
    token = home.token(PrincipalKind.AGENT)
    options = ServeOptions(home=str(tmp_path), address="")
    with running(options) as url, client(url, token) as caller:
        answers = [
            caller.post(
                "/v1/memories", json={"claim": f"Claim {number}.", "evidence": ["command:make"]}
            )
            for number in range(3)
        ]
        state = caller.get("/v1/status").json()

    assert [one.status_code for one in answers] == [201, 201, 429]
    assert answers[2].json()["code"] == "too-many-waiting"
    assert "until a person has decided" in answers[2].json()["advice"]
    assert len(state["full"]) == 1


@requirement("http.limits")
def test_a_body_that_never_ends_is_given_up(small: Served) -> None:
    address = urlsplit(small.url)
    token = str(small.person.headers["authorization"])
    with socket.create_connection((address.hostname, address.port)) as half:
        half.sendall(
            b"POST /v1/recall HTTP/1.1\r\nHost: localhost\r\n"
            + f"Authorization: {token}\r\n".encode()
            + b"Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
        )
        answer = half.recv(65_536)
        while b'"code":' not in answer and (more := half.recv(65_536)):
            answer += more

    assert b" 503 " in answer
    assert b"request-timed-out" in answer


@requirement("http.whole-or-nothing")
def test_a_request_is_committed_or_given_up_but_never_both() -> None:
    first, second = RequestDeadline(), RequestDeadline()
    first.claim()

    assert not first.give_up()
    assert second.give_up()
    with pytest.raises(TimedOutError):
        second.claim()


@requirement("http.whole-or-nothing")
def test_a_request_that_waits_too_long_for_the_store_writes_nothing(
    home: Home, served: Served
) -> None:
    token = home.token(PrincipalKind.PERSON, name="slow")
    options = ServeOptions(home=str(home.folder), address="", seconds=0.5)
    memory = home.machine().open()
    before = served.person.get("/v1/status").json()["total"]
    with running(options) as url, client(url, token) as caller:
        with memory.store.writing(memory.now()):
            late = caller.post("/v1/memories", json={"claim": "Too late.", "because": "Seen."})
        # The abandoned work gets the lock now, and must not use it. A busy machine would be too
        # slow for the limit of this server, so another one answers.
        wish = {"claim": "In time.", "because": "Seen."}
        done = served.person.post("/v1/memories", json=wish)
    memory.close()

    assert (late.status_code, late.json()["code"]) == (503, "request-timed-out")
    assert done.status_code == 201
    assert served.person.get("/v1/status").json()["total"] == before + 1


def heard(capsys: pytest.CaptureFixture[str], wanted: str) -> str:
    """Return the log once it has what is wanted; the server writes it after its answer."""
    log, until = capsys.readouterr().err, monotonic() + PATIENCE
    while wanted not in log:
        assert monotonic() < until, log
        sleep(PAUSE)
        log += capsys.readouterr().err
    return log


def counted(caller: httpx2.Client, wanted: str) -> str:
    """Return the metrics once they have what is wanted; a request is counted after its answer."""
    until = monotonic() + PATIENCE
    while wanted not in (counts := caller.get("/metrics").text):
        assert monotonic() < until, counts
        sleep(PAUSE)
    return counts


@requirement("http.quiet-log")
def test_the_log_has_no_content_and_no_token(
    served: Served, capsys: pytest.CaptureFixture[str]
) -> None:
    trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    answer = served.person.post(
        "/v1/memories",
        json={"claim": "The walrus sings.", "because": "Heard the walrus."},
        headers={"traceparent": trace, "Idempotency-Key": "walrus"},
    )
    served.person.get("/v1/memories", params={"q": "walrus"})
    log = heard(capsys, answer.headers["x-request-id"])
    lines = [json.loads(line) for line in log.splitlines()]
    token = str(served.person.headers["authorization"])[7:]

    (line,) = [one for one in lines if one["request"] == answer.headers["x-request-id"]]
    assert line["route"] == "/v1/memories"
    assert (line["status"], line["method"]) == (201, "POST")
    assert line["trace"] == "0af7651916cd43dd8448eb211c80319c"
    assert line["token"] in token
    text = json.dumps(lines)
    assert "walrus" not in text
    assert token not in text
    assert token.rpartition(".")[2] not in text


@requirement("http.measured")
def test_the_server_reports_health_readiness_and_counts(served: Served) -> None:
    with client(served.url) as nobody:
        healthy, ready = nobody.get("/healthz"), nobody.get("/readyz")
        counts = counted(nobody, "holdfast_http_requests_in_flight 1")
        passed_on = nobody.get("/metrics", headers={"X-Forwarded-For": "192.0.2.1"})
    scraped = served.agent.get("/metrics", headers={"Forwarded": "for=192.0.2.1"})

    assert (healthy.json(), ready.json()) == ({"status": "ok"}, {"status": "ready"})
    assert 'holdfast_http_requests_total{route="/healthz",method="GET",status="200"}' in counts
    assert 'holdfast_http_request_duration_seconds_bucket{route="/healthz",le="+Inf"}' in counts
    assert (passed_on.status_code, scraped.status_code) == (401, 200)


@requirement("http.measured")
def test_a_made_up_method_is_counted_as_another(served: Served) -> None:
    with client(served.url) as nobody:
        assert nobody.request("WALRUS" * 1_000, "/v1/memories").status_code >= 400
        counts = counted(nobody, 'method="other"')
    assert "WALRUS" not in counts


@requirement("http.problems")
def test_a_bug_shows_nothing_of_itself(
    served: Served, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_given: object, **_named: object) -> object:
        message = "walrus"
        raise RuntimeError(message)

    monkeypatch.setattr(UpkeepPart, "status", broken)
    answer = served.person.get("/v1/status")

    assert (answer.status_code, answer.json()["code"]) == (500, "bug")
    assert "walrus" not in answer.text
    log = heard(capsys, "RuntimeError")
    assert "walrus" not in log


def test_a_memory_of_a_stated_repository_is_seen_from_there_only(served: Served) -> None:
    here = {"repo": "github.com/acme/app", "branch": "main"}
    made = served.person.post(
        "/v1/memories", json={"claim": "Owls nest.", "because": "Seen."}, params=here
    ).json()["memory"]
    question = {"q": "where do owls nest"}
    inside = served.person.post("/v1/recall", json=question, params=here).json()
    outside = served.person.post("/v1/recall", json=question).json()

    assert (made["scope"], made["repo"], made["branch"]) == ("repo", here["repo"], "main")
    assert made["id"] in {one["memory_id"] for one in inside["items"]}
    assert made["id"] not in {one["memory_id"] for one in outside["items"]}


def test_a_server_reads_no_files(served: Served) -> None:
    answer = served.person.post(
        "/v1/memories", json={"claim": "Passwords leak.", "evidence": ["/etc/passwd:1-2"]}
    )

    assert (answer.status_code, answer.json()["code"]) == (422, "evidence-unreadable")
    assert isinstance(answer, httpx2.Response)


@requirement("http.problems")
@pytest.mark.parametrize(
    ("target", "body", "field"),
    [
        ("/v1/recall", {}, "body.q"),
        ("/v1/recall", {"q": "x", "colour": 1}, "body.colour"),
        ("/v1/memories", {"claim": "x", "evidence": [{"colour": 1}]}, "body.evidence[0]"),
    ],
)
def test_a_missing_and_an_unknown_field_are_named_by_their_path(
    served: Served, target: str, body: dict[str, object], field: str
) -> None:
    answer = served.person.post(target, json=body)

    assert answer.status_code == 422
    assert answer.json()["facts"]["field"].startswith(field)


@requirement("list.what-is-not-pinned")
def test_a_list_of_what_is_not_pinned_leaves_out_the_pinned(served: Served) -> None:
    pinned, other = kept(served, "Pinned one."), kept(served, "Another one.")
    served.person.put(f"/v1/memories/{pinned}/pin", json={})

    def listed(query: str) -> set[str]:
        answer = served.person.get(f"/v1/memories{query}").json()
        return {one["id"] for one in answer["memories"]} & {pinned, other}

    assert listed("") == {pinned, other}
    assert listed("?pinned=true") == {pinned}
    assert listed("?pinned=false") == {other}


@requirement("list.no-filter-without-effect")
@pytest.mark.parametrize("name", ["expired", "recallable"])
def test_a_list_is_not_filtered_by_a_false_without_effect(served: Served, name: str) -> None:
    answer = served.person.get(f"/v1/memories?{name}=false")

    assert (answer.status_code, answer.json()["code"]) == (422, "bad-field")
    assert served.person.get(f"/v1/memories?{name}=true").status_code == 200
