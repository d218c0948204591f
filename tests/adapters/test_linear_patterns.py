"""Patterns are searched in the lines of a text: where they begin, and where there is none."""

from __future__ import annotations

import pytest

from holdfast.adapters.patterns.linear import LinearPatterns
from tests.requirements import requirement

CASES = [
    ("^$", b"x = 1\n", []),
    (r"^\s*$", b"x = 1\n", []),
    ("^$", b"x = 1", []),
    ("^$", b"", []),
    (r"\A\z", b"", []),
    ("^$", b"\n", [1]),
    ("^$", b"a\n\n", [2]),
    ("^$", b"a\n\nb\n\n", [2, 4]),
    ("$", b"a", [1]),
    ("$", b"a\n", [1]),
    (r"\n\z", b"a\n", [1]),
    (r"\n\z", b"a", []),
]


@requirement("checks.built-in")
@pytest.mark.parametrize(("pattern", "content", "lines"), CASES)
def test_a_pattern_matches_in_lines_that_are_there(
    pattern: str, content: bytes, lines: list[int]
) -> None:
    patterns = LinearPatterns()
    scan = patterns.scan(["never", pattern], seconds=10)

    assert patterns.lines(pattern, content, most=9) == lines
    assert scan.found(content) == ({1} if lines else set())


def test_each_pattern_alone_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    scan = LinearPatterns().scan([pattern for pattern, _, _ in CASES], seconds=10)
    together = [scan.found(content) for _, content, _ in CASES]
    monkeypatch.setattr(scan, "_set", None)

    assert [scan.found(content) for _, content, _ in CASES] == together
