"""Creates the folder of pages in a repository, and keeps private files out of its commits.

Nothing is overwritten.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from holdfast.adapters.disk.atomic_files import read_plain, write_whole
from holdfast.adapters.files.disk import UnreadableError, open_folder, read_file
from holdfast.adapters.files.pages import HOME, MEMORY
from holdfast.domain.refusals import PageUnwritableError

if TYPE_CHECKING:
    from pathlib import Path

    from holdfast.ports.anchors.clone import Versions

ATTRIBUTES = (
    f"{MEMORY}/** merge=holdfast",
    f"{HOME}/tasks/** merge=holdfast",
    f"{HOME}/project_state.json merge=holdfast",
)
_ATTRIBUTES = ".gitattributes"
_IGNORING = ".gitignore"
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
_PRIVATE = {
    "context/": f"/{HOME}/context/",
    ".holdfast-*": f"/{HOME}/**/.holdfast-*",
    "sessions/": f"/{HOME}/sessions/",
    "memory/candidates.md": f"/{MEMORY}/candidates.md",
}
"""The lines about private files, and the same as patterns for the root of a repository."""
_GUARDS = {
    "context/": ("context", "*\n"),
    "sessions/": ("sessions", "*\n"),
    "memory/candidates.md": ("memory", "/.gitignore\n/candidates.md\n"),
}
"""For lines about private files, the folder of these files and the text of its own ignore file.

Git ignores that file too. It is nearest to the private files, so no pattern of another one counts.
"""
NOT_IGNORED = (
    "it is private, and git would not ignore it because {reason}. Change that, or share the file:"
    " edit .holdfast/.gitignore yourself, without its line, and run 'holdfast sync'"
)
_SHARED = "shared"
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
                made += _put(folder, _IGNORING, _IGNORED)
                made += _put(folder, "config.toml", _SETTINGS)
        with open_folder(root) as folder:
            if folder is not None:
                made += _add_attribute(folder)
    except UnreadableError as error:
        raise PageUnwritableError(HOME, str(error)) from error
    except OSError as error:
        raise PageUnwritableError(HOME, str(error.strerror)) from error
    return made


def keep_private(
    root: Path, versions: Versions, path: str, *, may_be_tracked: bool = False
) -> str | None:
    """Make git ignore the private files on every branch; return why it does not ignore this one.

    None means that a file may be written: git ignores it, it is not private, or the person of this
    clone shares it. That person took its line out of ``.holdfast/.gitignore``, with an edit or a
    commit of their own; a file that came with git decides nothing. Git is asked only if patterns of
    somebody else are nearer to the file than ours, or if it may track the file.

    Raises:
        UnreadableError: A link or something else is in place of a file or a folder.
        PageUnwritableError: A file that tells git what to ignore cannot be written.
    """
    try:
        shared = _shared(root, versions)
        versions.ignore({pattern: line not in shared for line, pattern in _PRIVATE.items()})
        for line, (folder, guard) in _GUARDS.items():
            if line in shared:
                _remove_guard(root, folder, guard)
            elif path.startswith(f"{HOME}/{line}"):
                is_guarded = _is_guarded(root, folder, guard)
                return None if is_guarded and not may_be_tracked else versions.unignored(path)
    except OSError as error:
        raise PageUnwritableError(path, str(error.strerror)) from error
    return None


def _is_guarded(root: Path, folder: str, guard: str) -> bool:
    """Write the ignore file of a private folder unless there is one; return whether it is ours."""
    with open_folder(root, HOME, folder, make=True) as opened:
        if opened is None:
            return False
        return (
            bool(_put(opened, _IGNORING, guard)) or read_file(opened, _IGNORING) == guard.encode()
        )


def _shared(root: Path, versions: Versions) -> frozenset[str]:
    """Return the lines about private files that the person of this clone took out.

    On a branch without the file nothing is shared.
    """
    with open_folder(root, HOME) as folder:
        content = None if folder is None else read_file(folder, _IGNORING)
    if content is None:
        return frozenset()
    lines = {line.strip() for line in content.decode("utf-8", "replace").splitlines()}
    missing = _PRIVATE.keys() - lines
    record = versions.state_folder() / _SHARED
    known = _recorded(record)
    chosen = known & missing
    if missing - known and versions.is_own(f"{HOME}/{_IGNORING}"):
        chosen = missing
    if chosen != known:
        write_whole(record, "".join(f"{line}\n" for line in sorted(chosen)).encode())
    return frozenset(chosen)


def _recorded(record: Path) -> set[str]:
    try:
        return set(read_plain(record).decode("utf-8", "replace").splitlines())
    except OSError:
        return set()


def _remove_guard(root: Path, folder: str, guard: str) -> None:
    with open_folder(root, HOME, folder) as opened:
        if opened is not None and read_file(opened, _IGNORING) == guard.encode():
            os.unlink(_IGNORING, dir_fd=opened)


def _put(folder: int, name: str, text: str) -> list[str]:
    """Write a file unless it exists."""
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
