"""Lists the files of a checkout that are worth indexing, from git and the file system.

Decides which files the index skips: files that people neither wrote nor read.
"""

from __future__ import annotations

import os
import stat
import time
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple, Protocol

from holdfast.adapters.code.index.skipping import GENERATED_MARK, VENDORED_MARK, by_path
from holdfast.domain.errors import OutsideUnavailableError
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path


LARGEST_FILE = 1024 * 1024


LINK, SUBMODULE, TOO_LARGE = "links", "submodules", "larger than 1 MiB"
UNREADABLE, NO_FILE, OUT_OF_WORDS = "not readable", "not files", "no UTF-8 name"
# Two writes within one tick of the file system's clock have the same timestamp; on some file
# systems a tick is two seconds.
RACY_NANOSECONDS = 2_000_000_000
_LINGUIST = b"linguist"


class AskGit(Protocol):
    """Runs git in one repository; returns its exit code, stdout and stderr."""

    def __call__(self, *words: str, given: bytes | None = None) -> tuple[int, str, str]:
        """Run a git command; ``given`` is its stdin."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkingTree:
    """A working tree: its root, how to run git in it, and where its index is stored."""

    root: Path
    ask: AskGit
    database: Path


class ListedFile(NamedTuple):
    """A file that may be indexed, with its stat signature.

    ``is_kept`` is true if the repository's attributes demand it, whatever the content looks like.
    """

    path: str
    signature: str
    is_kept: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Files:
    """The files to index, and how many were skipped for each reason."""

    candidates: Sequence[ListedFile]
    passed_over: dict[str, int]


def list_files(checkout: WorkingTree) -> Files:
    """Return the tracked and the untracked, unignored files that are worth indexing.

    Raises:
        OutsideUnavailableError: Git is not installed, or refuses to read the repository.
    """
    status, words, trouble = checkout.ask(
        "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"
    )
    if status != 0:
        raise OutsideUnavailableError(who="git", words=trouble)
    paths = words.split("\0")[:-1]
    attributes = _attributes(checkout, paths)
    sight = _Sight(str(checkout.root))
    candidates: list[ListedFile] = []
    passed_over: dict[str, int] = {}
    for path in paths:
        marks = attributes.get(path, {})
        reason = by_path(path, marks) or sight.reason(path)
        if reason is None:
            if sight.signature:
                is_kept = marks.get(GENERATED_MARK) is False
                signature = marked(sight.signature, is_kept=is_kept)
                candidates.append(ListedFile(path, signature, is_kept))
        else:
            passed_over[reason] = passed_over.get(reason, 0) + 1
    return Files(candidates=candidates, passed_over=passed_over)


class _Sight:
    """Checks files one by one without following symbolic links."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._is_plain: dict[str, bool] = {"": True}
        self.signature = ""

    def reason(self, path: str) -> str | None:
        """Return why a file cannot be read, or None and set ``signature``, '' if it is gone."""
        self.signature = ""
        try:
            status = os.lstat(f"{self._root}/{path}")
        except OSError:
            return OUT_OF_WORDS if "\ufffd" in path else None
        except ValueError:
            return OUT_OF_WORDS
        if not stat.S_ISREG(status.st_mode):
            return self._kind(path, status.st_mode)
        if status.st_size > LARGEST_FILE:
            return TOO_LARGE
        if not self._is_folder(path.rpartition("/")[0]):
            return LINK
        self.signature = signature_of(status)
        return None

    def _kind(self, path: str, mode: int) -> str | None:
        """Return what the path is instead of a file; a plain folder means that the file is gone."""
        if stat.S_ISDIR(mode):
            return SUBMODULE if os.path.lexists(f"{self._root}/{path}/.git") else None
        return LINK if stat.S_ISLNK(mode) else NO_FILE

    def _is_folder(self, folder: str) -> bool:
        """Return whether a path is a folder and no part of it is a symbolic link."""
        known = self._is_plain.get(folder)
        if known is None:
            known = False
            with suppress(OSError):
                mode = os.lstat(f"{self._root}/{folder}").st_mode
                known = stat.S_ISDIR(mode) and self._is_folder(folder.rpartition("/")[0])
            self._is_plain[folder] = known
        return known


def signature_of(status: os.stat_result) -> str:
    """Return a value that changes when the file changes."""
    return f"{status.st_size}.{status.st_mtime_ns}.{status.st_ctime_ns}.{status.st_ino}"


def marked(signature: str, *, is_kept: bool) -> str:
    """Return a signature that also changes when the attributes of the file change."""
    return f"{signature}.kept" if is_kept and signature else signature


def is_settled(status: os.stat_result, *, now: int) -> bool:
    """Return whether a later change would alter the signature: the last change is old enough."""
    return status.st_ctime_ns < now - RACY_NANOSECONDS


class ReadFile(NamedTuple):
    """The bytes of a file, and its signature; none while a change could leave it the same."""

    content: bytes
    signature: str


def read_file(root: Path, path: str) -> ReadFile | None:
    """Return the file's content; None if it is gone, a link, too large or unreadable."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        handle = os.open(f"{root}/{path}", flags)
    except (OSError, ValueError):
        return None
    with os.fdopen(handle, "rb") as file:
        now = time.time_ns()
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode) or status.st_size > LARGEST_FILE:
            return None
        try:
            content = file.read(LARGEST_FILE + 1)
        except OSError:
            return None
    if len(content) > LARGEST_FILE:
        return None
    return ReadFile(content, signature_of(status) if is_settled(status, now=now) else "")


def _attributes(checkout: WorkingTree, paths: Sequence[str]) -> dict[str, dict[str, bool]]:
    """Return the git attributes of files by path; git runs only if attribute files mention them."""
    if not _speak_of_code(checkout, paths):
        return {}
    asked = "".join(f"{path}\0" for path in paths).encode("utf-8", "replace")
    status, words, trouble = checkout.ask(
        "check-attr", "-z", "--stdin", GENERATED_MARK, VENDORED_MARK, given=asked
    )
    if status != 0:
        raise OutsideUnavailableError(who="git", words=trouble)
    return _marks(words.split("\0"))


def _marks(fields: Sequence[str]) -> dict[str, dict[str, bool]]:
    found: dict[str, dict[str, bool]] = {}
    for path, name, value in zip(fields[::3], fields[1::3], fields[2::3], strict=False):
        if value in {"set", "true"}:
            found.setdefault(path, {})[name] = True
        elif value in {"unset", "false"}:
            found.setdefault(path, {})[name] = False
    return found


def _speak_of_code(checkout: WorkingTree, paths: Iterable[str]) -> bool:
    """Return whether any attribute file of the checkout mentions the attributes used here."""
    for path in paths:
        if path.endswith(".gitattributes") and path.rpartition("/")[2] == ".gitattributes":
            found = read_file(checkout.root, path)
            if found is not None and _LINGUIST in found.content:
                return True
    return False
