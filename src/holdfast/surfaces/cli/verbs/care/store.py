"""store: an exact copy of the whole store in another place."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from holdfast.domain.text.counting import counted
from holdfast.surfaces.cli.present.terminal.colour import Bad, Dim, Good, Warn
from holdfast.surfaces.cli.present.terminal.table import show_table
from holdfast.surfaces.wire.care import copied_json

if TYPE_CHECKING:
    from argparse import Namespace

    from holdfast.domain.exchange.copies import StoreCopy
    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext

_SHOWN_DIGITS = 12
_DIFFERENT = 1


def copy(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Copy the whole store of this space into an empty place: a folder, or a database on\n"
        "a server. Memories, decisions, sessions, events and vectors are copied exactly, and\n"
        "every row is compared by its hash afterwards. The source is not changed. A copy that\n"
        "was interrupted goes on when the same command is run again. The content of snapshots\n"
        "of workspaces is not part of a store; the command says how to copy it.\n"
        "\n"
        "If TO names a vector index, only the vectors are copied: sidecar (files beside the\n"
        "store), pgvector (a store on Postgres), chroma, chroma:/PATH, chroma+http://HOST:PORT.",
        examples=(
            "holdfast store copy postgresql://app@db.example/memory",
            "holdfast store copy ~/from-server --store postgresql://app@db.example/memory",
            "holdfast store copy sidecar --use",
        ),
        does=_copy,
    )
    _add_target(command)
    command.add_argument(
        "--use", action="store_true", help="search in this vector index from now on"
    )


def compare(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Compare the store of this space with another one, row by row, by the hashes of the\n"
        "rows. Nothing is changed. The exit code is 1 if they differ.",
        examples=(
            "holdfast store compare postgresql://app@db.example/memory",
            "holdfast store compare ~/memory-copy --json",
            "holdfast store compare chroma:/srv/chroma",
        ),
        does=_compare,
    )
    _add_target(command)


def _add_target(command: Command) -> None:
    add = command.add_argument
    add("to", metavar="TO", help="a folder, postgresql://user@host/database, or a vector index")
    add("--to-tenant", metavar="NAME", help="the tenant on that server (HOLDFAST_TENANT)")


def _copy(given: Namespace, context: CommandContext) -> None:
    with context.progress("copying") as bar:
        copied = context.machine.copies.copy(
            given.to, tenant=given.to_tenant, uses=given.use, progress=bar
        )
    folder = Path(given.to).expanduser()
    if not copied.index and folder.is_dir():
        context.machine.beside_store.note_written(folder)
    _show(copied, context)
    if context.output.as_json:
        return
    if not copied.index:
        context.output.note(f"All {copied.rows:,} rows are equal.")
        if before := copied.rows_from_before:
            many = counted(before, "row")
            context.output.note(
                f"An earlier run, which was interrupted, had copied {many} of them."
            )
        _tell_contents(copied, given, context)
        return
    context.output.note(f"All {copied.rows:,} rows are equal.")
    if given.use:
        context.output.note(f"Questions are answered from {copied.index} now.")
    else:
        context.output.note(Dim(f"To search there: holdfast store copy {copied.index} --use"))


def _tell_contents(copied: StoreCopy, given: Namespace, context: CommandContext) -> None:
    """Tell that the content of snapshots was not copied, and how to copy it."""
    if not copied.snapshots:
        return
    here, there = context.machine.copies.contents(given.to, tenant=given.to_tenant)
    if not here.is_dir():
        return
    many = counted(copied.snapshots, "snapshot")
    context.output.note(Warn(f"The content of {many} is not part of a store. Copy it too:"))
    context.output.note(f"  mkdir -p {quote(str(there))}")
    context.output.note(f"  cp -R {quote(f'{here}/.')} {quote(str(there))}")


def _compare(given: Namespace, context: CommandContext) -> int:
    with context.progress("comparing") as bar:
        compared = context.machine.copies.compare(given.to, tenant=given.to_tenant, progress=bar)
    _show(compared, context)
    return 0 if compared.is_same else _DIFFERENT


def _show(copied: StoreCopy, context: CommandContext) -> None:
    if context.output.as_json:
        context.output.json(copied_json(copied))
        return
    rows = [
        [
            one.table,
            f"{one.rows:,}",
            f"{one.target_rows:,}",
            Dim(one.digest[:_SHOWN_DIGITS]),
            Good("equal") if one.is_same else Bad("differs"),
        ]
        for one in copied.tables
        if one.rows or one.target_rows
    ]
    show_table(context.output, ("table", "rows", "there", "hash", ""), rows)
