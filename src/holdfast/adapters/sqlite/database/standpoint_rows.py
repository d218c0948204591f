"""The branch and commit of a memory or session as a row; imported only if such a row exists."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.database.rows import checked, sealed
from holdfast.domain.memory.anchor import BranchPoint

if TYPE_CHECKING:
    from holdfast.adapters.sqlite.database.rows import Value
    from holdfast.adapters.sqlite.database.work import Work

BRANCH_POINT = "standpoint"
_KNOWN_ROWS = 16_384
"""A sync reads every memory of a repository twice."""


def put_branch_point(subject: str, repo: str | None, point: BranchPoint, work: Work) -> None:
    """Write the branch and commit where a memory or session began."""
    values = sealed(
        BRANCH_POINT,
        (subject, repo, point.branch, point.head, int(point.is_aside), int(point.is_shared)),
    )
    work.run("put_standpoint", *values)
    work.record("standpoint.put", subject, values[-1])


# A row that is equal in every column, with its salt and hash, was checked before.
@lru_cache(maxsize=_KNOWN_ROWS, typed=True)
def branch_point_of(path: str, *row: Value) -> BranchPoint:
    """Return the standpoint of a row, checked."""
    _subject, _, branch, head, is_aside, is_shared, *_ = checked(
        BRANCH_POINT, row, path=path, name=f"of {row[0]!s}"
    )
    return BranchPoint(branch=branch, head=head, is_aside=bool(is_aside), is_shared=bool(is_shared))
