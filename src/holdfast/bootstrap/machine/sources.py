"""The sources of candidates: other tools' notes and transcripts."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.app.performing import performs
from holdfast.bootstrap.machine.parts import MachinePart
from holdfast.bootstrap.sessions.transcripts import project_root
from holdfast.domain.errors import UnknownChoiceError
from holdfast.domain.memory.callers import Operation

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from holdfast.adapters.foreign.reading import ImportSource
    from holdfast.adapters.transcripts.bookmarks import BookmarkFile
    from holdfast.app import Holdfast
    from holdfast.domain.exchange.foreign import FoundNotes
    from holdfast.domain.sessions.transcript import Transcript
    from holdfast.ports.foreign import ForeignNotes
    from holdfast.ports.sessions.transcripts import TranscriptReader
    from holdfast.usecases.sessions.propose import Proposed

    Reader = Callable[[ImportSource, Sequence[Path]], ForeignNotes]


class Sources(MachinePart):
    """The sources of candidates: other tools' notes and transcripts."""

    @performs(Operation.READ)
    def notes(self, what: str, paths: Sequence[Path], *, is_everywhere: bool = False) -> FoundNotes:
        """Return a reader of other tools' notes: of the named files, or of the usual places."""
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
    def propose_session(self, said: tuple[str, str, str], *, holdfast: Holdfast) -> Proposed:
        """Propose from a tool, its session and its transcript."""
        from holdfast.bootstrap.hooks.attending import propose_from

        machine = self._machine
        return propose_from(said, memory=holdfast, folder=machine.folder, home=machine.home)

    @performs(Operation.RECORD)
    def keep_session(self, session: str, *, last_prompt: int | None, holdfast: Holdfast) -> int:
        """Store the turns that hooks noted of a tool's session; return how many there were.

        If the tool ended it, ``last_prompt`` is the number of its last prompt.
        """
        from holdfast.bootstrap.hooks.turns import end_kept, keep_pending

        home = self._machine.home
        count = keep_pending(session, memory=holdfast, home=home)
        if last_prompt is not None:
            end_kept(session, last_prompt, memory=holdfast, home=home)
        return count


SOURCES = {
    "instructions": "rules in CLAUDE.md, AGENTS.md, GEMINI.md, .cursor/rules and their like",
    "claude-memory": "what Claude Code remembers of this project by itself",
    "codex-memories": "what Codex remembers by itself",
    "basic-memory": "a folder of basic-memory's notes",
    "claude-mem": "the database of claude-mem",
    "mem0": "an export of mem0",
    "mcp-memory": "the file of the reference MCP memory server",
    "beads": "issues and notes of beads",
    "adr": "architecture decision records",
}


def foreign_notes(
    what: str, paths: Sequence[Path], *, folder: Path, is_everywhere: bool = False
) -> ForeignNotes:
    """Return a reader of one sort of notes: of the named files, or of the usual places.

    Raises:
        UnknownChoiceError: The sort is unknown; the message lists the known ones.
    """
    from holdfast.adapters.foreign.reading import ImportSource

    here = Path(os.path.realpath(folder))
    root = Path(os.path.realpath(project_root(here)))
    import_source = ImportSource(what=what, folder=here, root=root, person=Path.home())
    named = [_beneath_real(folder / path) for path in paths]
    return _reader(import_source, named, is_everywhere=is_everywhere)


def _beneath_real(path: Path) -> Path:
    """Return a path with its parent folders resolved; the last part may still be a link."""
    whole = Path(os.path.normpath(path.expanduser().absolute()))
    return Path(os.path.realpath(whole.parent)) / whole.name


def _reader(import_source: ImportSource, paths: list[Path], *, is_everywhere: bool) -> ForeignNotes:
    match import_source.what:
        case "claude-mem":
            from holdfast.adapters.foreign.claude_mem import ClaudeMem

            return ClaudeMem(import_source, paths, is_everywhere=is_everywhere)
        case "mem0" | "mcp-memory" | "beads":
            return _of_json(import_source, paths)
        case "instructions" | "adr":
            return _of_repository(import_source, paths)
        case "claude-memory" | "codex-memories" | "basic-memory":
            return _of_notes(import_source, paths)
        case _:
            raise UnknownChoiceError(what="source", value=import_source.what, choices=SOURCES)


def _of_json(import_source: ImportSource, paths: list[Path]) -> ForeignNotes:
    from holdfast.adapters.foreign.beads import Beads
    from holdfast.adapters.foreign.mcp_memory import McpMemory
    from holdfast.adapters.foreign.mem0 import Mem0Export

    readers: dict[str, Reader] = {"mem0": Mem0Export, "mcp-memory": McpMemory, "beads": Beads}
    return readers[import_source.what](import_source, paths)


def _of_repository(import_source: ImportSource, paths: list[Path]) -> ForeignNotes:
    from holdfast.adapters.foreign.decision_records import DecisionRecords
    from holdfast.adapters.foreign.instructions import Instructions

    readers: dict[str, Reader] = {"instructions": Instructions, "adr": DecisionRecords}
    return readers[import_source.what](import_source, paths)


def _of_notes(import_source: ImportSource, paths: list[Path]) -> ForeignNotes:
    from holdfast.adapters.foreign.basic_memory import BasicMemory
    from holdfast.adapters.foreign.claude_memory import ClaudeMemory
    from holdfast.adapters.foreign.codex_memories import CodexMemories

    readers: dict[str, Reader] = {
        "claude-memory": ClaudeMemory,
        "codex-memories": CodexMemories,
        "basic-memory": BasicMemory,
    }
    return readers[import_source.what](import_source, paths)
