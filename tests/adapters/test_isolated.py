from __future__ import annotations

import sys
from pathlib import Path

import pytest

from holdfast.adapters.code.parsing import isolated
from holdfast.adapters.code.parsing.isolated import IsolatedOutline
from holdfast.adapters.code.parsing.outline import parse
from holdfast.adapters.processes import running
from tests.requirements import requirement

CODE = '''class Store:
    """Keeps tokens."""

    def rotate(self, token: str) -> str:
        """Exchange a token."""
        return token
'''


def test_a_process_apart_reads_what_this_one_would_read() -> None:
    outline = IsolatedOutline()

    first = outline.symbols("src/a.py", CODE)
    again = outline.symbols("src/b.py", "def other():\n    pass\n")

    assert tuple(first) == parse("src/a.py", CODE.encode()).symbols
    assert [symbol.name for symbol in again] == ["other"]


@requirement("code.outlives-its-parser")
def test_a_parser_that_brings_its_process_down_takes_nobody_along(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    crash = "import os; os.kill(os.getpid(), 11)"
    monkeypatch.setattr(isolated, "_PROGRAM", crash)
    outline = IsolatedOutline()

    assert outline.symbols("src/a.py", CODE) == ()
    assert outline.symbols("src/a.py", CODE) == ()


def test_a_parser_that_never_ends_is_waited_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolated, "_PROGRAM", "import time; time.sleep(60)")
    monkeypatch.setattr(isolated, "_LONGEST_WAIT_MS", 50)

    assert IsolatedOutline().symbols("src/a.py", CODE) == ()


@pytest.mark.parametrize("path", ["notes.txt", "README", "image.png"])
def test_what_no_grammar_reads_starts_no_process(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "PipedProgram", None)

    assert IsolatedOutline().symbols(path, CODE) == ()


def test_where_no_process_can_be_started_there_are_no_symbols(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "nowhere"))
    assert IsolatedOutline().symbols("src/a.py", CODE) == ()

    monkeypatch.setattr(sys, "executable", "")
    assert IsolatedOutline().symbols("src/a.py", CODE) == ()
