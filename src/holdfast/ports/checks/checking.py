"""What checks need from the outside: files, patterns in linear time, and limited commands."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Protocol

from holdfast.domain.checks.change import AcceptedCommand, Change, CommandEnd


class CheckedTree(Protocol):
    """The files of a checkout at one moment: on disk, or as they are staged."""

    def files(self, among: Collection[str] | None = None) -> Sequence[str]:
        """Return the tracked and the untracked, unignored files, from the root.

        ``among`` asks for these paths only; the cost must then not grow with all other files, as
        far as git allows.

        Raises:
            NoHistoryError: There is no repository.
        """
        ...

    def changed(self) -> Collection[str] | None:
        """Return the files of the change, with those it removed; None if every file counts.

        Raises:
            NoSuchRevisionError: The revision is not a commit.
        """
        ...

    def unseen(self, among: Collection[str] | None = None) -> Mapping[str, str]:
        """Return the folders whose files are not listed, and what they are: linked, or nested.

        ``among`` asks for these paths only.
        Files that git ignores are left out on purpose, and are not told.
        """
        ...

    def want(self, paths: Iterable[str]) -> None:
        """Say which files will be read, so that they can be fetched together."""
        ...

    def content(self, path: str) -> bytes | str:
        """Return the bytes of a file, or why it cannot be read.

        It must never follow a symbolic link, and never read beyond the root.
        """
        ...

    def exists(self, path: str) -> bool:
        """Tell whether something has this path, ignored files too; no link is followed."""
        ...


class CheckedTrees(Protocol):
    """Finds the files of the checkout."""

    def tree(self, change: Change) -> CheckedTree:
        """Return the files that a run of checks looks at."""
        ...


class PatternScan(Protocol):
    """Many patterns, searched at once.

    ``problems`` says by number which patterns cannot be used, and why; these are never found.
    """

    @property
    def problems(self) -> Mapping[int, str]:
        """Why some patterns cannot be used, by their numbers."""
        ...

    def found(self, content: bytes) -> Collection[int] | None:
        """Return the numbers of the patterns that occur in a text; None if the time is used up."""
        ...


class Patterns(Protocol):
    """Regular expressions in time linear in the text, whoever wrote them."""

    @property
    def missing(self) -> str:
        """Why no pattern can be searched here; empty if patterns can be."""
        ...

    def problem(self, pattern: str) -> str:
        """Return why a pattern cannot be used; empty if it can."""
        ...

    def scan(self, patterns: Sequence[str], *, seconds: float) -> PatternScan:
        """Return a scan for these patterns that takes about this much processor time at most."""
        ...

    def lines(self, pattern: str, content: bytes, *, most: int) -> Sequence[int]:
        """Return the first lines on which a pattern begins to match, counted from 1."""
        ...


class CheckCommands(Protocol):
    """Runs the commands of checks, and only those that a person accepted."""

    def refusal(self, command: str) -> str:
        """Return why a command does not run here; empty if a person accepted exactly this text."""
        ...

    def run(self, command: str) -> CommandEnd:
        """Run an accepted command in the root of the repository, within its limits."""
        ...


class AcceptedCommands(Protocol):
    """The commands that a person accepted on this machine; kept outside every repository."""

    @property
    def clone(self) -> str:
        """The root of this clone, for which commands are accepted."""
        ...

    @property
    def distrust(self) -> str:
        """Why nothing counts as accepted: the book is in the repository or is somebody else's."""
        ...

    def files_named(self, command: str) -> Mapping[str, str]:
        """Return the hashes of the scripts of this clone that a command names, by their paths."""
        ...

    def entries(self) -> Sequence[AcceptedCommand]:
        """Return the accepted commands of every repository, oldest first.

        Those of an earlier clone at this path must not be among them.
        """
        ...

    def put(self, accepted: AcceptedCommand) -> None:
        """Record a command for this clone, with the id of the clone.

        Raises:
            UnavailableError: The file cannot be written.
        """
        ...

    def remove(self, mark: str, *, repo: str, clone: str) -> bool:
        """Remove a command; return whether it was accepted.

        Raises:
            UnavailableError: The file cannot be written.
        """
        ...
