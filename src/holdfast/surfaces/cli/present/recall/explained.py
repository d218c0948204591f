"""Print an explained answer: its items and why, what was left out, and what to ask next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.recall.rendering import headline, notes_of, why
from holdfast.surfaces.cli.advising.note_advice import with_advice
from holdfast.surfaces.cli.present.terminal.colour import Bold, Name
from holdfast.surfaces.cli.present.terminal.table import one_line, show_table
from holdfast.surfaces.wire.recall import left_out_by_reason

if TYPE_CHECKING:
    from holdfast.domain.ids import MemoryId
    from holdfast.domain.recall.bundle import Bundle
    from holdfast.domain.recall.rendering import Recalled
    from holdfast.surfaces.cli.present.terminal.output import Output

_SHOWN_LEFT_OUT = 10


def show_explained(recalled: Recalled, output: Output) -> None:
    """Write the items of an answer in order, then what was left out, by reason and best first."""
    bundle = recalled.bundle
    output.say(Bold(_headline(bundle)))
    output.say("  asked: ", one_line(bundle.question.text))
    given = [
        (str(rank), Name(item.memory_id), f"{item.score:.4f}", why(item.reasons))
        + (_claim(recalled, item.memory_id),)
        for rank, item in enumerate(bundle.items, start=1)
    ]
    given += [
        ("-", Name(item.reference), f"{item.score:.4f}", why(item.reasons), item.title)
        for item in bundle.passages
    ]
    if given:
        show_table(output, ("RANK", "GIVEN", "SCORE", "WHY", "CLAIM"), given)
    for reason, count in left_out_by_reason(bundle).items():
        output.say(f"  left out: {count:,} ", reason)
    left = [
        (Name(item.memory_id), f"{item.score:.4f}", item.why, _claim(recalled, item.memory_id))
        for item in bundle.left_out[:_SHOWN_LEFT_OUT]
    ]
    if left:
        show_table(output, ("LEFT OUT", "SCORE", "REASON", "CLAIM"), left)
    for note in notes_of(bundle.notes, bundle.shortage, has_items=bool(given)):
        output.say("  note: ", with_advice(note))
    output.say(f"every part of one score: holdfast explain {bundle.id} m_…")


def _headline(bundle: Bundle) -> str:
    return headline(
        bundle.id,
        tokens=bundle.tokens,
        budget=bundle.question.budget,
        items=len(bundle.items) + len(bundle.passages),
        left_out=len(bundle.left_out) + len(bundle.passages_left_out),
    ).removeprefix("# ")


def _claim(recalled: Recalled, memory_id: MemoryId) -> str:
    record = recalled.records.get(memory_id)
    return "forgotten since" if record is None else one_line(record.memory.claim)
