"""The files around a store and a folder, opened when a part of Holdfast first uses them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from holdfast.app import Holdfast
    from holdfast.app.filing import Filing
    from holdfast.ports.anchors.history import CommitReader
    from holdfast.ports.health_log import HealthLog
    from holdfast.ports.pages.documents import Documents
    from holdfast.ports.pages.files import Notebook
    from holdfast.ports.sessions.proposer import Proposer


class AttachedFiles:
    """Implements the attachments of Holdfast with files and git."""

    def __init__(self, *, home: Path | None, folder: Path) -> None:
        self._home = home
        self._folder = folder

    def health_log(self) -> HealthLog:
        """Return the log of health scores."""
        from holdfast.adapters.machine.health_log import HEALTH_FILE, HealthFile
        from holdfast.adapters.machine.settings import data_folder

        return HealthFile((self._home or data_folder()) / HEALTH_FILE)

    def commit_reader(self) -> CommitReader:
        """Return the commit log of the repository."""
        from holdfast.adapters.git.reading.log import GitLog

        return GitLog(self._folder)

    def notebook(self) -> Notebook | None:
        """Return the pages of the repository; None outside a repository."""
        from holdfast.bootstrap.pages.filing import open_notebook

        return open_notebook(self._folder, self._home)

    def keeps_pages(self) -> bool:
        """Return whether the repository has pages, without reading any."""
        from holdfast.bootstrap.pages.filing import keeps_pages

        return keeps_pages(self._folder)

    def pages(self, holdfast: Holdfast) -> Filing:
        """Return the part that brings pages and store in line.

        Raises:
            PagesNeedRepositoryError: There is no repository.
        """
        from holdfast.bootstrap.pages.filing import filing

        return filing(holdfast, self._folder, self._home)

    def proposer(self, holdfast: Holdfast, using: str | None) -> Proposer | None:
        """Return the proposer of that name, else the one that is set; None means the rules."""
        from holdfast.bootstrap.sessions.intake import proposer

        return proposer(using, home=self._home, counter=holdfast.counter)

    def documents(self) -> Documents:
        """Return the documents of the project."""
        from holdfast.adapters.machine.documents import DocumentFiles
        from holdfast.bootstrap.sessions.transcripts import project_root

        return DocumentFiles(project_root(self._folder))
