"""Who is answered: hosts, origins and tokens, on every route and whatever the address."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from datetime import timedelta

import pytest

from holdfast.domain.errors import BadFieldError
from holdfast.domain.memory.callers import Operation, PrincipalKind
from holdfast.domain.memory.place import SpaceId
from holdfast.domain.service_errors import BeyondLoopbackError
from holdfast.surfaces.http.gate import Gate
from holdfast.surfaces.http.options import ServeOptions
from holdfast.surfaces.http.refusals import HostNotAllowedError
from holdfast.surfaces.http.routes.every import ROUTES
from holdfast.surfaces.http.serving import serve
from tests.http.conftest import Home, Served, client, running
from tests.requirements import requirement

HOST, ORIGIN = "memory.example.com", "https://memory.example.com"
HOSTS = {
    "127.0.0.1": True,
    "localhost:8750": True,
    "[::1]:9": True,
    HOST: True,
    f"{HOST}:443": True,
    "MEMORY.example.com": True,
    "evil.example": False,
    f"{HOST}.evil.example": False,
    f"{HOST}:443:1": False,
    f"evil.example#{HOST}": False,
    "localhost.evil.example": False,
    "127.0.0.1.nip.io": False,
    "2130706433": False,
    "": False,
}
ORIGINS = {
    None: True,
    ORIGIN: True,
    f"{ORIGIN}:8443": False,
    "http://memory.example.com": False,
    "https://evil.example": False,
    "https://memory.example.com.evil.example": False,
    "http://127.0.0.1": False,
    "null": False,
}
VALID = "valid"
TOKENS = (VALID, "none", "basic", "wrong secret", "foreign space", "revoked", "expired", "two")


@pytest.fixture(scope="module")
def gated(home: Home) -> Iterator[tuple[str, dict[str, list[tuple[str, str]]]]]:
    """A server for one host and one origin, and the headers of callers of every sort."""
    valid, revoked = home.token(name="valid"), home.token(name="revoked")
    expired = home.token(name="expired", keep_for=timedelta(milliseconds=1))
    home.revoke("revoked")
    foreign = valid.replace(".default.", ".nowhere.")

    def shown(token: str) -> list[tuple[str, str]]:
        return [("Authorization", f"Bearer {token}")]

    callers = {
        "valid": shown(valid),
        "none": [],
        "basic": [("Authorization", f"Basic {valid}")],
        "wrong secret": shown(f"{valid[:-1]}{'0' if valid[-1] != '0' else '1'}"),
        "foreign space": shown(foreign),
        "revoked": shown(revoked),
        "expired": shown(expired),
        "two": [*shown(valid), *shown(revoked)],
    }
    options = ServeOptions(
        bind="0.0.0.0",  # noqa: S104 - the gate must hold beyond this machine too
        home=str(home.folder),
        address="",
        hosts=(HOST,),
        origins=(ORIGIN,),
    )
    options.refuse_unsafe()
    with running(options) as url:
        yield url, callers


def targets() -> list[tuple[str, str]]:
    return [(route.method, route.path.replace("{", "").replace("}", "")) for route in ROUTES]


@requirement("http.hosts-and-origins")
def test_nothing_passes_that_should_not(
    gated: tuple[str, dict[str, list[tuple[str, str]]]],
) -> None:
    url, callers = gated
    wrong: list[object] = []
    with client(url) as caller:
        cases = itertools.product(HOSTS.items(), ORIGINS.items(), TOKENS)
        for place, ((host, is_own), (origin, is_page), caller_kind) in enumerate(cases):
            method, path = targets()[place % len(targets())]
            said = [("Host", host), *callers[caller_kind]]
            said += [] if origin is None else [("Origin", origin)]
            answer = caller.request(method, path, headers=said)
            code = answer.json().get("code")
            if not is_own:
                passes = (answer.status_code, code) == (403, "host-not-allowed")
            elif not is_page:
                passes = (answer.status_code, code) == (403, "origin-not-allowed")
            elif caller_kind != VALID:
                passes = (answer.status_code, code) == (401, "not-authenticated")
            else:
                passes = answer.status_code not in {401, 500}
            wrong += [] if passes else [(host, origin, caller_kind, method, path, answer.text)]

    assert wrong == []


@requirement("http.hosts-and-origins")
@pytest.mark.parametrize(
    ("host", "is_own"),
    [(HOST, True), (f"{HOST}:443", True), (f"{HOST}:8443", False), ("lab:9", True), ("lab", False)],
)
def test_a_host_that_is_allowed_with_the_usual_port_is_also_named_without_it(
    host: str, *, is_own: bool
) -> None:
    gate = Gate(ServeOptions(hosts=(f"{HOST}:443", "lab:9")))
    scope = {
        "method": "GET",
        "raw_path": b"/healthz",
        "query_string": b"",
        "headers": [(b"host", host.encode())],
    }

    if is_own:
        gate.refuse(scope)
    else:
        with pytest.raises(HostNotAllowedError):
            gate.refuse(scope)


@requirement("http.tokens")
def test_every_route_refuses_every_token_but_a_valid_one_in_the_same_words(
    gated: tuple[str, dict[str, list[tuple[str, str]]]],
) -> None:
    url, callers = gated
    refused = [said for kind, said in callers.items() if kind != VALID]
    with client(url) as caller:
        answers = [
            caller.request(method, path, headers=said)
            for method, path in targets()
            for said in refused
        ]

    assert {one.status_code for one in answers} == {401}
    assert len({one.text for one in answers}) == 1
    assert answers[0].headers["www-authenticate"] == 'Bearer realm="holdfast"'


@requirement("http.hosts-and-origins")
@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_request_of_a_foreign_page_without_an_origin_is_refused(
    served: Served, site: str
) -> None:
    answer = served.agent.get("/healthz", headers={"Sec-Fetch-Site": site})

    assert answer.json()["code"] == "origin-not-allowed"


@requirement("http.hosts-and-origins")
@pytest.mark.parametrize("bind", ["0.0.0.0", "::", "192.0.2.7", "memory.example.com"])  # noqa: S104
@pytest.mark.parametrize("hosts", [(), (HOST,)])
@pytest.mark.parametrize("asks", [False, True])
def test_a_server_beyond_this_machine_needs_tokens_and_hosts(
    bind: str, hosts: tuple[str, ...], *, asks: bool
) -> None:
    options = ServeOptions(bind=bind, hosts=hosts, asks_for_tokens=asks)
    if hosts and asks:
        options.refuse_unsafe()
        return

    with pytest.raises(BeyondLoopbackError):
        serve(options, tell=print)


@requirement("http.hosts-and-origins")
@pytest.mark.parametrize(
    "wrong", ["", "a b", "http://memory.example.com", "memory.example.com/", "*", "fd00::1"]
)
def test_a_host_that_no_request_can_name_is_refused(wrong: str) -> None:
    with pytest.raises(BadFieldError, match="allowed host must be a name"):
        ServeOptions(hosts=(HOST, wrong)).refuse_unsafe()


@requirement("http.hosts-and-origins")
@pytest.mark.parametrize("wrong", ["", "memory.example.com", "https://a.example/page", "https://"])
def test_an_origin_that_no_request_can_have_is_refused(wrong: str) -> None:
    with pytest.raises(BadFieldError, match="allowed origin must be"):
        ServeOptions(origins=(wrong,)).refuse_unsafe()


def test_hosts_may_have_ports_and_origins_other_schemes() -> None:
    hosts = (HOST, "Memory", "memory:8750", "10.0.0.7", "[fd00::1]:8750")
    origins = ("https://a.example", "http://localhost:3000/", "chrome-extension://abc")

    ServeOptions(hosts=hosts, origins=origins).refuse_unsafe()


@pytest.mark.parametrize("wrong", ["collector", "localhost:4318", "http://", "ftp://a.example"])
def test_a_collector_that_is_no_address_is_refused(wrong: str) -> None:
    ServeOptions(collector="https://collector.example:4318/otlp").refuse_unsafe()

    with pytest.raises(BadFieldError, match="OTEL_EXPORTER_OTLP_ENDPOINT must be an address"):
        ServeOptions(collector=wrong).refuse_unsafe()


@pytest.mark.parametrize("bind", ["127.0.0.1", "127.1.2.3", "::1", "localhost"])
def test_a_server_for_this_machine_needs_nothing(bind: str) -> None:
    ServeOptions(bind=bind, asks_for_tokens=False).refuse_unsafe()


@requirement("http.scopes")
def test_a_token_allows_only_its_scopes(served: Served) -> None:
    reader = served.home.token(may=frozenset({Operation.READ}), name="reader")
    with client(served.url, reader) as caller:
        seen = caller.get("/v1/memories")
        refused = caller.post(
            "/v1/memories", json={"claim": "It is.", "evidence": ["https://example.com"]}
        )

    assert (seen.status_code, refused.status_code) == (200, 403)
    assert refused.json()["facts"]["operation"] == "propose"


@requirement("http.many-spaces")
def test_a_token_reaches_its_own_space_only(served: Served) -> None:
    team = served.home.token(PrincipalKind.PERSON, space=SpaceId("team"), name="ben")
    with client(served.url, team) as caller:
        kept = caller.post("/v1/memories", json={"claim": "Owls hunt.", "because": "Seen."})
        name = kept.json()["id"]
        own = caller.get(f"/v1/memories/{name}")

    assert (kept.status_code, own.status_code) == (201, 200)
    assert served.person.get(f"/v1/memories/{name}").status_code == 404
    assert name not in served.person.get("/v1/memories?everywhere=true").text


@requirement("http.tokens")
def test_a_server_without_tokens_answers_as_an_agent(home: Home) -> None:
    home.token(name="any")
    options = ServeOptions(home=str(home.folder), address="", asks_for_tokens=False)
    with running(options) as url, client(url) as caller:
        listed = caller.get("/v1/memories")
        refused = caller.request("DELETE", "/v1/memories/m_1")

    assert (listed.status_code, refused.status_code) == (200, 403)


@requirement("http.tokens")
def test_a_revoked_token_is_refused_at_once(served: Served) -> None:
    token = served.home.token(name="brief")
    with client(served.url, token) as caller:
        before = caller.get("/v1/status")
        served.home.revoke("brief")
        after = caller.get("/v1/status")

    assert (before.status_code, after.status_code) == (200, 401)
