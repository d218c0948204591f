"""The code index and the history index of the repository around a folder.

Find places outside the store that may contain the text of a memory.
"""

from __future__ import annotations

import hashlib
import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.adapters.code.index.background import BackgroundReader, changes
from holdfast.adapters.code.index.derived import no_watch
from holdfast.adapters.code.index.files import WorkingTree
from holdfast.adapters.code.index.index import GitCodeIndex
from holdfast.adapters.git.reading.light import BOOK_FILE
from holdfast.adapters.git.reading.recognition import repository_id
from holdfast.adapters.git.reading.repository import Repository, ask_git, find_repository
from holdfast.adapters.machine.settings import data_folder
from holdfast.domain.lookup_errors import NoHistoryError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from holdfast.adapters.code.history.commits import CommitIndex
    from holdfast.adapters.code.index.index import Watch
    from holdfast.adapters.code.index.meaning import SymbolVectors
    from holdfast.bootstrap.plugs.addresses import ServerPlace
    from holdfast.ports.pages.files import Traces
    from holdfast.ports.recall.models import Embedder


__all__ = ["changes", "checkout", "code_index", "history_index", "no_watch"]

_MOST_WORKERS = 4
_NO_CODE = "there is no code to read"


def code_index(
    *,
    home: Path | None = None,
    folder: Path,
    is_program: bool = False,
    watch: Watch = no_watch,
    reads_on: bool = False,
    model: Callable[[], Embedder | None] | None = None,
) -> GitCodeIndex:
    """Return the code index of the repository around a folder; nothing is opened yet.

    Holdfast's own program may start itself again, to read with every core and to survive a crash of
    a parser. Another program that uses Holdfast as a library must not be started a second time. A
    server continues in the background with the files that a question had no time for. ``model``
    returns an embedding model on this machine, with which code is found by meaning.
    """
    workers = min(_MOST_WORKERS, os.cpu_count() or 1) if is_program else 0
    find = partial(checkout, home=home, folder=folder)

    def make(read_on: BackgroundReader | None = None, watch: Watch = no_watch) -> GitCodeIndex:
        meaning = None if model is None else _meaning(home, folder, model)
        return GitCodeIndex(find, workers=workers, watch=watch, read_on=read_on, meaning=meaning)

    return make(BackgroundReader(make) if reads_on else None, watch)


def _meaning(
    home: Path | None, folder: Path, model: Callable[[], Embedder | None]
) -> SymbolVectors:
    from holdfast.adapters.code.index.meaning import SymbolVectors

    return SymbolVectors(lambda: _database(_repository(folder), home, "-meaning"), model)


def history_index(
    *,
    home: Path | None = None,
    folder: Path,
    model: Callable[[], Embedder | None] | None = None,
) -> CommitIndex:
    """Return the index of the commits of the repository around a folder; nothing is opened yet.

    ``model`` returns an embedding model on this machine, which orders the best commits.
    """
    from holdfast.adapters.code.history.commits import CommitIndex
    from holdfast.adapters.git.reading.log import GitLog

    return CommitIndex(
        GitLog(folder), lambda: _database(_repository(folder), home, "-history"), model
    )


def checkout(*, home: Path | None = None, folder: Path) -> WorkingTree:
    """Return the working tree around a folder.

    Raises:
        NoHistoryError: There is no repository.
    """
    repository = _repository(folder)
    return WorkingTree(
        root=repository.root,
        ask=partial(ask_git, repository),
        database=_database(repository, home),
    )


def _repository(folder: Path) -> Repository:
    repository = find_repository(Path(os.path.realpath(folder)))
    if repository is None:
        raise NoHistoryError(_NO_CODE)
    return repository


def _database(repository: Repository, home: Path | None, suffix: str = "") -> Path:
    """Return the path of an index.

    Two worktrees of one repository have different files and commits, so each has its own index.
    """
    data = home or data_folder()
    name = repository_id(repository, cache=data / BOOK_FILE)
    return index_folder(data) / f"{name}-{tree_name(repository.root)}{suffix}.db"


def index_folder(home: Path) -> Path:
    """Return the folder of the indexes."""
    return home / "cache" / "code"


def tree_name(root: Path) -> str:
    """Return the part of an index's file name that identifies a working tree."""
    return hashlib.sha256(os.fsencode(root)).hexdigest()[:12]


LOST_PLACES = (
    "The list of clones with pages is damaged, so other clones were not searched. Run 'holdfast"
    " sync' in each of them; that removes the text there, and writes the list anew."
)
LOST_FILES = (
    "The list of exports and other written files is damaged, so they were not searched. Delete the"
    " ones that hold the text."
)


def traces_of(
    repo: str | None, *, home: Path, folder: Path, at: ServerPlace | None = None
) -> Sequence[Traces]:
    """Return the places in every clone where the text of a memory may have been written.

    The clones are the repository around the folder, and every place on this machine where pages of
    the memory's repository were synced, with all their worktrees.
    """
    from holdfast.adapters.code.index.database import IndexTraces
    from holdfast.adapters.embedding.kept_scores import ScoreTraces
    from holdfast.adapters.embedding.network.kept import CacheTraces
    from holdfast.adapters.files.pages import HOME
    from holdfast.adapters.files.traces import FileTraces
    from holdfast.adapters.git.pages.page_history import HistoryTraces, worktrees
    from holdfast.adapters.git.pages.pages import GitVersions
    from holdfast.adapters.machine.trust import PLACES_FILE, PagePlaces
    from holdfast.adapters.machine.written_files import (
        WRITTEN_FILE,
        HomeTraces,
        LostLists,
        WrittenFiles,
    )
    from holdfast.bootstrap.plugs.addresses import state_folder_name
    from holdfast.bootstrap.plugs.spaces import store_name

    found: list[Traces] = []
    kept = Path(state_folder_name(str(home), at))
    places = dict.fromkeys([Path(os.path.realpath(folder)), *PagePlaces(kept).of(repo)])
    repositories = {one.root: one for one in map(find_repository, places) if one is not None}
    here = next(iter(repositories), None)
    for repository in list(repositories.values()):
        repositories |= {one.root: one for one in worktrees(repository)}
    histories: set[Path] = set()
    for root, repository in repositories.items():
        shown = "" if root == here else f"{root}/"
        state = GitVersions(repository).state_folder()
        found.append(FileTraces(root, state, store=store_name(home, at), shown=shown))
        if repository.common_dir not in histories:
            found.append(HistoryTraces(repository, HOME, shown=shown))
        histories.add(repository.common_dir)
    indexes = [f"{repo}-*.db"] if repo is not None else []
    indexes += [f"*-{tree_name(root)}*.db" for root in repositories]
    return [
        *found,
        IndexTraces(index_folder(home), indexes),
        CacheTraces(home),
        ScoreTraces(home),
        WrittenFiles(kept),
        *(HomeTraces(one) for one in dict.fromkeys([home, kept])),
        LostLists({kept / PLACES_FILE: LOST_PLACES, kept / WRITTEN_FILE: LOST_FILES}),
    ]


def note_written(path: Path, *, home: Path | None = None) -> None:
    """Record a file that a person had written, so that forgetting can name it."""
    from holdfast.adapters.machine.written_files import WrittenFiles
    from holdfast.bootstrap.plugs.addresses import state_folder_name

    WrittenFiles(Path(state_folder_name("" if home is None else str(home)))).note(path)
