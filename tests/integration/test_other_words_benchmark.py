"""The benchmark of questions in other words: its material, and its counts on a small store."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from benchmarks.other_words import (
    ASKED,
    CLAIM,
    FAR,
    HALVES,
    NEAR,
    Line,
    added,
    counted,
    lines,
    of_half,
    small_store,
)
from benchmarks.silence import holding
from holdfast.domain.values import replace


def test_the_halves_are_as_large_and_every_question_has_its_claim() -> None:
    every = lines()
    claims = {one.name: one.project for one in every if one.kind == CLAIM}

    kinds = {half: Counter(one.kind for one in of_half(every, half)) for half in HALVES}

    assert Counter(claims.values()) == {project: 21 for half in HALVES.values() for project in half}
    assert kinds["chosen"] == {ASKED: 78, NEAR: 59, FAR: 21}
    assert kinds["judged"] == {ASKED: 78, NEAR: 56, FAR: 21}
    assert all(claims[one.name] == one.project for one in every if one.kind in {ASKED, NEAR})
    small = small_store([one for one in every if one.kind == CLAIM], "flask")
    assert len(small) == len(set(small)) == 25


def test_right_answers_silence_and_answers_to_nothing_are_counted(tmp_path: Path) -> None:
    claims = [
        Line("shop", CLAIM, "c1", "Refresh tokens are rotated on every use."),
        Line("shop", CLAIM, "c2", "The label printer understands only ZPL."),
    ]
    memory = replace(holding(tmp_path / "home", [one.text for one in claims]), embedder=None)
    asked = [
        Line("shop", ASKED, "c1", "When are refresh tokens rotated?"),
        Line("shop", ASKED, "c2", "Why does a picture come out blank?"),
        Line("shop", NEAR, "c1", "Who invented refresh tokens?"),
        Line("chosen", FAR, "-", "How do I water an orchid in winter?"),
    ]

    found = counted(memory, asked, claims)
    memory.close()

    assert (found.asked, found.first, found.among_three, found.given, found.silent) == (
        2,
        1,
        1,
        1,
        1,
    )
    assert (found.without, found.answered) == ({NEAR: 1, FAR: 1}, {NEAR: 1, FAR: 0})
    twice = added([found, found])
    assert (twice.asked, twice.first, twice.silent, twice.without[FAR]) == (4, 2, 2, 2)
