"""The transcripts of coding tools: their writer, their folders, and their content."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.adapters.git.reading.repository import find_repository
from holdfast.adapters.transcripts.bookmarks import BookmarkFile
from holdfast.adapters.transcripts.detecting import READERS, detected
from holdfast.adapters.transcripts.json_lines import start_of
from holdfast.adapters.transcripts.shelves import shelves, transcripts_in
from holdfast.bootstrap.plugs.addresses import state_folder_name
from holdfast.domain.errors import UnknownChoiceError
from holdfast.domain.refusals import NothingToImportError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.sessions.transcript import Transcript
    from holdfast.ports.sessions.transcripts import TranscriptReader

TOOLS = tuple(READERS)
BOOKMARKS_FILE = "imported.json"
_START = 128 * 1024


def reader(tool: str) -> TranscriptReader:
    """Return the reader of a tool's transcripts.

    Raises:
        UnknownChoiceError: The tool is unknown; the message lists the known ones.
    """
    if tool not in READERS:
        raise UnknownChoiceError(what="tool", value=tool, choices=TOOLS)
    return READERS[tool]()


def read_transcript(tool: str, path: Path) -> Transcript:
    """Return the newest conversation in a transcript.

    Raises:
        UnknownChoiceError: The tool is unknown.
        UnreadableSourceError: It cannot be opened, or is not a transcript of that tool.
    """
    return reader(tool).read(str(path))


def detect_tool(path: Path) -> str | None:
    """Return the tool that wrote a file; None if it is unknown."""
    return detected(str(path))


def bookmarks(home: Path | None = None) -> BookmarkFile:
    """Return the bookmarks: how far each transcript of a person was read."""
    kept = state_folder_name("" if home is None else str(home))
    return BookmarkFile(Path(kept) / BOOKMARKS_FILE)


def project_root(folder: Path) -> Path:
    """Return the folder whose conversations belong to this project."""
    repository = find_repository(folder)
    return folder if repository is None else repository.root


def find_transcripts(
    tool: str, paths: Sequence[Path], *, folder: Path, is_everywhere: bool = False
) -> tuple[str, ...]:
    """Return the transcripts of a tool: the named ones, or those of this project.

    ``is_everywhere`` skips the check of the project, for a caller who knows the session.

    Raises:
        NothingToImportError: There are none.
    """
    root = Path(os.path.realpath(project_root(folder)))
    places = list(paths) or shelves(
        tool, person=Path.home(), root=root, is_everywhere=is_everywhere
    )
    found = [path for place in places for path in transcripts_in(place, tool)]
    needle = b"" if paths or is_everywhere else _needle(tool, root)
    if needle:
        found = [path for path in found if needle in start_of(path, size=_START)]
    if not found:
        looked = ", ".join(str(place) for place in places[:3])
        raise NothingToImportError(what=f"transcripts {tool}", looked=looked)
    return tuple(dict.fromkeys(found))


def _needle(tool: str, root: Path) -> bytes:
    """Return the bytes that identify a transcript of this project; empty if the tool has none.

    They are in the first bytes of the file. A tool may keep thousands of files in one folder, so
    only the start of each is read.
    """
    match tool:
        case "codex" | "copilot":
            return json.dumps(str(root)).encode()[:-1]
        case "gemini":
            return hashlib.sha256(str(root).encode()).hexdigest().encode()
        case _:
            return b""
