"""Checks the rewrites that git's hook reports against the commits themselves.

Anybody can call the hook with any two commits, and what it notes decides about evidence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.git.lineage.commit_changes import Replacement
from holdfast.adapters.git.lineage.sameness import compared
from holdfast.adapters.git.reading.graph import author_stamps
from holdfast.adapters.git.reading.objects import existing
from holdfast.domain.memory.anchor import is_whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.adapters.git.reading.repository import Repository


def confirmed_rewrites(
    repository: Repository, pairs: Sequence[tuple[str, str]]
) -> list[tuple[str, str]]:
    """Return the pairs of an old and a new commit that the commits confirm.

    An amended or rebased commit keeps the name and the time of its author; a squash contains the
    changes of its commits. A pair that cannot be compared is not confirmed.

    Raises:
        OutsideUnavailableError: Git is not installed, or cannot read an object.
    """
    here = existing(repository, {name for pair in pairs for name in pair if is_whole(name)})
    known = [pair for pair in pairs if here.issuperset(pair)]
    stamps = author_stamps(repository, {name for pair in known for name in pair})
    others = [Replacement(*pair) for pair in known if stamps[pair[0]] != stamps[pair[1]]]
    contained = {
        tuple(pair)
        for pair, is_whole_change in compared(repository, others).items()
        if is_whole_change
    }
    return [pair for pair in known if stamps[pair[0]] == stamps[pair[1]] or pair in contained]
