"""Tells which commits were made in this clone: by its reflog, and by what a rebase replayed."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from holdfast.adapters.git.reading.converted import attribute_files
from holdfast.adapters.git.reading.objects import existing, git_answer
from holdfast.adapters.git.reading.refs import moves_of_heads
from holdfast.adapters.git.reading.repository import ask_git
from holdfast.adapters.git.rebased_commits import CHANGES, read_changes, rebases, replayed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from holdfast.adapters.git.reading.refs import Move
    from holdfast.adapters.git.reading.repository import Repository
    from holdfast.adapters.git.rebased_commits import Changes

PLAIN = ("commit: ", "commit (initial): ")
REVERTED = "revert: "
_AMENDED = "commit (amend): "
_MOST = 1_000
_MOST_MERGES = 20
"""How many merges with a text of their own git is asked about, the latest ones."""
_BROUGHT = ("rev-list", "--full-history")


class OwnCommits:
    """The commits of one clone that its person made."""

    def __init__(self, repository: Repository, folder: str) -> None:
        self._repository = repository
        self._folder = folder
        self._read: tuple[Sequence[Move], Mapping[str, Changes]] | None = None

    def own(self, how: tuple[str, ...] = PLAIN) -> set[str]:
        """Return the commits that were made here, also those that a rebase wrote again.

        Raises:
            OutsideUnavailableError: Git cannot tell.
        """
        noted = moves_of_heads(self._repository)
        found = made_here(noted, how)
        for rebase in rebases(self._repository, noted):
            changes = self._changes(noted)
            found |= replayed(rebase, found, changes)
            found = made_here(noted, how, known=found)
        return found

    def without_own(self, commits: Collection[str]) -> list[str]:
        """Return the commits that were not made here.

        A merge that was made here is replaced by the newest commits of others among its ancestors,
        as far as the reflog tells.

        Raises:
            OutsideUnavailableError: Git cannot tell.
        """
        noted, own = moves_of_heads(self._repository), self.own()
        merged = {move.new for move in noted if move.is_merging}
        rest = [one for one in commits if one not in own]
        if merged.isdisjoint(rest):
            return rest
        changes = self._changes(noted)
        merges = {one for one in merged if one in changes and len(changes[one].parents) > 1}
        return list(dict.fromkeys(_beyond(rest, own, merges, changes)))

    def own_merges(self, commits: Collection[str]) -> set[str]:
        """Return those of the commits that are merges made here of the person's own commits.

        The text with which the person settled a conflict is in none of the merged commits.

        Raises:
            OutsideUnavailableError: Git cannot tell.
        """
        noted, own = moves_of_heads(self._repository), self.own()
        merged = {move.new for move in noted if move.is_merging}
        asked = [one for one in dict.fromkeys(move.new for move in noted) if one in merged]
        paths = (self._folder, *attribute_files([self._folder]))
        found = set[str]()
        for name in [one for one in asked if one in commits][-_MOST_MERGES:]:
            ask = (*_BROUGHT, f"{name}^1..{name}", "--", *paths)
            # A clone that was made shallow since lacks the parents.
            status, joined, _ = ask_git(self._repository, *ask)
            if status == 0 and set(joined.split()) <= own | merged:
                found.add(name)
        return found

    def _changes(self, noted: Sequence[Move]) -> Mapping[str, Changes]:
        """Return what the commits of the reflog change; git is asked once for the same reflog."""
        if self._read is None or self._read[0] != noted:
            names = existing(self._repository, [move.new for move in noted][-_MOST:])
            paths = (self._folder, *attribute_files([self._folder]))
            given = "".join(f"{name}\n" for name in sorted(names)).encode()
            answer = git_answer(self._repository, *CHANGES, "--", *paths, given=given)
            self._read = (noted, read_changes(answer))
        return self._read[1]


def made_here(
    noted: Sequence[Move], how: tuple[str, ...] = PLAIN, *, known: Collection[str] = ()
) -> set[str]:
    """Return the commits that a person made in this clone, by default with ``git commit``.

    A merge brings others' work, and an amended commit may too: it counts only if the commit before
    it was made here, or is known as the person's own.
    """
    found = set(known)
    for move in noted:
        is_amended = move.why.startswith(_AMENDED) and move.old in found
        if move.why.startswith(how) or is_amended:
            found.add(move.new)
    return found


def _beyond(
    commits: Iterable[str],
    own: Collection[str],
    merges: Collection[str],
    changes: Mapping[str, Changes],
) -> Iterator[str]:
    """Yield the commits, and for each merge the nearest commits before it that are not own."""
    left, seen = deque(commits), set[str]()
    while left:
        name = left.popleft()
        if name in seen:
            continue
        seen.add(name)
        if name in merges or name in own:
            left += changes[name].parents if name in changes else ()
        else:
            yield name
