"""Finds the repository and branch of a folder with the os module alone.

A shell prompt calls this again and again, so nothing is imported that costs a millisecond. If these
few files do not give the answer, the result is None and the full code is used.
"""

from __future__ import annotations

import os

BOOK_FILE = "repositories.json"
_GIT = ".git"
_LINK = "gitdir: "
_BRANCH = "ref: refs/heads/"
_LARGEST = 4_096
_HASH_LETTERS = (40, 64)
_DIGITS = frozenset("0123456789abcdef")
# Git creates it with the repository, and nobody changes it later.
_DULL = "description"


def find_checkout(folder: str) -> tuple[str, str] | None:
    """Return the git folder of a checkout and the branch; '' if no branch is checked out.

    None means that the folder is in no repository.
    """
    at = os.path.realpath(folder or ".")
    while True:
        git_dir = _git_dir(at)
        head = _words(f"{git_dir}/HEAD")
        if head:
            branch = head.removeprefix(_BRANCH) if head.startswith(_BRANCH) else ""
            return git_dir, branch
        above = os.path.dirname(at)
        if above == at:
            return None
        at = above


def head_of(git_dir: str, branch: str) -> str:
    """Return the commit of a branch, or of a detached HEAD; '' if these files do not tell it."""
    if not branch:
        found = _words(f"{git_dir}/HEAD")
    else:
        common = common_dir_of(git_dir)
        found = _words(f"{common}/refs/heads/{branch}") or _packed(common, branch)
    return found if len(found) in _HASH_LETTERS and not set(found) - _DIGITS else ""


def _packed(common_dir: str, branch: str) -> str:
    """Return the commit of a branch that git has packed into one file with others."""
    mark = f" refs/heads/{branch}".encode("utf-8", "surrogateescape")
    try:
        with open(f"{common_dir}/packed-refs", "rb") as file:
            for line in file:
                if line.rstrip(b"\n").endswith(mark):
                    return line.partition(b" ")[0].decode("ascii", "replace")
    except (OSError, ValueError):
        return ""
    return ""


def identity_of(common_dir: str) -> str | None:
    """Return an identifier of a git folder; None if it would be doubtful.

    An inode number is soon reused, so the creation time of a file that git never changes counts
    too.
    """
    try:
        status, file = os.stat(common_dir), os.stat(f"{common_dir}/{_DULL}")
    except OSError:
        return None
    return f"{status.st_dev}.{status.st_ino}:{file.st_ino}.{file.st_mtime_ns}"


def common_dir_of(git_dir: str) -> str:
    """Return the git folder that all worktrees of a repository share."""
    shared = _words(f"{git_dir}/commondir")
    return os.path.realpath(os.path.join(git_dir, shared)) if shared else git_dir


def _git_dir(root: str) -> str:
    """Return the git folder: the folder itself, or the target of a ``.git`` file."""
    marker = os.path.join(root, _GIT)
    if os.path.isdir(marker):
        return marker
    return os.path.realpath(os.path.join(root, _words(marker).removeprefix(_LINK)))


def _words(path: str) -> str:
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except (OSError, ValueError):
        return ""
    try:
        return os.read(handle, _LARGEST).decode("utf-8", "replace").strip()
    except OSError:
        return ""
    finally:
        os.close(handle)
