from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.domain.memory.anchor import (
    CONTEXT_LINES,
    MOST_MARKED,
    FoundLines,
    Sighting,
    Verdict,
    anchored,
    loose_hash,
    mark,
    marks,
    text_hash,
)
from tests.requirements import requirement

HERE = FoundLines(path="src/app.py", first=12, last=32)
THERE = FoundLines(path="src/tokens.py", first=4, last=4)


def test_a_place_is_written_the_way_people_write_it() -> None:
    assert HERE.reference == "src/app.py:12-32"
    assert THERE.reference == "src/tokens.py:4"


@pytest.mark.parametrize(
    ("sighting", "words"),
    [
        (Sighting(verdict=Verdict.FRESH, places=(HERE,)), "fresh"),
        (
            Sighting(verdict=Verdict.MOVED, places=(HERE,)),
            "moved to src/app.py:12-32, text unchanged",
        ),
        (
            Sighting(verdict=Verdict.MOVED, places=(HERE,), commit="ab" * 20),
            "moved to src/app.py:12-32 by commit abababa, text unchanged",
        ),
        (Sighting(verdict=Verdict.MOVED), "rewritten"),
        (Sighting(verdict=Verdict.MOVED, commit="ab" * 20), "now commit abababababab"),
        (Sighting(verdict=Verdict.DRIFTED), "drifted"),
        (
            Sighting(verdict=Verdict.DRIFTED, places=(HERE, THERE), how="two are alike"),
            "drifted, now src/app.py:12-32 or src/tokens.py:4: two are alike",
        ),
        (Sighting(verdict=Verdict.ORPHANED, how="it is gone"), "orphaned: it is gone"),
    ],
)
def test_a_sighting_says_what_became_of_a_span(sighting: Sighting, words: str) -> None:
    assert sighting.words == words


def test_only_what_no_longer_says_what_it_said_is_doubtful() -> None:
    doubtful = {verdict for verdict in Verdict if verdict.is_doubtful}

    assert doubtful == {Verdict.DRIFTED, Verdict.ORPHANED}


def test_the_hash_is_of_exactly_the_text() -> None:
    assert text_hash(["one", "two"]) == hashlib.sha256(b"one\ntwo").hexdigest()


@requirement("anchor.content-first")
def test_white_space_and_blank_lines_do_not_count_where_they_should_not() -> None:
    assert loose_hash(["def f():", "    return 1", ""]) == loose_hash(["def f():", "\treturn  1"])
    assert loose_hash(["return 1"]) != loose_hash(["return 2"])
    assert mark("    return  1") == mark("return 1")
    assert mark("return 1") != mark("return1")


@requirement("anchor.content-first")
def test_an_anchor_notes_the_lines_and_what_is_around_them() -> None:
    lines = [f"line {number}" for number in range(1, 11)]

    anchor = anchored(lines, 5, 6)

    assert anchor.marks == marks(["line 5", "line 6"])
    assert anchor.before == marks(["line 2", "line 3", "line 4"])
    assert anchor.after == marks(["line 7", "line 8", "line 9"])
    assert anchor.loose_hash == loose_hash(["line 5", "line 6"])


def test_near_the_ends_of_a_file_there_is_less_around() -> None:
    anchor = anchored(["one", "two", "three"], 2, 2)

    assert (anchor.before, anchor.after) == (marks(["one"]), marks(["three"]))


def test_a_very_long_span_keeps_no_mark_of_each_line() -> None:
    lines = [f"line {number}" for number in range(MOST_MARKED + 1)]

    assert anchored(lines, 1, MOST_MARKED).marks
    assert anchored(lines, 1, MOST_MARKED + 1).marks == ()


@given(lines=st.lists(st.text(st.characters(codec="utf-8")), min_size=1, max_size=12))
def test_every_part_of_a_file_has_an_anchor(lines: list[str]) -> None:
    for first in range(1, len(lines) + 1):
        anchor = anchored(lines, first, len(lines))

        assert len(anchor.marks) == len(lines) - first + 1
        assert len(anchor.before) == min(CONTEXT_LINES, first - 1)
        assert anchor.after == ()
