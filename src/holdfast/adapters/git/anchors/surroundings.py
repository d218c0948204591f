"""Finds the current place, and reads the lines that evidence names inside the repository."""

from __future__ import annotations

import os
import re
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.adapters.git.reading.reading import (
    LARGEST_FILE,
    NotThereError,
    read_content,
    shown,
    text_lines,
)
from holdfast.adapters.git.reading.recognition import repository_id
from holdfast.adapters.git.reading.repository import find_repository
from holdfast.domain.errors import EvidenceUnreadableError
from holdfast.domain.lookup_errors import EvidenceWithheldError
from holdfast.domain.memory.anchor import text_hash
from holdfast.domain.memory.callers import Visible
from holdfast.domain.memory.place import DEFAULT_SPACE, DEFAULT_WORKSPACE, Place
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from holdfast.adapters.git.anchors.capture import Capture
    from holdfast.adapters.git.reading.repository import Repository
    from holdfast.domain.memory.anchor import Anchor, BranchPoint, FoundLines
    from holdfast.domain.memory.evidence import FilePlace
    from holdfast.domain.memory.place import SpaceId
    from holdfast.ports.recall.code import Outline

__all__ = ["LARGEST_FILE", "LocalSurroundings", "ReadLines"]

_NO_FILE = "there is no such file."
_LINES_OF_LINK = re.compile(r"(?P<path>[^#\n]+)#L(?P<first>\d+)(?:-L?(?P<last>\d+))?")
_FIRST_OF_TWO = re.compile(r"(?P<path>[^\n]+):(?P<first>[0-9]{1,9})")
"""A path with the first of two numbers: the second was read as its line."""
_COMMAND = re.compile(r"[\w-]+(?: +[^\s.:]+)+")
_COMMIT = re.compile(r"HEAD(?:[~^]\d*)*|[0-9a-f]{7,40}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadLines:
    """The lines that were read, their place, the hash of exactly that text, and their anchor."""

    path: str
    first: int
    last: int
    text_hash: str
    anchor: Anchor | None = None


class LocalSurroundings:
    """The folder a command runs in."""

    def __init__(
        self,
        folder: Path,
        *,
        cache: Path,
        space: SpaceId = DEFAULT_SPACE,
        workspace: str = DEFAULT_WORKSPACE,
        outline: Outline | None = None,
        visible: Visible = Visible.EVERY_FILE,
    ) -> None:
        self._visible = visible
        self._folder = Path(os.path.realpath(folder))
        self._cache = cache
        self._space = space
        self._workspace = workspace
        self._outline = outline

    @cached_property
    def _repository(self) -> Repository | None:
        return find_repository(self._folder)

    @cached_property
    def _place(self) -> Place:
        repository = self._repository
        if repository is None:
            return Place(space=self._space, workspace=self._workspace)
        return Place(
            space=self._space,
            workspace=self._workspace,
            repo=repository_id(repository, cache=self._cache),
            branch=repository.branch,
        )

    def place(self) -> Place:
        """Return the workspace, repository and branch of the folder."""
        return self._place

    def branch_point(self) -> BranchPoint | None:
        """Return the branch and the commit that are checked out."""
        from holdfast.adapters.git.lineage.standing import branch_point

        return None if self._repository is None else branch_point(self._repository)

    def main_branch(self) -> str | None:
        """Return the remote's default branch, else one of the usual names, else the only branch."""
        from holdfast.adapters.git.lineage.standing import main_branch

        return None if self._repository is None else main_branch(self._repository)

    def names_now(self, branches: Collection[str]) -> Mapping[str, str]:
        """Return those of the branches that were renamed, with their names now."""
        from holdfast.adapters.git.lineage.succession import names_now

        return {} if self._repository is None else names_now(self._repository, branches)

    @cached_property
    def _capture(self) -> Capture | None:
        from holdfast.adapters.git.anchors.capture import Capture

        if self._repository is None:
            return None
        return Capture(self._repository, outline=self._outline)

    @property
    def _root(self) -> Path:
        return self._folder if self._repository is None else self._repository.root

    def read_lines(self, found: FoundLines) -> list[str]:
        """Return some lines of a file from disk."""
        path = _beneath(self._root, self._root, found.path)
        self._refuse_withheld(path)
        content = read_content(self._root, path)
        return text_lines(content, found.path)[found.first - 1 : found.last]

    def read_span(self, place: FilePlace) -> ReadLines:
        """Read the lines from disk; the hash is of exactly the text that was read."""
        root = self._root
        path = _beneath(root, root if place.is_from_root else self._folder, place.path)
        self._refuse_withheld(path)
        content = self._content(path, place)
        lines = text_lines(content, str(path))
        first, last = place.first or 1, place.last or len(lines)
        if not lines:
            raise EvidenceUnreadableError(shown(place.path), "it is empty.")
        if not first <= last <= len(lines):
            has = f"{len(lines)} line{'s' if len(lines) != 1 else ''}"
            raise EvidenceUnreadableError(
                place.path, f"it has {has}, line {max(first, last)} is not there."
            )
        capture, name = self._capture, path.as_posix()
        if self._repository is None:
            # The file is in no repository, so only the absolute path identifies it.
            name = (root / path).as_posix()
        anchor = None
        if capture is not None:
            anchor = capture.anchor(name, content, lines, first=first, last=last)
        return ReadLines(
            path=name,
            first=first,
            last=last,
            text_hash=text_hash(lines[first - 1 : last]),
            anchor=anchor,
        )

    def _content(self, path: Path, place: FilePlace) -> bytes:
        """Read a file; if it does not exist, tell what was probably meant."""
        try:
            return read_content(self._root, path)
        except NotThereError as error:
            problem = _meant(place) or self._meant_from_root(place)
            if not problem:
                raise
            raise NotThereError(shown(place.path), shown(problem)) from error

    def _meant_from_root(self, place: FilePlace) -> str:
        """Return how a path from the root is written here; empty if there is no such file either.

        Answers show paths from the root, so people paste them into commands of a subfolder.
        """
        root = self._root
        if place.is_from_root or root == self._folder:
            return ""
        try:
            path = _beneath(root, root, place.path)
            self._refuse_withheld(path)
            read_content(root, path)
        except EvidenceUnreadableError:
            return ""
        return (
            "there is no such file: paths begin in the current folder."
            f" For {path.as_posix()} of the repository write {os.path.relpath(path, self._inside)}."
        )

    @property
    def _inside(self) -> Path:
        """The current folder, from the root."""
        return self._folder.relative_to(self._root)

    def _refuse_withheld(self, path: Path) -> None:
        """Return if the caller may know about a file; whether it exists makes no difference."""
        if self._visible is Visible.EVERY_FILE:
            return
        from holdfast.adapters.git.reading.ignored import IGNORED, is_of_git, withheld

        name = path.as_posix()
        repository = self._repository
        if is_of_git(name) or (repository is not None and withheld(repository, [name])):
            raise EvidenceWithheldError(shown(name), f"{IGNORED}.")


def _meant(place: FilePlace) -> str:
    """Return how evidence is written that a missing path was probably meant for.

    Whether a part of the path is a file makes no difference: an agent may not learn it.
    """
    said = place.path
    if (pair := _FIRST_OF_TWO.fullmatch(said)) and place.first is not None:
        path, first, second = pair["path"], int(pair["first"]), place.first
        many = f"{path}:{first}-{second}, and one line as " if first < second else ""
        return f"{_NO_FILE} Lines are written as {many}{path}:{first}."
    if link := _LINES_OF_LINK.fullmatch(said):
        lines = "-".join(part for part in link.group("first", "last") if part)
        return f"{_NO_FILE} Lines are written as {link['path']}:{lines}."
    if _COMMIT.fullmatch(said):
        return f"{_NO_FILE} A commit is written as commit:{said}."
    if _COMMAND.fullmatch(said):
        return f"{_NO_FILE} A command that was run is written as command:{said}."
    file, colon, rest = said.rpartition(":")
    if not (file and colon and rest):
        return ""
    return f"{_NO_FILE} If '{rest}' should name lines, write a number: {file}:10, or {file}:10-30."


def _beneath(root: Path, folder: Path, path: str) -> Path:
    """Return the path relative to the root, without resolving links; opening checks those.

    Only a path that seems to lead outside is resolved: the path of the root may contain a link.
    """
    whole = Path(os.path.normpath(folder / path))
    if whole.is_relative_to(root):
        return whole.relative_to(root)
    try:
        real = Path(os.path.realpath(whole.parent)) / whole.name
        return real.relative_to(root)
    except ValueError:
        raise EvidenceUnreadableError(shown(path), f"it is outside {root.name or root}.") from None
