"""The pages of the repository around a folder, connected to an open memory.

Regenerate the pages that were made from the store, after something was forgotten.
"""

from __future__ import annotations

import os
import re
from contextlib import contextmanager
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.adapters.disk.atomic_files import read_plain
from holdfast.adapters.git.reading.repository import find_repository
from holdfast.bootstrap.plugs.addresses import state_folder_name
from holdfast.bootstrap.plugs.own_program import OWN_PROGRAM
from holdfast.bootstrap.plugs.spaces import store_name
from holdfast.domain.refusals import PageLeftError, PagesNeedRepositoryError
from holdfast.domain.review.traces import GoneText, Reach, Trace

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence

    from holdfast.adapters.git.pages.pages import GitVersions
    from holdfast.adapters.git.reading.repository import Repository
    from holdfast.app import Holdfast
    from holdfast.app.filing import Filing
    from holdfast.app.work.runs import RunsPart
    from holdfast.ports.pages.files import Notebook
    from holdfast.usecases.memory.forget import Forgotten


__all__ = [
    "count_pages",
    "filing",
    "keeps_pages",
    "merge_file",
    "open_notebook",
    "set_up_merging",
    "set_up_pages",
]

SYNC_LOCK = "sync.lock"


def filing(memory: Holdfast, folder: Path, home: Path | None = None) -> Filing:
    """Return the pages of the repository around a folder.

    Raises:
        PagesNeedRepositoryError: There is no repository.
    """
    from holdfast.adapters.files.clone_state import is_synced, is_synced_with_tasks
    from holdfast.adapters.files.generated_mark import BY_COMMAND
    from holdfast.adapters.files.notebook import FileNotebook
    from holdfast.adapters.files.pages import HOME, MEMORY, FileRepositorySettings, fields_of
    from holdfast.adapters.files.private_files import FilePrivateFiles
    from holdfast.adapters.files.session_files import FileSessionFiles, is_synced_with_files
    from holdfast.adapters.files.task_pages import FOLDER, FileTaskPages, task_fields_of
    from holdfast.adapters.git.clone import GitClone
    from holdfast.adapters.git.other_commits import OtherCommits
    from holdfast.adapters.git.pages.pages import GitVersions
    from holdfast.adapters.machine.trust import TRUST_FILE, TrustFile
    from holdfast.app.filing import Filing

    repository = _repository(folder)
    versions = GitVersions(repository)
    elsewhere = versions.other_state_folders
    kept = Path(state_folder_name("" if home is None else str(home)))
    own_clone = GitClone(
        repository,
        MEMORY,
        is_synced=partial(_anywhere, is_synced, versions),
        fields=fields_of,
    )
    others = OtherCommits(repository, HOME)
    store = store_name(home)
    files = FileSessionFiles(repository.root, versions, store=store)
    return Filing(
        memory=memory,
        notebook=FileNotebook(
            repository.root, versions, store=store, others=others, elsewhere=elsewhere
        ),
        book=TrustFile(kept / TRUST_FILE),
        clone=str(repository.root),
        settings=FileRepositorySettings(repository.root),
        turn=partial(_turn, memory, repository, kept),
        own_clone=own_clone,
        task_clone=GitClone(
            repository,
            FOLDER,
            is_synced=partial(_anywhere, is_synced_with_tasks, versions),
            fields=task_fields_of,
        ),
        task_pages=FileTaskPages(repository.root, versions, store=store, elsewhere=elsewhere),
        session_files=files,
        private_files=FilePrivateFiles(repository.root, versions, agreed=files.agreed),
        session_clone=GitClone(
            repository, HOME, is_synced=partial(_anywhere, is_synced_with_files, versions)
        ),
        deciding=BY_COMMAND,
    )


def _anywhere(is_synced: Callable[[Path], bool], versions: GitVersions) -> bool:
    """Return whether any working tree of a clone was synced."""
    return any(map(is_synced, (versions.state_folder(), *versions.other_state_folders())))


@contextmanager
def _turn(memory: Holdfast, repository: Repository, kept: Path) -> Generator[None, None, None]:
    """Hold the lock of a clone's sync, and record where its pages are."""
    from holdfast.adapters.files.disk import held_lock
    from holdfast.adapters.git.pages.pages import GitVersions
    from holdfast.adapters.machine.trust import PagePlaces

    with held_lock(GitVersions(repository).state_folder() / SYNC_LOCK):
        repo = memory.surroundings.place().repo
        if repo is not None:
            PagePlaces(kept).note(repo, repository.root)
        yield


def open_notebook(folder: Path, home: Path | None = None) -> Notebook | None:
    """Return the pages of the repository around a folder; None outside a repository."""
    from holdfast.adapters.files.notebook import FileNotebook
    from holdfast.adapters.git.pages.pages import GitVersions

    repository = find_repository(Path(os.path.realpath(folder)))
    if repository is None:
        return None
    versions = GitVersions(repository)
    return FileNotebook(
        repository.root,
        versions,
        store=store_name(home),
        elsewhere=versions.other_state_folders,
    )


