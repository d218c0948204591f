"""tenant: the tenants of a database, for the people who run it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.domain.text.counting import counted
from holdfast.surfaces.cli.person import agrees, is_at_terminal
from holdfast.surfaces.cli.present.terminal.colour import Dim, Good, Name
from holdfast.surfaces.cli.present.terminal.table import show_table
from holdfast.surfaces.cli.values import UnusableFileError, UsageError
from holdfast.surfaces.wire.service import (
    tenant_created_json,
    tenant_exported_json,
    tenant_removed_json,
    tenants_json,
)

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from holdfast.domain.care.database import TenantRemoval, TenantSize
    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext

_WHO = "its name, as in HOLDFAST_TENANT, or its id"


def create(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Add a tenant with an empty default space, and print its id. A tenant that is used for\n"
        "the first time is added by itself; this verb prepares one, and gives it its name.",
        examples=(
            "holdfast tenant create acme --store postgresql://app@db.example/memory",
            "holdfast tenant create acme --store postgresql://app@db.example/memory --json",
        ),
        does=_create,
    )
    command.add_argument("name", metavar="NAME", help=_WHO)


def _create(given: Namespace, context: CommandContext) -> None:
    tenant, is_new = context.machine.tenants.create(_name(given.name))
    if context.output.as_json:
        context.output.json(tenant_created_json(tenant, is_new=is_new))
        return
    if is_new:
        context.output.say(Good("created"), f"  {tenant.name}  ", Name(str(tenant.id)))
    else:
        context.output.say(f"{tenant.name}  ", Name(str(tenant.id)), Dim("  was there already"))


def tenants(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "List the tenants of a database with their spaces and memories. The owner of the tables\n"
        "sees all tenants; every other role sees only the tenant that HOLDFAST_TENANT names.",
        examples=(
            "holdfast tenant list --store postgresql://owner@db.example/memory",
            "holdfast tenant list --store postgresql://owner@db.example/memory --json",
        ),
        does=_list,
    )


def _list(_given: Namespace, context: CommandContext) -> None:
    found = context.machine.tenants.list()
    if context.output.as_json:
        context.output.json(tenants_json(found))
        return
    show_tenants(found, context)
    if not found:
        context.output.note("There is no tenant that this role may see.")


def show_tenants(found: Sequence[TenantSize], context: CommandContext) -> None:
    """Show each tenant with its id, its spaces and its memories."""
    rows = [
        (
            Name(str(one.id)),
            one.name,
            f"{one.memories:,}",
            one.created_at.date().isoformat(),
            ", ".join(one.spaces),
        )
        for one in found
    ]
    show_table(context.output, ("id", "name", "memories", "since", "spaces"), rows)


def export(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Write every space of a tenant as JSON lines, one file for each space, into a folder.\n"
        "'holdfast import' reads each file again.",
        examples=(
            "holdfast tenant export acme backup --store postgresql://app@db.example/memory",
            "holdfast tenant export acme backup --store postgresql://app@db.example/memory --json",
        ),
        does=_export,
    )
    command.add_argument("name", metavar="NAME", help=_WHO)
    command.add_argument("folder", metavar="FOLDER", help="it is created if it is missing")


def _export(given: Namespace, context: CommandContext) -> None:
    from holdfast.surfaces.cli.named_files import to_file

    tenants = context.machine.tenants
    tenant = tenants.named(_name(given.name))
    into = Path(given.folder)
    try:
        into.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise UnusableFileError(path=str(into), problem=error.strerror, done="written") from error
    written: list[tuple[str, int]] = []
    for space, lines in tenants.export(tenant):
        file = into / f"{space}.jsonl"
        written.append((str(file), to_file(lines, file)))
        context.machine.beside_store.note_written(file)
    if context.output.as_json:
        context.output.json(tenant_exported_json(tenant, written))
        return
    for name, count in written:
        context.output.say(Good("exported"), f"  {counted(count, 'line')} to {name}")


def delete(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Remove a tenant: every memory, event, session and vector of all its spaces. Afterwards\n"
        "every table of the database is counted; if a row is left, nothing is removed. It cannot\n"
        "be undone, so the command asks first; without a terminal it needs --yes. The bytes stay\n"
        "in the files of the server until VACUUM, and in its backups.",
        examples=(
            "holdfast tenant delete acme --dry-run --store postgresql://app@db.example/memory",
            "holdfast tenant delete acme --yes --store postgresql://app@db.example/memory",
        ),
        does=_delete,
    )
    add = command.add_argument
    add("name", metavar="NAME", help=_WHO)
    add("--dry-run", action="store_true", help="only show what would be removed")
    add("-y", "--yes", action="store_true", help="do not ask")


def _delete(given: Namespace, context: CommandContext) -> int | None:
    name = _name(given.name)
    found = context.machine.tenants.named(name)
    if given.dry_run:
        _show_removal(found, None, context)
        return None
    if not given.yes and not _is_confirmed(found, context):
        context.output.note("Nothing was changed.")
        return 1
    _show_removal(found, context.machine.tenants.remove(name), context)
    return None


def _is_confirmed(found: TenantSize, context: CommandContext) -> bool:
    if not is_at_terminal(context):
        raise UsageError(
            problem="Nothing was removed: this cannot be undone, and there is no terminal for a"
            " question. Look with --dry-run, then add --yes."
        )
    _show_removal(found, None, context)
    return agrees(context, "Remove this tenant permanently?")


def _show_removal(
    found: TenantSize, removal: TenantRemoval | None, context: CommandContext
) -> None:
    if context.output.as_json:
        context.output.json(tenant_removed_json(found, removal))
        return
    name = f"{found.name}  {found.id}" if found.name else str(found.id)
    spaces = len(found.spaces)
    memories = "1 memory" if found.memories == 1 else f"{found.memories:,} memories"
    held = f"{memories} in {spaces:,} {'space' if spaces == 1 else 'spaces'}"
    if removal is None:
        context.output.say(f"{name}  {held}")
        return
    rows = sum(count for _, count in removal.deleted)
    context.output.say(Good("removed"), f"  {name}  {held}, {counted(rows, 'row')}")
    context.output.say(
        Good("checked"), f"  {counted(removal.checked, 'table')}: none has a row of this tenant"
    )


def _name(given: str) -> str:
    if not given.strip():
        raise UsageError(problem="A tenant needs a name.")
    return given.strip()
