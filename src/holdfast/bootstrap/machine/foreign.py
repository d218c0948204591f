"""Other tools' notes and memories that can be imported, by name."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.bootstrap.sessions.transcripts import project_root
from holdfast.domain.errors import UnknownChoiceError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from holdfast.adapters.foreign.reading import ImportSource
    from holdfast.ports.foreign import ForeignNotes

    Reader = Callable[[ImportSource, Sequence[Path]], ForeignNotes]

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
