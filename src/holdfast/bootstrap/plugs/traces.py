"""Find places outside the store that may contain the text of a memory."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.adapters.git.reading.repository import find_repository

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.ports.pages.traces import Traces


def traces_of(repo: str | None, *, home: Path, folder: Path) -> Sequence[Traces]:
    """Return the places in every clone where the text of a memory may have been written.

    The clones are the repository around the folder, and every place on this machine where pages of
    the memory's repository were synced, with all their worktrees.
    """
    from holdfast.adapters.code.index.traces import IndexTraces
    from holdfast.adapters.files.pages import HOME
    from holdfast.adapters.files.traces import FileTraces
    from holdfast.adapters.git.pages.page_history import HistoryTraces, worktrees
    from holdfast.adapters.git.pages.pages import GitVersions
    from holdfast.adapters.machine.leftovers import HomeTraces
    from holdfast.adapters.machine.page_places import PagePlaces
    from holdfast.adapters.machine.written_files import WrittenFiles
    from holdfast.bootstrap.plugs.code import index_folder, tree_name
    from holdfast.bootstrap.plugs.spaces import store_name

    found: list[Traces] = []
    places = dict.fromkeys([Path(os.path.realpath(folder)), *PagePlaces(home).of(repo)])
    repositories = {one.root: one for one in map(find_repository, places) if one is not None}
    here = next(iter(repositories), None)
    for repository in list(repositories.values()):
        repositories |= {one.root: one for one in worktrees(repository)}
    histories: set[Path] = set()
    for root, repository in repositories.items():
        shown = "" if root == here else f"{root}/"
        state = GitVersions(repository).state_folder()
        found.append(FileTraces(root, state, store=store_name(home), shown=shown))
        if repository.common_dir not in histories:
            found.append(HistoryTraces(repository, HOME, shown=shown))
        histories.add(repository.common_dir)
    indexes = [f"{repo}-*.db"] if repo is not None else []
    indexes += [f"*-{tree_name(root)}*.db" for root in repositories]
    return [*found, IndexTraces(index_folder(home), indexes), WrittenFiles(home), HomeTraces(home)]


def note_written(path: Path, *, home: Path | None = None) -> None:
    """Record a file that a person had written, so that forgetting can name it."""
    from holdfast.adapters.machine.settings import data_folder
    from holdfast.adapters.machine.written_files import WrittenFiles

    WrittenFiles(home or data_folder()).note(path)
