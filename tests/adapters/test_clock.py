from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from typing import Self

import pytest

from holdfast.adapters.machine import clock
from holdfast.adapters.machine.clock import MachineClock
from holdfast.domain.ids import sortable
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


class Wrong(datetime):
    """A clock that is wrong by ages."""

    said: datetime | None = None

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Self:
        if cls.said is None:
            raise OverflowError
        return cls.fromisoformat(cls.said.astimezone(tz).isoformat())


@requirement("memory.ids-sort-by-time")
@pytest.mark.parametrize(
    ("said", "taken"),
    [
        (datetime(1843, 2, 1, tzinfo=UTC), "m_0000000000"),
        (datetime(9892, 1, 1, tzinfo=UTC), "m_69"),
        (None, "m_69"),
    ],
)
def test_a_clock_that_is_wrong_by_ages_gives_ids_in_order(
    monkeypatch: pytest.MonkeyPatch, said: datetime | None, taken: str
) -> None:
    today = sortable("m", at=MachineClock().now(), entropy=0)
    monkeypatch.setattr(Wrong, "said", said)
    monkeypatch.setattr(clock, "datetime", Wrong)

    name = sortable("m", at=MachineClock().now(), entropy=0)

    assert name.startswith(taken)
    assert (name < today) is (taken == "m_0000000000")
