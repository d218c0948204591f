from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from holdfast.app import Holdfast
from holdfast.domain.choices import Kind, LinkKind, Origin, Status
from holdfast.domain.errors import ForgottenError
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.memory import MemoryRecord
from holdfast.domain.memory.naming import evidence_origins
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.memory.forget import Forget
from holdfast.usecases.memory.remember import Remembered, RememberOutcome
from holdfast.usecases.review.undo import Undo
from tests.builders import FixedClock
from tests.requirements import requirement
from tests.usecases.wishes import a_wish, an_agents_wish, approve, given, now, proposed, said

MONTH = timedelta(days=30)


def _again(holdfast: Holdfast, *stated: str, **fields: Any) -> Remembered:
    fields.setdefault("grounds", Grounds(because="Still true."))
    return holdfast.memories.remember(a_wish(stated=frozenset(stated), by="ada", **fields))


@requirement("claim.person-renews")
@pytest.mark.parametrize("key", [None, "rotation"])
def test_a_person_renews_a_lifetime_by_saying_the_claim_again(
    holdfast: Holdfast, clock: FixedClock, key: str | None
) -> None:
    old = said(holdfast, keep_for=timedelta(seconds=8), key=key, label="DEC-1", tags=("auth",))
    clock.advance(seconds=5)

    again = _again(holdfast, "ttl", keep_for=MONTH, key=key)
    clock.advance(days=1)

    assert (again.outcome, again.changed) == (RememberOutcome.RENEWED, ("ttl",))
    assert given(holdfast) == [again.record.memory.id]
    made = again.record
    assert (made.memory.tags, made.standing.label) == (("auth",), "DEC-1")
    assert [one.reference for one in made.evidence] == ["I decided it.", "Still true."]
    assert now(holdfast, old).standing.superseded_by == made.memory.id


@requirement("claim.person-renews")
@pytest.mark.parametrize(
    ("name", "fields", "expected"),
    [
        ("ttl", {"keep_for": None}, {"expires_at": None}),
        ("tags", {"tags": ("b",)}, {"tags": ("a", "b")}),
        ("importance", {"importance": 0.9}, {"importance": 0.9}),
        ("weight", {"weight": 3.0}, {"weight": 3.0}),
        ("metadata", {"metadata": {"owner": "ada"}}, {"metadata": {"at": "1", "owner": "ada"}}),
        ("kind", {"kind": Kind.RULE}, {"kind": Kind.RULE}),
    ],
)
def test_each_stated_field_is_changed_and_the_others_stay(
    holdfast: Holdfast, name: str, fields: dict[str, Any], expected: dict[str, object]
) -> None:
    old = said(holdfast, key="k", keep_for=MONTH, tags=("a",), metadata={"at": "1"})

    again = _again(holdfast, name, key="k", **fields)

    assert again.changed == (name,)
    own = {"id", "created_at"}
    differs = {
        one: getattr(again.record.memory, one)
        for one in old.memory.__slots__
        if one not in own and getattr(again.record.memory, one) != getattr(old.memory, one)
    }
    assert differs == expected


@requirement("claim.person-renews")
def test_a_default_and_an_equal_field_change_nothing(holdfast: Holdfast) -> None:
    old = said(holdfast, keep_for=MONTH, tags=("a",), importance=0.9)

    by_default = _again(holdfast, keep_for=timedelta(days=1), importance=0.1)
    equal = _again(holdfast, "tags", "importance", tags=("a",), importance=0.9)

    assert by_default.outcome is RememberOutcome.EVIDENCE_ADDED
    assert equal.outcome is RememberOutcome.KNOWN
    assert equal.record.memory == old.memory


@requirement("claim.person-renews")
def test_renewing_can_be_undone(holdfast: Holdfast) -> None:
    old = said(holdfast, keep_for=MONTH)
    again = _again(holdfast, "ttl", keep_for=None)

    undone = holdfast.review.undo(Undo(by="ada"))

    assert again.decision is not None
    assert [one.id for one in undone] == [again.decision.id]
    assert given(holdfast) == [old.memory.id]
    assert now(holdfast, again).standing.status is Status.DEPRECATED


def test_a_renewed_memory_keeps_its_links_its_pin_and_the_origin_of_its_evidence(
    holdfast: Holdfast,
) -> None:
    old = approve(holdfast, proposed(holdfast).memory.id, by="ada")
    other = said(holdfast, "Keys rotate yearly.")
    ours, theirs = old.memory.id, other.memory.id
    holdfast.memories.link(Link(src=theirs, dst=ours, kind=LinkKind.SUPPORTS))
    holdfast.memories.link(Link(src=ours, dst=theirs, kind=LinkKind.COMPATIBLE))

    again = _again(holdfast, "tags", tags=("auth",), pinned=True).record

    assert again.standing.pinned
    assert again.memory.origin is Origin.AGENT
    assert evidence_origins(again) == (Origin.AGENT, Origin.HUMAN)
    related = holdfast.memories.related(again.memory.id, limit=5)
    assert {link.kind for link, _ in related} >= {LinkKind.SUPPORTS, LinkKind.COMPATIBLE}


@requirement("claim.agent-renews-nothing")
def test_an_agent_changes_no_field_of_a_persons_memory_and_is_told_so(holdfast: Holdfast) -> None:
    old = said(holdfast, keep_for=MONTH, label="DEC-1")
    wish = an_agents_wish(
        stated=frozenset({"ttl", "tags"}), tags=("mine",), pinned=True, label="mine"
    )

    offered, known = (holdfast.memories.remember(wish) for _ in range(2))

    assert offered.not_applied == known.not_applied == ("ttl", "tags", "label", "pinned")
    assert known.outcome is RememberOutcome.KNOWN
    assert now(holdfast, old) == old


@requirement("claim.agent-renews-nothing")
def test_an_agent_is_told_that_only_a_person_pins(holdfast: Holdfast) -> None:
    pinned = holdfast.memories.remember(an_agents_wish(pinned=True))
    again = holdfast.memories.remember(an_agents_wish(pinned=True))

    assert pinned.not_applied == again.not_applied == ("pinned",)
    assert _again(holdfast, pinned=True).not_applied == ()


@requirement("forget.earlier-versions")
def test_forgetting_a_renewed_memory_forgets_its_earlier_versions(holdfast: Holdfast) -> None:
    older = said(holdfast, "Tokens rotate daily.", key="rotation")
    old = said(holdfast, key="rotation", keep_for=MONTH)
    new = _again(holdfast, "ttl", key="rotation").record

    gone = holdfast.memories.forget(Forget(reference=new.memory.id))

    assert [one.memory.id for one in gone.earlier] == [old.memory.id]
    assert _is_forgotten(holdfast, old)
    assert not _is_forgotten(holdfast, older)


def _is_forgotten(holdfast: Holdfast, record: MemoryRecord) -> bool:
    try:
        now(holdfast, record)
    except ForgottenError:
        return True
    return False
