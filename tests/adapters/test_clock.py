from __future__ import annotations

from datetime import UTC, timedelta

from holdfast.adapters.machine.clock import MachineClock
from tests.requirements import requirement


def test_now_is_in_utc_and_to_the_millisecond() -> None:
    moments = [MachineClock().now() for _ in range(1_000)]

    assert {moment.tzinfo for moment in moments} == {UTC}
    assert {moment.microsecond % 1_000 for moment in moments} == {0}
    assert moments[-1] - moments[0] < timedelta(minutes=1)


@requirement("memory.ids-sort-by-time")
def test_entropy_is_80_bits_and_never_the_same_twice() -> None:
    drawn = {MachineClock().entropy() for _ in range(10_000)}

    assert len(drawn) == 10_000
    assert 0 <= min(drawn)
    assert 2**79 < max(drawn) < 2**80
