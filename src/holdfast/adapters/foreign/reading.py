"""Finds and reads files of notes without following a link out of their folder."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.domain.choices import Origin
from holdfast.domain.exchange.foreign import Foreign
from holdfast.domain.memory.entry import Flaw
from holdfast.domain.refusals import NothingToImportError
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import BinaryIO

    from holdfast.domain.choices import Kind

LARGEST_FILE = 5_000_000
LARGEST_LINES = 256_000_000
LONGEST_LINE = 1_000_000
_MOST_FILES = 5_000
_MISSING = "There is no such file."
_NO_FILE = "It is a link or no file; it was not read."
_SKIPPED = frozenset({".git", "node_modules", ".venv", "venv", "__pycache__", "dist", "build"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportSource:
    """The source of an import, the current folder, its project, and the person's home."""

    what: str
    folder: Path
    root: Path
    person: Path

    def is_here(self, path: Path) -> bool:
        """Return whether a file is in the project."""
        return path.is_relative_to(self.root)

    def shown(self, path: Path) -> str:
        """Return a file's path for people: relative to the current folder, or below ``~``."""
        if self.is_here(path):
            return os.path.relpath(path, self.folder)
        if path.is_relative_to(self.person):
            return f"~/{path.relative_to(self.person)}"
        return str(path)

    def place(self, path: Path, first: int, last: int = 0) -> str:
        """Return a range of lines in a file as a reference."""
        lines = f"{first}-{last}" if last > first else f"{first}"
        return f"{self.shown(path)}:{lines}"

    def source(self, path: Path) -> str:
        """Return the import name that a memory from this file gets."""
        inside = self.is_here(path)
        return f"import:{self.what}:{path.relative_to(self.root) if inside else self.shown(path)}"

    def nothing_in(self, places: Iterable[Path]) -> NothingToImportError:
        """Return the error that lists the places that were searched in vain."""
        looked = ", ".join(self.shown(place) for place in places)
        return NothingToImportError(what=self.what, looked=looked)

    def note(self, path: Path, *, claim: str, kind: Kind, at: tuple[int, int]) -> Foreign:
        """Return a claim from some lines of a file."""
        inside = self.is_here(path)
        return Foreign(
            claim=claim,
            kind=kind,
            source=self.source(path),
            place=self.place(path, *at),
            origin=Origin.REPO if inside else Origin.AGENT,
            is_here=inside,
        )


def regular(path: Path) -> bool:
    """Return whether a path is a regular file and not a symbolic link."""
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


def files_in(folder: Path, *endings: str, depth: int = 8) -> list[Path]:
    """Return the files beneath a folder with these endings, by name; no link is followed."""
    found: list[Path] = []
    start = len(folder.parts)
    for held, folders, names in os.walk(folder, followlinks=False):
        here = Path(held)
        folders[:] = sorted(
            name for name in folders if name not in _SKIPPED and not (here / name).is_symlink()
        )
        if len(here.parts) - start >= depth:
            folders[:] = []
        for name in sorted(names):
            if name.endswith(endings) and regular(here / name):
                found.append(here / name)
        if len(found) >= _MOST_FILES:
            break
    return found[:_MOST_FILES]


def files_of(places: Iterable[Path], *endings: str) -> list[Path]:
    """Return the given files, and the files with these endings beneath the given folders."""
    return [
        path
        for place in places
        for path in (files_in(place, *endings) if place.is_dir() else [place])
    ]


def read_text(path: Path, *, shown: str, flaws: list[Flaw]) -> str:
    """Return the text of a file, at most its first five megabytes; problems become flaws."""
    if not regular(path):
        is_missing = not (path.is_symlink() or path.exists())
        flaws.append(Flaw(path=shown, line=0, problem=_MISSING if is_missing else _NO_FILE))
        return ""
    try:
        with path.open("rb") as file:
            raw = file.read(LARGEST_FILE + 1)
    except OSError as error:
        flaws.append(Flaw(path=shown, line=0, problem=f"It cannot be read: {error.strerror}."))
        return ""
    if b"\0" in raw:
        flaws.append(Flaw(path=shown, line=0, problem="It is binary, so it was not read."))
        return ""
    text = raw[:LARGEST_FILE].decode("utf-8-sig", "replace")
    if len(raw) > LARGEST_FILE:
        text, _, _ = text.rpartition("\n")
        line = text.count("\n") + 2
        problem = f"Only the first {LARGEST_FILE:,} bytes were read."
        flaws.append(Flaw(path=shown, line=line, problem=problem))
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_objects(
    path: Path, *, shown: str, flaws: list[Flaw]
) -> Iterator[tuple[int, dict[str, object]]]:
    """Return each line that is a JSON object, with its number; the other lines are flaws."""
    try:
        with path.open("rb") as file:
            number, done = 0, 0
            while raw := file.readline(LONGEST_LINE + 1):
                number += 1
                done += len(raw)
                if done > LARGEST_LINES:
                    problem = f"Only the first {LARGEST_LINES:,} bytes were read."
                    flaws.append(Flaw(path=shown, line=number, problem=problem))
                    return
                if len(raw) > LONGEST_LINE:
                    problem = f"The line is over {LONGEST_LINE:,} bytes, so it was left out."
                    flaws.append(Flaw(path=shown, line=number, problem=problem))
                    _to_line_end(file)
                    continue
                value = parsed(raw)
                if isinstance(value, dict):
                    yield number, value
                elif raw.strip():
                    problem = "The line is not a JSON object."
                    flaws.append(Flaw(path=shown, line=number, problem=problem))
    except OSError as error:
        flaws.append(Flaw(path=shown, line=0, problem=f"It cannot be read: {error.strerror}."))


def _to_line_end(file: BinaryIO) -> None:
    while (rest := file.readline(LONGEST_LINE)) and not rest.endswith(b"\n"):
        pass


def parsed(raw: bytes | str) -> object:
    """Return the parsed JSON; None if it is invalid."""
    try:
        return json.loads(raw)
    except (ValueError, RecursionError):
        return None


def said(held: dict[str, object], *names: str) -> str:
    """Return the first of some fields that is a text."""
    for name in names:
        value = held.get(name)
        if isinstance(value, str) and value.strip():
            return value.strip()
    return ""


def listed(value: object) -> list[str]:
    """Return a list of texts, also from JSON or comma-separated text."""
    if isinstance(value, str):
        inner = parsed(value) if value.lstrip().startswith("[") else None
        value = inner if isinstance(inner, list) else value.split(",")
    if not isinstance(value, list):
        return []
    return [item.strip() for item in value if isinstance(item, str) and item.strip()]
