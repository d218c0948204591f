"""What a clone knows about its own commits and files; fetched content cannot state it.

The pages of a repository as git has them.

The settings that a repository contains; they are untrusted input.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from holdfast.domain.memory.entry import Flaw
from holdfast.domain.values import dataclass, field

TRACKED = "git tracks it"
COMMITTED = "a commit of yours contains it"
UNSURE = "git cannot tell whether it ignores it"
Cited = tuple[str, str]
"""A commit, as a full or abbreviated id, and the path of a file in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileAtCommit:
    """A file as a commit holds it: the commit's full id, the file's git object id, its lines."""

    commit: str
    blob: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BroughtText:
    """The text of pages that commits have which were not made in this clone.

    ``lines`` are the requested lines that such commits have. ``retouched`` are the requested lines
    that are slightly changed lines of theirs; a line of theirs that a page here still has was not
    changed, and is not compared. ``past`` are those of ``lines`` that only earlier commits of the
    checkout have. ``slight`` are short ones of ``lines`` that prove nothing: a part of a longer
    line of theirs, or the border of a code block. ``fields`` are the marks of the fields that they
    gave to the requested entries, and those of what they removed; None if this cannot be
    determined. ``unread`` are the entries for which it cannot be.
    """

    lines: frozenset[str] = frozenset()
    past: frozenset[str] = frozenset()
    slight: frozenset[str] = frozenset()
    retouched: frozenset[str] = frozenset()
    fields: Mapping[str, frozenset[str]] | None = field(default_factory=dict)
    unread: frozenset[str] = frozenset()

    @property
    def traces(self) -> frozenset[str]:
        """The requested lines that others have beside the checkout or in it now, changed or not."""
        return (self.lines - self.past) | self.retouched

    def has_entry(self, uid: str | None, line: str) -> bool:
        """Return whether others have an entry, by the line of its uid or by one of its fields.

        YAML may write the uid in other ways than in this line.
        """
        return line in self.lines or uid in (self.fields or {})

    def has_field_of(self, entry: str, marks: Collection[str]) -> bool:
        """Return whether an entry has one of these fields in a commit of others."""
        return bool(marks) and (
            self.fields is None
            or entry in self.unread
            or not self.fields.get(entry, frozenset()).isdisjoint(marks)
        )


class Clone(Protocol):
    """One working tree and its history."""

    def is_made_here(self, since: str, *, reverts: bool = False) -> bool:
        """Return whether every commit to the pages since ``since`` was made in this clone.

        ``reverts`` also allows commits that ``git revert`` made here: their text is older, and may
        be another person's. It must return False where that cannot be determined.
        """
        ...

    def is_joining(self) -> bool:
        """Return whether a merge, rebase or cherry-pick that brings in other work is unfinished."""
        ...

    def unedited(self, pages: Collection[str]) -> frozenset[str]:
        """Return the pages nobody edited here, and those that git rewrites on checkout.

        The last commit determines their text, whatever the file looks like. If this cannot be
        determined, it must return all pages.
        """
        ...

    def not_checked_out(self, pages: Collection[str], *, everywhere: bool = True) -> frozenset[str]:
        """Return the pages that the checked-out commit lacks and another commit or the stash has.

        Git refuses to bring such a page over one that it does not track. Branches of other clones
        count only with ``everywhere``: a page whose name every clone uses can be made here, too.
        Pages that were removed count if one of the newest 50 commits of the checkout had them, or
        the tip of one of the 200 newest branches.
        If this cannot be determined, it must return no page.
        """
        ...

    def brought(
        self,
        lines: Collection[str],
        *,
        entries: Collection[str] = (),
        since: Collection[str] = (),
    ) -> BroughtText:
        """Return what pages of commits have that were not made in this clone.

        It must search every commit that git still has, also those that are no tip: a text that
        others took back is theirs. Git can bring a text from a file elsewhere into a page, so it
        must search files outside the folder too, in the commits that are not before all of
        ``since``, those of the last agreements. If this cannot be determined, it must return all
        lines, and no fields.
        """
        ...

    def held_since(self, since: str, entries: Collection[str]) -> frozenset[str]:
        """Return the ids of entries that a commit had on the way from ``since`` to the checkout.

        Commits that only a merged branch has do not count. If this cannot be determined, it must
        return no id.
        """
        ...

    def files(self, cited: Collection[Cited]) -> Mapping[Cited, FileAtCommit]:
        """Return files as commits hold them, without those that do not exist or are not text.

        The number of git processes must not grow with the number of files.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Stages:
    """A file in an unfinished merge: the common ancestor, our side, and their side."""

    base: bytes = b""
    ours: bytes = b""
    theirs: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class BranchStart:
    """The commit at which a branch was made, and those of the asked commits that it contains."""

    commit: str
    contained: frozenset[str] = frozenset()


class Versions(Protocol):
    """The history of one working tree."""

    def state_folder(self) -> Path:
        """Return the folder for state of this working tree that is never committed."""
        ...

    def branch(self) -> str:
        """Return the checked out branch, or another key if a commit is checked out."""
        ...

    def branch_start(self, asked: Collection[str]) -> BranchStart | None:
        """Return where the checked out branch was made in this clone; None if nothing tells.

        If no branch is checked out, it must be the commit at which HEAD was detached.
        """
        ...

    def committed(self, folder: str, *, at: str | None = None) -> Mapping[str, bytes]:
        """Return the files below a folder in a commit, by path; by default in the last one."""
        ...

    def unmerged(self, folder: str) -> Mapping[str, Stages]:
        """Return the files below a folder that git could not merge, by path."""
        ...

    def ignore(self, patterns: Mapping[str, bool]) -> None:
        """Make git ignore files in this clone, whatever is checked out, or end that.

        A pattern is as in a ``.gitignore`` at the root; one with False no longer counts.
        """
        ...

    def unignored(self, paths: Collection[str]) -> Mapping[str, str]:
        """Return the reason for each file that git does not ignore.

        It is ``TRACKED``, ``UNSURE``, or words that name the line of an ignore file. If a commit
        that was made in this clone wrote a tracked file, it must be ``COMMITTED``.
        """
        ...

    def is_own(self, path: str) -> bool:
        """Return whether the text of a file was written in this clone.

        A text that came with git first is not, whoever committed it here. If this cannot be
        determined, it must return False.
        """
        ...


class RepositorySettings(Protocol):
    """A few harmless settings; never a command, an address, a key or a hook."""

    def value(self, name: str) -> str | None:
        """Return a setting that a repository may set, or None; all others must be ignored."""
        ...

    def flaws(self) -> Sequence[Flaw]:
        """Return the settings that are not allowed or cannot be read, with their lines."""
        ...
