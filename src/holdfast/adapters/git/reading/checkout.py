"""Looks at the checkout: its branch, its commit, and whether it follows an earlier one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.git.reading.refs import HEADS, read_refs
from holdfast.adapters.git.reading.repository import ask_git, find_repository
from holdfast.domain.errors import OutsideUnavailableError
from holdfast.domain.roles.checkout import CheckoutState
from holdfast.usecases.screened_surroundings import harmless

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from holdfast.adapters.git.reading.repository import Repository

_SHORT = 12


class GitWatch:
    """The checkout of the repository around a folder; without one there is nothing to watch."""

    def __init__(
        self, folder: Path, *, fork: Callable[[CheckoutState, CheckoutState], str]
    ) -> None:
        self._folder = folder
        self._fork = fork

    def look(self, since: CheckoutState | None = None) -> CheckoutState:
        """Return the branch and the commit that are checked out."""
        repository = find_repository(self._folder)
        if repository is None:
            return CheckoutState()
        try:
            refs = read_refs(repository)
            target, head = refs.target("HEAD"), refs.tip("HEAD")
        except OutsideUnavailableError:
            return CheckoutState()
        branch = None if target is None else harmless(target.removeprefix(HEADS))
        if since is not None:
            lineage = _lineage(repository, since.head, head)
            return CheckoutState(branch=branch, head=head, lineage=lineage)
        upstream, behind = _upstream(repository)
        return CheckoutState(branch=branch, head=head, upstream=harmless(upstream), behind=behind)

    def fork(self, before: CheckoutState, now: CheckoutState) -> str:
        """Give the new branch or history caches of its own."""
        return self._fork(before, now)


def _lineage(repository: Repository, old: str | None, new: str | None) -> str:
    """Return what happened to the old commit, if the new one does not contain it."""
    if old is None or new is None or old == new:
        return ""
    status, _, _ = ask_git(repository, "merge-base", "--is-ancestor", old, new)
    return "" if status == 0 else f"{old[:_SHORT]} is not part of it any more"


def _upstream(repository: Repository) -> tuple[str, int]:
    """Return the upstream of the branch, and how many of its commits are not here."""
    status, name, _ = ask_git(repository, "rev-parse", "--abbrev-ref", "@{upstream}")
    if status != 0:
        return "", 0
    status, count, _ = ask_git(repository, "rev-list", "--count", "HEAD..@{upstream}")
    return name.strip(), int(count) if status == 0 and count.strip().isdigit() else 0
