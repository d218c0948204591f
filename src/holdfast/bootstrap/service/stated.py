"""The surroundings of a caller on another machine: only what the request states.

A server has no checkout. The caller names the repository and the branch; files are not read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import EvidenceUnreadableError
from holdfast.domain.lookup_errors import NoHistoryError
from holdfast.domain.refusals import PagesNeedRepositoryError
from holdfast.domain.values import dataclass
from holdfast.domain.workspace_errors import NoWorkspacesError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from pathlib import Path

    from holdfast.app import Holdfast
    from holdfast.app.attachments import KeptFolder
    from holdfast.app.filing import Filing
    from holdfast.domain.code.commits import CommitRecord
    from holdfast.domain.memory.anchor import BranchPoint, FoundLines
    from holdfast.domain.memory.evidence import FilePlace
    from holdfast.domain.memory.place import Place
    from holdfast.domain.text.paragraphs import DocumentParagraph
    from holdfast.ports.anchors.surroundings import CommitReader, SpanText
    from holdfast.ports.health_log import HealthLog
    from holdfast.ports.pages.files import Documents, Notebook
    from holdfast.ports.roles.specialists import Workers
    from holdfast.ports.sessions.proposer import Proposer
    from holdfast.usecases.checks.check_ports import CheckPorts
    from holdfast.usecases.roles.role_ports import RoleCaller, RolePorts

_NO_FILES = "the server has no checkout, so it cannot read files. Cite a commit or a URL instead."


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedSurroundings:
    """The place that a request states."""

    stated: Place
    point: BranchPoint | None = None

    def place(self) -> Place:
        """Return the place that the request states."""
        return self.stated

    def branch_point(self) -> BranchPoint | None:
        """Return the commit that the caller has checked out; None if the request names none."""
        return self.point

    def main_branch(self) -> str | None:
        """Return nothing: the machine has no checkout."""
        return None

    def names_now(self, branches: Collection[str]) -> Mapping[str, str]:
        """Return nothing: the machine has no checkout whose branches were renamed."""
        del branches
        return {}

    def read_span(self, place: FilePlace) -> SpanText:
        """Refuse to read a file.

        Raises:
            EvidenceUnreadableError: Always.
        """
        raise EvidenceUnreadableError(place.path, _NO_FILES)

    def read_lines(self, found: FoundLines) -> Sequence[str]:
        """Refuse to read a file.

        Raises:
            EvidenceUnreadableError: Always.
        """
        raise EvidenceUnreadableError(found.path, _NO_FILES)


class NoCommits:
    """The commit log of a machine without a checkout."""

    def head(self) -> str:
        """Refuse: there is no repository.

        Raises:
            NoHistoryError: Always.
        """
        raise NoHistoryError

    def leading_to(self, head: str, *, most: int, since: int = 0) -> Sequence[str]:
        """Return nothing."""
        del head, most, since
        return ()

    def between(self, old: str, new: str) -> tuple[Collection[str], Sequence[str]] | None:
        """Return None: the old commit is not here."""
        del old, new
        return None

    def in_no_branch(self, commits: Collection[str]) -> Collection[str]:
        """Return all of them: no branch is here."""
        return commits

    def stories(self, commits: Sequence[str]) -> Sequence[CommitRecord]:
        """Return nothing."""
        del commits
        return ()

    def moment(self, since: str) -> int:
        """Refuse: git reads dates, and there is no repository.

        Raises:
            NoHistoryError: Always.
        """
        del since
        raise NoHistoryError


class NoDocuments:
    """The documents of a machine without a checkout."""

    def passages(self) -> Sequence[DocumentParagraph]:
        """Return nothing."""
        return ()


class ServedFiles:
    """Implements the attachments of Holdfast on a machine without a checkout."""

    def __init__(self, home: Path) -> None:
        self._home = home

    def health_log(self) -> HealthLog:
        """Return the log of health scores."""
        from holdfast.adapters.machine.health_log import HEALTH_FILE, HealthFile

        return HealthFile(self._home / HEALTH_FILE)

    def commit_reader(self) -> CommitReader:
        """Return a log without commits."""
        return NoCommits()

    def notebook(self) -> Notebook | None:
        """Return None: there is no repository."""
        return None

    def keeps_pages(self) -> bool:
        """Return False: there is no repository."""
        return False

    def pages(self, holdfast: Holdfast) -> Filing:
        """Refuse: there is no repository.

        Raises:
            PagesNeedRepositoryError: Always.
        """
        raise PagesNeedRepositoryError

    def proposer(self, holdfast: Holdfast, using: str | None) -> Proposer | None:
        """Return None: only the rules propose, because a model would hold up other writers."""
        del holdfast, using
        return None

    def checks(self, holdfast: Holdfast) -> CheckPorts:
        """Return ports that see no repository, so that every check is unknown here."""
        from holdfast.bootstrap.plugs.checks import check_ports

        del holdfast
        return check_ports(None, repo=lambda: None, state=str(self._home), seconds=lambda: 0.0)

    def roles(self, holdfast: Holdfast, caller: RoleCaller) -> RolePorts:
        """Refuse: a run works in a folder of the caller's machine.

        Raises:
            NoWorkspacesError: Always.
        """
        del holdfast, caller
        raise NoWorkspacesError

    def workers(self) -> Workers:
        """Return the processes of this machine."""
        from holdfast.bootstrap.plugs.workers import MachineWorkers

        return MachineWorkers()

    def documents(self) -> Documents:
        """Return no documents."""
        return NoDocuments()

    def workspace(self, folder: Path | None) -> KeptFolder:
        """Refuse: the folders are on the machines of the callers.

        Raises:
            NoWorkspacesError: Always.
        """
        del folder
        raise NoWorkspacesError
