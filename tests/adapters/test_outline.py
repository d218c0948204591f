"""Reading code: the symbols a reader would name, in every language, and nothing that breaks it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.adapters.code.parsing import languages
from holdfast.adapters.code.parsing.languages import language_of
from holdfast.adapters.code.parsing.outline import parse, plain
from holdfast.adapters.code.parsing.parsed import Parsed
from tests.adapters import samples_of_code as code
from tests.adapters import samples_of_scripts as scripts
from tests.requirements import requirement

SAMPLES = {
    "a.py": (code.PYTHON, code.PYTHON_SYMBOLS),
    "a.js": (code.JAVASCRIPT, code.JAVASCRIPT_SYMBOLS),
    "a.ts": (code.TYPESCRIPT, code.TYPESCRIPT_SYMBOLS),
    "a.tsx": (code.TSX, code.TSX_SYMBOLS),
    "a.go": (code.GO, code.GO_SYMBOLS),
    "a.rs": (code.RUST, code.RUST_SYMBOLS),
    "a.java": (code.JAVA, code.JAVA_SYMBOLS),
    "a.c": (code.C, code.C_SYMBOLS),
    "a.cpp": (code.CPP, code.CPP_SYMBOLS),
    "a.cs": (code.CSHARP, code.CSHARP_SYMBOLS),
    "a.rb": (scripts.RUBY, scripts.RUBY_SYMBOLS),
    "a.php": (scripts.PHP, scripts.PHP_SYMBOLS),
    "a.sh": (scripts.BASH, scripts.BASH_SYMBOLS),
    "a.sql": (scripts.SQL, scripts.SQL_SYMBOLS),
    "a.md": (scripts.MARKDOWN, scripts.MARKDOWN_SYMBOLS),
    "a.html": (scripts.HTML, scripts.HTML_SYMBOLS),
    "a.css": (scripts.CSS, scripts.CSS_SYMBOLS),
    "a.json": (scripts.JSON, scripts.JSON_SYMBOLS),
    "a.yaml": (scripts.YAML, scripts.YAML_SYMBOLS),
    "a.toml": (scripts.TOML, scripts.TOML_SYMBOLS),
}
SOURCES = {path: source for path, (source, _) in SAMPLES.items()}


@requirement("code.symbols-of-every-language")
@pytest.mark.parametrize("path", SAMPLES)
def test_the_symbols_of_a_file_are_those_a_reader_would_name(path: str) -> None:
    source, expected = SAMPLES[path]

    symbols = parse(path, source.encode()).symbols

    found = [f"{one.kind} {one.name} {one.first}-{one.last}" for one in symbols]
    assert found == expected.strip().splitlines()


@pytest.mark.parametrize("path", SAMPLES)
@pytest.mark.parametrize("reader", [parse, plain])
def test_every_line_that_is_not_blank_is_in_exactly_one_chunk(
    path: str, reader: Callable[[str, bytes], Parsed]
) -> None:
    source = SOURCES[path]

    chunks = reader(path, source.encode()).chunks

    assert all(before.last < after.first for before, after in pairwise(chunks))
    covered = {line for chunk in chunks for line in range(chunk.first, chunk.last + 1)}
    written = {n for n, line in enumerate(source.split("\n"), start=1) if line.strip()}
    assert written <= covered


def test_calls_imports_signatures_and_docs_are_read() -> None:
    read = parse("a.py", code.PYTHON.encode())

    names = [symbol.name for symbol in read.symbols]
    rotate = read.symbols[names.index("TokenStore.rotate")]
    assert rotate.doc == "Give a new token for an old one."
    assert rotate.signature.startswith("async def rotate( self, token: str")
    calls = {(names[call.inside] if call.inside >= 0 else "", call.name) for call in read.calls}
    assert ("TokenStore.rotate.check", "validate") in calls
    assert ("log", "make_log") in calls
    assert {"os.path", "numpy", "json", "holdfast.domain.code.code"} <= set(read.imports)
    assert not read.has_errors


def test_what_wraps_a_class_does_not_wrap_its_last_method() -> None:
    source = (
        "@a\nclass X:\n    def f(self):\n        pass\n\n    @b\n    def g(self):\n        pass\n"
    )

    symbols = parse("x.py", source.encode()).symbols

    assert [(one.name, one.first, one.last) for one in symbols] == [
        ("X", 1, 8),
        ("X.f", 3, 4),
        ("X.g", 6, 8),
    ]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n\n",
        b"\0\0\0",
        b"\xff\xfe broken",
        b"\xef\xbb\xbfdef f():\r\n    pass\r\n",
        b"(" * 10_000,
        b"[" * 500 + b"]" * 500,
        b"x" * 1_100_000,
        b"def f(:\n  class\n",
        b"a\rb\rc",
    ],
    ids=["empty", "blank", "nul", "not utf-8", "bom and crlf", "deep", "nested", "minified",
         "broken", "old mac"],
)  # fmt: skip
@pytest.mark.parametrize("path", ["a.py", "a.md", "a.json", "notes.txt"])
def test_odd_files_are_read_without_a_crash(path: str, content: bytes) -> None:
    read = parse(path, content)

    lines = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n").count(b"\n") + 1
    assert all(1 <= chunk.first <= chunk.last <= lines for chunk in read.chunks)


@given(text=st.text(max_size=300), path=st.sampled_from(["a.py", "a.go", "a.json", "a.md"]))
def test_whatever_the_text_places_lie_inside_it(text: str, path: str) -> None:
    content = text.encode("utf-8", "replace")

    read = parse(path, content)

    lines = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n").count(b"\n") + 1
    assert all(1 <= one.first <= one.last <= lines for one in read.symbols)
    assert all(-1 <= chunk.inside < len(read.symbols) for chunk in read.chunks)


def test_without_a_grammar_a_file_is_plain_text(monkeypatch: pytest.MonkeyPatch) -> None:
    languages.grammar_of.cache_clear()
    monkeypatch.setitem(languages.HOMES, "python", languages.Home("no_such_module", ("python",)))
    try:
        read = parse("a.py", code.PYTHON.encode())
    finally:
        languages.grammar_of.cache_clear()

    assert (read.language, read.symbols) == ("python", ())
    assert read.chunks


@pytest.mark.parametrize(
    ("path", "content", "language"),
    [
        ("bin/run", b"#!/usr/bin/env python3\n", "python"),
        ("bin/run", b"#!/bin/sh\n", "bash"),
        ("bin/run", b"hello\n", None),
        ("Gemfile", b"", "ruby"),
        ("a.h", b"class X\n{\n", "cpp"),
        ("a.h", b"int x;\n", "c"),
        (".gitignore", b"", None),
        ("A.PY", b"", "python"),
    ],
)
def test_a_language_is_told_by_the_name_or_the_first_line(
    path: str, content: bytes, language: str | None
) -> None:
    assert language_of(path, content) == language
