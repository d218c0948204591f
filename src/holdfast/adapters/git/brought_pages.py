"""Compares texts of pages with what commits have that were not made in this clone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from holdfast.adapters.git.arrivals import arrived_after
from holdfast.adapters.git.changed_lines import search_words, slightly_changed
from holdfast.adapters.git.entry_marks import MarkReader
from holdfast.adapters.git.reading.objects import (
    git_answer,
    pages_in,
    present,
    read_blobs,
)
from holdfast.adapters.git.reading.reading import LARGEST_FILE
from holdfast.adapters.git.reading.refs import moves_of_heads, read_refs
from holdfast.adapters.git.reading.repository import ask_git
from holdfast.domain.errors import OutsideUnavailableError
from holdfast.ports.anchors.clone import BroughtText

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from holdfast.adapters.git.entry_marks import FieldReader, Marks
    from holdfast.adapters.git.page_versions import PageVersion
    from holdfast.adapters.git.reading.repository import Repository

_KEYWORD = re.compile(r"\$Id:[^$\n]*\$")
_GREP = ("grep", "-h", "-F", "--text", "--no-color", "--no-recurse-submodules", "-f", "-")
_NOT_FOUND = 1
_PATIENCE = 20.0
_SIZES = ("cat-file", "--batch-check=%(objectname) %(objecttype) %(objectsize)")
_BESIDE = ("rev-list", "--full-history", "--stdin")
_MOST_LARGE = 100
_SENTENCE = 20
_BORDERS = ("```", "~~~")


class _Texts(NamedTuple):
    """The contents of blobs, and the names of those that are too large to be read."""

    contents: Mapping[str, bytes]
    large: frozenset[str]


class BroughtPages:
    """The texts of the files of a folder that others wrote, in all commits that git still has.

    ``moved`` are versions of files of others that are, or were, such files under another path.
    """

    def __init__(
        self,
        repository: Repository,
        versions: Sequence[PageVersion],
        folder: str,
        fields: FieldReader,
        *,
        moved: Sequence[PageVersion] = (),
    ) -> None:
        self._repository = repository
        self._versions = versions
        self._moved = moved
        self._folder = folder
        self._fields = fields

    def brought(
        self,
        lines: Collection[str],
        *,
        entries: Collection[str],
        own: Collection[str],
        tips: Collection[str],
    ) -> BroughtText:
        """Return what others have of some lines and entries.

        ``own`` are the commits that were made here; ``tips`` are those whose whole text is others'.

        Raises:
            OutsideUnavailableError: Git cannot tell, or there is too much to read.
        """
        theirs = [one for one in self._versions if one.commit not in own]
        there = {blob for _, blob in pages_in(self._repository, tips, self._folder)}
        there |= self._beside(theirs) | {one.blob for one in self._moved if one.blob}
        blobs = {one.blob for one in theirs if one.blob} | there
        if not blobs:
            return BroughtText()
        read = blobs | (_all_blobs([*self._versions, *self._moved]) if entries else set())
        texts = self._read(read)
        large = self._found((*lines, *entries), sorted(texts.large & blobs))
        words = _joined(texts, blobs) + large
        beside = _joined(texts, there) + large
        # Git's expansion of this keyword is in no commit.
        plain = {line: _KEYWORD.sub("$Id$", line) for line in lines}
        found = frozenset(line for line in lines if plain[line] in words)
        return BroughtText(
            lines=found,
            past=frozenset(line for line in found if plain[line] not in beside),
            slight=_slight({line: plain[line] for line in found}, words),
            retouched=self._retouched(set(lines) - found, beside.split("\n")),
            fields=self._introduced(own, entries, texts),
            unread=frozenset(one for one in entries if one in large),
        )

    def _beside(self, theirs: Sequence[PageVersion]) -> set[str]:
        """Return the blobs that came with commits which are no part of the checked-out one."""
        head = read_refs(self._repository).tip("HEAD")
        given = [*dict.fromkeys(one.commit for one in theirs), *([f"^{head}"] if head else [])]
        if not theirs:
            return set()
        ask = (*_BESIDE, "--", self._folder)
        found = set(git_answer(self._repository, *ask, given=given).decode().split())
        return {one.blob for one in theirs if one.blob and one.commit in found}

    def _read(self, blobs: Collection[str]) -> _Texts:
        """Return the texts of blobs; a partial clone lacks some of them.

        A text that was never fetched is in no page.
        """
        contents = read_blobs(self._repository, sorted(blobs))
        rest = present(self._repository, sorted(blobs - contents.keys()))
        if not rest:
            return _Texts(contents, frozenset())
        answer = git_answer(self._repository, *_SIZES, given=rest).decode(errors="replace")
        rows = (line.split() for line in answer.splitlines())
        sizes = {row[0]: int(row[2]) for row in rows if row[1:2] == ["blob"]}
        large = frozenset(name for name, size in sizes.items() if size > LARGEST_FILE)
        if len(large) < len(sizes) or len(large) > _MOST_LARGE:
            raise OutsideUnavailableError(who="git", words="there are too many texts to read.")
        return _Texts(contents, large)

    def _found(self, words: Collection[str], where: Sequence[str] = ()) -> str:
        """Return the lines of some blobs that have one of the words, one below another.

        Raises:
            OutsideUnavailableError: Git cannot tell.
        """
        return self._grep(_given(words), *where) if words and where else ""

    def _grep(self, given: bytes, *where: str) -> str:
        ask = (*_GREP, *where)
        status, answer, trouble = ask_git(self._repository, *ask, given=given, timeout=_PATIENCE)
        if status not in {0, _NOT_FOUND}:
            raise OutsideUnavailableError(who="git", words=trouble)
        return answer

    def _retouched(self, lines: Collection[str], others: Iterable[str]) -> frozenset[str]:
        """Return the lines that are slightly changed lines of others that no page here has now."""
        words = search_words(lines)
        sought = {word for some in words.values() for word in some}
        if not sought:
            return frozenset()
        here = self._grep(_given(sought), "--untracked", "--", self._folder)
        gone = {line.strip() for line in others} - {line.strip() for line in here.splitlines()}
        return slightly_changed(words, gone)

    def _introduced(
        self,
        own: Collection[str],
        entries: Collection[str],
        texts: _Texts,
    ) -> Marks:
        """Return the marks of fields that commits of others gave to entries.

        A value that a parent has already is not the commit's: a merge only passes it on. Nor is one
        that a commit of this clone had before the other commit came, as with a squash.
        """
        if not entries:
            return {}
        reader = MarkReader(self._fields, texts.contents, entries)
        made: dict[tuple[str, str], int] = {}
        theirs: dict[tuple[str, str], set[str]] = {}
        moments = _first_moments(self._repository)
        for commit, group in _by_commit((*self._versions, *self._moved)).items():
            for one in reader.introduced(group):
                if commit not in own:
                    theirs.setdefault(one, set()).add(commit)
                elif (at := moments.get(commit)) is not None:
                    made[one] = min(at, made.get(one, at))
        found: dict[str, set[str]] = {}
        for (entry, mark), commits in theirs.items():
            if not self._is_earlier(made.get((entry, mark)), commits):
                found.setdefault(entry, set()).add(mark)
        return {entry: frozenset(marks) for entry, marks in found.items()}

    def _is_earlier(self, moment: int | None, commits: Collection[str]) -> bool:
        """Return whether all these commits came after the moment of one's own commit."""
        return moment is not None and all(
            arrived_after(self._repository, one, moment) for one in commits
        )


