"""What the store knows about the git histories of repositories."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence

from holdfast.adapters.sqlite.database.rows import Row, as_json, checked, millis, moment_of, sealed
from holdfast.adapters.sqlite.database.standpoint_rows import branch_point_of, put_branch_point
from holdfast.adapters.sqlite.database.work import Work
from holdfast.domain.memory.branch_point import BranchPoint, Rewrite, RewriteHow
from holdfast.domain.memory.view import Supersession

REWRITE = "rewrite"


class SqlitePast:
    """Standpoints of memories and branches, and rewrites by repository and old commit."""

    def __init__(self, work: Work) -> None:
        self.work = work

    def branch_points(self, repo: str, *, aside_only: bool) -> Sequence[BranchPoint]:
        """Return where memories of a repository were written, and the tips of its branches."""
        rows = self.work.rows("standpoints_aside" if aside_only else "standpoints_of", (repo,))
        points = self.work.sound(rows, lambda row: branch_point_of(self.work.path, *row))
        return tuple(dict.fromkeys(points))

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
        rows = self.work.rows("rewrites_of", {"repo": repo, "commits": as_json(list(commits))})
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
