"""A real browser for the tests of the page: Debian's Chromium, driven by Playwright."""

from __future__ import annotations

import shutil
import socket
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import uvicorn

from holdfast.surfaces.http.options import ServeOptions
from holdfast.surfaces.http.own_page import own_app
from holdfast.surfaces.http.paging import Ending
from holdfast.surfaces.web.protection import cookie_name
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Dialog, Page

    from tests.web.scene import WebScene

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or ""
AXE = Path(__file__).parents[2] / ".browser" / "node_modules" / "axe-core" / "axe.min.js"
WIDE, NARROW = 1280, 390


@dataclass
class Watched:
    """What a browser did that a page must never make it do."""

    dialogs: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


@dataclass
class OpenSite:
    """A running page of one memory, and a browser."""

    scene: WebScene
    browser: Browser
    url: str
    session: str
    watched: Watched = field(default_factory=Watched)

    @contextmanager
    def page(
        self, *, width: int = WIDE, with_script: bool = True, scheme: str = "light"
    ) -> Generator[Page, None, None]:
        """Open a window; its dialogs, errors and requests to other servers are noted."""
        context = self.browser.new_context(
            viewport={"width": width, "height": 900},
            java_script_enabled=with_script,
            color_scheme="dark" if scheme == "dark" else "light",
            base_url=self.url,
        )
        context.set_default_timeout(1_000 * PATIENCE)
        name = cookie_name(self.url.removeprefix("http://"))
        context.add_cookies([{"name": name, "value": self.session, "url": self.url}])
        try:
            page = context.new_page()
            self._watch(page)
            yield page
        finally:
            context.close()

    def _watch(self, page: Page) -> None:
        def answer(dialog: Dialog) -> None:
            self.watched.dialogs.append(dialog.message)
            dialog.dismiss()

        page.on("dialog", answer)
        page.on("pageerror", lambda error: self.watched.errors.append(str(error)))
        page.on("request", lambda request: self._note(request.url))

    def _note(self, url: str) -> None:
        if not url.startswith(f"{self.url}/") and not url.startswith(("data:", "about:")):
            self.watched.foreign.append(url)


@contextmanager
def an_open_site(scene: WebScene, browser: Browser) -> Generator[OpenSite, None, None]:
    """Serve the page of a memory on a real socket."""
    ending = Ending()
    pages = scene.pages(ending=ending)
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.bind(("127.0.0.1", 0))
    listening.listen(128)
    app = own_app(pages, ServeOptions())
    config = uvicorn.Config(
        app, interface="asgi3", http="h11", ws="none", lifespan="on", log_config=None
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, args=([listening],))
    thread.start()
    try:
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        yield OpenSite(scene, browser, url, str(pages.exchange(pages.key)))
    finally:
        ending.is_near = True
        server.should_exit = True
        thread.join()


@contextmanager
def a_browser() -> Generator[Browser, None, None]:
    """Start Chromium; skip the tests where there is none."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if not CHROMIUM:
        pytest.skip("Chromium is not installed: the tests of the page in a browser did not run")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        try:
            yield browser
        finally:
            browser.close()
