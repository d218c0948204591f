"""protect: make an existing memory sensitive, and remove its plain copies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.encryption.errors import SensitiveError
from holdfast.domain.values import replace
from holdfast.surfaces.cli.forgetting import follow_forgetting, note_commands
from holdfast.surfaces.cli.person import agrees, is_at_terminal
from holdfast.surfaces.cli.present.terminal.colour import Dim, Good, Name, Warn
from holdfast.surfaces.cli.present.terminal.cutting import cut
from holdfast.surfaces.cli.present.terminal.measuring import terminal_width
from holdfast.surfaces.cli.present.terminal.table import one_line
from holdfast.surfaces.cli.values import UsageError
from holdfast.surfaces.wire.encryption import protected_json
from holdfast.usecases.memory.protecting import Protect

if TYPE_CHECKING:
    from argparse import Namespace

    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext
    from holdfast.usecases.memory.protecting import ProtectedMemory

_MOST_SHOWN = 10


def protect(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Make a memory sensitive: encrypt its text and every earlier wording, and forget the\n"
        "plain ones in the store, in every index, in pages and in generated files. The sensitive\n"
        "memory has a new id, and the same key, tags, pin, label and links. Other records\n"
        "with nearly the same words are named, for example a candidate of an agent. The\n"
        "command asks first; without a terminal it needs --yes. The exit code is 7 if the text\n"
        "remains in a place that only you can clean, such as the history of git.",
        examples=(
            "holdfast protect m_abc123 --dry-run",
            "holdfast protect m_abc123 --yes",
        ),
        does=_run,
    )
    add = command.add_argument
    add("id", metavar="ID", help="a memory")
    add("--dry-run", action="store_true", help="show what would be removed; change nothing")
    add("-y", "--yes", action="store_true", help="do not ask")


def _run(given: Namespace, context: CommandContext) -> int | None:
    wish = Protect(reference=given.id, by=context.user)
    try:
        found = context.holdfast.encryption.protect(replace(wish, dry_run=True))
    except SensitiveError:
        # A run that was stopped may have left the text in other places; the same request goes on.
        if given.dry_run:
            raise
        return _protect(wish, context)
    if given.dry_run:
        _show_rehearsal(found, context)
        return None
    if not given.yes and not _is_confirmed(found, context):
        context.output.note("Nothing was changed.")
        return 1
    return _protect(wish, context)


def _protect(wish: Protect, context: CommandContext) -> int | None:
    done = context.holdfast.encryption.protect(wish)
    _show(done, context)
    return follow_forgetting([done.forgotten], context)


def _show_rehearsal(found: ProtectedMemory, context: CommandContext) -> None:
    if context.output.as_json:
        context.output.json(protected_json(found))
        return
    for one in (found.forgotten.record, *found.forgotten.earlier):
        line = one_line(one.memory.claim)
        context.output.say("would protect ", Name(one.memory.id), f"  {line}")
    _show_repeated(found, context)


def _show(done: ProtectedMemory, context: CommandContext) -> None:
    gone = done.forgotten
    if context.output.as_json:
        context.output.json(protected_json(done))
    elif done.record is not None:
        words = context.output.named(f"  instead of {gone.record.memory.id}")
        context.output.say(Good("protected"), " ", Name(done.record.memory.id), Dim(words))
        for one in gone.earlier:
            context.output.say(Good("protected"), " its earlier wording ", Dim(one.memory.id))
        _show_repeated(done, context)
        if gone.not_yet:
            context.output.complain(gone.not_yet)


def _show_repeated(found: ProtectedMemory, context: CommandContext) -> None:
    """Write what else says nearly the same words, and what a person can do about it."""
    if not found.repeated:
        return
    context.output.say(Warn("still in clear"), ", with nearly the same words or the same key:")
    for one in found.repeated[:_MOST_SHOWN]:
        words = "" if one.record is None else one_line(one.record.memory.claim)
        status = "" if one.record is None else f"  {one.record.standing.status.value}  "
        line = cut(f"{status}{words}", terminal_width() - len(one.place) - 2)
        context.output.say("  ", Name(one.place), Dim(line))
    if (more := len(found.repeated) - _MOST_SHOWN) > 0:
        context.output.say(Dim(f"  and {more:,} more; --json lists all"))
    if any(one.record is not None for one in found.repeated):
        context.output.note(Dim("to encrypt a memory: holdfast protect ID; else holdfast forget"))
    if any(one.record is None for one in found.repeated):
        context.output.note(Dim("in other places, only you can take the words out"))
    note_commands((one.place for one in found.repeated if one.record is None), context)


def _is_confirmed(found: ProtectedMemory, context: CommandContext) -> bool:
    if not is_at_terminal(context):
        raise UsageError(
            problem="Nothing was changed: the plain text is removed for good, and there is no"
            " terminal for a question. Look with --dry-run, then add --yes."
        )
    gone = found.forgotten
    name = gone.record.memory.id
    count = len(gone.earlier)
    noun = "earlier wording" if count == 1 else "earlier wordings"
    what = f"{name} and {count} {noun}" if count else name
    return agrees(context, f"Encrypt {what}, and remove the plain text for good?")
