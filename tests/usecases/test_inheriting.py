"""A memory that replaces another one takes over what people decided about the subject."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from holdfast.app import Holdfast
from holdfast.domain.choices import Kind, LinkKind, Status
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.memory import MemoryRecord, Standing
from holdfast.domain.values import replace
from holdfast.heuristics.english import ENGLISH
from holdfast.usecases.memory.remember import RememberOutcome
from holdfast.usecases.naming import memory_id
from holdfast.usecases.review.resolve import ResolutionWay, Resolve
from holdfast.usecases.review.tidying import Consolidate, consolidate
from holdfast.usecases.review.undo import Undo
from tests.requirements import requirement
from tests.usecases.curating import approved, curation
from tests.usecases.wishes import a_wish, an_agents_wish, now, proposed, said

OLD, NEW = "The port of staging is 4711.", "The port of staging is 4712."
NAMED: dict[str, Any] = {"key": "port", "label": "P-1", "pinned": True}


def named(holdfast: Holdfast) -> MemoryId:
    """Return the id of the memory that has the label."""
    with holdfast.store.reading() as tx:
        return memory_id(tx, "P-1")


def decided(standing: Standing) -> tuple[str | None, bool]:
    return standing.label, standing.pinned


def edited_in_a_page(holdfast: Holdfast) -> tuple[MemoryRecord, MemoryRecord]:
    """What stands, and a candidate that would replace it and contradicts nothing."""
    old = said(holdfast, "Alice owns billing.", label="P-1", pinned=True)
    new = proposed(holdfast, "Invoices are sent at noon.")
    with holdfast.store.writing(holdfast.clock.now()) as tx:
        link = Link(src=new.memory.id, dst=old.memory.id, kind=LinkKind.SUPERSEDES)
        tx.links.put(link)
    return old, new


@requirement("key.inherits")
def test_a_new_claim_takes_over_what_its_request_does_not_give(holdfast: Holdfast) -> None:
    fields: dict[str, Any] = {
        "kind": Kind.RULE,
        "tags": ("net", "private"),
        "importance": 0.9,
        "weight": 2.0,
    }
    said(holdfast, OLD, **NAMED, **fields)

    new = holdfast.memories.remember(a_wish(NEW, key="port"))

    memory = new.record.memory
    assert decided(new.record.standing) == ("P-1", True)
    assert {name: getattr(memory, name) for name in fields} == fields
    assert new.inherited == ("label", "pinned", *fields)
    assert named(holdfast) == memory.id


@requirement("key.inherits")
def test_what_a_request_gives_is_not_taken_over(holdfast: Holdfast) -> None:
    said(holdfast, OLD, **NAMED, kind=Kind.RULE, tags=("net",), importance=0.9)
    own: dict[str, Any] = {"kind": Kind.FACT, "tags": ("new",), "importance": 0.5}

    new = holdfast.memories.remember(
        a_wish(NEW, key="port", label="P-2", stated=frozenset(own), **own)
    )

    assert decided(new.record.standing) == ("P-2", True)
    assert {name: getattr(new.record.memory, name) for name in own} == own
    assert new.inherited == ("pinned",)


@requirement("key.inherits")
def test_the_lifetime_belongs_to_the_claim_and_is_not_taken_over(holdfast: Holdfast) -> None:
    said(holdfast, OLD, key="port", keep_for=timedelta(days=5))

    assert said(holdfast, NEW, key="port").memory.expires_at is None


@requirement("key.inherits")
def test_undo_gives_label_and_pin_back_to_the_old_claim(holdfast: Holdfast) -> None:
    old = said(holdfast, OLD, **NAMED)
    holdfast.memories.remember(a_wish(NEW, key="port", by="ada"))

    holdfast.review.undo(Undo(by="ada"))

    assert named(holdfast) == old.memory.id
    assert now(holdfast, old).standing == old.standing


@requirement("key.inherits")
def test_a_proposal_has_neither_pin_nor_label_until_a_person_accepts_it(
    holdfast: Holdfast,
) -> None:
    old = said(holdfast, OLD, **NAMED, tags=("net",))

    new = holdfast.memories.remember(an_agents_wish(NEW, key="port"))

    assert decided(new.record.standing) == (None, False)
    assert (new.record.memory.tags, new.inherited) == (("net",), ("tags",))
    assert named(holdfast) == old.memory.id
    wish = Resolve(reference=new.record.memory.id, by="ada", way=ResolutionWay.SUPERSEDE)
    curation(holdfast).resolve(wish)
    assert decided(now(holdfast, new).standing) == ("P-1", True)
    assert named(holdfast) == new.record.memory.id

    holdfast.review.undo(Undo(by="ada"))

    assert now(holdfast, new).standing == new.record.standing
    assert named(holdfast) == old.memory.id


@requirement("key.inherits")
def test_an_approved_proposal_takes_over_from_what_it_replaces(holdfast: Holdfast) -> None:
    old, new = edited_in_a_page(holdfast)

    approved(holdfast, new)

    assert now(holdfast, old).standing.status is Status.SUPERSEDED
    assert decided(now(holdfast, new).standing) == ("P-1", True)


@requirement("key.inherits")
def test_a_label_given_after_the_decision_survives_its_undo(holdfast: Holdfast) -> None:
    _, new = edited_in_a_page(holdfast)
    approved(holdfast, new)
    with holdfast.store.writing(holdfast.clock.now()) as tx:
        standing = tx.memories.get(new.memory.id).standing
        tx.memories.set_standing(new.memory.id, replace(standing, pinned=False, label="P-9"))

    holdfast.review.undo(Undo(by="ada"))

    assert decided(now(holdfast, new).standing) == ("P-9", False)


@requirement("key.inherits")
def test_the_memory_that_stays_of_duplicates_takes_over_their_pin_and_label(
    holdfast: Holdfast,
) -> None:
    stays = said(holdfast, "Alice owns billing.")
    gone = said(holdfast, "Billing belongs to Alice.", label="P-1", pinned=True)

    wish = Consolidate(references=(stays.memory.id, gone.memory.id), by="ada")
    consolidate(wish, store=holdfast.store, clock=holdfast.clock, heuristics=ENGLISH)

    assert decided(now(holdfast, stays).standing) == ("P-1", True)


@requirement("key.inherits")
@pytest.mark.parametrize("given", [frozenset[str](), frozenset({"tags"})])
def test_an_empty_list_of_tags_removes_none(holdfast: Holdfast, given: frozenset[str]) -> None:
    said(holdfast, OLD, key="port", tags=("private",))

    new = holdfast.memories.remember(a_wish(NEW, key="port", stated=given))

    assert (new.outcome, new.record.memory.tags) == (RememberOutcome.SUPERSEDED, ("private",))
