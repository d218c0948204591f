"""The files of sessions and of a repository's state, beside the pages of a clone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from holdfast.domain.memory.entry import Flaw
from holdfast.domain.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class FileBase:
    """The text on which a file and the store last agreed, and the branch and commit of that moment.

    ``agents`` is the proof of a text that an agent wrote and nobody accepted. ``is_ignored`` means
    that a person wants the file to be left alone, whatever it says later.
    """

    text: str
    at: str | None = None
    branch: str = ""
    agents: str = ""
    is_ignored: bool = False


class PrivateFiles(Protocol):
    """The files of one clone that no commit is to contain."""

    def hide(self, *, dry_run: bool = False) -> Sequence[Flaw]:
        """Take files that git shows out of the working tree; return where they were, and why.

        Nothing that the store lacks may be lost. Files that a person shares stay, and so do
        those that a commit contains. Files that the next commit would add must be returned, and
        those that a commit of this person contains.
        """
        ...


class SessionFiles(Protocol):
    """The files of one clone, by their paths from its root."""

    def path(self, name: str) -> str:
        """Return the path of a file with this name below the folder of the pages."""
        ...

    def read(self) -> tuple[Mapping[str, str], Sequence[Flaw]]:
        """Return the text of every file, and the files that cannot be read."""
        ...

    def text(self, path: str) -> str | None:
        """Return the text of one file; None if it is missing or cannot be read."""
        ...

    def write(self, path: str, text: str, *, over: str | None) -> bool:
        """Write a file over the text that it must still have; none if it must not exist.

        Return whether the file was as expected. After a crash the file must be old or new, never
        mixed, and a save of an editor at the same moment must not be lost.
        """
        ...

    def base(self, path: str) -> FileBase | None:
        """Return the text on which this file and the store last agreed; None if they never did."""
        ...

    def set_base(self, path: str, base: FileBase) -> None:
        """Store that text."""
        ...

    def committed(self) -> Mapping[str, str]:
        """Return the texts of all files in the last commit, by path."""
        ...
