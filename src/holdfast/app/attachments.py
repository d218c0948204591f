"""Ports besides the store that some parts need; each is opened on first use."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

if TYPE_CHECKING:
    from pathlib import Path

    from holdfast.app import Holdfast
    from holdfast.app.filing import Filing
    from holdfast.app.performing import Part
    from holdfast.ports.anchors.surroundings import CommitReader
    from holdfast.ports.health_log import HealthLog
    from holdfast.ports.pages.files import Documents, Notebook
    from holdfast.ports.roles.specialists import Workers
    from holdfast.ports.sessions.proposer import Proposer
    from holdfast.ports.workspaces.contents import Contents
    from holdfast.ports.workspaces.folders import WorkspaceFolder
    from holdfast.usecases.checks.check_ports import CheckPorts
    from holdfast.usecases.roles.role_ports import RoleCaller, RolePorts

    AnyPart = TypeVar("AnyPart", bound=Part)


class KeptFolder(NamedTuple):
    """A folder of this machine, and the content of its snapshots."""

    folder: WorkspaceFolder
    contents: Contents


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

    def workers(self) -> Workers:
        """Return the processes of this machine, which may hold an agent."""
        ...

    def documents(self) -> Documents:
        """Return the documents that candidates are compared with."""
        ...

    def roles(self, holdfast: Holdfast, caller: RoleCaller) -> RolePorts:
        """Return the ports with which runs are supervised around the folder.

        Raises:
            NoWorkspacesError: This machine serves others, and has no folders of its own.
        """
        ...

    def workspace(self, folder: Path | None) -> KeptFolder:
        """Return a folder and the content of its snapshots; no folder is the current one.

        Raises:
            NoWorkspacesError: This machine serves others, and has no folders of its own.
        """
        ...


class Carrier(Protocol):
    """Carries out the calls of parts on a server that holds the memory."""

    def carry(self, part: AnyPart, holdfast: Holdfast) -> AnyPart:
        """Return an object with the methods of the part.

        It must check the operation of each method against the principal, as the part does. A
        method that the server does not offer must be refused, or must not need the store.
        """
        ...
