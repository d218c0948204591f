"""Print two claims that contradict each other, side by side if the terminal is wide enough."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.gates.hidden import escaped
from holdfast.surfaces.cli.advising.advice import WAYS_TO_RESOLVE
from holdfast.surfaces.cli.present.memory.memory_lines import (
    QUOTE,
    cited_lines,
    quoted_line,
    said_by,
    verdicts_by_name,
)
from holdfast.surfaces.cli.present.terminal.colour import Bold, Dim, Name, Warn
from holdfast.surfaces.cli.present.terminal.table import columns, folded, one_line, terminal_width

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.anchor import Checked
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.surfaces.cli.present.terminal.output import Output
    from holdfast.usecases.review.conflicts import Conflict

_GAP = "   "
_WIDE = 100
_NARROWEST = 24


def show_conflict(
    output: Output, conflict: Conflict, checked: Mapping[MemoryId, Sequence[Checked]]
) -> None:
    """Write a conflict: its reason, both claims with their evidence, and how to resolve it."""
    new, old = conflict.candidate, conflict.standing
    sure = f"({conflict.suspicion.confidence:.0%} sure)"
    output.say(Warn(one_line(conflict.suspicion.reason)), Dim(f"  {sure}"))
    sides = [_side(one, checked.get(one.memory.id, ())) for one in (new, old)]
    if output.is_terminal and terminal_width() >= _WIDE:
        _beside(output, *sides)
    else:
        for side in sides:
            for line in side:
                output.say("  ", line)
    name = f"holdfast resolve {new.memory.id} {old.memory.id}"
    output.say("  ", Dim(f"{name} {WAYS_TO_RESOLVE}"))


def _side(record: MemoryRecord, checked: Sequence[Checked]) -> list[str]:
    memory, standing = record.memory, record.standing
    said = verdicts_by_name(checked)
    evidence = cited_lines(record, said)
    return [
        Name(memory.id),
        Bold(f"{standing.status.value} {memory.kind.value}"),
        quoted_line(memory.claim),
        Dim(f"by {said_by(memory)}, {memory.created_at:%Y-%m-%d}"),
        *(Dim(one_line(line)) for line in evidence),
    ]


def _beside(output: Output, left: list[str], right: list[str]) -> None:
    width = max((terminal_width() - len(_GAP) - 2) // 2, _NARROWEST)
    pairs = [(_folded(line, width), _folded(other, width)) for line, other in _paired(left, right)]
    for one, other in pairs:
        for here, there in _paired(one, other):
            output.say("  ", here, " " * (width - columns(escaped(str(here)))) + _GAP, there)


def _paired(left: list[str], right: list[str]) -> list[tuple[str, str]]:
    most = max(len(left), len(right))
    return list(
        zip(left + [""] * (most - len(left)), right + [""] * (most - len(right)), strict=True)
    )


def _folded(text: str, width: int) -> list[str]:
    """Return a text in lines that fit; later lines never look like rows of the program."""
    mark = QUOTE if str(text).startswith(QUOTE) else " " * len(QUOTE)
    first, *others = folded(text, width - len(mark))
    return [first, *(type(text)(f"{mark}{line}") for line in others)]
