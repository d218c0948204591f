"""Memories as linked notes."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast.domain.choices import Kind, Status
from holdfast.domain.exchange.notes import INDEX, notes_of
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.memory import MemoryRecord, Standing
from tests.builders import a_memory, a_record
from tests.requirements import requirement

IDS = [MemoryId(f"m_{number:026d}") for number in range(9)]


def record(number: int, standing: Standing | None = None, **changes: Any) -> MemoryRecord:
    memory = a_memory(id=IDS[number], **changes)
    return a_record(memory) if standing is None else a_record(memory, standing=standing)


def test_links_keys_and_newer_memories_become_links() -> None:
    replaced = Standing(status=Status.SUPERSEDED, superseded_by=IDS[1])
    notes = notes_of(
        [
            record(0, replaced, key="cart", claim="The cart holds 50."),
            record(1, key="cart", claim="The cart holds 80, see price-rule and cart."),
            record(2, key="price-rule", claim="Prices are in cents."),
            record(3, Standing(status=Status.CANDIDATE), key="guess", claim="Perhaps."),
        ],
        [
            Link(src=IDS[2], dst=IDS[1], kind="supports"),
            Link(src=IDS[2], dst=IDS[3], kind="supports"),
        ],
    )

    assert set(notes) == {"cart", f"cart m_{'0' * 8}", "price-rule", INDEX}
    assert "- mentions [[price-rule]]" in notes["cart"]
    assert "mentions [[cart]]" not in notes["cart"]
    assert "- supports [[cart]]" in notes["price-rule"]
    assert "superseded by [[cart]]" in notes[f"cart m_{'0' * 8}"]
    assert "Perhaps" not in "".join(notes.values())
    assert notes[INDEX].count("[[") == 2


def test_a_name_is_safe_and_never_given_twice() -> None:
    notes = notes_of(
        [
            record(0, key="../../etc/passwd", claim="One."),
            record(1, key="A Key", claim="Two."),
            record(2, key="a key", claim="Three."),
            record(3, key="holdfast", claim="Four."),
            record(4, key=None, kind=Kind.GOTCHA, claim="Five."),
            record(5, key="///", claim="Six."),
        ],
        [],
    )

    assert len(notes) == 7
    assert len({name.lower() for name in notes}) == 7
    assert not any("/" in name or name.startswith(".") for name in notes)
    assert any(name.startswith("gotcha m_") for name in notes)


def test_tags_and_aliases_are_what_note_programs_accept() -> None:
    labelled = Standing(status=Status.ACCEPTED, label="DEC-001")
    notes = notes_of([record(0, labelled, key="a: b", tags=("two.words", "2024"))], [])

    assert 'aliases: ["a: b", "DEC-001"]' in notes["a- b"]
    assert 'tags: ["holdfast/' in notes["a- b"]
    assert '"two-words"]' in notes["a- b"]


@requirement("export.notes")
@pytest.mark.parametrize(
    "claim",
    ["![](https://example.org/x.png)", "<img src=x>", "[[Other]]", "# head", "``` a", "$$x$$"],
)
def test_a_claim_that_a_note_program_would_act_on_is_quoted(claim: str) -> None:
    text = notes_of([record(0, key="k", claim=claim)], [])["k"]
    fence = next(line for line in text.splitlines() if line.startswith("```"))

    assert fence.endswith("text")
    assert claim in text.split(fence)[1].split(fence.removesuffix("text") + "\n")[0]


def test_no_memories_give_an_empty_index() -> None:
    assert notes_of([], []) == {INDEX: "---\nholdfast: index\n---\n"}
