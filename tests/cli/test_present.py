"""Tables, bars and trees by themselves."""

from __future__ import annotations

import io
import itertools
import os
from collections.abc import Generator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from unittest import mock

import pytest

from holdfast.domain.recall.rendering import Recalled
from holdfast.surfaces.cli.present.recall.recalled import show_advice
from holdfast.surfaces.cli.present.terminal.colour import Bad, Bold, Name, Quoted, ShownPlace
from holdfast.surfaces.cli.present.terminal.cutting import cut
from holdfast.surfaces.cli.present.terminal.measuring import columns
from holdfast.surfaces.cli.present.terminal.output import Output, fitted
from holdfast.surfaces.cli.present.terminal.progress import ProgressBar
from holdfast.surfaces.cli.present.terminal.table import Branch, show_table, show_tree, table_lines
from holdfast.usecases.recall.recalled_memories import NOT_CAUGHT_UP
from tests.builders import a_bundle
from tests.requirements import requirement


class Terminal(io.TextIOWrapper):
    """A stream that says it is a terminal."""

    def __init__(self, encoding: str = "utf-8") -> None:
        super().__init__(io.BytesIO(), encoding=encoding, write_through=True)

    def isatty(self) -> bool:
        return True

    @property
    def text(self) -> str:
        assert isinstance(self.buffer, io.BytesIO)
        return self.buffer.getvalue().decode(self.encoding)


@contextmanager
def watching(screen: Terminal) -> Generator[None, None, None]:
    """Show both streams on the screen."""
    with redirect_stdout(screen), redirect_stderr(screen):
        yield


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    monkeypatch.setenv("NO_COLOR", "1")
    return Terminal()


LONG_ID = "m_01m7ng9bpmfn5zhn2821t3w2pg"


@requirement("cli.fits-the-terminal")
@pytest.mark.parametrize(
    ("parts", "lines"),
    [
        (
            [Bad("holdfast:"), " 'foo' is not a kind; choose one of: fact, gotcha, or another one"],
            ["holdfast: 'foo' is not a kind; choose", "one of: fact, gotcha, or another one"],
        ),
        (
            ["  an indented note that is longer than the", " terminal is wide"],
            ["  an indented note that is longer than", "  the terminal is wide"],
        ),
        (
            [f"Resolve it with: holdfast resolve {LONG_ID} m_1 --keep-both --scope-new here"],
            ["Resolve it with:", "holdfast resolve m_21t3w2pg m_1 --keep-both --scope-new here"],
        ),
        (
            [f"Resolve it with: holdfast resolve {LONG_ID} m_1 (with --supersede or so)"],
            ["Resolve it with:", "holdfast resolve m_21t3w2pg m_1 (with", "--supersede or so)"],
        ),
        (
            ["The answer is short, but 'holdfast explain c_1 --why' says more"],
            ["The answer is short, but", "'holdfast explain c_1 --why' says more"],
        ),
        (
            ["[a] approve  [r] reject  [e] edit  [q] quit"],
            ["[a] approve  [r] reject  [e] edit", "[q] quit"],
        ),
        ([f"{'x' * 50} and more"], ["x" * 50, "and more"]),
        (["one line", "\n", "another line"], ["one line", "another line"]),
        ([f"{LONG_ID}: ", Quoted(f"see {LONG_ID}")], ["m_21t3w2pg: see", LONG_ID]),
    ],
)  # fmt: skip
def test_notes_and_errors_are_broken_between_words(
    screen: Terminal, parts: list[str], lines: list[str]
) -> None:
    size = os.terminal_size((40, 24))
    with watching(screen), mock.patch.object(os, "get_terminal_size", return_value=size):
        Output().complain(*parts)
        Output().note(*parts)

    assert screen.text.splitlines() == [*lines, *lines]


@requirement("cli.fits-the-terminal")
def test_a_pipe_gets_each_note_on_one_line_with_whole_ids() -> None:
    pipe = io.StringIO()
    words = (
        f"{LONG_ID} is a memory whose note is much longer than any terminal of eighty columns is"
    )
    with redirect_stderr(pipe):
        Output().complain(words)

    assert pipe.getvalue() == f"{words}\n"


def test_a_table_fits_the_terminal(screen: Terminal) -> None:
    with watching(screen):
        show_table(Output(), ("ID", "CLAIM"), [("m_1", "x" * 90), (Bold("m_22"), "a\nb\tc")])

    assert screen.text.splitlines() == ["ID    CLAIM", f"m_1   {'x' * 33}…", "m_22  a b c"]


