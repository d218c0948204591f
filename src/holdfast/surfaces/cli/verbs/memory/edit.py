"""edit: change the text of a memory, and accept the new text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.values import replace
from holdfast.surfaces.cli.follow_up import follow_up
from holdfast.surfaces.cli.present.review.decided import show_decided
from holdfast.surfaces.cli.present.terminal.table import diff_words
from holdfast.surfaces.cli.values import UsageError
from holdfast.surfaces.wire.review import decided_json, edited_json
from holdfast.usecases.review.rewording import Edit

if TYPE_CHECKING:
    from argparse import Namespace

    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext


def edit(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Reword a candidate or an accepted memory. A memory never changes: your text becomes a\n"
        "new memory with the same evidence, which replaces the old one at once. Without --claim\n"
        "your editor opens (VISUAL, EDITOR).",
        examples=(
            'holdfast edit m_k4t9zz --claim "Access tokens live for ten minutes."',
            'holdfast edit m_3f8k2q --claim "Refresh tokens rotate." --dry-run --json',
        ),
        does=_run,
    )
    add = command.add_argument
    add("id", metavar="ID", help="the memory")
    add("--claim", metavar="TEXT", help="the new text; '-' reads standard input")
    add("--editor", action="store_true", help="open the editor (the default without --claim)")
    add("--hash", metavar="HASH", help="only if its hash is this one")
    add("--dry-run", action="store_true", help="show the difference; change nothing")


def _run(given: Namespace, context: CommandContext) -> None:
    if given.claim is not None and given.editor:
        raise UsageError(problem="Give --claim or --editor, not both.")
    old = context.holdfast.memories.explain(given.id).record.memory
    words = _words(given.claim, old.claim)
    wish = Edit(reference=old.id, claim=words, by=context.user, shown_hash=given.hash)
    if given.dry_run:
        context.holdfast.review.edit(replace(wish, dry_run=True))
        _show_difference(old.claim, words, context)
        return
    decided = context.holdfast.review.edit(wish)
    if context.output.as_json:
        context.output.json(decided_json(decided))
    else:
        context.output.say("  ", *diff_words(context.output, old.claim, words))
        show_decided(context.output, decided)
    follow_up(context)


def _words(claim: str | None, old: str) -> str:
    if claim == "-":
        from holdfast.surfaces.cli.standard_input import piped_text

        return piped_text(what="claim").strip()
    if claim is not None:
        return claim
    from holdfast.surfaces.cli.editor import edited

    return edited(old)


def _show_difference(old: str, new: str, context: CommandContext) -> None:
    if context.output.as_json:
        context.output.json(edited_json(old, new))
        return
    context.output.say(*diff_words(context.output, old, new))
