"""Which repository and branch a folder is in, read with the os module alone.

A prompt asks again and again, so nothing is imported here that would cost it a millisecond.
Where these few files do not tell, the answer is None and the whole engine is asked.
"""

from __future__ import annotations

import os

BOOK_FILE = "repositories.json"
_GIT = ".git"
_LINK = "gitdir: "
_BRANCH = "ref: refs/heads/"
_LARGEST = 4_096
# Nothing git does later changes a file as old and as dull as these.
_DULL = ("description", "info/exclude")


def find_checkout(folder: str) -> tuple[str, str] | None:
    """Return the git folder of a checkout and the branch; '' where no branch is checked out.

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


def identity_of(common_dir: str) -> str | None:
    """Return what tells a git folder from every other one; None where that is doubtful.

    An inode is soon given to the next folder, so the moment at which git made a dull file
    in it counts too.
    """
    for dull in _DULL:
        try:
            status, file = os.stat(common_dir), os.stat(f"{common_dir}/{dull}")
        except OSError:
            continue
        return f"{status.st_dev}.{status.st_ino}:{file.st_ino}.{file.st_mtime_ns}"
    return None


def common_dir_of(git_dir: str) -> str:
    """Return the git folder that all worktrees of a repository share."""
    shared = _words(f"{git_dir}/commondir")
    return os.path.realpath(os.path.join(git_dir, shared)) if shared else git_dir


def _git_dir(root: str) -> str:
    """Return where git keeps its things: a folder, or where a file in its place leads."""
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
