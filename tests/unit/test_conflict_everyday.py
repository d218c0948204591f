"""Claims of everyday life: two facts about one person or thing are seldom a conflict."""

from __future__ import annotations

import pytest

from benchmarks.conflict_sets import EVERYDAY, fresh_pairs
from holdfast.heuristics.conflict.judging import judged


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Lisa was born in Vienna.", "Lisa was born in 1991."),
        ("Clara wants all reports as a PDF.", "Clara wants the reports on Mondays."),
        ("Alex speaks Spanish.", "Alex speaks French."),
        ("The shop opens at nine.", "The shop closes at six."),
        ("Our site works without JavaScript.", "Our site uses little JavaScript."),
        ("The client does not work without a proxy.", "The client needs a proxy."),
        ("The shop closes at nine pm.", "The shop closes at 21:00."),
        ("The shop closes at six.", "The shop closes at 18:00."),
        ("The shop closes at six.", "The shop closes at 6 pm."),
        ("The shop closes at six.", "The shop closes at 6pm."),
        ("The shop closes at 6 p.m.", "The shop closes at 18:00."),
        ("The shop closes at 6:30 pm.", "The shop closes at 18:30."),
        ("Backups start at 12:30am.", "Backups start at 00:30."),
        ("The backup starts at two.", "The backup starts at 02:00."),
        ("The bar is open until twelve.", "The bar is open until 00:00."),
        ("Building 4 closes at 18:00.", "Building 5 closes at 20:00."),
        ("Building 4 closes at six.", "Building 5 closes at eight."),
    ],
)
def test_two_facts_of_two_kinds_are_no_conflict(older: str, newer: str) -> None:
    assert judged(newer, older, None) is None
    assert judged(older, newer, None) is None


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("The shop opens at nine.", "From April the shop opens at eight."),
        ("Refunds are possible for thirty days.", "Refunds are possible for sixty days."),
        ("The pool has forty connections.", "The pool has eighty connections."),
        ("Alex only speaks Spanish.", "Alex only speaks French."),
        ("Run the tests without network.", "Run the tests with network access."),
        ("The office is in Vienna.", "The office is in Graz."),
        ("The service works without a token.", "The service requires a token."),
        ("The tool works without a network.", "The tool does not work without a network."),
        ("The call is synchronous with a timeout of 30 s.", "The call is asynchronous."),
        ("The door is open until 18:00.", "The door is closed."),
        ("The buffer size is 2048.", "The buffer size is unlimited."),
        ("The contact person is April.", "The contact person is Bob."),
        ("The shop closes at six.", "The shop closes at 20:00."),
        ("The shop closes at six.", "The shop closes at seven."),
        ("The shop closes at six pm.", "The shop closes at 06:00."),
        ("The shop opens at 9 am.", "The shop opens at 21:00."),
        ("The shop closes at 12 pm.", "The shop closes at 00:00."),
        ("Backups start at 1:30 am.", "Backups start at 1:30 pm."),
        ("Backups start at 2am.", "Backups start at 14:00."),
        ("Backups start at 5 a.m. each day.", "Backups start at 5 p.m. each day."),
        ("Building 4 closes at 18:00.", "Building 4 closes at 20:00."),
    ],
)
def test_two_values_of_one_thing_are_a_conflict(older: str, newer: str) -> None:
    assert judged(newer, older, None) is not None


def test_few_false_alarms_about_everyday_life() -> None:
    pairs = [pair for pair in fresh_pairs(EVERYDAY) if not pair.is_conflict]
    false = [pair for pair in pairs if judged(pair.newer, pair.older, None) is not None]
    assert len(pairs) > 400
    assert len(false) <= 8
