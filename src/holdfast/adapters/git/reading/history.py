"""Reads the commits of a repository."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.git.reading.repository import ask_git, find_repository
from holdfast.domain.code.commits import Commit
from holdfast.domain.errors import OutsideUnavailableError
from holdfast.domain.lookup_errors import NoHistoryError, NothingCommittedError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from pathlib import Path

    from holdfast.adapters.git.reading.repository import Repository
    from holdfast.domain.memory.evidence import FilePlace

MOST_COMMITS = 20_000
_MOST_TOUCHING = 200
# Following lines compares files; no program of the repository may convert them first.
_UNCONVERTED = ("--no-patch", "--no-textconv", "--no-ext-diff")
_FORMAT = "--format=%x1e%H%x1f%B%x1f"


class GitHistory:
    """The history of the repository that contains a folder, from one moment on."""

    def __init__(self, folder: Path, *, since: datetime | None = None) -> None:
        self._folder = folder
        # No commit is from before 1970: git counts their seconds from there.
        start = None if since is None else max(0, int(since.timestamp()))
        self._since = () if start is None else (f"--since=@{start} +0000",)

    def commits(self) -> Sequence[Commit]:
        """Return the commits that lead to HEAD, oldest first."""
        status, words, trouble = ask_git(
            self._repository(), "log", f"--max-count={MOST_COMMITS}", _FORMAT, *self._since, "HEAD"
        )
        if status != 0:
            if "does not have any commits" in trouble or "unknown revision" in trouble:
                raise NothingCommittedError
            raise OutsideUnavailableError(who="git", words=trouble)
        return _read(words)

    def touching(self, place: FilePlace) -> Sequence[Commit]:
        """Return the commits that changed these lines, as git traces them back from HEAD."""
        most = f"--max-count={_MOST_TOUCHING}"
        repository = self._repository()
        if place.first is not None and place.last is not None:
            lines = f"-L{place.first},{place.last}:{place.path}"
            status, words, _ = ask_git(
                repository, "log", *_UNCONVERTED, most, _FORMAT, *self._since, lines
            )
            if status == 0:
                return _read(words)
        # The lines may no longer exist; then the history of the file is used.
        status, words, _ = ask_git(
            repository, "log", most, _FORMAT, *self._since, "HEAD", "--", place.path
        )
        return _read(words) if status == 0 else ()

    def _repository(self) -> Repository:
        repository = find_repository(self._folder)
        if repository is None:
            raise NoHistoryError
        return repository


def _read(words: str) -> tuple[Commit, ...]:
    commits = []
    for record in words.split("\x1e")[1:]:
        name, _, rest = record.partition("\x1f")
        message, _, _ = rest.partition("\x1f")
        commits.append(Commit(id=name.strip(), message=message.strip()))
    return tuple(reversed(commits))
