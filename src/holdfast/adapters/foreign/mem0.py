"""mem0: an export is one JSON document with a list of memories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.foreign.reading import LARGEST_FILE, listed, parsed, regular, said
from holdfast.domain.choices import Origin
from holdfast.domain.exchange.foreign import (
    Foreign,
    FoundNotes,
    cut_note,
    kind_of,
    tags_of,
    together,
)
from holdfast.domain.memory.entry import Flaw
from holdfast.domain.moments import moment_of
from holdfast.domain.refusals import NothingToImportError, UnreadableSourceError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from holdfast.adapters.foreign.reading import ImportSource

_LISTS = ("results", "memories", "data", "items")
_WORDS = ("memory", "text", "content", "data")


class Mem0Export:
    """Reads the given JSON files."""

    def __init__(self, import_source: ImportSource, paths: Sequence[Path]) -> None:
        self._whence = import_source
        self._paths = paths

    def read(self) -> FoundNotes:
        """Return every memory of the exports."""
        if not self._paths:
            raise NothingToImportError(what="mem0", looked="the file of an export")
        return together(self._export(path) for path in self._paths)

    def _export(self, path: Path) -> FoundNotes:
        shown, notes, flaws = self._whence.shown(path), list[Foreign](), list[Flaw]()
        for number, row in enumerate(_rows(path, shown), start=1):
            claim = said(row, *_WORDS) if isinstance(row, dict) else ""
            if not isinstance(row, dict) or not claim:
                problem = f"Memory {number} of the list has no text."
                flaws.append(Flaw(path=shown, line=0, problem=problem))
                continue
            metadata = row.get("metadata")
            held: dict[str, object] = metadata if isinstance(metadata, dict) else {}
            categories = listed(row.get("categories") or held.get("categories"))
            notes.append(
                Foreign(
                    claim=cut_note(claim),
                    kind=kind_of(said(held, "type", "category") or "".join(categories[:1])),
                    source=self._whence.source(path),
                    place=f"{shown}#{row.get('id') or number}",
                    origin=Origin.AGENT,
                    tags=tags_of("mem0", *categories),
                    created_at=moment_of(row.get("updated_at") or row.get("created_at")),
                )
            )
        return FoundNotes(notes=tuple(notes), flaws=tuple(flaws))


def _rows(path: Path, shown: str) -> list[object]:
    if not regular(path):
        raise UnreadableSourceError(shown, "it is no file, or a link to one.")
    try:
        size = path.stat().st_size
        raw = path.read_bytes() if size <= LARGEST_FILE else b""
    except OSError as error:
        raise UnreadableSourceError(shown, f"{error.strerror}.") from error
    if size > LARGEST_FILE:
        raise UnreadableSourceError(
            shown, f"it has {size:,} bytes; at most {LARGEST_FILE:,} are read. Export it in parts."
        )
    value = parsed(raw)
    if isinstance(value, dict):
        value = next((value[name] for name in _LISTS if isinstance(value.get(name), list)), None)
    if not isinstance(value, list):
        raise UnreadableSourceError(shown, "it is no JSON list of memories.")
    return value
