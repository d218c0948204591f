"""Finds files outside the folder of the pages whose text git may have put into a page.

Where one side renamed a file, git applies a change of the other side to the new path. So a text
of others may be in no page of theirs, and come into one of this clone by a merge, a squash or a
cherry-pick.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from holdfast.adapters.git.page_versions import read_versions
from holdfast.adapters.git.reading.objects import (
    MOST_BYTES,
    difference_of,
    existing,
    git_answer,
    path_of,
    read_blobs,
)
from holdfast.adapters.git.reading.refs import moves, read_refs
from holdfast.adapters.git.reading.repository import ask_git
from holdfast.domain.errors import OutsideUnavailableError
from holdfast.domain.memory.anchor import is_whole

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from holdfast.adapters.git.page_versions import PageVersion
    from holdfast.adapters.git.reading.repository import Repository

_RENAMES = (
    *("diff-tree", "--stdin", "--root", "-r", "-z", "--raw", "--no-abbrev"),
    *("-M", "-l1000", "--diff-filter=R"),
)
_MOST_MOVES = 1_000
_TREE = ("ls-tree", "-r", "-z", "--name-only")
_COMMON = ("merge-base", "--octopus")
_LARGEST = 4 * 1024 * 1024
"""Git takes a file for a renamed one only if neither is more than twice as large as the other."""
_RULE = re.compile(rb"^---[ \t]*\r?$", re.MULTILINE)
_KEY = re.compile(rb"^[\"']?(?:id|uid|type|kind|status)[\"']?[ \t]*:", re.MULTILINE)
_SENTENCE = 20
"""Shorter lines, such as the border of a code block, are in files that are no pages, too."""


class MovedPages:
    """The files of one repository that are, or may have been, pages under another path.

    ``starts`` are the commits at which git starts in addition to the refs.
    """

    def __init__(self, repository: Repository, folder: str, starts: Collection[str]) -> None:
        self._repository = repository
        self._folder = folder
        self._starts = starts

    def of_others(
        self,
        versions: Sequence[PageVersion],
        *,
        own: Collection[str],
        since: Collection[str],
        lines: Collection[str],
    ) -> list[PageVersion]:
        """Return what commits of others left in such files.

        These are the files that a commit moved to a page or from one, in all commits; and all
        files with entries, or with one of the lines, in the commits that are not before ``since``.
        A file that was there at that commit, and is now, was not renamed in between.

        Raises:
            OutsideUnavailableError: Git cannot tell, or there is too much to read.
        """
        moved = self._moved(versions)
        found = self._versions(*moved) if moved else []
        start = self._common(since)
        after = [one for one in self._versions(since=start) if one.commit not in own]
        if any(one.blob for one in after):
            there = self._paths_at(start) & self._paths_at(read_refs(self._repository).tip("HEAD"))
            found += self._read([one for one in after if one.path not in there], lines)
        theirs = dict.fromkeys(one for one in found if one.commit not in own and one.blob)
        return [one for one in theirs if not self._is_page(one.path)]

    def _is_page(self, path: str) -> bool:
        return path.startswith(f"{self._folder}/")

    def _moved(self, versions: Sequence[PageVersion]) -> list[str]:
        """Return the paths that pages came from or went to in one of the newest such commits."""
        asked = dict.fromkeys(one.commit for one in versions if not one.before or one.blob is None)
        if not asked:
            return []
        answer = git_answer(self._repository, *_RENAMES, given=[*asked][:_MOST_MOVES])
        fields, found = iter(answer.split(b"\0")), set[str]()
        for field in fields:
            # The name of a commit is before its first row.
            if field.startswith(b":"):
                (one,) = difference_of(field.decode(), fields)
                found |= {one.path, one.renamed_from or one.path}
        return sorted(path for path in found if not self._is_page(path))

    def _versions(self, *paths: str, since: str | None = None) -> list[PageVersion]:
        given = [*self._starts, *([f"^{since}"] if since else [])]
        # A path of others may begin with the characters of a pattern.
        return read_versions(self._repository, *(f":(literal){one}" for one in paths), given=given)

    def _common(self, since: Collection[str]) -> str | None:
        """Return the newest commit before all of these; without one, where the reflog begins."""
        known = sorted(existing(self._repository, filter(is_whole, since)))
        if len(known) > 1:
            status, answer, _ = ask_git(self._repository, *_COMMON, *known)
            known = [answer.strip()] if status == 0 else []
        if not known:
            first = [move.new for move in moves(self._repository)[:1]]
            known = sorted(existing(self._repository, first))
        return known[0] if known else None

    def _paths_at(self, commit: str | None) -> set[str]:
        if commit is None:
            return set()
        names = git_answer(self._repository, *_TREE, commit).split(b"\0")
        return {path_of(name) for name in names}

    def _read(self, rows: Sequence[PageVersion], lines: Collection[str]) -> list[PageVersion]:
        """Return the versions that have an entry, or one of the lines that are sentences."""
        blobs = {one.blob for one in rows if one.blob}
        texts = read_blobs(self._repository, sorted(blobs), largest=_LARGEST)
        if sum(map(len, texts.values())) > MOST_BYTES - _LARGEST:
            words = "the files that are not checked out are too large to be read."
            raise OutsideUnavailableError(who="git", words=words)
        sought = [one.encode("utf-8", "surrogateescape") for one in lines if len(one) >= _SENTENCE]
        like = {blob for blob, text in texts.items() if _is_like_page(text, sought)}
        return [one for one in rows if one.blob in like]


def _is_like_page(text: bytes, sought: Collection[bytes]) -> bool:
    if _RULE.search(text) and _KEY.search(text):
        return True
    return any(line in text for line in sought)
