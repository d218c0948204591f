"""Reads open files of a folder: what they contain, and what that says about them."""

from __future__ import annotations

import os
import stat
from hashlib import sha256
from typing import TYPE_CHECKING

from holdfast.domain.workspaces.ignoring import IGNORE_FILE
from holdfast.domain.workspaces.secret_files import LOOKED_AT, holds_private_key

if TYPE_CHECKING:
    from collections.abc import Iterator

FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
LARGEST_RULES = 1 << 20
_AT_ONCE = 1 << 20


def starts_with_key(file: int) -> bool:
    """Return whether a file begins as a private key does."""
    return holds_private_key(os.pread(file, LOOKED_AT, 0))


def has_hole(file: int, size: int) -> bool:
    """Return whether a file has a hole before its end, if the file system can tell."""
    try:
        return size > 0 and os.lseek(file, 0, os.SEEK_HOLE) < size
    except OSError:
        return False


def parts_of(file: int, size: int) -> Iterator[bytes]:
    """Return what a file contains; one that grows meanwhile is not read beyond its size."""
    at = 0
    while at < size and (part := os.pread(file, min(_AT_ONCE, size - at), at)):
        yield part
        at += len(part)


def hash_of(file: int, size: int) -> str:
    """Return the hash of what a file contains."""
    digest = sha256()
    for part in parts_of(file, size):
        digest.update(part)
    return digest.hexdigest()


def rules_text(held: int) -> str:
    """Return an ignore file; one that is no plain file says nothing."""
    try:
        file = os.open(IGNORE_FILE, FILE, dir_fd=held)
    except OSError:
        return ""
    try:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            return ""
        return os.pread(file, LARGEST_RULES, 0).decode("utf-8", "surrogateescape")
    except OSError:
        return ""
    finally:
        os.close(file)
