"""The current folder, its repository, and the files that can be evidence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from holdfast.domain.memory.anchor import Anchor, FoundLines
from holdfast.domain.memory.branch_point import BranchPoint
from holdfast.domain.memory.evidence import FilePlace
from holdfast.domain.memory.place import Place


class SpanText(Protocol):
    """Lines that were read, and where they are."""

    @property
    def path(self) -> str:
        """The path relative to the repository's root, or absolute outside a repository."""
        ...

    @property
    def first(self) -> int:
        """The first line."""
        ...

    @property
    def last(self) -> int:
        """The last line."""
        ...

    @property
    def text_hash(self) -> str:
        """The hash of the lines, with normalised line endings."""
        ...

    @property
    def anchor(self) -> Anchor | None:
        """The anchor of the lines in the repository's content; None outside a repository."""
        ...


class Surroundings(Protocol):
    """The environment in which a command runs."""

    def place(self) -> Place:
        """Return the current space, workspace, repository and branch."""
        ...

    def branch_point(self) -> BranchPoint | None:
        """Return the branch and commit that are checked out; None if there is no commit."""
        ...

    def read_span(self, place: FilePlace) -> SpanText:
        """Read the lines that evidence names, as they are on disk now.

        The path must be relative to the current folder, or to the root of the repository if the
        place is marked so.

        Raises:
            EvidenceUnreadableError: The file or the lines do not exist, the file is not text or is
                too large, a link leads elsewhere, or the path is outside the repository.
        """
        ...

    def read_lines(self, found: FoundLines) -> Sequence[str]:
        """Return some lines of a file as they are on disk now.

        The path must be relative to the root of the repository, or to the current folder if there
        is no repository. Lines that the file does not have must be left out.

        Raises:
            EvidenceUnreadableError: The file cannot be read, as for ``read_span``.
        """
        ...
