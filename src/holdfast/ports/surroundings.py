"""Where we stand: the folder, its repository, and the files that may be evidence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from holdfast.domain.anchor import Anchor, Found
from holdfast.domain.evidence import FilePlace
from holdfast.domain.place import Place
from holdfast.domain.standpoint import Standpoint


class SpanText(Protocol):
    """The lines that were read, and where they are."""

    @property
    def path(self) -> str:
        """The path: from the repository's root where there is one, else the absolute one."""
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
        """The hash of exactly what was read, line ends normalised."""
        ...

    @property
    def anchor(self) -> Anchor | None:
        """What ties the lines to the repository's content; none where there is no repository."""
        ...


class Surroundings(Protocol):
    """The world around a command."""

    def place(self) -> Place:
        """Return the space, workspace, repository and branch we stand in."""
        ...

    def standpoint(self) -> Standpoint | None:
        """Return where we stand in the history; none where there is no commit."""
        ...

    def read_span(self, place: FilePlace) -> SpanText:
        """Read the lines evidence names, as they are on disk now.

        The path must be read from the folder, or from the root of the repository if the place
        says so.

        Raises:
            EvidenceUnreadableError: No such file, no such lines, not text, too large,
                a link that leads elsewhere, or outside the repository.
        """
        ...

    def read_lines(self, found: Found) -> Sequence[str]:
        """Return some lines of a file as they are on disk now.

        The path must be read from the root of the repository, or from the folder where there
        is none. Lines that the file does not have must be left out.

        Raises:
            EvidenceUnreadableError: The file cannot be read, as for ``read_span``.
        """
        ...
