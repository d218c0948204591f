"""Parse a shell command line into simple commands, without running it."""

from __future__ import annotations

import posixpath
import re
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_PATCHED = re.compile(
    r"^\*\*\* (?:Add|Update|Delete) File: (.+)$|^\*\*\* Move to: (.+)$", re.MULTILINE
)
_HERE_DOCUMENT = re.compile(
    r"<<-?\s*(['\"]?)(\w+)\1([^\n]*)\n.*?(?:\n\s*\2\s*(?=\n|$)|\Z)", re.DOTALL
)
_PIECE = re.compile(
    r"""(?P<end>\|\|?|&&?|;|\n|[()]|\$\()"""
    r"""|(?P<into>(?:[0-9]*|&)>>?)"""
    r"""|(?P<remark>(?:^|(?<=\s))\#[^\n]*)"""
    r"""|(?P<word>(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s|&;()<>'"\\]|['"])+)""",
    re.DOTALL | re.MULTILINE,
)
_QUOTED = re.compile(r"""'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)""", re.DOTALL)
_ESCAPED = re.compile(r"""\\(["\\$`])""")
_ASSIGNED = re.compile(r"[A-Za-z_]\w*=")
_WRAPPERS = frozenset({"sudo", "time", "nice", "nohup", "env", "command", "exec", "doas"})
SHELLS = frozenset({"bash", "sh", "zsh", "dash"})
_WRITERS = frozenset({"rm", "mv", "sed", "tee", "truncate", "unlink", "shred"})
_DEEPEST = 3


def patched_files(text: str) -> list[str]:
    """Return the files that a patch in Codex's format adds, changes, moves or deletes."""
    return [(found[1] or found[2]).strip() for found in _PATCHED.finditer(text)]


def simple_commands(text: str, *, depth: int = 0) -> Iterator[tuple[str, ...]]:
    """Return the simple commands of a shell line; a redirection is the word ``>`` and a path."""
    words: list[str] = []
    for piece in _PIECE.finditer(_HERE_DOCUMENT.sub(r"\3\n", text)):
        if piece["end"]:
            yield from _simple(words, depth=depth)
            words = []
        elif piece["into"]:
            words.append(">")
        elif piece["word"]:
            words.append(_unquoted(piece["word"]))
    yield from _simple(words, depth=depth)


def _simple(words: list[str], *, depth: int) -> Iterator[tuple[str, ...]]:
    """Yield a command without its prefixes; the script of a nested shell is parsed too."""
    rest = list(words)
    while rest and (_ASSIGNED.match(rest[0]) or posixpath.basename(rest[0]) in _WRAPPERS):
        is_wrapper = not _ASSIGNED.match(rest.pop(0))
        while is_wrapper and rest and rest[0].startswith("-"):
            rest.pop(0)
    if not rest:
        return
    if posixpath.basename(rest[0]) in SHELLS and depth < _DEEPEST:
        for place, word in enumerate(rest[1:-1], start=1):
            if word.startswith("-") and not word.startswith("--") and word.endswith("c"):
                yield from simple_commands(rest[place + 1], depth=depth + 1)
                return
    yield tuple(rest)


def _unquoted(word: str) -> str:
    if "'" not in word and '"' not in word and "\\" not in word:
        return word
    return _QUOTED.sub(_plain, word)


def _plain(found: re.Match[str]) -> str:
    if found[2] is not None:
        return _ESCAPED.sub(r"\1", found[2])
    return found[1] or found[3] or ""


def written_files(words: tuple[str, ...]) -> list[str]:
    """Return the files that a command writes: redirection targets, and files of known writers."""
    paths = [
        word
        for before, word in pairwise(words)
        if before == ">" and not word.startswith(("&", "/dev/"))
    ]
    if posixpath.basename(words[0]) in _WRITERS:
        paths += [word for word in words[1:] if not word.startswith("-") and word != ">"]
    return paths


def without_redirection(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return a command without its redirection."""
    return words[: words.index(">")] if ">" in words else words
