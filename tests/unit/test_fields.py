from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.domain.errors import BadFieldError
from holdfast.domain.fields import Fields, time_text
from tests.builders import NOON
from tests.requirements import requirement

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)


def field(value: object) -> Fields:
    return Fields({"it": value}, noun="memory")


@pytest.mark.parametrize("shape", [None, "text", 3, ["list"]])
def test_a_shape_must_be_an_object(shape: object) -> None:
    with pytest.raises(BadFieldError, match="The memory must be an object"):
        Fields(shape, noun="memory")


@pytest.mark.parametrize(
    ("reader", "value", "read"),
    [
        ("text", "word", "word"),
        ("text", "", ""),
        ("maybe_text", None, None),
        ("maybe_text", "word", "word"),
        ("number", 1.5, 1.5),
        ("number", 2, 2),
        ("whole", 2, 2),
        ("maybe_bool", None, None),
        ("maybe_bool", False, False),
        ("moment", "2026-11-15T13:00:00+01:00", NOON),
        ("moment", "2026-11-15T12:00:00Z", NOON),
        ("maybe_moment", None, None),
        ("maybe_moment", "2026-11-15T12:00:00Z", NOON),
        ("items", [1, "a"], [1, "a"]),
        ("words", ["a", "b"], ("a", "b")),
        ("raw", {"any": "thing"}, {"any": "thing"}),
    ],
)
def test_a_field_is_read_as_what_it_must_be(reader: str, value: object, read: object) -> None:
    assert getattr(field(value), reader)("it") == read


@requirement("import.bad-line-named")
@pytest.mark.parametrize(
    ("reader", "value", "problem"),
    [
        ("text", 3, "must be text"),
        ("text", None, "must be text"),
        ("maybe_text", 3, "must be text"),
        ("number", "3", "must be a number"),
        ("number", True, "must be a number"),
        ("number", float("nan"), "must be a number"),
        ("number", float("inf"), "must be a number"),
        ("number", 10**400, "must be a number"),
        ("whole", 1.5, "must be a whole number"),
        ("whole", 2**63, "must be a number"),
        ("maybe_bool", 1, "must be true or false"),
        ("moment", "noon", "'noon' is no ISO 8601 time"),
        ("moment", "2026-11-15T12:00:00", "with a zone"),
        ("moment", "0001-01-01T00:00:00+23:59", "is no ISO 8601 time"),
        ("maybe_moment", 3, "must be text"),
        ("items", "abc", "must be a list"),
        ("items", {"a": 1}, "must be a list"),
        ("words", ["a", 1], "must be a list of texts"),
    ],
)
def test_a_field_that_is_something_else_is_named_in_the_refusal(
    reader: str, value: object, problem: str
) -> None:
    with pytest.raises(BadFieldError, match=f"The memory's it .*{problem}"):
        getattr(field(value), reader)("it")


@requirement("import.bad-line-named")
@given(
    value=JSON,
    reader=st.sampled_from(
        ["text", "maybe_text", "number", "whole", "maybe_bool", "moment", "maybe_moment", "words"]
    ),
)
def test_no_value_makes_a_reader_fail_in_any_other_way(value: Any, reader: str) -> None:
    try:
        getattr(field(value), reader)("it")
    except BadFieldError as refusal:
        assert "memory's it" in str(refusal)  # noqa: PT017 - either way is fine, a third is not


@given(
    moment=st.datetimes(timezones=st.just(UTC)),
    hours=st.integers(-12, 12),
)
def test_a_moment_is_written_in_one_zone_and_reads_back(moment: datetime, hours: int) -> None:
    try:
        elsewhere = moment.astimezone(timezone(timedelta(hours=hours)))
    except OverflowError:
        elsewhere = moment

    assert time_text(elsewhere) == time_text(moment)
    assert field(time_text(moment)).moment("it") == moment


def test_no_moment_is_written_as_nothing() -> None:
    assert time_text(None) is None
