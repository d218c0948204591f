"""Who wrote the pages of tasks: the person at this clone, an agent, or somebody else through git.

The rules are those for the pages of memories.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Origin, least_trusted
from holdfast.domain.tasks.task import TaskStatus
from holdfast.domain.tasks.task_page import entry_of
from holdfast.domain.values import dataclass, field, replace
from holdfast.ports.anchors.clone import BroughtText
from holdfast.ports.pages.task_pages import TaskBase
from holdfast.usecases.pages.sync.authors import own_commits

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from datetime import datetime

    from holdfast.domain.ids import TaskId
    from holdfast.domain.tasks.task import Task
    from holdfast.domain.tasks.task_page import TaskEntry
    from holdfast.ports.anchors.clone import Clone
    from holdfast.ports.pages.task_pages import TaskFolder, TaskPages
    from holdfast.ports.store.store import Transaction

_TASK_DELETED = "task.deleted"


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskAuthors:
    """What git and the last sync know about pages whose text is new."""

    voice: Origin
    head: str
    folder: TaskFolder
    stored: Mapping[TaskId, Task]
    bases: Mapping[TaskId, TaskBase]
    committed: frozenset[TaskId] = frozenset()
    """The pages that the last commit has as they are."""
    in_commit: Mapping[TaskId, str] = field(default_factory=dict)
    """The digests of the pages in the last commit."""
    own_commits: frozenset[str] = frozenset()
    """Commits since which the pages were changed only in this clone."""
    brought: BroughtText = BroughtText()
    """What commits not made in this clone have of these pages."""

    def origin_of(self, entry: TaskEntry) -> Origin:
        """Return the origin of a page: what git brought keeps its origin, whoever syncs."""
        base = self.bases.get(entry.id)
        known = self.folder.proposed.get(entry.digest, Origin.HUMAN)
        if base is not None and base.at == self.head and base.held == entry.digest:
            # The person went back to the text that this commit had when it was agreed here.
            return least_trusted([self.voice, known])
        if self._is_foreign(entry) or (base is not None and base.waits == entry.digest):
            return Origin.REPO
        return least_trusted([self._origin_by_git(entry), known])

    def _origin_by_git(self, entry: TaskEntry) -> Origin:
        is_own = self._is_commit_own(entry)
        if entry.id in self.committed:
            return self.voice if is_own else Origin.REPO
        is_mixed = self.voice is Origin.HUMAN and not is_own and self._is_on_others_change(entry)
        return Origin.REPO if is_mixed else self.voice

    def _is_commit_own(self, entry: TaskEntry) -> bool:
        """Tell whether all commits to the pages since this one was agreed were made here."""
        base = self.bases.get(entry.id)
        if base is not None and base.digest is not None:
            return base.at in self.own_commits
        heads = {one.at for one in self.bases.values() if one.digest is not None}
        return bool(heads) and heads <= self.own_commits

    def _is_on_others_change(self, entry: TaskEntry) -> bool:
        """Tell whether an edit was made on top of a change that was never agreed here."""
        base, task = self.bases.get(entry.id, TaskBase()), self.stored.get(entry.id)
        known = {base.digest, base.held, None if task is None else entry_of(task).digest}
        return base.at != self.head and self.in_commit.get(entry.id) not in {*known, None}

    def _is_foreign(self, entry: TaskEntry) -> bool:
        """Tell whether a page is others' text that is not in the store, changed here or not."""
        lines, task = self.folder.lines.get(entry.id, frozenset()), self.stored.get(entry.id)
        if task is not None:
            is_theirs = bool(lines) and lines <= self.brought.lines
            return (is_theirs and _words(entry) != _words(task)) or self._has_others_fields(entry)
        theirs = len(lines & self.brought.traces)
        return bool(lines) and 2 * theirs >= len(lines)

    def _has_others_fields(self, entry: TaskEntry) -> bool:
        """Tell whether a field has a value of others that the task does not have.

        The status ``open`` is known, because every task begins with it.
        """
        known = entry_of(self.stored[entry.id])
        ours = known.field_marks | replace(known, status=TaskStatus.OPEN).field_marks
        fresh = (entry.field_marks - ours) | entry.removal_marks(known)
        return self.brought.has_field_of(entry.id, fresh)


def read_authors(
    known: TaskAuthors,
    changed: Collection[TaskId],
    *,
    pages: TaskPages,
    clone: Clone | None,
    head: str,
) -> TaskAuthors:
    """Return the same with what git says about these pages; without new text git is not asked."""
    if clone is None or not changed:
        return known
    entries, committed = known.folder.entries, pages.committed()
    held = {name for name in changed if committed.get(name) == entries[name].digest}
    fresh = {pages.path(name): name for name in changed if name not in held}
    unedited = clone.unedited(fresh) if fresh else frozenset[str]()
    lines = {line for name in changed for line in known.folder.lines[name]}
    return TaskAuthors(
        # During an unfinished merge, an uncommitted text may be anybody's.
        voice=Origin.REPO if clone.is_joining() else known.voice,
        head=known.head,
        folder=known.folder,
        stored=known.stored,
        bases=known.bases,
        committed=frozenset(held | {fresh[path] for path in unedited}),
        in_commit=committed,
        own_commits=own_commits((one.at for one in known.bases.values()), head, clone),
        brought=clone.brought(lines, entries=changed, since=_synced_at(known, changed)),
    )


def _synced_at(known: TaskAuthors, changed: Collection[TaskId]) -> set[str]:
    """Return the commits at which these tasks were agreed; all, if one never was."""
    asked = changed if known.bases.keys() >= set(changed) else known.bases
    return {at for name in asked if (at := known.bases[name].at)}


def is_of_store(name: TaskId, base: TaskBase, task: Task | None, *, tx: Transaction) -> bool:
    """Tell whether it was this store that agreed with a page, and not a later or another one.

    The agreement is kept beside the clone, so it stays when the store is lost or an older one is
    put back. A task that is missing there was not deleted: only the log tells that.
    """
    if task is None:
        return any(event.action == _TASK_DELETED for event in tx.diary.events.about(name))
    return base.updated is None or millis_of(task.updated_at) >= base.updated


def millis_of(moment: datetime) -> int:
    """Return a moment in milliseconds, as the store keeps it."""
    return round(moment.timestamp() * 1000)


def _words(said: TaskEntry | Task) -> tuple[str, str, frozenset[str]]:
    return said.title, said.notes.strip(), frozenset(said.labels)
