"""The pages of a working tree as git has them: committed, and in a merge that is not finished."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from holdfast.adapters.git.objects import read_blobs
from holdfast.adapters.git.refs import HEADS, read_refs
from holdfast.adapters.git.repository import ask_git_bytes
from holdfast.domain.errors import OutsideUnavailableError
from holdfast.ports.versions import Stages

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from holdfast.adapters.git.repository import Repository

_FILE = "100"
_BASE, _OURS, _THEIRS = "1", "2", "3"


class GitVersions:
    """The history of one working tree, asked from git: at most two processes a question."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    def state_folder(self) -> Path:
        """Return a folder in the git folder of this working tree."""
        return self._repository.git_dir / "holdfast"

    def branch(self) -> str:
        """Return the branch that is checked out now, or the commit where none is.

        Raises:
            OutsideUnavailableError: Only git can tell, and it is not there.
        """
        refs = read_refs(self._repository)
        target = refs.target("HEAD")
        if target is not None and target.startswith(HEADS):
            return target
        return f"HEAD@{refs.tip('HEAD')}"

    def committed(self, folder: str) -> Mapping[str, bytes]:
        """Return the files below a folder as the last commit has them.

        Raises:
            OutsideUnavailableError: Git is not there, or does not want to read the repository.
        """
        head = read_refs(self._repository).tip("HEAD")
        if head is None:
            return {}
        found = {}
        for mode, blob, _, path in self._listed("ls-tree", "-r", "-z", head, "--", f"{folder}/"):
            if mode.startswith(_FILE):
                found[path] = blob
        contents = read_blobs(self._repository, found.values())
        return {path: contents[blob] for path, blob in found.items() if blob in contents}

    def unmerged(self, folder: str) -> Mapping[str, Stages]:
        """Return the files below a folder that a merge could not join.

        Raises:
            OutsideUnavailableError: Git is not there, or does not want to read the repository.
        """
        found: dict[str, dict[str, str]] = {}
        for mode, blob, stage, path in self._listed("ls-files", "-u", "-z", "--", f"{folder}/"):
            if mode.startswith(_FILE):
                found.setdefault(path, {})[stage] = blob
        blobs = [blob for stages in found.values() for blob in stages.values()]
        contents = read_blobs(self._repository, blobs) if blobs else {}
        return {
            path: Stages(
                base=contents.get(stages.get(_BASE, ""), b""),
                ours=contents[stages[_OURS]],
                theirs=contents[stages[_THEIRS]],
            )
            for path, stages in found.items()
            if all(contents.get(stages.get(side, "")) is not None for side in (_OURS, _THEIRS))
        }

    def _listed(self, *words: str) -> list[tuple[str, str, str, str]]:
        """Return what git lists: mode, content, stage or nothing, and path."""
        status, answer, trouble = ask_git_bytes(self._repository, *words)
        if status != 0:
            raise OutsideUnavailableError(who="git", words=trouble)
        listed = []
        for row in answer.split(b"\0")[:-1]:
            head, _, name = row.partition(b"\t")
            mode, *rest = head.decode().split()
            # A tree says what sort of thing it lists before it says which, an index after.
            blob, stage = (rest[1], "") if rest[0] == "blob" else (rest[0], rest[1])
            listed.append((mode, blob, stage, os.fsdecode(name)))
        return listed
