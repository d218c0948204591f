"""Tells whether the text of a file is of the person of this clone, or came with git.

A squash, a checkout of paths, a stash or a cherry-pick without a commit leave a text of somebody
else as if it were edited here. So a text is somebody else's if a commit has it that was not made
here. What was found out stays: a branch of somebody else may be removed, and somebody else may
commit the same text later.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from holdfast.adapters.disk.atomic_files import read_plain, write_whole
from holdfast.adapters.git.own_commits import OwnCommits
from holdfast.adapters.git.page_versions import page_versions
from holdfast.adapters.git.reading.converted import converted
from holdfast.adapters.git.reading.reading import blob_names
from holdfast.adapters.git.reading.repository import ask_git, ask_git_bytes
from holdfast.domain.errors import OutsideUnavailableError
from holdfast.domain.memory.anchor import is_whole

if TYPE_CHECKING:
    from collections.abc import Collection

    from holdfast.adapters.git.reading.repository import Repository

_OWN, _OTHER = "own", "other"
_KNOWN = "texts"
_HASHES = (40, 64)
_CHANGED = (
    *("log", "--full-history", "--root", "--no-follow", "--no-renames", "-z", "--name-only"),
    *("--no-show-signature", "--format=%x00%H"),
)


class OwnTexts:
    """The texts of a file that are known in one clone, as the names of their blobs."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._file = repository.common_dir / "holdfast" / _KNOWN

    def is_own(self, path: str) -> bool:
        """Return whether a file has a text of this person; False if that cannot be determined."""
        from holdfast.adapters.git.clone import is_joining

        names = _names(read_plain(self._repository.root / path))
        known = self._known()
        for name in names:
            if name in known:
                return known[name] == _OWN
        with suppress(OutsideUnavailableError):
            if is_joining(self._repository):
                # What a merge put together has lines of both sides, and may be in no commit.
                if not self._is_committed(path, names):
                    self._learn(names, _OTHER)
                return False
            # The text of a converted file is in no commit.
            is_own = not (converted(self._repository, [path]) or self._is_brought(path, names))
            self._learn(names, _OWN if is_own else _OTHER)
            return is_own
        return False

    def _is_brought(self, path: str, names: Collection[str]) -> bool:
        """Return whether a commit that was not made here brought one of these blobs.

        Raises:
            OutsideUnavailableError: Git cannot tell.
        """
        own = OwnCommits(self._repository, path).own()
        versions = page_versions(self._repository, path)
        return any(one.commit not in own and one.blob in names for one in versions)

    def _is_committed(self, path: str, names: Collection[str]) -> bool:
        status, answer, _ = ask_git(self._repository, "rev-parse", "--verify", f"HEAD:{path}")
        return status == 0 and answer.strip() in names

    def _known(self) -> dict[str, str]:
        """Return whose the known texts are, by the names of their blobs."""
        with suppress(OSError):
            lines = read_plain(self._file).decode("utf-8", "replace").splitlines()
            return {name: whose for whose, _, name in (line.partition(" ") for line in lines)}
        return {}

    def _learn(self, names: Collection[str], whose: str) -> None:
        known = self._known() | dict.fromkeys(names, whose)
        text = "".join(f"{whose} {name}\n" for name, whose in sorted(known.items()))
        # Where nothing can be written, the next call asks git again.
        with suppress(OSError):
            write_whole(self._file, text.encode())


def changed_here(repository: Repository, paths: Collection[str]) -> frozenset[str]:
    """Return the files that a commit of this person wrote, of those before the checked-out one."""
    folders = sorted({path.rpartition("/")[0] for path in paths})
    status, answer, _ = ask_git_bytes(repository, *_CHANGED, "HEAD", "--", *folders)
    own, is_own, found = set[str](), False, set[str]()
    if status == 0:
        with suppress(OutsideUnavailableError):
            own = OwnCommits(repository, os.path.commonpath(paths)).own()
    # A commit begins with an empty name, and its own name follows.
    for word in (os.fsdecode(one).lstrip("\n") for one in answer.split(b"\0")):
        if is_whole(word):
            is_own = word in own
        elif is_own:
            found.add(word)
    return frozenset(paths) & found


def _names(content: bytes) -> tuple[str, ...]:
    """Return the names that a content can have as a blob, in a repository of either hash."""
    return tuple(name for letters in _HASHES for name in blob_names(content, letters=letters))
