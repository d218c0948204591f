"""Reads and writes the rows of the code index."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from holdfast.adapters.code.parsing.parsed import Call, Chunk, Parsed
from holdfast.adapters.code.queries import SQL
from holdfast.domain.code.code import Symbol

if TYPE_CHECKING:
    import apsw

    from holdfast.adapters.code.parsing.parsed import Shaped


# Raise it when files would be parsed or stored differently: every index is then rebuilt.
VERSION = 6
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
