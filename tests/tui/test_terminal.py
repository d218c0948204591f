"""The terminal around the UI: its size, its colours, the mouse, and a real one at last."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import pytest
from textual.pilot import Pilot

from holdfast.surfaces.tui.application import HoldfastUi
from tests.cli.test_curation import status
from tests.cli.test_terminal import at_terminal
from tests.cli.typist import typist
from tests.cli.waiting import AGENT, Waiting
from tests.patience import PATIENCE
from tests.requirements import requirement
from tests.tui.person import LARGE, use

READY = "3 waiting"


@requirement("ui.small-terminals")
@pytest.mark.parametrize("size", [(79, 24), (80, 23), (20, 5)])
def test_a_terminal_that_shrinks_is_told_and_recovers(
    waiting: Waiting, size: tuple[int, int]
) -> None:
    async def shrink(pilot: Pilot[None]) -> None:
        await pilot.resize_terminal(*size)

    async def grow(pilot: Pilot[None]) -> None:
        await pilot.resize_terminal(80, 24)

    watched = use(waiting.program, "j", shrink, grow, "x", size=LARGE)
    small, again = watched.screens[2], watched.screens[3]

    assert "This terminal is too" in small
    assert "3 waiting" not in small
    assert "3 waiting" in again
    assert "2 waiting" in watched.last


@requirement("ui.small-terminals")
def test_a_terminal_that_starts_too_small_is_told_so(waiting: Waiting) -> None:
    assert "40 × 10" in use(waiting.program, size=(40, 10)).last


def test_the_theme_follows_the_terminal_the_option_and_a_key(waiting: Waiting) -> None:
    def theme(*keys: str, given: str | None = None, **env: str) -> str:
        watched = use(waiting.program, *keys, theme=given, env=env)
        assert watched.ui is not None
        return watched.ui.theme

    assert theme() == "textual-dark"
    assert theme(COLORFGBG="0;15") == "textual-light"
    assert theme(given="light") == "textual-light"
    assert theme(given="dark", COLORFGBG="0;15") == "textual-dark"
    assert theme("T") == "textual-light"


def test_without_colours_the_marks_are_still_words_and_signs(waiting: Waiting) -> None:
    watched = use(waiting.program, "space", env={"NO_COLOR": "1"})

    assert watched.ui is not None
    assert watched.ui.no_color
    assert "●" in watched.last
    assert "high" in watched.last


def test_rows_and_keys_are_clicked(waiting: Waiting) -> None:
    async def click_second_row(pilot: Pilot[None]) -> None:
        await pilot.click("Rows", offset=(20, 1))

    async def click_reject(pilot: Pilot[None]) -> None:
        await pilot.click("#keys", offset=(14, 0))

    watched = use(waiting.program, click_second_row, click_reject)

    assert watched.screens[1].splitlines()[3].startswith("›")
    assert "2 waiting" in watched.last
    assert status(waiting.program, waiting.trap) == "rejected"


@requirement("ui.never-waits-for-the-store")
def test_keys_are_taken_while_the_store_works(waiting: Waiting) -> None:
    going_on, begun = threading.Event(), threading.Event()

    async def hold_the_store(pilot: Pilot[None]) -> None:
        assert isinstance(pilot.app, HoldfastUi)

        def wait(_memory: object) -> None:
            begun.set()
            going_on.wait()

        pilot.app.run_worker(pilot.app.lane.ask(wait))
        while not begun.is_set():
            await pilot.pause(0.001)
        await pilot.press("a", "j", "question_mark")
        assert len(pilot.app.screen_stack) == 2
        await pilot.press("escape")
        going_on.set()

    watched = use(waiting.program, "j", hold_the_store)

    assert "2 waiting" in watched.last
    assert status(waiting.program, waiting.trap) == "accepted"


@requirement("ui.text-for-pipes")
def test_review_at_a_terminal_opens_the_inbox(waiting: Waiting) -> None:
    with typist(waiting.program, "review") as person:
        person.until(READY)
        person.types("jx")
        person.until("rejected")
        person.types("q")
        code, is_echoing = person.end(), person.is_echoing()

    assert (code, is_echoing) == (0, True)
    assert "1 decision" in person.seen
    assert status(waiting.program, waiting.trap) == "rejected"


@requirement("ui.text-for-pipes")
def test_pipes_agents_and_options_get_text(waiting: Waiting) -> None:
    program = waiting.program
    plain = at_terminal(program, "review", "--plain").well().out
    piped = program.start("review").well().out
    with typist(program, "review", CLAUDECODE="1") as agent:
        code = agent.end()
    no_terminal = program("ui")

    assert "holdfast approve" in plain
    assert "holdfast approve" in piped
    assert (code, "\x1b[?1049h" in agent.seen) == (0, False)
    assert "holdfast approve" in agent.seen
    assert no_terminal.code == 2
    assert "needs a terminal" in no_terminal.err


@requirement("ui.agents-only-look")
def test_an_agent_at_a_terminal_may_look(waiting: Waiting) -> None:
    with typist(waiting.program, "ui", **AGENT) as person:
        person.until(READY)
        person.types("x")
        person.until("only a person")
        person.types("q")
        assert person.end() == 0

    assert status(waiting.program, waiting.trap) == "candidate"


@requirement("ui.text-for-pipes")
def test_a_missing_extra_is_named_and_review_stays_as_it_is(waiting: Waiting) -> None:
    hidden = (
        "import sys; sys.modules['textual'] = None\n"
        "import importlib.util as u; find = u.find_spec\n"
        "u.find_spec = lambda name, *rest: None if name == 'textual' else find(name, *rest)\n"
        "from holdfast.surfaces.cli.main import main; main(sys.argv[1:])"
    )
    program = (sys.executable, "-c", hidden)

    missing = waiting.program.start("ui", program=program)
    listed = waiting.program.start("review", program=program)

    assert missing.code == 6
    assert "pip install 'holdfast[ui]'" in missing.err
    assert "holdfast approve" in listed.well().out


@requirement("ui.text-for-pipes")
@pytest.mark.parametrize(
    "words", [("review",), ("list",), ("ui", "--help"), ("recall", "--q", "x")]
)
def test_only_the_ui_loads_textual(waiting: Waiting, words: tuple[str, ...]) -> None:
    code = (
        "import sys\nfrom holdfast.surfaces.cli.main import main\n"
        "try:\n    main(sys.argv[1:])\nexcept SystemExit:\n    pass\n"
        "assert 'textual' not in sys.modules and 'rich' not in sys.modules\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        cwd=waiting.program.folder,
        env=waiting.program.environment,
        capture_output=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr


@requirement("ui.ends-with-its-terminal")
def test_the_ui_ends_when_its_terminal_is_closed(waiting: Waiting) -> None:
    with typist(waiting.program, "review") as person:
        person.until(READY)
        os.close(person.theirs)
        os.close(person.ours)
        code = person.process.wait(timeout=PATIENCE)
        person.ours, person.theirs = os.openpty()

    assert code >= 0
