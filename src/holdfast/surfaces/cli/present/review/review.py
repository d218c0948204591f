"""Print candidates with everything that supports and contradicts them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.ids import MemoryId, short
from holdfast.domain.memory.decision import Offered, offer_of
from holdfast.domain.memory.lifetime import in_words
from holdfast.domain.review.review import Risk
from holdfast.domain.review.shown import SHORT_HASH, set_fields
from holdfast.surfaces.cli.advising.advice import commands_to_resolve, ways_to_resolve
from holdfast.surfaces.cli.present.memory.memory_lines import (
    cited_lines,
    claim_lines,
    memory_page,
    said_by,
    verdicts_by_name,
)
from holdfast.surfaces.cli.present.memory.verdicts import show_changes, show_quotes
from holdfast.surfaces.cli.present.terminal.colour import Bad, Bold, Dim, Good, Name, Styled, Warn
from holdfast.surfaces.cli.present.terminal.measuring import columns, terminal_width
from holdfast.surfaces.cli.present.terminal.table import diff_words, one_line, wrapped
from holdfast.usecases.anchors.quoting import MOST_LINES
from holdfast.usecases.memory.preparing import REMOVED

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.surfaces.cli.present.terminal.output import Output
    from holdfast.usecases.review.conflicts import Conflict
    from holdfast.usecases.review.queued import WaitingCandidate


_RISKS: dict[Risk, type[Styled]] = {Risk.LOW: Good, Risk.MEDIUM: Warn, Risk.HIGH: Bad}
_WIDTH = 9
_INDENT = " " * (_WIDTH + 5)
_FEW_LINES = 8


def waiting_entry(
    output: Output,
    item: WaitingCandidate,
    *,
    at: datetime,
    with_commands: bool = True,
    row: int = 0,
) -> None:
    """Write a candidate as an entry of a list, with the commands that decide about it.

    A row of a list on a terminal has a number, which the commands use instead of the id.
    """
    memory = item.record.memory
    risk = item.danger.risk
    named = Name(output.named(memory.id))
    name = (Bold(f"{row}"), "  ", named) if row else (named,)
    head = (*name, "  ", Bold(memory.kind.value), "  ", _RISKS[risk](f"{risk.value} risk"))
    by = f"by {said_by(memory)}, {in_words(at - memory.created_at)} ago"
    if output.is_terminal and sum(map(columns, (*head, "  ", by))) > terminal_width():
        output.say(*head)
        output.say("  ", Dim(by))
    else:
        output.say(*head, "  ", Dim(by))
    claim_lines(output, memory.claim)
    _facts(output, item, quoted=_FEW_LINES)
    if with_commands:
        _decisions(output, item, row=row)


def waiting_page(output: Output, item: WaitingCandidate, *, at: datetime) -> None:
    """Write one candidate in full."""
    memory_page(output, item.record, at=at, checked=item.checked)
    output.say()
    risk = item.danger.risk
    _fact(output, "risk", _RISKS[risk](risk.value), f": {'; '.join(item.danger.why)}")
    parts = ", ".join(f"{name} {amount:+g}" for name, amount in item.worth.parts)
    _fact(output, "worth", f"{item.worth.score:g} ({parts})")
    _facts(output, item, quoted=MOST_LINES, with_evidence=False)
    _decisions(output, item)


def _decisions(output: Output, item: WaitingCandidate, *, row: int = 0) -> None:
    for place, line in enumerate(decisions(item, row=row, resolving=ways_to_resolve)):
        _long_fact(output, "" if place else "decide", Dim(output.pasteable(line)))


def decisions(
    item: WaitingCandidate,
    *,
    row: int = 0,
    resolving: Callable[[str, Sequence[str]], list[str]] = commands_to_resolve,
) -> list[str]:
    """Return the commands that decide about a candidate, bound to the text that is shown.

    The number of a row is bound to that text already.
    """
    name = str(row or item.record.memory.id)
    approve = f"holdfast approve {name}"
    if not row:
        approve += f" --hash {item.shown[:SHORT_HASH]}"
    reject = f"holdfast reject {name}"
    if offer_of(item.record.memory) is not None:
        return [approve, reject]
    edit = f"holdfast edit {name}"
    if item.against.conflicts:
        found = [one.standing.memory.id for one in item.against.conflicts]
        shown = [MemoryId(short(one)) if row else one for one in found]
        return [*resolving(name, shown), edit]
    advice = [one.standing.memory.id for one in item.advice]
    named = [MemoryId(short(one)) if row else one for one in advice]
    return [approve, reject, edit, *(way for one in named for way in resolving(name, [one]))]


def pasteable_decisions(output: Output) -> Callable[[WaitingCandidate], list[str]]:
    """Return a function for these commands that names the store of the command before them."""
    return lambda item: [output.pasteable(one) for one in decisions(item)]


def _facts(
    output: Output, item: WaitingCandidate, *, quoted: int, with_evidence: bool = True
) -> None:
    said = verdicts_by_name(item.checked)
    if with_evidence:
        for name, value in set_fields(item.record):
            _fact(output, name, Warn(one_line(value)))
        for line in cited_lines(item.record, said):
            _evidence(output, line)
        show_changes(output, item.checked, indent=_INDENT)
    show_quotes(output, item.quotes, most=quoted, indent=_INDENT)
    memory = item.record.memory
    _about(output, item)
    _opposed(output, item)
    _outcomes(output, item)
    if removed := memory.metadata.get(REMOVED):
        _fact(output, "hidden", Warn(f"taken out before it was kept: {one_line(str(removed))}"))
    for mark in item.marks:
        _fact(output, "note", Warn(mark))


def _opposed(output: Output, item: WaitingCandidate) -> None:
    """Write what a candidate contradicts or replaces, and then what only a model suspects."""
    for conflict in item.against.conflicts:
        _conflict(output, conflict)
    for old in item.against.rivals:
        _replaced(output, old, item.record.memory.claim)
    for conflict in item.advice:
        _suspicion(output, "advice", conflict)
        _long_fact(output, "", one_line(conflict.standing.memory.claim))


def _outcomes(output: Output, item: WaitingCandidate) -> None:
    """Write what the checks of a candidate would say now; its commands do not run."""
    for outcome in item.outcomes:
        _fact(output, "checked", one_line(f"{outcome.words}  ({outcome.text})"))


def _conflict(output: Output, conflict: Conflict) -> None:
    """Write the memory that a candidate contradicts, and why."""
    _suspicion(output, "conflict", conflict)
    for one in conflict.fields_alone:
        _fact(output, "differs", Warn(one_line(one.words)))


def _suspicion(output: Output, label: str, conflict: Conflict) -> None:
    name, why = output.named(conflict.standing.memory.id), conflict.suspicion
    _long_fact(output, label, f"{name}  {one_line(why.reason)} ({why.certainty})")


def _evidence(output: Output, line: str) -> None:
    """Write a reason; continuation lines are indented and never look like rows of the program."""
    _long_fact(output, "evidence", line)


def _long_fact(output: Output, name: str, text: str) -> None:
    """Write a fact that may take several lines of a terminal."""
    for place, piece in enumerate(wrapped(text, indent=_INDENT, is_terminal=output.is_terminal)):
        _fact(output, "" if place else name, piece)


def _replaced(output: Output, old: MemoryRecord, claim: str) -> None:
    """Write what a candidate would replace, word by word; the marks need no colours."""
    parts = diff_words(output, old.memory.claim, claim)
    whole = "".join(str(part) for part in parts)
    name = output.named(old.memory.id)
    _tell_taken_over(output, old)
    if output.is_terminal and columns(f"{_INDENT}{name}  {whole}") > terminal_width():
        _long_fact(output, "instead of", f"{name}  {whole}")
    else:
        _fact(output, "instead of", Name(name), "  ", *parts)


def _tell_taken_over(output: Output, old: MemoryRecord) -> None:
    """Write which pin and label a candidate gets if it is accepted in place of a memory."""
    pin = ["its pin"] if old.standing.pinned else []
    label = [f"its label {old.standing.label}"] if old.standing.label else []
    if pin or label:
        named, replaced = " and ".join((*pin, *label)), output.named(old.memory.id)
        _fact(output, "takes over", one_line(f"{named}, if it replaces {replaced}"))


def _about(output: Output, item: WaitingCandidate) -> None:
    """Write the memory that an offer is about, with its claim."""
    offer = offer_of(item.record.memory)
    if offer is None:
        return
    name = "supports" if offer.what is Offered.EVIDENCE else "forgets"
    claim = "which is gone" if item.about is None else one_line(item.about.memory.claim)
    _fact(output, name, Name(offer.about), "  ", claim)


def _fact(output: Output, name: str, *parts: str) -> None:
    output.say("  ", Dim(f"{name:>{_WIDTH + 1}}"), "  ", *parts)
