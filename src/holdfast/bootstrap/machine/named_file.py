"""Read a file that a person names: a regular one, whatever a repository put in its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.disk.atomic_files import read_plain

if TYPE_CHECKING:
    from pathlib import Path


def read_named(path: Path, *, most: int) -> bytes:
    """Return at most so many bytes of a regular file, or of the one that a link leads to.

    Raises:
        OSError: It is missing or unreadable, or a pipe, a device or a folder.
    """
    return read_plain(path, follows_link=True, most=most)
