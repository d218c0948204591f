"""Where we stand in a repository's history: the commit, its branch, and whether that is aside."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from holdfast.adapters.git.refs import HEADS, read_refs
from holdfast.adapters.git.repository import ask_git
from holdfast.domain.errors import OutsideUnavailableError
from holdfast.domain.standpoint import Standpoint

if TYPE_CHECKING:
    from holdfast.adapters.git.refs import Refs
    from holdfast.adapters.git.repository import Repository

_REMOTE = "refs/remotes/origin/"
_USUAL = ("main", "master", "trunk", "develop", "mainline", "default")


def standpoint(repository: Repository) -> Standpoint | None:
    """Return the branch and commit that are checked out.

    None where nothing was committed, or where only git could tell and it is not there.
    """
    with suppress(OutsideUnavailableError):
        refs = read_refs(repository)
        head = refs.tip("HEAD")
        return None if head is None else _described(repository, refs, head)
    return None


def main_branch(repository: Repository) -> str | None:
    """Return the branch that the others start from and arrive at.

    What the remote says, else the usual names, else the only branch there is.
    """
    with suppress(OutsideUnavailableError):
        return _main(read_refs(repository))
    return None


def checked_out(refs: Refs) -> str | None:
    """Return the branch that is checked out; None where a commit is, or another kind of name."""
    target = refs.target("HEAD")
    return target.removeprefix(HEADS) if target and target.startswith(HEADS) else None


def _described(repository: Repository, refs: Refs, head: str) -> Standpoint:
    branch, main = checked_out(refs), _main(refs)
    if branch is None or main is None or branch == main:
        return Standpoint(branch=branch, head=head)
    return Standpoint(
        branch=branch, head=head, is_aside=True, is_shared=_is_shared(repository, refs, head, main)
    )


def _main(refs: Refs) -> str | None:
    said = refs.target(f"{_REMOTE}HEAD")
    if said is not None and said.startswith(_REMOTE):
        return said.removeprefix(_REMOTE)
    for name in _USUAL:
        if refs.tip(f"{HEADS}{name}") is not None:
            return name
    some = refs.branches()
    only, other = next(some, None), next(some, None)
    return only if other is None else None


def _is_shared(repository: Repository, refs: Refs, head: str, main: str) -> bool:
    """Tell whether the main branch, here or at the remote, has all of the branch's commits.

    Where that cannot be told, nothing speaks for commits of its own.
    """
    names = (f"{HEADS}{main}", f"{_REMOTE}{main}")
    tips = {tip for name in names if (tip := refs.tip(name)) is not None}
    if head in tips:
        return True
    with suppress(OutsideUnavailableError):
        status, own, _ = ask_git(
            repository, "rev-list", "--max-count=1", head, "--not", *sorted(tips), "--"
        )
        return status != 0 or not own.strip()
    return True
