"""Refreshes the index from the checkout: only changed files are read again.

The rows of the index: files, their symbols, and their search terms.
"""

from __future__ import annotations

import hashlib
import os
from contextlib import closing
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

from holdfast.adapters.code.index.database import writing
from holdfast.adapters.code.index.files import UNREADABLE, by_content, list_files, marked, read_file
from holdfast.adapters.code.parsing.parsed import Call, Chunk, Parsed, shape
from holdfast.adapters.code.parsing.reader import reader
from holdfast.adapters.code.parsing.workers import SourceFile, shape_all
from holdfast.adapters.code.queries import SQL
from holdfast.domain.code.code import Indexed, Symbol

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Mapping, Sequence

    import apsw

    from holdfast.adapters.code.index.files import ListedFile, WorkingTree
    from holdfast.adapters.code.parsing.parsed import Shaped
    from holdfast.ports.store.upkeep import Progress


# Raise it when files would be parsed or stored differently: every index is then rebuilt.
VERSION = 5
OUTSIDE = -1


class FileRows(NamedTuple):
    """A file to be stored: its rows, or the reason why it has none."""

    path: str
    blob: bytes
    signature: str
    shaped: Shaped | None
    left_out: str | None


class CodeRows:
    """Reads and writes the rows; the caller controls the transaction."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    def known(self) -> dict[str, str]:
        """Return the signature of every indexed file by its path."""
        return {path: signature for path, signature in self._asked("known_files")}

    def blob(self, path: str) -> bytes | None:
        """Return the content hash of an indexed file."""
        return next((blob for (blob,) in self._asked("blob_of_file", path)), None)

    def put(self, entries: list[FileRows]) -> None:
        """Store files, replacing their earlier rows."""
        numbers = _Numbers(*self._asked("last_numbers")[0])
        for entry in entries:
            self.drop(entry.path)
            self._add(entry, numbers)

    def drop(self, path: str) -> None:
        """Remove a file and all its rows."""
        # Looked up again: another process may have given the file another number meanwhile.
        for (file,) in self._asked("number_of_file", path):
            self._connection.execute(SQL["drop_file"], {"file": file}).fetchall()

    def touch(self, path: str, *, blob: bytes, signature: str) -> None:
        """Update the signature of a file whose bytes did not change."""
        self._connection.execute(SQL["touch_file"], (signature, path, blob))

    def parsed_before(self, path: str, blob: bytes) -> Parsed | None:
        """Return the result of parsing the same bytes under another path in the same language."""
        for number, other, language, has_errors in self._asked("file_with_blob", blob):
            if _way_of_reading(other) == _way_of_reading(path):
                return self._parsed(number, language, has_errors=bool(has_errors))
        return None

    def counts(self) -> tuple[int, int, dict[str, int]]:
        """Return the number of files and symbols, and of skipped files by reason."""
        files, symbols = self._asked("count_files")[0][0], self._asked("count_symbols")[0][0]
        return files, symbols, {why: count for why, count in self._asked("count_left_out")}

    def reader(self) -> str:
        """Return the parser version of the rows; empty if there are none."""
        return next((name for (name,) in self._asked("reader")), "")

    def read_anew_by(self, reader: str) -> None:
        """Set the parser version; every file becomes due again."""
        self._connection.execute(SQL["distrust_all"])
        self._connection.execute(SQL["note_reader"], (reader,))

    def _add(self, entry: FileRows, numbers: _Numbers) -> None:
        shaped = entry.shaped
        numbers.file += 1
        file = numbers.file
        run, many = self._connection.execute, self._connection.executemany
        language = None if shaped is None else shaped.language
        errors = int(shaped is not None and shaped.has_errors)
        values = (file, entry.path, entry.blob, entry.signature, language, errors, entry.left_out)
        run(SQL["add_file"], values)
        if shaped is None:
            return
        before, numbers.symbol = numbers.symbol + 1, numbers.symbol + len(shaped.symbols)
        first, numbers.chunk = numbers.chunk + 1, numbers.chunk + len(shaped.chunks)

        def symbol(place: int) -> int | None:
            return None if place == OUTSIDE else before + place

        many(
            SQL["add_symbol"],
            ((before + place, file, place, *row) for place, row in enumerate(shaped.symbols)),
        )
        many(
            SQL["add_chunk"],
            (
                (first + place, file, symbol(inside), start, end)
                for place, (inside, start, end) in enumerate(shaped.chunks)
            ),
        )
        many(SQL["add_words"], ((first + place, *row) for place, row in enumerate(shaped.words)))
        many(
            SQL["add_call"],
            ((file, symbol(inside), *row) for inside, *row in shaped.calls),
        )
        many(SQL["add_import"], ((file, module) for module in shaped.imports))

    def _parsed(self, file: int, language: str | None, *, has_errors: bool) -> Parsed:
        places = {None: OUTSIDE}
        symbols: list[Symbol] = []
        for number, name, kind, first, last, signature, doc in self._asked("symbols_of_file", file):
            places[number] = len(symbols)
            symbols.append(
                Symbol(name=name, kind=kind, first=first, last=last, signature=signature, doc=doc)
            )
        return Parsed(
            language=language,
            symbols=tuple(symbols),
            calls=tuple(
                Call(inside=places[inside], name=name, line=line, receiver=receiver)
                for inside, name, line, receiver in self._asked("calls_of_file", file)
            ),
            imports=tuple(module for (module,) in self._asked("imports_of_file", file)),
            chunks=tuple(
                Chunk(first=first, last=last, inside=places[inside])
                for first, last, inside in self._asked("chunks_of_file", file)
            ),
            has_errors=has_errors,
        )

    def _asked(self, query: str, *values: int | str | bytes) -> list[tuple[Any, ...]]:
        return self._connection.execute(SQL[query], values).fetchall()


class _Numbers:
    """The last numbers that were assigned."""

    def __init__(self, file: int, symbol: int, chunk: int) -> None:
        self.file, self.symbol, self.chunk = file, symbol, chunk


def _way_of_reading(path: str) -> str:
    """Return the part of a path that decides its language: the ending, or the whole name."""
    name = path.rpartition("/")[2]
    return name.rpartition(".")[2] if "." in name else name


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
