"""What protects the page: the link, the cookie, the tokens of forms, the headers, the escaping."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from starlette.testclient import TestClient

from holdfast.domain.choices import Kind
from holdfast.surfaces.http.options import ServeOptions
from holdfast.surfaces.http.own_page import own_app
from holdfast.surfaces.web.views.every import ROUTES
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.tasks.adding import AddTask
from tests.requirements import requirement
from tests.web.payloads import PAYLOADS, generated
from tests.web.scene import HOST, Reader, WebScene, a_scene, foreign_markup

FORMS = [route.path for route in ROUTES if route.writes]


@pytest.fixture
def stranger(scene: WebScene) -> Iterator[TestClient]:
    """A browser without the link."""
    with TestClient(own_app(scene.pages(), ServeOptions()), base_url=HOST) as client:
        yield client


@requirement("web.link-counts-once")
def test_the_link_counts_once(scene: WebScene) -> None:
    pages = scene.pages()
    link = f"/open?key={pages.key}"
    with TestClient(own_app(pages, ServeOptions()), base_url=HOST) as client:
        looked = client.head(link, follow_redirects=False)
        first = client.get(link, follow_redirects=False)
        mine = client.get(link)
        client.cookies.clear()
        second = client.get(link)

    cookie = first.headers["set-cookie"].lower()
    assert looked.status_code == 401
    assert (first.status_code, first.headers["location"]) == (303, "/inbox")
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert "holdfast-8750=" in cookie
    assert pages.key.lower() not in cookie
    assert mine.url.path == "/inbox"
    assert (second.status_code, "used already" in second.text) == (401, True)


@requirement("web.link-counts-once")
@pytest.mark.parametrize("key", ["", "x", "é", "0" * 43])
def test_a_wrong_key_opens_nothing_and_leaves_the_link(scene: WebScene, key: str) -> None:
    pages = scene.pages()
    with TestClient(own_app(pages, ServeOptions()), base_url=HOST) as client:
        assert client.get("/open", params={"key": key}).status_code == 401
        assert client.get(f"/open?key={pages.key}").status_code == 200


@requirement("web.link-counts-once")
@pytest.mark.parametrize("route", ROUTES, ids=lambda one: f"{one.method} {one.path}")
def test_a_stranger_sees_no_page(scene: WebScene, stranger: TestClient, route: object) -> None:
    scene.propose("Steps three to five rotate.")
    method, path = getattr(route, "method"), getattr(route, "path").replace("{id}", "m_1")  # noqa: B009
    for cookie in ("", "guessed"):
        stranger.cookies = httpx2.Cookies({"holdfast-8750": cookie})
        answer = stranger.request(method, path)

        assert answer.status_code == 401
        assert "Steps three" not in answer.text


@requirement("web.forms-have-tokens")
@pytest.mark.parametrize("path", FORMS)
@pytest.mark.parametrize("token", [None, "", "0" * 64])
def test_a_form_without_the_token_of_its_session_changes_nothing(
    scene: WebScene, reader: Reader, path: str, token: str | None
) -> None:
    [record] = scene.propose("Steps three to five rotate.")
    fields = {"ids": record.memory.id, "action": "approve", "claim": "x", "q": "x"}
    fields |= {} if token is None else {"form_token": token}

    answer = reader.client.post(path.replace("{id}", record.memory.id), data=fields)

    assert answer.status_code == 403
    assert "another session" in answer.text
    assert scene.status(record) == "candidate"
    assert scene.holdfast.review.decisions(limit=1) == ()


@requirement("web.forms-have-tokens")
def test_every_form_that_writes_has_the_token(scene: WebScene, reader: Reader) -> None:
    scene.accept("Tokens rotate on every use.")
    scene.propose("Tokens never rotate on use.", "Steps three to five rotate.")
    for path in pages_of(scene):
        reader.get(path)
        for form in reader.forms():
            is_plain = form.method in {"get", "dialog"}
            assert is_plain or any(name == "form_token" for name, _ in form.fields), form


@requirement("web.forms-have-tokens")
@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"\xff\xfe", "application/x-www-form-urlencoded"),
        (b'{"a":1}', "application/json"),
        (b"a=1", "text/plain"),
        (b"a=1&" * 5_000, "application/x-www-form-urlencoded"),
        (b"a" * 2_000_000, "application/x-www-form-urlencoded"),
    ],
)
def test_a_body_that_is_no_form_is_refused(reader: Reader, body: bytes, kind: str) -> None:
    answer = reader.client.post("/inbox/several", content=body, headers={"content-type": kind})

    assert answer.status_code == 422
    assert "could not be read" in answer.text


@requirement("web.own-origin-only")
@pytest.mark.parametrize(
    ("headers", "passes"),
    [
        ({}, True),
        ({"origin": HOST}, True),
        ({"origin": "http://127.0.0.1:9999"}, False),
        ({"origin": "http://localhost:8750"}, False),
        ({"origin": "https://evil.example"}, False),
        ({"origin": "null"}, False),
        ({"sec-fetch-site": "cross-site"}, False),
        ({"sec-fetch-site": "same-site"}, False),
        ({"sec-fetch-site": "none"}, True),
        ({"host": "evil.example"}, False),
        ({"host": "127.0.0.1.nip.io:8750"}, False),
    ],
)
def test_only_the_page_itself_is_answered(
    reader: Reader, headers: dict[str, str], *, passes: bool
) -> None:
    answer = reader.client.get("/inbox", headers=headers)

    assert answer.status_code == (200 if passes else 403)


def pages_of(scene: WebScene) -> list[str]:
    """Return an address of every page that can be shown."""
    record = scene.holdfast.review.conflicts(limit=1)
    name = record[0].standing.memory.id if record else ""
    task = scene.holdfast.tasks.add(AddTask(title="Rotate the keys.", after=()))
    run = scene.holdfast.runs.start(tool="codex", user="ada", goal="Rotate.")
    session = scene.holdfast.sessions.start(tool="codex", user="ada")
    found = [route.path for route in ROUTES if not route.writes and "{id}" not in route.path]
    found += [f"/memories/{name}", f"/graph/{name}", "/search?q=tokens&include=memory&include=code"]
    found += [f"/tasks/{task.id}", f"/runs/{run.id}", f"/sessions/{session.id}", "/nowhere"]
    return [*found, "/memories/m_none", "/inbox?kind=none", "/memories?as_of=2026-01-31&q=tokens"]


@requirement("web.nothing-from-elsewhere")
def test_every_page_forbids_scripts_and_files_of_others(scene: WebScene, reader: Reader) -> None:
    scene.accept("Tokens rotate on every use.")
    scene.propose("Tokens never rotate on use.")
    for path in [*pages_of(scene), "/static/site.css", "/static/site.js", "/static/none"]:
        answer = reader.get(path)
        policy = answer.headers["content-security-policy"]

        assert answer.status_code in {200, 404, 422}, (path, answer.text)
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["x-frame-options"] == "DENY"
        assert answer.headers["x-content-type-options"] == "nosniff"
        if answer.headers["content-type"].startswith("text/html"):
            assert foreign_markup(answer.text) == [], path


def put_everywhere(scene: WebScene, texts: list[str]) -> list[str]:
    """Put texts into every field that a page shows; return the addresses of these pages."""
    holdfast = scene.holdfast
    for number, text in enumerate(texts):
        grounds = Grounds(because=f"because {text}")
        key = re.sub(r"[\s,]", "_", text)[:60]
        scene.propose(
            f"Claim {number}: {text}", grounds=grounds, key=f"k{number} {text}"[:190], tags=(key,)
        )
    for text in texts[:22]:
        old = scene.accept(f"Rule: {text}", kind=Kind.RULE, grounds=Grounds(because=text))
        holdfast.care.deprecate([old.memory.id], by=text[:60], reason=text)
        holdfast.tasks.add(AddTask(title=text, notes=text))
        run = holdfast.runs.start(tool=text[:40], user=text[:40], goal=text)
        holdfast.runs.note(text, reference=run.id)
        holdfast.sessions.start(tool=text[:40], user=text[:40])
    many = len(texts) // 20 + 1
    record = holdfast.memories.explain(old.memory.id).record
    return [
        *(f"/inbox?page={page}" for page in range(1, many + 1)),
        *("/memories?status=any", "/timeline", "/tasks", "/tasks/graph.svg", "/health", "/agents"),
        *(f"/memories/{record.memory.id}", f"/graph/{record.memory.id}", f"/runs/{run.id}"),
    ]


@requirement("web.text-is-never-markup")
def test_no_text_becomes_markup_on_any_page(tmp_path: Path) -> None:
    with a_scene(tmp_path) as scene, scene.browser("<b>ada</b>") as reader:
        texts = [*PAYLOADS, *generated()[::25]]
        for path in put_everywhere(scene, texts):
            answer = reader.get(path)

            assert answer.status_code == 200, path
            assert foreign_markup(answer.text) == [], path


@requirement("web.text-is-never-markup")
@pytest.mark.parametrize("payload", PAYLOADS)
def test_what_is_typed_comes_back_as_text(reader: Reader, payload: str) -> None:
    for path, name in (
        ("/search", "q"),
        ("/search", "as_of"),
        ("/inbox", "source"),
        ("/inbox", "done"),
        ("/memories", "q"),
        ("/timeline", "sort"),
        ("/health", "trouble"),
        ("/memories", "as_of"),
        ("/inbox", "kind"),
    ):
        answer = reader.client.get(path, params={name: payload, "q": payload})

        assert foreign_markup(answer.text) == [], path
