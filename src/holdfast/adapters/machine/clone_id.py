"""A random id in the git folder of a clone, which no other clone has.

The path does not name a clone: it can be deleted, and another repository cloned to the same path.
Git copies nothing of its folder but objects and refs, so a new clone has no id until it gets one.
"""

from __future__ import annotations

import re
from secrets import token_hex
from typing import TYPE_CHECKING

from holdfast.adapters.disk.atomic_files import read_plain, write_whole
from holdfast.domain.refusals import SettingsUnwritableError

if TYPE_CHECKING:
    from pathlib import Path

_NAME = "holdfast-clone-id"
_ID = re.compile(r"[0-9a-f]{32}")


def read_clone_id(git_folder: Path | None) -> str:
    """Return the id of a clone; empty if it has none."""
    if git_folder is None:
        return ""
    try:
        found = read_plain(git_folder / _NAME).decode("ascii", "replace").strip()
    except OSError:
        return ""
    return found if _ID.fullmatch(found) else ""


def make_clone_id(git_folder: Path | None) -> str:
    """Return the id of a clone, which gets one if it has none; empty without a git folder.

    Raises:
        SettingsUnwritableError: The git folder cannot be written.
    """
    if git_folder is None or (found := read_clone_id(git_folder)):
        return "" if git_folder is None else found
    made = token_hex(16)
    try:
        write_whole(git_folder / _NAME, f"{made}\n".encode("ascii"))
    except OSError as error:
        raise SettingsUnwritableError(str(git_folder / _NAME), error.strerror) from error
    return made
