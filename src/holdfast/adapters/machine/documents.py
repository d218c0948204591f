"""Reads the documents of a repository that people and tools read anyway."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from holdfast.adapters.disk.atomic_files import read_plain
from holdfast.domain.exchange.foreign import FOLDERS, NAMES
from holdfast.domain.text.paragraphs import paragraphs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from holdfast.domain.text.paragraphs import DocumentParagraph

_NAMED = frozenset({"contributing.md", *(name.casefold() for name in NAMES)})
_FOLDERS = ("docs", "doc", ".github", *(name for name in FOLDERS if not name.startswith(".github")))
_ENDS = (".md", ".mdc", ".rst", ".txt")
_MOST_FILES = 200
_LARGEST = 256 * 1024
_ALL_TOGETHER = 4 * 1024 * 1024


class DocumentFiles:
    """Reads the documents of one repository once.

    Links, pipes, devices and files that are too large are skipped.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._read: list[DocumentParagraph] | None = None

    def passages(self) -> Sequence[DocumentParagraph]:
        """Return the paragraphs of the documents."""
        if self._read is None:
            self._read = [one for path in self._files() for one in self._of(path)]
        return self._read

    def _files(self) -> Iterator[Path]:
        left, most = _ALL_TOGETHER, _MOST_FILES
        for path in self._pages():
            try:
                size = path.lstat().st_size
            except OSError:
                continue
            if path.is_symlink() or size > min(left, _LARGEST):
                continue
            if not most:
                return
            left, most = left - size, most - 1
            yield path

    def _pages(self) -> Iterator[Path]:
        for path in self._listed(self._root):
            name = path.name.casefold()
            if name in _NAMED or name.startswith("readme"):
                yield path
        for folder in _FOLDERS:
            for place, folders, names in os.walk(self._root / folder):
                folders.sort()
                here = self._root / os.path.relpath(place, self._root)
                yield from (here / name for name in sorted(names) if name.endswith(_ENDS))

    @staticmethod
    def _listed(folder: Path) -> list[Path]:
        try:
            return sorted(path for path in folder.iterdir() if path.is_file())
        except OSError:
            return []

    def _of(self, path: Path) -> list[DocumentParagraph]:
        try:
            text = read_plain(path).decode("utf-8", "replace")
        except OSError:
            return []
        return paragraphs(path.relative_to(self._root).as_posix(), text)
