from __future__ import annotations

from dataclasses import fields, replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.domain.choices import Kind, Origin, Scope, Status
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.memory import Standing
from holdfast.domain.memory.place import DEFAULT_SPACE, Place, SpaceId
from holdfast.domain.memory.selection import Page, Selection, View, near_form, near_start, reaches
from tests.builders import HERE, NOON, a_branch_point, a_memory, a_record
from tests.requirements import requirement

RECORD = a_record(
    a_memory(
        claim="Tokens rotate hourly.",
        key="rotation",
        tags=("auth", "tokens"),
        source="notes.md",
        origin=Origin.AGENT,
        expires_at=NOON,
        branch_point=a_branch_point(),
    ),
    standing=Standing(
        status=Status.SUPERSEDED,
        label="DEC-001",
        superseded_by=MemoryId("m_2"),
        pinned=True,
        decided_at=NOON - timedelta(hours=1),
    ),
)
RIGHT: dict[str, Any] = {
    "space": SpaceId("default"),
    "place": HERE,
    "scopes": frozenset({Scope.REPO, Scope.GLOBAL}),
    "kinds": frozenset({Kind.FACT}),
    "statuses": frozenset({Status.SUPERSEDED}),
    "origins": frozenset({Origin.AGENT}),
    "tags": frozenset({"auth"}),
    "key": "rotation",
    "labels": frozenset({"DEC-001", "DEC-009"}),
    "source": "notes.md",
    "near_claim": "the tokens rotate  HOURLY",
    "superseded_by": MemoryId("m_2"),
    "pinned": True,
    "expired_at": NOON,
    "view": View(
        unseen=frozenset({a_branch_point(branch="other"), a_branch_point(is_shared=True)})
    ),
    "branch": "main",
    "as_of": NOON - timedelta(hours=1, seconds=1),
}
WRONG: dict[str, Any] = {
    "space": SpaceId("other"),
    "place": replace(HERE, repo="github.com/acme/other"),
    "scopes": frozenset({Scope.GLOBAL}),
    "kinds": frozenset({Kind.RULE}),
    "statuses": frozenset({Status.ACCEPTED}),
    "origins": frozenset({Origin.HUMAN}),
    "tags": frozenset({"auth", "absent"}),
    "key": "other",
    "labels": frozenset({"DEC-002"}),
    "source": "other.md",
    "near_claim": "Tokens rotate daily.",
    "superseded_by": MemoryId("m_3"),
    "pinned": False,
    "expired_at": NOON - timedelta(seconds=1),
    "recallable_at": NOON - timedelta(seconds=1),
    "view": View(unseen=frozenset({a_branch_point(branch="other"), a_branch_point()})),
    "branch": "feature",
    "as_of": NOON - timedelta(hours=1),
}


def test_what_is_not_said_does_not_restrict() -> None:
    assert Selection().takes(RECORD)


def test_every_field_is_tried_here() -> None:
    # An agent's own notes widen what may be recalled; alone they restrict nothing.
    assert set(WRONG) | {"own"} == {field.name for field in fields(Selection)}


@given(names=st.sets(st.sampled_from(sorted(RIGHT))))
def test_a_record_is_taken_when_everything_said_fits(names: set[str]) -> None:
    assert Selection(**{name: RIGHT[name] for name in names}).takes(RECORD)


@given(names=st.sets(st.sampled_from(sorted(RIGHT))), wrong=st.sampled_from(sorted(WRONG)))
def test_one_thing_that_does_not_fit_is_enough_to_leave_it(names: set[str], wrong: str) -> None:
    said = {name: RIGHT[name] for name in names} | {wrong: WRONG[wrong]}

    assert not Selection(**said).takes(RECORD)


