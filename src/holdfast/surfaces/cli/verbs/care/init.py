"""init: create the store and record the repository; with --files, create its pages."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING

from holdfast.domain.errors import HoldfastError
from holdfast.surfaces.cli.failure import told
from holdfast.surfaces.cli.present.memory.memory_lines import fact_lines
from holdfast.surfaces.cli.present.terminal.colour import Good, Name, Warn
from holdfast.surfaces.wire.tools import ready_json

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from holdfast.domain.exchange.first_claim import FirstClaim
    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext


_WITHOUT_FILES = (
    'holdfast remember --because "I decided" "We deploy on Tuesdays."',
    'holdfast recall "when do we deploy"',
)


def init(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Create your store, if there is none, and record the current repository. Nothing is\n"
        "written into the repository; running the command again changes nothing. It suggests a\n"
        "first memory, made from real lines of this repository. --files creates the folder\n"
        ".holdfast/memory for pages that people read and edit, and configures git to merge them\n"
        "entry by entry; if a clone already has pages, git is configured without --files. At a\n"
        "terminal it offers to install a model for the search by meaning; --model installs it\n"
        "without asking, --no-model does not ask.",
        examples=("holdfast init", "holdfast init --files", "holdfast init --no-model --json"),
        does=_run,
        creates_store=True,
    )
    command.add_argument(
        "--files", action="store_true", help="also keep memories in pages of this repository"
    )
    either = command.add_mutually_exclusive_group()
    either.add_argument("--model", action="store_true", help="install the default model")
    either.add_argument("--no-model", action="store_true", help="do not offer a model")


def _run(given: Namespace, context: CommandContext) -> None:
    existed = context.machine.is_on_server() or context.machine.store_file().exists()
    memory = context.holdfast
    existed = existed and not context.has_made_store
    place, facts = memory.place(), memory.upkeep.facts()
    made = _pages(given, context)
    meaning = _model(given, context)
    pages = context.machine.project.count_pages()
    came = bool(pages) or (not given.files and context.machine.project.keeps_pages())
    steps = _next_steps(context, came=came, has_made=given.files)
    if context.output.as_json:
        context.output.json(
            ready_json(
                facts,
                place,
                created=not existed,
                model=meaning,
                pages=list(made),
                next=list(steps),
            )
        )
        return
    shared = ", and this repository uses it" if place.repo else ""
    words = f"The store already exists{shared}." if existed else "The store is ready."
    context.output.say(Good("ready"), "  ", words)
    fact_lines(
        context.output,
        [
            ("store", facts.location),
            ("tenant", context.machine.tenant()),
            ("space", context.space if context.machine.tenant() else ""),
            ("repository", place.repo or "none here: memories are global unless you give a scope"),
            ("branch", place.branch),
            ("meaning", meaning or context.machine.models.no_meaning()),
            ("made", ", ".join(made) or None),
            ("pages", _found_pages(pages)),
        ],
    )
    context.output.note("next:")
    for step in steps:
        context.output.note("  ", Name(step))


def _next_steps(context: CommandContext, *, came: bool, has_made: bool) -> tuple[str, ...]:
    """Return the commands to try next; what came with the clone is first."""
    claim = context.machine.project.first_step()
    remember, recall = _WITHOUT_FILES if claim is None else _first_commands(claim)
    sync = ("holdfast sync",) if came or has_made else ()
    trust = ("holdfast trust",) if came else ()
    return (*sync, *trust, remember, recall, "holdfast help")


def _first_commands(claim: FirstClaim) -> tuple[str, str]:
    """Return the commands that keep a claim and find it again.

    A first claim has no character that is special to a shell inside double quotes.
    """
    place = shlex.quote(f"{claim.path}:{claim.first}-{claim.last}")
    return (
        f'holdfast remember --evidence {place} "{claim.claim}"',
        f'holdfast recall "{claim.question}"',
    )


def _found_pages(count: int) -> str | None:
    """Return a line about the pages of this clone, and how their entries become memories."""
    if not count:
        return None
    noun = "1 page" if count == 1 else f"{count:,} pages"
    return f"{noun} in .holdfast: 'holdfast sync' reads, 'holdfast trust' shows and accepts them"


def _pages(given: Namespace, context: CommandContext) -> Sequence[str]:
    """Create the pages if wanted; set up git's merge driver if there are pages."""
    project = context.machine.project
    if given.files:
        return project.set_up_pages()
    return project.set_up_merging() if project.keeps_pages() else ()


def _model(given: Namespace, context: CommandContext) -> str:
    """Return the embedding model; install the one that is set or the default, if wanted."""
    if context.holdfast.embedder is not None:
        return context.holdfast.embedder.model.name
    if given.no_model or not (given.model or _agrees(context)):
        return ""
    models = context.machine.models
    name = models.chosen()
    try:
        with context.progress(f"installing {name}") as progress:
            card = models.install(name, None, force=False, progress=progress)
    except HoldfastError as error:
        # Without a network the store works too; memories are then found by words.
        context.output.complain(Warn("no model: "), *told(error))
        return ""
    return card.model.name


def _agrees(context: CommandContext) -> bool:
    """Ask a person on a terminal; without a terminal, nobody is asked."""
    is_person = sys.stdin is not None and sys.stdin.isatty() and context.output.is_terminal
    if not is_person or context.output.as_json or context.output.is_quiet:
        return False
    if not context.machine.models.can_install():
        return False
    context.output.complain("Install a model for the search by meaning? [y/N] ")
    context.output.flush()
    return sys.stdin.readline().strip().lower() in {"y", "yes"}
