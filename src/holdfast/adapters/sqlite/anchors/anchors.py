"""Spans, histories and added evidence; each part is imported on first use.

What the store knows about the git histories of repositories.

The spans that evidence cites.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.anchors.span_rows import SqliteSpans
from holdfast.adapters.sqlite.database.rows import Row, as_json, checked, millis, moment_of, sealed
from holdfast.adapters.sqlite.database.standpoint_rows import branch_point_of, put_branch_point
from holdfast.adapters.sqlite.database.work import Work
from holdfast.domain.memory.anchor import BranchPoint, Rewrite, RewriteHow
from holdfast.domain.memory.selection import Supersession

if TYPE_CHECKING:
    from holdfast.adapters.sqlite.memory.reasons import SqliteReasons


class SqliteAnchors:
    """The anchor ports of one transaction."""

    def __init__(self, work: Work) -> None:
        self._work = work

    @cached_property
    def spans(self) -> SqliteSpans:
        """The spans in files."""
        return SqliteSpans(self._work)

    @cached_property
    def past(self) -> SqlitePast:
        """The git histories."""
        return SqlitePast(self._work)

    @cached_property
    def reasons(self) -> SqliteReasons:
        """The evidence that was added later."""
        from holdfast.adapters.sqlite.memory.reasons import SqliteReasons

        return SqliteReasons(self._work)


REWRITE = "rewrite"
_POINT_COLUMNS = 8
_HEAD = 3


class SqlitePast:
    """Standpoints of memories and branches, and rewrites by repository and old commit."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self._rewritten: dict[tuple[str, str], Row] = {}

    def branch_points(self, repo: str, *, aside_only: bool) -> Sequence[BranchPoint]:
        """Return where memories of a repository were written, and the tips of its branches."""
        rows = self.work.rows("standpoints_aside" if aside_only else "standpoints_of", (repo,))
        found = [(row[:_POINT_COLUMNS], row[_POINT_COLUMNS:]) for row in rows]
        if not self.work.may_write:
            # Rewrites of these commits are asked for next: they come with the points.
            self._rewritten |= {(repo, point[_HEAD]): rewrite for point, rewrite in found}
        points = self.work.sound(
            [point for point, _ in found], lambda row: branch_point_of(self.work.path, *row)
        )
        return tuple(dict.fromkeys(points))

    def accepted_aside(self, repo: str) -> frozenset[str]:
        """Return the side branches on which accepted memories of a repository were written."""
        return frozenset(str(name) for (name,) in self.work.rows("accepted_aside", (repo,)))

    def supersessions(self, repo: str) -> Sequence[Supersession]:
        """Return superseding pairs of memories where at least one is from a side branch."""
        rows = self.work.rows("supersessions_aside", {"repo": repo})
        return tuple(self.work.sound(rows, self._supersession))

    def put_tip(self, repo: str, point: BranchPoint) -> None:
        """Store the newest commit of a branch; it replaces the one before."""
        self.work.moment()
        subject = _tip(repo, point.branch)
        row = self.work.row("get_standpoint", subject)
        if row is not None and branch_point_of(self.work.path, *row) == point:
            return
        self.work.row("drop_standpoint", subject)
        put_branch_point(subject, repo, point, self.work)

    def put_rewrites(self, rewrites: Sequence[Rewrite]) -> None:
        """Store which commit replaced which."""
        self.work.moment()
        for rewrite in rewrites:
            values = sealed(
                REWRITE,
                (rewrite.repo, rewrite.old, rewrite.new, rewrite.how.value, millis(rewrite.at)),
            )
            self.work.run("put_rewrite", *values)
            self.work.record("rewrite.put", f"{rewrite.repo} {rewrite.old}", values[-1])

    def rewrites_of(self, repo: str, commits: Collection[str]) -> Mapping[str, Rewrite]:
        """Return the commit that directly replaced each commit, where that is known."""
        known = {
            one: self._rewritten[repo, one] for one in commits if (repo, one) in self._rewritten
        }
        rows = [row for row in known.values() if row[0] is not None]
        if unknown := [one for one in commits if one not in known]:
            rows += self.work.rows("rewrites_of", {"repo": repo, "commits": as_json(unknown)})
        return {one.old: one for one in self.work.sound(rows, self._rewrite)}

    def rewrites(self, *, beyond: Rewrite | None, limit: int) -> Sequence[Rewrite]:
        """Return rewrites ordered by repository and old commit, starting after ``beyond``."""
        after = ("", "") if beyond is None else (beyond.repo, beyond.old)
        rows = self.work.rows("rewrites_after", (*after, limit))
        return tuple(self.work.sound(rows, self._rewrite))

    def _supersession(self, row: Row) -> Supersession:
        newer, older, is_linked, stands, is_stored, *point = row
        return Supersession(
            newer=newer,
            older=older,
            point=None if point[0] is None else branch_point_of(self.work.path, *point),
            stands=bool(stands),
            is_linked=bool(is_linked),
            is_stored=bool(is_stored),
        )

    def _rewrite(self, row: Row) -> Rewrite:
        checked(REWRITE, row, path=self.work.path, name=f"{row[0]} {row[1]}")
        return Rewrite(
            repo=row[0], old=row[1], new=row[2], how=RewriteHow(row[3]), at=moment_of(row[4])
        )


def _tip(repo: str, branch: str | None) -> str:
    """Return the key of a branch's row, a hash: events hold it, but must not hold the name."""
    named = "\0".join([repo, *([] if branch is None else [branch])])
    return f"t_{hashlib.sha256(named.encode()).hexdigest()[:32]}"
