"""mcp: serve agents over MCP on standard input and output."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argparse import Namespace

    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext


def mcp(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Serve agents over MCP on standard input and output, until standard input ends.\n"
        "Agents recall and propose; what they propose is a candidate until a person approves it.\n"
        "The profile 'core' lists six tools in few words, for small contexts.",
        examples=(
            "holdfast mcp < /dev/null",
            "holdfast mcp --profile core < /dev/null",
        ),
        does=_run,
    )
    command.add_argument(
        "--profile",
        choices=("core", "full"),
        help="the tools to list (the setting mcp.profile, else full)",
    )


def _run(given: Namespace, context: CommandContext) -> int:
    from holdfast.surfaces.mcp.server import serve

    return serve(
        home="" if context.home is None else str(context.home),
        folder=None if given.folder is None else context.folder,
        space=context.space,
        profile=given.profile,
    )
