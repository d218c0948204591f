"""Tells what a failure of the disk means for a person."""

from __future__ import annotations

from errno import EDQUOT, EFBIG, ENOSPC
from typing import TYPE_CHECKING

from holdfast.domain.workspace_errors import DiskFullError, FolderUnusableError

if TYPE_CHECKING:
    from pathlib import Path

_FULL = frozenset({ENOSPC, EDQUOT, EFBIG})


def disk_problem(path: str | Path, error: OSError) -> DiskFullError | FolderUnusableError:
    """Return the error that names the file or folder and says whether the disk is full."""
    problem = error.strerror or str(error)
    if error.errno in _FULL:
        return DiskFullError(str(path), problem=problem)
    return FolderUnusableError(str(path), problem=problem)
