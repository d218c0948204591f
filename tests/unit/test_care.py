"""What a curator finds, how claims are grouped, and how healthy that is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.near_claims import alike_groups
from holdfast.domain.review.curation import (
    Concern,
    MemoryTrouble,
    Remedy,
    Severity,
    counted,
    health_score,
    in_order,
)
from holdfast.domain.review.curation import is_over_general as sweeps
from tests.requirements import requirement

ONE, TWO = MemoryId("m_1"), MemoryId("m_2")


def a_concern(
    trouble: MemoryTrouble, *names: MemoryId, severity: Severity = Severity.NOTE
) -> Concern:
    return Concern(trouble=trouble, memories=names, why="", remedy=Remedy.SHOW, severity=severity)


@requirement("curate.health-over-time")
def test_an_empty_memory_is_healthy() -> None:
    assert health_score([], live=0, unproven=0) == 100


def test_every_trouble_takes_its_share_of_one_memory() -> None:
    stale = a_concern(MemoryTrouble.STALE, ONE)
    double = a_concern(MemoryTrouble.DUPLICATE, ONE, TWO)
    unused = a_concern(MemoryTrouble.UNUSED, TWO)

    assert health_score([stale], live=2, unproven=0) == 50
    assert health_score([double], live=2, unproven=0) == 75
    assert health_score([unused], live=2, unproven=0) == 100
    assert health_score([], live=2, unproven=2) == 90


def test_health_never_falls_below_nothing() -> None:
    assert health_score([a_concern(MemoryTrouble.STALE, ONE)] * 3, live=1, unproven=0) == 0


def test_warnings_are_read_first_and_the_worst_trouble_before_the_others() -> None:
    unused = a_concern(MemoryTrouble.UNUSED, ONE)
    double = a_concern(MemoryTrouble.DUPLICATE, ONE, TWO)
    waiting = a_concern(MemoryTrouble.UNREVIEWED, ONE, severity=Severity.WARNING)
    stale = a_concern(MemoryTrouble.STALE, ONE, severity=Severity.WARNING)

    assert in_order([unused, double, waiting, stale]) == (stale, waiting, double, unused)
    assert counted([unused, double, unused]) == {"duplicate": 1, "unused": 2}


@pytest.mark.parametrize(
    "claim",
    [
        "Always be careful.",
        "Everything should work properly.",
        "Always write clean code.",
        "Write good tests for everything.",
        "All tests must pass.",
    ],
)
def test_a_claim_that_names_nothing_sweeps_over_everything(claim: str) -> None:
    assert sweeps(claim)


@pytest.mark.parametrize(
    "claim",
    [
        "Never call flush() in a transaction.",
        "Always deploy from Berlin.",
        "Never rebase main.",
        "Use pnpm, never npm, in this workspace.",
        "Never store secrets in git.",
        "Never edit generated files.",
        "Always run the linter first.",
        "Tokens rotate hourly.",
        "All of the many things that this long sentence goes on about are quite nice.",
    ],
)
def test_a_claim_that_names_something_does_not(claim: str) -> None:
    assert not sweeps(claim)


@requirement("curate.every-trouble-is-found")
def test_the_same_in_other_words_is_one_group() -> None:
    claims = [
        "We keep feed offsets in Postgres because Redis lost them on a restart.",
        "Releases are cut on Tuesdays.",
        "We keep the feed offsets in Postgres, because Redis lost them on restart.",
        "releases are cut on tuesdays",
        "We keep feed offsets in Postgres because Redis lost them on a restart again.",
    ]

    assert alike_groups(claims) == [[0, 2, 4], [1, 3]]


@pytest.mark.parametrize(
    "other",
    [
        "Sessions are kept in Redis for ten minutes after the last request.",
        "Sessions are kept in Postgres for five minutes after the last request.",
        "Sessions are never kept in Postgres for ten minutes after the last request.",
        "Sessions are kept in the old Postgres cluster for ten minutes after the request.",
        "Sessions ten minutes.",
        "Postgres keeps many other things for the whole of this company and its customers.",
    ],
)
def test_another_value_is_another_claim(other: str) -> None:
    claim = "Sessions are kept in Postgres for ten minutes after the last request."

    assert alike_groups([claim, other]) == []


@requirement("curate.cost-is-bounded")
def test_words_that_all_share_bring_nobody_together() -> None:
    claims = [f"Service number{n} answers at its own port{n} only." for n in range(200)]

    assert alike_groups(claims) == []


@given(st.lists(st.text(max_size=60), max_size=12))
def test_any_claims_can_be_grouped(claims: list[str]) -> None:
    groups = alike_groups(claims)

    members = [place for group in groups for place in group]
    assert len(members) == len(set(members))
    assert all(len(group) > 1 for group in groups)
