"""Reads which commits changed the files of a folder, and which blobs they left there.

Every commit counts that git can find: those of all refs, of the last fetch, of the reflogs, and
those that nothing refers to any more. So a text that others took back again is found, too.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from holdfast.adapters.disk.atomic_files import read_plain
from holdfast.adapters.git.lost_commits import lost_commits
from holdfast.adapters.git.other_commits import said_by
from holdfast.adapters.git.reading.objects import existing, git_answer, path_of
from holdfast.adapters.git.reading.refs import moves_of_heads
from holdfast.domain.errors import OutsideUnavailableError
from holdfast.domain.memory.anchor import is_whole

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from holdfast.adapters.git.reading.repository import Repository

MOST_VERSIONS = 200_000
"""How many versions of files are read; they take a second, and 20 MB."""
_FETCHED = ("FETCH_HEAD", "ORIG_HEAD")
_MOST_MOVES = 1_000
_REMOTES_BEFORE = ("log", "-g", "--remotes", f"--max-count={_MOST_MOVES}", "--format=%H")
_CHANGES = (
    # A stash has texts of the person, and its commits are not made with ``git commit``.
    *("log", "--exclude=refs/stash", "--all", "--stdin"),
    *("--full-history", "--root", "--no-follow"),
    # Of a merge, only a text counts that no parent has.
    *("-c", "--raw", "-z", "--no-abbrev", "--no-renames"),
    *("--no-show-signature", "--format=%x00%H"),
)
_ROW, _FILE, _NOTHING = b":", "100", "0"


class PageVersion(NamedTuple):
    """A file as a commit left it, and the blobs that its parents had there.

    ``blob`` is None if the commit removed the file, or left something else in its place.
    """

    commit: str
    path: str
    blob: str | None
    before: tuple[str, ...]


def page_versions(repository: Repository, folder: str) -> list[PageVersion]:
    """Return all versions of the files below a folder, the files of one commit together.

    Raises:
        OutsideUnavailableError: Git cannot tell, or there are too many.
    """
    return read_versions(repository, folder, given=starting_points(repository))


def read_versions(repository: Repository, *paths: str, given: Collection[str]) -> list[PageVersion]:
    """Return the versions of some files or folders, or of all, the files of one commit together.

    ``given`` are commits at which git starts in addition to the refs, or stops.

    Raises:
        OutsideUnavailableError: Git cannot tell, or there are too many.
    """
    answer = git_answer(repository, *_CHANGES, "--", *paths, given=given)
    found = list(_versions(answer))
    if len(found) > MOST_VERSIONS:
        words = f"it has more than {MOST_VERSIONS} versions of {', '.join(paths) or 'files'}."
        raise OutsideUnavailableError(who="git", words=words)
    return found


def starting_points(repository: Repository) -> list[str]:
    """Return the commits at which a walk starts in addition to the refs.

    Raises:
        OutsideUnavailableError: Git cannot tell.
    """
    noted = [move.new for move in moves_of_heads(repository)[-_MOST_MOVES:]]
    asked = (*fetched_tips(repository), *noted, *lost_commits(repository))
    return sorted(existing(repository, asked))


def fetched_tips(repository: Repository) -> list[str]:
    """Return the tips of the last fetch, and those that branches of remotes had before."""
    found = said_by(repository, *_REMOTES_BEFORE).split()
    folders = dict.fromkeys((repository.git_dir, repository.common_dir))
    for file in (folder / name for folder in folders for name in _FETCHED):
        with suppress(OSError, ValueError):
            text = read_plain(file).decode("utf-8", "replace")
            found += [line.split()[0] for line in text.splitlines() if line.split()]
    return [one for one in found if is_whole(one)]


def _versions(answer: bytes) -> Iterator[PageVersion]:
    """Parse what git says; a path may have any bytes but NUL."""
    fields = iter(answer.split(b"\0"))
    commit = ""
    for field in fields:
        # Git ends the line of the commit before its first row.
        row = field.lstrip(b"\n")
        if row.startswith(_ROW):
            yield _version(commit, row.decode(), path_of(next(fields)))
        elif row:
            commit = row.decode()


def _version(commit: str, row: str, path: str) -> PageVersion:
    """Parse a row: a mode for each parent and one for the commit, their blobs, and a status."""
    words = row.lstrip(":").split()
    parents = len(words) // 2 - 1
    modes, blobs = words[: parents + 1], words[parents + 1 : -1]
    before = tuple(one for one in blobs[:-1] if one.strip(_NOTHING))
    blob = blobs[-1] if modes[-1].startswith(_FILE) else None
    return PageVersion(commit, path, blob, before)
