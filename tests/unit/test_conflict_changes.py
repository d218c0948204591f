"""A claim that says what it changes conflicts with the claim it changes, in review as in recall."""

from __future__ import annotations

import pytest

from benchmarks.conflict_sets import EVERYDAY, fresh_pairs, own_pairs
from holdfast.domain.recall.amendment import AmendmentKind
from holdfast.domain.review.suspicion import SAME_KEY, Clash
from holdfast.heuristics.amending import amendments
from holdfast.heuristics.changes import CLASHES
from holdfast.heuristics.english import ENGLISH
from tests.requirements import requirement


def clash(newer: str, older: str) -> Clash | None:
    found = ENGLISH.judge.judged(newer, older, None)
    return None if found is None else found.clash


@requirement("conflict.answers-and-reviews-agree")
@pytest.mark.parametrize(
    ("newer", "older", "expected"),
    [
        ("We replaced mypy by pyright.", "Type checking is done with mypy.", Clash.REPLACED),
        ("We replaced mypy by pyright.", "Mypy runs in strict mode.", Clash.REPLACED),
        ("We moved from mypy to pyright.", "Type checking is done with mypy.", Clash.REPLACED),
        ("We switched from black to ruff.", "We use black for formatting.", Clash.REPLACED),
        ("We moved from mypy to pyright.", "Types are checked using mypy in CI.", Clash.REPLACED),
        ("From now on the pool has 30 workers.", "The pool has 20 workers.", Clash.NUMBER),
        ("We moved from weekly to daily deploys.", "Weekly reports go to Ada.", None),
        ("We moved from mypy to pyright.", "Type hints are written with care.", None),
        ("We replaced mypy by pyright.", "We stopped using mypy.", None),
    ],
)
def test_what_is_given_up_conflicts_with_what_is_done_with_it(
    newer: str, older: str, expected: Clash | None
) -> None:
    assert clash(newer, older) == expected


@requirement("conflict.answers-and-reviews-agree")
def test_a_review_suspects_whatever_recall_marks_as_superseded() -> None:
    pairs = [(pair.newer, pair.older) for pair in (*own_pairs(), *fresh_pairs(EVERYDAY))]
    amended = [
        pair for pair in pairs if any(one.differs for one in amendments([[pair[1]], [pair[0]]], ()))
    ]

    assert amended
    assert [pair for pair in amended if clash(*pair) is None] == []


@requirement("conflict.answers-and-reviews-agree")
def test_every_kind_of_change_has_a_reason_and_one_key_keeps_its_own() -> None:
    found = ENGLISH.judge.judged("From now on it is 3.", "It is 2.", SAME_KEY)

    assert set(CLASHES) == set(AmendmentKind)
    assert found is not None
    assert found.clash is Clash.KEY


@requirement("conflict.reason-in-words")
def test_what_ended_is_not_called_forbidden() -> None:
    found = ENGLISH.judge.judged(
        "Nginx no longer serves static files.", "Nginx serves static files.", None
    )

    assert found is not None
    assert found.reason == 'one says that it ended ("no longer"), the other states it'


@requirement("conflict.both-can-hold")
@pytest.mark.parametrize(
    ("newer", "older", "expected"),
    [
        ("Docstrings follow the Google style.", "Docstrings follow the NumPy style.", Clash.NAME),
        ("Docstrings follow the Google style.", "Docstrings follow PEP 257.", None),
        ("Docstrings follow the Google style.", "Tests follow the Google style.", None),
        ("Names follow the house style.", "Names follow the usual style.", None),
        ("Follow the Google style.", "Follow the NumPy style.", None),
        (
            "Releases happen on the first Tuesday of a month.",
            "Releases happen on the second Tuesday of a month.",
            Clash.DATE,
        ),
        (
            "Releases happen on the first Tuesday of a month.",
            "Releases happen on the second Wednesday of a month.",
            Clash.DATE,
        ),
        (
            "Releases happen on the first and third Tuesday of a month.",
            "Releases happen on the 1st Tuesday of a month.",
            None,
        ),
        (
            "Releases happen on the first Tuesday of a month.",
            "Releases happen on a Tuesday.",
            None,
        ),
    ],
)
def test_styles_and_weekdays_of_a_month_are_values(
    newer: str, older: str, expected: Clash | None
) -> None:
    assert clash(newer, older) == expected
