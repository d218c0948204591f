"""Tells which commits were made in this clone: by its reflog, and by what a rebase replayed.

A rebase writes commits again, also those of others. A rewritten commit is the person's own only if
each line of a page that it adds or removes was added or removed by commits that were made here, at
the end of the branch before the rebase. All rewritten commits together may not add or remove it
more often: entries have many equal lines, such as their status.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from typing import TYPE_CHECKING, NamedTuple

from holdfast.adapters.git.reading.converted import attribute_files
from holdfast.adapters.git.reading.objects import existing, git_answer
from holdfast.adapters.git.reading.refs import HEADS, moves, moves_of_heads
from holdfast.adapters.git.reading.repository import ask_git

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from holdfast.adapters.git.reading.refs import Move
    from holdfast.adapters.git.reading.repository import Repository

Line = tuple[bytes, bytes]
"""A removed or added line, with the file that it is in."""

PLAIN = ("commit: ", "commit (initial): ")
REVERTED = "revert: "
_AMENDED = "commit (amend): "
_REBASED = ("rebase", "pull")
_STARTED, _FINISHED, _ABORTED = "(start)", "(finish)", "(abort)"
_RETURNED = f"{_FINISHED}: returning to {HEADS}"
_MOST = 1_000
_MOST_MERGES = 20
"""How many merges with a text of their own git is asked about, the latest ones."""
_BROUGHT = ("rev-list", "--full-history")
_CHANGES = (
    *("diff-tree", "--stdin", "--always", "--root", "-r", "-p", "-U0", "--text", "--no-color"),
    *("--no-renames", "--no-ext-diff", "--no-textconv", "--diff-algorithm=myers"),
    *("--src-prefix=a/", "--dst-prefix=b/", "--pretty=format:%x00%H %P"),
)
_COMMIT, _FILE = b"\0", b"diff --git "
_HUNK = re.compile(rb"@@ -\d+(?:,(?P<old>\d+))? \+\d+(?:,(?P<new>\d+))? @@")
_NO_END = b"\\"


class Rebase(NamedTuple):
    """A rebase in the reflog: where it began, the commits that it made, and the old tip.

    ``passed`` are all commits that HEAD came to in between, and ``end`` is the new tip.
    """

    onto: frozenset[str]
    made: tuple[str, ...]
    tip: str
    passed: frozenset[str]
    end: str


class Changes(NamedTuple):
    """The parents of a commit, and how often it removes and adds each line of a file."""

    parents: tuple[str, ...]
    lines: Counter[Line]


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
        for rebase in _rebases(self._repository, noted):
            changes = self._changes(noted)
            found |= _replayed(rebase, found, changes)
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
            answer = git_answer(self._repository, *_CHANGES, "--", *paths, given=given)
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


def _rebases(repository: Repository, noted: Sequence[Move]) -> list[Rebase]:
    """Return the rebases that ended, oldest first, if the tip that the branch had is known."""
    found: list[Rebase] = []
    start, made, passed = "", list[str](), set[str]()
    for move in noted:
        is_step = move.action.startswith(_REBASED) and move.action.endswith(")")
        if is_step and move.action.endswith(_STARTED):
            start, made, passed = move.new, [], set()
        elif is_step and start and move.action.endswith((_FINISHED, _ABORTED)):
            is_aborted = move.action.endswith(_ABORTED)
            onto, tip = ("", move.new) if is_aborted else _before(repository, move)
            if tip:
                # Git begins after the commits that stay as they are.
                where = frozenset({start, onto})
                end = "".join(made[-1:]) if is_aborted else move.new
                found.append(Rebase(where, tuple(made), tip, frozenset(passed) - where, end))
            start = ""
        else:
            passed.add(move.new)
            made += [move.new] if is_step else []
    return found


def _before(repository: Repository, finish: Move) -> tuple[str, str]:
    """Return where a rebase put a branch, and the tip of the branch before; empty if unknown.

    HEAD may have been on another branch before the rebase, so only the branch's reflog tells.
    """
    action, is_of_branch, branch = finish.why.partition(_RETURNED)
    why = f"{action}{_FINISHED}: {HEADS}{branch} onto "
    for move in reversed(moves(repository, branch)) if is_of_branch else ():
        if move.new == finish.new and move.why.startswith(why):
            return move.why.removeprefix(why), move.old
    return "", ""


def _replayed(
    rebase: Rebase, own: Collection[str], changes: Mapping[str, Changes]
) -> frozenset[str]:
    """Return the commits of a rebase that repeat changes of the person's own commits."""
    lines, kept = _own_lines(rebase.tip, own, changes), _kept(rebase, own, changes)
    total, found = sum((one.lines for one in kept), Counter[Line]()), set[str]()
    for name in rebase.made if rebase.tip in own else ():
        change = changes.get(name)
        if change is None or len(change.parents) != 1:
            continue
        parent = change.parents[0]
        if parent in rebase.onto or parent in own or parent in found:
            together = _together(change, kept, total)
            if all(together[line] <= lines[line] for line in change.lines):
                found.add(name)
    return frozenset(found)


def _kept(rebase: Rebase, own: Collection[str], changes: Mapping[str, Changes]) -> list[Changes]:
    """Return what the commits change that a rebase wrote and left in the branch."""
    found, left = dict[str, Changes](), [rebase.end]
    while left:
        name = left.pop()
        if name in rebase.passed and name in changes and name not in found:
            found[name] = changes[name]
            left += changes[name].parents
    return [change for name, change in found.items() if name not in own]


def _together(change: Changes, kept: Sequence[Changes], total: Counter[Line]) -> Counter[Line]:
    """Return how often a commit and the kept ones change each line; ``total`` is that of these.

    A commit that the rebase replaced, as for a fixup, has the same parent as its replacement, which
    does not count then.
    """
    twins = [one for one in kept if one.parents == change.parents]
    if any(one is change for one in twins):
        return total
    replaced = twins[0].lines if len(twins) == 1 else Counter[Line]()
    return total - replaced + change.lines


def _own_lines(tip: str, own: Collection[str], changes: Mapping[str, Changes]) -> Counter[Line]:
    """Return how often a commit and the person's own commits right before it change each line."""
    found, seen, name = Counter[Line](), set[str](), tip
    while name in own and name in changes and name not in seen:
        seen.add(name)
        found.update(changes[name].lines)
        name = next(iter(changes[name].parents), "")
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


def read_changes(answer: bytes) -> dict[str, Changes]:
    """Return what commits change, as ``git diff-tree`` says it."""
    parents: dict[str, tuple[str, ...]] = {}
    lines: dict[str, Counter[Line]] = {}
    name, file, left = "", b"", 0
    for line in answer.split(b"\n"):
        if left and not line.startswith(_NO_END):
            lines[name][file, line] += 1
            left -= 1
        elif line.startswith(_COMMIT):
            name, *rest = line[1:].decode().split()
            parents[name], lines[name] = tuple(rest), Counter()
        elif line.startswith(_FILE):
            file = line
        elif hunk := _HUNK.match(line):
            left = sum(1 if size is None else int(size) for size in hunk.group("old", "new"))
    return {name: Changes(parents[name], lines[name]) for name in parents}
