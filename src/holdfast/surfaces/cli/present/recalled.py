"""An answer: the same text for agents and people, coloured where a terminal reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.rendering import no_items, notes_of
from holdfast.surfaces.cli.advice import advice_on
from holdfast.surfaces.cli.present.colour import Bold, Dim, Name

if TYPE_CHECKING:
    from holdfast.domain.rendering import Recalled
    from holdfast.surfaces.cli.present.output import Output


def show_recalled(recalled: Recalled, output: Output) -> None:
    """Write an answer for people; in a pipe it is exactly the Markdown."""
    if not output.is_terminal:
        output.text(recalled.markdown())
        return
    for line in recalled.markdown().splitlines():
        output.say(*_coloured(line))


def show_advice(recalled: Recalled, output: Output) -> None:
    """Write beside an answer what a person can do about its notes."""
    bundle = recalled.bundle
    has_items = bool(bundle.items or bundle.passages)
    notes = notes_of(bundle.notes, bundle.shortage, has_items=has_items)
    said = [] if has_items else [no_items(bundle.shortage)]
    for advice in dict.fromkeys(advice_on(note) for note in (*said, *notes)):
        if advice:
            output.note(Dim(advice))


def _coloured(line: str) -> list[str]:
    if line.startswith("# "):
        return [Bold(line)]
    if line.startswith(("[memory ", "[/memory ", "   evidence: ", "note: ")):
        return [Dim(line)]
    head, bracket, rest = line.partition("  [m_")
    if bracket and not line.startswith(" "):
        name, closing, why = rest.partition("]")
        return [Bold(head), "  [", Name(f"m_{name}"), closing, Dim(why)]
    return [line]


def recalled_json(recalled: Recalled) -> dict[str, object]:
    """Return a bundle with the memories it gives and the fenced text."""
    from holdfast.domain.bundle_shape import bundle_json
    from holdfast.domain.shapes import record_json

    given = [recalled.records.get(item.memory_id) for item in recalled.bundle.items]
    return {
        **bundle_json(recalled.bundle),
        "records": [record_json(record) for record in given if record is not None],
        "markdown": recalled.markdown(),
    }
