"""Reads commits: their messages, the files they touched, and the lines they changed."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from secrets import token_hex
from typing import TYPE_CHECKING

from holdfast.adapters.git.reading.graph import is_partial
from holdfast.adapters.git.reading.refs import read_refs
from holdfast.adapters.git.reading.repository import ask_git, ask_git_bytes, find_repository
from holdfast.domain.code.commits import CommitRecord, Touched
from holdfast.domain.errors import OutsideUnavailableError
from holdfast.domain.lookup_errors import NoHistoryError, NothingCommittedError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from pathlib import Path

    from holdfast.adapters.git.reading.repository import Repository

_PROSE = tuple(f":(top,exclude,glob)**/*.{one}" for one in ("md", "rst", "txt", "adoc"))
MOST_FILES = 200
MOST_LINES = 20
LONGEST_MESSAGE = 16 * 1024
# Larger files count as touched, and are not compared line by line.
_SETTINGS = ("-c", "core.bigFileThreshold=512k", "-c", "core.quotePath=false")
_LOG = (
    *("log", "--stdin", "--no-walk=unsorted", "--no-decorate", "--no-notes", "--encoding=UTF-8"),
    *("--no-color", "--no-ext-diff", "--no-textconv"),
    *("--src-prefix=a/", "--dst-prefix=b/", "--submodule=short"),
)
_WHOLE = ("--raw", "-p", "-U0", "-M", "-l200")
# A partial clone may lack files or folders: then only their names, or only the message, are read.
_IN_PART = (("--raw", "--no-renames"), ("--no-patch",))
_HUNK = re.compile(rb"@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_LATEST = 253_402_300_799


class GitLog:
    """The commits of the repository that contains a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def head(self) -> str:
        """Return the commit that is checked out."""
        head = read_refs(self._repository()).tip("HEAD")
        if head is None:
            raise NothingCommittedError
        return head

    def leading_to(self, head: str, *, most: int, since: int = 0) -> Sequence[str]:
        """Return the newest commits that lead to a commit, from a moment on, newest first."""
        bounds = (f"--max-count={most}", f"--max-age={since}")
        return self._answer("rev-list", *bounds, head, "--").split()

    def between(self, old: str, new: str) -> tuple[Collection[str], Sequence[str]] | None:
        """Return the commits reachable only from the old one, and those only from the new one."""
        status, words, _ = ask_git(
            self._repository(), "rev-list", "--left-right", f"{old}...{new}", "--"
        )
        if status != 0:
            return None
        lines = words.split()
        gone = [line[1:] for line in lines if line[0] == "<"]
        return gone, [line[1:] for line in lines if line[0] == ">"]

    def in_no_branch(self, commits: Collection[str]) -> Collection[str]:
        """Return the commits that no branch and no tag reaches, or that no longer exist."""
        asked = "".join(f"{commit}\n" for commit in commits)
        there = self._answer("cat-file", "--batch-check=%(objectname)", given=asked).split("\n")
        here = [line for line in there if line and not line.endswith(" missing")]
        given = "".join(f"{commit}\n" for commit in here)
        loose = set(self._answer("rev-list", "--stdin", "--not", "--all", given=given).split())
        return {commit for commit in commits if commit in loose or commit not in here}

    def stories(self, commits: Sequence[str]) -> Sequence[CommitRecord]:
        """Return the messages and changes of commits, in the given order."""
        if not commits:
            return ()
        # A random separator: no message can contain it.
        mark = token_hex(16)
        repository = self._repository()
        for shown in (_WHOLE, *(_IN_PART if is_partial(repository) else ())):
            status, words, trouble = ask_git_bytes(
                repository,
                *(*_SETTINGS, *_LOG, *shown, f"--format={mark}%n%H %at%n%B%n{mark}"),
                given="".join(f"{commit}\n" for commit in commits).encode("ascii", "replace"),
            )
            if status == 0:
                return tuple(_read(words, mark.encode("ascii")))
        raise OutsideUnavailableError(who="git", words=trouble[:300])

    def messages(self, commits: Sequence[str]) -> Sequence[CommitRecord]:
        """Return the messages of commits in the given order, without their changes."""
        if not commits:
            return ()
        mark = token_hex(16)
        status, words, trouble = ask_git_bytes(
            self._repository(),
            *(*_SETTINGS, *_LOG, "--no-patch", f"--format={mark}%n%H %at%n%B%n{mark}"),
            given="".join(f"{commit}\n" for commit in commits).encode("ascii", "replace"),
        )
        if status != 0:
            raise OutsideUnavailableError(who="git", words=trouble[:300])
        return tuple(_read(words, mark.encode("ascii")))

    def mentions(self, name: str) -> bool:
        """Tell whether a tracked file but no prose has a name as a whole word, or is named so."""
        named = self._answer("ls-files", "-z", "--", f":(top,icase,glob)**/*{name}*")
        if named:
            return True
        words = ("grep", "-q", "-I", "-F", "-w", "--no-color", "-e", name, "--", ":(top)", *_PROSE)
        status, _, trouble = ask_git(self._repository(), *words)
        if status > 1:
            raise OutsideUnavailableError(who="git", words=trouble[:300])
        return status == 0

    def _answer(self, *words: str, given: str | None = None) -> str:
        status, answer, trouble = ask_git(
            self._repository(), *words, given=None if given is None else given.encode()
        )
        if status != 0:
            raise OutsideUnavailableError(who="git", words=trouble[:300])
        return answer

    def _repository(self) -> Repository:
        repository = find_repository(self._folder)
        if repository is None:
            raise NoHistoryError
        return repository


