from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from holdfast.domain.ids import bundle_name, is_short, short, sortable
from holdfast.domain.text.short_ids import with_short_ids
from tests.builders import NOON
from tests.requirements import requirement

MOMENTS = st.datetimes(
    min_value=datetime(1970, 1, 2),  # noqa: DTZ001 - hypothesis adds the zone
    max_value=datetime(2900, 1, 1),  # noqa: DTZ001 - hypothesis adds the zone
    timezones=st.just(UTC),
)
BITS = st.integers(0, 2**80 - 1)


@requirement("memory.ids-sort-by-time")
@given(at=MOMENTS, later=st.integers(1, 10**9), first=BITS, second=BITS)
def test_a_later_id_sorts_after_an_earlier_one(
    at: datetime, later: int, first: int, second: int
) -> None:
    early = sortable("m", at=at, entropy=first)
    late = sortable("m", at=at + timedelta(milliseconds=later), entropy=second)

    assert early < late


@requirement("memory.ids-sort-by-time")
@given(first=BITS, second=BITS)
def test_two_ids_of_one_moment_differ_when_their_randomness_does(first: int, second: int) -> None:
    one, other = (sortable("m", at=NOON, entropy=entropy) for entropy in (first, second))

    assert (one == other) is (first == second)


@given(at=MOMENTS, entropy=BITS)
def test_an_id_says_what_it_names_in_letters_nobody_confuses(at: datetime, entropy: int) -> None:
    assert re.fullmatch(r"s_[0-9abcdefghjkmnpqrstvwxyz]{26}", sortable("s", at=at, entropy=entropy))


def test_a_bundle_is_named_after_the_minute_it_was_made() -> None:
    assert bundle_name(at=NOON, entropy=33) == "c_20261115T1200Z_000011"


@requirement("cli.short-ids")
def test_every_id_in_a_text_is_written_in_short() -> None:
    name = sortable("m", at=NOON, entropy=7)
    task = sortable("t", at=NOON, entropy=8)

    said = with_short_ids(f"{name} waits for {task}; x_{name[2:]} and {name}z do not.")

    assert said == f"{short(name)} waits for {short(task)}; x_{name[2:]} and {name}z do not."
    assert with_short_ids(f"It waits for {task}. {name}/1") == (
        f"It waits for {short(task)}. {short(name)}/1"
    )


@requirement("cli.short-ids")
def test_a_path_with_an_id_stays_a_path() -> None:
    task = sortable("t", at=NOON, entropy=8)
    paths = (f".holdfast/tasks/{task}.md", f"{task}.json", f"/a/{task}", f"memory://{task}")

    assert [with_short_ids(f"see {one}:3") for one in paths] == [f"see {one}:3" for one in paths]


@given(at=MOMENTS, entropy=BITS)
def test_only_the_end_of_an_id_has_the_form_of_a_short_one(at: datetime, entropy: int) -> None:
    name = sortable("m", at=at, entropy=entropy)

    assert is_short(short(name))
    assert not any(is_short(other) for other in (name, "m_password", "7shes8a5", "_7shes8a5"))
