"""Texts that want to be markup, links or control sequences are shown as they are."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.pilot import Pilot

from holdfast.surfaces.tui.parts.code import coloured, load_colours
from holdfast.surfaces.tui.parts.texts import line, one_line, quoted, styled
from tests.cli.program import Program
from tests.cli.test_curation import status
from tests.cli.waiting import propose
from tests.requirements import requirement
from tests.tui.person import LARGE, use

HOSTILE = [
    "[bold]Loud[/bold] claim.",
    "[@click=app.quit]Click here[/] to win.",
    "[@click=\"app.tab('health')\"]Click[/] to approve.",
    "[link=file:///etc/passwd]A link[/link] to a file.",
    "[red on blue]Colours[/] and [/] stray ends [/nothing].",
    "[not closed and $primary and {braces} %s.",
    "\\[escaped] and [[double]] brackets.",
    "$text-error on $error is no style here.",
    "漢字かな交じり文 is wide, and so is 🦊🦊🦊.",
    "z̸̛̤a̸l̷g̶o̵ marks stack.",
    "שלום goes from right to left.",
    "x" * 3000,
    "line one\n  2 waiting\n› low risk fact  line that looks like a row",
]
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")


@pytest.fixture
def hostile(program: Program) -> Program:
    """A store in which every hostile text waits, is accepted, and is the title of a task."""
    for number, claim in enumerate(HOSTILE):
        propose(program, claim, "--source", "[b]bot[/b]")
        program(
            "remember", "--because", claim[:300], "--key", f"bad-{number}", f"Known {claim}"
        ).well()
        program("task", "add", claim.splitlines()[0][:400]).well()
    return program


@requirement("ui.texts-are-literal")
@pytest.mark.parametrize("tab", ["inbox", "memory", "tasks", "health"])
def test_hostile_texts_are_shown_literally(hostile: Program, tab: str) -> None:
    seen = use(hostile, *["j"] * len(HOSTILE), tab=tab, size=(140, 50)).screens

    shown = "\n".join(seen)
    assert not _CONTROL.search(shown.replace("\n", ""))
    for claim in HOSTILE if tab != "health" else ():
        assert claim.splitlines()[0][:18] in shown


@requirement("ui.texts-are-literal")
@pytest.mark.parametrize("number", [0, 1, 4])
def test_hostile_answers_and_neighbours_are_shown_literally(hostile: Program, number: int) -> None:
    words, claim = ("bad", "minus", str(number)), HOSTILE[number]
    keys = [key for word in words for key in ((word,) if word == "minus" else word)]

    graph = use(hostile, "f", *keys, "enter", tab="graph", size=LARGE).last
    search = use(hostile, *keys, "enter", tab="search", size=LARGE).last

    assert f"Known {claim}"[:30] in graph
    assert f"Known {claim}"[:30] in search


@requirement("ui.texts-are-literal")
def test_no_click_on_a_claim_does_what_the_claim_says(program: Program) -> None:
    name = propose(program, "[@click=app.quit]Click here[/] to win.")

    async def click_everywhere(pilot: Pilot[None]) -> None:
        for x in range(12, 60, 12):
            for y in (2, 8, 11, 12):
                await pilot.click(offset=(x, y))

    watched = use(program, click_everywhere)

    assert "1 waiting" in watched.last
    assert status(program, name) == "candidate"


@requirement("ui.texts-are-literal")
def test_lines_of_a_cited_file_cannot_write_to_the_terminal(program: Program) -> None:
    evil = "evil = '\x1b]0;owned\x07\x1b[2J\u202e\u200b[bold]x[/bold]'\n"
    (program.folder / "src" / "evil.py").write_text(evil, encoding="utf-8")
    propose(program, "The evil file is read.", "--evidence", "src/evil.py:1")

    seen = use(program, size=(200, 40)).last

    assert "<U+001B>" in seen
    assert "<U+202E>" in seen
    assert "[bold]x[/bold]" in seen
    assert not _CONTROL.search(seen.replace("\n", ""))


@requirement("ui.texts-are-literal")
def test_hostile_words_in_messages_and_dialogs_are_literal(program: Program) -> None:
    old = "[b]Tokens[/b] rotate every hour."
    program("remember", "--because", "x", "--key", "k", old).well()
    propose(program, "[b]Tokens[/b] rotate every day.", "--key", "k")

    asked = use(program, "a").last
    edited = use(program, "e").last
    forgotten = use(program, "D", tab="memory").last
    filtered = use(program, "f", *"[", "b", "]", "enter", tab="memory").last

    assert "[b]Tokens[/b] rotate every hour." in asked
    assert "[b]Tokens[/b]" in edited
    assert "[b]Tokens[/b]" in forgotten
    assert "“[b]”" in filtered


@requirement("ui.texts-are-literal")
@given(text=st.text(max_size=200))
def test_any_text_keeps_its_words_and_gets_no_style(text: str) -> None:
    for shown in (styled(text), line(text), *quoted(text)):
        assert not _CONTROL.search(shown.plain.replace("\n", ""))
    plain = styled(text)
    assert not any("@click" in str(span.style) for span in plain.spans)
    if text.isascii() and text.isprintable():
        assert plain.plain == text
        assert one_line(text) == " ".join(text.split())


@requirement("ui.texts-are-literal")
@given(code=st.lists(st.text(max_size=80), max_size=8))
def test_colours_change_no_character_of_a_line(code: list[str]) -> None:
    before = [one.plain for one in coloured(code, "unknown.zzz")]

    load_colours(["a.py", "b.html"])

    for path in ("a.py", "b.html"):
        assert [one.plain for one in coloured(code, path)] == before
