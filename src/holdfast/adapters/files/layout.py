"""Creates the folder of pages in a repository; nothing is overwritten."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from holdfast.adapters.files.disk import UnreadableError, open_folder, read_file
from holdfast.adapters.files.pages import HOME, MEMORY
from holdfast.domain.refusals import PageUnwritableError

if TYPE_CHECKING:
    from pathlib import Path

ATTRIBUTES = (
    f"{MEMORY}/** merge=holdfast",
    f"{HOME}/tasks/** merge=holdfast",
    f"{HOME}/project_state.json merge=holdfast",
)
_ATTRIBUTES = ".gitattributes"
IGNORING = ".gitignore"
_RIGHTS = 0o644
_IGNORED = """\
# Made on this machine, for this machine.
context/
.state/
.holdfast-*
# If the team wants to see one of these files, take its line out and run 'holdfast sync'.
# What was done in each session.
sessions/
# What waits for a person.
memory/candidates.md
"""
_SETTINGS = """\
# Settings that this repository makes for everybody who clones it.
# Commands, addresses, keys and hooks are a person's own business and are ignored here.

# Keep what is known about this repository in .holdfast/memory.
files = true
"""


def lay_out(root: Path) -> list[str]:
    """Create the folder of pages and its files; return what was created or changed.

    Existing files stay unchanged.

    Raises:
        PageUnwritableError: A link or a file is in the way, or the disk does not allow it.
    """
    made: list[str] = []
    try:
        if not os.path.lexists(root / MEMORY):
            made.append(f"{MEMORY}/")
        with open_folder(root, *MEMORY.split("/"), make=True):
            pass
        with open_folder(root, HOME) as folder:
            if folder is not None:
                made += put_new(folder, IGNORING, _IGNORED)
                made += put_new(folder, "config.toml", _SETTINGS)
        with open_folder(root) as folder:
            if folder is not None:
                made += _add_attribute(folder)
    except UnreadableError as error:
        raise PageUnwritableError(HOME, str(error)) from error
    except OSError as error:
        raise PageUnwritableError(HOME, str(error.strerror)) from error
    return made


def put_new(folder: int, name: str, text: str) -> list[str]:
    """Write a file unless it exists; return its path if it was written."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        file = os.open(name, flags, _RIGHTS, dir_fd=folder)
    except FileExistsError:
        return []
    with os.fdopen(file, "w", encoding="utf-8") as opened:
        opened.write(text)
    return [f"{HOME}/{name}"]


def _add_attribute(folder: int) -> list[str]:
    """Add the merge driver to the attributes once."""
    content = read_file(folder, _ATTRIBUTES) or b""
    known = {line.strip() for line in content.splitlines()}
    missing = [line.encode() for line in ATTRIBUTES if line.encode() not in known]
    if not missing:
        return []
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
    end = b"\r\n" if b"\r\n" in content else b"\n"
    gap = b"" if not content or content.endswith(b"\n") else end
    with os.fdopen(os.open(_ATTRIBUTES, flags, _RIGHTS, dir_fd=folder), "wb") as opened:
        opened.write(gap + b"".join(line + end for line in missing))
    return [_ATTRIBUTES]
