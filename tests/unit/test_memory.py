from __future__ import annotations

import dataclasses
import hashlib
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.domain.choices import Status
from holdfast.domain.errors import BadFieldError, BlankClaimError, NoEvidenceError, TooLargeError
from holdfast.domain.memory.memory import LONGEST_CLAIM, MOST_EVIDENCE, MOST_TAGS, Standing
from tests.builders import NOON, a_memory, a_reason, a_record
from tests.requirements import requirement


@given(seconds=st.integers(-10_000, 10_000))
def test_a_memory_lives_strictly_until_it_expires(seconds: int) -> None:
    memory = a_memory(expires_at=NOON)

    assert memory.is_live_at(NOON + timedelta(seconds=seconds)) is (seconds < 0)


@pytest.mark.parametrize("claim", ["", "  ", "\n"])
def test_a_blank_claim_is_refused(claim: str) -> None:
    with pytest.raises(BlankClaimError):
        a_memory(claim=claim)


@requirement("evidence.required")
def test_a_claim_without_evidence_is_refused_with_the_ways_to_give_some() -> None:
    with pytest.raises(NoEvidenceError, match="needs evidence"):
        a_memory(evidence=())


@requirement("gate.size-capped")
def test_more_evidence_than_anybody_reads_is_refused() -> None:
    one = a_memory().evidence[0]

    with pytest.raises(BadFieldError, match=f"at most {MOST_EVIDENCE}"):
        a_memory(evidence=(one,) * (MOST_EVIDENCE + 1))


@requirement("gate.size-capped")
def test_a_claim_is_kept_up_to_the_cap_and_refused_beyond_it() -> None:
    assert len(a_memory(claim="x" * LONGEST_CLAIM).claim) == LONGEST_CLAIM

    with pytest.raises(TooLargeError, match="Shorten it to the claim"):
        a_memory(claim="é" * (LONGEST_CLAIM // 2 + 1))


@requirement("memory.never-changes")
def test_a_memory_cannot_be_changed_after_it_was_made() -> None:
    memory = a_memory()

    for field in dataclasses.fields(memory):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(memory, field.name, None)


@pytest.mark.parametrize("key", ["refresh-token-rotation", "k", "two words", "Größe/1.2"])
def test_a_key_is_one_line_people_can_read(key: str) -> None:
    assert a_memory(key=key).key == key


@requirement("input.refused-with-advice")
@pytest.mark.parametrize(
    "key", ["", " ", " k", "k ", "a\nb", "a\u2028b", "a\x85b", "a\x00b", "x" * 201]
)
def test_a_key_that_is_not_one_line_is_refused(key: str) -> None:
    with pytest.raises(BadFieldError, match="The key must be one line"):
        a_memory(key=key)


@pytest.mark.parametrize("tag", ["", "two words", "a,b", "x" * 65, "a\n"])
def test_a_tag_that_is_no_word_is_refused(tag: str) -> None:
    with pytest.raises(BadFieldError, match="one short word"):
        a_memory(tags=(tag,))


def test_a_memory_takes_so_many_tags_and_no_more() -> None:
    tags = tuple(f"tag-{number}" for number in range(MOST_TAGS))

    assert a_memory(tags=tags).tags == tags
    with pytest.raises(BadFieldError, match="at most 32"):
        a_memory(tags=(*tags, "one-more"))


@pytest.mark.parametrize("weight", [-0.1, 10.1, float("nan")])
def test_a_weight_out_of_range_is_refused(weight: float) -> None:
    with pytest.raises(BadFieldError, match="The weight must be between 0 and 10"):
        a_memory(weight=weight)


@pytest.mark.parametrize("importance", [-0.1, 1.1, float("nan")])
def test_an_importance_out_of_range_is_refused(importance: float) -> None:
    with pytest.raises(BadFieldError, match="The importance must be between 0 and 1"):
        a_memory(importance=importance)


def test_approval_binds_to_the_exact_bytes_of_the_claim() -> None:
    memory = a_memory(claim="Größe")

    assert memory.content_hash == hashlib.sha256("Größe".encode()).hexdigest()
    assert a_memory(claim="Größe ").content_hash != memory.content_hash


def test_a_record_shows_first_reasons_before_those_that_came_later() -> None:
    first, later = a_reason(reference="first"), a_reason(reference="later")

    record = a_record(a_memory(evidence=(first,)), added_evidence=(later,))

    assert record.evidence == (first, later)


@requirement("memory.never-changes")
def test_a_new_standing_leaves_the_memory_as_it_was() -> None:
    record = a_record()

    moved = record.with_standing(Standing(status=Status.REJECTED))

    assert moved.memory is record.memory
    assert moved.standing.status is Status.REJECTED
    assert record.standing.status is Status.ACCEPTED


@requirement("recall.candidate-never-returned")
@requirement("recall.superseded-never-returned")
@pytest.mark.parametrize("status", Status)
@pytest.mark.parametrize("pinned", [True, False])
def test_only_what_was_accepted_may_be_recalled(status: Status, *, pinned: bool) -> None:
    record = a_record(standing=Standing(status=status, pinned=pinned))

    assert record.may_be_recalled_at(NOON) is (status is Status.ACCEPTED)


@requirement("recall.expired-never-returned")
@pytest.mark.parametrize("pinned", [True, False])
def test_what_has_expired_is_recalled_only_while_it_is_pinned(*, pinned: bool) -> None:
    record = a_record(a_memory(expires_at=NOON), standing=Standing(pinned=pinned))

    assert record.may_be_recalled_at(NOON) is pinned
    assert record.may_be_recalled_at(NOON - timedelta(seconds=1))


@requirement("recall.as-of")
@pytest.mark.parametrize("status", Status)
@pytest.mark.parametrize(
    ("decided_at", "was_later"),
    [(None, False), (NOON, False), (NOON + timedelta(seconds=1), True)],
)
def test_what_was_superseded_later_was_accepted_before(
    status: Status, decided_at: datetime | None, *, was_later: bool
) -> None:
    record = a_record(standing=Standing(status=status, decided_at=decided_at))

    held = status is Status.ACCEPTED or (status is Status.SUPERSEDED and was_later)
    assert record.was_accepted_at(NOON) is held


@requirement("recall.as-of")
def test_what_had_expired_was_not_held_to_be_true_even_if_it_is_pinned() -> None:
    record = a_record(a_memory(expires_at=NOON), standing=Standing(pinned=True))

    assert not record.was_accepted_at(NOON)
    assert record.was_accepted_at(NOON - timedelta(seconds=1))
