from __future__ import annotations

import pytest

from holdfast.heuristics.conflict.measures import (
    Measure,
    Role,
    differing,
    measures_in,
    role_of,
    roles_clash,
)


def read(text: str) -> dict[str, set[str]]:
    found, _ = measures_in(text.split())
    return {one.kind: set(one.values) for one in found}


def a_measure(kind: str, *values: str) -> Measure:
    return Measure(kind=kind, values=frozenset(values), phrase=" ".join(values))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("port 8080", {"@port": {"8080"}}),
        ("Python 3.12", {"@python": {"3.12"}}),
        ("ubuntu-24.04 runners", {"@ubuntu": {"24.04"}}),
        ("upgraded to v19", {"@": {"19"}}),
        ("Node 20 and 22", {"@nod": {"20", "22"}}),
        ("and 22", {"@": {"22"}}),
        ("Python 3 here and 22 rows", {"@python": {"3"}, "#row": {"22"}}),
        ("two approvals", {"#approval": {"2"}}),
        ("the only one", {}),
        ("30 s or 2 minutes", {"time": {"30", "120"}}),
        ("2.5 GB", {"size": {"2500000000"}}),
        ("1.2.3 seconds", {"#second": {"1.2.3"}}),
        ("after a year", {"time": {"31536000"}}),
        ("requests a minute", {}),
        ("every week", {"time": {"604800"}}),
        ("every release", {}),
        ("on Mondays and Friday", {"weekday": {"monday", "friday"}}),
        ("by 2027-01-31", {"date": {"2027-01-31"}}),
        ("on 15 December", {"date": {"12-15"}}),
        ("on May 3rd", {"date": {"05-03"}}),
        ("at 9:30", {"clock": {"09:30"}}),
        ("at 6:30 pm", {"clock": {"18:30"}}),
        ("at 13:30 pm", {"clock": {"13:30"}}),
        ("opens at nine", {"clock": {"09:00", "21:00"}}),
        ("opens at nine am", {"clock": {"09:00"}}),
        ("closes at 12 pm", {"clock": {"12:00"}}),
        ("capped at thirty", {}),
        ("after ninety days", {"time": {"7776000"}}),
        ("fifteen rows", {"#row": {"15"}}),
        ("ISO 8601 strings", {"@iso": {"8601"}}),
        ("return 20 items", {"#item": {"20"}}),
        ("eu-west-1", {}),
    ],
)
def test_numbers_are_read_with_what_they_measure(text: str, expected: dict[str, set[str]]) -> None:
    assert read(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("about 300 mb", "seen"),
        ("20 by default", "usual"),
        ("only tls 1.3", "only"),
        ("at most 5", "most"),
        ("at least 5", "least"),
        ("is 5", "exact"),
    ],
)
def test_a_number_is_a_limit_or_usual_or_seen_or_simply_so(text: str, expected: Role) -> None:
    assert role_of(text) == expected


@pytest.mark.parametrize(
    ("ours", "theirs", "topics", "expected"),
    [
        (a_measure("time", "5"), a_measure("time", "9"), set(), True),
        (a_measure("time", "5"), a_measure("time", "5", "9"), set(), False),
        (a_measure("time", "5"), a_measure("size", "9"), set(), False),
        (a_measure("time", "30"), a_measure("time", "30.5"), set(), True),
        (a_measure("@python", "3.12"), a_measure("@python", "3.12.4"), set(), False),
        (a_measure("@python", "3.12.4"), a_measure("@python", "3.12"), set(), False),
        (a_measure("@", "19"), a_measure("@react", "18"), {"react"}, True),
        (a_measure("@react", "18"), a_measure("@", "19"), {"vue"}, False),
        (a_measure("@", "120"), a_measure("#character", "100"), set(), True),
    ],
)
def test_measures_differ_if_they_are_of_one_thing_and_share_no_value(
    ours: Measure, theirs: Measure, topics: set[str], *, expected: bool
) -> None:
    found = differing([ours], [theirs], topics=frozenset(topics))

    assert (found is not None) is expected


@pytest.mark.parametrize(
    ("ours", "theirs", "expected"),
    [
        ("exact", "exact", True),
        ("most", "most", True),
        ("only", "least", True),
        ("usual", "exact", True),
        ("most", "least", False),
        ("seen", "most", False),
        ("usual", "most", False),
    ],
)
def test_two_values_clash_by_what_they_are(ours: Role, theirs: Role, *, expected: bool) -> None:
    assert roles_clash(ours, theirs, a_measure("@", "3"), a_measure("@", "5")) is expected


@pytest.mark.parametrize(
    ("role", "value", "bound", "expected"),
    [
        ("least", "3.9", "3.10", True),
        ("least", "3.12", "3.10", False),
        ("most", "90", "30", True),
        ("most", "10", "30", False),
    ],
)
def test_a_value_clashes_with_a_limit_it_breaks(
    role: Role, value: str, bound: str, *, expected: bool
) -> None:
    exact, limit = a_measure("@", value), a_measure("@", bound)

    assert roles_clash("exact", role, exact, limit) is expected
    assert roles_clash(role, "exact", limit, exact) is expected
