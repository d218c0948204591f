"""Revert: nothing of a source is left, and what it had displaced stands again."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast.adapters.inmemory.store import InMemoryStore
from holdfast.app import Holdfast
from holdfast.domain.choices import Origin, Status
from holdfast.domain.errors import BadFieldError, ForgottenError, StoreFullError
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.memory import MemoryRecord, Standing
from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.review_errors import NothingOfThatSourceError
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.memory.forget import Forget
from holdfast.usecases.review.resolve import ResolutionWay
from holdfast.usecases.review.revert import Revert, Reverted
from holdfast.usecases.review.rewording import Edit
from tests.requirements import requirement
from tests.usecases.curating import a_turn_of, approved, curation, resolved, status, torn, trap
from tests.usecases.wishes import asked, given, now, proposed, reject, said

BOT = "bot:1"


def reverted(holdfast: Holdfast, source: str = BOT, **changes: Any) -> Reverted:
    return curation(holdfast).revert(Revert(source=source, by="ada", **changes))


def recallable(holdfast: Holdfast) -> set[str]:
    with holdfast.store.reading() as tx:
        live = Selection(recallable_at=holdfast.clock.now())
        return {record.memory.id for record in tx.memories.find(live, Page(limit=99))}


def derived_from(record: MemoryRecord) -> Grounds:
    return Grounds(because="I read it.", derived_from=(record.memory.id,))


@requirement("curation.revert-leaves-nothing")
def test_everything_of_a_source_is_rejected_and_nothing_of_it_recalled(
    holdfast: Holdfast,
) -> None:
    waiting, accepted = trap(holdfast), proposed(holdfast, "The port is open.", source=BOT)
    approved(holdfast, accepted)
    edit = Edit(reference=waiting.memory.id, claim="Replay is fatal to tokens.", by="ada")
    (made,) = curation(holdfast).edit(edit).records
    derived = said(holdfast, "Ports are open.", grounds=derived_from(accepted))
    again = said(holdfast, "All ports.", grounds=derived_from(derived))
    own = said(holdfast, "We deploy on Tuesdays.")

    rehearsed = reverted(holdfast, dry_run=True)
    before = recallable(holdfast)
    done = reverted(holdfast, reason="poisoned")

    assert rehearsed.memories == done.memories
    assert own.memory.id in before
    assert recallable(holdfast) == {own.memory.id}
    assert {one.memory.id for one in done.derived} == {
        made.memory.id,
        derived.memory.id,
        again.memory.id,
    }
    assert now(holdfast, accepted).standing.reason == "poisoned"
    assert asked(holdfast, "replay ports tokens").bundle.items == ()
    with pytest.raises(NothingOfThatSourceError):
        reverted(holdfast)


@requirement("curation.revert-leaves-nothing")
def test_what_had_given_way_to_it_stands_again(holdfast: Holdfast) -> None:
    old, new = torn(holdfast)
    resolved(holdfast, new, ResolutionWay.SUPERSEDE)

    done = reverted(holdfast)

    assert [one.memory.id for one in done.restored] == [old.memory.id]
    assert given(holdfast) == [old.memory.id]


def test_what_gave_way_to_it_through_an_edit_stands_again_too(holdfast: Holdfast) -> None:
    old, new = torn(holdfast)
    resolved(holdfast, new, ResolutionWay.SUPERSEDE)
    edit = Edit(reference=new.memory.id, claim="Tokens rotate at noon.", by="ada")
    curation(holdfast).edit(edit)

    reverted(holdfast)

    assert given(holdfast) == [old.memory.id]


def test_what_others_have_replaced_since_stays_replaced(holdfast: Holdfast) -> None:
    old, new = torn(holdfast)
    resolved(holdfast, new, ResolutionWay.SUPERSEDE)
    trap(holdfast)
    own = said(holdfast, "Tokens rotate at noon.", key="rotation")

    done = reverted(holdfast)

    assert done.restored == ()
    assert status(holdfast, old) is Status.SUPERSEDED
    assert given(holdfast) == [own.memory.id]


@requirement("curation.revert-leaves-nothing")
@pytest.mark.parametrize("order", [(1, 2, 3), (3, 2, 1), (2, 3, 1), (2, 1, 3)])
def test_what_was_replaced_meanwhile_does_not_come_back_in_any_order(
    holdfast: Holdfast, order: tuple[int, ...]
) -> None:
    truth = said(holdfast, "Tokens rotate every hour.", key="rotation")
    for number in (1, 2, 3):
        lie = proposed(
            holdfast, f"Tokens rotate every {number} years.", key="rotation", source=f"bot:{number}"
        )
        resolved(holdfast, lie, ResolutionWay.SUPERSEDE)

    for number in order:
        reverted(holdfast, f"bot:{number}")

    assert recallable(holdfast) == {truth.memory.id}
    with pytest.raises(NothingOfThatSourceError):
        reverted(holdfast, "bot:2")


def test_a_successor_that_is_gone_takes_nothing_over(holdfast: Holdfast) -> None:
    old, new = torn(holdfast)
    resolved(holdfast, new, ResolutionWay.SUPERSEDE)
    later = said(holdfast, "Tokens rotate every week.", key="rotation")
    holdfast.memories.forget(Forget(reference=later.memory.id, by="ada", reason=""))

    outcome = reverted(holdfast)

    assert outcome.handed_on == ()
    assert status(holdfast, new) is Status.REJECTED
    assert status(holdfast, old) is Status.SUPERSEDED


@requirement("curation.revert-leaves-nothing")
def test_the_reasons_it_put_behind_others_are_taken_away(holdfast: Holdfast) -> None:
    own = said(holdfast)
    for source, grounds in (
        (BOT, Grounds(given=(a_turn_of("elsewhere"),))),
        ("other", Grounds(given=(a_turn_of(BOT),))),
        ("other", Grounds(given=(a_turn_of("talk"),))),
    ):
        approved(holdfast, proposed(holdfast, grounds=grounds, source=source))
    assert len(now(holdfast, own).added_evidence) == 3

    done = reverted(holdfast)

    assert done.memories == ()
    assert [item.reference for item in now(holdfast, own).added_evidence] == ["talk#3"]
    (record, evidence) = done.strengthened[0]
    assert (record.memory.id, len(evidence)) == (own.memory.id, 2)


@requirement("curation.revert-leaves-nothing")
@requirement("forget.leaves-tombstone")
def test_forgetting_leaves_no_byte_and_cannot_be_undone(holdfast: Holdfast) -> None:
    old, new = torn(holdfast)
    resolved(holdfast, new, ResolutionWay.SUPERSEDE)
    rejected = trap(holdfast)
    reject(holdfast, rejected.memory.id, by="ada")

    done = reverted(holdfast, forgets=True)

    assert {one.memory.id for one in done.memories} == {new.memory.id, rejected.memory.id}
    assert (done.decision, done.not_yet) == (None, "")
    for record in (new, rejected):
        with pytest.raises(ForgottenError):
            now(holdfast, record)
    assert given(holdfast) == [old.memory.id]


def test_bytes_that_could_not_be_removed_yet_are_told(
    holdfast: Holdfast, store: InMemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    trap(holdfast)

    def full(_: object) -> None:
        raise StoreFullError("store")  # noqa: EM101 - a path

    monkeypatch.setattr(type(store.upkeep), "scrub", full)
    done = reverted(holdfast, forgets=True)

    assert "full" in done.not_yet


@requirement("curation.revert-leaves-nothing")
@pytest.mark.parametrize("scrubs", [0, 1], ids=["dry run", "real run"])
def test_forgetting_a_source_that_only_added_evidence_leaves_no_byte_of_it(
    holdfast: Holdfast, store: InMemoryStore, monkeypatch: pytest.MonkeyPatch, scrubs: int
) -> None:
    said(holdfast)
    grounds = Grounds(given=(a_turn_of(BOT),))
    approved(holdfast, proposed(holdfast, grounds=grounds, source="other"))
    scrubbed: list[object] = []

    def scrub(upkeep: object) -> None:
        scrubbed.append(upkeep)

    monkeypatch.setattr(type(store.upkeep), "scrub", scrub)

    done = reverted(holdfast, forgets=True, dry_run=not scrubs)

    assert (done.memories, len(done.strengthened)) == ((), 1)
    assert len(scrubbed) == scrubs


def test_what_points_at_itself_is_not_followed_for_ever(holdfast: Holdfast) -> None:
    one, other = trap(holdfast), proposed(holdfast, "The port is open.", source=BOT)
    outside = said(holdfast, "We deploy on Tuesdays.")
    names = (one.memory.id, other.memory.id)
    with holdfast.store.writing(holdfast.clock.now()) as tx:
        tx.links.put(Link(src=names[0], dst=outside.memory.id, kind="supersedes"))
        for name, successor in (
            (names[0], names[1]),
            (names[1], names[0]),
            (outside.memory.id, names[0]),
        ):
            tx.memories.set_standing(
                name, Standing(status=Status.SUPERSEDED, superseded_by=successor)
            )
        tx.anchors.reasons.add(outside.memory.id, a_turn_of(BOT))

    assert reverted(holdfast).restored == ()


@pytest.mark.parametrize("source", ["", " "])
def test_a_source_must_be_named(holdfast: Holdfast, source: str) -> None:
    trap(holdfast, source="")

    with pytest.raises(BadFieldError, match="source"):
        reverted(holdfast, source)


def test_a_source_that_nothing_came_from_is_told(holdfast: Holdfast) -> None:
    trap(holdfast, origin=Origin.WEB)

    with pytest.raises(NothingOfThatSourceError, match="'nobody'"):
        reverted(holdfast, "nobody")
