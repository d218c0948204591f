"""check list, accept, revoke: the checks of memories, and the commands that may run here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Status
from holdfast.surfaces.cli.present.memory.memory_lines import status_word
from holdfast.surfaces.cli.present.terminal.colour import Bold, Dim, Good, Name, Warn
from holdfast.surfaces.cli.present.terminal.table import one_line, show_table
from holdfast.surfaces.wire.rule_checks import (
    commands_json,
    listed_checks_json,
    revoked_commands_json,
    waiting_commands_json,
)

if TYPE_CHECKING:
    from argparse import Namespace

    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext
    from holdfast.usecases.checks.accepting import ListedCheck

_NEEDS_PERSON = 4
_SHORT_HASH = 12


def listing(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "List the checks of the memories that reach this folder, and whether the commands among\n"
        "them may run here. 'holdfast verify --checks' runs them.",
        examples=("holdfast check list", "holdfast check list --json"),
        does=_list,
    )


def _list(_given: Namespace, context: CommandContext) -> None:
    found = context.holdfast.checks.listed()
    if context.output.as_json:
        context.output.json(listed_checks_json(found))
    elif found:
        rows = [
            (
                Name(one.record.memory.id),
                status_word(one.record.standing.status),
                one_line(one.text),
            )
            + (_state(one),)
            for one in found
        ]
        show_table(context.output, ("MEMORY", "STATUS", "CHECK", "RUNS HERE"), rows)
    else:
        context.output.note("No memory here has a check. 'holdfast remember --check' gives it one.")


def _state(one: ListedCheck) -> str:
    if one.record.standing.status is not Status.ACCEPTED:
        return Dim("not yet")
    if not one.is_command:
        return "yes"
    return Warn("not accepted") if one.accepted is None else Good(f"accepted by {one.accepted.by}")


def accept(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Show the commands among the checks of a memory, and let exactly these texts run on this\n"
        "machine, in this clone. If a script that a text names changes, accept it again. Other\n"
        "files that it runs, such as a Makefile or a module that Python imports from this folder,\n"
        "can change unnoticed; accept only commands of a repository that you would build.",
        examples=(
            "holdfast check accept m_c7h3kk --dry-run --json",
            "holdfast check accept m_c7h3kk --yes",
        ),
        does=_accept,
    )
    add = command.add_argument
    add("memory", metavar="ID", help="the memory with the check (m_…, its key or its label)")
    add("--yes", action="store_true", help="accept what is shown without asking")
    add("--hash", metavar="HASH", help="accept only if the hash of the commands is this one")
    add("--dry-run", action="store_true", help="only show the commands")


def _accept(given: Namespace, context: CommandContext) -> int | None:
    from holdfast.domain.checks.kinds import shown_mark
    from holdfast.usecases.checks.accepting import AcceptCommands

    found = context.holdfast.checks.commands(given.memory)
    shown = shown_mark(found)
    is_asked = not (given.yes or given.hash)
    if context.output.as_json and (given.dry_run or is_asked):
        context.output.json(waiting_commands_json([one.command for one in found], shown=shown))
    elif not context.output.as_json:
        for one in found:
            context.output.say(Bold("command"), "  ", one_line(one.command))
    if given.dry_run:
        return None
    if is_asked and not _is_agreed(given, shown, context):
        return _NEEDS_PERSON
    wish = AcceptCommands(reference=given.memory, by=context.user, shown=given.hash or shown)
    made = context.holdfast.checks.accept(wish)
    if context.output.as_json:
        context.output.json(commands_json(made))
    else:
        context.output.say(Good("accepted"), f"  for {made[0].clone}")
        watched = sorted({name for one in made for name in one.files})
        told = f"watched: the text{''.join(f', {name}' for name in watched)}"
        context.output.note(Dim(f"{told}; not what it reads or imports, such as a Makefile"))
    return None


def _is_agreed(given: Namespace, shown: str, context: CommandContext) -> bool:
    """Ask the person at the terminal; without one, print the command that accepts exactly this."""
    from holdfast.surfaces.cli.person import agrees, is_at_terminal

    if is_at_terminal(context):
        return agrees(context, "Let this run here whenever checks run?")
    words = f"holdfast check accept {given.memory} --hash {shown[:_SHORT_HASH]}"
    context.output.note(Dim(f"nothing was accepted; to accept exactly this: {words}"))
    return False


def revoke(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Stop the commands of a memory from running in this clone.",
        examples=("holdfast check revoke m_c7h3kk", "holdfast check revoke m_c7h3kk --json"),
        does=_revoke,
    )
    command.add_argument("memory", metavar="ID", help="the memory with the check")


def _revoke(given: Namespace, context: CommandContext) -> None:
    found = context.holdfast.checks.revoke(given.memory)
    if context.output.as_json:
        context.output.json(revoked_commands_json(found))
        return
    for one in found:
        context.output.say(Good("revoked"), "  ", one_line(one))
    if not found:
        context.output.note("None of its commands was accepted here.")
