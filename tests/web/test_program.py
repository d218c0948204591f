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

from holdfast.bootstrap.plugs.terminal import open_link
from tests.http.conftest import client
from tests.requirements import requirement
from tests.web.scene import a_scene


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


@requirement("web.link-counts-once")
def test_the_link_is_opened_in_the_browser(tmp_path: Path) -> None:
    with a_scene(tmp_path):
        pass
    opened = tmp_path / "opened"
    os.mkfifo(opened)
    script = tmp_path / "browser"
    script.write_text(f'#!/bin/sh\necho "$1" > "{opened}"\n', encoding="utf-8")
    script.chmod(0o755)
    with web(tmp_path, opens=True, browser=f"{script} %s") as process:
        assert process.stdout is not None
        link = process.stdout.readline().split()[-1]
        shown = opened.read_text(encoding="utf-8").strip()

    assert shown == link


def test_without_a_display_no_browser_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")

    assert not open_link("http://127.0.0.1:1/")


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
