"""Review: what waits, in order, with all a person needs."""

from __future__ import annotations

import pytest

from holdfast.adapters.inmemory.store import InMemoryStore
from holdfast.app import Holdfast
from holdfast.domain.choices import Kind, Origin, Scope, Status
from holdfast.domain.errors import AlreadyDecidedError, BadFieldError
from holdfast.domain.memory.anchor import Verdict
from holdfast.domain.memory.place import Place
from holdfast.domain.review.review import Risk
from holdfast.domain.values import replace
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.memory.preparing import REMOVED
from holdfast.usecases.review.auto_accepting import AUTO_ACCEPT
from holdfast.usecases.review.queued import Review
from tests.builders import FixedClock, PlainSurroundings
from tests.requirements import requirement
from tests.usecases.curating import DAILY, PLACE, TRAP, curation, queue, status, torn, trap
from tests.usecases.plain_verifier import PlainVerifier, sighting
from tests.usecases.wishes import given, now, proposed, reject, said


@requirement("review.most-valuable-first")
def test_the_most_valuable_comes_first_and_nothing_is_changed(
    seen: Holdfast, store: InMemoryStore
) -> None:
    result = proposed(seen, "The build took nine minutes.", kind=Kind.RESULT)
    decision = proposed(seen, "Sessions live in Postgres.", kind=Kind.DECISION)
    before = store.upkeep.facts()

    found = queue(seen)

    assert [item.record.memory.id for item in found.items] == [
        decision.memory.id,
        result.memory.id,
    ]
    assert (found.total, found.elsewhere) == (2, 0)
    assert store.upkeep.facts() == before


@requirement("review.most-valuable-first")
def test_those_after_the_page_come_in_short_and_in_their_order(seen: Holdfast) -> None:
    result = proposed(seen, "The build took nine minutes.", kind=Kind.RESULT)
    decision = proposed(seen, "Sessions live in Postgres.", kind=Kind.DECISION)
    fact = proposed(seen, "The port is open.", kind=Kind.RESULT)

    found = seen.review.review(Review(limit=1, also=1))
    whole = seen.review.review(Review(limit=1, also=9))

    assert [item.record.memory.id for item in found.items] == [decision.memory.id]
    assert [one.memory.id for one in found.after] == [result.memory.id]
    assert [one.memory.id for one in whole.after] == [result.memory.id, fact.memory.id]
    assert seen.review.review(Review(limit=1)).after == ()


@requirement("review.shows-everything")
def test_a_candidate_is_shown_with_verdict_conflict_and_what_it_would_replace(
    seen: Holdfast,
) -> None:
    old, new = torn(seen, grounds=PLACE)

    (item,) = queue(seen).items

    assert item.record.memory.id == new.memory.id
    assert [one.sighting.verdict for one in item.checked] == [Verdict.FRESH]
    (conflict,) = item.against.conflicts
    assert conflict.standing.memory.id == old.memory.id
    assert conflict.suspicion.reason
    assert [one.memory.id for one in item.against.rivals] == [old.memory.id]
    assert ("it contradicts an accepted memory", 2.0) in item.worth.parts


@requirement("review.shows-everything")
@pytest.mark.parametrize(
    ("verdict", "mark"),
    [
        (Verdict.ORPHANED, "its evidence is gone"),
        (Verdict.DRIFTED, "its evidence has changed since"),
    ],
)
def test_what_rotted_while_it_waited_is_marked(
    seen: Holdfast, verifier: PlainVerifier, verdict: Verdict, mark: str
) -> None:
    trap(seen)
    verifier.seen["src/app.py:1-2"] = sighting(verdict, "src/app.py", 1, 2)

    (item,) = queue(seen).items

    assert item.marks == (mark,)
    assert item.danger.risk is Risk.MEDIUM


