"""The figures of the benchmark about the model that reads pairs."""

from __future__ import annotations

import pytest

from benchmarks.conflict_judge import advised, precision_at, table
from benchmarks.conflict_sets import Pair
from benchmarks.conflicts import held_pairs
from holdfast.adapters.embedding.judging import THRESHOLD
from training.claim_written import written_pairs

PORTS = Pair(newer="The API uses port 9090.", older="The API uses port 8080.", is_conflict=True)
MEAT = Pair(newer="Dana had the steak.", older="Dana is a vegetarian.", is_conflict=True)
TOWN = Pair(newer="Dana lives in Oslo.", older="Dana is a vegetarian.", is_conflict=False)
SONG = Pair(newer="Dana sings in a choir.", older="Dana is a vegetarian.", is_conflict=False)


def test_the_model_adds_to_what_the_rules_find() -> None:
    scores = {
        PORTS.newer: 0.999,
        MEAT.newer: THRESHOLD + 0.01,
        TOWN.newer: THRESHOLD,
        SONG.newer: None,
    }

    found = advised([PORTS, MEAT, TOWN, SONG], lambda newer, _: scores[newer])

    assert (found.by_rules, found.added) == ((1, 0), (1, 1))
    assert found.precision == pytest.approx(2 / 3)
    assert found.recall == 1.0
    assert found.precision_alone == 1.0
    assert "| two | 4 | 1, 0 | 1, 1 | 0.667 | 1.000 | 1.000 |" in table({"two": found})


def test_precision_is_that_of_the_best_threshold_with_enough_recall() -> None:
    right = [True, True, False, True, True, True, False]
    scores = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3]

    assert precision_at(scores, right) == pytest.approx(5 / 6)
    assert precision_at([0.5] * 7, right) == pytest.approx(5 / 7)
    assert precision_at(scores, right, recall=0.2) == 1.0


def test_the_written_pairs_are_asked_in_two_halves_without_a_text_of_the_training() -> None:
    chosen, reported = (held_pairs(is_for_threshold=half) for half in (True, False))
    known = {pair.older for pair in written_pairs() if not pair.is_held}

    assert (len(chosen), len(reported)) == (600, 600)
    assert not {pair.older for pair in chosen} & {pair.older for pair in reported}
    assert not {pair.older for pair in (*chosen, *reported)} & known
