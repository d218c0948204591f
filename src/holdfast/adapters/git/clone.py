"""Tells which commits were made in this clone, and reads files of commits."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.adapters.git.brought_pages import BroughtPages
from holdfast.adapters.git.moved_pages import MovedPages
from holdfast.adapters.git.other_commits import OtherCommits, said_by
from holdfast.adapters.git.own_commits import PLAIN, REVERTED, OwnCommits
from holdfast.adapters.git.page_versions import read_versions, starting_points
from holdfast.adapters.git.reading.converted import attribute_files, converted
from holdfast.adapters.git.reading.objects import (
    existing,
    git_answer,
    listed_at,
    path_of,
    read_blobs,
)
from holdfast.adapters.git.reading.reading import (
    NotThereError,
    blob_names,
    maybe_lines,
    read_content,
)
from holdfast.adapters.git.reading.refs import moves, moves_of_heads, read_refs
from holdfast.adapters.git.reading.repository import ask_git
from holdfast.domain.errors import EvidenceUnreadableError, OutsideUnavailableError
from holdfast.domain.memory.anchor import is_whole
from holdfast.ports.anchors.clone import BroughtText, FileAtCommit

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from holdfast.adapters.git.entry_marks import FieldReader
    from holdfast.adapters.git.reading.repository import Repository
    from holdfast.ports.anchors.clone import Cited

_MERGES = ("rev-list", "--no-walk", "--min-parents=2", "--stdin")
_MOST = 1_000
_UNFINISHED = (
    *("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "SQUASH_MSG"),
    *("rebase-merge", "rebase-apply"),
)
_OBJECT = re.compile(r"(?P<id>[0-9a-f]{40,64}) (?P<type>[a-z]+) [0-9]+")
_PRESENT = ("ls-files", "--cached", "--others", "-z")
_GREP = ("grep", "-h", "-F", "--text", "--no-color", "--no-recurse-submodules")
_ON_THE_WAY = ("rev-list", "--first-parent", "--max-count=200")
_TIPS = (
    *("for-each-ref", "--sort=-committerdate", "--count=200", "--format=%(objectname)"),
    *("refs/heads", "refs/remotes"),
)
_MOST_TIPS = 200
_MOST_RECENT = 50


def _no_fields(_path: str, _content: bytes, _entries: Collection[str]) -> dict[str, frozenset[str]]:
    """Return no field, for files that are compared by their lines only."""
    return {}


class GitClone:
    """One working tree. Its reflog is local, so only this clone writes it.

    ``fields`` reads the marks of the fields of some entries from the content of a page.
    """

    def __init__(
        self,
        repository: Repository,
        folder: str,
        *,
        is_synced: Callable[[], bool],
        fields: FieldReader = _no_fields,
    ) -> None:
        self._repository = repository
        self._folder = folder
        self._is_synced = is_synced
        self._fields = fields
        self._own = OwnCommits(repository, folder)

    def is_made_here(self, since: str, *, reverts: bool = False) -> bool:
        """Return whether all commits after ``since`` that touched the pages were made here.

        Commits that changed how git converts the pages at a checkout count too.
        """
        if not is_whole(since):
            return False
        # Without the full history git leaves out a merge that returns to one side's old text.
        ask = ("rev-list", "--full-history", f"--max-count={_MOST}", f"{since}..HEAD")
        with suppress(OutsideUnavailableError):
            paths = (self._folder, *attribute_files([self._folder]))
            status, words, _ = ask_git(self._repository, *ask, "--", *paths)
            if status == 0:
                found, noted = set(words.split()), moves_of_heads(self._repository)
                own = self._own.own((*PLAIN, REVERTED) if reverts else PLAIN)
                merged = {move.new for move in noted if move.is_merging}
                rest = found - own
                return len(found) < _MOST and rest <= merged and self._are_merges(rest)
        return False

    def _are_merges(self, commits: Collection[str]) -> bool:
        """Return whether all commits have two parents or more."""
        given = "".join(f"{one}\n" for one in sorted(commits)).encode()
        return not commits or commits == set(
            git_answer(self._repository, *_MERGES, given=given).decode().split()
        )

    def is_joining(self) -> bool:
        """Return whether a merge, rebase or cherry-pick is in progress."""
        return is_joining(self._repository)

    def unedited(self, pages: Collection[str]) -> frozenset[str]:
        """Return the pages that nobody edited here, or that git converts at checkout.

        Git may write other text to a file than the commit has, if attributes that came with the
        clone demand it. Then the two cannot be compared, and the text counts as not written here.
        Pages that were neither made here nor ever synced came from elsewhere, such as an archive.
        """
        if not self._is_synced():
            return frozenset(pages)
        with suppress(OutsideUnavailableError):
            odd = converted(self._repository, pages)
            answer = git_answer(self._repository, *_PRESENT, "--", self._folder)
            present = {path_of(name) for name in answer.split(b"\0")}
            committed = self._committed()
            return frozenset(
                page
                for page in pages
                if page in odd or page not in present or self._is_as(page, committed.get(page))
            )
        return frozenset(pages)

    def _committed(self) -> Mapping[str, str]:
        """Return the blobs of the pages in the last commit, by path."""
        head = read_refs(self._repository).tip("HEAD")
        if head is None:
            return {}
        return listed_at(self._repository, head, "--", self._folder).blobs

    def _is_as(self, page: str, blob: str | None) -> bool:
        """Return whether a page has the committed content, apart from line ends."""
        if blob is None:
            return False
        try:
            held = read_content(self._repository.root, Path(page))
        except NotThereError:
            return False
        except EvidenceUnreadableError:
            return True
        return blob in blob_names(held, letters=len(blob))

    def not_checked_out(self, pages: Collection[str], *, everywhere: bool = True) -> frozenset[str]:
        """Return the pages in commits and in the stash that the checked-out commit lacks."""
        others = OtherCommits(self._repository, self._folder)
        return others.not_checked_out(pages, everywhere=everywhere)

    def brought(
        self,
        lines: Collection[str],
        *,
        entries: Collection[str] = (),
        since: Collection[str] = (),
    ) -> BroughtText:
        """Return what pages of commits have that were not made here."""
        with suppress(OutsideUnavailableError):
            starts = starting_points(self._repository)
            versions = read_versions(self._repository, self._folder, given=starts)
            own = self._own.own() | self._own.own_merges({one.commit for one in versions})
            files = MovedPages(self._repository, self._folder, starts)
            moved = files.of_others(versions, own=own, since=since, lines=lines)
            pages = BroughtPages(
                self._repository, versions, self._folder, self._fields, moved=moved
            )
            return pages.brought(lines, entries=entries, own=own, tips=self._others())
        return BroughtText(lines=frozenset(lines), fields=None)

    def _others(self) -> list[str]:
        """Return the tips and the recently checked-out commits that were not made here."""
        recent = [move.new for move in moves(self._repository)[-_MOST_RECENT:]]
        status, words, trouble = ask_git(self._repository, *_TIPS)
        if status != 0:
            raise OutsideUnavailableError(who="git", words=trouble)
        tips = dict.fromkeys((*filter(is_whole, words.split()), *reversed(recent)))
        theirs = self._own.without_own(list(tips))[:_MOST_TIPS]
        return sorted(existing(self._repository, theirs))

    def held_since(self, since: str, entries: Collection[str]) -> frozenset[str]:
        """Return the ids that pages had in a commit after ``since``, without merged branches."""
        lines = {f"uid: {name}": name for name in entries}
        given = "".join(f"{line}\n" for line in lines)
        if lines and is_whole(since):
            with suppress(OutsideUnavailableError):
                ask = (*_ON_THE_WAY, f"{since}..HEAD", "--", self._folder)
                commits = said_by(self._repository, *ask).split()
                if commits:
                    search = (*_GREP, "-f", "-", *commits, "--", self._folder)
                    found = said_by(self._repository, *search, given=given)
                    return frozenset(lines[line] for line in lines.keys() & set(found.splitlines()))
        return frozenset()

    def files(self, cited: Collection[Cited]) -> Mapping[Cited, FileAtCommit]:
        """Return files of commits; missing files and binary ones are left out."""
        asked = [one for one in cited if not any("\n" in word for word in one)]
        if not asked:
            return {}
        lines = [f"{commit}^{{commit}}\n{commit}:{path}\n" for commit, path in asked]
        given = "".join(lines).encode("utf-8", "surrogateescape")
        with suppress(OutsideUnavailableError):
            answer = git_answer(self._repository, "cat-file", "--batch-check", given=given)
            rows = [_OBJECT.fullmatch(line) for line in answer.decode(errors="replace").split("\n")]
            named = {
                one: (commit["id"], blob["id"])
                for one, commit, blob in zip(asked, rows[::2], rows[1::2], strict=False)
                if commit and blob and (commit["type"], blob["type"]) == ("commit", "blob")
            }
            held = read_blobs(self._repository, {blob for _, blob in named.values()})
            texts = {blob: maybe_lines(content) for blob, content in held.items()}
            return {
                one: FileAtCommit(commit=commit, blob=blob, lines=tuple(text))
                for one, (commit, blob) in named.items()
                if (text := texts.get(blob)) is not None
            }
        return {}


def is_joining(repository: Repository) -> bool:
    """Return whether a merge, rebase or cherry-pick is in progress."""
    return any(os.path.lexists(repository.git_dir / name) for name in _UNFINISHED)