@requirement("curation.gone-evidence-left")
@pytest.mark.parametrize(
    ("other", "is_unfounded", "marks"),
    [
        (Verdict.FRESH, False, ("some of its evidence is gone",)),
        (Verdict.MOVED, False, ("some of its evidence is gone",)),
        (Verdict.UNVERIFIABLE, True, ("its evidence is gone",)),
        (
            Verdict.DRIFTED,
            True,
            ("its evidence is gone", "its evidence has changed since"),
        ),
    ],
)
def test_evidence_is_gone_if_none_that_can_be_checked_holds(
    seen: Holdfast,
    verifier: PlainVerifier,
    other: Verdict,
    is_unfounded: bool,  # noqa: FBT001 - a parameter of the test
    marks: tuple[str, ...],
) -> None:
    trap(seen, grounds=Grounds(places=("src/app.py:1-2", "src/app.py:3")))
    verifier.seen["src/app.py:1-2"] = sighting(Verdict.ORPHANED, "src/app.py", 1, 2)
    verifier.seen["src/app.py:3"] = sighting(other, "src/app.py", 3, 3)

    (item,) = queue(seen).items

    assert (item.is_unfounded, item.marks) == (is_unfounded, marks)


@requirement("review.shows-everything")
def test_what_a_person_said_since_is_marked_as_known(seen: Holdfast) -> None:
    trap(seen)
    own = said(seen, TRAP, kind=Kind.RULE)

    (item,) = queue(seen).items

    assert item.known is not None
    assert item.known.memory.id == own.memory.id
    assert item.marks == ("an accepted memory says the same by now",)


@requirement("review.shows-everything")
def test_what_was_rejected_before_is_marked_and_no_setting_accepts_it(
    seen: Holdfast, surroundings: PlainSurroundings
) -> None:
    surroundings.files["src/app.py"] = CODE
    first = trap(seen)
    reject(seen, first.memory.id, by="ada", reason="It hangs once.")
    again = trap(seen)

    (item,) = queue(seen).items

    assert item.record.memory.id == again.memory.id
    assert item.marks == (f"it was rejected before as {first.memory.id}: It hangs once.",)
    assert curation(seen).auto_accept().decision is None


def test_what_another_repository_says_is_not_known_here(
    seen: Holdfast, surroundings: PlainSurroundings
) -> None:
    surroundings.at = Place(repo="elsewhere")
    said(seen, TRAP)
    surroundings.at = PlainSurroundings().at
    trap(seen)

    (item,) = queue(seen).items

    assert item.known is None


def test_only_what_is_asked_for_is_shown(seen: Holdfast) -> None:
    low = trap(seen)
    rule = proposed(seen, "Always sign commits.", kind=Kind.RULE, source="b")
    tool = proposed(seen, "The port is open.", origin=Origin.TOOL)
    _, new = torn(seen)

    def names(**changes: object) -> set[str]:
        return {item.record.memory.id for item in queue(seen, **changes).items}

    assert names(kinds=frozenset({Kind.RULE})) == {rule.memory.id}
    assert names(source="b") == {rule.memory.id}
    assert names(origins=frozenset({Origin.TOOL})) == {tool.memory.id}
    assert names(most_risk=Risk.LOW) == {low.memory.id}
    assert names(most_risk=Risk.MEDIUM) == {low.memory.id, new.memory.id}
    assert names(is_conflicting=True) == {new.memory.id}
    assert names(references=(rule.memory.id[:29],)) == {rule.memory.id}


@requirement("review.bound-to-what-was-shown")
def test_a_list_that_is_cut_has_no_hash_for_all_of_it(seen: Holdfast) -> None:
    trap(seen)
    proposed(seen, "The port is open.")

    whole, cut = queue(seen), queue(seen, limit=1)

    assert whole.shown
    assert (cut.total, len(cut.items), cut.shown) == (2, 1, "")


def test_the_pages_of_a_list_follow_each_other(seen: Holdfast) -> None:
    trap(seen)
    proposed(seen, "The port is open.")

    pages = [queue(seen, limit=1, skip=skip).items for skip in range(3)]

    assert [len(items) for items in pages] == [1, 1, 0]
    assert (*pages[0], *pages[1]) == queue(seen).items


def test_what_waits_elsewhere_is_counted_and_can_be_shown(
    seen: Holdfast, surroundings: PlainSurroundings
) -> None:
    trap(seen)
    surroundings.at = Place(repo="elsewhere")

    here, everywhere = queue(seen), queue(seen, is_everywhere=True)

    assert (len(here.items), here.elsewhere) == (0, 1)
    assert (len(everywhere.items), everywhere.elsewhere) == (1, 0)


