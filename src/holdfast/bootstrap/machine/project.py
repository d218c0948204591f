"""The files of a project: pages, transcripts of tools, and other tools' notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.performing import performs
from holdfast.bootstrap.machine.parts import MachinePart
from holdfast.domain.memory.callers import Operation

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from holdfast.adapters.transcripts.bookmarks import BookmarkFile
    from holdfast.app import Holdfast
    from holdfast.domain.exchange.first_claim import FirstClaim
    from holdfast.domain.exchange.foreign import FoundNotes
    from holdfast.domain.sessions.transcript import Transcript
    from holdfast.ports.sessions.transcripts import TranscriptReader


class ProjectFiles(MachinePart):
    """The repository around the folder, without an open store."""

    @performs(Operation.READ)
    def root(self) -> Path:
        """Return the root of the repository; outside a repository, the folder."""
        from holdfast.bootstrap.sessions.transcripts import project_root

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
        from holdfast.bootstrap.machine.first_step import first_step

        return first_step(self._machine.folder)

    @performs(Operation.READ)
    def run_page(self, label: str) -> Path | None:
        """Return the page with the summary of a run; None if there is none."""
        from holdfast.bootstrap.sessions.intake import run_page_of

        return run_page_of(label, self._machine.folder)


class Sources(MachinePart):
    """The sources of candidates: other tools' notes and transcripts."""

    @performs(Operation.READ)
    def notes(self, what: str, paths: Sequence[Path], *, is_everywhere: bool = False) -> FoundNotes:
        """Return a reader of other tools' notes: of the named files, or of the usual places."""
        from holdfast.bootstrap.machine.foreign import foreign_notes

        folder = self._machine.folder
        return foreign_notes(what, paths, folder=folder, is_everywhere=is_everywhere).read()

    @performs(Operation.READ)
    def tool_of(self, path: Path) -> str | None:
        """Return the tool that wrote a transcript; None if it is unknown."""
        from holdfast.bootstrap.sessions.transcripts import detect_tool

        return detect_tool(path)

    @performs(Operation.READ)
    def transcript(self, tool: str, path: Path) -> Transcript:
        """Return the newest conversation in a transcript."""
        from holdfast.bootstrap.sessions.transcripts import read_transcript

        return read_transcript(tool, path)

    @performs(Operation.READ)
    def transcripts(self, tool: str, paths: Sequence[Path]) -> Sequence[str]:
        """Return the transcripts of a tool: the named ones, or those of this project."""
        from holdfast.bootstrap.sessions.transcripts import find_transcripts

        return find_transcripts(tool, paths, folder=self._machine.folder)

    @performs(Operation.READ)
    def reader(self, tool: str) -> TranscriptReader:
        """Return the reader of a tool's transcripts."""
        from holdfast.bootstrap.sessions.transcripts import reader

        return reader(tool)

    @performs(Operation.PROPOSE)
    def bookmarks(self) -> BookmarkFile:
        """Return the bookmarks: how far each transcript was read."""
        from holdfast.bootstrap.sessions.transcripts import bookmarks

        return bookmarks(self._machine.home)

    @performs(Operation.PROPOSE)
    def propose_session(self, said: tuple[str, str, str], *, holdfast: Holdfast) -> int:
        """Propose from a tool, its session and its transcript; return how many are new."""
        from holdfast.bootstrap.hooks.attending import propose_from

        machine = self._machine
        return propose_from(said, memory=holdfast, folder=machine.folder, home=machine.home)
