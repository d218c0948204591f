"""db: the database server of a store, for the people who run it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.surfaces.cli.present.terminal.colour import Good
from holdfast.surfaces.cli.verbs.care.doctor import exit_code, show_findings
from holdfast.surfaces.wire.care import findings_json, upgraded_json

if TYPE_CHECKING:
    from argparse import Namespace

    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext


def upgrade(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Create the tables of Holdfast in a Postgres database, or bring them to this version.\n"
        "The address names the role that owns the tables; all steps are done, or none. The role\n"
        "that the program connects as later must not own them: make it a member of holdfast_app.",
        examples=(
            "holdfast db upgrade --store postgresql://owner@db.example/memory",
            "holdfast db upgrade --store postgresql://owner@db.example/memory --json",
        ),
        does=_upgrade,
    )


def _upgrade(_given: Namespace, context: CommandContext) -> None:
    done = context.machine.database.upgrade()
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
        "something needs a person, 6 when tenants are not kept apart.",
        examples=(
            "holdfast db check --store postgresql://app@db.example/memory",
            "holdfast db check --store postgresql://app@db.example/memory --json",
        ),
        does=_check,
    )


def _check(_given: Namespace, context: CommandContext) -> int:
    findings = context.machine.database.check()
    if context.output.as_json:
        context.output.json(findings_json(findings, None, exit_code=exit_code(findings, None)))
    else:
        show_findings(findings, context)
    return exit_code(findings, None)
