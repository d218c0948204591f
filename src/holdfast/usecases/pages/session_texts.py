"""The texts that the files of sessions and of a repository's state should have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.sessions.noting import known_versions
from holdfast.domain.sessions.session_file import (
    PROJECT_FILE,
    SESSIONS_FOLDER,
    project_file_text,
    session_file_name,
    session_file_text,
)
from holdfast.domain.tasks.finding import TaskFilter
from holdfast.domain.tasks.task import TaskKind, TaskStatus
from holdfast.domain.values import dataclass
from holdfast.usecases.sessions.caching import cache_of
from holdfast.usecases.tasks.ports import plan_line

if TYPE_CHECKING:
    from datetime import datetime

    from holdfast.domain.ids import SessionId
    from holdfast.domain.sessions.plan_line import PlanLine
    from holdfast.ports.anchors.clone import Clone
    from holdfast.ports.anchors.surroundings import Surroundings
    from holdfast.ports.clock import Clock
    from holdfast.ports.pages.session_files import SessionFiles
    from holdfast.ports.store.store import Store, Transaction

MOST_FILES = 200
"""The sessions whose files are kept up to date; older files stay as they are."""
_MOST_TASKS = 1_000
_ALL_OPEN = frozenset({TaskStatus.OPEN, TaskStatus.STARTED, TaskStatus.BLOCKED})


@dataclass(frozen=True, slots=True, kw_only=True)
class FilePorts:
    """The ports that the files need."""

    store: Store
    clock: Clock
    surroundings: Surroundings
    files: SessionFiles
    clone: Clone | None = None

    @property
    def head(self) -> str | None:
        """The commit that is checked out."""
        point = self.surroundings.branch_point()
        return None if point is None else point.head


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredFile:
    """The text that a file should have, and digests of the notes that it had before.

    A file of a session of another store has no such text: it is never written here.
    """

    text: str | None
    versions: frozenset[str] = frozenset()


def stored_files(repo: str, *, ports: FilePorts, tx: Transaction) -> dict[str, StoredFile]:
    """Return what the store knows about each file, by path."""
    files, now = ports.files, ports.clock.now()
    found: dict[str, StoredFile] = {}
    project = stored_project(repo, tx=tx)
    is_empty = project.text == project_text("", tx=tx)
    if not is_empty or files.text(files.path(PROJECT_FILE)) is not None:
        found[files.path(PROJECT_FILE)] = project
    for cache in tx.sessions.caches.latest(repo, limit=MOST_FILES):
        if not (cache.last or cache.notes or cache.rewinds or cache.is_foreign):
            continue  # it only knows which turns were removed
        name, stored = stored_session(cache.session_id, tx=tx, at=now)
        found[files.path(f"{SESSIONS_FOLDER}/{name}")] = stored
    return found


def stored_project(repo: str, *, tx: Transaction) -> StoredFile:
    """Return what the store knows about the file of the repository's state."""
    state = tx.sessions.caches.projects.get(repo)
    versions = frozenset[str]() if state is None else known_versions(state)
    return StoredFile(text=project_text(repo, tx=tx), versions=versions)


def stored_session(
    session_id: SessionId, *, tx: Transaction, at: datetime
) -> tuple[str, StoredFile]:
    """Return the name of a session's file, and what the store knows about it."""
    session = tx.sessions.get(session_id)
    cache = cache_of(session, tx=tx, at=at)
    shown = [turn for turn in tx.sessions.caches.turns(session_id) if not turn.hidden]
    text = session_file_text(session, shown, cache.notes, cache.forked_from)
    found = StoredFile(text=None if cache.is_foreign else text, versions=known_versions(cache))
    return session_file_name(session), found


def project_text(repo: str, *, tx: Transaction) -> str:
    """Return the text of the repository's state."""
    state = tx.sessions.caches.projects.get(repo) if repo else None
    milestones: list[PlanLine] = []
    graph: dict[str, list[str]] = {}
    if repo:
        marks = TaskFilter(repo=repo, kinds=frozenset({TaskKind.MILESTONE}))
        milestones = list(map(plan_line, tx.diary.tasks.find(marks, limit=_MOST_TASKS)))
        due = tx.diary.tasks.find(TaskFilter(repo=repo, statuses=_ALL_OPEN), limit=_MOST_TASKS)
        edges = tx.diary.tasks.graph.dependencies([one.id for one in due])
        graph = {name: sorted(needs) for name, needs in edges.items() if needs}
    return project_file_text(() if state is None else state.notes, milestones, graph)