@requirement("recall.expired-never-returned")
@requirement("recall.candidate-never-returned")
@given(
    status=st.sampled_from(Status),
    pinned=st.booleans(),
    seconds=st.integers(-5, 5),
)
def test_recallable_means_accepted_and_still_true(
    status: Status,
    pinned: bool,  # noqa: FBT001 - drawn, not passed
    seconds: int,
) -> None:
    record = a_record(a_memory(expires_at=NOON), standing=Standing(status=status, pinned=pinned))

    taken = Selection(recallable_at=NOON + timedelta(seconds=seconds)).takes(record)

    assert taken is (status is Status.ACCEPTED and (pinned or seconds < 0))


def test_what_was_written_nowhere_is_seen_everywhere() -> None:
    assert Selection(view=View(unseen=frozenset({a_branch_point()}))).takes(a_record())


@requirement("scope.reaches-its-place")
@pytest.mark.parametrize(
    ("scope", "changes", "reached"),
    [
        (Scope.GLOBAL, {"workspace": "other", "repo": "other"}, True),
        (Scope.WORKSPACE, {"repo": "other"}, True),
        (Scope.WORKSPACE, {"workspace": "other"}, False),
        (Scope.REPO, {"branch": "other", "workspace": "other"}, True),
        (Scope.REPO, {"repo": "other"}, False),
        (Scope.REPO, {"repo": None}, False),
    ],
)
def test_a_memory_reaches_as_far_as_its_scope(
    scope: Scope,
    changes: dict[str, Any],
    reached: bool,  # noqa: FBT001 - a column of the table
) -> None:
    assert reaches(a_record(a_memory(scope=scope)), replace(HERE, **changes)) is reached


@requirement("scope.reaches-its-place")
@pytest.mark.parametrize("scope", Scope)
def test_no_scope_reaches_another_space(scope: Scope) -> None:
    elsewhere = replace(HERE, space=SpaceId("other"))

    assert not reaches(a_record(a_memory(scope=scope)), elsewhere)


def test_a_repository_memory_without_a_repository_reaches_nowhere() -> None:
    assert not reaches(a_record(a_memory(repo=None)), Place())


def test_one_space_is_enough_until_somebody_names_another() -> None:
    assert DEFAULT_SPACE == Place().space == a_memory().space


def test_a_page_begins_at_the_newest_unless_it_says_otherwise() -> None:
    assert Page() == Page(limit=50, beyond=None, oldest_first=False)


@requirement("claim.near-duplicate-adds-evidence")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Tokens rotate hourly.", "the tokens  ROTATE, hourly!"),
        ('Say "yes" (always).', "say yes always"),
        ("Use `make` — it works…", "use make - it works"),
        ("It's 'fine'.", "it\N{RIGHT SINGLE QUOTATION MARK}s fine"),
        ("An API: a door", "api door"),
    ],
)
def test_the_marks_of_prose_do_not_make_another_claim(one: str, other: str) -> None:
    assert near_form(one) == near_form(other)


@requirement("claim.numbers-and-negations-differ")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x is 5", "x is -5"),
        ("x is 5", "x is 5%"),
        ("x is 1.5", "x is 15"),
        ("x ≥ 5", "x ≤ 5"),
        ("a = b", "a != b"),
        ("€5", "£5"),
        ("load .env", "load env"),
        ("use --force", "use force"),
        ("set flag", "set !flag"),
        ("x_y", "xy"),
        ("कि", "का"),
        ("...", "!!!"),
        ("a", "the"),
    ],
)
def test_what_carries_meaning_stays(one: str, other: str) -> None:
    assert near_form(one) != near_form(other)


@given(claim=st.text())
def test_the_near_form_of_a_near_form_is_itself(claim: str) -> None:
    assert near_form(near_form(claim)) == near_form(claim)


@given(claim=st.text("The a an't.,:!'’-– “x”\n", max_size=40), count=st.integers(1, 4))
def test_the_start_of_a_claim_is_where_its_near_form_starts(claim: str, count: int) -> None:
    assert near_start(claim, count) == " ".join(near_form(claim).split()[:count])
