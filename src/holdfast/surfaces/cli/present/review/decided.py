"""Print the memories after a decision, one line each.

Print two claims that contradict each other, side by side if the terminal is wide enough.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import OVER, Origin, Status
from holdfast.domain.gates.unseen import escaped
from holdfast.domain.review.shown import set_fields
from holdfast.surfaces.cli.advising.advice import ways_to_resolve
from holdfast.surfaces.cli.present.memory.memory_lines import (
    QUOTE,
    cited_lines,
    quoted_line,
    said_by,
    status_word,
    verdicts_by_name,
)
from holdfast.surfaces.cli.present.terminal.colour import Bold, Dim, Name, Quoted, Warn
from holdfast.surfaces.cli.present.terminal.cutting import cut
from holdfast.surfaces.cli.present.terminal.measuring import columns, terminal_width
from holdfast.surfaces.cli.present.terminal.table import folded, one_line, wrapped

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.anchor import Checked
    from holdfast.domain.memory.decision import Decision
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.surfaces.cli.present.terminal.output import Output
    from holdfast.usecases.review.approve import Decided
    from holdfast.usecases.review.conflicts import Conflict


_LONGEST = 400
_ON_THIS_BRANCH = "replaced"
_STAYS_ELSEWHERE = (
    "It is replaced on this branch, and stays accepted where the branch is not merged."
)


def show_decided(output: Output, decided: Decided) -> None:
    """Write the new status of every memory that a decision changed."""
    copied = _copied(decided)
    for record in decided.records:
        show_standing(output, record)
        if record.memory.id in copied:
            _tell_copy(output, record, copied[record.memory.id])
        _tell_taken(output, decided, record)
    hidden = {one.memory.id for one in copied.values()}
    for record in decided.replaced:
        if record.standing.status is Status.ACCEPTED:
            show_standing(output, record, word=_ON_THIS_BRANCH)
            output.note(Dim(_STAYS_ELSEWHERE))
        elif record.memory.id not in hidden:
            show_standing(output, record)
        if record.standing.status is Status.DEPRECATED and record.standing.reason:
            output.note(Quoted(one_line(record.standing.reason)))
    _tell_lost_key(output, decided)
    if decided.decision is not None:
        output.note(Dim(f"to undo: holdfast undo {decided.decision.id}"))


def _copied(decided: Decided) -> dict[MemoryId, MemoryRecord]:
    """Return the chosen memory of each accepted one that says the same and took over a key."""
    return {
        kept.memory.id: gone
        for kept in decided.records
        for gone in decided.replaced
        if gone.memory.claim == kept.memory.claim and gone.memory.key != kept.memory.key
        if gone.standing.status is Status.SUPERSEDED
    }


def _tell_copy(output: Output, kept: MemoryRecord, chosen: MemoryRecord) -> None:
    """Write which key a memory took over, and under which id it was chosen."""
    if kept.memory.origin is Origin.HUMAN:
        output.say("  ", Dim(f"{'key':>10}"), "  ", one_line(kept.memory.key or ""))
    output.say("  ", Dim(f"{'before':>10}"), "  ", Name(chosen.memory.id), ", without the key")


def _tell_taken(output: Output, decided: Decided, kept: MemoryRecord) -> None:
    """Write which pin and label a memory took over from what it replaces."""
    names = {kept.memory.id} | {
        one.memory.id for one in decided.replaced if one.memory.claim == kept.memory.claim
    }
    changes = () if decided.decision is None else decided.decision.changes
    for change in changes:
        before, after = change.before, change.after
        if before is None or change.memory_id not in names:
            continue
        gained = [f"label {after.label}"] if after.label != before.label else []
        gained += ["pin"] if after.pinned and not before.pinned else []
        if gained:
            told = f"taken over from what it replaces: {', '.join(gained)}"
            output.note(Dim(one_line(told)))


def _tell_lost_key(output: Output, decided: Decided) -> None:
    """Name the keys that the new memory did not take over from what it replaced."""
    if len(decided.records) != 1:
        return
    kept = decided.records[0].memory
    lost = [
        one.memory.key
        for one in decided.replaced
        if one.memory.key not in {None, kept.key} and one.standing.status is Status.SUPERSEDED
    ]
    if lost:
        keys = one_line(", ".join(str(key) for key in lost))
        output.note(Warn(f"{kept.id} does not have the key of what it replaced: {keys}"))


def show_standing(output: Output, record: MemoryRecord, *, word: str = "") -> None:
    """Write one memory and its status; only a memory that is not over still has its key.

    ``word`` stands in the place of the status.
    """
    memory, claim = record.memory, one_line(record.memory.claim)
    claim = cut(claim, _LONGEST) if output.is_terminal else claim
    status = word or status_word(record.standing.status)
    output.say_folded(status, " ", Name(memory.id), "  ", claim)
    is_plain = memory.origin is Origin.HUMAN or record.standing.status in OVER
    for name, value in () if is_plain else set_fields(record):
        output.say("  ", Dim(f"{name:>10}"), "  ", one_line(value))


def decision_line(decision: Decision) -> list[str]:
    """Return a decision as the cells of a row."""
    names = [str(name) for name in decision.memories]
    first = names[0] if names else "a memory that was forgotten since"
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    state = "undone" if decision.undone_at is not None else ""
    when = f"{decision.at:%Y-%m-%d %H:%M}"
    return [Name(decision.id), when, decision.by, decision.action.value, state, first + more]


_GAP = "   "
_WIDE = 100
_NARROWEST = 24


def show_conflict(
    output: Output,
    conflict: Conflict,
    checked: Mapping[MemoryId, Sequence[Checked]],
    *,
    standing: Sequence[MemoryId],
) -> None:
    """Write a conflict: its reason, both claims with their evidence, and how to resolve it.

    ``standing`` names all memories that the candidate contradicts.
    """
    new, old = conflict.candidate, conflict.standing
    why = conflict.suspicion
    style = Dim if why.is_advice else Warn
    output.say(style(one_line(why.reason)), Dim(f"  ({why.certainty})"))
    sides = [_side(one, checked.get(one.memory.id, ())) for one in (new, old)]
    if output.is_terminal and terminal_width() >= _WIDE:
        _beside(output, *sides)
    else:
        for line in (line for side in sides for line in side):
            more = QUOTE if line.startswith(QUOTE) else ""
            for piece in wrapped(line, indent="  ", more=more, is_terminal=output.is_terminal):
                output.say("  ", piece)
    for one in conflict.fields_alone:
        output.say("  ", Warn(one_line(one.words)))
    every, *single = ways_to_resolve(new.memory.id, standing)
    if single:
        many = f"one of {len(standing)} conflicts of {new.memory.id}"
        output.say("  ", Warn(output.named(many)))
    for command in (every, *(one for one in single if f" {old.memory.id} " in one)):
        words = Dim(output.named(command))
        for piece in wrapped(words, indent="  ", more="    ", is_terminal=output.is_terminal):
            output.say("  ", piece)


def show_advice_heading(output: Output, *, is_first: bool) -> None:
    """Write what the pairs below it are: the advice of a model, and how to switch it off."""
    if not is_first:
        output.say()
    output.say(Bold("Advice of a model, which can be wrong; it blocks no approval."))
    output.say(Dim("To switch it off: "), Name("holdfast config set conflicts.judge off"))
    output.say()


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
