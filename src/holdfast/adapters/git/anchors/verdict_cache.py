"""Caches verdicts on spans for as long as their files hold the same bytes.

A verdict that depends on the history of a file is cached for the commit that is checked out.

The bytes are read and hashed each time. File metadata is not enough: a program that writes through
a memory map can change a file while size, times and inode stay equal.

The cache can be rebuilt: a lost or damaged file costs time, nothing else. Beside a store that is
encrypted as a whole there is no file: the verdicts stay in the memory of the process.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from holdfast.adapters.disk.json_files import read_sealed, write_sealed
from holdfast.adapters.git.reading.reading import PlainFiles, digest
from holdfast.domain.errors import OutsideUnavailableError
from holdfast.domain.memory.anchor import FoundLines, Sighting, Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from holdfast.adapters.git.reading.repository import Repository
    from holdfast.domain.memory.evidence import Span

    CachedVerdicts = dict[str, object]


_VERSION = 7
_MOST_KEPT = 20_000
_TEXT_LETTERS = 16


class Verdicts:
    """The cached verdicts on the spans of one working tree."""

    def __init__(self, cache: Path | CachedVerdicts, repository: Repository) -> None:
        self._repository = repository
        self._files = PlainFiles(repository.root)
        self._seen: dict[str, str] = {}
        if isinstance(cache, dict):
            self._file, self._kept = None, cache
        else:
            self._file = cache / _file_of(repository)
            self._kept = _read(self._file)
        self._is_changed = False

    def of(self, span: Span) -> Sighting | None:
        """Return the cached verdict on a span, if every file it depends on is unchanged."""
        kept = self._kept.get(span.id)
        if not isinstance(kept, dict) or kept.get("text") != span.text_hash[:_TEXT_LETTERS]:
            return None
        files = kept.get("files")
        if not isinstance(files, dict) or span.path not in files:
            return None
        if any(self.digest(path) != noted for path, noted in files.items()):
            return None
        if kept.get("head") not in {None, self._head}:
            return None
        return _sighting(kept.get("sighting"))

    def digest(self, path: str) -> str:
        """Return the hash of a file's current content."""
        if path not in self._seen:
            self._seen[path] = digest(self._files.held(path))
        return self._seen[path]

    @cached_property
    def _head(self) -> str | None:
        from holdfast.adapters.git.reading.refs import read_refs

        with suppress(OutsideUnavailableError):
            return read_refs(self._repository).tip("HEAD")
        return None

    def put(
        self, span: Span, sighting: Sighting, files: Mapping[str, str], *, head: str | None = None
    ) -> None:
        """Cache the verdict on a span, with the hashes of the files it depends on.

        ``head`` is the commit whose history it depends on, if it does.
        """
        # A diff contains code, which Holdfast stores in no file of its own.
        if sighting.change:
            return
        self._kept[span.id] = {
            "files": dict(files),
            "head": head,
            "sighting": _shape(sighting),
            "text": span.text_hash[:_TEXT_LETTERS],
        }
        self._is_changed = True

    def save(self) -> None:
        """Save the cache if possible; a full or read-only disk is no error."""
        if not self._is_changed or self._file is None:
            return
        latest = dict(list(self._kept.items())[-_MOST_KEPT:])
        text = json.dumps({"version": _VERSION, "verdicts": latest}, separators=(",", ":"))
        with suppress(OSError):
            write_sealed(self._file, text.encode("utf-8", "surrogatepass"), durable=False)


def _file_of(repository: Repository) -> str:
    here = f"{repository.git_dir}\0{repository.root}"
    return f"{hashlib.sha256(here.encode('utf-8', 'surrogateescape')).hexdigest()[:20]}.json"


def _read(file: Path) -> CachedVerdicts:
    try:
        kept = read_sealed(file)
    except (OSError, ValueError):
        return {}
    if not isinstance(kept, dict) or kept.get("version") != _VERSION:
        return {}
    verdicts = kept.get("verdicts")
    return verdicts if isinstance(verdicts, dict) else {}


def _shape(sighting: Sighting) -> list[object]:
    places = [[place.path, place.first, place.last] for place in sighting.places]
    return [sighting.verdict.value, places, sighting.how, list(sighting.change)]


def _sighting(shape: object) -> Sighting | None:
    """Parse a cached verdict; None if it is invalid."""
    if not isinstance(shape, list):
        return None
    try:
        verdict, places, how, change = shape
        return Sighting(
            verdict=Verdict(verdict),
            places=tuple(
                [
                    FoundLines(path=str(path), first=int(first), last=int(last))
                    for path, first, last in places
                ]
            ),
            how=str(how),
            change=tuple(map(str, change)),
        )
    except (TypeError, ValueError):
        return None
