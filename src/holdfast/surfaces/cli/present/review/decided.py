"""Print the memories after a decision, one line each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Origin
from holdfast.domain.review.review import set_fields
from holdfast.surfaces.cli.present.memory.memory_lines import status_word
from holdfast.surfaces.cli.present.terminal.colour import Dim, Name
from holdfast.surfaces.cli.present.terminal.table import cut, one_line

if TYPE_CHECKING:
    from holdfast.domain.memory.decision import Decision
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.surfaces.cli.present.terminal.output import Output
    from holdfast.usecases.review.approve import Decided


_LONGEST = 400


def show_decided(output: Output, decided: Decided) -> None:
    """Write the new status of every memory that a decision changed."""
    for record in (*decided.records, *decided.replaced):
        show_standing(output, record)
    if decided.decision is not None:
        output.note(Dim(f"to undo: holdfast undo {decided.decision.id}"))


def show_standing(output: Output, record: MemoryRecord) -> None:
    """Write one memory and its status."""
    memory, claim = record.memory, one_line(record.memory.claim)
    claim = cut(claim, _LONGEST) if output.is_terminal else claim
    output.say(status_word(record.standing.status), " ", Name(memory.id), "  ", claim)
    for name, value in () if memory.origin is Origin.HUMAN else set_fields(record):
        output.say("  ", Dim(f"{name:>10}"), "  ", one_line(value))


def decision_line(decision: Decision) -> list[str]:
    """Return a decision as the cells of a row."""
    names = [str(name) for name in decision.memories]
    first = names[0] if names else "a memory that was forgotten since"
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    state = "undone" if decision.undone_at is not None else ""
    when = f"{decision.at:%Y-%m-%d %H:%M}"
    return [Name(decision.id), when, decision.by, decision.action.value, state, first + more]
