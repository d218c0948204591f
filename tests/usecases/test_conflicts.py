from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import timedelta
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from benchmarks.conflicts import cost
from holdfast.adapters.inmemory.links import InMemoryLinks
from holdfast.adapters.inmemory.store import InMemoryStore
from holdfast.app import Holdfast
from holdfast.app.curation import Curation
from holdfast.domain.choices import LinkKind, Scope, Status
from holdfast.domain.errors import BadFieldError
from holdfast.domain.ids import MemoryId, short
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.memory import MemoryRecord
from holdfast.domain.memory.place import Place
from holdfast.domain.review.suspicion import Clash
from holdfast.domain.review_errors import UnresolvedConflictError
from holdfast.domain.values import replace
from holdfast.heuristics.english import ENGLISH
from holdfast.usecases.anchors.checking import ViewPorts
from holdfast.usecases.memory.forget import Forget
from holdfast.usecases.review import conflicts
from holdfast.usecases.review.approve import Approve
from holdfast.usecases.review.conflicts import (
    Conflict,
    conflicts_of,
    note_conflicts,
    open_conflicts,
    waiting_against,
)
from tests.builders import FixedClock, PlainSurroundings, a_branch_point
from tests.requirements import requirement
from tests.usecases.wishes import asked, proposed, said

OLD, NEW = "The API listens on port 8080.", "The API listens on port 9090."


def against(holdfast: Holdfast, record: MemoryRecord) -> list[MemoryId]:
    with holdfast.store.reading() as tx:
        found = conflicts_of(record, tx=tx, now=holdfast.clock.now(), heuristics=ENGLISH)
    return [one.standing.memory.id for one in found]


def noted(holdfast: Holdfast, record: MemoryRecord) -> list[Conflict]:
    with holdfast.store.writing(holdfast.clock.now()) as tx:
        return note_conflicts(record, tx=tx, now=holdfast.clock.now(), heuristics=ENGLISH)


def still_open(holdfast: Holdfast, *, limit: int = 50) -> list[Conflict]:
    return list(
        open_conflicts(
            store=holdfast.store,
            clock=holdfast.clock,
            ports=ViewPorts(surroundings=holdfast.surroundings, verifier=holdfast.verifier),
            limit=limit,
            heuristics=ENGLISH,
        )
    )


def linked(holdfast: Holdfast, one: MemoryRecord, other: MemoryRecord, kind: str) -> None:
    holdfast.memories.link(Link(src=one.memory.id, dst=other.memory.id, kind=kind, score=0.4))


def standing(holdfast: Holdfast, record: MemoryRecord, **changes: Any) -> MemoryRecord:
    with holdfast.store.writing(holdfast.clock.now()) as tx:
        tx.memories.set_standing(record.memory.id, replace(record.standing, **changes))
        return tx.memories.get(record.memory.id)


def test_a_candidate_meets_the_accepted_claim_it_contradicts_and_no_other(
    holdfast: Holdfast,
) -> None:
    old = said(holdfast, OLD)
    said(holdfast, "The API is written in Go.")
    said(holdfast, "The metrics endpoint listens on port 9100.")

    new = proposed(holdfast, NEW)

    assert against(holdfast, new) == [old.memory.id]


def test_the_surest_comes_first_and_of_equals_the_newest(holdfast: Holdfast) -> None:
    more = said(holdfast, "Our public API still listens on TCP port 7070.")
    old = said(holdfast, OLD)
    newer = said(holdfast, "The API listens on port 8081.")

    new = proposed(holdfast, NEW)

    names = [newer.memory.id, old.memory.id, more.memory.id]
    assert against(holdfast, new) == names


@requirement("conflict.same-key-other-value")
def test_what_has_the_same_key_is_met_in_every_scope_that_reaches_there(
    holdfast: Holdfast,
) -> None:
    wide = said(holdfast, "Ask ops.", key="ports", scope=Scope.GLOBAL)
    near = said(holdfast, "Ask the platform team.", key="ports", scope=Scope.WORKSPACE)

    mine = proposed(holdfast, "Read the runbook.", key="ports")
    theirs = proposed(holdfast, "Read the wiki.", key="ports", scope=Scope.GLOBAL)

    assert set(against(holdfast, mine)) == {wide.memory.id, near.memory.id}
    assert against(holdfast, theirs) == [wide.memory.id]


