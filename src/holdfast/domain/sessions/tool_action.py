"""Parse a tool call into an action: the files it will write and the commands it will run.

The module reads the tool names and arguments that coding tools pass to hooks, and imports very
little.

Parse a shell command line into simple commands, without running it.
"""

from __future__ import annotations

import posixpath
import re
from itertools import pairwise
from typing import TYPE_CHECKING

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
    r"<<-?\s*(['\"]?)(\w+)\1([^\n]*)\n.*?(?:\n\s*\2\s*(?=\n|$)|\Z)", re.DOTALL
)
_PIECE = re.compile(
    r"""(?P<end>\|\|?|&&?|;|\n|[()`]|\$\()"""
    r"""|(?P<into>(?:[0-9]*|&)>>?)"""
    r"""|(?P<remark>(?:^|(?<=\s))\#[^\n]*)"""
    r"""|(?P<word>(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s|&;()<>'"`\\]|['"])+)""",
    re.DOTALL | re.MULTILINE,
)
_QUOTED = re.compile(r"""'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)""", re.DOTALL)
_ESCAPED = re.compile(r"""\\(["\\$`])""")
_ASSIGNED = re.compile(r"[A-Za-z_]\w*=")
_SUBSTITUTED = re.compile(r"\$\(((?:[^()]|\([^()]*\))*)\)|`([^`]*)`")
_CONTINUED = re.compile(r"\\\r?\n")
_KEYWORDS = frozenset({"if", "then", "else", "elif", "while", "until", "do", "!", "{"})
_WRAPPERS: dict[str, tuple[str, int]] = {
    "sudo": ("-u -g -h -p -C -r -t -U -T -D -R --user --group --host --chdir", 0),
    "doas": ("-u -C", 0),
    "env": ("-u -C --unset --chdir", 0),
    "time": ("-f -o", 0),
    "nice": ("-n", 0),
    "ionice": ("-c -n", 0),
    "stdbuf": ("-i -o -e", 0),
    "xargs": ("-I -n -P -L -d -a -E -s", 0),
    "timeout": ("-s -k --signal --kill-after", 1),
    "flock": ("-w -E", 1),
    "strace": ("-e -o -p", 0),
    **dict.fromkeys(("nohup", "command", "exec", "builtin", "setsid", "chronic", "eval"), ("", 0)),
}
"""Commands that start another one: their options with a value, and their words before it."""
SHELLS = frozenset({"bash", "sh", "zsh", "dash"})
_WRITERS = frozenset({"rm", "mv", "sed", "tee", "truncate", "unlink", "shred"})
_DEEPEST = 3


def patched_files(text: str) -> list[str]:
    """Return the files that a patch in Codex's format adds, changes, moves or deletes."""
    return [(found[1] or found[2]).strip() for found in _PATCHED.finditer(text)]


def simple_commands(text: str, *, depth: int = 0) -> Iterator[tuple[str, ...]]:
    """Return the simple commands of a shell line; a redirection is the word ``>`` and a path."""
    words: list[str] = []
    whole = _CONTINUED.sub(" ", _HERE_DOCUMENT.sub(r"\3\n", text))
    for piece in _PIECE.finditer(whole):
        if piece["end"]:
            yield from _simple(words, depth=depth)
            words = []
        elif piece["into"]:
            words.append(">")
        elif piece["word"]:
            yield from _substituted(piece["word"], depth=depth)
            words.append(_unquoted(piece["word"]))
    yield from _simple(words, depth=depth)


def _substituted(word: str, *, depth: int) -> Iterator[tuple[str, ...]]:
    """Yield the commands whose output a quoted word takes in; single quotes take nothing in."""
    if depth < _DEEPEST and not word.startswith("'") and ("$(" in word or "`" in word):
        for found in _SUBSTITUTED.finditer(word):
            yield from simple_commands(found[1] or found[2] or "", depth=depth + 1)


def _simple(words: list[str], *, depth: int) -> Iterator[tuple[str, ...]]:
    """Yield a command without its prefixes; the script of a nested shell is parsed too."""
    rest = _without_prefixes(list(words))
    if not rest:
        return
    if " " in rest[0] and len(rest) == 1 and len(words) > 1 and depth < _DEEPEST:
        yield from simple_commands(rest[0], depth=depth + 1)  # the text that eval runs
        return
    if posixpath.basename(rest[0]) in SHELLS and depth < _DEEPEST:
        for place, word in enumerate(rest[1:-1], start=1):
            if word.startswith("-") and not word.startswith("--") and word.endswith("c"):
                yield from simple_commands(rest[place + 1], depth=depth + 1)
                return
    yield tuple(rest)


def _without_prefixes(rest: list[str]) -> list[str]:
    """Return a command without keywords, assignments and the commands that only start it."""
    while rest:
        name = posixpath.basename(rest[0])
        if name in _WRAPPERS:
            rest = _after_wrapper(rest[1:], *_WRAPPERS[name])
        elif rest[0] in _KEYWORDS or _ASSIGNED.match(rest[0]):
            rest = rest[1:]
        else:
            break
    return rest


def _after_wrapper(rest: list[str], valued: str, words: int) -> list[str]:
    while rest and rest[0].startswith("-"):
        rest = rest[2:] if rest[0] in valued.split() else rest[1:]
    return rest[words:]


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
