"""Most pairs of claims are set aside by a quick look; none of those may be a conflict."""

from __future__ import annotations

import itertools
import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.conflict_sets import own_pairs
from benchmarks.corpus import Corpus
from holdfast.heuristics.conflict import judging
from holdfast.heuristics.conflict.clauses import Clause, clauses_of
from holdfast.heuristics.conflict.judging import judged
from tests.requirements import requirement

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.review.suspicion import Suspicion

_LIST = (
    "the port queue cache job Redis Postgres ada billing is are uses use runs in with for from to"
    " not never must may optional only 8080 9090 10 20 s min MB Monday one two every hour moved"
    " dropped instead of rather than returns None True own owns call Queue: Owner: also default"
)
_WORDS = _LIST.split()


def every(pairs: Sequence[tuple[str, str]]) -> list[Suspicion | None]:
    """Judge every pair of clauses, without the quick look."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(judging, "_may_clash", _always)
        return [judged(newer, older, None) for newer, older in pairs]


def _always(_one: Clause, _other: Clause) -> bool:
    return True


@requirement("conflict.quick-look-misses-nothing")
def test_a_quick_look_sets_no_conflict_aside() -> None:
    chance = random.Random(3)  # noqa: S311 - a sample, the same each time
    said = [claim for pair in own_pairs() for claim in (pair.newer, pair.older)]
    made = list(itertools.islice(Corpus().memories(), 200))
    pairs = [(pair.newer, pair.older) for pair in own_pairs()]
    for claims, count in ((said, 2_000), (made, 300)):
        pairs += [(chance.choice(claims), chance.choice(claims)) for _ in range(count)]
        pairs += [(_changed(one, chance), one) for one in chance.choices(claims, k=count)]

    found = [judged(newer, older, None) for newer, older in pairs]

    assert found == every(pairs)
    assert sum(one is not None for one in found) > len(own_pairs()) // 2


@requirement("conflict.quick-look-misses-nothing")
@given(
    newer=st.lists(st.sampled_from(_WORDS), min_size=1, max_size=9),
    older=st.lists(st.sampled_from(_WORDS), min_size=1, max_size=9),
)
def test_a_quick_look_sets_no_conflict_of_any_words_aside(
    newer: list[str], older: list[str]
) -> None:
    pair = " ".join(newer), " ".join(older)

    assert [judged(*pair, None)] == every([pair])


@requirement("conflict.quick-look-misses-nothing")
def test_a_claim_of_another_topic_is_read_for_its_topic_only() -> None:
    newer, older = "The parser caches every file of the build.", "The cache of ada is on a disk."

    assert judged(newer, older, None) is None

    (read,) = clauses_of(older)
    assert {"slots", "_measured", "_stance"}.isdisjoint(vars(read))


def _changed(claim: str, chance: random.Random) -> str:
    """Return a claim with one word changed."""
    words = claim.split()
    words[chance.randrange(len(words))] = chance.choice(_WORDS)
    return " ".join(words)
