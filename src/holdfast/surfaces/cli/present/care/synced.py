"""Print the result of a sync."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.pages.sync_messages import EXPECTED
from holdfast.domain.pages.syncing import OPEN, SyncStep
from holdfast.surfaces.cli.advising.sync_advice import with_advice
from holdfast.surfaces.cli.present.terminal.colour import Bad, Dim, Good, Name, Warn
from holdfast.surfaces.cli.present.terminal.table import one_line, show_table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from holdfast.domain.memory.entry import Flaw
    from holdfast.domain.pages.syncing import EntryOutcome, Synced
    from holdfast.surfaces.cli.present.terminal.output import Output

_WARNING = frozenset({SyncStep.PROPOSED, SyncStep.WAITING, SyncStep.REMOVAL_PENDING})
_MOST_NAMED = 5


def show_synced(synced: Synced, output: Output) -> None:
    """Write a row for every entry that changed, and the errors of reading pages."""
    if synced.told:
        heads = ("ENTRY", "WHAT", "WHERE", "SAYS")
        show_table(output, heads, [_row(one) for one in synced.told])
        _show_notes(synced.told, output)
    show_flaws(synced.flaws, output)
    for note in synced.notes:
        output.say(Warn("set aside"), f"  {note}")
    if synced.told or synced.flaws or synced.notes:
        return
    entries = "1 entry is" if synced.entries == 1 else f"{synced.entries:,} entries are"
    output.say(Good("in line"), f"  {entries} in the pages")


def show_flaws(flaws: Iterable[Flaw], output: Output) -> None:
    """Write each error of reading pages, with its place and what to do."""
    for flaw in flaws:
        place = f"{flaw.path}:{flaw.line}"
        output.say(Bad(place), "  ", one_line(f"{flaw.problem} {output.pasteable(flaw.advice)}"))


def _show_notes(told: Iterable[EntryOutcome], output: Output) -> None:
    """Write each note and its advice once, for all entries that it applies to."""
    notes: dict[str, list[str]] = {}
    for one in told:
        if one.words and one.words not in EXPECTED:
            notes.setdefault(one.words, []).append(_name(one))
    for words, names in notes.items():
        more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
        each = "each: " if len(names) > 1 else ""
        said = each + output.pasteable(one_line(with_advice(words)))
        output.say(Warn(", ".join(names[:_MOST_NAMED]) + more), f"  {said}")


def _name(one: EntryOutcome) -> str:
    return one.label or one.uid or "new"


def _row(one: EntryOutcome) -> tuple[str, str, str, str]:
    where = f"{one.path}:{one.line}" if one.path and one.line else one.path
    return Name(_name(one)), _word(one.step), Dim(where), one_line(one.claim)


def _word(step: SyncStep) -> str:
    if step in OPEN:
        return Bad(step.value)
    return Warn(step.value) if step in _WARNING else Good(step.value)