def test_without_a_repository_to_ask_nothing_is_said_about_evidence(holdfast: Holdfast) -> None:
    trap(holdfast)

    (item,) = queue(holdfast).items

    assert item.checked == ()
    assert item.danger.risk is Risk.MEDIUM


def test_a_repository_that_cannot_be_read_is_noted(seen: Holdfast, verifier: PlainVerifier) -> None:
    trap(seen)
    verifier.is_broken = True

    found = queue(seen)

    assert len(found.items) == 1
    assert "evidence was not checked" in found.notes[0]


def test_only_candidates_can_be_reviewed_and_not_too_many(seen: Holdfast) -> None:
    own = said(seen)

    with pytest.raises(AlreadyDecidedError):
        queue(seen, references=(own.memory.id,))
    with pytest.raises(BadFieldError):
        queue(seen, limit=0)


CODE = "token = replay(family, tokens)\npool.block(revoke(family))\nthree\n"


@requirement("review.auto-accept-is-anchored")
def test_a_setting_accepts_no_claim_that_its_lines_do_not_bear(seen: Holdfast) -> None:
    low = trap(seen)

    assert queue(seen).items[0].danger.risk is Risk.LOW
    assert curation(seen).auto_accept().decision is None
    assert status(seen, low) is Status.CANDIDATE


@requirement("review.risk-tiers")
def test_a_setting_accepts_what_is_of_low_risk_in_its_own_name(
    seen: Holdfast, clock: FixedClock, surroundings: PlainSurroundings
) -> None:
    surroundings.files["src/app.py"] = CODE
    low = trap(seen)
    rule = proposed(seen, "Always sign commits.", kind=Kind.RULE)
    clock.advance(hours=1)

    decided = curation(seen).auto_accept()

    assert [record.memory.id for record in decided.records] == [low.memory.id]
    assert now(seen, low).standing.decided_by == AUTO_ACCEPT
    assert status(seen, rule) is Status.CANDIDATE
    assert given(seen, "replaying a token") == [low.memory.id]


@requirement("review.risk-tiers")
def test_a_setting_accepts_nothing_that_is_doubtful_contradicts_or_is_known(
    seen: Holdfast, verifier: PlainVerifier, surroundings: PlainSurroundings
) -> None:
    surroundings.files["src/app.py"] = CODE
    said(seen, "Tokens rotate every hour.", key="rotation")
    trap(seen, DAILY, key="rotation")
    trap(seen, scope=Scope.GLOBAL)
    said(seen, TRAP, scope=Scope.GLOBAL, kind=Kind.FACT)
    trap(seen, "Closing the pool twice blocks.", grounds=PLACE)
    verifier.seen["src/app.py:1-2"] = sighting(Verdict.FRESH, "src/app.py", 1, 2)

    assert curation(seen).auto_accept().records[0].memory.claim == "Closing the pool twice blocks."
    assert curation(seen).auto_accept().decision is None


@requirement("review.shows-everything")
def test_hidden_characters_that_were_taken_out_are_told_to_whoever_reviews(
    seen: Holdfast,
) -> None:
    proposed(seen, "Tokens\u200b rotate\u202e hourly.")
    own = said(seen, "We\u200b deploy on Tuesdays.")

    (item,) = queue(seen).items

    told = item.record.memory.metadata[REMOVED]
    assert told == "1 × U+200B ZERO WIDTH SPACE, 1 × U+202E RIGHT-TO-LEFT OVERRIDE"
    assert own.memory.metadata == {}


@requirement("review.shows-everything")
def test_a_way_that_takes_all_names_no_single_opponent(seen: Holdfast) -> None:
    old, _ = torn(seen)
    (item,) = queue(seen).items
    twice = replace(item, against=replace(item.against, conflicts=item.against.conflicts * 2))
    none = replace(item, against=replace(item.against, conflicts=()))

    assert item.opponent(takes_all=True) == item.opponent(takes_all=False) == old.memory.id
    assert twice.opponent(takes_all=False) == old.memory.id
    assert twice.opponent(takes_all=True) is none.opponent(takes_all=False) is None
