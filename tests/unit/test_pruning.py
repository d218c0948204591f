"""The limits of pruning as people write them, and how many memories a share is."""

from __future__ import annotations

from datetime import timedelta

import pytest

from holdfast.domain.care.pruning import (
    PruneCause,
    PrunePolicy,
    due_by,
    most_of,
    read_durations,
    read_kept,
    read_relevance,
    relevance_of,
)
from holdfast.domain.choices import Kind, Origin
from holdfast.domain.errors import InvalidError
from holdfast.domain.memory.memory import Standing, Usage
from tests.builders import NOON, a_memory, a_record
from tests.requirements import requirement

OLD = NOON - timedelta(days=400)


@requirement("prune.limits-by-kind-and-namespace")
def test_a_limit_has_a_usual_value_and_values_by_name() -> None:
    limits = read_durations(" 365d , observation = 90d, short-term=never ")

    assert limits.usual == timedelta(days=365)
    assert limits.those(Kind.FACT, ()) == (timedelta(days=365),)
    assert limits.those(Kind.OBSERVATION, ["other"]) == (timedelta(days=90),)
    assert limits.those(Kind.OBSERVATION, ["short-term"]) == (None,)
    assert read_durations("observation=90d").usual is None
    assert read_relevance("plan=0.5").usual == 0
    assert read_kept(" plan, release-notes,") == {"plan", "release-notes"}


@pytest.mark.parametrize("text", ["soon", "30d, 40d", "fact=1d, fact=2d", "=30d", "a b=30d", "-1d"])
def test_a_limit_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(InvalidError):
        read_durations(text)


@pytest.mark.parametrize("text", ["2", "-0.1", "nan", "0.12345", "half", "fact=1.5"])
def test_a_relevance_outside_0_to_1_is_refused(text: str) -> None:
    with pytest.raises(InvalidError):
        read_relevance(text)


def test_ratings_change_the_relevance_within_its_bounds() -> None:
    assert relevance_of(0.5, Usage(good=2, bad=1)) == pytest.approx(0.6)
    assert relevance_of(0.5, Usage(bad=9)) == 0
    assert relevance_of(0.5, Usage(good=9)) == 1


@requirement("prune.reason-for-each")
@pytest.mark.parametrize(
    ("origin", "bad", "end"),
    [
        (Origin.HUMAN, 4, "4 bad ratings by people."),
        (Origin.AGENT, 4, "4 bad ratings by people or agents."),
        (Origin.AGENT, 0, "0 bad ratings."),
    ],
)
def test_a_reason_says_who_may_have_rated(origin: Origin, bad: int, end: str) -> None:
    record = a_record(a_memory(origin=origin, importance=0.1), usage=Usage(bad=bad))
    policy = PrunePolicy(min_relevance=read_relevance("0.2"))

    found = due_by(record, policy, namespaces=(), at=NOON)

    assert found is not None
    assert found.why.endswith(end)


def test_a_memory_in_two_namespaces_has_the_longer_limit() -> None:
    policy = PrunePolicy(max_age=read_durations("one=1d, two=500d"))
    record = a_record(a_memory(created_at=OLD), usage=Usage(last_accessed=NOON))

    assert due_by(record, policy, namespaces=["one", "two"], at=NOON) is None
    found = due_by(record, policy, namespaces=["one"], at=NOON)
    assert found is not None
    assert found.cause is PruneCause.AGE


def test_the_time_without_use_begins_when_a_person_accepted_it() -> None:
    policy = PrunePolicy(unused_for=read_durations("100d"))
    standing = Standing(decided_at=NOON - timedelta(days=99))
    record = a_record(a_memory(created_at=OLD))

    assert due_by(record.with_standing(standing), policy, namespaces=(), at=NOON) is None
    found = due_by(record, policy, namespaces=(), at=NOON)
    assert found is not None
    assert found.why == "No answer contained it for 400 days."


@pytest.mark.parametrize(
    ("total", "percent", "most"),
    [
        (0, 20, 0),
        (1, 20, 1),
        (4, 20, 1),
        (10, 20, 2),
        (11, 20, 2),
        (14, 20, 2),
        (9, 0, 0),
        (7, 100, 7),
    ],
)
def test_a_share_is_rounded_down_to_at_least_one(total: int, percent: int, most: int) -> None:
    assert most_of(total, percent=percent) == most