@requirement("conflict.series-is-none")
def test_a_claim_of_a_series_meets_none_of_the_others(holdfast: Holdfast) -> None:
    ports = [said(holdfast, f"The API listens on port {8081 + number}.") for number in range(3)]
    third = against(holdfast, proposed(holdfast, "The API listens on port 9001."))
    said(holdfast, "The API listens on port 8084.")

    fourth = against(holdfast, proposed(holdfast, "The API listens on port 9002."))
    keyed = said(holdfast, "The API listens on port 9003.", key="api-port")
    under_key = against(holdfast, proposed(holdfast, NEW, key="api-port"))

    assert sorted(third) == sorted(one.memory.id for one in ports)
    assert fourth == []
    assert under_key == [keyed.memory.id]


@requirement("conflict.series-is-none")
def test_four_claims_that_do_not_exclude_each_other_are_all_met(holdfast: Holdfast) -> None:
    olds = [said(holdfast, OLD), *(said(holdfast, f"{OLD} {more}") for more in ("Yes.", "Now."))]
    olds.append(said(holdfast, "The API listens on port 8080 only."))

    met = against(holdfast, proposed(holdfast, NEW))

    assert sorted(met) == sorted(one.memory.id for one in olds)


@requirement("conflict.only-where-it-holds")
def test_a_claim_of_another_repository_or_scope_is_not_met(
    holdfast: Holdfast, surroundings: PlainSurroundings
) -> None:
    said(holdfast, OLD)
    said(holdfast, "The API listens on port 7070.", scope=Scope.GLOBAL)
    surroundings.at = Place(repo="github.com/acme/other")

    assert against(holdfast, proposed(holdfast, NEW)) == []


@requirement("conflict.only-where-it-holds")
def test_what_holds_on_another_branch_only_is_not_met(
    holdfast: Holdfast, surroundings: PlainSurroundings
) -> None:
    surroundings.stands = a_branch_point(branch="feature")
    said(holdfast, OLD)
    surroundings.stands = a_branch_point(branch="other")

    assert against(holdfast, proposed(holdfast, NEW)) == []


def test_what_expired_or_was_never_accepted_is_not_met(
    holdfast: Holdfast, clock: FixedClock
) -> None:
    said(holdfast, OLD, keep_for=timedelta(hours=1))
    proposed(holdfast, "The API listens on port 7070.")
    clock.advance(hours=2)

    assert against(holdfast, proposed(holdfast, NEW)) == []


@requirement("conflict.settled-stays-settled")
@pytest.mark.parametrize(
    "kind",
    [LinkKind.COMPATIBLE, LinkKind.WITHDRAWN, LinkKind.SUPERSEDES, LinkKind.DERIVED_FROM],
)
def test_a_pair_that_somebody_settled_is_neither_met_nor_open(
    holdfast: Holdfast, kind: LinkKind
) -> None:
    old, new = said(holdfast, OLD), proposed(holdfast, NEW)
    noted(holdfast, new)
    assert [one.standing.memory.id for one in still_open(holdfast)] == [old.memory.id]

    linked(holdfast, new, old, kind)

    assert against(holdfast, new) == []
    assert still_open(holdfast) == []


def test_what_is_noted_is_a_link_from_the_candidate_as_strong_as_the_suspicion(
    holdfast: Holdfast, store: InMemoryStore
) -> None:
    old, new = said(holdfast, OLD), proposed(holdfast, NEW)

    found = noted(holdfast, new)

    with store.reading() as tx:
        (link,) = tx.links.touching(new.memory.id)
    assert (link.src, link.dst, link.kind) == (
        new.memory.id,
        old.memory.id,
        LinkKind.CONTRADICTS,
    )
    assert link.score == found[0].suspicion.confidence


