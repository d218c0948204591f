"""Which paths may be written beneath a folder."""

from __future__ import annotations

from unicodedata import normalize

GIT = ".git"
STAGING = ".holdfast-restore-"
"""The names of folders that a restore works in begin so; no snapshot contains one."""
_LONGEST_NAME = 255
_LONGEST_PATH = 4_000
# Some file systems ignore these characters in names, so that a name with them means another one.
_IGNORED = dict.fromkeys(
    [
        *range(0x200B, 0x2010),
        *range(0x202A, 0x202F),
        *range(0x206A, 0x2070),
        *(0xFEFF, 0x00AD),
    ]
)


def path_problem(path: str, *, keeps_git: bool = False) -> str:
    """Return why a path must not be written beneath a folder; empty if it may.

    A path is relative, uses ``/``, and has no empty, ``.`` or ``..`` part. A part that some file
    systems take for ``.git`` is refused, because git runs programs that are named there.
    """
    if not path or path.startswith("/") or len(path) > _LONGEST_PATH or "\0" in path:
        return "is no path beneath a folder."
    found = (_part_problem(part, keeps_git=keeps_git) for part in path.split("/"))
    return next(filter(None, found), "")


def _part_problem(part: str, *, keeps_git: bool) -> str:
    if part in {"", ".", ".."} or len(part) > _LONGEST_NAME:
        return f"has the part '{part[:40]}'."
    if part.startswith(STAGING):
        return "is in a folder that a restore works in."
    if is_like_git(part) and not (keeps_git and part == GIT):
        return "leads into git's own folder."
    return ""


def is_like_git(name: str) -> bool:
    """Return whether some file system may take a name for ``.git``.

    Case, trailing dots and spaces, characters that are not drawn, short names, and streams.
    """
    plain = normalize("NFKC", name.translate(_IGNORED)).casefold()
    plain = plain.partition(":")[0].rstrip(". ")
    return plain in {GIT, "git~1"}


def beneath(path: str, chosen: str) -> bool:
    """Return whether a path is the chosen one, or in the chosen folder."""
    return path == chosen or path.startswith(f"{chosen}/")