def keeps_pages(folder: Path) -> bool:
    """Return whether the repository around a folder has pages, without reading any."""
    from holdfast.adapters.disk import page_files

    repository = find_repository(Path(os.path.realpath(folder)))
    if repository is None:
        return False
    return page_files.keeps_pages(repository.root)


def count_pages(folder: Path) -> int:
    """Return how many pages of memories and tasks the repository around a folder has."""
    if not keeps_pages(folder):
        return 0
    from holdfast.adapters.files.pages import find_pages
    from holdfast.adapters.files.task_pages import FileTaskPages
    from holdfast.adapters.git.pages.pages import GitVersions

    repository = _repository(folder)
    tasks = FileTaskPages(repository.root, GitVersions(repository)).read().entries
    return len(find_pages(repository.root).contents) + len(tasks)


def set_up_pages(folder: Path, home: Path | None = None) -> Sequence[str]:
    """Create the folder of pages and set up git's merge driver; return what was changed.

    Raises:
        PagesNeedRepositoryError: There is no repository to keep them in.
    """
    from holdfast.adapters.files.layout import lay_out
    from holdfast.adapters.files.pages import MEMORY
    from holdfast.adapters.files.task_pages import FOLDER

    root = _repository(folder).root
    had_tasks = os.path.lexists(root / FOLDER)
    made = lay_out(root)
    notebook = open_notebook(folder, home)
    if f"{MEMORY}/" in made and notebook is not None and not had_tasks:
        # New pages count as synced: later edits of them are this person's own.
        notebook.set_bases(notebook.bases())
    return [*made, *set_up_merging(folder)]


def set_up_merging(folder: Path) -> Sequence[str]:
    """Set up the git of this clone to merge pages entry by entry; return what was changed."""
    from holdfast.adapters.git.pages.pages import DRIVER, set_merge_driver

    repository = _repository(folder)
    return [f"merge.{DRIVER}"] if set_merge_driver(repository, OWN_PROGRAM) else []


def merge_file(base: Path, ours: Path, theirs: Path) -> Sequence[str]:
    """Merge two versions of a page into ours; return the entries that a person must decide.

    Raises:
        OSError: One of the files cannot be read or written; ours is unchanged.
    """
    from holdfast.adapters.files.merging import Merged, merge_pages
    from holdfast.adapters.files.task_pages import merged as merged_task
    from holdfast.domain.sessions.session_file import merged_state

    before, mine, others = (read_plain(path, follows_link=True) for path in (base, ours, theirs))
    versions = before, mine, others
    whole = merged_task(*versions) or merged_state(*versions)
    merged = merge_pages(*versions) if whole is None else Merged(content=whole)
    ours.write_bytes(merged.content)
    return merged.conflicts


def _repository(folder: Path) -> Repository:
    repository = find_repository(Path(os.path.realpath(folder)))
    if repository is None:
        raise PagesNeedRepositoryError
    return repository


_ACTIVE = ".holdfast/context/active.md"
_JOURNAL = re.compile(r"\.holdfast/journal/([0-9]{4}-[0-9]{2}-[0-9]{2})\.md")
_RUN = re.compile(r"\.holdfast/runs/([A-Za-z0-9-]+)/summary\.md")
_OWN_WORDS = "A run or a question that the store keeps says it in its own words."


def make_again(
    memory: Holdfast, gone: Sequence[Forgotten], *, folder: Path, by: str
) -> tuple[Trace, ...]:
    """Rewrite the pages that were made from the store, without the forgotten text.

    Return the pages that still contain the text, because a run or a question has it in its own
    words.
    """
    memory.page_writer.write(by=by)
    runs = memory.runs
    removed = dict.fromkeys(trace.place for one in gone for trace in one.traces)
    written = [path for path in removed if _is_made_again(runs, path)]
    repository = find_repository(Path(os.path.realpath(folder)))
    if repository is None:
        return ()
    texts = [GoneText(memory=one.record.memory.id, claim=one.record.memory.claim) for one in gone]
    return tuple(
        Trace(place=path, reach=Reach.LEFT, advice=_OWN_WORDS)
        for path in written
        if _holds_any(repository.root / path, texts)
    )


def _is_made_again(runs: RunsPart, path: str) -> bool:
    """Rewrite one generated page; return whether a generated page of this clone is there."""
    try:
        return _made_again(runs, path) is not None
    except PageLeftError:
        return True


def _made_again(runs: RunsPart, path: str) -> str | None:
    """Rewrite one generated page; None if the path is no generated page of this clone."""
    if path == _ACTIVE:
        latest = runs.latest(limit=1)
        is_open = bool(latest) and latest[0].finished_at is None
        return runs.write_context(runs.context(latest[0].goal if is_open else ""))
    if day := _JOURNAL.fullmatch(path):
        return runs.write_journal(date.fromisoformat(day[1]))
    if run := _RUN.fullmatch(path):
        return runs.write_page(runs.show(run[1]))
    return None


def _holds_any(path: Path, texts: Sequence[GoneText]) -> bool:
    try:
        content = read_plain(path, follows_link=True).decode("utf-8", "replace")
    except OSError:
        return False
    return any(text.is_in(content) for text in texts)
