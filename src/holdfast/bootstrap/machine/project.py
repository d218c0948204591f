"""The files of a project: pages, transcripts of tools, and other tools' notes.

Suggest a first claim from files of the repository around a folder.

Other tools' notes and memories that can be imported, by name.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.adapters.git.reading.reading import read_content, text_lines
from holdfast.adapters.git.reading.repository import ask_git, find_repository
from holdfast.app.performing import performs
from holdfast.bootstrap.machine.parts import MachinePart
from holdfast.bootstrap.sessions.transcripts import project_root
from holdfast.domain.errors import EvidenceUnreadableError
from holdfast.domain.exchange.files_to_read import reading_order
from holdfast.domain.exchange.first_claim import first_claim
from holdfast.domain.memory.callers import Operation
from holdfast.domain.values import replace
from holdfast.heuristics.english import ENGLISH

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from holdfast.adapters.foreign.reading import ImportSource
    from holdfast.adapters.git.reading.repository import Repository
    from holdfast.domain.exchange.first_claim import FirstClaim
    from holdfast.domain.review.curation import HealthFinding
    from holdfast.ports.foreign import ForeignNotes

    Reader = Callable[[ImportSource, Sequence[Path]], ForeignNotes]


class ProjectFiles(MachinePart):
    """The repository around the folder, without an open store."""

    @performs(Operation.READ)
    def root(self) -> Path:
        """Return the root of the repository; outside a repository, the folder."""
        return project_root(self._machine.folder)

    @performs(Operation.READ)
    def keeps_pages(self) -> bool:
        """Return whether the repository has pages, without reading any."""
        from holdfast.bootstrap.pages.filing import keeps_pages

        return keeps_pages(self._machine.folder)

    @performs(Operation.READ)
    def count_pages(self) -> int:
        """Return how many pages the repository has."""
        from holdfast.bootstrap.pages.filing import count_pages

        return count_pages(self._machine.folder)

    @performs(Operation.READ)
    def ignored_pages(self) -> HealthFinding | None:
        """Return which pages git ignores, and what to do; None if it ignores none."""
        from holdfast.adapters.git.pages.ignored_pages import ignored_pages

        return ignored_pages(Path(os.path.realpath(self._machine.folder)))

    @performs(Operation.CONFIGURE)
    def set_up_pages(self) -> Sequence[str]:
        """Create the folder of pages and set up git's merge driver; return the changes."""
        from holdfast.bootstrap.pages.filing import set_up_pages

        return set_up_pages(self._machine.folder, self._machine.home)

    @performs(Operation.MAINTAIN)
    def set_up_merging(self) -> Sequence[str]:
        """Set up git to merge pages entry by entry; return the changes."""
        from holdfast.bootstrap.pages.filing import set_up_merging

        return set_up_merging(self._machine.folder)

    @performs(Operation.MAINTAIN)
    def merge_file(self, base: Path, ours: Path, theirs: Path) -> Sequence[str]:
        """Merge two versions of a page into ours; return the entries that a person must decide."""
        from holdfast.bootstrap.pages.filing import merge_file

        return merge_file(base, ours, theirs)

    @performs(Operation.READ)
    def first_step(self) -> FirstClaim | None:
        """Return a claim from a file of the repository, as a first example."""
        return first_step(self._machine.folder)

    @performs(Operation.READ)
    def run_page(self, label: str) -> Path | None:
        """Return the page with the summary of a run; None if there is none."""
        from holdfast.bootstrap.sessions.intake import run_page_of

        return run_page_of(label, self._machine.folder)


__all__ = ["first_step"]

_TRACKED = ("ls-files", "-z", "--cached")
_UNTRACKED = ("ls-files", "-z", "--others", "--exclude-standard")


def first_step(folder: Path) -> FirstClaim | None:
    """Return a claim from a tracked file; without any, from a file that git does not ignore."""
    here = Path(os.path.realpath(folder))
    repository = find_repository(here)
    if repository is None:
        return None
    order = reading_order(_paths(repository, _TRACKED) or _paths(repository, _UNTRACKED))
    found = first_claim(_files(repository, order), objection=ENGLISH.objector.objection)
    if found is None:
        return None
    return replace(found, path=os.path.relpath(repository.root / found.path, here))


def _paths(repository: Repository, words: Sequence[str]) -> list[str]:
    status, listed, _ = ask_git(repository, *words)
    return listed.split("\0")[:-1] if status == 0 else []


def _files(repository: Repository, paths: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    for path in paths:
        with suppress(EvidenceUnreadableError):
            content = read_content(repository.root, Path(path))
            yield path, text_lines(content, path)
