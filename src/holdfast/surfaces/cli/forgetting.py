"""Forget memories at the command line; print what was removed, and where else the text was."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import ForgottenError, HoldfastError
from holdfast.domain.review.traces import Reach, Trace, remains
from holdfast.domain.values import replace
from holdfast.surfaces.cli.failure import told
from holdfast.surfaces.cli.present.terminal.colour import Dim, Good, Name, Warn
from holdfast.surfaces.cli.present.terminal.cutting import cut
from holdfast.surfaces.cli.present.terminal.measuring import terminal_width
from holdfast.surfaces.cli.present.terminal.table import one_line
from holdfast.surfaces.wire.memory import forgotten_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from holdfast.surfaces.cli.command_context import CommandContext
    from holdfast.usecases.memory.forget import Forget, Forgotten

TEXT_REMAINS = 7
_MOST_SHOWN = 10
_COMMANDS = {
    "the turn ": "to remove a turn: holdfast session unsay SESSION --turn N",
    "the task ": "to remove a task: holdfast task delete ID; to reword it: holdfast task edit ID",
    "the directives ": "to remove an agent: holdfast agent delete NAME",
    "cycle ": "to remove an agent with its cycles: holdfast agent delete NAME",
    "the snapshot ": "to remove a snapshot: holdfast workspace delete ID",
    "the memory ": "to forget a memory: holdfast forget --id ID",
}
"""The command that removes a text, by the beginning of its place."""


def forget_now(wishes: Sequence[Forget], context: CommandContext) -> int | None:
    """Forget memories after a person confirmed it, print the result, and return the exit code."""
    gone: list[Forgotten] = []
    for wish in wishes:
        try:
            gone.append(context.holdfast.memories.forget(wish))
        except ForgottenError as error:
            # A memory takes its earlier versions along, and one of them may also be named.
            if error.memory_id not in {old.memory.id for one in gone for old in one.earlier}:
                raise
    gone = _together(gone)
    show_forgotten(gone, context)
    return follow_forgetting(gone, context)


def _together(gone: Sequence[Forgotten]) -> list[Forgotten]:
    """Return what was forgotten; a memory that went later in the same command keeps no text."""
    names = {f"the memory {old.memory.id}" for one in gone for old in (one.record, *one.earlier)}
    return [
        replace(one, traces=tuple(trace for trace in one.traces if trace.place not in names))
        for one in gone
    ]


def follow_forgetting(gone: Sequence[Forgotten], context: CommandContext) -> int | None:
    """Rewrite the generated pages, print which places held the text, and return the exit code."""
    traces = tuple(dict.fromkeys(trace for one in gone for trace in one.traces))
    if any(trace.reach is Reach.REMOVED for trace in traces):
        try:
            files = context.machine.beside_store
            traces += tuple(files.write_again(gone, holdfast=context.holdfast, by=context.user))
        except HoldfastError as error:
            context.output.complain(
                "The memory is forgotten, but the pages were not updated: ", *told(error)
            )
    if not context.output.as_json:
        for trace in traces:
            _say(trace, context)
        note_commands([one.place for one in traces if one.reach is Reach.LEFT], context)
    return TEXT_REMAINS if remains(traces) else None


def note_commands(places: Iterable[str], context: CommandContext) -> None:
    """Write the commands that remove a text from these places of the store, each once."""
    said = (
        words for place in places for start, words in _COMMANDS.items() if place.startswith(start)
    )
    for words in dict.fromkeys(said):
        context.output.note(Dim(words))


def _say(trace: Trace, context: CommandContext) -> None:
    word = trace.reach.value
    shown = Good(word) if trace.reach is Reach.REMOVED else Warn(word)
    context.output.say(
        shown, f"  {context.output.named(trace.place)}  ", Dim(one_line(trace.advice))
    )


def show_forgotten(found: Sequence[Forgotten], context: CommandContext) -> None:
    """Write what is forgotten. The claim is shown only while the memory still exists."""
    if context.output.as_json:
        context.output.json(forgotten_json(found))
        return
    for one in found:
        memory = one.record.memory
        words = "would forget" if one.dry_run else "forgot"
        cells = [memory.kind.value, memory.key or "", _counted(one.links, "link")]
        cells.append(_counted(len(one.earlier), "earlier version"))
        rest = "  ".join(cell for cell in cells if cell)
        context.output.say(f"{words} ", Name(memory.id), f"  {rest}")
        if one.dry_run:
            context.output.say("  ", Dim(cut(one_line(memory.claim), terminal_width() - 2)))
        if one.not_yet:
            context.output.complain(one.not_yet)
    _show_nearly(found, context)


def _show_nearly(found: Sequence[Forgotten], context: CommandContext) -> None:
    """Write which places of the store keep nearly the same words."""
    places = list(dict.fromkeys(place for one in found for place in one.nearly))
    if not places:
        return
    context.output.say(Warn("kept"), ", with nearly the same words:")
    for place in places[:_MOST_SHOWN]:
        context.output.say("  ", Name(place))
    if (more := len(places) - _MOST_SHOWN) > 0:
        context.output.say(Dim(f"  and {more:,} more; --json lists all"))
    note_commands(places, context)


def _counted(count: int, noun: str) -> str:
    """Return how many of something go with a memory; empty if there are none."""
    return "" if not count else f"{count} {noun}{'' if count == 1 else 's'}"
