"""The reference MCP memory server: JSON lines with entities and relations."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.adapters.foreign.reading import listed, read_objects, regular, said
from holdfast.domain.choices import Origin
from holdfast.domain.exchange.foreign import (
    Foreign,
    ForeignLink,
    FoundNotes,
    LeftNote,
    cut_note,
    kind_of,
    link_kind,
    tags_of,
    together,
    told_about,
)
from holdfast.domain.memory.entry import Flaw
from holdfast.domain.refusals import NothingToImportError
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.adapters.foreign.reading import ImportSource

_VARIABLE = "MEMORY_FILE_PATH"


class McpMemory:
    """Reads the server's file: the given one, or the one in its environment variable."""

    def __init__(self, import_source: ImportSource, paths: Sequence[Path]) -> None:
        self._whence = import_source
        self._paths = paths

    def read(self) -> FoundNotes:
        """Return every observation; relations link the first observations of two entities."""
        named = os.environ.get(_VARIABLE, "")
        files = list(self._paths) or ([Path(named)] if named.startswith("/") else [])
        files = [path for path in files if regular(path)]
        if not files:
            raise NothingToImportError(
                what="mcp-memory", looked=f"the file that the variable {_VARIABLE} names"
            )
        return together(self._file(path) for path in files)

    def _file(self, path: Path) -> FoundNotes:
        shown, flaws, left = self._whence.shown(path), list[Flaw](), list[LeftNote]()
        notes: dict[str, list[Foreign]] = {}
        links: dict[str, list[ForeignLink]] = {}
        for number, line in read_objects(path, shown=shown, flaws=flaws):
            place = f"{shown}:{number}"
            match line.get("type"):
                case "entity":
                    name = said(line, "name")
                    texts = listed(line.get("observations"))
                    notes.setdefault(name, []).extend(
                        self._note(path, line, text, place) for text in texts
                    )
                    if not texts:
                        why = "nothing was observed of it"
                        left.append(LeftNote(text=name, place=place, why=why))
                case "relation":
                    link = ForeignLink(
                        to=said(line, "to"), kind=link_kind(said(line, "relationType"))
                    )
                    links.setdefault(said(line, "from"), []).append(link)
                case _:
                    problem = "The line is neither an entity nor a relation."
                    flaws.append(Flaw(path=shown, line=number, problem=problem))
        every = [
            replace(note, name=name, links=tuple(links.get(name, ()))) if first else note
            for name, held in notes.items()
            for first, note in zip((True, *(False,) * len(held)), held, strict=False)
        ]
        return FoundNotes(notes=tuple(every), left=tuple(left), flaws=tuple(flaws))

    def _note(self, path: Path, line: dict[str, object], text: str, place: str) -> Foreign:
        sort = said(line, "entityType")
        return Foreign(
            claim=cut_note(told_about(said(line, "name"), text)),
            kind=kind_of(sort),
            source=self._whence.source(path),
            place=place,
            origin=Origin.AGENT,
            tags=tags_of("mcp-memory", sort),
        )
