"""Parse a tool call into an action: the files it will write and the commands it will run.

The module reads the tool names and arguments that coding tools pass to hooks, and imports very
little.
"""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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
    from holdfast.domain.sessions.shell_words import (
        simple_commands,
        without_redirection,
        written_files,
    )

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
            from holdfast.domain.sessions.shell_words import SHELLS

            is_shell = len(found) > 2 and posixpath.basename(found[0]) in SHELLS  # noqa: PLR2004 - shell, option, script
            return str(found[-1]) if is_shell else " ".join(found)
    several = given.get("commands")
    return "\n".join(map(str, several)) if isinstance(several, list) else ""


def _patched(command: str, given: Mapping[str, object]) -> list[str]:
    texts = [command, *(given.get(name) for name in ("input", "patch", "patchText"))]
    patches = [text for text in texts if isinstance(text, str) and _PATCH in text]
    if not patches:
        return []
    from holdfast.domain.sessions.shell_words import patched_files

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
