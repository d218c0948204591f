"""Times as other programs write them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from holdfast.domain.moments import moment_of

NOON = datetime(2026, 1, 27, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    "written",
    [
        "2026-01-27T12:00:00Z",
        " 2026-01-27 12:00 ",
        "2026-01-27T13:00:00+01:00",
        NOON.timestamp(),
        int(NOON.timestamp()) * 1000,
    ],
)
def test_a_time_is_read_however_it_is_written(written: object) -> None:
    assert moment_of(written) == NOON


def test_a_time_without_a_zone_can_be_this_machines_own() -> None:
    read = moment_of("2026-01-27 12:00", zone=None)

    assert read == datetime(2026, 1, 27, 12).astimezone()


@pytest.mark.parametrize("written", [None, True, "noon", "", 1e300, [2026]])
def test_what_makes_no_sense_is_no_time(written: object) -> None:
    assert moment_of(written) is None
