"""hooks install, remove, status, run: git hooks that report changes of the history."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from holdfast.bootstrap.hooks.hooks import EVENTS
from holdfast.domain.errors import HoldfastError
from holdfast.surfaces.cli.present.terminal.colour import Dim, Good, Name
from holdfast.surfaces.cli.present.terminal.table import one_line, show_table
from holdfast.surfaces.wire.tools import changed_hooks_json, hooks_json, noted_json

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from holdfast.bootstrap.hooks.hooks import Hook
    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext

_LONGEST_SECONDS = 3600
_LARGEST_INPUT = 64 * 1024 * 1024
_MEANING = {
    "absent": "not installed",
    "others": "not installed; another hook is there",
    "installed": "installed",
    "outdated": "from an older installation",
    "edited": "edited by hand",
    "another": "of another space or home; git tells that store, not this one",
}


def install(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Install git hooks that tell Holdfast immediately when commits are made or rewritten, a\n"
        "branch is merged or another one is checked out. Holdfast also works without hooks: the\n"
        "next command finds the same changes. An existing hook is kept and runs first.",
        examples=("holdfast hooks install", "holdfast hooks install --dry-run --json"),
        does=_install,
    )
    _add_dry_run(command)
    command.add_argument(
        "--force",
        action="store_true",
        help="also install into a folder that git tracks or that is outside the repository,"
        " or over hooks of another space",
    )


def _install(given: Namespace, context: CommandContext) -> None:
    changed = context.machine.hooks.install(is_dry=given.dry_run, is_forced=given.force)
    _show_changes(changed, context, done="installed", is_dry=given.dry_run)


def remove(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Remove the hooks of Holdfast, and restore earlier hooks exactly as they were.",
        examples=("holdfast hooks remove", "holdfast hooks remove --dry-run --json"),
        does=_remove,
    )
    _add_dry_run(command)
    command.add_argument(
        "--force",
        action="store_true",
        help="also remove a Holdfast hook that was edited, or one of another space",
    )


def _remove(given: Namespace, context: CommandContext) -> None:
    changed = context.machine.hooks.remove(is_dry=given.dry_run, is_forced=given.force)
    _show_changes(changed, context, done="removed", is_dry=given.dry_run)


def status(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Show for each hook whether it is installed, and whether another hook runs before it.",
        examples=("holdfast hooks status", "holdfast hooks status --json"),
        does=_status,
    )


def _status(_given: Namespace, context: CommandContext) -> None:
    found = context.machine.hooks.status()
    if context.output.as_json:
        context.output.json(hooks_json(found))
        return
    rows = [(Name(hook.event), _words(hook)) for hook in found]
    show_table(context.output, ("HOOK", "STATE"), rows)
    context.output.note(Dim(one_line(f"in {found[0].path.parent}")))


def run(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Record what git did. The hooks call this command; it prints nothing and never fails.",
        examples=("holdfast hooks run post-commit", "holdfast hooks run post-merge --json"),
        does=_run,
    )
    command.add_argument("event", metavar="EVENT", choices=EVENTS, help=", ".join(EVENTS))
    command.add_argument(
        "words", metavar="WORD", nargs="*", help="the arguments that git gave the hook"
    )
    command.add_argument("--within", metavar="SECONDS", type=int, help="the time limit in seconds")


def _run(given: Namespace, context: CommandContext) -> None:
    if given.within is not None:
        import signal

        # This process runs in the background; without a limit nobody would notice a hang.
        signal.alarm(min(max(given.within, 1), _LONGEST_SECONDS))
    # Git must not fail because of this hook; the next command notes the same change.
    context.tells_health = True
    with suppress(HoldfastError, OSError):
        context.holdfast.pages.hide_private()
    with suppress(HoldfastError, OSError):
        _note(context, has_pairs=given.event == "post-rewrite")
    if context.output.as_json:
        context.output.json(noted_json(given.event))


def _note(context: CommandContext, *, has_pairs: bool) -> None:
    pairs = _pairs() if has_pairs else []
    with context.machine.hooks.turn_to_note(may_wait=has_pairs) as has_turn:
        if not has_turn:
            return
        if pairs and (pairs := context.machine.hooks.confirmed(pairs)):
            context.machine.hooks.note_first_commits(pairs)
            context.holdfast.evidence.note_rewrites(pairs)
            # Only what needs no decision: turns follow the commits that were rewritten.
            context.holdfast.session_cache.reconcile()
        context.holdfast.evidence.note_head()


def _pairs() -> list[tuple[str, str]]:
    """Return the old and new commit hashes that git writes, one pair per line."""
    if sys.stdin is None or sys.stdin.isatty():
        return []
    lines = sys.stdin.buffer.read(_LARGEST_INPUT).decode("ascii", "replace").splitlines()
    words = [line.split() for line in lines]
    return [(old, new) for old, new, *_ in (pair for pair in words if len(pair) > 1)]


def _add_dry_run(command: Command) -> None:
    command.add_argument("--dry-run", action="store_true", help="only show what would change")


def _show_changes(
    changed: Sequence[Hook], context: CommandContext, *, done: str, is_dry: bool
) -> None:
    if context.output.as_json:
        context.output.json(changed_hooks_json(changed, done=done, is_dry=is_dry))
        return
    said = f"would be {done}" if is_dry else done
    for hook in changed:
        context.output.say(Good(said), "  ", Name(hook.event), "  ", Dim(one_line(str(hook.path))))
    if not changed:
        context.output.note(f"Nothing to do: every hook is {done} already.")


def _words(hook: Hook) -> str:
    words = _MEANING[hook.state]
    is_ours = hook.state in {"installed", "outdated"}
    return f"{words}, after the one that was there" if is_ours and hook.is_chained else words
