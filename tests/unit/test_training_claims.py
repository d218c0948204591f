"""The pairs of claims that the judge is trained on, and those that are kept from it."""

from __future__ import annotations

from collections import Counter
from random import Random

from benchmarks.conflict_sets import EVERYDAY, fresh_pairs, own_pairs
from tests.requirements import requirement
from training.claim_near import near_pairs
from training.claim_written import WrittenPair, trained, written_pairs


def a_pair(older: str, newer: str, anchor: int = 0) -> WrittenPair:
    return WrittenPair("life", anchor, is_conflict=False, older=older, newer=newer)


def test_each_written_older_text_has_two_conflicts_and_three_others() -> None:
    counts = Counter((one.domain, one.older, one.is_conflict) for one in written_pairs())

    assert {(is_conflict, count) for (_, _, is_conflict), count in counts.items()} == {
        (True, 2),
        (False, 3),
    }


@requirement("training.held-pairs-stay-out")
def test_no_text_that_is_held_out_or_asked_is_trained_on() -> None:
    pairs = written_pairs()
    held = {text for one in pairs if one.is_held for text in (one.older, one.newer)}
    own = [*own_pairs(), *fresh_pairs(), *fresh_pairs(EVERYDAY)]
    asked = {text for pair in own for text in (pair.older, pair.newer)}

    kept = trained(pairs)

    seen = {text for one in kept for text in (one.older, one.newer)}
    assert len(held) > len(pairs) // 10
    assert len(kept) > len(pairs) * 3 // 4
    assert seen.isdisjoint(held | asked)


@requirement("training.held-pairs-stay-out")
def test_an_older_text_like_a_held_one_is_left_out() -> None:
    pairs = [
        a_pair("The boat is moored at the east pier.", "It leaks.", 4),
        a_pair("The boat is moored at the west pier.", "It is blue."),
        a_pair("Tea is served at four.", "There is cake.", 1),
    ]

    assert trained(pairs) == [pairs[2]]


def test_pairs_without_a_label_are_of_one_older_text_or_share_rare_words() -> None:
    pairs = [
        a_pair("Tea is served at four.", "There is cake."),
        a_pair("Tea is served at four.", "Coffee is served at five."),
    ]

    found = [*near_pairs(pairs, Random(1))]  # noqa: S311 - chance, no secret

    assert {one.label for one in found} == {""}
    assert {frozenset((one.older, one.newer)) for one in found} == {
        frozenset(("There is cake.", "Coffee is served at five."))
    }
