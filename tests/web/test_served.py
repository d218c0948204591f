"""The page of a server: a token signs in, and its rights decide."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from time import monotonic

import pytest
from starlette.testclient import TestClient

from holdfast.bootstrap.service.page_sessions import FOLDER
from holdfast.domain.choices import Kind, Origin, Scope
from holdfast.domain.memory.callers import Operation, PrincipalKind
from holdfast.domain.memory.memory import MemoryRecord
from holdfast.domain.memory.place import SpaceId
from holdfast.surfaces.http.application import HttpServer
from holdfast.surfaces.http.options import ServeOptions
from holdfast.surfaces.web.views.every import ROUTES
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.memory.remember import Remember
from tests.endless import endless_read
from tests.http.conftest import Home, running
from tests.http.conftest import client as browser
from tests.patience import PATIENCE
from tests.requirements import requirement
from tests.web.scene import HOST, Reader, foreign_markup


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


@pytest.fixture
def client(home: Home) -> Iterator[TestClient]:
    app = HttpServer(ServeOptions(home=str(home.folder), address="")).app()
    with TestClient(app, base_url=HOST) as opened:
        yield opened


def signed_in(client: TestClient, token: str) -> Reader:
    reader = Reader(client)
    client.cookies.clear()
    reader.get("/inbox")
    reader.send(reader.form("/sign-in"), token=token)
    return reader


def propose(home: Home, claim: str, *, space: SpaceId | None = None) -> MemoryRecord:
    app = (home.machine() if space is None else home.machine(space)).open()
    try:
        wish = Remember(
            claim=claim,
            kind=Kind.FACT,
            scope=Scope.GLOBAL,
            origin=Origin.AGENT,
            grounds=Grounds(because="it was seen"),
        )
        return app.memories.remember(wish).record
    finally:
        app.close()


@requirement("web.served-by-rights")
def test_a_person_signs_in_with_a_token_and_decides(home: Home, client: TestClient) -> None:
    token = home.token(PrincipalKind.PERSON, name="bob")
    record = propose(home, "The queue is drained at night.")
    reader = signed_in(client, token)

    assert reader.page is not None
    assert reader.page.url.path == "/inbox"
    assert "The queue is drained" in reader.text
    after = reader.decide(record, "approve", "Approve")

    assert "Approve: 1 memory" in after.text
    page = reader.get(f"/memories/{record.memory.id}").text
    assert "by bob" in page
    assert token not in page
    reader.send(reader.form("/sign-out"))
    assert client.get("/inbox").url.path == "/sign-in"


@requirement("web.served-by-rights")
def test_an_agent_may_look_and_not_decide(home: Home, client: TestClient) -> None:
    record = propose(home, "The queue is drained at night.")
    reader = signed_in(client, home.token(name="codex"))
    page = reader.get("/inbox").text
    assert "The queue is drained" in page
    assert "only a person may decide" in page
    assert "/approve" not in page
    (name, token) = next(one for one in reader.form("/sign-out").fields if one[0] == "form_token")

    answer = client.post(f"/candidates/{record.memory.id}/approve", data={name: token})

    assert answer.status_code == 403
    assert "Not done" in answer.text
    assert "candidate" in reader.get(f"/memories/{record.memory.id}").text


@requirement("web.served-by-rights")
def test_a_token_that_may_not_read_sees_nothing(home: Home, client: TestClient) -> None:
    propose(home, "The queue is drained at night.")
    token = home.token(name="writer", may=frozenset({Operation.RECORD}))
    reader = signed_in(client, token)

    assert "The queue is drained" not in reader.get("/inbox").text
    assert reader.get("/inbox").status_code == 403


@requirement("web.served-by-rights")
def test_a_space_never_shows_another(home: Home, client: TestClient) -> None:
    record = propose(home, "The queue is drained at night.")
    other = SpaceId("team")
    home.token(space=other)
    propose(home, "Teams meet on Mondays.", space=other)
    reader = signed_in(client, home.token(PrincipalKind.PERSON, space=other, name="eve"))

    assert "Teams meet on Mondays." in reader.get("/inbox").text
    for path in ("/inbox", "/memories?status=any", "/timeline", "/search?q=queue", "/health"):
        assert "The queue is drained" not in reader.get(path).text
    for path in ("/memories/", "/inbox/", "/graph/"):
        assert reader.get(f"{path}{record.memory.id}").status_code == 404


@requirement("web.served-by-rights")
@pytest.mark.parametrize("token", ["", "x", "hf_1.2.3", "é" * 9])
def test_a_wrong_token_does_not_sign_in(client: TestClient, home: Home, token: str) -> None:
    home.token()
    reader = signed_in(client, token)

    assert "not valid" in reader.text
    assert "set-cookie" not in (reader.page.headers if reader.page else {})


@requirement("web.served-by-rights")
def test_a_token_that_ends_in_the_middle_changes_nothing(home: Home, client: TestClient) -> None:
    record = propose(home, "The queue is drained at night.")
    reader = signed_in(client, home.token(PrincipalKind.PERSON, name="bob"))
    reader.get("/inbox")
    home.revoke("bob")

    answer = reader.decide(record, "approve", "Approve")

    assert answer.status_code == 401
    assert "Your session has ended" in answer.text
    app = home.machine().open()
    assert app.memories.explain(record.memory.id).record.standing.status.value == "candidate"
    app.close()


@requirement("web.served-by-rights")
def test_an_expired_token_does_not_sign_in(home: Home, client: TestClient) -> None:
    token = home.token(PrincipalKind.PERSON, name="late", keep_for=timedelta(milliseconds=1))

    assert "not valid" in signed_in(client, token).text


@requirement("web.served-by-rights")
def test_a_link_of_the_own_page_means_nothing_to_a_server(home: Home, client: TestClient) -> None:
    home.token()

    assert client.get("/open?key=").status_code == 401


@requirement("web.nothing-from-elsewhere")
def test_the_pages_of_a_server_have_their_own_policy(home: Home, client: TestClient) -> None:
    reader = signed_in(client, home.token(PrincipalKind.PERSON, name="bob"))
    for route in ROUTES:
        if route.writes or "{id}" in route.path:
            continue
        answer = reader.get(route.path)

        assert answer.status_code == 200, (route.path, answer.text)
        assert answer.headers.get_list("content-security-policy")[0].count("script-src 'self'") == 1
        assert len(answer.headers.get_list("content-security-policy")) == 1
        assert foreign_markup(answer.text) == []
    assert (
        "default-src 'none'; frame-ancestors"
        in (client.get("/healthz").headers["content-security-policy"])
    )


@requirement("web.own-origin-only")
def test_a_form_of_another_site_is_refused_before_it_is_read(
    home: Home, client: TestClient
) -> None:
    token = home.token(PrincipalKind.PERSON, name="bob")
    for headers in ({"origin": "https://evil.example"}, {"sec-fetch-site": "cross-site"}):
        answer = client.post("/sign-in", data={"token": token}, headers=headers)

        assert answer.status_code == 403
        assert "set-cookie" not in answer.headers


@requirement("web.own-origin-only")
def test_the_programs_door_still_refuses_every_origin(home: Home, client: TestClient) -> None:
    answer = client.get(
        "/v1/memories", headers={"origin": HOST, "authorization": f"Bearer {home.token()}"}
    )

    assert answer.status_code == 403


@requirement("web.served-by-rights")
@pytest.mark.parametrize(
    ("headers", "is_secure"),
    [
        ({"origin": "https://127.0.0.1:8750"}, True),
        ({"x-forwarded-proto": "HTTPS, http"}, True),
        ({"x-forwarded-proto": "http"}, False),
        ({}, False),
    ],
)
def test_the_cookie_is_secure_where_the_page_is(
    home: Home, client: TestClient, headers: dict[str, str], *, is_secure: bool
) -> None:
    token = home.token(PrincipalKind.PERSON, name="bob")
    answer = client.post("/sign-in", data={"token": token}, headers=headers, follow_redirects=False)

    assert ("secure" in answer.headers["set-cookie"].lower()) is is_secure


def cookie_of(client: TestClient) -> str:
    return "".join(client.cookies.values())


@requirement("web.session-ends-with-its-token")
def test_the_cookie_is_a_session_and_never_the_token(home: Home, client: TestClient) -> None:
    token = home.token(PrincipalKind.PERSON, name="bob")
    answer = client.post("/sign-in", data={"token": token}, follow_redirects=False)

    cookie, said = cookie_of(client), answer.headers["set-cookie"].lower()
    assert cookie
    assert not set(token.split(".")[-1:]) & {cookie}
    assert token not in said
    assert "httponly" in said
    assert "samesite=strict" in said
    with_cookie = client.get("/v1/memories", headers={"authorization": f"Bearer {cookie}"})
    assert with_cookie.status_code == 401


@requirement("web.session-ends-with-its-token")
def test_the_session_at_rest_makes_no_cookie(home: Home, client: TestClient) -> None:
    token = home.token(PrincipalKind.PERSON, name="bob")
    signed_in(client, token)
    (kept,) = (home.folder / FOLDER).iterdir()

    assert kept.stat().st_mode & 0o077 == 0
    assert kept.parent.stat().st_mode & 0o077 == 0
    secret, text = token.rpartition(".")[2], kept.read_text(encoding="utf-8")
    assert secret not in text
    assert cookie_of(client) not in text
    for tried in (kept.name, secret, token, "../page-sessions"):
        client.cookies.clear()
        client.cookies.set("holdfast-8750", tried)
        assert client.get("/inbox").url.path == "/sign-in"


@requirement("web.session-ends-with-its-token")
def test_a_session_ends_with_sign_out_and_cannot_be_used_again(
    home: Home, client: TestClient
) -> None:
    reader = signed_in(client, home.token(PrincipalKind.PERSON, name="bob"))
    cookie = cookie_of(client)
    reader.send(reader.form("/sign-out"))
    client.cookies.set("holdfast-8750", cookie)

    assert client.get("/inbox").url.path == "/sign-in"
    assert list((home.folder / FOLDER).iterdir()) == []


@requirement("web.session-ends-with-its-token")
def test_another_process_of_the_server_knows_the_session(home: Home, client: TestClient) -> None:
    propose(home, "The queue is drained at night.")
    signed_in(client, home.token(PrincipalKind.PERSON, name="bob"))
    options = ServeOptions(home=str(home.folder), address="")
    with TestClient(HttpServer(options).app(), base_url=HOST, cookies=client.cookies) as other:
        assert "The queue is drained" in other.get("/inbox").text
        home.revoke("bob")
        assert other.get("/inbox").url.path == "/sign-in"


@requirement("web.session-ends-with-its-token")
def test_live_updates_end_with_the_token(home: Home) -> None:
    token = home.token(PrincipalKind.PERSON, name="bob")
    options = ServeOptions(home=str(home.folder), address="")
    with running(options) as url, browser(url) as opened:
        opened.post("/sign-in", data={"token": token}, headers={"origin": url})
        with opened.stream("GET", "/events") as events:
            parts = events.iter_text()
            while "data: 0" not in next(parts):
                pass
            home.revoke("bob")
            propose(home, "The queue is drained at night.")
            rest = "".join(parts)

    assert "data" not in rest


@requirement("callers.one-table")
def test_a_narrow_token_is_told_its_missing_scope(home: Home, client: TestClient) -> None:
    record = propose(home, "The queue is drained at night.")
    token = home.token(PrincipalKind.PERSON, name="bob", may=frozenset({Operation.READ}))
    reader = signed_in(client, token)
    assert "your token lacks the scope <code>decide</code>" in reader.get("/inbox").text
    (name, form) = next(one for one in reader.form("/sign-out").fields if one[0] == "form_token")

    answer = client.post(f"/candidates/{record.memory.id}/approve", data={name: form})
    over_http = client.post(
        "/v1/candidates/approve",
        json={"ids": [record.memory.id]},
        headers={"authorization": f"Bearer {token}"},
    )

    assert answer.status_code == over_http.status_code == 403
    for text in (answer.text, over_http.text):
        assert "lacks the scope" in text
        assert "decide" in text
        assert "only a person" not in text
        assert "token of a person" not in text


@requirement("web.search-as-of")
def test_a_server_answers_as_of_a_day(home: Home, client: TestClient) -> None:
    record = propose(home, "The queue is drained at night.")
    reader = signed_in(client, home.token(PrincipalKind.PERSON, name="bob"))
    reader.get("/inbox")
    reader.decide(record, "approve", "Approve")
    today = f"{record.memory.created_at:%Y-%m-%d}"

    assert "drained at night" in reader.get(f"/search?q=queue+drained&day={today}").text
    assert "No memory answers" in reader.get("/search?q=queue+drained&day=2020-01-01").text


@requirement("http.given-up-reads-end")
def test_a_page_that_takes_too_long_ends_and_the_next_is_shown(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = home.token(PrincipalKind.PERSON, name="bob")
    monkeypatch.setattr("holdfast.usecases.review.curating.open_conflicts", endless_read)
    options = ServeOptions(home=str(home.folder), address="", threads=1, seconds=1.0)

    with TestClient(HttpServer(options).app(), base_url=HOST) as client:
        reader = signed_in(client, token)
        late = client.get("/health")
        until = monotonic() + PATIENCE
        while reader.get("/inbox").status_code != 200:
            assert monotonic() < until

    assert late.status_code == 503
