"""Where we stand, and the lines that evidence names, read without leaving the repository."""

from __future__ import annotations

import hashlib
import os
import stat
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.adapters.git.repository import find_repository, repository_id
from holdfast.domain.errors import EvidenceUnreadableError
from holdfast.domain.place import DEFAULT_WORKSPACE, Place
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from holdfast.adapters.git.repository import Repository
    from holdfast.domain.evidence import FilePlace

LARGEST_FILE = 16 * 1024 * 1024
_LONGEST_SHOWN = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadLines:
    """Lines that were read, where, and the hash of exactly that text."""

    path: str
    first: int
    last: int
    text_hash: str


class LocalSurroundings:
    """The folder a command runs in."""

    def __init__(self, folder: Path, *, cache: Path, workspace: str = DEFAULT_WORKSPACE) -> None:
        self._folder = Path(os.path.realpath(folder))
        self._cache = cache
        self._workspace = workspace

    @cached_property
    def _repository(self) -> Repository | None:
        return find_repository(self._folder)

    @cached_property
    def _place(self) -> Place:
        repository = self._repository
        if repository is None:
            return Place(workspace=self._workspace)
        return Place(
            workspace=self._workspace,
            repo=repository_id(repository, cache=self._cache),
            branch=repository.branch,
        )

    def place(self) -> Place:
        """Return the workspace, repository and branch of the folder."""
        return self._place

    def read_span(self, place: FilePlace) -> ReadLines:
        """Read the lines as they are on disk now: what was read is what is hashed."""
        root = self._folder if self._repository is None else self._repository.root
        path = _beneath(root, self._folder, place.path)
        lines = _lines(_text(root, path))
        first, last = place.first or 1, place.last or len(lines)
        if not lines:
            raise EvidenceUnreadableError(_shown(place.path), "it is empty.")
        if not first <= last <= len(lines):
            has = f"{len(lines)} line{'s' if len(lines) != 1 else ''}"
            raise EvidenceUnreadableError(
                place.path, f"it has {has}, line {max(first, last)} is not there."
            )
        text = "\n".join(lines[first - 1 : last])
        return ReadLines(
            path=path.as_posix(),
            first=first,
            last=last,
            text_hash=hashlib.sha256(text.encode("utf-8")).hexdigest(),
        )


def _beneath(root: Path, folder: Path, path: str) -> Path:
    """Return the path from the root, by its name alone; links are met while opening.

    Only a path that seems to lead outside is followed: the way to the root may hold a link.
    """
    whole = Path(os.path.normpath(folder / path))
    if whole.is_relative_to(root):
        return whole.relative_to(root)
    try:
        real = Path(os.path.realpath(whole.parent)) / whole.name
        return real.relative_to(root)
    except ValueError:
        raise EvidenceUnreadableError(_shown(path), f"it is outside {root.name or root}.") from None


def _shown(path: str) -> str:
    """Return a path as it can be printed, whatever it holds."""
    start = path[:_LONGEST_SHOWN]
    return start.encode("utf-8", "backslashreplace").decode("utf-8").replace("\0", "\\x00")


def _lines(text: str) -> list[str]:
    """Return the lines as editors and git number them: a form feed does not end one."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return lines if lines[-1] else lines[:-1]


def _text(root: Path, path: Path) -> str:
    """Read a file one step at a time, so that no link on the way can lead elsewhere."""
    held = _open(str(root), None, path, os.O_DIRECTORY)
    try:
        for part in path.parts[:-1]:
            step = _open(part, held, path, os.O_DIRECTORY)
            os.close(held)
            held = step
        file = _open(path.name or ".", held, path, os.O_NONBLOCK)
    finally:
        os.close(held)
    try:
        _check(os.fstat(file), path)
    except EvidenceUnreadableError:
        os.close(file)
        raise
    with os.fdopen(file, "rb") as opened:
        return _decoded(opened.read(), path)


def _check(status: os.stat_result, path: Path) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise EvidenceUnreadableError(str(path), "it is a folder; name a file in it.")
    if not stat.S_ISREG(status.st_mode):
        raise EvidenceUnreadableError(str(path), "it is not a file.")
    if status.st_size > LARGEST_FILE:
        raise EvidenceUnreadableError(
            str(path), f"it has {status.st_size:,} bytes; at most {LARGEST_FILE:,} are read."
        )


def _open(name: str, held: int | None, path: Path, flags: int) -> int:
    try:
        return os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | flags, dir_fd=held)
    except (FileNotFoundError, ValueError):
        raise EvidenceUnreadableError(_shown(str(path)), "there is no such file.") from None
    except OSError as error:
        met = f"/proc/self/fd/{held}/{name}"
        is_link = os.path.islink(met)  # noqa: PTH114 - pathlib's raises where a name is too long
        problem = "it is a symbolic link; name the file itself." if is_link else error.strerror
        raise EvidenceUnreadableError(_shown(str(path)), str(problem)) from None


def _decoded(content: bytes, path: Path) -> str:
    if b"\0" in content:
        raise EvidenceUnreadableError(str(path), "it is binary, so it has no lines.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise EvidenceUnreadableError(str(path), "it is not UTF-8 text.") from None
