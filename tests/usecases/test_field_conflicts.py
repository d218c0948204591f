"""Conflicts between memories with the same text: the fields in which they differ are shown."""

from __future__ import annotations

from datetime import timedelta

from holdfast.app import Holdfast
from holdfast.domain.choices import LinkKind
from holdfast.domain.memory.link import Link
from holdfast.surfaces.wire.review import conflict_json
from tests.builders import NOON
from tests.requirements import requirement
from tests.usecases.wishes import proposed, said


@requirement("conflict.fields-shown")
def test_a_conflict_between_equal_texts_names_the_differing_fields(holdfast: Holdfast) -> None:
    old = said(holdfast, key="one", label="DEC-1", keep_for=timedelta(days=365), tags=("a",))
    new = said(holdfast, key="two", keep_for=timedelta(days=30), tags=("b",), pinned=True)
    link = Link(src=new.memory.id, dst=old.memory.id, kind=LinkKind.CONTRADICTS)
    holdfast.memories.link(link)

    (conflict,) = holdfast.review.conflicts(limit=5)

    far, near = (NOON + timedelta(days=many) for many in (365, 30))
    assert [one.words for one in conflict.fields_alone] == [
        "key two | one",
        "label — | DEC-1",
        f"expires {near:%Y-%m-%d} | {far:%Y-%m-%d}",
        "tags b | a",
        "pin pinned | —",
    ]
    shape = conflict_json(conflict)
    assert shape["fields"] == [
        {"name": one.name, "candidate": one.newer, "standing": one.older}
        for one in conflict.fields_alone
    ]


@requirement("conflict.fields-shown")
def test_other_texts_are_shown_and_their_fields_are_not(holdfast: Holdfast) -> None:
    said(holdfast, "The port is 8080.", tags=("a",))
    proposed(holdfast, "The port is 9090.")

    (conflict,) = holdfast.review.conflicts(limit=5)

    assert conflict.fields_alone == ()
