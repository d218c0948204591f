from __future__ import annotations

from collections.abc import Callable

import pytest

from holdfast.app import Holdfast
from holdfast.domain.choices import LinkKind, Status
from holdfast.domain.errors import BadFieldError
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.link import Link
from holdfast.domain.review.suspicion import Clash, Suspicion
from holdfast.domain.values import replace
from holdfast.heuristics.english import ENGLISH
from holdfast.usecases.anchors.checking import ViewPorts
from holdfast.usecases.memory.forget import Forget
from holdfast.usecases.review.conflicts import Conflict, conflicts_of, note_conflicts
from holdfast.usecases.review.judging import JudgedConflicts, judge_conflicts
from tests.requirements import requirement
from tests.usecases.wishes import now, proposed, said

OLD, NEW = "The API listens on port 8080.", "The API listens on port 9090."
DOUBT = Suspicion(clash=Clash.JUDGED, reason="it reads so", confidence=0.6)


class PlainJudge:
    """Says of each pair what the test says."""

    name = "plain"

    def __init__(self, says: Callable[[Suspicion | None], Suspicion | None]) -> None:
        self.says = says
        self.asked: list[tuple[str, str]] = []

    def judged(self, newer: str, older: str, found: Suspicion | None) -> Suspicion | None:
        self.asked.append((newer, older))
        return self.says(found)


def judged(holdfast: Holdfast, judge: PlainJudge, *, limit: int = 50) -> JudgedConflicts:
    return judge_conflicts(
        judge=judge,
        store=holdfast.store,
        clock=holdfast.clock,
        ports=ViewPorts(surroundings=holdfast.surroundings, verifier=holdfast.verifier),
        limit=limit,
        heuristics=ENGLISH,
    )


def links(holdfast: Holdfast, memory_id: MemoryId) -> list[str]:
    with holdfast.store.reading() as tx:
        return [link.kind for link in tx.links.touching(memory_id)]


@requirement("conflict.judge-never-resolves")
def test_a_judge_withdraws_a_suspicion_and_decides_nothing(holdfast: Holdfast) -> None:
    old, new = said(holdfast, OLD), proposed(holdfast, NEW)
    with holdfast.store.writing(holdfast.clock.now()) as tx:
        note_conflicts(new, tx=tx, now=holdfast.clock.now(), heuristics=ENGLISH)

    told = judged(holdfast, PlainJudge(lambda _: None))

    assert [one.standing for one in told.withdrawn] == [old]
    assert links(holdfast, new.memory.id) == [LinkKind.WITHDRAWN]
    assert now(holdfast, new).standing.status is Status.CANDIDATE
    assert now(holdfast, old).standing.status is Status.ACCEPTED


@requirement("conflict.judge-never-resolves")
def test_a_judge_adds_a_suspicion_and_decides_nothing(holdfast: Holdfast) -> None:
    old = said(holdfast, "The API tells clients who is on call.")
    new = proposed(holdfast, "Who is on call is known to the pager alone; clients ask it.")

    told = judged(holdfast, PlainJudge(lambda _: DOUBT))

    assert [(one.standing, one.suspicion) for one in told.added] == [(old, DOUBT)]
    with holdfast.store.reading() as tx:
        (found,) = conflicts_of(new, tx=tx, now=holdfast.clock.now(), heuristics=ENGLISH)
    assert (found.suspicion.clash, found.suspicion.confidence) == (Clash.JUDGED, 0.6)
    assert now(holdfast, new).standing.status is Status.CANDIDATE
    assert now(holdfast, old).standing.status is Status.ACCEPTED


def test_a_judge_that_agrees_changes_nothing(holdfast: Holdfast) -> None:
    said(holdfast, OLD)
    new = proposed(holdfast, NEW)
    before = links(holdfast, new.memory.id)

    assert judged(holdfast, PlainJudge(lambda found: found)) == JudgedConflicts()
    assert links(holdfast, new.memory.id) == before


def test_a_judge_is_asked_about_few_pairs_and_not_about_settled_ones(holdfast: Holdfast) -> None:
    for team in ("red", "blue", "green", "grey", "black", "white", "brown"):
        said(holdfast, f"The {team} team answers questions about the API.")
    proposed(holdfast, "Questions about the API are answered in the forum by nobody.")
    judge = PlainJudge(lambda _: None)

    judged(holdfast, judge)

    assert len(judge.asked) == 5
    with pytest.raises(BadFieldError):
        judged(holdfast, judge, limit=0)


def test_what_was_forgotten_while_the_judge_read_is_passed_over(holdfast: Holdfast) -> None:
    old, new = said(holdfast, OLD), proposed(holdfast, NEW)

    def forgetting(_: Suspicion | None) -> Suspicion | None:
        holdfast.memories.forget(Forget(reference=old.memory.id))
        return None

    assert judged(holdfast, PlainJudge(forgetting)) == JudgedConflicts()
    assert links(holdfast, new.memory.id) == []


def test_a_conflict_that_a_judge_added_is_worded_by_it(holdfast: Holdfast) -> None:
    one = said(holdfast, "Backups are encrypted."), proposed(holdfast, "Backups are plain files.")
    two = said(holdfast, "Lunch is at noon."), proposed(holdfast, "Lunch moved to one o'clock.")
    doubts = [
        Conflict(candidate=newer, standing=older, suspicion=DOUBT) for older, newer in (one, two)
    ]
    noted = replace(DOUBT, reason="a judge noted it")
    by_rule = replace(DOUBT, clash=Clash.NUMBER, reason="two numbers")

    told = JudgedConflicts(added=(doubts[0],))

    assert told.worded(replace(doubts[0], suspicion=noted)) == doubts[0]
    assert told.worded(replace(doubts[1], suspicion=noted)).suspicion == noted
    assert told.worded(replace(doubts[0], suspicion=by_rule)).suspicion == by_rule


def test_what_a_judge_noted_is_told_from_what_a_person_noted(holdfast: Holdfast) -> None:
    old, new = said(holdfast, "Lunch is at noon."), proposed(holdfast, "We eat at one o'clock.")
    reasons = []
    for score in (0.6, 1.0):
        link = Link(src=new.memory.id, dst=old.memory.id, kind=LinkKind.CONTRADICTS, score=score)
        with holdfast.store.writing(holdfast.clock.now()) as tx:
            tx.links.put(link)
            found = conflicts_of(new, tx=tx, now=holdfast.clock.now(), heuristics=ENGLISH)
        reasons.append(found[0].suspicion.reason)

    assert [reason.split(" noted")[0] for reason in reasons] == ["a judge", "somebody"]
