"""The entries of pages that still have a forgotten text, as git can bring one with a checkout."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import UnavailableError
from holdfast.domain.lookup_errors import NoHistoryError
from holdfast.domain.refusals import BranchChangedError, PagesNeedRepositoryError
from holdfast.domain.remote_errors import NotOnRemoteError
from holdfast.usecases.pages.sync import Sync

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.pages.syncing import EntryOutcome
    from holdfast.surfaces.cli.command_context import CommandContext

_NOTHING_TO_ASK = (
    *(NoHistoryError, NotOnRemoteError, PagesNeedRepositoryError),
    *(BranchChangedError, UnavailableError),
)


def forgotten_in_pages(context: CommandContext) -> Sequence[EntryOutcome]:
    """Return what a sync would do with them; none where there are no pages to ask."""
    wish = Sync(by=context.user, voice=context.principal.voice, dry_run=True)
    try:
        outcomes = context.holdfast.pages.sync(wish).outcomes
    except _NOTHING_TO_ASK:
        return ()
    return [one for one in outcomes if one.has_forgotten_text]
