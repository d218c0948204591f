"""Tells which files git converts at a checkout, also by attributes that are hidden afterwards.

A checkout reads the attributes of the commit. Later the file with the attributes can be unreadable,
because git converted it too, or another commit can have removed it: git does not write the
converted files again then. So the attributes of the index count, and those of every commit that was
checked out here.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from holdfast.adapters.git.reading.objects import blobs_at, read_blobs
from holdfast.adapters.git.reading.refs import moves
from holdfast.adapters.git.reading.worktree import CONVERTING, converters
from holdfast.domain.memory.anchor import is_whole

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from holdfast.adapters.git.reading.repository import Repository

_NAME = ".gitattributes"
_INDEX = ""
_MOST_MOVES = 1_000
_MACRO = b"[attr]"
_OFF = (b"-", b"!")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_BLANK = re.compile(rb"[ \t\r]+")
_HOW = re.IGNORECASE | re.DOTALL
_SOME = ".*"
_ANY = re.compile(_SOME, _HOW)
_MOST_LINES = 1_000
_PART = re.compile(r"/?\*\*/?|\*|\?|\[!?\^?\]?[^]]*\]|\\.|.", _HOW)


def attribute_files(paths: Iterable[str]) -> list[str]:
    """Return the paths of the files whose attributes apply to one of these files or folders."""
    folders = {folder for path in paths for folder in PurePosixPath(path).parents}
    return sorted(str(folder / _NAME) for folder in folders)


def converted(repository: Repository, paths: Collection[str]) -> frozenset[str]:
    """Return the files that git converts at a checkout, or may have converted at an earlier one.

    Raises:
        OutsideUnavailableError: Git is not installed, or refuses to read the repository.
    """
    found = {*converters(repository, paths), *converters(repository, paths, is_indexed=True)}
    rest = set(paths) - found
    earlier = _earlier(repository, attribute_files(rest)) if rest else ()
    return frozenset(
        found | {path for path in rest if any(_may_match(path, one) for one in earlier)}
    )


def _earlier(repository: Repository, files: Collection[str]) -> list[re.Pattern[str]]:
    """Return expressions for files that earlier checkouts converted, by attributes changed since.

    Raises:
        OutsideUnavailableError: Git is not installed, or refuses to read the repository.
    """
    log = moves(repository)[-_MOST_MOVES:]
    commits = {name for move in log for name in (move.old, move.new) if is_whole(name)}
    asked = [(one, file.encode()) for one in (_INDEX, "HEAD", *commits) for file in files]
    blobs = blobs_at(repository, asked)
    present = {blob for (commit, _), blob in blobs.items() if commit == _INDEX}
    past = set(blobs.values()) - present
    texts = read_blobs(repository, sorted(past))
    # Git may have read a file with attributes that is too large to be read here.
    unread = [_ANY] if past - texts.keys() else []
    return [*unread, *(one for text in texts.values() for one in _converting(text))]


def _converting(text: bytes) -> list[re.Pattern[str]]:
    """Return expressions for the files that a file with attributes may convert.

    They match more files than git converts, and no line cancels another one. A page that is wrongly
    taken for a converted one only waits for a person; the opposite error would accept others' text.
    """
    lines = text.removeprefix(_BYTE_ORDER_MARK).split(b"\n")
    rows = [_BLANK.split(line.partition(b"\0")[0].strip(b" \t\r")) for line in lines]
    names = set(CONVERTING)
    macros = [row for row in rows if row[0].startswith(_MACRO)]
    if any(_has(row, names) for row in macros):
        names |= {row[0].removeprefix(_MACRO) for row in macros}
    found = {row[0] for row in rows if _has(row, names)}
    return [_ANY] if len(found) > _MOST_LINES else [_pattern(one) for one in sorted(found)]


def _has(row: list[bytes], names: Collection[bytes]) -> bool:
    """Return whether a line sets one of the attributes."""
    said = (word.partition(b"=")[0] for word in row[1:] if not word.startswith(_OFF))
    return any(word in names for word in said)


def _pattern(pattern: bytes) -> re.Pattern[str]:
    """Return an expression that matches every path that git's pattern matches, and some more."""
    if pattern.startswith(b'"') or (b"[" in pattern and (b"[:" in pattern or b"\\" in pattern)):
        return _ANY
    parts = _PART.findall(pattern.decode("utf-8", "surrogateescape").lstrip("/"))
    return re.compile(_without_backtracking(map(_expression, parts)), _HOW)


def _without_backtracking(expressions: Iterable[str]) -> str:
    """Return one expression of several, which match one character each, or any text.

    A stranger may write many stars, and Python would try every way to divide a path among them. It
    is enough to find each piece between two stars at its first place.
    """
    pieces = [""]
    for one in expressions:
        if one == _SOME:
            pieces.append("")
        else:
            pieces[-1] += one
    first, *rest = pieces
    if not rest:
        return first
    between = "".join(f"(?>.*?{piece})" for piece in rest[:-1] if piece)
    return f"{first}{between}{_SOME}{rest[-1]}"


def _expression(part: str) -> str:
    if part.startswith("[") and len(part) > 1:
        return "."
    if "*" in part and not part.startswith("\\"):
        return _SOME
    return "." if part == "?" else re.escape(part[-1])


def _may_match(path: str, pattern: re.Pattern[str]) -> bool:
    """Return whether a pattern matches a path, or a part of it below one of its folders."""
    parts = path.split("/")
    return any(pattern.fullmatch("/".join(parts[at:])) for at in range(len(parts)))
