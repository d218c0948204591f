"""Write the pages of the repository after a decision."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.performing import Part, performs
from holdfast.domain.memory.callers import Operation

if TYPE_CHECKING:
    from holdfast.domain.pages.syncing import Synced


class PageWriter(Part):
    """Writes decisions into the pages, and reads no edits from them."""

    @performs(Operation.PROPOSE)
    def write(self, *, by: str) -> Synced | None:
        """Write the pages in a person's name; return None if there are no pages."""
        from holdfast.usecases.pages.sync import Sync

        attachments = self._holdfast.attachments
        if attachments is None or not attachments.keeps_pages():
            return None
        pages = self._holdfast.pages
        if not pages.has_pages():
            return None
        return pages.sync(Sync(by=by, voice=self.principal.voice, takes_in=False))
