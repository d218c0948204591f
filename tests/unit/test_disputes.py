from __future__ import annotations

from typing import Any

import pytest

from holdfast.domain.choices import LinkKind
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.link import Link
from holdfast.domain.recall.bundle import DISPUTED, Reason
from holdfast.domain.recall.ranking import Scored
from holdfast.domain.recall.rendering import BlockForm, item_block
from holdfast.domain.recall.resolution import Amended, disputed
from tests.builders import NOON, a_memory, a_record


def scored(number: int) -> Scored:
    memory = a_memory(id=MemoryId(f"m_{number}"))
    return Scored(
        record=a_record(memory, sequence=number),
        score=0.5,
        reasons=(Reason(leg="words", amount=0.5),),
        answers=True,
    )


def a_link(src: int, dst: int, **changes: Any) -> Link:
    fields: dict[str, Any] = {"kind": LinkKind.CONTRADICTS}
    return Link(src=MemoryId(f"m_{src}"), dst=MemoryId(f"m_{dst}"), **(fields | changes))


def notes(*links: Link) -> list[list[str]]:
    found = disputed([scored(1), scored(2), scored(3)], links)
    return [[one.note for one in item.reasons if one.leg == DISPUTED] for item in found]


def test_both_ends_of_an_open_contradiction_say_so() -> None:
    assert notes(a_link(1, 3)) == [
        ["contradicts m_3; nobody has decided"],
        [],
        ["contradicts m_1; nobody has decided"],
    ]


@pytest.mark.parametrize("kind", [LinkKind.COMPATIBLE, LinkKind.SUPERSEDES, LinkKind.WITHDRAWN])
def test_what_was_decided_is_not_disputed(kind: LinkKind) -> None:
    assert notes(a_link(1, 3), a_link(3, 1, kind=kind)) == [[], [], []]


def test_other_links_and_memories_that_are_not_given_are_no_dispute() -> None:
    assert notes(a_link(1, 2, kind=LinkKind.RELATED), a_link(1, 9)) == [[], [], []]


def test_the_note_is_a_line_of_the_answer() -> None:
    item = disputed([scored(1), scored(2)], [a_link(1, 2)])[0]

    block = item_block(1, item.record, item.reasons, form=BlockForm(at=NOON))

    assert "   disputed: contradicts m_2; nobody has decided" in block.splitlines()


def test_what_the_answer_marks_as_superseded_is_not_called_disputed_too() -> None:
    newer = Amended(older=MemoryId("m_1"), newer=MemoryId("m_3"))

    found = disputed([scored(1), scored(3)], [a_link(1, 3)], [newer])

    assert [one for item in found for one in item.reasons if one.leg == DISPUTED] == []
