"""The entries of a snapshot: files and folders with their modes."""

from __future__ import annotations

import os

from holdfast.adapters.workspaces.seen_files import SeenFile
from holdfast.domain.workspaces.tree import EntryKind, TreeEntry

_FILE_KIND = EntryKind.FILE.value
MODES = 0o777


def folder_entry(path: str, status: os.stat_result) -> TreeEntry:
    """Return the entry of a folder."""
    mode = status.st_mode & MODES
    return TreeEntry(path, EntryKind.FOLDER.value, mode, mtime_ns=status.st_mtime_ns)


def file_entry(path: str, status: os.stat_result, seen: SeenFile) -> TreeEntry:
    """Return the entry of a file."""
    size, changed = status.st_size, status.st_mtime_ns
    return TreeEntry(
        path, _FILE_KIND, status.st_mode & MODES, size, seen.hash, changed, "", seen.is_sparse
    )
