"""Ports besides the store that some parts need; each is opened on first use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from holdfast.app import Holdfast
    from holdfast.app.filing import Filing
    from holdfast.ports.anchors.surroundings import CommitReader
    from holdfast.ports.health_log import HealthLog
    from holdfast.ports.pages.files import Documents, Notebook
    from holdfast.ports.sessions.proposer import Proposer
    from holdfast.usecases.checks.check_ports import CheckPorts


class Attachments(Protocol):
    """The files around a store and a folder that the parts of Holdfast use."""

    def health_log(self) -> HealthLog:
        """Return the log of health scores."""
        ...

    def commit_reader(self) -> CommitReader:
        """Return the commit log of the repository."""
        ...

    def notebook(self) -> Notebook | None:
        """Return the pages of the repository; None outside a repository."""
        ...

    def keeps_pages(self) -> bool:
        """Return whether the repository has pages, without reading any."""
        ...

    def pages(self, holdfast: Holdfast) -> Filing:
        """Return the part that brings pages and store in line.

        Raises:
            PagesNeedRepositoryError: There is no repository.
        """
        ...

    def proposer(self, holdfast: Holdfast, using: str | None) -> Proposer | None:
        """Return the proposer of that name, else the one that is set; None means the rules."""
        ...

    def checks(self, holdfast: Holdfast) -> CheckPorts:
        """Return the ports with which checks run in the repository around the folder."""
        ...

    def documents(self) -> Documents:
        """Return the documents that candidates are compared with."""
        ...
