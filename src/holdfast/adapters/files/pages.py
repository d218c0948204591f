"""Reads every page of a clone, and the settings of its repository, from disk."""

from __future__ import annotations

import os
import re
import stat
import tomllib
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from holdfast.adapters.files.disk import (
    LARGEST_PAGE,
    TOO_LARGE,
    UnreadableError,
    open_folder,
    read_file,
)
from holdfast.adapters.files.editing import has_more
from holdfast.adapters.files.entries import ReadEntry, read_piece, read_pieces
from holdfast.adapters.files.generated_mark import is_generated
from holdfast.adapters.files.page_text import PagePiece, PieceKind, cut
from holdfast.domain.memory.entry import Flaw, Pages, PlacedEntry

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from holdfast.domain.memory.entry import PageEntry

HOME = ".holdfast"
MEMORY = f"{HOME}/memory"
_ENDING = ".md"
_ESCAPE = "\\"
_UID = re.compile(r"m_[0-9a-z_]+")
_ANY_PAGE = f"{MEMORY}/facts.md"
_MOST_KNOWN = 4_096
"""How many entries of pages are remembered; 2,000 versions of 300 entries have some 2,300."""
_ODD_NAME = "The name of this file holds characters that nobody can see; give it another one."
_LINKED_FOLDER = "It is a link to a folder, and no link is followed."
_NAMES_BYTES, _PROOF_BYTES = 80, 24
"""The most bytes that a sync adds: to a new entry (id, uid, date), and to each piece of evidence
(the commit and the hash of the lines)."""
_OUTGROWN = (
    f"With the ids of its new entries it would be larger than {LARGEST_PAGE // 1024} KiB;"
    " part it into several pages."
)
_OUTGROWN_ADVICE = "Nothing was read from it and nothing is written to it."
_LINK_ADVICE = "Put the file itself there; nothing was read from it and nothing is written to it."


class PagesOnDisk(NamedTuple):
    """The contents of the pages by path, the flaws of unreadable ones, and those too large."""

    contents: dict[str, bytes]
    flaws: list[Flaw]
    full: list[str]

    def leave_out(self, place: str, problem: str) -> None:
        """Note why a page cannot be read."""
        advice = _OUTGROWN_ADVICE if problem == TOO_LARGE else _LINK_ADVICE
        self.flaws.append(Flaw(path=_shown(place), line=1, problem=problem, advice=advice))
        if problem == TOO_LARGE:
            self.full.append(place)


def find_pages(root: Path) -> PagesOnDisk:
    """Read every page below a repository's root."""
    found = PagesOnDisk({}, [], [])
    try:
        with open_folder(root, *MEMORY.split("/")) as folder:
            if folder is not None:
                _read_folder(folder, MEMORY, found, root)
    except UnreadableError as error:
        found.flaws.append(Flaw(path=MEMORY, line=1, problem=str(error), advice=_LINK_ADVICE))
    return found


def _read_folder(folder: int, path: str, found: PagesOnDisk, root: Path | None) -> None:
    """Read the pages of a folder and, in the top folder, those of its subfolders."""
    for name in sorted(os.listdir(folder)):
        place = f"{path}/{name}"
        if name.startswith("."):
            continue
        if not name.isprintable():
            found.flaws.append(Flaw(path=_shown(place), line=1, problem=_ODD_NAME))
            continue
        try:
            if root is not None and _is_folder(folder, name):
                with open_folder(root, *place.split("/")) as inner:
                    if inner is not None:
                        _read_folder(inner, place, found, None)
            elif name.endswith(_ENDING) and (content := read_file(folder, name)) is not None:
                found.contents[place] = content
        except UnreadableError as error:
            found.leave_out(place, str(error))


def _is_folder(folder: int, name: str) -> bool:
    """Return whether a name is that of a folder.

    Raises:
        UnreadableError: It is a symbolic link to a folder.
    """
    try:
        mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
        leads_to_folder = stat.S_ISLNK(mode) and stat.S_ISDIR(os.stat(name, dir_fd=folder).st_mode)
    except OSError:
        return False
    if leads_to_folder:
        raise UnreadableError(_LINKED_FOLDER)
    return stat.S_ISDIR(mode)


def _shown(path: str) -> str:
    """Return a path in printable form."""
    return path if path.isprintable() else ascii(path)[1:-1]


def read_pages(contents: Mapping[str, bytes], flaws: Iterable[Flaw] = ()) -> Pages:
    """Return the entries and flaws of pages; of two entries with one uid, the first counts."""
    entries: list[PlacedEntry] = []
    problems = list(flaws)
    places: dict[str, PlacedEntry] = {}
    for path, content in contents.items():
        found = list(entries_of(content, path))
        if len(content) + _growth(found) > LARGEST_PAGE:
            flaw = Flaw(path=path, line=1, problem=_OUTGROWN, advice=_OUTGROWN_ADVICE)
            problems.append(flaw)
            continue
        for read in found:
            if isinstance(read, Flaw):
                problems.append(read)
                continue
            placed = PlacedEntry(
                entry=read.entry, path=path, line=read.piece.line, has_more=has_more(read)
            )
            first = places.setdefault(read.entry.uid or f"{path}:{placed.line}", placed)
            if first is placed:
                entries.append(placed)
            else:
                problems.append(_twice(placed, first))
    return Pages(entries=tuple(entries), flaws=tuple(problems))


