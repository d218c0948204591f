"""status: how many memories there are, and what waits for a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Status
from holdfast.domain.review.badge import badge
from holdfast.domain.text.counting import counted
from holdfast.surfaces.cli.present.care.sizes import size_text
from holdfast.surfaces.cli.present.memory.memory_lines import fact_lines
from holdfast.surfaces.cli.present.terminal.colour import Dim, Name, Warn

if TYPE_CHECKING:
    from argparse import Namespace

    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext
    from holdfast.usecases.inspect import StoreStatus

_COUNTED = ("candidates", "conflicts", "drifted", "warnings")


def status(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Show how many memories this checkout has, what waits for a person, and where the store\n"
        "is; --all counts every repository and branch. --badge is for a prompt: one short line,\n"
        "or nothing if nothing waits.",
        examples=("holdfast status", "holdfast status --badge", "holdfast status --json"),
        does=_run,
    )
    command.add_argument("--badge", action="store_true", help="one line for a prompt, or nothing")
    command.add_argument(
        "--all", action="store_true", help="count every place and branch, not only this checkout"
    )


def _run(given: Namespace, context: CommandContext) -> None:
    if given.badge:
        _show_badge(context, everywhere=given.all)
        return
    state = context.holdfast.upkeep.status(everywhere=given.all)
    waiting = _waiting(state, context, everywhere=given.all)
    if context.output.as_json:
        from holdfast.surfaces.wire.care import state_json

        sends_to = context.machine.models.destination()
        context.output.json(state_json(state, waiting=waiting, sends_to=sends_to))
        return
    facts = state.facts
    total = sum(state.by_status.values())
    noun = "memory" if total == 1 else "memories"
    context.output.say(f"{total:,} {noun}, {state.here:,} can be recalled here")
    own = context.output.pasteable
    fact_lines(
        context.output,
        [
            ("by status", _counted({key.value: many for key, many in state.by_status.items()})),
            ("by kind", _counted({key.value: many for key, many in state.by_kind.items()})),
            ("pinned", f"{state.pinned:,}" if state.pinned else ""),
            ("expired", f"{state.expired:,}" if state.expired else ""),
            ("elsewhere", own(_elsewhere(state))),
            ("full", own(_full(state))),
            ("repository", state.place.repo or "none here"),
            ("branch", state.place.branch),
            ("workspace", state.place.workspace),
            ("meaning", own(_meaning(state, total, context))),
            ("health", _health(context)),
            ("private", own(_shown(context))),
            ("store", f"{facts.location} ({size_text(facts.bytes_on_disk)}, {facts.engine})"),
            ("tenant", context.machine.tenant()),
            ("space", context.space if context.machine.tenant() else ""),
            ("log", f"{counted(facts.events, 'event')}, head {facts.head[:12]}"),
        ],
    )
    _show_waiting(waiting, context, everywhere=given.all)
    if state.expired:
        more = " --all" if given.all else ""
        context.output.note(Dim(f"{state.expired:,} expired: holdfast list --expired{more}"))


def _full(state: StoreStatus) -> str:
    """Return a line with the sources whose candidates are refused, because too many wait."""
    if not state.full:
        return ""
    return f"{', '.join(state.full)}; no more candidates are taken: holdfast review"


def _elsewhere(state: StoreStatus) -> str:
    """Return a line with the number of memories that the counts leave out."""
    if not state.elsewhere:
        return ""
    many = "1 memory" if state.elsewhere == 1 else f"{state.elsewhere:,} memories"
    return f"{many}; 'holdfast status --all' counts every place and branch"


def _show_waiting(found: dict[str, int], context: CommandContext, *, everywhere: bool) -> None:
    """Write the numbers of the badge, each with the command that lists them."""
    more = " --everywhere" if everywhere else ""
    if waiting := found["candidates"]:
        context.output.note(Warn(f"{waiting:,} to review: "), Name(f"holdfast review{more}"))
    if conflicts := found["conflicts"]:
        context.output.note(Warn(f"{conflicts:,} in conflict: "), Name(f"holdfast conflicts{more}"))
    if drifted := found["drifted"]:
        context.output.note(Warn(f"{drifted:,} drifted: "), Name("holdfast verify"))


def _waiting(state: StoreStatus, context: CommandContext, *, everywhere: bool) -> dict[str, int]:
    """Return the numbers of the badge: each is the count that its verb lists."""
    files = context.machine.beside_store
    counted = (
        state.by_status.get(Status.CANDIDATE, 0),
        state.conflicts,
        files.drifted(everywhere=everywhere),
        files.warnings(),
    )
    return dict(zip(_COUNTED, counted, strict=True))


def _health(context: CommandContext) -> str:
    """Return the health score of the last curation; None if there was none."""
    from holdfast.surfaces.cli.present.review.curation import health_words

    return health_words(context.holdfast.care.history())


def _shown(context: CommandContext) -> str:
    """Return a line about private files that git would add to a commit; empty if there are none."""
    from holdfast.surfaces.cli.private_shown import shown_by_git

    places = ", ".join(one.path for one in shown_by_git(context))
    return f"git shows {places}; 'holdfast sync' says why" if places else ""


def _meaning(state: StoreStatus, total: int, context: CommandContext) -> str:
    """Return a line about the embedding model, and who receives the texts that it embeds."""
    if not state.embedding:
        return context.machine.models.no_meaning()
    every = total + state.elsewhere
    said = f"{state.embedding} has embedded {state.embedded:,} of {every:,} in the store"
    if state.answering != state.embedding:
        said += f"; {state.answering} answers until it has embedded all"
    elif state.embedded < every:
        said += "; a recall embeds the rest"
        if not context.machine.is_remote():
            said += ", or 'holdfast model catch-up' now"
    if receiver := context.machine.models.destination():
        said += f"; claims and questions are sent to {receiver}"
    return said


def _show_badge(context: CommandContext, *, everywhere: bool) -> None:
    """Write the badge as JSON, for another folder, or for everything."""
    from holdfast.bootstrap.opening.badge import LOOK

    state = context.holdfast.upkeep.status(everywhere=everywhere)
    found = _waiting(state, context, everywhere=everywhere)
    line = badge(*found.values(), look=LOOK)
    if context.output.as_json:
        from holdfast.surfaces.wire.care import badge_json

        context.output.json(badge_json(found, line))
    elif line:
        context.output.say(line)


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{many:,} {name}" for name, many in counts.items() if many)
