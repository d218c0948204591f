"""Reads files from disk folder by folder, so that no symbolic link can lead elsewhere."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from holdfast.domain.errors import EvidenceUnreadableError

if TYPE_CHECKING:
    from pathlib import Path

LARGEST_FILE = 16 * 1024 * 1024
GONE = "gone"
_LONGEST_SHOWN = 200
_SHA256_LETTERS = 64
_DIGEST_BYTES = 16
_PLAIN = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class NotThereError(EvidenceUnreadableError, code="not-there"):
    """The cited file does not exist, or is not a regular file."""


def shown(path: str) -> str:
    """Return a path in printable form."""
    start = path[:_LONGEST_SHOWN]
    return start.encode("utf-8", "backslashreplace").decode("utf-8").replace("\0", "\\x00")


def read_content(root: Path, path: Path) -> bytes:
    """Read a file beneath a folder.

    Raises:
        NotThereError: There is no such file, or the path is a link or a folder.
        EvidenceUnreadableError: It is too large, or may not be read.
    """
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
        return opened.read()


class PlainFiles:
    """Reads very many files beneath a folder: each folder is checked for links once."""

    def __init__(self, root: Path) -> None:
        self._root = str(root)
        self._is_plain: dict[str, bool] = {}

    def held(self, path: str) -> bytes | None:
        """Return the content of a regular file; None if it does not exist or is too large."""
        folder = path.rpartition("/")[0]
        if folder not in self._is_plain:
            whole = f"{self._root}/{folder}" if folder else self._root
            self._is_plain[folder] = os.path.realpath(whole) == whole
        if not self._is_plain[folder]:
            return None
        try:
            file = os.open(f"{self._root}/{path}", _PLAIN)
        except (OSError, ValueError):
            return None
        try:
            status = os.fstat(file)
            is_read = stat.S_ISREG(status.st_mode) and status.st_size <= LARGEST_FILE
            return os.read(file, status.st_size) if is_read else None
        except OSError:
            return None
        finally:
            os.close(file)


def digest(content: bytes | None) -> str:
    """Return the hash of a content; ``gone`` for a file that does not exist."""
    import hashlib

    if content is None:
        return GONE
    return hashlib.blake2b(content, digest_size=_DIGEST_BYTES).hexdigest()


def _check(status: os.stat_result, path: Path) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise NotThereError(str(path), "it is a folder; name a file in it.")
    if not stat.S_ISREG(status.st_mode):
        raise NotThereError(str(path), "it is not a file.")
    if status.st_size > LARGEST_FILE:
        raise EvidenceUnreadableError(
            str(path), f"it has {status.st_size:,} bytes; at most {LARGEST_FILE:,} are read."
        )


def _open(name: str, held: int | None, path: Path, flags: int) -> int:
    try:
        return os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | flags, dir_fd=held)
    except (FileNotFoundError, ValueError):
        raise NotThereError(shown(str(path)), "there is no such file.") from None
    except PermissionError as error:
        raise EvidenceUnreadableError(shown(str(path)), str(error.strerror)) from None
    except OSError as error:
        met = f"/proc/self/fd/{held}/{name}"
        is_link = os.path.islink(met)  # noqa: PTH114 - pathlib's raises where a name is too long
        problem = "it is a symbolic link; name the file itself." if is_link else error.strerror
        raise NotThereError(shown(str(path)), str(problem)) from None


def text_lines(content: bytes, path: str) -> list[str]:
    """Return the lines of a file as editors and git number them: a form feed does not end one.

    Raises:
        EvidenceUnreadableError: It is binary, or text of another encoding than UTF-8.
    """
    if b"\0" in content:
        raise EvidenceUnreadableError(path, "it is binary, so it has no lines.")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise EvidenceUnreadableError(path, "it is not UTF-8 text.") from None
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return lines if lines[-1] else lines[:-1]


def maybe_lines(content: bytes | None) -> list[str] | None:
    """Return the lines of a file, or None if it is missing or not text."""
    if content is None:
        return None
    try:
        return text_lines(content, "")
    except EvidenceUnreadableError:
        return None


def blob_name(content: bytes, *, letters: int) -> str:
    """Return the git blob name of a content, with the repository's hash function."""
    import hashlib

    named = b"blob %d\0%b" % (len(content), content)
    if letters == _SHA256_LETTERS:
        return hashlib.sha256(named).hexdigest()
    return hashlib.sha1(named, usedforsecurity=False).hexdigest()


def blob_names(content: bytes, *, letters: int) -> tuple[str, ...]:
    """Return the blob names of a content, unchanged and with git's line-end conversion."""
    name = blob_name(content, letters=letters)
    if b"\r\n" not in content:
        return (name,)
    return (name, blob_name(content.replace(b"\r\n", b"\n"), letters=letters))
