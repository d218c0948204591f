"""Sync of tasks: make their pages in the repository and the store agree, task by task."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Origin
from holdfast.domain.errors import ConflictError, InvalidError, NotFoundError
from holdfast.domain.pages import sync_messages as messages
from holdfast.domain.pages.syncing import Edits, EntryDigests, EntryOutcome, SyncStep, three_way
from holdfast.domain.tasks.finding import TaskFilter
from holdfast.domain.tasks.task import Task
from holdfast.domain.tasks.task_page import TaskEntry, entry_of
from holdfast.domain.values import dataclass, field, replace
from holdfast.ports.pages.task_pages import TaskBase
from holdfast.usecases.pages.session_files import sync_session_files
from holdfast.usecases.pages.session_texts import FilePorts
from holdfast.usecases.pages.sync.local_pages import NO_COMMIT
from holdfast.usecases.pages.sync.masking import masked_flaw, masked_task
from holdfast.usecases.pages.sync.run import sync
from holdfast.usecases.pages.task_intake import add_new, clean_words, take_entry
from holdfast.usecases.pages.task_origins import (
    TaskAuthors,
    is_of_store,
    millis_of,
    read_authors,
)
from holdfast.usecases.tasks.ports import TaskActor, TaskPorts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from holdfast.domain.ids import TaskId
    from holdfast.domain.memory.entry import Flaw
    from holdfast.domain.pages.syncing import Synced
    from holdfast.ports.anchors.clone import Clone
    from holdfast.ports.pages.session_files import SessionFiles
    from holdfast.ports.pages.task_pages import TaskFolder, TaskPages
    from holdfast.ports.store.store import Transaction
    from holdfast.usecases.pages.sync import Sync, SyncPorts

_PAGE = 500
_BOTH = "It was changed here and in the store. Make the page say what holds, and sync again."
_REMOVED = "Its page was removed; the task stays until it is deleted."
_LATER = "Its page is in a commit that is not checked out; it comes with that commit."
_CHANGED = "Its page was saved at the same moment."
_DELETED = "The task was deleted, and so is its page."
_DELETED_AND_EDITED = "The task was deleted, and its page was edited. Remove the page."
_AT_WORK = frozenset({Origin.HUMAN, Origin.AGENT})
"""The origins whose edits of tasks are taken in; what git brought waits."""
_CHANGED_STEPS = frozenset({SyncStep.TAKEN, SyncStep.WRITTEN})
_SETTLED = frozenset({SyncStep.AGREED, SyncStep.TAKEN, SyncStep.WRITTEN})


def sync_with_tasks(wish: Sync, *, ports: SyncPorts) -> Synced:
    """Bring the pages of memories and tasks, and the files of sessions, in line with the store.

    Tasks come first: a clone counts as synced once its memories were.
    """
    pages = ports.task_pages
    if pages is None or not ports.notebook.exists():
        return sync(wish, ports=ports)
    private = ports.private_files
    shown = () if private is None else tuple(private.hide(dry_run=wish.dry_run))
    outcomes, flaws = sync_tasks(wish, pages=pages, ports=ports)
    flaws = (*shown, *flaws)
    missing = sum(one.step is SyncStep.BEHIND for one in outcomes)
    if ports.session_files is not None:
        given = _file_ports(ports, ports.session_files)
        more = sync_session_files(wish, ports=given, shown=shown)
        outcomes, flaws = (*outcomes, *more[0]), (*flaws, *more[1])
    synced = sync(wish, ports=ports)
    return replace(
        synced,
        outcomes=(*synced.outcomes, *outcomes),
        flaws=(*synced.flaws, *flaws),
        entries=synced.entries + len(outcomes) - missing,
    )


def _file_ports(ports: SyncPorts, files: SessionFiles) -> FilePorts:
    return FilePorts(
        store=ports.store,
        clock=ports.clock,
        surroundings=ports.surroundings,
        files=files,
        clone=ports.session_clone,
    )


def sync_tasks(
    wish: Sync, *, pages: TaskPages, ports: SyncPorts
) -> tuple[tuple[EntryOutcome, ...], tuple[Flaw, ...]]:
    """Bring the pages of tasks and the store in line; return what happened, and what is unreadable.

    If only the page changed, it is taken in, unless it came with git: then it waits until a person
    trusts it. If only the store changed, the page is rewritten. If both changed, both stay, and a
    person decides. A page that was removed stays removed. A page of a commit that is not checked
    out is not written: git brings it.
    """
    folder = pages.read()
    flaws = tuple(map(masked_flaw, folder.flaws))
    both = _both_sides(wish, folder, pages=pages, ports=ports)
    # A flaw is that of a page, or of the folder of all pages.
    broken = {flaw.path for flaw in flaws}
    names = [
        name
        for name in sorted({*folder.entries, *both.stored})
        if broken.isdisjoint({path := pages.path(name), path.rpartition("/")[0]})
    ]
    plans = both.plans(names, ports.task_clone)
    if wish.dry_run:
        plans = {name: both.foreseen(name, plan) for name, plan in plans.items()}
    else:
        new = [
            name
            for name, one in plans.items()
            if one.step is SyncStep.TAKEN and name not in both.stored
        ]
        add_new([folder.entries[name] for name in new], ports=both.ports)
        if ports.task_clone is not None and any(
            one.step in _CHANGED_STEPS for one in plans.values()
        ):
            both = replace(both, committed=pages.committed())
        plans = {name: both.carry_out(name, plan) for name, plan in plans.items()}
        pages.set_bases(both.bases, edits=both.edits(plans))
    return tuple(both.outcome(name, plan) for name, plan in plans.items()), flaws


def _both_sides(
    wish: Sync, folder: TaskFolder, *, pages: TaskPages, ports: SyncPorts
) -> _BothSides:
    task_ports = TaskPorts(
        store=ports.store,
        clock=ports.clock,
        surroundings=ports.surroundings,
        verifier=ports.verifier,
        actor=TaskActor(name=wish.by, origin=wish.voice),
    )
    point = ports.surroundings.branch_point()
    with ports.store.reading() as tx:
        stored = {task.id: task for task in _all_here(task_ports, tx=tx)}
        bases = {
            name: base
            if name not in folder.entries or is_of_store(name, base, stored.get(name), tx=tx)
            else TaskBase(waits=base.waits)
            for name, base in pages.bases().items()
        }
    return _BothSides(
        wish=wish,
        pages=pages,
        ports=task_ports,
        folder=folder,
        stored=stored,
        bases=bases,
        head=NO_COMMIT if point is None else point.head,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _TaskPlan:
    """What happens to one task, in words, and who wrote its page."""

    step: SyncStep
    words: str = ""
    origin: Origin = Origin.REPO
    decides: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _BothSides:
    """The pages and the store as they were read, and the state in which both agreed."""

    wish: Sync
    pages: TaskPages
    ports: TaskPorts
    folder: TaskFolder
    stored: Mapping[TaskId, Task]
    bases: dict[TaskId, TaskBase]
    head: str
    committed: Mapping[TaskId, str] = field(default_factory=dict)
    """The digests of the pages in the last commit, if a page or a task changed."""

    def plans(self, names: Sequence[TaskId], clone: Clone | None) -> dict[TaskId, _TaskPlan]:
        """Decide about every task; a new text is taken in, waits, or is left."""
        steps = {name: self.step(name) for name in names}
        changed = [name for name in names if steps[name] is SyncStep.TAKEN]
        known = TaskAuthors(
            voice=self.wish.voice,
            head=self.head,
            folder=self.folder,
            stored=self.stored,
            bases=dict(self.bases),
        )
        authors = read_authors(known, changed, pages=self.pages, clone=clone, head=self.head)
        later = self._of_later_commits(steps, clone)
        return {
            name: self._new_text(name, authors) if step is SyncStep.TAKEN else _TaskPlan(step=step)
            for name, step in steps.items()
        } | {name: _TaskPlan(step=SyncStep.BEHIND, words=_LATER) for name in later}

    def _of_later_commits(
        self, steps: Mapping[TaskId, SyncStep], clone: Clone | None
    ) -> list[TaskId]:
        """Return the new pages that a commit has which is not part of this checkout."""
        new = {
            self.pages.path(name): name
            for name, step in steps.items()
            if step is SyncStep.WRITTEN and name not in self.folder.entries
        }
        if clone is None or not new:
            return []
        return [new[path] for path in clone.not_checked_out(new)]

    def _new_text(self, name: TaskId, authors: TaskAuthors) -> _TaskPlan:
        """Decide by its origin whether a new text is taken in or waits."""
        entry = self.folder.entries[name]
        origin = authors.origin_of(entry)
        if proof_of(entry) in self.wish.trusted:
            return _TaskPlan(step=SyncStep.TAKEN, origin=origin, decides=True)
        if origin not in _AT_WORK:
            return _TaskPlan(step=SyncStep.WAITING, words=messages.FROM_GIT, origin=origin)
        if not self.wish.takes_in:
            return _TaskPlan(step=SyncStep.LEFT, words=messages.LEFT, origin=origin)
        return _TaskPlan(step=SyncStep.TAKEN, origin=origin, decides=origin is Origin.HUMAN)

    def edits(self, plans: Mapping[TaskId, _TaskPlan]) -> Edits:
        """Return the edits of agents that were refused, and the texts that both sides share."""
        digests = {name: one.digest for name, one in self.folder.entries.items() if name in plans}
        return Edits(
            proposed={
                digest: plans[name].origin
                for name, digest in digests.items()
                if plans[name].step is SyncStep.REFUSED
            },
            settled=frozenset(
                digest for name, digest in digests.items() if plans[name].step in _SETTLED
            ),
        )

    def step(self, name: TaskId) -> SyncStep:
        """Decide by who changed the task."""
        base, entry, task = self._agreed(name), self.folder.entries.get(name), self.stored.get(name)
        if entry is None:
            return SyncStep.WRITTEN if base is None else SyncStep.BEHIND
        if task is None:
            return SyncStep.TAKEN if base is None else SyncStep.FORGOTTEN
        return three_way(EntryDigests(base=base, file=entry.digest, store=entry_of(task).digest))

    def _agreed(self, name: TaskId) -> str | None:
        base = self.bases.get(name)
        return None if base is None else base.digest

    def outcome(self, name: TaskId, plan: _TaskPlan) -> EntryOutcome:
        """Return what happened to a task, in words; of a text that waits, all that it says."""
        task = self.stored.get(name)
        entry = self.folder.entries.get(name) or entry_of(self.stored[name])
        said = plan.words or {SyncStep.CONFLICT: _BOTH, SyncStep.BEHIND: _REMOVED}.get(
            plan.step, ""
        )
        found = EntryOutcome(
            step=plan.step, words=said, label=name, claim=entry.title, path=self.pages.path(name)
        )
        if plan.step is SyncStep.WAITING:
            found = replace(
                found,
                line=1,
                proof=proof_of(entry),
                before="" if task is None else task.title,
                fields=entry.other_fields,
            )
        return masked_task(found)

    def foreseen(self, name: TaskId, plan: _TaskPlan) -> _TaskPlan:
        """Return a plan that is not carried out: refused if its words would be refused."""
        if plan.step is not SyncStep.TAKEN:
            return plan
        try:
            clean_words(self.folder.entries[name])
        except InvalidError as error:
            return replace(plan, step=SyncStep.REFUSED, words=str(error))
        return plan

    def carry_out(self, name: TaskId, plan: _TaskPlan) -> _TaskPlan:
        """Carry out one step; note the state in which both sides agree now."""
        if plan.step is SyncStep.AGREED:
            self._agree(self.stored[name])
        elif plan.step is SyncStep.WRITTEN:
            return self._written(name)
        elif plan.step is SyncStep.TAKEN:
            return self._taken(name, plan)
        elif plan.step is SyncStep.FORGOTTEN:
            return self._removed(name)
        elif plan.step is SyncStep.WAITING:
            base = self.bases.get(name, TaskBase())
            self.bases[name] = replace(base, waits=self.folder.entries[name].digest)
        return plan

    def _agree(self, task: Task) -> None:
        digest, known = entry_of(task).digest, self.bases.get(task.id, TaskBase())
        kept = known.held if known.at == self.head else None
        held = self.committed.get(task.id, kept)
        is_agreed = held in {digest, known.digest, kept}
        self.bases[task.id] = TaskBase(
            digest=digest,
            at=self.head,
            held=held if is_agreed else None,
            updated=millis_of(task.updated_at),
        )

    def _written(self, name: TaskId) -> _TaskPlan:
        wanted, over = entry_of(self.stored[name]), self.folder.entries.get(name)
        if not self.pages.write(wanted, over=None if over is None else over.digest):
            return _TaskPlan(step=SyncStep.LEFT, words=_CHANGED)
        self._agree(self.stored[name])
        return _TaskPlan(step=SyncStep.WRITTEN)

    def _taken(self, name: TaskId, plan: _TaskPlan) -> _TaskPlan:
        entry = self.folder.entries[name]
        actor = replace(self.ports.actor, decides=plan.decides)
        try:
            task = take_entry(entry, ports=replace(self.ports, actor=actor))
        except (InvalidError, NotFoundError, ConflictError) as error:
            return replace(plan, step=SyncStep.REFUSED, words=str(error))
        self._agree(task)
        if (agreed := entry_of(task)).digest != entry.digest:
            self.pages.write(agreed, over=entry.digest)
        return plan

    def _removed(self, name: TaskId) -> _TaskPlan:
        """Remove the page of a task that was deleted, unless somebody edited it."""
        if not self.pages.remove(name, over=self._agreed(name) or ""):
            return _TaskPlan(step=SyncStep.CONFLICT, words=_DELETED_AND_EDITED)
        del self.bases[name]
        return _TaskPlan(step=SyncStep.WRITTEN, words=_DELETED)


def proof_of(entry: TaskEntry) -> str:
    """Return the proof of exactly one text of one task, for a person to accept."""
    return f"{entry.id}:{entry.digest}"


def _all_here(ports: TaskPorts, *, tx: Transaction) -> list[Task]:
    which, found = TaskFilter(repo=ports.repo), list[Task]()
    while page := tx.diary.tasks.find(which, limit=_PAGE):
        found += page
        which = replace(which, beyond=page[-1].id)
    return found
