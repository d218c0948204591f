"""Checks spans of files outside every repository, by their absolute paths."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.adapters.git.reading.reading import NotThereError, read_content, text_lines
from holdfast.domain.errors import EvidenceUnreadableError
from holdfast.domain.memory.anchor import FoundLines, Sighting, Verdict, text_hash

if TYPE_CHECKING:
    from collections.abc import Iterable

    from holdfast.domain.ids import SpanId
    from holdfast.domain.memory.evidence import Span

_ROOT = Path("/")
_NO_PLACE = "it was read outside any repository, and nobody noted where"


def examined(spans: Iterable[Span]) -> dict[SpanId, Sighting]:
    """Return the verdicts on spans outside repositories; every file is read once."""
    read: dict[str, list[str] | Sighting] = {}
    found: dict[SpanId, Sighting] = {}
    for span in spans:
        if span.path not in read:
            read[span.path] = _lines(span.path)
        lines = read[span.path]
        found[span.id] = lines if isinstance(lines, Sighting) else _sighted(span, lines)
    return found


def _lines(path: str) -> list[str] | Sighting:
    """Return the current lines of a file, or why they cannot be read."""
    if not path.startswith("/"):
        return _unknown(_NO_PLACE)
    try:
        content = read_content(_ROOT, Path(path).relative_to(_ROOT))
        return text_lines(content, path)
    except NotThereError:
        return _unknown("that file is not on this machine, or not any more")
    except EvidenceUnreadableError as error:
        return _unknown(str(error))


def _sighted(span: Span, lines: list[str]) -> Sighting:
    size = span.last - span.first + 1
    starts = [
        first
        for first in range(1, len(lines) - size + 2)
        if text_hash(lines[first - 1 : first - 1 + size]) == span.text_hash
    ]
    if span.first in starts:
        starts = [span.first]
    places = tuple(FoundLines(path=span.path, first=one, last=one + size - 1) for one in starts)
    if len(starts) != 1:
        how = f"its text stands {len(starts)} times in the file" if starts else "its lines changed"
        return Sighting(verdict=Verdict.DRIFTED, how=how)
    verdict = Verdict.FRESH if starts == [span.first] else Verdict.MOVED
    return Sighting(verdict=verdict, places=places)


def _unknown(how: str) -> Sighting:
    return Sighting(verdict=Verdict.UNVERIFIABLE, how=how)
