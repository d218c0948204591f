"""What a checkout sees of memories that were written on branches."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from holdfast.domain.choices import Status
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.anchor import BranchPoint
from holdfast.domain.memory.memory import MemoryRecord, Standing
from holdfast.domain.memory.selection import Checkout, Supersession, View, view_of
from tests.builders import HERE, NOON, a_branch_point, a_memory, a_record
from tests.requirements import requirement

OLD, NEW, OTHER = MemoryId("m_1"), MemoryId("m_2"), MemoryId("m_3")
FEATURE = a_branch_point()


def took_over(newer: MemoryId = NEW, older: MemoryId = OLD, **fields: Any) -> Supersession:
    known: dict[str, Any] = {"point": FEATURE, "stands": True, "is_linked": True}
    return Supersession(newer=newer, older=older, **(known | fields))


def seen(
    *pairs: Supersession, unseen: frozenset[BranchPoint] = frozenset(), branch: str | None = "main"
) -> View:
    return view_of(pairs, unseen=unseen, branch=branch)


def old(status: Status = Status.ACCEPTED, by: MemoryId | None = None) -> MemoryRecord:
    decided = Standing(status=status, superseded_by=by, decided_by="ada", decided_at=NOON)
    return a_record(a_memory(id=OLD), standing=decided)


@requirement("branch.supersedes-where-it-reaches")
def test_a_memory_supersedes_where_it_reaches_and_nowhere_else() -> None:
    reached = seen(took_over()).seen(old()).standing
    hidden = seen(took_over(), unseen=frozenset({FEATURE})).seen(old())

    assert (reached.status, reached.superseded_by) == (Status.SUPERSEDED, NEW)
    assert hidden == old()


@requirement("branch.supersedes-where-it-reaches")
def test_what_a_hidden_memory_superseded_stands_again() -> None:
    stored = old(Status.SUPERSEDED, by=NEW)
    pair = took_over(is_stored=True)

    assert seen(pair).seen(stored) == stored
    again = seen(pair, unseen=frozenset({FEATURE})).seen(stored).standing
    assert again == Standing()


def test_of_two_successors_the_one_that_reaches_the_checkout_is_named() -> None:
    other = a_branch_point(branch="other")
    pairs = (took_over(is_stored=True), took_over(OTHER, point=other))

    there = seen(*pairs, unseen=frozenset({FEATURE})).seen(old(Status.SUPERSEDED, by=NEW))

    assert (there.standing.status, there.standing.superseded_by) == (Status.SUPERSEDED, OTHER)


@pytest.mark.parametrize(
    ("pair", "branch"),
    [
        (took_over(stands=False), "main"),
        (took_over(is_linked=False), "main"),
        (took_over(is_linked=False), None),
        (took_over(is_linked=False, point=None), "feature"),
        (took_over(is_linked=False, point=a_branch_point(is_aside=False)), "feature"),
    ],
    ids=["nobody accepted it", "another branch", "no branch", "written nowhere", "not aside"],
)
def test_what_does_not_take_a_place_leaves_it(pair: Supersession, branch: str | None) -> None:
    assert seen(pair, branch=branch) == View()


@requirement("branch.supersedes-where-it-reaches")
def test_on_its_own_branch_a_memory_goes_before_others_of_its_key() -> None:
    own = seen(took_over(is_linked=False), branch="feature")

    assert own.replaced == {OLD: NEW}


def test_of_two_that_replaced_each_other_the_later_one_stands() -> None:
    assert seen(took_over(), took_over(OLD, NEW)).replaced == {NEW: OLD}


@pytest.mark.parametrize("status", [Status.CANDIDATE, Status.REJECTED, Status.DEPRECATED])
def test_only_what_is_accepted_is_superseded(status: Status) -> None:
    assert seen(took_over()).seen(old(status)) == old(status)


def test_a_view_names_the_branches_it_hides_and_can_hide_nothing() -> None:
    points = frozenset({FEATURE, a_branch_point(branch=None), a_branch_point(branch="also")})
    view = View(unseen=points, replaced={OLD: NEW}, note="some are hidden")
    memory = a_memory(branch_point=FEATURE)

    assert view.branches == ("also", "feature")
    assert view.hides(memory)
    assert not view.hides(a_memory())
    assert view.everywhere() == View(replaced={OLD: NEW})


@requirement("branch.one-view-for-every-reader")
def test_a_new_wording_is_written_where_the_person_stands() -> None:
    main = a_branch_point(branch="main", is_aside=False)
    here = Checkout(place=HERE, point=FEATURE, view=View(unseen=frozenset({main})))
    parent = a_memory(branch_point=a_branch_point(branch="other"))

    assert here.branch_point_for(parent) == FEATURE
    assert here.branch_point_for(replace(parent, branch_point=main)) == main
    assert here.branch_point_for(replace(parent, repo="elsewhere")) == parent.branch_point
    assert here.branch_point_for(replace(parent, repo=None)) == parent.branch_point
