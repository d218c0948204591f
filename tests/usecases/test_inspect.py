from __future__ import annotations

from datetime import timedelta

import pytest

from holdfast.app import Holdfast
from holdfast.domain.choices import Kind, Scope, Status
from holdfast.domain.refusals import NotOfferedError
from holdfast.domain.review.curation import HealthFinding, Severity
from holdfast.usecases.inspect import worst
from tests.builders import HERE, FixedClock
from tests.requirements import requirement
from tests.usecases.wishes import proposed, said


def test_the_status_counts_what_is_here_what_waits_and_what_ended(
    holdfast: Holdfast, clock: FixedClock
) -> None:
    said(holdfast, "Tokens rotate hourly.", key="rotation")
    said(holdfast, "Tokens rotate daily.", key="rotation", kind=Kind.RULE)
    said(holdfast, "Keys last.", pinned=True, keep_for=timedelta(hours=1), scope=Scope.GLOBAL)
    said(holdfast, "Locks last.", keep_for=timedelta(hours=1))
    proposed(holdfast, "Doors open.")
    clock.advance(hours=2)

    state = holdfast.upkeep.status()

    assert state.place == HERE
    assert state.facts.backend == "memory"
    assert state.by_status == {
        Status.CANDIDATE: 1,
        Status.ACCEPTED: 3,
        Status.REJECTED: 0,
        Status.SUPERSEDED: 1,
        Status.DEPRECATED: 0,
        Status.NOTED: 0,
    }
    assert state.by_kind == {Kind.FACT: 4, Kind.RULE: 1}
    assert (state.here, state.expired, state.pinned) == (2, 1, 1)


def test_the_worst_finding_is_named_and_none_when_there_is_none() -> None:
    findings = [
        HealthFinding(check=str(number), severity=severity, message="")
        for number, severity in enumerate([Severity.OK, Severity.DAMAGE, Severity.NOTE])
    ]

    assert worst(findings) == findings[1]
    assert worst([]) is None


@requirement("doctor.says-what-to-do")
def test_the_store_is_checked_rebuilt_and_closed_and_refuses_a_repair(holdfast: Holdfast) -> None:
    said(holdfast)
    seen: list[tuple[int, int]] = []

    def progress(done: int, total: int) -> None:
        seen.append((done, total))

    assert worst(holdfast.upkeep.check(progress)) is not None
    assert holdfast.upkeep.rebuild(progress) == 1
    with pytest.raises(NotOfferedError, match="no file that could be damaged"):
        holdfast.upkeep.repair(progress)
    holdfast.close()
    assert all(done == total for done, total in seen)
    assert len(seen) == 2


@pytest.mark.parametrize("severity", list(Severity))
def test_of_findings_equally_bad_the_first_is_named(severity: Severity) -> None:
    one = HealthFinding(check="a", severity=severity, message="")
    other = HealthFinding(check="b", severity=severity, message="")

    assert worst([one, other]) == one
