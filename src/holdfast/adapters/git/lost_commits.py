"""Finds commits of others that git still has, although nothing refers to them any more.

A pull request that is fetched by its ref is known by FETCH_HEAD alone, and the next fetch replaces
that. Its commits stay until garbage collection: loose, or in the pack that the fetch made. If
another repository lends its objects to the clone, git fetches none of these, so all of them count.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from holdfast.adapters.git.reading.objects import git_answer
from holdfast.adapters.git.reading.refs import moves_of_heads
from holdfast.adapters.git.reading.repository import ask_git
from holdfast.adapters.git.stored_objects import recent_objects
from holdfast.domain.errors import OutsideUnavailableError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from holdfast.adapters.git.reading.refs import Move
    from holdfast.adapters.git.reading.repository import Repository

_MOST_COMMITS = 50_000
"""With more, all edits wait; no limit by date is used, because authors choose the dates."""
_AT_ONCE = 5
"""Within so many seconds after it makes an entry of the stash, git writes its file and moves HEAD.

The author of a fetched commit chooses its date, but has no influence on the reflog.
"""
_STASHED = "reset: moving to HEAD"
_REBASING = "(start)"
# With --buffer git writes full blocks instead of one line at a time.
_KINDS = ("cat-file", "--buffer", "--batch-check=%(objectname) %(objecttype)")
_UNREFERENCED = (
    *("log", f"--max-count={_MOST_COMMITS + 1}", "--format=%H%x00%ct%x00%P"),
    "--no-show-signature",
    *("--stdin", "--not", "--all"),
)


class _Lost(NamedTuple):
    """A commit that nothing refers to: when it was made, and its parents."""

    made: int
    parents: tuple[str, ...]


def lost_commits(repository: Repository) -> list[str]:
    """Return the commits that came from elsewhere and that no ref has any more.

    Commits with a descendant among them are left out. So are dropped entries of the stash, which
    have texts of a person, and no reflog.

    Raises:
        OutsideUnavailableError: Git is not installed, or refuses to read the repository; or there
            are too many of them.
    """
    loose, others = recent_objects(repository)
    names = sorted({*loose, *others})
    said = git_answer(repository, *_KINDS, given=names).decode(errors="replace")
    commits = [line.split()[0] for line in said.splitlines() if line.endswith(" commit")]
    lost = _unreferenced(repository, commits) if commits else {}
    fresh = {
        name for name, at in loose.items() if name in lost and _is_at_once(at, lost[name].made)
    }
    noted = moves_of_heads(repository) if fresh else []
    continued = {name for one in lost.values() for name in one.parents}
    return [
        name
        for name in lost
        if name not in continued and not (name in fresh and _is_stash(name, lost, noted))
    ]


def _is_stash(name: str, lost: Mapping[str, _Lost], noted: Sequence[Move]) -> bool:
    """Return whether a commit is an entry of the stash: a base and its index, and git reset HEAD.

    A rebase that stashes the edits checks another commit out instead.
    """
    base, index, *_ = (*lost[name].parents, "", "")
    if index not in lost or lost[index].parents != (base,):
        return False
    return any(
        move.old == base
        and move.at is not None
        and _is_at_once(move.at, lost[name].made)
        and ((move.why == _STASHED and move.new == base) or move.action.endswith(_REBASING))
        for move in noted
    )


def _is_at_once(moment: float, made: int) -> bool:
    return abs(moment - made) <= _AT_ONCE


def _unreferenced(repository: Repository, commits: Collection[str]) -> Mapping[str, _Lost]:
    """Return the commits that no ref has, newest first; all if git lacks some of their parents."""
    given = "".join(f"{name}\n" for name in commits).encode()
    status, answer, _ = ask_git(repository, *_UNREFERENCED, given=given)
    if status != 0:
        return dict.fromkeys(commits, _Lost(0, ()))
    rows = [line.split("\0") for line in answer.split("\n") if line]
    if len(rows) > _MOST_COMMITS:
        words = f"more than {_MOST_COMMITS:,} commits have no ref. Run git gc --prune=now."
        raise OutsideUnavailableError(who="git", words=words)
    # A commit can be written without a date.
    return {name: _Lost(int(made or 0), tuple(rest.split())) for name, made, rest in rows}
