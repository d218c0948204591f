"""The code index and the history index of the repository around a folder."""

from __future__ import annotations

import hashlib
import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.adapters.code.index.derived import no_watch
from holdfast.adapters.code.index.files import WorkingTree
from holdfast.adapters.code.index.index import GitCodeIndex
from holdfast.adapters.code.index.read_on import BackgroundReader
from holdfast.adapters.code.index.watch import changes
from holdfast.adapters.git.reading.light import BOOK_FILE
from holdfast.adapters.git.reading.repository import (
    Repository,
    ask_git,
    find_repository,
    repository_id,
)
from holdfast.adapters.machine.settings import data_folder
from holdfast.domain.lookup_errors import NoHistoryError

if TYPE_CHECKING:
    from holdfast.adapters.code.history.commits import CommitIndex
    from holdfast.adapters.code.index.index import Watch

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
) -> GitCodeIndex:
    """Return the code index of the repository around a folder; nothing is opened yet.

    Holdfast's own program may start itself again, to read with every core and to survive a crash of
    a parser. Another program that uses Holdfast as a library must not be started a second time. A
    server continues in the background with the files that a question had no time for.
    """
    workers = min(_MOST_WORKERS, os.cpu_count() or 1) if is_program else 0
    find = partial(checkout, home=home, folder=folder)
    read_on = BackgroundReader(partial(GitCodeIndex, find, workers=workers)) if reads_on else None
    return GitCodeIndex(find, workers=workers, watch=watch, read_on=read_on)


def history_index(*, home: Path | None = None, folder: Path) -> CommitIndex:
    """Return the index of the commits of the repository around a folder; nothing is opened yet."""
    from holdfast.adapters.code.history.commits import CommitIndex
    from holdfast.adapters.git.reading.log import GitLog

    return CommitIndex(GitLog(folder), lambda: _database(_repository(folder), home, "-history"))


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
