from __future__ import annotations

import random

import pytest

from holdfast.domain.memory.sketch import sketch

LONG = (
    "The deploy script waits for the health check of every worker and then moves the traffic"
    " over to them in small steps"
)


def test_claims_that_differ_only_in_case_and_articles_have_one_sketch() -> None:
    assert sketch(LONG) == sketch(LONG.upper().replace("THE ", ""))


@pytest.mark.parametrize("word", ["script", "health", "every", "small"])
def test_one_other_word_leaves_a_part_of_the_sketch(word: str) -> None:
    assert set(sketch(LONG)) & set(sketch(LONG.replace(word, "other")))


def test_a_short_claim_has_no_sketch() -> None:
    assert sketch("Tokens rotate hourly.") == ()


def test_unrelated_claims_share_nothing() -> None:
    chance = random.Random(1)  # noqa: S311 - chance for a test, not for a secret
    words = [f"word{number}" for number in range(500)]
    claims = [" ".join(chance.choices(words, k=20)) for _ in range(200)]

    bands = [band for claim in claims for band in sketch(claim)]

    assert len(set(bands)) == len(bands)