@requirement("cli.places-whole")
def test_a_narrow_table_cuts_a_place_in_its_middle() -> None:
    heads = ("VERDICT", "ID", "EVIDENCE", "NOW", "CLAIM")
    place = ShownPlace("src/requests/packages/sessions.py:120-131")
    now = ShownPlace("moved to src/requests/packages/sessions.py:1135-1146")
    row = ("moved", Name("m_12345678"), place, now, "a claim")

    lines = {
        width: "\n".join(map("".join, table_lines(heads, [row], width=width, is_wrapped=True)))
        for width in (140, 120, 80, 60)
    }

    for shown in lines.values():
        assert "sessions.py:120-131" in shown
        assert "sessions.py:1135-1146" in shown
    assert "src/requests/packages/sessions.py:120-131  moved to" in lines[140]
    assert (cut(place, 24), cut(place, 12)) == ("src/…sessions.py:120-131", "….py:120-131")
    assert cut(ShownPlace("moved to sessions.py:1135-1146"), 26) == "move…sessions.py:1135-1146"
    assert cut(ShownPlace("now commit 9abb6a6ff92e: it makes the same change"), 12) == "now commit…"
    drifted = ShownPlace("drifted, now src/requests/sessions.py:1135-1146")
    assert cut(drifted, 30) == "drifted,…sessions.py:1135-1146"
    told = ShownPlace("moved to src/sessions.py:7-9, text unchanged")
    assert cut(told, 40) == "moved to src/sessions.py:7-9, text unch…"
    assert (cut(told, 28), cut(told, 20)) == (
        "moved to src/sessions.py:7-9",
        "move…sessions.py:7-9",
    )


def test_a_narrow_table_keeps_ids_whole_and_leaves_out_empty_columns() -> None:
    heads = ("ID", "KEY", "EMPTY", "CLAIM")
    row = (Name("m_123456789"), "a-very-long-key-of-a-memory", "", "a claim of some words " * 3)

    beside = ["".join(line) for line in table_lines(heads, [row], width=75)]
    below = ["".join(line) for line in table_lines(heads, [row], width=30)]

    assert beside == [
        "ID           KEY                          CLAIM",
        "m_123456789  a-very-long-key-of-a-memory  a claim of some words a claim of…",
    ]
    assert below == [
        "ID           KEY",
        "  CLAIM",
        "m_123456789  a-very-long-key-…",
        "  a claim of some words a cla…",
    ]


def test_wide_signs_count_for_two_columns() -> None:
    assert columns("日本") == 4
    assert columns("e\u0301") == 1
    assert cut("日本語です", 5) == "日本…"
    assert isinstance(cut(Bold("abcdef"), 3), Bold)


def test_a_tree_hangs_its_branches(screen: Terminal) -> None:
    leaf = Branch(["leaf"])

    with watching(screen):
        show_tree(Output(), Branch(["root"], [Branch(["one"], [leaf]), Branch(["two"], [leaf])]))

    assert screen.text.splitlines() == ["root", "├─ one", "│  └─ leaf", "└─ two", "   └─ leaf"]


def test_a_bar_is_drawn_after_a_second_and_wiped_at_the_end(
    screen: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    moments = itertools.count(0.0, 0.6)

    with watching(screen), mock.patch("time.monotonic", side_effect=moments):
        bar = ProgressBar("importing", Output())
        with bar:
            bar(1, 4)
            early = screen.text
            bar(2, 4)
            bar(7, 0)
            drawn = screen.text

    assert early == ""
    assert "importing  " + "█" * 15 in drawn
    assert "50%  2 of 4" in drawn
    assert drawn.endswith("importing  7")
    assert screen.text.endswith("\r\x1b[K")


@requirement("cli.no-bar-on-dumb-terminal")
@pytest.mark.parametrize(("terminal", "is_quiet"), [("xterm", True), ("dumb", False)])
def test_a_bar_is_not_drawn_for_those_who_do_not_watch_or_on_a_dumb_terminal(
    screen: Terminal, monkeypatch: pytest.MonkeyPatch, terminal: str, *, is_quiet: bool
) -> None:
    monkeypatch.setenv("TERM", terminal)
    moments = itertools.count(0.0, 5.0)

    with watching(screen), mock.patch("time.monotonic", side_effect=moments):
        bar = ProgressBar("importing", Output(is_quiet=is_quiet))
        with bar:
            bar(1, 4)

    assert screen.text == ""


def test_signs_a_stream_cannot_carry_are_spelt() -> None:
    assert fitted("a — b…\u2192", Terminal("ascii")) == "a -- b...\\u2192"
    assert fitted("Zoë", Terminal("latin-1")) == "Zoë"
    assert fitted("a\udcff", Terminal()) == "a\\udcff"


@requirement("cli.fits-the-terminal")
def test_a_claim_never_continues_the_line_of_another_column() -> None:
    row = [*("a column of some length",) * 7, "expires in 84 days", "We evaluate it."]
    heads = [*("COLUMN",) * 7, "LIFETIME", "CLAIM"]

    lines = table_lines(heads, [row], width=80, is_wrapped=True)

    shown = ["".join(map(str, line)).strip() for line in lines]
    assert shown[-1] == "We evaluate it."
    assert shown[-2].endswith("expires in 84 days")


@requirement("remote.advice-can-be-followed")
@pytest.mark.parametrize("is_remote", [True, False])
def test_a_server_embeds_its_memories_itself(
    capsys: pytest.CaptureFixture[str], *, is_remote: bool
) -> None:
    recalled = Recalled(bundle=a_bundle(notes=(NOT_CAUGHT_UP,)), records={}, nonce="0")

    show_advice(recalled, Output(), is_remote=is_remote)

    assert ("model catch-up" in capsys.readouterr().err) is not is_remote
