"""import git: read the commits of the repository."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.surfaces.cli import values
from holdfast.surfaces.cli.present.terminal.colour import Dim, Good
from holdfast.surfaces.wire.intake import read_commits_json

if TYPE_CHECKING:
    from argparse import Namespace

    from holdfast.surfaces.cli.command_context import CommandContext

_KEPT_LIMIT = (
    "Earlier commits are left out, because an earlier import gave --since. To index them too:\n"
    "holdfast import git --since 1970-01-01"
)


def read_history(given: Namespace, context: CommandContext) -> int:
    """Index the commits, and write how many there are."""
    since = values.since(given.since, context.holdfast.now)
    with context.progress("reading commits") as progress:
        read = context.holdfast.code.read_history(progress, since=since)
    if context.output.as_json:
        context.output.json(read_commits_json(read))
    else:
        commits = "1 commit" if read.total == 1 else f"{read.total:,} commits"
        counts = f"{read.new:,} new, {read.known:,} known"
        limit = "" if read.since is None else f" since {read.since:%Y-%m-%d %H:%M} UTC"
        context.output.say(Good("read"), f" {commits} of this repository{limit}: {counts}")
        if since is None and read.since is not None:
            context.output.note(_KEPT_LIMIT)
        # The index of the commits is on this machine, whichever memory is used.
        at = "--store local " if context.machine.is_remote() else ""
        hint = f'holdfast recall {at}--include memory,history "why is this so"'
        context.output.note(Dim(f"find them with: {hint}"))
    return 0
