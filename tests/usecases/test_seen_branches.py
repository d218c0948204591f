"""What reaches a checkout, for every reader and every writer."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from holdfast.adapters.inmemory.store import InMemoryStore
from holdfast.app import Holdfast
from holdfast.app.curation import Curation
from holdfast.domain.choices import LinkKind, Scope, Status
from holdfast.domain.ids import MemoryId, RunId, SessionId
from holdfast.domain.memory.anchor import BranchPoint, Revision, RewriteHow
from holdfast.domain.memory.evidence import FilePlace
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.memory import MemoryRecord
from holdfast.domain.memory.selection import Selection
from holdfast.domain.sessions.session import Interaction
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.anchors.verify import Verify
from holdfast.usecases.memory.browse import Browse
from holdfast.usecases.memory.remember import RememberOutcome
from holdfast.usecases.pages.journal import journal
from holdfast.usecases.review.queued import Review
from holdfast.usecases.review.resolve import ResolutionWay, Resolve
from holdfast.usecases.review.rewording import Edit
from tests.builders import HERE, NOON, PlainSurroundings, a_run, a_session
from tests.requirements import requirement
from tests.usecases.plain_verifier import PlainVerifier
from tests.usecases.wishes import a_wish, asked, given, now, proposed, said

MAIN = BranchPoint(branch="main", head="a" * 40)
FEATURE = BranchPoint(branch="feature", head="b" * 40, is_aside=True)
OTHER = BranchPoint(branch="other", head="c" * 40, is_aside=True)
OLD, NEW, THIRD = "Tokens live in Redis.", "Tokens live in Postgres.", "Tokens live in Valkey."


@pytest.fixture
def hall(seen: Holdfast, surroundings: PlainSurroundings) -> Hall:
    return Hall(seen, surroundings)


class Hall:
    """A memory, and a person who goes from branch to branch."""

    def __init__(self, holdfast: Holdfast, surroundings: PlainSurroundings) -> None:
        self.holdfast = holdfast
        self.surroundings = surroundings
        self.go(MAIN)

    def go(self, point: BranchPoint) -> None:
        self.surroundings.stands = point
        self.surroundings.at = replace(HERE, branch=point.branch)

    def say(self, claim: str, *, on: BranchPoint, key: str | None = "tokens") -> MemoryRecord:
        self.go(on)
        return said(self.holdfast, claim, key=key)

    def listed(self, **fields: Any) -> list[MemoryId]:
        known: dict[str, Any] = {"place": self.surroundings.at}
        wish = Selection(**(known | fields))
        found = self.holdfast.memories.browse(Browse(selection=wish))
        return [one.memory.id for one in found.records]


@requirement("branch.known-only-where-seen")
def test_on_main_a_key_that_only_a_branch_has_is_new(hall: Hall) -> None:
    aside = hall.say(NEW, on=FEATURE)

    hall.go(MAIN)
    told = hall.holdfast.memories.remember(a_wish(OLD, key="tokens"))

    assert (told.outcome, told.replaced, told.conflicts) == (RememberOutcome.ADDED, None, ())
    assert given(hall.holdfast) == [told.record.memory.id]
    hall.go(FEATURE)
    assert given(hall.holdfast) == [aside.memory.id]


@requirement("branch.arrival-is-kept")
@pytest.mark.parametrize("way", ["recall", "verify", "remember"])
def test_a_rewrite_that_was_found_on_the_way_is_noted(
    hall: Hall, verifier: PlainVerifier, way: str
) -> None:
    hall.say(NEW, on=FEATURE)
    hall.go(MAIN)
    verifier.arrived_at[None] = {FEATURE.head}
    verifier.successors = {FEATURE.head: (MAIN.head, RewriteHow.SQUASH)}

    if way == "recall":
        given(hall.holdfast)
    elif way == "verify":
        hall.holdfast.evidence.verify(Verify())
    else:
        said(hall.holdfast, "Doors are shut.")

    with hall.holdfast.store.reading() as tx:
        assert HERE.repo is not None
        (noted,) = tx.anchors.past.rewrites_of(HERE.repo, [FEATURE.head]).values()
    assert (noted.new, noted.how) == (MAIN.head, RewriteHow.SQUASH)


@requirement("branch.name-reused")
def test_a_branch_does_not_see_what_an_earlier_one_of_its_name_knew(
    hall: Hall, verifier: PlainVerifier
) -> None:
    old = hall.say(OLD, on=MAIN)
    hall.say(NEW, on=FEATURE)
    verifier.earlier = {FEATURE.head}

    hall.go(replace(FEATURE, head="d" * 40))

    assert given(hall.holdfast) == [old.memory.id]
    notes = asked(hall.holdfast, "tokens").bundle.notes
    assert any("written only on an earlier branch feature are not shown" in note for note in notes)


@requirement("branch.known-only-where-seen")
@pytest.mark.parametrize("many", [1, 2], ids=["alone", "among others"])
def test_two_claims_that_nobody_compared_are_a_conflict_where_both_arrived(
    hall: Hall, verifier: PlainVerifier, many: int
) -> None:
    hall.say(NEW, on=FEATURE)
    hall.go(MAIN)
    wishes = [a_wish(OLD, key="tokens"), a_wish("Doors are shut.", key="doors")]
    hall.holdfast.memories.remember_all(wishes[:many])
    curation = Curation(hall.holdfast)
    assert not curation.conflicts()
    assert len(curation.conflicts(everywhere=True)) == 1

    verifier.arrived_at[None] = {FEATURE.head}

    (conflict,) = curation.conflicts()
    assert {conflict.candidate.memory.claim, conflict.standing.memory.claim} == {OLD, NEW}
    assert hall.holdfast.upkeep.status().conflicts == 1


@requirement("branch.known-only-where-seen")
def test_the_same_words_on_two_branches_are_no_conflict_later(
    hall: Hall, verifier: PlainVerifier
) -> None:
    hall.say(NEW, on=FEATURE)
    hall.say(NEW, on=MAIN)

    verifier.arrived_at[None] = {FEATURE.head}

    assert not Curation(hall.holdfast).conflicts()


@requirement("branch.known-only-where-seen")
def test_what_arrived_is_known_and_superseded_like_any_other(
    hall: Hall, verifier: PlainVerifier
) -> None:
    aside = hall.say(NEW, on=FEATURE)
    unkeyed = hall.say("Doors are shut.", on=FEATURE, key=None)
    hall.go(MAIN)
    verifier.arrived_at[None] = {FEATURE.head}

    assert said(hall.holdfast, NEW, key="tokens").memory.id == aside.memory.id
    assert said(hall.holdfast, "Doors are shut.").memory.id == unkeyed.memory.id
    anew = hall.holdfast.memories.remember(a_wish(THIRD, key="tokens"))
    assert (anew.outcome, anew.replaced) == (RememberOutcome.SUPERSEDED, aside)
    assert now(hall.holdfast, aside).standing.superseded_by == anew.record.memory.id


@requirement("branch.one-view-for-every-reader")
def test_a_list_shows_this_checkout_a_branch_or_everything(hall: Hall) -> None:
    main, aside = hall.say(OLD, on=MAIN), hall.say(NEW, on=FEATURE)
    hall.go(MAIN)

    assert hall.listed() == [main.memory.id]
    assert hall.listed(place=None) == [aside.memory.id, main.memory.id]
    assert hall.listed(branch="feature") == [aside.memory.id]
    assert hall.listed(branch="main") == [main.memory.id]
    assert hall.listed(statuses=frozenset({Status.SUPERSEDED})) == []
    found = hall.holdfast.memories.browse(
        Browse(selection=Selection(place=HERE), query="tokens live")
    )
    assert ([one.memory.id for one in found.records], found.left_out) == (
        [main.memory.id],
        ("feature",),
    )
    hall.go(FEATURE)
    assert hall.listed(statuses=frozenset({Status.SUPERSEDED})) == [main.memory.id]


@requirement("branch.merged-is-told")
def test_a_list_says_which_memories_came_here_by_a_merge(
    hall: Hall, verifier: PlainVerifier
) -> None:
    hall.say(OLD, on=MAIN)
    aside = hall.say(NEW, on=FEATURE)
    hall.go(MAIN)
    everything = Browse(selection=Selection())

    assert hall.holdfast.memories.browse(everything).merged == frozenset()
    verifier.arrived_at[None] = {FEATURE.head}
    assert hall.holdfast.memories.browse(everything).merged == {aside.memory.id}
    hall.go(FEATURE)
    assert hall.holdfast.memories.browse(everything).merged == frozenset()


@requirement("branch.one-view-for-every-reader")
def test_neighbours_and_sources_of_another_branch_are_left_out(hall: Hall) -> None:
    main, aside = hall.say(OLD, on=MAIN), hall.say(NEW, on=FEATURE)
    more = hall.say("Doors are shut.", on=OTHER, key=None)
    third = hall.say("Walls stand.", on=FEATURE, key=None)
    hall.holdfast.memories.link(
        Link(src=main.memory.id, dst=more.memory.id, kind=LinkKind.SUPERSEDES)
    )
    hall.holdfast.memories.link(Link(src=third.memory.id, dst=main.memory.id, kind="related"))
    hall.go(MAIN)

    assert hall.holdfast.memories.related(main.memory.id) == []
    assert hall.holdfast.memories.explain(main.memory.id).replaced == ()
    neighbours = hall.holdfast.memories.related(aside.memory.id)
    assert [record.memory.id for _, record in neighbours] == [main.memory.id]
    hall.go(FEATURE)
    status = {
        record.standing.status for _, record in hall.holdfast.memories.related(third.memory.id)
    }
    assert status == {Status.SUPERSEDED}


@requirement("branch.one-view-for-every-reader")
def test_a_line_is_not_governed_by_what_another_branch_knows(hall: Hall) -> None:
    hall.go(FEATURE)
    aside = said(hall.holdfast, NEW, grounds=Grounds(places=("src/app.py:2",)))
    line = FilePlace(path="src/app.py", first=2, last=2)
    assert [one.record.memory.id for one in hall.holdfast.evidence.blame(line)] == [aside.memory.id]

    hall.go(MAIN)

    assert not hall.holdfast.evidence.blame(line)


@requirement("branch.one-view-for-every-reader")
def test_a_day_tells_nothing_of_another_branch(hall: Hall, store: InMemoryStore) -> None:
    hall.say(OLD, on=MAIN)
    hall.say(NEW, on=FEATURE)
    own = replace(FEATURE, head="e" * 40)
    with store.writing(NOON) as tx:
        tx.sessions.put(a_session(branch_point=own))
        tx.sessions.put(a_session(id=SessionId("i_2"), branch_point=MAIN))
        tx.sessions.put(a_session(id=SessionId("i_3"), branch_point=None))
        for name in ("i_1", "i_2", "i_3"):
            turn = Interaction(id=0, session_id=SessionId(name), at=NOON, query=f"asked in {name}")
            tx.sessions.add_turn(turn)
        tx.diary.runs.put(a_run(branch="feature", goal="a goal of the branch"))
        tx.diary.runs.put(
            a_run(id=RunId("r_2"), label="run-2", branch="main", goal="a goal of main")
        )
        tx.diary.runs.put(
            a_run(id=RunId("r_3"), label="run-3", branch=None, goal="a goal of nowhere")
        )
    hall.go(MAIN)

    page = journal(
        NOON.date(),
        store=store,
        surroundings=hall.surroundings,
        verifier=hall.holdfast.verifier,
    )

    for told in (OLD, "asked in i_2", "asked in i_3", "a goal of main", "a goal of nowhere"):
        assert told in page
    for hidden in (NEW, "asked in i_1", "a goal of the branch"):
        assert hidden not in page


@requirement("counts.of-this-checkout")
def test_a_status_counts_this_checkout_or_everything(hall: Hall) -> None:
    hall.say(OLD, on=MAIN)
    hall.say(NEW, on=FEATURE)
    proposed(hall.holdfast, "Walls stand.")
    hall.surroundings.at = replace(HERE, repo="elsewhere")
    proposed(hall.holdfast, "Doors are shut.")
    hall.go(MAIN)

    here, all_ = hall.holdfast.upkeep.status(), hall.holdfast.upkeep.status(everywhere=True)

    assert (here.by_status[Status.CANDIDATE], here.here, here.elsewhere) == (0, 1, 3)
    assert (all_.by_status[Status.CANDIDATE], all_.here, all_.elsewhere) == (2, 1, 0)
    queue = Curation(hall.holdfast).review(Review())
    assert (queue.total, queue.elsewhere) == (0, 2)
    hall.go(FEATURE)
    assert hall.holdfast.upkeep.status().by_status[Status.CANDIDATE] == 1
    assert Curation(hall.holdfast).review(Review()).total == 1


@requirement("branch.supersedes-where-it-reaches")
def test_a_decision_on_a_branch_holds_on_that_branch(hall: Hall) -> None:
    main = hall.say(OLD, on=MAIN)
    candidate = proposed(hall.holdfast, NEW, key="tokens")
    hall.go(FEATURE)
    curation = Curation(hall.holdfast)

    merge = Resolve(reference=candidate.memory.id, by="ada", way=ResolutionWay.MERGE, text=THIRD)
    (made,) = curation.resolve(merge).records
    (edited,) = curation.edit(
        Edit(reference=made.memory.id, claim="Tokens live on disk.", by="ada")
    ).records

    assert (made.memory.branch_point, edited.memory.branch_point) == (FEATURE, FEATURE)
    assert edited.memory.branch == "feature"
    assert given(hall.holdfast) == [edited.memory.id]
    hall.go(MAIN)
    assert given(hall.holdfast) == [main.memory.id]


@requirement("branch.exported-as-an-overlay")
def test_an_export_of_this_checkout_has_no_word_of_another_branch(hall: Hall) -> None:
    main, aside = hall.say(OLD, on=MAIN), hall.say(NEW, on=FEATURE)
    hall.go(MAIN)
    said(hall.holdfast, "Doors are shut.", grounds=Grounds(places=("src/app.py:2",)))
    said(hall.holdfast, "Everyone is kind.", scope=Scope.GLOBAL)
    given(hall.holdfast)

    lines = list(hall.holdfast.exchange.export(here_only=True))

    types = [json.loads(line)["type"] for line in lines]
    assert types == ["holdfast", "span", "memory", "memory", "memory"]
    assert not any(NEW in line or aside.memory.id in line for line in lines)
    hall.go(FEATURE)
    lines = list(hall.holdfast.exchange.export(here_only=True))
    kept = [json.loads(line)["data"] for line in lines if '"type": "memory"' in line]
    status = {one["id"]: one["status"] for one in kept}
    assert (status[main.memory.id], status[aside.memory.id]) == ("accepted", "accepted")
    assert '"type": "link"' in lines[-1]


@requirement("branch.exported-as-an-overlay")
@pytest.mark.parametrize("here_only", [True, False], ids=["this checkout", "everything"])
def test_what_was_brought_in_is_still_an_overlay(hall: Hall, here_only: bool) -> None:  # noqa: FBT001
    main, aside = hall.say(OLD, on=MAIN), hall.say(NEW, on=FEATURE)
    place = PlainSurroundings()
    there = Hall(replace(hall.holdfast, store=InMemoryStore(), surroundings=place), place)

    there.holdfast.exchange.bring_in(list(hall.holdfast.exchange.export(here_only=here_only)))

    assert given(there.holdfast) == [main.memory.id]
    assert there.listed(statuses=frozenset({Status.SUPERSEDED})) == []
    there.go(FEATURE)
    assert given(there.holdfast) == [aside.memory.id]
    assert there.listed(statuses=frozenset({Status.SUPERSEDED})) == [main.memory.id]


@requirement("recall.as-of")
def test_at_a_commit_the_branch_counts_that_had_arrived_there(
    hall: Hall, verifier: PlainVerifier
) -> None:
    main, aside = hall.say(OLD, on=MAIN), hall.say(NEW, on=FEATURE)
    hall.go(MAIN)
    for name in ("before", "after"):
        verifier.revisions[name] = Revision(id=name * 8, at=NOON)
    verifier.arrived_at["before" * 8] = {MAIN.head}
    verifier.arrived_at["after" * 8] = {MAIN.head, FEATURE.head}

    assert given(hall.holdfast, as_of="before") == [main.memory.id]
    assert given(hall.holdfast, as_of="after") == [aside.memory.id]
