"""Reads the checked-out commit and branch, and whether it is aside from the main branch."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from holdfast.adapters.git.reading.refs import HEADS, read_refs
from holdfast.adapters.git.reading.repository import ask_git
from holdfast.domain.errors import OutsideUnavailableError
from holdfast.domain.memory.anchor import BranchPoint

if TYPE_CHECKING:
    from holdfast.adapters.git.reading.refs import Refs
    from holdfast.adapters.git.reading.repository import Repository

_REMOTES = "refs/remotes/"
_REMOTE = f"{_REMOTES}origin/"
_USUAL = ("main", "master", "trunk", "develop", "mainline", "default")


def branch_point(repository: Repository) -> BranchPoint | None:
    """Return the branch and commit that are checked out.

    None before the first commit, or if only git could tell and it is not installed.
    """
    with suppress(OutsideUnavailableError):
        refs = read_refs(repository)
        head = refs.tip("HEAD")
        return None if head is None else _described(repository, refs, head)
    return None


def main_branch(repository: Repository) -> str | None:
    """Return the main branch, from which others start and into which they are merged.

    It is the remote's default branch, else one of the usual names, else the only branch. A clone
    that has only the remote's gets the name of that one: ``origin/main``.
    """
    with suppress(OutsideUnavailableError):
        refs = read_refs(repository)
        main = _main(refs)
        if main is not None and refs.tip(f"{HEADS}{main}") is None:
            return f"{_REMOTE}{main}".removeprefix(_REMOTES)
        return main
    return None


def checked_out(refs: Refs) -> str | None:
    """Return the branch that is checked out; None if HEAD is detached or no branch."""
    target = refs.target("HEAD")
    return target.removeprefix(HEADS) if target and target.startswith(HEADS) else None


def _described(repository: Repository, refs: Refs, head: str) -> BranchPoint:
    branch, main = checked_out(refs), _main(refs)
    if branch is None or main is None or branch == main:
        return BranchPoint(branch=branch, head=head)
    return BranchPoint(
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
    """Return whether the main branch, local or remote, has all commits of the branch.

    If that is unknown, the branch counts as having no commits of its own.
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
