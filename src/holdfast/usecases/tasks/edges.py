"""The edges of an issue of beads: which lead to tasks, and which lead to nothing here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.ids import TaskId
from holdfast.domain.tasks.beads import BLOCKS, PARENT, read_issue
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping

    from holdfast.domain.tasks.beads import BeadsIssue
    from holdfast.domain.tasks.task import Task
    from holdfast.ports.store.store import Transaction

_SAYS = {BLOCKS: "waits for", PARENT: "is a part of"}


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingEdge:
    """An edge of beads to an issue that is not here yet; until it is, only the export has it."""

    issue: str
    depends_on: str
    type: str

    @property
    def relation(self) -> str:
        """The edge in words: ``waits for`` or ``is a part of``."""
        return _SAYS[self.type]

    def __str__(self) -> str:
        return f"{self.issue} {self.relation} {self.depends_on}, which is not here"


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundEdges:
    """What an issue waits for and its parent, as tasks; ``missing`` lead to nothing here."""

    after: tuple[TaskId, ...] = ()
    parent: TaskId | None = None
    missing: tuple[MissingEdge, ...] = ()


def found_edges(
    issue: BeadsIssue, ids: Mapping[str, TaskId], repo: str | None, *, tx: Transaction
) -> FoundEdges:
    """Return the edges of an issue; ``ids`` are known tasks by their names in beads."""
    wanted = [(name, BLOCKS) for name in dict.fromkeys(issue.blocked_by)]
    wanted += [] if issue.parent is None else [(issue.parent, PARENT)]
    found = {name: _found(name, ids, repo, tx=tx) for name, _ in wanted}
    firsts = [one for name in issue.blocked_by if (one := found[name]) is not None]
    return FoundEdges(
        after=tuple(dict.fromkeys(firsts)),
        parent=None if issue.parent is None else found[issue.parent],
        missing=tuple(
            MissingEdge(issue=issue.id, depends_on=name, type=word)
            for name, word in wanted
            if found[name] is None
        ),
    )


def missing_edges(task: Task, *, tx: Transaction) -> tuple[MissingEdge, ...]:
    """Return the edges that a task has in beads, and that lead to nothing here."""
    if not task.foreign:
        return ()
    return found_edges(read_issue(task.foreign), {}, task.repo, tx=tx).missing


def _found(
    name: str, ids: Mapping[str, TaskId], repo: str | None, *, tx: Transaction
) -> TaskId | None:
    if name in ids:
        return ids[name]
    if name.startswith("t_"):
        return next(iter(tx.diary.tasks.get_many([TaskId(name)])), None)
    return tx.diary.tasks.named(repo, name)
