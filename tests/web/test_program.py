"""``holdfast web`` as a program: it prints a link, shows the page, and ends with Ctrl-C."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from holdfast.bootstrap.plugs.terminal import PrivateLink
from holdfast.surfaces.http.options import ServeOptions
from holdfast.surfaces.http.own_page import own_app
from tests.http.conftest import client
from tests.requirements import requirement
from tests.web.chromium import a_browser
from tests.web.scene import HOST, a_scene


@contextmanager
def web(
    folder: Path, *options: str, opens: bool = False, browser: str = ""
) -> Generator[subprocess.Popen[str], None, None]:
    """Run 'holdfast web' in the repository of a scene."""
    own = {"HOLDFAST_HOME": str(folder / "home"), "HOLDFAST_MODELS": "/none", "BROWSER": browser}
    process = subprocess.Popen(
        [sys.executable, "-m", "holdfast", "web", *(() if opens else ("--no-open",)), *options],
        cwd=folder / "app",
        env={**os.environ, **own},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


@requirement("web.link-counts-once")
@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_the_program_prints_a_link_and_ends_well(tmp_path: Path, ending: signal.Signals) -> None:
    with a_scene(tmp_path) as scene:
        scene.propose("Steps three to five rotate.")
    with web(tmp_path) as process:
        assert process.stdout is not None
        link = process.stdout.readline().split()[-1]
        with client(link.partition("/open")[0]) as browser:
            page = browser.get(link, follow_redirects=True)
            # The stream stays open, and must not keep the program from ending.
            with browser.stream("GET", "/events") as events:
                next(events.iter_text())
                process.send_signal(ending)
                said, errors = process.communicate()

    assert link.startswith("http://127.0.0.1:")
    assert "Steps three to five rotate." in page.text
    assert (process.returncode, said) == (0, "")
    assert "Traceback" not in errors
    assert "The link works once" in errors


def test_a_long_address_is_answered_by_the_program(tmp_path: Path) -> None:
    with a_scene(tmp_path):
        pass
    with web(tmp_path) as process:
        assert process.stdout is not None
        link = process.stdout.readline().split()[-1]
        with client(link.partition("/open")[0]) as browser:
            browser.get(link, follow_redirects=True)
            found = [
                browser.get("/search?q=" + "a" * many).status_code
                for many in (8_000, 8_300, 16_000, 17_000)
            ]
            crowded = browser.get("/search", headers={"X-Long": "a" * 17_000}).status_code

    assert found == [200, 200, 200, 414]
    assert crowded == 431


@requirement("web.link-stays-private")
def test_the_browser_gets_a_private_file_and_no_secret_on_its_command_line(tmp_path: Path) -> None:
    with a_scene(tmp_path):
        pass
    opened = tmp_path / "opened"
    os.mkfifo(opened)
    script = tmp_path / "browser"
    script.write_text(f'#!/bin/sh\necho "$@" > "{opened}"\n', encoding="utf-8")
    script.chmod(0o755)
    with web(tmp_path, opens=True, browser=f"{script} %s") as process:
        assert process.stdout is not None
        link = process.stdout.readline().split()[-1]
        shown = opened.read_text(encoding="utf-8").strip()
        file = Path(shown.removeprefix("file://"))
        content, rights = file.read_text(encoding="utf-8"), file.stat().st_mode & 0o777
        process.send_signal(signal.SIGINT)
        process.communicate()

    assert link.rpartition("=")[2] not in shown
    assert link in content
    assert rights == 0o600
    assert not file.exists()


@requirement("web.link-stays-private")
def test_a_browser_opens_the_page_from_the_private_file(tmp_path: Path) -> None:
    with a_scene(tmp_path) as scene:
        scene.propose("Steps three to five rotate.")
    with web(tmp_path) as process, a_browser() as browser:
        assert process.stdout is not None
        link = process.stdout.readline().split()[-1]
        private = PrivateLink(link, home=tmp_path / "home")
        private.write()
        page = browser.new_page()
        page.goto(private.file.as_uri())
        page.wait_for_url("**/inbox")

        assert "Steps three to five rotate." in page.content()
        stranger = browser.new_page()
        answer = stranger.goto(link)
        assert answer is not None
        assert answer.status == 401


@requirement("web.own-origin-only")
def test_a_page_of_another_site_is_refused_without_the_whole_window(tmp_path: Path) -> None:
    with a_scene(tmp_path) as scene:
        pages = scene.pages()
        with TestClient(own_app(pages, ServeOptions()), base_url=HOST) as foreign:
            for headers in (
                {"sec-fetch-site": "cross-site"},
                {"sec-fetch-site": "cross-site", "sec-fetch-dest": "iframe"},
                {"sec-fetch-dest": "document", "origin": "https://evil.example"},
            ):
                answer = foreign.get(f"/open?key={pages.key}", headers=headers)
                assert answer.status_code == 403
            headers = {"sec-fetch-site": "cross-site", "sec-fetch-dest": "document"}
            assert foreign.get("/inbox", headers=headers).status_code == 403
            assert foreign.get("/open?key=guess", headers=headers).status_code == 401
            assert "Signed in" in foreign.get(f"/open?key={pages.key}", headers=headers).text


def test_without_a_display_no_browser_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    link = PrivateLink("http://127.0.0.1:1/", home=tmp_path)

    assert not link.open()
    assert not link.file.exists()


def test_a_file_that_cannot_be_written_opens_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BROWSER", "true")
    (tmp_path / "home").write_text("a file", encoding="utf-8")

    assert not PrivateLink("http://127.0.0.1:1/", home=tmp_path / "home").open()


@requirement("web.link-counts-once")
def test_a_port_in_use_is_an_error_with_advice(tmp_path: Path) -> None:
    with a_scene(tmp_path):
        pass
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with web(tmp_path, "--port", str(taken.getsockname()[1])) as process:
            _, errors = process.communicate()

    assert process.returncode == 6
    assert "Traceback" not in errors
    assert "127.0.0.1" in errors


@requirement("web.link-counts-once")
def test_missing_packages_are_named(tmp_path: Path) -> None:
    with a_scene(tmp_path):
        pass
    code = (
        "import sys; sys.modules['jinja2'] = None;"
        "from importlib import util; real = util.find_spec;"
        "util.find_spec = lambda name, *more: None if name == 'jinja2' else real(name, *more);"
        "from holdfast.surfaces.cli.dispatch import run; sys.exit(run(['web', '--no-open']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path / "app",
        env={**os.environ, "HOLDFAST_HOME": str(tmp_path / "home")},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 6
    assert "pip install 'holdfast[server]'" in done.stderr
