"""A memory with candidates of every sort, and a reader that sends forms as a browser does."""

from __future__ import annotations

import subprocess
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import httpx2
from starlette.testclient import TestClient

from holdfast.app import Holdfast
from holdfast.bootstrap.machine.machine import Machine
from holdfast.bootstrap.plugs.folder_ports import CodeReading
from holdfast.domain.choices import Kind, Origin, Scope
from holdfast.domain.memory.callers import Principal, PrincipalKind
from holdfast.domain.memory.memory import MemoryRecord
from holdfast.domain.values import replace
from holdfast.surfaces.http.options import ServeOptions
from holdfast.surfaces.http.own_page import OwnPages, PersonalMemory, own_app
from holdfast.surfaces.http.paging import Ending
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.memory.remember import Remember

SOURCE = "".join(f"step_{number} = rotate({number})\n" for number in range(1, 41))
HOST = "http://127.0.0.1:8750"


def git(folder: Path, *words: str) -> None:
    subprocess.run(["git", "-C", str(folder), *words], check=True)  # noqa: S607 - git from the PATH


def a_repository(folder: Path) -> Path:
    """Make a repository with one file and one commit."""
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "tokens.py").write_text(SOURCE, encoding="utf-8")
    git(folder, "init", "-q", "-b", "main", ".")
    git(folder, "add", ".")
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false")
    git(folder, *who, "commit", "-q", "-m", "Rotate tokens")
    return folder


@dataclass
class WebScene:
    """A person's memory of a repository, and an agent that proposes to it."""

    machine: Machine
    holdfast: Holdfast
    repository: Path

    def _said(self, principal: Principal, wishes: Sequence[Remember]) -> list[MemoryRecord]:
        # A scene is written at once; the limits of a source are tested elsewhere.
        app = replace(self.holdfast, principal=principal, most_waiting=0, most_hourly=0)
        return [one.record for one in app.memories.remember_all(wishes)]

    def accept(self, claim: str, **changes: Any) -> MemoryRecord:
        """Keep a claim of the person, which is accepted at once."""
        return self.accept_all(claim, **changes)[0]

    def accept_all(self, *claims: str, **changes: Any) -> list[MemoryRecord]:
        """Keep claims of the person, all of them at once."""
        wishes = [a_wish(claim, Origin.HUMAN, **changes) for claim in claims]
        return self._said(self.holdfast.principal, wishes)

    def propose(self, *claims: str, **changes: Any) -> list[MemoryRecord]:
        """Keep claims of an agent, which wait."""
        return self.propose_all([a_wish(claim, Origin.AGENT, **changes) for claim in claims])

    def propose_all(self, wishes: Sequence[Remember]) -> list[MemoryRecord]:
        """Keep wishes of an agent, all of them at once."""
        return self._said(Principal.of(PrincipalKind.AGENT, name="Codex"), wishes)

    def look_again(self, holdfast: Holdfast) -> Holdfast:
        return self.machine.look_again(holdfast, reading=CodeReading())

    def pages(self, by: str = "ada", *, ending: Ending | None = None) -> OwnPages:
        memory = PersonalMemory(
            holdfast=self.holdfast, by=by, look_again=self.look_again, folder="payments"
        )
        return OwnPages(memory, ending)

    @contextmanager
    def browser(self, by: str = "ada") -> Generator[Reader, None, None]:
        """Open the page as a browser without scripts does, with the link."""
        pages = self.pages(by)
        with TestClient(own_app(pages, ServeOptions()), base_url=HOST) as client:
            reader = Reader(client)
            reader.get(f"/open?key={pages.key}")
            yield reader

    def status(self, record: MemoryRecord) -> str:
        found = self.holdfast.memories.show(record.memory.id)
        assert isinstance(found, MemoryRecord)
        return found.standing.status.value


def a_wish(claim: str, origin: Origin, **changes: Any) -> Remember:
    usual = Remember(
        claim=claim,
        kind=Kind.GOTCHA,
        scope=Scope.REPO,
        origin=origin,
        source="codex" if origin is Origin.AGENT else "cli",
        grounds=Grounds(places=("src/tokens.py:3-5",)),
    )
    return replace(usual, **changes)


@contextmanager
def a_scene(folder: Path) -> Generator[WebScene, None, None]:
    """Open a new memory of a new repository."""
    repository = a_repository(folder / "app")
    person = Principal.of(PrincipalKind.PERSON, name="ada")
    machine = Machine(principal=person, home=folder / "home", folder=lambda: repository)
    holdfast = machine.open()
    try:
        yield WebScene(machine, holdfast, repository)
    finally:
        holdfast.close()


