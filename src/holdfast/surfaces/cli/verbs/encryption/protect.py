"""protect: make an existing memory sensitive, and remove its plain copies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.surfaces.cli.forgetting import follow_forgetting
from holdfast.surfaces.cli.person import agrees, is_at_terminal
from holdfast.surfaces.cli.present.terminal.colour import Dim, Good, Name
from holdfast.surfaces.cli.present.terminal.table import one_line
from holdfast.surfaces.cli.values import UsageError
from holdfast.surfaces.wire.encryption import protected_json
from holdfast.usecases.memory.protecting import Protect

if TYPE_CHECKING:
    from argparse import Namespace

    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext


def protect(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Make a memory sensitive: encrypt its text, and forget the plain one in the store, in\n"
        "every index, in pages and in generated files. The sensitive memory has a new id, and the\n"
        "same key, tags, pin, label and links. The command asks first; without a terminal it\n"
        "needs --yes. The exit code is 7 if the text remains in a place that only you can clean,\n"
        "such as the history of git.",
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
    wish = Protect(reference=given.id, by=context.user, dry_run=True)
    found = context.holdfast.encryption.protect(wish)
    plain = found.forgotten.record.memory
    if given.dry_run:
        if context.output.as_json:
            context.output.json(protected_json(found))
        else:
            line = one_line(plain.claim)
            context.output.say("would protect ", Name(plain.id), "  ", line)
        return None
    if not given.yes and not _is_confirmed(plain.id, context):
        context.output.note("Nothing was changed.")
        return 1
    done = context.holdfast.encryption.protect(Protect(reference=plain.id, by=context.user))
    if context.output.as_json:
        context.output.json(protected_json(done))
    elif done.record is not None:
        name = done.record.memory.id
        context.output.say(Good("protected"), " ", Name(name), Dim(f"  instead of {plain.id}"))
    return follow_forgetting([done.forgotten], context)


def _is_confirmed(name: str, context: CommandContext) -> bool:
    if not is_at_terminal(context):
        raise UsageError(
            problem="Nothing was changed: the plain text is removed for good, and there is no"
            " terminal for a question. Look with --dry-run, then add --yes."
        )
    return agrees(context, f"Encrypt {name}, and remove its plain text for good?")
