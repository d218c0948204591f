"""forget: remove memories so that no byte of them stays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.memory.callers import PrincipalKind
from holdfast.domain.values import replace
from holdfast.surfaces.cli.forgetting import forget_now, show_forgotten
from holdfast.surfaces.cli.person import agrees, is_at_terminal
from holdfast.surfaces.cli.present.terminal.colour import Dim, Name
from holdfast.surfaces.cli.present.terminal.table import one_line
from holdfast.surfaces.cli.values import UsageError
from holdfast.usecases.memory.forget import Forget

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext
    from holdfast.usecases.memory.forget import Forgotten


def forget(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Remove memories permanently from the store, every index and every file of the store.\n"
        "Only a record stays: that a memory with that id was forgotten, when, by whom and why.\n"
        "The command asks first; without a terminal it needs --yes. Agents cannot forget;\n"
        "--propose asks a person to. The text is also removed from pages and generated files.\n"
        "The exit code is 7 if the text remains in a place that only you can clean, such as the\n"
        "history of git; the command names each such place.",
        examples=(
            "holdfast forget --id m_abc123 --dry-run",
            'holdfast forget --id m_abc123 --propose --reason "it is out of date"',
            "holdfast forget --id m_abc123 --yes",
        ),
        does=_run,
    )
    add = command.add_argument
    add("ids", metavar="ID", nargs="*", help="memories to forget")
    add("--id", action="append", metavar="ID", default=[], help="the same, as an option")
    add("--key", action="append", metavar="KEY", default=[], help="the memory with this key")
    add("--dry-run", action="store_true", help="show what would be removed; change nothing")
    add("-y", "--yes", action="store_true", help="do not ask")
    add("--propose", action="store_true", help="only propose it; 'holdfast review' shows it")
    add("--reason", metavar="WORDS", default="", help="why; kept with the tombstone")


def _run(given: Namespace, context: CommandContext) -> int | None:
    references = list(dict.fromkeys([*given.ids, *given.id, *given.key]))
    if not references:
        raise UsageError(problem="Which memory? Write: holdfast forget --id m_…")
    if given.propose:
        _propose(references, given.reason, context)
        return None
    return forget_all(given, references, context)


def forget_all(given: Namespace, references: Sequence[str], context: CommandContext) -> int | None:
    """Forget memories after a person confirmed it; return the exit code.

    Raises:
        UsageError: Nobody can be asked here, and --yes is missing.
    """
    wishes = [Forget(reference=name, by=context.user, reason=given.reason) for name in references]
    # All are looked up before the first is removed, so a wrong last id changes nothing.
    found = [_rehearsed(wish, context) for wish in wishes]
    if given.dry_run:
        show_forgotten(found, context)
        return None
    if not given.yes and not _is_confirmed(found, context):
        context.output.note("Nothing was changed.")
        return 1
    return forget_now(wishes, context)


def _propose(references: Sequence[str], reason: str, context: CommandContext) -> None:
    """Propose that memories be forgotten; a person decides about it."""
    is_person = context.principal.kind is PrincipalKind.PERSON
    source = context.user if is_person else context.principal.source(None, door="cli")
    proposals = [
        context.holdfast.memories.propose_forgetting(
            Forget(reference=name, by=source, reason=reason)
        )
        for name in references
    ]
    if context.output.as_json:
        from holdfast.surfaces.wire.memory import proposed_forgetting_json

        context.output.json(proposed_forgetting_json(proposals))
        return
    for one in proposals:
        context.output.say("proposed ", Name(one.memory.id), "  ", one_line(one.memory.claim))
    context.output.note(Dim("nothing is forgotten until a person approves it: holdfast review"))


def _rehearsed(wish: Forget, context: CommandContext) -> Forgotten:
    return context.holdfast.memories.forget(replace(wish, dry_run=True))


def _is_confirmed(found: list[Forgotten], context: CommandContext) -> bool:
    """Show what would be forgotten, and ask; if nobody can be asked, nothing is forgotten."""
    if not is_at_terminal(context):
        raise UsageError(
            problem="Nothing was forgotten: this cannot be undone, and there is no terminal for"
            " a question. Look with --dry-run, then add --yes."
        )
    show_forgotten(found, context)
    many = "this memory" if len(found) == 1 else f"these {len(found)} memories"
    return agrees(context, f"Forget {many} permanently?")
