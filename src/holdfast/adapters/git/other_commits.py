"""Tells which files git has in other commits or in the stash, and refuses to bring over ours."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from holdfast.adapters.git.reading.refs import read_refs
from holdfast.adapters.git.reading.repository import ask_git
from holdfast.domain.errors import OutsideUnavailableError

if TYPE_CHECKING:
    from collections.abc import Collection

    from holdfast.adapters.git.reading.repository import Repository

_LATER = (
    # Git refuses refs/stash where nothing is stashed, and takes --glob=refs/stash for a folder.
    *("log", "--branches", "--tags", "--glob=refs/stas[h]", "--format="),
    # Without the full history git leaves out the files that a stash has and git does not track.
    *("--full-history", "--name-only", "-z"),
    *("--no-renames", "--diff-filter=d", "--no-show-signature"),
)
_TREES_OF_TIPS = ("for-each-ref", "--sort=-committerdate", "--count=200", "--format=%(tree)")
# Asking git for removals of pages reads all commits: 0.3 s of CPU where there are 35,000.
_TREES_BEFORE = ("log", "--max-count=50", "--format=%T", "--no-show-signature")
_STASHED = "refs/stash"
_IN_STASH = ("diff-tree", "-r", "--name-only", "-z", "--no-renames", "--diff-filter=d")
_BESIDE_STASH = ("ls-tree", "-r", "--name-only", "-z", f"{_STASHED}^3")
_ADDED = ("diff-tree", "--stdin", "-r", "--name-only", "-z", "--no-renames", "--diff-filter=A")


class OtherCommits:
    """What a folder has in the commits that are not checked out, and in the stash."""

    def __init__(self, repository: Repository, folder: str) -> None:
        self._repository = repository
        self._folder = folder

    def not_checked_out(self, pages: Collection[str], *, everywhere: bool = True) -> frozenset[str]:
        """Return the pages in commits and in the stash that the checked-out commit lacks."""
        with suppress(OutsideUnavailableError):
            head = read_refs(self._repository).tip("HEAD")
            beyond = () if head is None else ("--not", head)
            remote = ("--remotes",) if everywhere else ()
            words = self._names(*_LATER, *remote, *beyond, "--", self._folder)
            # A commit that is part of the checkout may have a page that was removed since then.
            trees = [] if head is None else self._names(*_TREES_BEFORE, head).split()
            tips = ("refs/heads", *(("refs/remotes",) if everywhere else ()))
            others = dict.fromkeys((*trees[1:], *self._names(*_TREES_OF_TIPS, *tips).split()))
            given = "".join(f"{trees[0]} {tree}\n" for tree in others if trees)
            # A line with the two trees comes before the names of each pair.
            words += self._names(*_ADDED, "--", self._folder, given=given).replace("\n", "\0")
            return frozenset(pages).intersection(words.split("\0"))
        return frozenset()

    def left_to_git(self, pages: Collection[str]) -> frozenset[str]:
        """Return the missing pages that git brings, and refuses to bring over an untracked one.

        These are the pages of the newest entry of the stash. Without a branch, they are also those
        of other commits: one that is not committed there makes git refuse the way back.
        """
        with suppress(OutsideUnavailableError):
            if read_refs(self._repository).target("HEAD") is None:
                return self.not_checked_out(pages)
            tracked = self._names(*_IN_STASH, f"{_STASHED}^1", _STASHED, "--", self._folder)
            untracked = self._names(*_BESIDE_STASH, "--", self._folder)
            return frozenset(pages).intersection(f"{tracked}\0{untracked}".split("\0"))
        return frozenset()

    def _names(self, *words: str, given: str = "") -> str:
        return said_by(self._repository, *words, given=given)


def said_by(repository: Repository, *words: str, given: str = "") -> str:
    """Return what git says, or nothing if it cannot tell."""
    status, answer, _ = ask_git(repository, *words, given=given.encode())
    return answer if status == 0 else ""
