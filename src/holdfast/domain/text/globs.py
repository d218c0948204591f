"""Globs as regular expressions that hostile globs and paths cannot slow down.

A glob may come from a repository that nobody reviewed, or from a memory. The usual translation
makes each star ``[^/]*``, and a name that nearly matches is then tried in every way to divide it.
Here each star takes the first place where the text after it fits, which finds a match if there is
one; an atomic group keeps the place. The time is at most quadratic in the length of the path.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

EVERYTHING = "**"
LONGEST_GLOB = 200
_SEPARATED = re.compile(r"\s*,\s*")
_WILD = frozenset("*?")
_SETS = frozenset("[]")
_BRACES = frozenset("{}")
_REFUSED = frozenset("`\"'\\\0\n\r\t")
ANY_FOLDERS = None
"""The part of a glob that stands for any number of folders: ``**``."""


def separated_globs(text: str) -> list[str]:
    """Return the globs of a list, which commas separate; a list with braces is kept whole."""
    if not _BRACES.isdisjoint(text):
        return [text.strip()]
    return [one for one in _SEPARATED.split(text.strip()) if one]


def glob_problem(glob: str) -> str | None:
    """Return why a glob can match no path, or None if it can."""
    shown = f"'{glob[:60]}'"
    if not _BRACES.isdisjoint(glob):
        return f"{shown} has braces, which no glob has; write each path, with commas between."
    if not _SETS.isdisjoint(glob):
        return f"{shown} has a bracket, which no glob has; write ? for one character."
    if glob.endswith("/") and not _WILD.isdisjoint(glob):
        return f"{shown} ends with a slash, as no file does; write {shown[1:-1]}**."
    parts = glob.removeprefix("./").removesuffix("/").split("/")
    is_odd = len(glob) > LONGEST_GLOB or not _REFUSED.isdisjoint(glob)
    if is_odd or glob.startswith("!") or not {"", ".", ".."}.isdisjoint(parts):
        return f"{shown} is no path beneath the repository; write src/**/*.py."
    return None


def is_any_folders(part: str) -> bool:
    """Tell whether a whole name of a glob stands for any number of folders: two stars or more."""
    return len(part) > 1 and not part.strip("*")


def name_expression(pieces: Sequence[str]) -> str:
    """Return the expression of one name, from the expressions between its stars.

    Each piece matches text of one length, without a slash. The match ends where the name ends.
    """
    first, *rest = pieces
    if not rest:
        return first
    middle = "".join(f"(?>[^/]*?{piece})" for piece in rest[:-1] if piece)
    return f"{first}{middle}[^/]*{rest[-1]}(?=/|\\Z)"


def path_expression(parts: Iterable[str | None]) -> str:
    """Return the expression of a path, from those of its names; None is ``**``.

    An empty name is a slash: the first one of an absolute path, or the last one of a folder's path.
    """
    groups: list[list[str]] = [[]]
    for part in parts:
        if part is not ANY_FOLDERS:
            groups[-1].append(part)
        elif groups[-1] or len(groups) == 1:
            groups.append([])
    first, *rest = ("/".join(group) for group in groups)
    if not rest:
        return first
    begin = f"{first}/" if groups[0] else ""
    middle = "".join(f"(?>(?:[^/]+/)*?{group}/)" for group in rest[:-1])
    return begin + middle + (f"(?:[^/]+/)*{rest[-1]}" if groups[-1] else ".+")


def glob_expression(glob: str) -> str:
    """Return the expression of a glob with ``*``, ``?``, and ``**`` in place of folders."""
    return path_expression(
        ANY_FOLDERS
        if is_any_folders(part)
        else name_expression([_fixed(piece) for piece in re.split(r"\*+", part)])
        for part in glob.split("/")
    )


def _fixed(text: str) -> str:
    return "".join("[^/]" if letter == "?" else re.escape(letter) for letter in text)
