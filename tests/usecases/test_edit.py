"""Editing: a person's words take the place of what was proposed."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast.app import Holdfast
from holdfast.domain.choices import EvidenceType, LinkKind, Origin, Status
from holdfast.domain.errors import (
    AlreadyDecidedError,
    BadFieldError,
    BlankClaimError,
    ChangedSinceShownError,
    HoldfastError,
    SecretRefusedError,
)
from holdfast.domain.memory.decision import AUTHOR
from holdfast.domain.memory.memory import MOST_EVIDENCE, MemoryRecord
from holdfast.domain.memory.naming import sign
from holdfast.domain.review_errors import SaidAlreadyError, WordsContradictError
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.review.approve import Decided
from holdfast.usecases.review.rewording import Edit
from tests.builders import a_reason
from tests.requirements import requirement
from tests.usecases.curating import HOURLY, curation, queue, status, torn, trap
from tests.usecases.test_curating import care
from tests.usecases.wishes import SECRET, given, now, proposed, reject, said

BETTER = "Replaying a refresh token revokes every token of its family."


def edited(holdfast: Holdfast, record: MemoryRecord, claim: str = BETTER, **more: Any) -> Decided:
    wish = Edit(reference=record.memory.id, claim=claim, by="ada", **more)
    return curation(holdfast).edit(wish)


@requirement("memory.never-changes")
def test_an_edit_is_a_new_memory_of_the_person_that_takes_the_candidates_place(
    seen: Holdfast,
) -> None:
    candidate = trap(seen, tags=("auth",), key="replay")

    decided = edited(seen, candidate)

    (made,) = decided.records
    memory = made.memory
    assert (memory.claim, memory.kind, memory.key) == (BETTER, candidate.memory.kind, "replay")
    assert (memory.origin, memory.trust) == (Origin.HUMAN, Origin.AGENT)
    assert (memory.tags, memory.scope) == (("auth",), candidate.memory.scope)
    (first, *_) = memory.evidence
    assert first == sign(candidate.memory.evidence[0], origin=Origin.AGENT, source="bot:1")
    assert memory.evidence[-1].type is EvidenceType.STATEMENT
    assert made.standing.decided_by == "ada"
    old = now(seen, candidate)
    assert (old.standing.status, old.standing.superseded_by) == (Status.SUPERSEDED, memory.id)
    assert old.memory == candidate.memory
    kinds = {link.kind for link, _ in seen.memories.related(memory.id)}
    assert kinds == {LinkKind.DERIVED_FROM, LinkKind.SUPERSEDES}
    assert given(seen, "replaying a refresh token") == [memory.id]


def test_an_accepted_memory_can_be_edited_and_keeps_its_pin_and_label(holdfast: Holdfast) -> None:
    own = said(holdfast, "We deploy on Tuesdays.", pinned=True, label="DEC-001")

    (made,) = edited(holdfast, own, "We deploy on Tuesdays, after the review.").records

    assert (made.standing.pinned, made.standing.label) == (True, "DEC-001")
    assert status(holdfast, own) is Status.SUPERSEDED


@requirement("remote.authors")
def test_the_author_of_new_words_is_the_person_who_wrote_them(seen: Holdfast) -> None:
    bobs = said(seen, "We deploy on Tuesdays.", author="bob", metadata={"team": "web"})
    carols = said(seen, "We deploy after lunch.", author="carol")
    plain = said(seen, "We deploy from main.", metadata={"team": "web"})

    (made,) = edited(seen, bobs, "We deploy on Tuesdays, after the review.").records
    names = (plain.memory.id, carols.memory.id)
    (merged,) = care(seen).consolidate(names, by="ada", text="We deploy main.").records
    own = said(seen, "We test on Mondays.", metadata={"team": "web"})
    (unsigned,) = edited(seen, own, "We test on Mondays, all of us.").records

    assert made.memory.metadata == {"team": "web", AUTHOR: "ada"}
    assert merged.memory.metadata == {"team": "web", AUTHOR: "ada"}
    assert unsigned.memory.metadata == {"team": "web"}


def test_as_much_evidence_is_kept_as_a_memory_may_have(holdfast: Holdfast) -> None:
    reasons = tuple(a_reason(reference=f"reason {number}") for number in range(MOST_EVIDENCE))
    candidate = proposed(holdfast, grounds=Grounds(given=reasons))

    (made,) = edited(holdfast, candidate).records

    assert len(made.memory.evidence) == MOST_EVIDENCE


def test_an_edit_that_says_the_same_is_refused(holdfast: Holdfast) -> None:
    candidate = trap(holdfast)

    with pytest.raises(BadFieldError, match="The claim is unchanged"):
        edited(holdfast, candidate, f"{candidate.memory.claim}\n")


@requirement("claim.correction-is-never-swallowed")
def test_an_edit_may_change_the_case_of_one_letter(holdfast: Holdfast) -> None:
    candidate = trap(holdfast)
    words = candidate.memory.claim.swapcase()

    (made,) = edited(holdfast, candidate, words).records

    assert made.memory.claim == words


def test_what_was_decided_against_cannot_be_edited(holdfast: Holdfast) -> None:
    candidate = trap(holdfast)
    reject(holdfast, candidate.memory.id, by="ada")

    with pytest.raises(AlreadyDecidedError):
        edited(holdfast, candidate)


@requirement("review.bound-to-what-was-shown")
def test_an_edit_is_bound_to_what_was_shown(holdfast: Holdfast) -> None:
    candidate = trap(holdfast)
    (item,) = queue(holdfast).items

    with pytest.raises(ChangedSinceShownError):
        edited(holdfast, candidate, shown_hash="0" * 12)
    edited(holdfast, candidate, shown_hash=item.shown)

    assert status(holdfast, candidate) is Status.SUPERSEDED


@requirement("curation.conflicts-block")
def test_words_that_contradict_what_stands_are_refused_and_nothing_is_changed(
    holdfast: Holdfast,
) -> None:
    old, new = torn(holdfast)

    with pytest.raises(WordsContradictError):
        edited(holdfast, new, "Tokens rotate every week.")

    assert now(holdfast, old) == old
    assert now(holdfast, new) == new


@requirement("edit.no-copy")
def test_a_candidate_is_not_edited_into_a_copy_of_what_it_contradicts(holdfast: Holdfast) -> None:
    old, new = torn(holdfast)

    with pytest.raises(SaidAlreadyError, match=old.memory.id):
        edited(holdfast, new, HOURLY)


def test_a_secret_in_an_edit_is_refused(holdfast: Holdfast) -> None:
    candidate = trap(holdfast)

    with pytest.raises(SecretRefusedError):
        edited(holdfast, candidate, f"The token is {SECRET}")


@requirement("edit.no-copy")
def test_words_that_another_accepted_memory_has_are_refused(holdfast: Holdfast) -> None:
    other = said(holdfast, "Keys rotate yearly.")
    mine = said(holdfast, "Tokens rotate hourly.", key="rotation")

    with pytest.raises(SaidAlreadyError, match=other.memory.id):
        holdfast.review.edit(Edit(reference=mine.memory.id, claim="keys rotate yearly", by="ada"))

    assert now(holdfast, mine) == mine


@requirement("edit.dry-run-refuses-alike")
def test_a_dry_run_refuses_what_the_edit_refuses(holdfast: Holdfast) -> None:
    old, new = torn(holdfast)
    gone = trap(holdfast)
    reject(holdfast, gone.memory.id, by="ada")
    refused: list[tuple[MemoryRecord, str, dict[str, Any], type[HoldfastError]]] = [
        (new, "Tokens rotate every week.", {}, WordsContradictError),
        (new, HOURLY, {}, SaidAlreadyError),
        (new, new.memory.claim, {}, BadFieldError),
        (new, " ", {}, BlankClaimError),
        (new, f"The token is {SECRET}", {}, SecretRefusedError),
        (new, "Fine.", {"shown_hash": "0" * 12}, ChangedSinceShownError),
        (gone, "Fine.", {}, AlreadyDecidedError),
    ]

    for record, claim, more, error in refused:
        for dry_run in (True, False):
            with pytest.raises(error):
                edited(holdfast, record, claim, dry_run=dry_run, **more)

    assert now(holdfast, old) == old


@requirement("edit.dry-run-refuses-alike")
def test_a_dry_run_of_an_edit_changes_nothing(holdfast: Holdfast) -> None:
    old = said(holdfast, HOURLY, key="rotation")

    done = edited(holdfast, old, "Tokens rotate every two hours.", dry_run=True)

    assert (done.records, done.replaced, done.decision) == ((), (old,), None)
    assert now(holdfast, old) == old
    assert edited(holdfast, old, "Tokens rotate every two hours.").decision is not None
