"""The rules of ``.gitignore`` files, as git applies them."""

from __future__ import annotations

import re
from typing import NamedTuple

from holdfast.domain.text.globs import (
    ANY_FOLDERS,
    is_any_folders,
    name_expression,
    path_expression,
)

IGNORE_FILE = ".gitignore"
_NOTHING = "(?!)"
_JOINED = re.compile(r"(?P<letters>[^*?[\\]*[^*?[\\/])\*\*+/")
"""Plain letters with ``**`` behind them: git compares the letters, and begins anew with ``**``."""


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


def read_rules(text: str, *, folder: str = "") -> IgnoreRules:
    """Return the rules of an ignore file; the path of its folder ends with /, or is empty."""
    groups: list[IgnoreGroup] = []
    names: list[str] = []
    paths: list[str] = []
    sign = True

    def close() -> None:
        if names or paths:
            groups.append(IgnoreGroup(sign, _joined(names), _joined(paths)))
        names.clear()
        paths.clear()

    for line in text.splitlines():
        pattern = _stripped(line)
        if not pattern or pattern.startswith("#"):
            continue
        is_ignored = not pattern.startswith("!")
        if is_ignored is not sign:
            close()
            sign = is_ignored
        pattern = pattern if is_ignored else pattern[1:]
        (paths if "/" in pattern.rstrip("/") else names).append(_expression(pattern))
    close()
    return IgnoreRules(len(folder), tuple(reversed(groups)))


def is_ignored(chain: tuple[IgnoreRules, ...], path: str, name: str) -> bool:
    """Return whether the rules ignore a path; those of the nearest folder are the first."""
    for rules in chain:
        found = rules.verdict(path, name)
        if found is not None:
            return found
    return False


def _joined(expressions: list[str]) -> re.Pattern[str] | None:
    if not expressions:
        return None
    return re.compile(rf"(?:{'|'.join(expressions)})\Z", re.DOTALL)


def _stripped(line: str) -> str:
    """Return a line without trailing spaces, except one that a backslash protects."""
    bare = line.rstrip(" ")
    if bare.endswith("\\") and len(bare) < len(line):
        return f"{bare} "
    return bare.rstrip("\r")


def _expression(pattern: str) -> str:
    """Return a pattern as a regular expression; a folder's path ends with /."""
    wants_folder = pattern.endswith("/")
    body = pattern.rstrip("/").removeprefix("/")
    end = "/" if wants_folder else "/?"
    begin = ""
    if joined := _JOINED.match(body):
        begin, body = re.escape(joined["letters"]) + "/?", "**/" + body[joined.end() :]
    parts = (ANY_FOLDERS if is_any_folders(part) else _part(part) for part in body.split("/"))
    return begin + path_expression(parts) + end


def _part(part: str) -> str:
    """Return one part of a pattern as a regular expression."""
    pieces, at = [""], 0
    while at < len(part):
        letter = part[at]
        at += 1
        if letter == "*":
            pieces.append("")
        elif letter == "?":
            pieces[-1] += "[^/]"
        elif letter == "\\" and at < len(part):
            pieces[-1] += re.escape(part[at])
            at += 1
        elif letter == "[":
            end = _end_of_set(part, at)
            pieces[-1] += _NOTHING if end < 0 else _set(part[at:end])
            at = len(part) if end < 0 else end + 1
        else:
            pieces[-1] += re.escape(letter)
    return name_expression(pieces)


def _end_of_set(part: str, at: int) -> int:
    """Return where a set of characters ends; -1 if it does not."""
    first = at + 1 if part[at : at + 1] in {"!", "^"} else at
    return part.find("]", first + 1)


def _set(inside: str) -> str:
    sign = "^" if inside[0] in "!^" else ""
    letters = inside[1:] if sign else inside
    safe = letters.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")
    try:
        re.compile(f"[{sign}{safe}]")
    except re.error:
        # Such as a range whose end comes before its start: git finds nothing either.
        return _NOTHING
    return f"(?!/)[{sign}{safe}]"