def _read(words: bytes, mark: bytes) -> Iterator[CommitRecord]:
    parts = words.split(mark + b"\n")
    for told, diff in zip(parts[1::2], parts[2::2], strict=True):
        first, _, message = told.partition(b"\n")
        name, _, seconds = first.decode("ascii").partition(" ")
        yield CommitRecord(
            id=name,
            at=datetime.fromtimestamp(min(max(int(seconds), 0), _LATEST), tz=UTC),
            message=message[:LONGEST_MESSAGE].decode("utf-8", "replace").strip(),
            touched=_touched(diff),
        )


def _touched(diff: bytes) -> tuple[Touched, ...]:
    """Return the files of a diff, with the first changed lines of each."""
    found: dict[str, list[tuple[int, int]]] = {}
    current: list[tuple[int, int]] = []
    left = 0
    for line in diff.split(b"\n"):
        start = line[:1]
        if left:
            left -= start in (b"+", b"-")
        elif start == b":":
            found[_path(line.rpartition(b"\t")[2])] = []
        elif line.startswith((b"--- a/", b"+++ b/", b'--- "a/', b'+++ "b/')):
            current = found.get(_path(line[4:], prefix=2), [])
        elif hunk := _HUNK.match(line) if start == b"@" else None:
            left, lines = _hunk(hunk)
            current.append(lines)
    return tuple(
        Touched(path=path, lines=tuple(lines[:MOST_LINES]))
        for path, lines in list(found.items())[:MOST_FILES]
    )


def _hunk(hunk: re.Match[bytes]) -> tuple[int, tuple[int, int]]:
    """Return how many lines of the hunk follow, and the range of its new lines."""
    gone, first, came = hunk.groups(default=b"1")
    at, many = max(1, int(first)), int(came)
    return int(gone) + many, (at, max(at, at + many - 1))


def _path(word: bytes, *, prefix: int = 0) -> str:
    """Return the unquoted path; git quotes paths with unusual characters."""
    word = word.rstrip(b"\t")
    if word.startswith(b'"'):
        word = word[1:-1].replace(b'\\"', b'"').replace(b"\\\\", b"\\")
    return word[prefix:].decode("utf-8", "replace")
