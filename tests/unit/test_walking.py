from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.domain.recall.governing import walked

PLACES = st.integers(0, 6)
EDGES = st.dictionaries(
    PLACES, st.dictionaries(PLACES, st.floats(0.01, 1), min_size=1, max_size=4), max_size=5
)


def test_a_walk_reaches_beyond_one_step_and_less_the_further_it_is() -> None:
    visits = walked({1: 1.0}, {1: {2: 1.0}, 2: {3: 1.0}, 3: {4: 1.0}})

    assert visits[1] > visits[2] > visits[3] > visits[4] > 0


def test_links_are_walked_both_ways() -> None:
    assert walked({2: 1.0}, {1: {2: 1.0}})[1] > 0


def test_a_stronger_link_is_walked_more_often() -> None:
    visits = walked({1: 1.0}, {1: {2: 0.9, 3: 0.1}})

    assert visits[2] > visits[3] > 0


def test_who_is_reached_from_two_sides_is_visited_more() -> None:
    visits = walked({1: 0.5, 2: 0.5}, {1: {3: 1.0, 4: 1.0}, 2: {3: 1.0, 5: 1.0}})

    assert visits[3] > visits[4] == pytest.approx(visits[5])


def test_without_links_a_walker_stays_where_it_started() -> None:
    assert walked({1: 0.4, 2: 0.2}, {}) == pytest.approx({1: 1.0, 2: 0.5})


@pytest.mark.parametrize("seeds", [{}, {1: 0.0}, {1: 0.0, 2: 0.0}])
def test_without_a_start_there_is_no_walk(seeds: dict[int, float]) -> None:
    assert walked(seeds, {1: {2: 1.0}}) == {}


@given(
    seeds=st.dictionaries(PLACES, st.floats(0.01, 1), min_size=1, max_size=4),
    edges=EDGES,
)
def test_the_most_visited_counts_one_and_nobody_less_than_nothing(
    seeds: dict[int, float], edges: dict[int, dict[int, float]]
) -> None:
    visits = walked(seeds, edges)

    assert max(visits.values()) == 1.0
    assert min(visits.values()) >= 0
    assert set(seeds) <= set(visits)
    assert visits == walked(seeds, edges)