def test_what_somebody_noted_by_hand_is_a_conflict_though_no_rule_sees_it(
    holdfast: Holdfast,
) -> None:
    old = said(holdfast, "The office is in Berlin.")
    new = proposed(holdfast, "We work from home.")

    linked(holdfast, new, old, LinkKind.CONTRADICTS)

    assert against(holdfast, new) == [old.memory.id]
    (found,) = still_open(holdfast)
    assert (found.candidate, found.standing) == (new, old)
    assert (found.suspicion.clash, found.suspicion.confidence) == (Clash.JUDGED, 0.4)


def test_two_accepted_claims_are_one_open_conflict_and_the_later_is_the_candidate(
    holdfast: Holdfast,
) -> None:
    old, new = said(holdfast, OLD), said(holdfast, NEW)
    linked(holdfast, old, new, LinkKind.CONTRADICTS)
    linked(holdfast, new, old, LinkKind.CONTRADICTS)

    (found,) = still_open(holdfast)

    assert (found.candidate, found.standing) == (new, old)
    assert found.suspicion.clash is Clash.NUMBER


def test_open_conflicts_come_newest_first_as_many_as_asked_for(holdfast: Holdfast) -> None:
    said(holdfast, OLD)
    said(holdfast, "Tokens rotate hourly.")
    first, second = proposed(holdfast, NEW), proposed(holdfast, "Tokens rotate daily.")
    noted(holdfast, first)
    noted(holdfast, second)

    assert [one.candidate for one in still_open(holdfast)] == [second, first]
    assert [one.candidate for one in still_open(holdfast, limit=1)] == [second]
    with pytest.raises(BadFieldError):
        still_open(holdfast, limit=0)


def test_a_conflict_ends_when_one_of_its_claims_does(holdfast: Holdfast, clock: FixedClock) -> None:
    rejected = proposed(holdfast, NEW)
    lapsing = proposed(holdfast, "The API listens on port 7070.", keep_for=timedelta(hours=1))
    old = said(holdfast, OLD)
    for one in (rejected, lapsing):
        noted(holdfast, one)
    assert len(still_open(holdfast)) == 2

    standing(holdfast, rejected, status=Status.REJECTED)
    clock.advance(hours=2)
    assert still_open(holdfast) == []

    last = proposed(holdfast, "The API listens on port 6060.")
    noted(holdfast, last)
    standing(holdfast, old, status=Status.DEPRECATED)
    assert still_open(holdfast) == []


def test_a_conflict_with_something_forgotten_or_elsewhere_is_not_shown(
    holdfast: Holdfast, surroundings: PlainSurroundings
) -> None:
    old, new = said(holdfast, OLD), proposed(holdfast, NEW)
    noted(holdfast, new)

    surroundings.at = Place(repo="github.com/acme/other")
    assert still_open(holdfast) == []

    surroundings.at = PlainSurroundings().at
    assert len(still_open(holdfast)) == 1
    holdfast.memories.forget(Forget(reference=old.memory.id))
    assert still_open(holdfast) == []


@requirement("conflict.told-in-answers")
def test_two_accepted_memories_in_dispute_say_so_in_the_answer(holdfast: Holdfast) -> None:
    old, new = (
        said(holdfast, "Deploys go out on Tuesdays."),
        said(holdfast, "We deploy on Fridays."),
    )
    plain = asked(holdfast, "when do we deploy, on Tuesdays or Fridays?")
    linked(holdfast, new, old, LinkKind.CONTRADICTS)

    told = asked(holdfast, "when do we deploy, on Tuesdays or Fridays?")

    assert [item.memory_id for item in told.bundle.items] == [
        item.memory_id for item in plain.bundle.items
    ]
    assert f"disputed: contradicts {short(old.memory.id)}" in told.markdown()
    assert f"disputed: contradicts {short(new.memory.id)}" in told.markdown()
    assert "disputed" not in plain.markdown()


def test_on_disk_the_conflicts_of_decisions_are_found_among_the_others(tmp_path: Path) -> None:
    _, right, others = cost(tmp_path, 0)

    assert right >= 36
    assert others <= 2