def _growth(found: Iterable[ReadEntry | Flaw]) -> int:
    """Return how many bytes a sync may add to a page, so that it stays small enough to read."""
    entries = (one.entry for one in found if isinstance(one, ReadEntry))
    return sum(
        _NAMES_BYTES + _PROOF_BYTES * len(entry.evidence) for entry in entries if entry.uid is None
    )


def entries_of(content: bytes, path: str) -> Iterator[ReadEntry | Flaw]:
    """Yield the entries of a page in order, and its flaws."""
    if is_generated(content):
        return
    text = content.decode("utf-8", "surrogateescape")
    for _, read in read_pieces(text, path):
        if read is not None:
            yield read


def fields_of(path: str, content: bytes, uids: Collection[str]) -> dict[str, frozenset[str]]:
    """Return the marks of the fields that some entries have in the content of a page.

    A file elsewhere counts as a page under another name. A clone can have many versions of a large
    page, and most of their entries are the same.
    """
    text = content.decode("utf-8", "surrogateescape")
    if not path.startswith(f"{MEMORY}/"):
        path = _ANY_PAGE
    elif is_generated(content) or not path.endswith(_ENDING):
        return {}
    if not _may_name(text, uids):
        return {}
    found: dict[str, frozenset[str]] = {}
    for piece in cut(text):
        entry = _entry_of(path, piece.head, piece.body) if piece.kind is PieceKind.ENTRY else None
        uid = None if entry is None else entry.uid
        if uid is not None and uid in uids:
            marks = _marks_of(path, piece.head, piece.body)
            found[uid] = found[uid] | marks if uid in found else marks
    return found


def _may_name(text: str, uids: Collection[str]) -> bool:
    """Return whether a text can name one of some entries; YAML may write a uid with escapes."""
    return _ESCAPE in text or not frozenset(uids).isdisjoint(_UID.findall(text))


@lru_cache(maxsize=_MOST_KNOWN)
def _entry_of(path: str, head: str, body: str) -> PageEntry | None:
    read = read_piece(PagePiece(kind=PieceKind.ENTRY, line=0, head=head, body=body), path)
    return read.entry if isinstance(read, ReadEntry) else None


@lru_cache(maxsize=_MOST_KNOWN)
def _marks_of(path: str, head: str, body: str) -> frozenset[str]:
    entry = _entry_of(path, head, body)
    return frozenset() if entry is None else entry.field_marks


def _twice(placed: PlacedEntry, first: PlacedEntry) -> Flaw:
    return Flaw(
        path=placed.path,
        line=placed.line,
        problem=f"The uid {placed.entry.uid} is at {first.path}:{first.line} already.",
        advice="If this is another entry, remove its uid and id; the next sync gives it new ones.",
    )


NAME = "config.toml"
_PATH = f"{HOME}/{NAME}"
_ALLOWED: dict[str, Callable[[object], bool]] = {"files": lambda value: isinstance(value, bool)}
_LINE = re.compile(r"at line ([0-9]+)")
_ADVICE = (
    "It was ignored. A repository may say only: files = true. Commands, addresses, keys and"
    " hooks are a person's own settings ('holdfast config')."
)


class FileRepositorySettings:
    """The file ``.holdfast/config.toml`` of one clone."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def value(self, name: str) -> str | None:
        """Return a setting that a repository may set, if it does."""
        found = self._read[0].get(name)
        return None if found is None else str(found).lower()

    def flaws(self) -> Sequence[Flaw]:
        """Return the settings that are not allowed or not readable, with their lines."""
        return self._read[1]

    @cached_property
    def _read(self) -> tuple[dict[str, object], tuple[Flaw, ...]]:
        try:
            text = self._text()
            given = tomllib.loads(text)
        except UnreadableError as error:
            return {}, (Flaw(path=_PATH, line=1, problem=str(error), advice="It was ignored."),)
        except (ValueError, RecursionError) as error:
            line = _LINE.search(str(error))
            return {}, (
                Flaw(
                    path=_PATH,
                    line=int(line[1]) if line else 1,
                    problem="It is not TOML.",
                    advice="It was ignored; mend it, or delete it.",
                ),
            )
        kept = {name: value for name, value in given.items() if _may(name, value)}
        refused = [name for name in given if name not in kept]
        return kept, tuple(_refusal(name, text) for name in refused)

    def _text(self) -> str:
        with open_folder(self._root, HOME) as folder:
            content = None if folder is None else read_file(folder, NAME)
        return "" if content is None else content.decode("utf-8")


def _may(name: str, value: object) -> bool:
    return name in _ALLOWED and _ALLOWED[name](value)


def _refusal(name: str, text: str) -> Flaw:
    said = re.compile(rf"\s*\[*\s*[\"']?{re.escape(name)}\b")
    lines = enumerate(text.splitlines(), start=1)
    line = next((number for number, words in lines if said.match(words)), 1)
    shown = name.encode("unicode_escape").decode()[:60]
    return Flaw(path=_PATH, line=line, problem=f"'{shown}' may not be set there.", advice=_ADVICE)
