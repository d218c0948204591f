"""db: the database server of a store, for the people who run it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.surfaces.cli.present.care.sizes import size_text
from holdfast.surfaces.cli.present.terminal.colour import Good
from holdfast.surfaces.cli.present.terminal.table import show_table
from holdfast.surfaces.cli.verbs.care.doctor import exit_code, show_findings
from holdfast.surfaces.cli.verbs.care.tenant import show_tenants
from holdfast.surfaces.wire.care import findings_json, upgraded_json
from holdfast.surfaces.wire.service import database_json, script_json

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from holdfast.domain.care.database import DatabaseStats
    from holdfast.domain.review.curation import HealthFinding
    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext

_LARGE = 1_000_000


def upgrade(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Create the tables of Holdfast in a Postgres database, or bring them to this version.\n"
        "The address names the role that owns the tables; all steps are done, or none. The role\n"
        "that the program connects as later must not own them: make it a member of holdfast_app.\n"
        "Large indexes are built first, while programs go on; an interrupted run continues there.",
        examples=(
            "holdfast db upgrade --store postgresql://owner@db.example/memory",
            "holdfast db upgrade --store postgresql://owner@db.example/memory --json",
        ),
        does=_upgrade,
    )


def _upgrade(_given: Namespace, context: CommandContext) -> None:
    with context.progress("building indexes") as progress:
        done = context.machine.database.upgrade(progress)
    if context.output.as_json:
        context.output.json(upgraded_json(done))
        return
    for step in done:
        context.output.say(Good("done"), "  ", step)
    if not done:
        context.output.say("The database is up to date; nothing was changed.")


def check(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Check a Postgres database: the server, the role, the schema, and whether every table\n"
        "keeps tenants apart. It changes nothing. The exit code is 0 when all is well, 1 when\n"
        "something needs a person, 6 when tenants are not kept apart or a key lacks the tenant.",
        examples=(
            "holdfast db check --store postgresql://app@db.example/memory",
            "holdfast db check --store postgresql://app@db.example/memory --json",
        ),
        does=_check,
    )


def _check(_given: Namespace, context: CommandContext) -> int:
    return _told(context.machine.database.check(), context)


def _told(findings: Sequence[HealthFinding], context: CommandContext) -> int:
    if context.output.as_json:
        context.output.json(findings_json(findings, None, exit_code=exit_code(findings, None)))
    else:
        show_findings(findings, context)
    return exit_code(findings, None)


def stats(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Show the size of a database: rows, dead rows and bytes by table, memories by tenant,\n"
        "indexes that were never used, the oldest transaction, and how far replicas are behind.\n"
        "The owner of the tables sees every tenant, other roles their own. Rows are estimates of\n"
        "the server.",
        examples=(
            "holdfast db stats --store postgresql://owner@db.example/memory",
            "holdfast db stats --store postgresql://owner@db.example/memory --json",
        ),
        does=_stats,
    )


def _stats(_given: Namespace, context: CommandContext) -> None:
    found = context.machine.database.stats()
    if context.output.as_json:
        context.output.json(database_json(found))
        return
    say = context.output.say
    say(f"{found.location}  {size_text(found.database_bytes)}")
    oldest = f"{found.oldest_seconds:.0f} s" if found.oldest_seconds is not None else "none"
    say(
        f"{found.connections:,} of {found.most_connections:,} connections,"
        f" oldest transaction: {oldest}"
    )
    for one in found.replicas:
        behind = "?" if one.bytes_behind is None else size_text(one.bytes_behind)
        kind = "synchronous" if one.is_synchronous else "asynchronous"
        say(f"replica {one.name or '?'}: {one.state}, {kind}, {behind} behind")
    say("")
    _show_tables(found, context)
    unused = [one for one in found.indexes if not one.scans and one.index_bytes > _LARGE]
    for index in unused:
        say(f"never used: index {index.name} of {index.table}, {size_text(index.index_bytes)}")
    say("")
    show_tenants(found.tenants, context)


def _show_tables(found: DatabaseStats, context: CommandContext) -> None:
    rows = [
        (
            one.name,
            f"{one.rows:,}",
            f"{one.dead_rows:,}",
            size_text(one.table_bytes),
            size_text(one.index_bytes),
        )
        for one in found.tables
    ]
    show_table(context.output, ("table", "rows", "dead", "bytes", "indexes"), rows)


def backup_advice(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Read the settings of the server that matter for backups, and say what to do: crashes,\n"
        "the archive of the write-ahead log, checksums, replicas. It changes nothing.",
        examples=(
            "holdfast db backup-advice --store postgresql://app@db.example/memory",
            "holdfast db backup-advice --store postgresql://app@db.example/memory --json",
        ),
        does=_backup_advice,
    )


def _backup_advice(_given: Namespace, context: CommandContext) -> None:
    advice = context.machine.database.backup_advice()
    if context.output.as_json:
        context.output.json(findings_json(advice, None, exit_code=0))
    else:
        show_findings(advice, context)


def citus(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Print the SQL script that distributes the tables over a Citus cluster by tenant. It is\n"
        "made from the tables of the database, and changes nothing; 'holdfast db check' proves\n"
        "that every key carries the tenant, which Citus needs.",
        examples=(
            "holdfast db citus --store postgresql://owner@db.example/memory > distribute.sql",
            "holdfast db citus --store postgresql://owner@db.example/memory --json",
        ),
        does=_citus,
    )


def _citus(_given: Namespace, context: CommandContext) -> None:
    statements = context.machine.database.citus_script()
    if context.output.as_json:
        context.output.json(script_json(statements))
        return
    for statement in statements:
        context.output.say(statement)