@dataclass
class Form:
    """A form of a page, with what it would send."""

    action: str
    method: str
    name: str = ""
    fields: list[tuple[str, str]] = field(default_factory=list)
    buttons: list[tuple[str, str, str]] = field(default_factory=list)


class _Forms(HTMLParser):
    """Reads the forms of a page; a control may belong to a form elsewhere by its id."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.elsewhere: list[tuple[str, tuple[str, str]]] = []
        self._open: Form | None = None
        self._area: tuple[str, list[str]] | None = None
        self._button: tuple[str, str, list[str]] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attrs}
        name = said.get("name", "")
        match tag:
            case "form":
                self._open = Form(
                    said.get("action", ""), said.get("method", ""), said.get("id", "")
                )
                self.forms.append(self._open)
            case "input" if name:
                self._put_input(name, said)
            case "textarea":
                self._area = (name, [])
            case "button":
                self._button = (name, said.get("value", ""), [])
            case _:
                pass

    def _put_input(self, name: str, said: dict[str, str]) -> None:
        if said.get("type") == "checkbox" and "checked" not in said:
            return
        pair = (name, said.get("value", ""))
        if "form" in said:
            self.elsewhere.append((said["form"], pair))
        elif self._open is not None:
            self._open.fields.append(pair)

    def handle_data(self, data: str) -> None:
        if self._area is not None:
            self._area[1].append(data)
        if self._button is not None:
            self._button[2].append(data)

    def handle_endtag(self, tag: str) -> None:
        form = self._open
        if tag == "form":
            self._open = None
        elif tag == "textarea" and self._area is not None and form is not None:
            # A browser drops the line break that follows the opening tag.
            form.fields.append((self._area[0], "".join(self._area[1]).removeprefix("\n")))
            self._area = None
        elif tag == "button" and self._button is not None and form is not None:
            name, value, words = self._button
            form.buttons.append((name, value, "".join(words).split("\n")[0].strip()))
            self._button = None


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name: value or "" for name, value in attrs}))


_NEVER = frozenset({"iframe", "object", "embed", "base", "style", "video", "math", "marquee"})
_ADDRESSES = frozenset({"src", "href", "action", "formaction", "hx-post", "hx-get", "srcdoc"})


def foreign_markup(page: str) -> list[object]:
    """Return the tags of a page that could run a script or reach another server."""
    parser = _Tags()
    parser.feed(page)
    return [
        (tag, attributes)
        for tag, attributes in parser.found
        if tag in _NEVER
        or (tag == "script" and not attributes.get("src", "").startswith("/static/"))
        or any(name.startswith("on") or name == "style" for name in attributes)
        or any(
            not value.startswith(("/", "#")) or value.startswith("//")
            for name, value in attributes.items()
            if name in _ADDRESSES
        )
    ]


class Reader:
    """A browser without scripts: it keeps cookies, follows links, and sends forms."""

    def __init__(self, client: TestClient) -> None:
        self.client = client
        self.page: httpx2.Response | None = None

    @property
    def text(self) -> str:
        assert self.page is not None
        return self.page.text

    def get(self, path: str) -> httpx2.Response:
        self.page = self.client.get(path)
        return self.page

    def forms(self) -> list[Form]:
        parser = _Forms()
        parser.feed(self.text)
        for name, pair in parser.elsewhere:
            next(one for one in parser.forms if one.name == name).fields.append(pair)
        return parser.forms

    def form(self, action: str, button: str = "") -> Form:
        """Return the form with that action, and with a button that begins so."""
        return next(
            one
            for one in self.forms()
            if one.action == action and any(said.startswith(button) for *_, said in one.buttons)
        )

    def send(self, form: Form, button: str = "", **changes: str) -> httpx2.Response:
        """Send a form by one of its buttons, with some fields changed."""
        name, value, _ = next(one for one in form.buttons if one[2].startswith(button))
        pairs = [(key, changes.pop(key, given)) for key, given in form.fields]
        pairs += [(name, value)] if name else []
        pairs += list(changes.items())
        body = urlencode(pairs)
        self.page = self.client.post(
            form.action,
            content=body,
            headers={"content-type": "application/x-www-form-urlencoded", "origin": HOST},
        )
        return self.page

    def decide(
        self, record: MemoryRecord, way: str, button: str, **changes: str
    ) -> httpx2.Response:
        """Decide about a candidate of the page that is open."""
        action = f"/candidates/{record.memory.id}/{way}"
        return self.send(self.form(action, button), button, **changes)
