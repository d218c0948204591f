"""Follows commits through the rebases and amendments that git's log of HEAD names.

The log of a branch names only the tips before and after a rebase. The log of HEAD names each copy,
so it shows which commits a rebase left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from holdfast.adapters.git.reading.repository import ask_git

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from holdfast.adapters.git.reading.refs import Move
    from holdfast.adapters.git.reading.repository import Repository

_START, _FINISH, _ABORT = "(start)", "(finish)", "(abort)"
_COPIES = frozenset({"(pick)", "(continue)", "(reword)"})
_AMENDED = "commit (amend)"
_LEFT = "checkout:"
"""A rebase without a branch has no finish in the log."""
_ASK = ("log", "--stdin", "-z", "--no-walk=unsorted", "--ignore-missing", "--no-show-signature")
_FORM = "--format=%H%n%P%n%at %ct%n%ae%n%B"


class Trail(NamedTuple):
    """The existing forms of a commit: itself, its copies, and the commits that replaced these.

    ``is_left_out`` tells whether a rebase copied none of them.
    """

    forms: frozenset[str]
    is_left_out: bool


class Wanted(NamedTuple):
    """A commit to follow: its known forms, and the tips that rebases of its branch ended at."""

    forms: frozenset[str]
    tips: frozenset[str]


class _Rewriting(NamedTuple):
    """A rebase that ended at a tip, or an amendment, which has no end.

    ``is_told`` is false if commits were joined or edited: then the log does not tell which.
    """

    place: int
    steps: tuple[Move, ...]
    end: str | None
    is_told: bool = True


class _Details(NamedTuple):
    """The parents of a commit, and what a copy of it keeps: its author, date and title."""

    parents: frozenset[str]
    author: str
    at: str
    title: str
    is_dated_anew: bool

    def is_copied_by(self, other: _Details) -> bool:
        """Return whether another commit may be a copy; a rebase can replace the author date."""
        is_same = (self.author, self.title) == (other.author, other.title)
        return is_same and (self.at == other.at or other.is_dated_anew)


def trails(
    repository: Repository, log: Sequence[Move], wanted: Mapping[str, Wanted]
) -> Mapping[str, Trail]:
    """Follow commits through the log of HEAD; none if no rebase concerns them.

    Raises:
        OutsideUnavailableError: Git is not installed.
    """
    ends = frozenset(tip for one in wanted.values() for tip in one.tips)
    found = [one for one in _rewritings(log) if one.end is None or one.end in ends]
    if not any(one.end for one in found):
        return {}
    steps = {step.new for one in found for step in one.steps}
    details = _details(repository, steps.union(*(one.forms for one in wanted.values())))
    return {
        commit: _followed(one, _since(log, commit, found), details)
        for commit, one in wanted.items()
    }


def _rewritings(log: Sequence[Move]) -> Iterator[_Rewriting]:
    """Return the rebases of branches, and the amendments outside of them, oldest first."""
    steps: list[Move] | None = None
    is_told = True
    for place, move in enumerate(log):
        kind = move.action.rpartition(" ")[2]
        if kind == _START:
            steps, is_told = [], True
        elif steps is None:
            if move.why.startswith(_AMENDED):
                yield _Rewriting(place, (move,), None)
        elif kind in _COPIES:
            steps.append(move)
        elif kind == _FINISH:
            yield _Rewriting(place, tuple(steps), move.new, is_told)
            steps = None
        elif kind == _ABORT or move.why.startswith(_LEFT):
            steps = None
        else:
            is_told = False


def _since(log: Sequence[Move], commit: str, found: Sequence[_Rewriting]) -> list[_Rewriting]:
    """Return the rewritings that ended after HEAD last pointed to a commit."""
    last = max((place for place, move in enumerate(log) if move.new == commit), default=-1)
    return [one for one in found if one.place > last]


def _details(repository: Repository, commits: Collection[str]) -> Mapping[str, _Details]:
    """Ask git about commits; those that no longer exist are left out."""
    given = "".join(f"{commit}\n" for commit in sorted(commits)).encode()
    status, words, _ = ask_git(repository, *_ASK, _FORM, given=given)
    found: dict[str, _Details] = {}
    for entry in words.split("\0") if status == 0 else ():
        if entry:
            name, parents, times, author, message = entry.split("\n", 4)
            at, _, committed = times.partition(" ")
            title = message.strip().partition("\n")[0]
            found[name] = _Details(
                frozenset(parents.split()),
                author,
                at,
                title,
                is_dated_anew=int(at) >= int(committed),
            )
    return found


def _followed(
    wanted: Wanted, rewritings: Sequence[_Rewriting], details: Mapping[str, _Details]
) -> Trail:
    """Follow a commit through what was rewritten, oldest first."""
    forms, is_left_out = set(wanted.forms & details.keys()), False
    for one in rewritings if forms else ():
        if one.end is not None and one.end not in wanted.tips:
            continue
        if not one.is_told or any(step.new not in details for step in one.steps):
            return Trail(frozenset(forms), is_left_out=False)
        is_copied = one.end is None
        for step in one.steps:
            if _is_form(step, forms, details):
                is_copied = True
                forms.add(step.new)
        is_left_out |= not is_copied
    return Trail(frozenset(forms), is_left_out)


def _is_form(step: Move, forms: Collection[str], details: Mapping[str, _Details]) -> bool:
    """Return whether a step replaced a form in its place, or copied one."""
    new = details[step.new]
    if step.old in forms and step.old not in new.parents:
        return True
    return any(details[one].is_copied_by(new) for one in forms)