@requirement("conflict.what-blocks-is-listed")
def test_whatever_keeps_a_candidate_from_approval_is_listed(holdfast: Holdfast) -> None:
    waiting = proposed(holdfast, NEW)
    standing_since = said(holdfast, OLD)

    listed = [(one.candidate, one.standing) for one in still_open(holdfast)]
    with pytest.raises(UnresolvedConflictError) as refused:
        Curation(holdfast).approve(Approve(references=(waiting.memory.id,), by="ada"))

    assert [one.memory.id for pair in listed for one in pair] == [
        waiting.memory.id,
        standing_since.memory.id,
    ]
    assert f"{waiting.memory.id} contradicts {standing_since.memory.id}" in str(refused.value)


@requirement("conflict.what-blocks-is-listed")
def test_a_claim_accepted_later_is_noted_against_the_candidates(holdfast: Holdfast) -> None:
    by_words, by_key = proposed(holdfast, NEW), proposed(holdfast, "Ask Ada.", key="port")
    far = proposed(holdfast, "The API logs to stdout.")

    old = said(holdfast, OLD, key="port")

    with holdfast.store.reading() as tx:
        links = tx.links.touching(old.memory.id)
    assert {(one.src, one.kind) for one in links} == {
        (by_words.memory.id, LinkKind.CONTRADICTS),
        (by_key.memory.id, LinkKind.CONTRADICTS),
    }
    assert far.memory.id not in {one.candidate.memory.id for one in still_open(holdfast)}


def test_an_approved_claim_is_noted_against_the_other_candidates(holdfast: Holdfast) -> None:
    first, second = proposed(holdfast, OLD), proposed(holdfast, NEW)

    Curation(holdfast).approve(Approve(references=(first.memory.id,), by="ada"))

    [conflict] = still_open(holdfast)
    assert conflict.candidate.memory.id == second.memory.id
    assert conflict.standing.memory.id == first.memory.id


def test_an_expired_candidate_and_a_settled_pair_are_not_noted(
    holdfast: Holdfast, clock: FixedClock
) -> None:
    proposed(holdfast, NEW, keep_for=timedelta(hours=1))
    clock.advance(hours=2)
    old = said(holdfast, OLD)
    kept = proposed(holdfast, "The API listens on port 7000.")
    linked(holdfast, kept, old, LinkKind.COMPATIBLE)

    noted(holdfast, old)

    assert still_open(holdfast) == []


def test_many_accepted_claims_are_compared_with_the_few_candidates(
    holdfast: Holdfast, clock: FixedClock
) -> None:
    lapsed = proposed(holdfast, NEW, keep_for=timedelta(hours=1))
    clock.advance(hours=2)
    earlier = said(holdfast, OLD)
    waiting = proposed(holdfast, "The API listens on port 7070.")
    others = [said(holdfast, f"Service {name} logs to stdout.") for name in ("a", "b")]
    later = said(holdfast, "The API listens on port 6060.")

    with holdfast.store.reading() as tx:
        found = list(waiting_against([later, *others], tx=tx, now=clock.now(), heuristics=ENGLISH))

    assert [(one.candidate, one.standing) for one in found] == [(waiting, later)]
    assert {one.candidate.memory.id for one in still_open(holdfast)} >= {waiting.memory.id}
    assert lapsed.memory.id not in {one.candidate.memory.id for one in still_open(holdfast)}
    assert earlier.memory.id in {one.standing.memory.id for one in still_open(holdfast)}


@requirement("conflict.read-in-proportion")
def test_the_links_read_for_open_conflicts_grow_with_the_contradictions(
    holdfast: Holdfast, monkeypatch: pytest.MonkeyPatch
) -> None:
    claims = [said(holdfast, f"Build {number} took {number * 7} minutes.") for number in range(20)]
    pairs = list(combinations(claims, 2))
    for one, other in pairs:
        linked(holdfast, one, other, LinkKind.CONTRADICTS)
    read: list[Link] = []
    among = InMemoryLinks.among

    def counted(self: InMemoryLinks, memory_ids: Collection[MemoryId]) -> Sequence[Link]:
        found = among(self, memory_ids)
        read.extend(found)
        return found

    monkeypatch.setattr(InMemoryLinks, "among", counted)
    monkeypatch.setattr(conflicts, "_LINKS_AT_ONCE", 20)

    assert len(still_open(holdfast, limit=len(pairs))) == len(pairs)
    assert len(read) < 5 * len(pairs)
