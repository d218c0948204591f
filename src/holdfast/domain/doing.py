"""What a tool is about to do: the files it will write and the commands it will run.

Read from what tools call their tools and hand to them, and made to load next to nothing.
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
_LOOKING = "view"  # Anthropic's editor looks at a file under the same name


@dataclass(frozen=True, slots=True, kw_only=True)
class Doing:
    """Paths from the root of the repository, and commands as their words."""

    paths: tuple[str, ...] = ()
    commands: tuple[tuple[str, ...], ...] = ()

    @property
    def is_nothing(self) -> bool:
        """Tell whether nothing is written or run, as far as can be seen."""
        return not self.paths and not self.commands


def doing(tool: str, given: Mapping[str, object], *, folder: str, root: str) -> Doing:
    """Read what a tool was given; a tool that only reads is about to do nothing."""
    name = "".join(letter for letter in tool.casefold() if letter.isalnum())
    command = _command(given)
    patched = _patched(command, given)
    if command == _LOOKING and name in _WRITING:
        return Doing()
    if patched or name in _WRITING:
        written = patched or _paths(given)
        return Doing(paths=_from_root(written, folder=folder, root=root))
    if not command or (name and name not in _RUNNING):
        return Doing()
    from holdfast.domain.shell_words import simple_commands, without_redirection, written_files

    commands = tuple(simple_commands(command[:_LONGEST]))
    touched = [path for words in commands for path in written_files(words)]
    return Doing(
        paths=_from_root(touched, folder=folder, root=root),
        commands=tuple(bare for words in commands if (bare := without_redirection(words))),
    )


def _command(given: Mapping[str, object]) -> str:
    for name in _COMMAND_NAMES:
        found = given.get(name)
        if isinstance(found, str):
            return found
        if isinstance(found, list) and found and all(isinstance(word, str) for word in found):
            from holdfast.domain.shell_words import SHELLS

            is_shell = len(found) > 2 and posixpath.basename(found[0]) in SHELLS  # noqa: PLR2004 - shell, option, script
            return str(found[-1]) if is_shell else " ".join(found)
    several = given.get("commands")
    return "\n".join(map(str, several)) if isinstance(several, list) else ""


def _patched(command: str, given: Mapping[str, object]) -> list[str]:
    texts = [command, *(given.get(name) for name in ("input", "patch", "patchText"))]
    patches = [text for text in texts if isinstance(text, str) and _PATCH in text]
    if not patches:
        return []
    from holdfast.domain.shell_words import patched_files

    return [path for text in patches for path in patched_files(text)]


def _paths(given: Mapping[str, object]) -> list[str]:
    found = [given.get(name) for name in _PATH_NAMES]
    return [path for path in found if isinstance(path, str) and path]


def _from_root(paths: Sequence[str], *, folder: str, root: str) -> tuple[str, ...]:
    """Return paths as people write them from the root; those outside it are left out."""
    found: dict[str, None] = {}
    for path in paths:
        whole = posixpath.normpath(posixpath.join(folder or "/", path.replace("\\", "/")))
        within = f"{root.rstrip('/')}/" if root else ""
        if within and whole.startswith(within):
            found[whole.removeprefix(within)] = None
        elif not within and not path.startswith("/"):
            found[posixpath.normpath(path)] = None
    return tuple(found)
