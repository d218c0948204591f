"""Tells which commits of a rebase repeat commits that were made in this clone.

A rebase writes commits again, also those of others. A rewritten commit is the person's own only if
each line of a page that it adds or removes was added or removed by commits that were made here, at
the end of the branch before the rebase. All rewritten commits together may not add or remove it
more often: entries have many equal lines, such as their status.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from holdfast.adapters.git.reading.refs import HEADS, moves

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from holdfast.adapters.git.reading.refs import Move
    from holdfast.adapters.git.reading.repository import Repository

Line = tuple[bytes, bytes]
"""A removed or added line, with the file that it is in."""

_REBASED = ("rebase", "pull")
_STARTED, _FINISHED, _ABORTED = "(start)", "(finish)", "(abort)"
_RETURNED = f"{_FINISHED}: returning to {HEADS}"
CHANGES = (
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


def rebases(repository: Repository, noted: Sequence[Move]) -> list[Rebase]:
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


def replayed(
    rebase: Rebase, own: Collection[str], changes: Mapping[str, Changes]
) -> frozenset[str]:
    """Return the commits of a rebase that repeat changes of the person's own commits."""
    lines, kept = _own_lines(rebase.tip, own, changes), _kept(rebase, own, changes)
    total, found = Counter[Line](), set[str]()
    for one in kept:
        total.update(one.lines)
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
