"""Refreshes the index from the checkout: only changed files are read again.

The rows of the index: files, their symbols, and their search terms.
"""

from __future__ import annotations

import hashlib
import os
from contextlib import closing
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from holdfast.adapters.code.index.code_rows import CodeRows, FileRows
from holdfast.adapters.code.index.database import writing
from holdfast.adapters.code.index.files import UNREADABLE, list_files, marked, read_file
from holdfast.adapters.code.index.skipping import by_content
from holdfast.adapters.code.parsing.parsed import shape
from holdfast.adapters.code.parsing.reader import reader
from holdfast.adapters.code.parsing.workers import SourceFile, shape_all
from holdfast.domain.code.code import Indexed

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Mapping, Sequence

    import apsw

    from holdfast.adapters.code.index.files import ListedFile, WorkingTree
    from holdfast.ports.store.upkeep import Progress


_WRITTEN_TOGETHER = 200
_WORTH_MORE_PROCESSES = 300
_PARSED_AT_LEAST = 48


class RefreshDeadline(NamedTuple):
    """The deadline of a refresh, and which files are read first.

    ``may_read`` is false while another process refreshes: then only the unread files are listed.
    """

    until: float
    worth: Callable[[str], float]
    may_read: bool


class Refreshed(NamedTuple):
    """What a refresh did, and the files whose rows are outdated."""

    indexed: Indexed
    outdated: frozenset[str]


def refresh(
    checkout: WorkingTree,
    connection: apsw.Connection,
    progress: Progress,
    *,
    workers: int = 1,
    haste: RefreshDeadline | None = None,
) -> Refreshed:
    """Update the index to the checkout, and return what was done.

    Each step is committed by itself: an interrupted refresh continues from there.
    """
    return _Refresh(checkout, connection, progress, haste).done(workers)


class _Refresh:
    """One refresh of the index."""

    def __init__(
        self,
        checkout: WorkingTree,
        connection: apsw.Connection,
        progress: Progress,
        haste: RefreshDeadline | None,
    ) -> None:
        self._checkout = checkout
        self._connection = connection
        self._progress = progress
        self._haste = haste
        self._rows = CodeRows(connection)
        self._waiting: list[FileRows] = []
        self._touched: list[tuple[str, bytes, str]] = []
        self._gone: list[str] = []
        self._read = self._due = self._seen = self._parsed = self._unreadable = 0

    def done(self, workers: int) -> Refreshed:
        """Read the changed files, write their rows, and remove the rows of deleted files."""
        self._meet_another_reader()
        files = list_files(self._checkout)
        known = self._rows.known()
        due = [each for each in files.candidates if known.get(each.path) != each.signature]
        if self._haste is not None:
            worth = self._haste.worth
            due.sort(key=lambda each: (each.path not in known, -worth(each.path)))
        self._due = len(due)
        many = workers if self._due >= _WORTH_MORE_PROCESSES else min(workers, 1)
        with closing(self._sources(due, known)) as sources:
            for source, shaped in shape_all(sources, workers=many):
                self._keep(FileRows(source.path, source.blob, source.signature, shaped, None))
        self._write()
        here = {candidate.path for candidate in files.candidates}
        self._remove([*self._gone, *(known.keys() - here)])
        removed = len(known.keys() - here) + len(self._gone)
        left = [each.path for each in due[self._seen :]]
        return Refreshed(
            indexed=self._told(files.passed_over, removed=removed, unread=len(left)),
            outdated=frozenset(path for path in left if path in known),
        )

    def _sources(
        self, due: Iterable[ListedFile], known: Mapping[str, str]
    ) -> Generator[SourceFile, None, None]:
        """Return the files that must be parsed; the others are updated without parsing."""
        for candidate in due:
            if self._is_over():
                return
            self._seen += 1
            self._progress(self._seen, self._due)
            path = candidate.path
            found = read_file(self._checkout.root, path)
            if found is None:
                self._miss(path, is_known=path in known)
                continue
            blob = blob_of(found.content, is_kept=candidate.is_kept)
            signature = marked(found.signature, is_kept=candidate.is_kept)
            if path in known and self._rows.blob(path) == blob:
                self._touched.append((path, blob, signature))
                continue
            source = SourceFile(path, found.content, blob, signature)
            if not self._is_settled(source, is_kept=candidate.is_kept):
                self._parsed += 1
                yield source

    def _is_over(self) -> bool:
        """Return whether the deadline has passed; a minimum of files is parsed in any case."""
        if self._haste is None:
            return False
        if not self._haste.may_read:
            return True
        return self._parsed >= _PARSED_AT_LEAST and monotonic() >= self._haste.until

    def _is_settled(self, source: SourceFile, *, is_kept: bool) -> bool:
        """Return whether a file needs no parsing: it is skipped, or its bytes are known."""
        path, content, blob, signature = source
        left_out = by_content(path, content, is_kept=is_kept)
        shaped = None
        if left_out is None:
            parsed = self._rows.parsed_before(path, blob)
            if parsed is None:
                return False
            shaped = shape(path, content, parsed)
        self._keep(FileRows(path, blob, signature, shaped, left_out))
        return True

    def _miss(self, path: str, *, is_known: bool) -> None:
        self._unreadable += os.path.lexists(self._checkout.root / path)
        if is_known:
            self._gone.append(path)

    def _keep(self, entry: FileRows) -> None:
        self._read += 1
        self._waiting.append(entry)
        if len(self._waiting) >= _WRITTEN_TOGETHER:
            self._write()

    def _write(self) -> None:
        if not self._waiting and not self._touched:
            return
        with writing(self._connection):
            self._rows.put(self._waiting)
            for path, blob, signature in self._touched:
                self._rows.touch(path, blob=blob, signature=signature)
        self._waiting.clear()
        self._touched.clear()

    def _remove(self, paths: Sequence[str]) -> None:
        for start in range(0, len(paths), _WRITTEN_TOGETHER):
            with writing(self._connection):
                for path in paths[start : start + _WRITTEN_TOGETHER]:
                    self._rows.drop(path)

    def _told(self, passed_over: dict[str, int], *, removed: int, unread: int) -> Indexed:
        files, symbols, left_out = self._rows.counts()
        if self._unreadable:
            left_out[UNREADABLE] = self._unreadable
        reasons = {
            reason: passed_over.get(reason, 0) + left_out.get(reason, 0)
            for reason in passed_over.keys() | left_out.keys()
        }
        return Indexed(
            files=files,
            symbols=symbols,
            read=self._read,
            removed=removed,
            unread=unread,
            passed_over=tuple(sorted(reasons.items(), key=lambda each: (-each[1], each[0]))),
        )

    def _meet_another_reader(self) -> None:
        """Mark every file as changed if other grammars are installed than when it was parsed."""
        now = reader()
        if self._rows.reader() != now:
            with writing(self._connection):
                self._rows.read_anew_by(now)


def blob_of(content: bytes, *, is_kept: bool) -> bytes:
    """Return the hash of a file's bytes and of whether its attributes force indexing."""
    return hashlib.sha256((b"kept " if is_kept else b"file ") + content).digest()
