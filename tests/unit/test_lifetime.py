from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.domain.errors import BadLifetimeError
from holdfast.domain.memory.lifetime import (
    GRACE,
    has_expired,
    in_words,
    may_be_removed,
    read_lifetime,
)
from tests.builders import NOON
from tests.requirements import requirement

SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800, "y": 31_536_000}
CENTURY = 36_525 * 86_400


@requirement("lifetime.read-or-refused")
@given(
    count=st.integers(0, 99_999),
    unit=st.sampled_from(sorted(SECONDS)),
    space=st.sampled_from(["", " "]),
)
def test_a_number_and_a_unit_are_read_exactly_or_refused(count: int, unit: str, space: str) -> None:
    text = f"{count}{space}{unit}"
    seconds = count * SECONDS[unit]

    if 0 < seconds <= CENTURY:
        assert read_lifetime(text) == timedelta(seconds=seconds)
    else:
        with pytest.raises(BadLifetimeError, match=text):
            read_lifetime(text)


@pytest.mark.parametrize("text", ["never", " Never ", "NEVER"])
def test_never_has_no_end(text: str) -> None:
    assert read_lifetime(text) is None


@requirement("lifetime.read-or-refused")
@pytest.mark.parametrize("text", ["", "30", "d", "-1d", "1.5d", "30 days", "soon", "1d2h", "٣d"])
def test_anything_else_is_refused_with_the_way_to_write_it(text: str) -> None:
    with pytest.raises(BadLifetimeError, match="45m, 12h, 30d, 6w, 1y"):
        read_lifetime(text)


def test_a_lifetime_over_a_century_is_refused_with_the_longest() -> None:
    assert read_lifetime("100y") == timedelta(days=36_500)
    with pytest.raises(BadLifetimeError, match="at most 100y"):
        read_lifetime("101y")


@given(seconds=st.integers(-10_000, 10_000))
def test_a_claim_ends_at_the_last_instant_and_not_before(seconds: int) -> None:
    assert has_expired(NOON, at=NOON + timedelta(seconds=seconds)) is (seconds >= 0)


@requirement("lifetime.grace-before-removal")
@given(late=st.timedeltas(-GRACE, 3 * GRACE), grace=st.timedeltas(timedelta(), 2 * GRACE))
def test_nothing_is_removed_before_the_grace_is_over(late: timedelta, grace: timedelta) -> None:
    moment = NOON + late

    assert may_be_removed(NOON, at=moment, grace=grace) is (late >= grace)
    assert has_expired(NOON, at=moment) or not may_be_removed(NOON, at=moment, grace=grace)


def test_what_never_expires_is_never_removed() -> None:
    assert not has_expired(None, at=NOON)
    assert not may_be_removed(None, at=NOON)


@pytest.mark.parametrize(
    ("lifetime", "words"),
    [
        (timedelta(days=30), "30 days"),
        (timedelta(days=1), "1 day"),
        (timedelta(days=4_000), "4,000 days"),
        (timedelta(hours=5), "5 hours"),
        (timedelta(minutes=1), "1 minute"),
        (timedelta(seconds=59), "59 seconds"),
        (timedelta(seconds=1), "1 second"),
        (timedelta(), "0 seconds"),
    ],
)
def test_a_span_of_time_is_said_the_way_a_person_would(lifetime: timedelta, words: str) -> None:
    assert in_words(lifetime) == words
