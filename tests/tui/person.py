"""A person at the terminal UI: they press keys, click, and read the screen."""

from __future__ import annotations

import asyncio
import os
import re
from argparse import Namespace
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from difflib import unified_diff
from pathlib import Path
from unittest import mock

from textual.pilot import Pilot
from textual.worker import WorkerCancelled

from holdfast.surfaces.cli.command_context import CommandContext
from holdfast.surfaces.cli.present.terminal.output import Output
from holdfast.surfaces.cli.verbs.review.ui import desk_of
from holdfast.surfaces.tui.application import HoldfastUi
from holdfast.usecases.review.queued import Review
from tests.cli.program import Program

SCREENS = Path(__file__).parent / "screens"
SMALL, LARGE = (80, 24), (120, 40)
WRITE = "HOLDFAST_WRITE_SCREENS"
"""Set this variable to write the screens anew instead of comparing them."""
_CHANGING = (
    (re.compile(r"\b([mcst])_[0-9a-zA-Z_]{8,}"), r"\1_…"),
    (re.compile(r"repo_[0-9a-f]+"), "repo_…"),
    (re.compile(r"\b\d+ (?:second|minute)s?"), "some seconds"),
    # Estimates of tokens depend on the letters of ids.
    (re.compile(r"[█░]{30} [\d,]+ of"), "METER N of"),
    (re.compile(r"\b[\d,]+ (tokens|of \d+, counted)"), r"N \1"),
    (re.compile(r"([█░]{6}|└) +\d+ "), r"\1 N "),
    (re.compile(r"fit in \d+"), "fit in N"),
    (re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d"), "DATE"),
)

Step = str | Callable[[Pilot[None]], Awaitable[object]]


@dataclass
class Watched:
    """What the person saw: the screen after the start, and after every step."""

    screens: list[str] = field(default_factory=list)
    ui: HoldfastUi | None = None
    svg: str = ""

    @property
    def last(self) -> str:
        """The screen at the end."""
        return self.screens[-1]


def use(
    program: Program,
    *steps: Step,
    tab: str = "inbox",
    size: tuple[int, int] = SMALL,
    env: Mapping[str, str] | None = None,
    wish: Review | None = None,
    theme: str | None = None,
) -> Watched:
    """Open the UI, take the steps, and return what was seen."""
    before = Path.cwd()
    os.chdir(program.folder)
    try:
        with mock.patch.dict(os.environ, {**program.environment, **(env or {})}, clear=True):
            given = Namespace(tenant=None, space=None, home=None, server=None, folder=None)
            context = CommandContext(given, Output())
            try:
                ui = HoldfastUi(desk_of(context, wish, tab=tab, theme=theme))
                return asyncio.run(_used(ui, steps, size))
            finally:
                context.close()
    finally:
        os.chdir(before)


async def _used(ui: HoldfastUi, steps: tuple[Step, ...], size: tuple[int, int]) -> Watched:
    watched = Watched(ui=ui)
    try:
        async with ui.run_test(size=size) as pilot:
            await settled(pilot)
            watched.screens.append(screen_of(ui))
            for step in steps:
                await (pilot.press(step) if isinstance(step, str) else step(pilot))
                await settled(pilot)
                watched.screens.append(screen_of(ui))
            watched.svg = ui.export_screenshot() if ui.is_running else ""
    finally:
        ui.lane.close()
        ui.slow.close()
    return watched


async def settled(pilot: Pilot[None]) -> None:
    """Wait until nothing is being read, decided or drawn."""
    await pilot.pause()
    while running := [one for one in pilot.app.workers if one.is_running]:
        for one in running:
            with suppress(WorkerCancelled):
                await one.wait()
        await pilot.pause()


def screen_of(ui: HoldfastUi) -> str:
    """Return the text of the screen."""
    strips = ui.screen._compositor.render_strips()
    return "\n".join("".join(part.text for part in strip).rstrip() for strip in strips)


def steady(screen: str) -> str:
    """Return a screen without what differs between two runs: ids, ages and dates."""
    for pattern, words in _CHANGING:
        screen = pattern.sub(words, screen)
    return "\n".join(line.rstrip() for line in screen.splitlines()) + "\n"


def check_screen(name: str, screen: str) -> None:
    """Compare a screen with the one that is kept under a name."""
    kept = SCREENS / f"{name}.txt"
    if os.environ.get(WRITE):
        kept.write_text(steady(screen), encoding="utf-8")
    now, before = steady(screen), kept.read_text(encoding="utf-8")
    assert now == before, "\n".join(unified_diff(before.splitlines(), now.splitlines(), name))


def typed(text: str) -> tuple[str, ...]:
    """Return the keys of a text."""
    names = {" ": "space", ".": "full_stop", ":": "colon", "/": "slash", "-": "minus"}
    return tuple(names.get(sign, sign) for sign in text)
