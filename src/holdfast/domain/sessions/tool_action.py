"""Parse a tool call into an action: the files it will write and the commands it will run.

The module reads the tool names and arguments that coding tools pass to hooks, and imports very
little.

Parse a shell command line into simple commands, without running it.
"""

from __future__ import annotations

import posixpath
import re
import sys
from itertools import pairwise
from typing import TYPE_CHECKING

from holdfast.domain.sessions.wrapped_commands import SHELLS, started_by
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


_WRITING = frozenset(
    {
        *("edit", "write", "multiedit", "notebookedit", "applypatch", "patch", "strreplace"),
        *("strreplaceeditor", "strreplacebasededittool", "writefile", "replace", "createfile"),
        *("writetofile", "replaceinfile", "editfile", "searchreplace", "create", "deletefile"),
        *("insert", "update", "delete", "writecode", "deletefiles", "newfile"),
    }
)
_RUNNING = frozenset(
    {
        *("bash", "shell", "runshellcommand", "executecommand", "runcommand", "runcommands"),
        *("runterminalcmd", "runinterminal", "terminal", "localshell", "execcommand", "exec"),
        *("powershell", "runterminalcommand"),
    }
)
_PATH_NAMES = ("file_path", "filePath", "path", "notebook_path", "target_file", "absolute_path")
_OTHER_NAMES = ("url", "query", "toolName", "description", "message")
_COMMAND_NAMES = ("command", "cmd", "command_line", "commandLine", "script")
_LONGEST = 16_384
_PATCH = "*** "
_LOOKING = "view"  # Anthropic's editor uses the same tool name to view a file


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolAction:
    """The paths of an action, from the repository root, and its commands split into words."""

    paths: tuple[str, ...] = ()
    commands: tuple[tuple[str, ...], ...] = ()

    @property
    def is_nothing(self) -> bool:
        """Tell whether the call is known to write no file and run no command."""
        return not self.paths and not self.commands


def doing(tool: str, given: Mapping[str, object], *, folder: str, root: str) -> ToolAction:
    """Parse a tool call; a tool that only reads has an empty action."""
    name = "".join(letter for letter in tool.casefold() if letter.isalnum())
    command = _command(given)
    patched = _patched(command, given)
    if command == _LOOKING and name in _WRITING:
        return ToolAction()
    if patched or name in _WRITING:
        written = patched or _paths(given)
        return ToolAction(paths=_from_root(written, folder=folder, root=root))
    if not command or (name and name not in _RUNNING):
        return ToolAction()

    commands = tuple(simple_commands(command[:_LONGEST]))
    touched = [path for words in commands for path in written_files(words)]
    return ToolAction(
        paths=_from_root(touched, folder=folder, root=root),
        commands=tuple(bare for words in commands if (bare := without_redirection(words))),
    )


def asked_for(tool: str, given: Mapping[str, object]) -> str:
    """Return in one line what a tool asks a person to allow; empty if it does not say."""
    words = _command(given) or next(iter(_paths(given)), "")
    words = words or next((str(given[name]) for name in _OTHER_NAMES if given.get(name)), "")
    joined = words[:_LONGEST].replace("\\\r\n", "").replace("\\\n", "")
    line = " ".join(joined.split())
    return f"{tool}: {line}" if tool and line else tool or line


def _command(given: Mapping[str, object]) -> str:
    for name in _COMMAND_NAMES:
        found = given.get(name)
        if isinstance(found, str):
            return found
        if isinstance(found, list) and found and all(isinstance(word, str) for word in found):
            is_shell = len(found) > 2 and posixpath.basename(found[0]) in SHELLS  # noqa: PLR2004 - shell, option, script
            return str(found[-1]) if is_shell else " ".join(found)
    several = given.get("commands")
    return "\n".join(map(str, several)) if isinstance(several, list) else ""


def _patched(command: str, given: Mapping[str, object]) -> list[str]:
    texts = [command, *(given.get(name) for name in ("input", "patch", "patchText"))]
    patches = [text for text in texts if isinstance(text, str) and _PATCH in text]
    if not patches:
        return []

    return [path for text in patches for path in patched_files(text)]


def _paths(given: Mapping[str, object]) -> list[str]:
    found = [given.get(name) for name in _PATH_NAMES]
    return [path for path in found if isinstance(path, str) and path]


def _from_root(paths: Sequence[str], *, folder: str, root: str) -> tuple[str, ...]:
    """Return paths relative to the root; paths outside it are dropped."""
    found: dict[str, None] = {}
    for path in paths:
        whole = posixpath.normpath(posixpath.join(folder or "/", path.replace("\\", "/")))
        within = f"{root.rstrip('/')}/" if root else ""
        if within and whole.startswith(within):
            found[whole.removeprefix(within)] = None
        elif not within and not path.startswith("/"):
            found[posixpath.normpath(path)] = None
    return tuple(found)


