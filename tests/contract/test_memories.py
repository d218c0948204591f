"""Memories: written once, read back exactly, found by selections, forgotten permanently."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields, replace
from datetime import timedelta
from typing import Any

import pytest

from holdfast.domain.choices import EvidenceType, Kind, Origin, Scope, Status
from holdfast.domain.errors import (
    AlreadyRememberedError,
    ForgottenError,
    HoldfastError,
    NoSuchError,
    UnstorableTextError,
)
from holdfast.domain.ids import MemoryId, SpanId
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.memory import Memory, Standing, Usage
from holdfast.domain.memory.place import Place, SpaceId
from holdfast.domain.memory.selection import Cursor, Page, Selection, View
from holdfast.domain.refusals import BadCursorError
from holdfast.ports.store.store import Store, Transaction
from tests.builders import HERE, NOON, a_branch_point, a_memory, a_reason, a_span, a_tombstone
from tests.contract.steps import found, hits, keep, memory_id, numbered, read
from tests.requirements import requirement

EVERYTHING = a_memory(
    claim="naïve — 記憶 'quoted' \"twice\"\n  indented\ttabbed\n%_*;--",
    kind=Kind.NAME_ALIAS,
    scope=Scope.WORKSPACE,
    created_at=NOON + timedelta(milliseconds=1),
    evidence=tuple(
        a_reason(type=kind, reference=f"ref {kind.value}", facts={"b": "2", "a": "ü"})
        for kind in EvidenceType
    ),
    origin=Origin.TOOL,
    trust=Origin.WEB,
    source="notes/ä.md",
    space=SpaceId("team"),
    workspace="w",
    repo=None,
    branch=None,
    key="a key: with / signs",
    weight=0.1,
    importance=1 / 3,
    tags=("zeta", "alpha", "größe"),
    expires_at=NOON + timedelta(days=30),
    metadata={"n": 1, "deep": {"list": [1, 2.5, None, True, "x"]}, "ü": "é"},
)
STANDING = Standing(
    status=Status.SUPERSEDED,
    pinned=True,
    label="DEC-001 é",
    superseded_by=MemoryId("m_later"),
    decided_by="ada",
    decided_at=NOON + timedelta(milliseconds=7),
    reason="It moved.",
)


@requirement("store.reads-back-exactly")
@requirement("evidence.every-type-kept")
def test_a_memory_reads_back_exactly_as_it_was_written(store: Store) -> None:
    written = keep(store, EVERYTHING, standing=STANDING)[0]

    back = read(store, EVERYTHING.id)

    assert back == written
    assert back.memory == EVERYTHING
    assert back.standing == STANDING
    assert back.usage == Usage()
    assert back.added_evidence == ()


@pytest.mark.parametrize("kind", Kind)
def test_every_kind_can_be_kept(store: Store, kind: Kind) -> None:
    keep(store, a_memory(kind=kind))

    assert read(store, a_memory().id).memory.kind is kind


@requirement("memory.order-is-arrival")
def test_a_memory_comes_last_in_sequence_whatever_its_clock_says(store: Store) -> None:
    first, second = keep(store, numbered(2), numbered(1, created_at=NOON - timedelta(days=9)))

    third = keep(store, numbered(0))[0]

    assert first.sequence < second.sequence < third.sequence
    assert found(store, Selection()) == [memory_id(2), memory_id(1), memory_id(0)]


@requirement("memory.order-is-arrival")
def test_a_sequence_is_not_given_twice_even_after_the_last_one_was_forgotten(store: Store) -> None:
    last = keep(store, numbered(1), numbered(2))[-1]
    with store.writing(NOON) as tx:
        tx.memories.forget(a_tombstone(memory_id=memory_id(2)))

    assert keep(store, numbered(3))[0].sequence > last.sequence


def test_a_taken_id_is_refused_and_the_first_memory_stays(store: Store) -> None:
    keep(store, a_memory(claim="first"))

    with pytest.raises(AlreadyRememberedError, match="m_1"):
        keep(store, a_memory(claim="second"))

    assert read(store, MemoryId("m_1")).memory.claim == "first"


def test_a_refused_memory_does_not_spoil_the_rest_of_the_unit_of_work(store: Store) -> None:
    keep(store, numbered(1))

    with store.writing(NOON) as tx:
        with pytest.raises(AlreadyRememberedError):
            tx.memories.add(numbered(1, claim="Again."), Standing())
        tx.memories.add(numbered(2), Standing())

    assert found(store, Selection()) == [memory_id(1), memory_id(2)]
    assert hits(store, "again") == []


def test_an_unknown_id_is_named_in_the_refusal(store: Store) -> None:
    with pytest.raises(NoSuchError, match="No memory has the id m_lost"):
        read(store, MemoryId("m_lost"))


@requirement("input.refused-with-advice")
@pytest.mark.parametrize(
    "look",
    [
        lambda tx: tx.memories.get(MemoryId("\ud800")),
        lambda tx: tx.memories.get_many([MemoryId("\ud800")]),
        lambda tx: tx.memories.find(Selection(tags=frozenset({"\ud800"})), Page()),
        lambda tx: tx.memories.find(Selection(key="\ud800"), Page()),
        lambda tx: tx.memories.find(Selection(branch="\ud800"), Page()),
        lambda tx: tx.names.starting("\ud800", limit=2),
    ],
)
def test_a_read_that_asks_for_half_a_character_is_refused_or_finds_nothing(
    store: Store, look: Callable[[Transaction], object]
) -> None:
    keep(store, numbered(1))

    with store.reading() as tx, suppress(UnstorableTextError, NoSuchError):
        assert not look(tx)

    assert found(store, Selection()) == [memory_id(1)]


@requirement("forget.leaves-tombstone")
def test_a_forgotten_memory_is_gone_and_says_when(store: Store) -> None:
    keep(store, a_memory(claim="Forget the walrus."))

    with store.writing(NOON) as tx:
        tx.memories.forget(a_tombstone(reason="private"))

    with pytest.raises(ForgottenError, match="2026-11-15"):
        read(store, MemoryId("m_1"))
    assert found(store, Selection()) == []
    assert hits(store, "walrus") == []
    with store.reading() as tx:
        assert tx.names.tombstone(MemoryId("m_1")) == a_tombstone(reason="private")
        assert tx.memories.count(Selection()) == 0
        assert tx.finding.words.alike("Forget the walrus.", Selection(), limit=5) == ()


@requirement("forget.leaves-tombstone")
def test_a_forgotten_id_does_not_come_back(store: Store) -> None:
    keep(store, a_memory())
    with store.writing(NOON) as tx:
        tx.memories.forget(a_tombstone())

    with pytest.raises(ForgottenError):
        keep(store, a_memory(claim="Back again."))


def test_a_memory_can_be_forgotten_in_the_unit_of_work_that_wrote_it(store: Store) -> None:
    with store.writing(NOON) as tx:
        tx.memories.add(a_memory(), Standing())
        tx.memories.forget(a_tombstone())

    assert found(store, Selection()) == []


def test_forgetting_takes_the_links_and_added_evidence_along(store: Store) -> None:
    keep(store, numbered(1), numbered(2), numbered(3))
    with store.writing(NOON) as tx:
        tx.anchors.reasons.add(memory_id(1), a_reason(reference="Also this."))
        tx.links.put(Link(src=memory_id(1), dst=memory_id(2), kind="about"))
        tx.links.put(Link(src=memory_id(3), dst=memory_id(1), kind="about"))
        tx.links.put(Link(src=memory_id(3), dst=memory_id(2), kind="about"))

    with store.writing(NOON) as tx:
        tx.memories.forget(a_tombstone(memory_id=memory_id(1)))

    with store.reading() as tx:
        assert tx.links.touching(memory_id(1)) == ()
        assert [link.src for link in tx.links.page(beyond=None, limit=9)] == [memory_id(3)]


def test_forgetting_takes_a_span_along_that_nobody_else_names_or_pinned(store: Store) -> None:
    def citing(number: int, *names: str) -> Memory:
        evidence = tuple(
            a_reason(type=EvidenceType.SPAN, reference=f"{name}.py:1", span=SpanId(name))
            for name in names
        )
        return numbered(number, evidence=evidence)

    with store.writing(NOON) as tx:
        for name in ("s_alone", "s_shared", "s_pinned", "s_added"):
            tx.anchors.spans.put(a_span(id=SpanId(name), pinned=name == "s_pinned"))
        tx.memories.add(citing(1, "s_alone", "s_shared", "s_pinned", "s_unknown"), Standing())
        tx.memories.add(citing(2, "s_shared"), Standing())
        tx.anchors.reasons.add(memory_id(1), citing(3, "s_added").evidence[0])

    with store.writing(NOON) as tx:
        tx.memories.forget(a_tombstone(memory_id=memory_id(1)))

    with store.reading() as tx:
        assert [span.id for span in tx.anchors.spans.page(beyond=None, limit=9)] == [
            "s_pinned",
            "s_shared",
        ]


@pytest.mark.parametrize("forgotten", [True, False])
def test_what_is_not_there_cannot_be_forgotten(store: Store, *, forgotten: bool) -> None:
    expected: type[HoldfastError] = NoSuchError
    if forgotten:
        expected = ForgottenError
        keep(store, a_memory())
        with store.writing(NOON) as tx:
            tx.memories.forget(a_tombstone())

    with store.writing(NOON) as tx, pytest.raises(expected):
        tx.memories.forget(a_tombstone())


@requirement("memory.never-changes")
def test_a_new_standing_leaves_the_memory_and_its_place_as_they_were(store: Store) -> None:
    before = keep(store, EVERYTHING, numbered(2))[0]

    with store.writing(NOON) as tx:
        tx.memories.set_standing(EVERYTHING.id, STANDING)

    assert read(store, EVERYTHING.id) == before.with_standing(STANDING)
    assert found(store, Selection()) == [EVERYTHING.id, memory_id(2)]


def test_a_standing_can_be_taken_back_to_nothing(store: Store) -> None:
    keep(store, a_memory(), standing=STANDING)

    with store.writing(NOON) as tx:
        tx.memories.set_standing(MemoryId("m_1"), Standing())

    assert read(store, MemoryId("m_1")).standing == Standing()


def test_many_are_read_at_once_in_the_order_asked_for(store: Store) -> None:
    keep(store, *(numbered(number) for number in range(1, 6)))
    with store.writing(NOON) as tx:
        tx.memories.set_standing(memory_id(3), STANDING)
        tx.memories.usage.put(memory_id(3), Usage(good=1))
        tx.anchors.reasons.add(memory_id(3), a_reason(reference="Second."))
        tx.anchors.reasons.add(memory_id(3), a_reason(reference="Third."))
        tx.memories.forget(a_tombstone(memory_id=memory_id(4)))

    wanted = [memory_id(number) for number in (5, 3, 9, 4, 1, 3)]
    with store.reading() as tx:
        many = tx.memories.get_many(iter(wanted))
        one_by_one = {each: tx.memories.get(each) for each in (wanted[0], wanted[1], wanted[4])}

        assert list(many.items()) == list(one_by_one.items())
        assert dict(tx.memories.get_many([])) == {}


def test_how_often_a_memory_was_given_is_kept_beside_it(store: Store) -> None:
    before = keep(store, a_memory())[0]
    usage = Usage(access_count=3, last_accessed=NOON, good=2, bad=1)

    with store.writing(NOON) as tx:
        tx.memories.usage.put(MemoryId("m_1"), usage)

    assert read(store, MemoryId("m_1")) == replace(before, usage=usage)


@requirement("key.same-claim-adds-evidence")
def test_one_more_reason_comes_after_those_that_were_there(store: Store) -> None:
    first, second = a_reason(reference="Second."), a_reason(reference="Third.")
    keep(store, a_memory())

    with store.writing(NOON) as tx:
        tx.anchors.reasons.add(MemoryId("m_1"), first)
        tx.anchors.reasons.add(MemoryId("m_1"), second)

    assert read(store, MemoryId("m_1")).added_evidence == (first, second)
    assert read(store, MemoryId("m_1")).memory == a_memory()


@requirement("key.same-claim-adds-evidence")
def test_the_same_reason_twice_is_kept_once(store: Store) -> None:
    keep(store, a_memory())
    reason = a_reason(reference="Again.", facts={"by": "agent"})

    for _ in range(2):
        with store.writing(NOON) as tx:
            tx.anchors.reasons.add(MemoryId("m_1"), reason)
            tx.anchors.reasons.add(MemoryId("m_1"), a_memory().evidence[0])

    assert read(store, MemoryId("m_1")).added_evidence == (reason,)


def _set_standing(tx: Transaction, wanted: MemoryId) -> None:
    tx.memories.set_standing(wanted, Standing())


def _set_usage(tx: Transaction, wanted: MemoryId) -> None:
    tx.memories.usage.put(wanted, Usage())


def _add_evidence(tx: Transaction, wanted: MemoryId) -> None:
    tx.anchors.reasons.add(wanted, a_reason())


@pytest.mark.parametrize("change", [_set_standing, _set_usage, _add_evidence])
def test_what_is_not_there_cannot_be_changed(store: Store, change: Any) -> None:
    keep(store, numbered(1))
    with store.writing(NOON) as tx:
        tx.memories.forget(a_tombstone(memory_id=memory_id(1)))

        with pytest.raises(ForgottenError):
            change(tx, memory_id(1))
        with pytest.raises(NoSuchError):
            change(tx, memory_id(2))


TWIN = numbered(
    1,
    space=SpaceId("team"),
    workspace="w",
    scope=Scope.WORKSPACE,
    kind=Kind.RULE,
    origin=Origin.AGENT,
    tags=("auth", "tokens"),
    key="rotation",
    source="notes.md",
    claim="Tokens rotate hourly.",
    expires_at=NOON,
    branch="feature",
    branch_point=a_branch_point(),
)
TWIN_STANDING = Standing(
    status=Status.CANDIDATE, pinned=True, label="DEC-001", superseded_by=memory_id(9)
)
SELECTIONS = [
    Selection(space=SpaceId("team")),
    Selection(place=Place(space=SpaceId("team"), workspace="w")),
    Selection(scopes=frozenset({Scope.WORKSPACE, Scope.GLOBAL})),
    Selection(kinds=frozenset({Kind.RULE, Kind.PLAN})),
    Selection(statuses=frozenset({Status.CANDIDATE})),
    Selection(origins=frozenset({Origin.AGENT})),
    Selection(tags=frozenset({"tokens", "auth"})),
    Selection(key="rotation"),
    Selection(labels=frozenset({"DEC-001"})),
    Selection(source="notes.md"),
    Selection(near_claim="the TOKENS rotate, hourly"),
    Selection(superseded_by=memory_id(9)),
    Selection(pinned=True),
    Selection(expired_at=NOON),
    Selection(branch="feature"),
    Selection(branch="calm", view=View(renamed={"feature": "calm", "other": "loud"})),
]
OTHERS = [
    Selection(place=HERE),
    Selection(pinned=False),
    Selection(recallable_at=NOON),
    Selection(statuses=frozenset({Status.ACCEPTED})),
    Selection(as_of=NOON),
    Selection(recallable_at=NOON, own=frozenset({memory_id(1)})),
    Selection(view=View(unseen=frozenset({a_branch_point(), a_branch_point(branch=None)}))),
]


def test_every_field_of_a_selection_is_tried_here() -> None:
    tried = {
        field.name
        for selection in [*SELECTIONS, *OTHERS]
        for field in fields(Selection)
        if getattr(selection, field.name) != field.default
    }

    assert tried == {field.name for field in fields(Selection)}


def said(selection: Selection) -> str:
    """Return the fields a selection restricts: a test id that is equal in every process."""
    restricted = [
        field.name for field in fields(Selection) if getattr(selection, field.name) != field.default
    ]
    return "+".join(restricted) or "everything"


@pytest.mark.parametrize("selection", SELECTIONS, ids=said)
def test_a_selection_takes_the_one_that_fits_and_leaves_the_other(
    store: Store, selection: Selection
) -> None:
    keep(store, TWIN, standing=TWIN_STANDING)
    keep(store, numbered(2))

    with store.reading() as tx:
        taken = tx.memories.find(selection, Page())
        assert [record.memory.id for record in taken] == [memory_id(1)]
        assert tx.memories.count(selection) == 1
    assert selection.takes(taken[0])


@pytest.mark.parametrize("selection", OTHERS, ids=said)
def test_a_selection_leaves_the_one_that_does_not_fit(store: Store, selection: Selection) -> None:
    keep(store, TWIN, standing=TWIN_STANDING)
    keep(store, numbered(2))

    assert found(store, selection) == [memory_id(2)]


@requirement("scope.reaches-its-place")
def test_a_place_is_reached_by_its_own_and_by_what_is_everywhere(store: Store) -> None:
    keep(
        store,
        numbered(1, scope=Scope.GLOBAL, repo=None),
        numbered(2, scope=Scope.WORKSPACE, repo=None),
        numbered(3, scope=Scope.REPO),
        numbered(4, scope=Scope.REPO, repo="github.com/acme/other"),
        numbered(5, scope=Scope.GLOBAL, space=SpaceId("other")),
        numbered(6, scope=Scope.REPO, repo=None),
    )

    assert found(store, Selection(place=HERE)) == [memory_id(n) for n in (1, 2, 3)]
    assert found(store, Selection(place=Place())) == [memory_id(n) for n in (1, 2)]


@requirement("recall.expired-never-returned")
@requirement("recall.candidate-never-returned")
@requirement("recall.superseded-never-returned")
def test_only_what_is_accepted_and_still_true_is_recallable(store: Store) -> None:
    for number, status in enumerate(Status):
        keep(store, numbered(number), standing=Standing(status=status))
    keep(store, numbered(10, expires_at=NOON), numbered(11, expires_at=NOON + timedelta(seconds=1)))
    keep(store, numbered(12, expires_at=NOON), standing=Standing(pinned=True))

    accepted = list(Status).index(Status.ACCEPTED)
    assert found(store, Selection(recallable_at=NOON)) == [
        memory_id(number) for number in (accepted, 11, 12)
    ]


@requirement("store.pages-never-overlap")
@pytest.mark.parametrize("oldest_first", [True, False])
@pytest.mark.parametrize("limit", [1, 2, 3, 7, 50])
def test_pages_never_overlap_and_leave_nothing_out(
    store: Store, limit: int, *, oldest_first: bool
) -> None:
    keep(store, *(numbered(n, kind=Kind.FACT if n % 3 else Kind.RULE) for n in range(10)))
    selection = Selection(kinds=frozenset({Kind.FACT}))

    seen: list[MemoryId] = []
    beyond = None
    with store.reading() as tx:
        while page := tx.memories.find(
            selection, Page(limit=limit, beyond=beyond, oldest_first=oldest_first)
        ):
            assert len(page) <= limit
            seen += [record.memory.id for record in page]
            beyond = page.beyond

    in_order = [memory_id(n) for n in range(10) if n % 3]
    assert seen == (in_order if oldest_first else in_order[::-1])


@requirement("store.pages-never-overlap")
@pytest.mark.parametrize("oldest_first", [True, False])
def test_a_cursor_stays_valid_when_the_memory_it_was_made_at_is_forgotten(
    store: Store, *, oldest_first: bool
) -> None:
    keep(store, *(numbered(n) for n in range(4)))
    page = Page(limit=2, oldest_first=oldest_first)
    with store.writing(NOON) as tx:
        first = tx.memories.find(Selection(), page)
        tx.memories.forget(a_tombstone(memory_id=first[-1].memory.id))

        rest = tx.memories.find(Selection(), replace(page, beyond=first.beyond))

    wanted = [memory_id(2), memory_id(3)] if oldest_first else [memory_id(1), memory_id(0)]
    assert [record.memory.id for record in rest] == wanted
    with store.reading() as tx:
        assert tx.memories.find(Selection(), replace(page, beyond=rest.beyond)) == ()
        assert tx.memories.find(Selection(key="none"), page).beyond is None


@pytest.mark.parametrize("cursor", ["", "-1", "after ", "after Ü", "²", "9" * 40, "elsewhere:7"])
def test_a_cursor_that_the_store_did_not_make_is_refused(store: Store, cursor: str) -> None:
    keep(store, numbered(1))

    with store.reading() as tx:
        with pytest.raises(BadCursorError, match="first page"):
            tx.memories.find(Selection(), Page(beyond=Cursor(cursor)))
        with pytest.raises(BadCursorError):
            tx.finding.meaning.lacking("any", beyond=Cursor(cursor), limit=1)


@requirement("store.pages-never-overlap")
def test_a_memory_written_between_two_pages_does_not_shift_them(store: Store) -> None:
    keep(store, *(numbered(n) for n in range(4)))
    with store.reading() as tx:
        first = tx.memories.find(Selection(), Page(limit=2))

    keep(store, numbered(9))

    with store.reading() as tx:
        second = tx.memories.find(Selection(), Page(limit=2, beyond=first.beyond))
    assert [record.memory.id for record in [*first, *second]] == [
        memory_id(n) for n in (3, 2, 1, 0)
    ]


def test_a_page_of_none_is_empty(store: Store) -> None:
    keep(store, numbered(1))

    assert found(store, Selection(), Page(limit=0)) == []


def test_a_record_that_is_found_is_whole(store: Store) -> None:
    keep(store, EVERYTHING, standing=STANDING)
    with store.writing(NOON) as tx:
        tx.anchors.reasons.add(EVERYTHING.id, a_reason(reference="Also."))
        tx.memories.usage.put(EVERYTHING.id, Usage(good=1))

    with store.reading() as tx:
        assert tx.memories.find(Selection(), Page()) == (tx.memories.get(EVERYTHING.id),)
