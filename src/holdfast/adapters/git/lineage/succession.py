"""Finds the branches that continue another one: renamed, copied, or made from it before it went.

A point with a commit of its own is found by that commit. A point without one is found by the name
of its branch only, so the name must be followed when the branch gets another.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from holdfast.adapters.git.reading.refs import HEADS, logged_branches, moves, read_refs
from holdfast.domain.errors import OutsideUnavailableError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from holdfast.adapters.git.reading.refs import Move, Refs
    from holdfast.adapters.git.reading.repository import Repository

MOST_LOGS = 256
_MOST_NAMES = 16
_RENAMED = re.compile(rf"Branch: renamed {HEADS}(\S+) to {HEADS}(\S+)")
_COPIED = re.compile(rf"Branch: copied {HEADS}(\S+) to {HEADS}(\S+)")
_MADE = re.compile(rf"branch: Created from (?:{HEADS})?(\S+)")
_SWITCHED = re.compile(r"checkout: moving from (\S+) to (\S+)")


def names_now(repository: Repository, branches: Collection[str]) -> dict[str, str]:
    """Return those of the branches that were renamed, with their names now; none if git fails."""
    try:
        refs = read_refs(repository)
        gone = [name for name in branches if refs.tip(f"{HEADS}{name}") is None]
        succession = Succession(repository, refs) if gone else None
    except OutsideUnavailableError:
        return {}
    found = {} if succession is None else {name: succession.name_now(name) for name in gone}
    return {name: now for name, now in found.items() if now is not None}


class Succession:
    """The branches of a repository, each with those that continue it."""

    def __init__(self, repository: Repository, refs: Refs) -> None:
        self._refs = refs
        self._renamed: dict[str, set[str]] = {}
        self._made: dict[str, set[str]] = {}
        head = moves(repository)
        self._read_renames(head)
        for name in islice(logged_branches(repository), MOST_LOGS):
            self._read_branch(name, moves(repository, name), head)
        self._read_gone(head)

    def after(self, branch: str) -> tuple[str, ...]:
        """Return the branches that continue one, the nearest first.

        A branch that was made from another continues it only if the other one is gone.
        """
        found = {branch: None}
        due = [branch]
        while due and len(found) <= _MOST_NAMES:
            name = due.pop(0)
            later = set(self._renamed.get(name, ()))
            if self._refs.tip(f"{HEADS}{name}") is None:
                later |= self._made.get(name, set())
            new = sorted(later - found.keys())
            found |= dict.fromkeys(new)
            due += new
        return tuple(found)[1:]

    def name_now(self, branch: str) -> str | None:
        """Return the name of a branch that was renamed; None if it was not, or went afterwards."""
        name, seen = branch, {branch}
        while self._refs.tip(f"{HEADS}{name}") is None:
            later = self._renamed.get(name, set()) - seen
            if len(later) != 1:
                return None
            (name,) = later
            seen.add(name)
        return None if name == branch else name

    def _read_renames(self, log: Sequence[Move]) -> None:
        for old, new in _pairs(_RENAMED, log):
            self._renamed.setdefault(old, set()).add(new)

    def _read_branch(self, name: str, log: Sequence[Move], head: Sequence[Move]) -> None:
        """Read where a branch came from, from its own reflog, which a rename takes along."""
        self._read_renames(log)
        for old, new in _pairs(_COPIED, log):
            self._made.setdefault(old, set()).add(new)
        made = _MADE.fullmatch(log[0].why) if log else None
        if made is None:
            return
        start = made[1] if made[1] != "HEAD" else _switched_from(name, head, at=log[0].new)
        if start is not None:
            self._made.setdefault(start, set()).add(name)

    def _read_gone(self, head: Sequence[Move]) -> None:
        """Read from HEAD's reflog where branches came from whose own reflog is gone."""
        for name in {new for _, new in _pairs(_SWITCHED, head)}:
            if self._refs.tip(f"{HEADS}{name}") is None:
                start = _switched_from(name, head)
                if start is not None:
                    self._made.setdefault(start, set()).add(name)


def _pairs(form: re.Pattern[str], log: Sequence[Move]) -> Iterator[tuple[str, str]]:
    for move in log:
        if found := form.fullmatch(move.why):
            yield found[1], found[2]


def _switched_from(name: str, head: Sequence[Move], *, at: str | None = None) -> str | None:
    """Return the branch that was checked out when another one was made at the same commit."""
    for move in head:
        found = _SWITCHED.fullmatch(move.why)
        if found and found[2] == name and at in (None, move.new):
            return found[1] if move.old == move.new else None
    return None