_PATCHED = re.compile(
    r"^\*\*\* (?:Add|Update|Delete) File: (.+)$|^\*\*\* Move to: (.+)$", re.MULTILINE
)
_HERE_DOCUMENT = re.compile(
    r"((?:^|(?<=[\s;&|(/]))(?:ba|z|da|k|a|s)?sh\b[^\n;&|<]*)?(?<!<)<<(?!<)-?\s*(['\"]?)(\w+)\2([^\n]*)"
    r"\n(.*?)(?:\n\s*\3\s*(?=\n|$)|\Z)",
    re.DOTALL | re.MULTILINE,
)
_INTO_SHELL = re.compile(r"\|\s*(?:\S{0,200}/)?(?:ba|z|da|k|a)?sh\b")
_PIECE = re.compile(
    r"""(?P<end>\|\|?|&&?|;|\n|[()`]|\$\()"""
    r"""|(?P<into>(?:[0-9]*|&)>>?)"""
    r"""|(?P<remark>(?:^|(?<=\s))\#[^\n]*)"""
    r"""|(?P<word>(?:\$'(?:\\.|[^'\\])*'|'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s|&;()<>'"`\\]|['"])+)""",
    re.DOTALL | re.MULTILINE,
)
_QUOTED = re.compile(r"""\$'((?:\\.|[^'\\])*)'|'([^']*)'|\$?"((?:\\.|[^"\\])*)"|\\(.)""", re.DOTALL)
_WRITTEN_OUT = re.compile(
    r"\\(?:(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8}))"
    r"|([0-7]{1,3})|c(.)|(.))",
    re.DOTALL,
)
_LETTERS = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "a": "\a",
    "b": "\b",
    "e": "\x1b",
    "E": "\x1b",
    "f": "\f",
    "v": "\v",
}
_ESCAPED = re.compile(r"""\\(["\\$`])""")
_ASSIGNED = re.compile(r"[A-Za-z_]\w*=")
_SUBSTITUTED = re.compile(r"\$\(((?:[^()]|\([^()]*\))*)\)|`([^`]*)`")
_CONTINUED = re.compile(r"\\\r?\n")
_WRITERS = frozenset({"rm", "mv", "sed", "tee", "truncate", "unlink", "shred"})
_DEEPEST = 5
_MOST_WRAPPERS = 50
"""The wrappers of a command that are commands of their own; longer chains are no work of people."""


def patched_files(text: str) -> list[str]:
    """Return the files that a patch in Codex's format adds, changes, moves or deletes."""
    return [(found[1] or found[2]).strip() for found in _PATCHED.finditer(text)]


def simple_commands(text: str, *, depth: int = 0) -> Iterator[tuple[str, ...]]:
    """Return the simple commands of a shell line; a redirection is the word ``>`` and a path."""
    words: list[str] = []
    fed: list[str] = []
    whole = _CONTINUED.sub("", _HERE_DOCUMENT.sub(_without_document, text))
    for piece in _PIECE.finditer(whole):
        if end := piece["end"]:
            yield from _simple(words, fed=fed, depth=depth)
            fed, words = words if end == "|" else [], []
        elif piece["into"]:
            words.append(">")
        elif piece["word"]:
            yield from _substituted(piece["word"], depth=depth)
            words.append(_unquoted(piece["word"]))
    yield from _simple(words, fed=fed, depth=depth)


def _substituted(word: str, *, depth: int) -> Iterator[tuple[str, ...]]:
    """Yield the commands whose output a quoted word takes in; single quotes take nothing in."""
    if depth < _DEEPEST and not word.startswith("'") and ("$(" in word or "`" in word):
        for found in _SUBSTITUTED.finditer(word):
            yield from simple_commands(found[1] or found[2] or "", depth=depth + 1)


def _without_document(found: re.Match[str]) -> str:
    """Return the line of a here-document without its text, unless a shell runs the text."""
    is_run = found[1] or _INTO_SHELL.search(found[4])
    return f"{found[1] or ''}{found[4]}\n" + (f"{found[5]}\n" if is_run else "")


def _simple(words: Sequence[str], *, fed: Sequence[str], depth: int) -> Iterator[tuple[str, ...]]:
    """Yield a command without its prefixes, and the commands that it starts."""
    if depth == _DEEPEST:
        yield from [tuple(words)] if words else []
        return
    first = tuple(words)
    # Two ways can start the same command, and each of them again: it is read once.
    left: list[tuple[str, ...] | str] = [first]
    seen: set[tuple[str, ...] | str] = set()
    wrappers = 0
    while left:
        one = left.pop()
        if one in seen:
            continue
        seen.add(one)
        if isinstance(one, str):
            yield from simple_commands(one, depth=depth + 1)
            continue
        started = started_by(one, fed=fed if one is first else ())
        wrappers += bool(started.commands)
        if started.itself and (not started.commands or wrappers <= _MOST_WRAPPERS):
            yield started.itself
        left += [*reversed(started.texts), *reversed(started.commands)]


def _unquoted(word: str) -> str:
    if "'" not in word and '"' not in word and "\\" not in word:
        return word
    return _QUOTED.sub(_plain, word)


def _plain(found: re.Match[str]) -> str:
    if found[1] is not None:
        return _WRITTEN_OUT.sub(_written_out, found[1])
    if found[3] is not None:
        return _ESCAPED.sub(r"\1", found[3])
    return found[2] or found[4] or ""


def _written_out(found: re.Match[str]) -> str:
    """Return the character that an escape in ``$'...'`` stands for."""
    if hexadecimal := found[1] or found[2] or found[3]:
        number = int(hexadecimal, 16)
        return chr(number) if number <= sys.maxunicode else found[0]
    if found[4]:
        return chr(int(found[4], 8) & 0xFF)
    if found[5]:
        return chr(ord(found[5]) & 0x1F)
    return _LETTERS.get(found[6], found[6])


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
