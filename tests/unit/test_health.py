from __future__ import annotations

from holdfast.domain.review.curation import HealthFinding, Repair, Severity


def test_how_bad_a_finding_is_grows_from_fine_to_damage() -> None:
    assert list(Severity) == [Severity.OK, Severity.NOTE, Severity.WARNING, Severity.DAMAGE]


def test_a_finding_needs_no_advice_when_there_is_nothing_to_do() -> None:
    assert HealthFinding(check="rows", severity=Severity.OK, message="All are whole.").advice == ""


def test_a_repair_says_what_it_did_even_when_nothing_was_lost() -> None:
    repair = Repair(actions=("nothing to repair",))

    assert (repair.kept_damaged_file, repair.rescued, repair.lost) == (None, 0, ())
    assert repair.is_complete


def test_a_repair_that_misses_something_is_not_complete() -> None:
    partial = [
        Repair(actions=(), lost=("m_1",)),
        Repair(actions=(), missing=1),
        Repair(actions=(), changes_missing=1),
    ]

    assert not any(repair.is_complete for repair in partial)
