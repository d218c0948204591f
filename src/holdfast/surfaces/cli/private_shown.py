"""The private files of a clone that git would add to a commit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import UnavailableError
from holdfast.domain.lookup_errors import NoHistoryError
from holdfast.domain.refusals import PagesNeedRepositoryError
from holdfast.domain.remote_errors import NotOnRemoteError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.memory.entry import Flaw
    from holdfast.surfaces.cli.command_context import CommandContext


def shown_by_git(context: CommandContext) -> Sequence[Flaw]:
    """Return them, each with the reason; none where there is no repository to ask."""
    try:
        return context.holdfast.pages.hide_private(dry_run=True)
    except (NoHistoryError, NotOnRemoteError, PagesNeedRepositoryError, UnavailableError):
        return ()
