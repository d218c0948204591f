"""Attaches the files and the git repository around a folder to Holdfast."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.app import Holdfast
from holdfast.bootstrap.opening.own_settings import settings
from holdfast.bootstrap.plugs.addresses import (
    ServerPlace,
    remote_address,
    server_name,
    state_folder_name,
)

if TYPE_CHECKING:
    from holdfast.app.attachments import KeptFolder
    from holdfast.app.filing import Filing
    from holdfast.ports.anchors.surroundings import CommitReader
    from holdfast.ports.health_log import HealthLog
    from holdfast.ports.pages.files import Documents, Notebook
    from holdfast.ports.roles.specialists import Workers
    from holdfast.ports.sessions.proposer import Proposer
    from holdfast.usecases.checks.check_ports import CheckPorts
    from holdfast.usecases.roles.role_ports import RoleCaller, RolePorts


class AttachedFiles:
    """Implements the attachments of Holdfast with files and git."""

    def __init__(self, *, home: Path | None, folder: Path, at: ServerPlace | None = None) -> None:
        self._home = home
        self._folder = folder
        self._at = at

    def health_log(self) -> HealthLog:
        """Return the log of health scores."""
        from holdfast.adapters.machine.health_log import HEALTH_FILE, HealthFile

        kept = state_folder_name("" if self._home is None else str(self._home), self._at)
        return HealthFile(Path(kept) / HEALTH_FILE)

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

    def checks(self, holdfast: Holdfast) -> CheckPorts:
        """Return the ports with which checks run in the repository around the folder."""
        from holdfast.bootstrap.plugs.checks import check_ports

        return check_ports(
            self._folder,
            repo=lambda: holdfast.surroundings.place().repo,
            state=state_folder_name("" if self._home is None else str(self._home), self._at),
            seconds=lambda: float(settings(self._home).value("check.seconds")[0]),
        )

    def roles(self, holdfast: Holdfast, caller: RoleCaller) -> RolePorts:
        """Return the ports with which runs are supervised around the folder."""
        from holdfast.bootstrap.roles.wiring import role_ports

        return role_ports(
            holdfast,
            caller,
            folder=self._folder,
            home=self._home,
            book=self.checks(holdfast).book,
            value=lambda name: settings(self._home).value(name)[0],
        )

    def workers(self) -> Workers:
        """Return the processes of this machine."""
        from holdfast.bootstrap.plugs.workers import MachineWorkers

        return MachineWorkers()

    def documents(self) -> Documents:
        """Return the documents of the project."""
        from holdfast.adapters.machine.documents import DocumentFiles
        from holdfast.bootstrap.sessions.transcripts import project_root

        return DocumentFiles(project_root(self._folder))

    def workspace(self, folder: Path | None) -> KeptFolder:
        """Return a folder and the content of its snapshots."""
        from holdfast.bootstrap.plugs.workspaces import kept_folder

        home = "" if self._home is None else str(self._home)
        return kept_folder(self._folder if folder is None else folder, home=home, at=self._at)


class RemoteAttachments(AttachedFiles):
    """The files around a folder whose memory is on a server: pages need the store itself."""

    def keeps_pages(self) -> bool:
        """Return False: decisions of a server are not written into pages here."""
        return False

    def pages(self, holdfast: Holdfast) -> Filing:
        """Refuse: pages and store are compared entry by entry.

        Raises:
            NotOnRemoteError: Always.
        """
        from holdfast.domain.remote_errors import NotOnRemoteError

        del holdfast
        server = server_name(remote_address(None if self._at is None else self._at.address))
        raise NotOnRemoteError(server=server, what="pages need the store itself")
