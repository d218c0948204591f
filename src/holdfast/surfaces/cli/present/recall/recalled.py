"""Print an answer: the same text for agents and people, with colours on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.recall.rendering import no_items, notes_of
from holdfast.surfaces.cli.present.terminal.colour import Bold, Dim, Name

if TYPE_CHECKING:
    from holdfast.domain.recall.rendering import Recalled
    from holdfast.surfaces.cli.present.terminal.output import Output


def show_recalled(recalled: Recalled, output: Output) -> None:
    """Write an answer for people; a pipe gets exactly the Markdown."""
    if not output.is_terminal:
        output.text(recalled.markdown())
        return
    for line in recalled.markdown().splitlines():
        output.say(*_coloured(line))


def show_advice(recalled: Recalled, output: Output) -> None:
    """Write what a person can do about the notes of an answer.

    The note that no embedding model is in use applies to every answer, so its advice is written on
    a terminal only.
    """
    bundle = recalled.bundle
    has_items = bool(bundle.items or bundle.passages)
    notes = notes_of(bundle.notes, bundle.shortage, has_items=has_items)
    said = [] if has_items else [no_items(bundle.shortage)]
    if not (said or notes):
        return
    from holdfast.surfaces.cli.advising.note_advice import advice_on
    from holdfast.usecases.recall.recalled_memories import WORDS_ONLY

    told = [note for note in (*said, *notes) if note != WORDS_ONLY or output.is_terminal]
    for advice in dict.fromkeys(advice_on(note) for note in told):
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