def _slight(found: Mapping[str, str], words: str) -> frozenset[str]:
    """Return the short lines that are only a part of lines of others, or border a code block."""
    short = {line: text for line, text in found.items() if len(line) < _SENTENCE}
    whole = {line.strip() for line in words.split("\n")} if short else set()
    return frozenset(
        line for line, text in short.items() if text not in whole or line.startswith(_BORDERS)
    )


def _first_moments(repository: Repository) -> dict[str, int]:
    """Return the second at which HEAD came to each commit for the first time."""
    found: dict[str, int] = {}
    for move in moves_of_heads(repository):
        if move.at is not None:
            found[move.new] = min(move.at, found.get(move.new, move.at))
    return found


def _by_commit(versions: Iterable[PageVersion]) -> dict[str, list[PageVersion]]:
    found: dict[str, list[PageVersion]] = {}
    for one in versions:
        found.setdefault(one.commit, []).append(one)
    return found


def _all_blobs(versions: Iterable[PageVersion]) -> set[str]:
    return {blob for one in versions for blob in (one.blob, *one.before) if blob}


def _joined(texts: _Texts, blobs: Collection[str]) -> str:
    """Return the different lines of some texts, one below another: versions have most in common."""
    found: dict[bytes, None] = {}
    for blob in sorted(blobs):
        found.update(dict.fromkeys(texts.contents.get(blob, b"").split(b"\n")))
    return "".join(f"{line.decode('utf-8', 'surrogateescape')}\n" for line in found)


def _given(words: Iterable[str]) -> bytes:
    return "".join(f"{word}\n" for word in words).encode("utf-8", "surrogateescape")
