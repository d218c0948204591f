"""The rules of ``.gitignore`` files, as git applies them."""

from __future__ import annotations

import re
from string import ascii_uppercase
from typing import NamedTuple

from holdfast.domain.text.globs import (
    ANY_FOLDERS,
    EVERYTHING,
    is_any_folders,
    name_expression,
    path_expression,
)
from holdfast.domain.workspaces.ignore_sets import NOTHING, read_set

IGNORE_FILE = ".gitignore"
_A_NAME = "(?=[^/])"
_JOINED = re.compile(r"(?P<letters>[^*?[\\]*[^*?[\\/])\*\*+/")
"""Plain letters with ``**`` behind them: git compares the letters, and begins anew with ``**``."""
_BEGIN = re.compile(r"[^*?[\\]*(?P<stars>\*\*+)?")
_MARK = "\ufeff"
_KEPT = re.compile(r"(?: *+(?:\\.|[^ \\]|\\\Z))*+", re.DOTALL)


class GitRules(NamedTuple):
    """What git knows about a folder beside the ignore files in it and above it.

    ``tracked`` are files that no pattern ignores. ``files`` are the paths of ignore files for the
    whole repository, the strongest first. ``ignores_case`` is git's setting for file names.
    """

    tracked: frozenset[str] = frozenset()
    files: tuple[str, ...] = ()
    ignores_case: bool = False


class IgnoreGroup(NamedTuple):
    """Neighbouring patterns of one sign; ``by_name`` sees only the last part of a path."""

    is_ignored: bool
    by_name: re.Pattern[str] | None
    by_path: re.Pattern[str] | None


class IgnoreRules(NamedTuple):
    """The patterns of one file, the last group first; ``base`` is the length of its folder.

    ``way`` leads from the folder of a file that is above to the folder that is read.
    """

    base: int
    groups: tuple[IgnoreGroup, ...]
    way: str = ""

    def verdict(self, path: str, name: str) -> bool | None:
        """Return whether a path is ignored; None if no pattern matches. A folder ends with /."""
        if self.way:
            path = self.way + path
        for group in self.groups:
            if (group.by_name is not None and group.by_name.match(name)) or (
                group.by_path is not None and group.by_path.match(path, self.base)
            ):
                return group.is_ignored
        return None


def read_rules(text: str, *, folder: str = "", ignores_case: bool = False) -> IgnoreRules:
    """Return the rules of an ignore file; the path of its folder ends with /, or is empty."""
    groups: list[IgnoreGroup] = []
    names: list[str] = []
    paths: list[str] = []
    sign = True
    # Git compares only the letters of ASCII without their case.
    flags = re.DOTALL | (re.IGNORECASE | re.ASCII if ignores_case else re.NOFLAG)

    def close() -> None:
        if names or paths:
            groups.append(IgnoreGroup(sign, _joined(names, flags), _joined(paths, flags)))
        names.clear()
        paths.clear()

    for line in text.removeprefix(_MARK).split("\n"):
        pattern = _stripped(line)
        if not pattern or pattern.startswith("#"):
            continue
        is_ignored = not pattern.startswith("!")
        if is_ignored is not sign:
            close()
            sign = is_ignored
        pattern = pattern if is_ignored else pattern[1:]
        expression = _expression(pattern, ignores_case=ignores_case)
        (paths if "/" in pattern.removesuffix("/") else names).append(expression)
    close()
    return IgnoreRules(len(folder), tuple(reversed(groups)))


def is_ignored(chain: tuple[IgnoreRules, ...], path: str, name: str) -> bool:
    """Return whether the rules ignore a path; those of the nearest folder are the first."""
    for rules in chain:
        found = rules.verdict(path, name)
        if found is not None:
            return found
    return False


def _joined(expressions: list[str], flags: re.RegexFlag) -> re.Pattern[str] | None:
    if not expressions:
        return None
    return re.compile(rf"(?:{'|'.join(expressions)})\Z", flags)


def _stripped(line: str) -> str:
    """Return a line without trailing spaces, except one that a backslash protects."""
    kept = _KEPT.match(line.removesuffix("\r"))
    return kept[0] if kept else ""


def _expression(pattern: str, *, ignores_case: bool) -> str:
    """Return a pattern as a regular expression; a folder's path ends with /."""
    wants_folder = pattern.endswith("/")
    body = pattern.removesuffix("/").removeprefix("/")
    end = "/" if wants_folder else "/?"
    begin = ""
    if joined := _JOINED.match(body):
        letters, rest = joined["letters"], body[joined.end() :]
        if rest.startswith(("/", "\\/")) or not rest:
            body = letters + rest  # No path has two slashes together, so ** is no folder here.
        else:
            begin, body = re.escape(letters) + "/?", "**/" + rest
    parts = (
        ANY_FOLDERS if is_any_folders(part) else _part(part, ignores_case=ignores_case)
        for part in _parts(body)
    )
    return begin + path_expression(parts) + end


def _parts(body: str) -> list[str]:
    """Return the parts of a pattern between its slashes.

    A slash inside a set divides nothing, and matches nothing. One behind a backslash is a slash as
    any other, but after ``**`` git then wants one folder at least.
    """
    begin = _BEGIN.match(body)
    joined = begin.end() if begin and begin["stars"] else None
    parts, at = [""], 0
    while at < len(body):
        begun = at
        at += 1
        if body[begun] == "[":
            at = read_set(body, at)[1]
        elif body[begun] == "\\":
            at += 1
        piece = body[begun:at]
        if piece == "\\/" and (is_any_folders(parts[-1]) or begun == joined):
            parts[-1:] = [parts[-1].rstrip("*") + "*", EVERYTHING, ""]
        elif piece in {"/", "\\/"}:
            parts.append("")
        else:
            parts[-1] += piece
    return parts


def _part(part: str, *, ignores_case: bool) -> str:
    """Return one part of a pattern as a regular expression.

    Without case, git compares with small letters, so a capital behind a backslash matches nothing.
    """
    pieces, at = [""], 0
    while at < len(part):
        letter = part[at]
        at += 1
        if letter == "*":
            pieces.append("")
        elif letter == "?":
            pieces[-1] += "[^/]"
        elif letter == "\\":
            fits = at < len(part) and not (ignores_case and part[at] in ascii_uppercase)
            pieces[-1] += re.escape(part[at]) if fits else NOTHING
            at += 1
        elif letter == "[":
            found, at = read_set(part, at, ignores_case=ignores_case)
            pieces[-1] += found
        else:
            pieces[-1] += re.escape(letter)
    # The path of a folder ends with /, and after it there is no name that a star could match.
    return name_expression(pieces) if pieces[0] else _A_NAME + name_expression(pieces)
