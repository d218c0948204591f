"""Tokenizes questions and paths like the index, and looks up how rare the words are."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import apsw

from holdfast.adapters.code.parsing.parsed import inner_words
from holdfast.adapters.code.queries import SQL
from holdfast.domain.code.code_ranking import Posting, Size, rarity
from holdfast.domain.text.words import STOP_WORDS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

# The same tokenizer arguments as in the definition of the table chunk_fts.
_TOKENIZER = ("porter", ["unicode61", "remove_diacritics", "2", "tokenchars", "_$"])
_MOST_POSTINGS = 150_000
_MOST_TERMS = 400
_FOLDERS = 0.4
# Beside the stop words: words that people write in issues, and code rarely uses as names.
_STOP_WORDS = " ".join(STOP_WORDS | {"like", "now", "own", "vs"})


_TEST = re.compile(
    r"^t/|(?:^|/)(?:tests?|testing|specs?|__tests__)/|(?:^|/)(?:test_|conftest)[^/]*$"
    r"|[._-](?:test|spec)s?\.[^/]*$|Tests?\.[^/]*$"
)
_OF_TESTS = "test spec fixture"


class IndexedPaths(NamedTuple):
    """All searchable files: their paths, their line counts, and the totals."""

    paths: dict[int, str]
    lines: dict[int, int]
    size: Size


def shelf_of(connection: apsw.Connection) -> IndexedPaths:
    """Return the searchable files of an index."""
    rows: list[tuple[Any, ...]] = connection.execute(SQL["searched_files"]).fetchall()
    lines: dict[int, int] = {file: count for file, _, count, _ in rows}
    size = Size(files=len(rows), chunks=sum(row[3] for row in rows), lines=sum(lines.values()))
    return IndexedPaths({file: path for file, path, _, _ in rows}, lines, size)


def is_test(path: str) -> bool:
    """Return whether a file holds tests, from its name."""
    return _TEST.search(path) is not None


class TokenReader:
    """Tokenizes texts like the index, and reads their words from it."""

    def __init__(self, connection: apsw.Connection, shelf: IndexedPaths) -> None:
        connection.execute(SQL["make_code_vocabulary"]).fetchall()
        self._connection = connection
        self._shelf = shelf
        self._tokenize = connection.fts5_tokenizer(*_TOKENIZER)
        self._known: dict[str, frozenset[str]] = {}
        self._stops = frozenset(self._tokens(_STOP_WORDS))

    def count(self, text: str) -> Counter[str]:
        """Return the words without stop words, whole and split, with their counts."""
        tokens = self._tokens(f"{text} {inner_words(text)}")
        return Counter(each for each in tokens if len(each) > 1 and each not in self._stops)

    def speaks_of_tests(self, words: Collection[str]) -> bool:
        """Return whether the question asks about tests."""
        return any(word in words for word in self._tokens(_OF_TESTS))

    def worth_asking(self, asked: Mapping[str, float]) -> dict[str, float]:
        """Return the most distinctive words; the number of words of a long text is limited."""
        given = (json.dumps(sorted(asked)),)
        spread: dict[str, int] = dict(self._connection.execute(SQL["spread_of_words"], given))
        chunks = self._shelf.size.chunks
        told = {word: asked[word] * rarity(spread[word], chunks) for word in spread}
        kept: dict[str, float] = {}
        room = _MOST_POSTINGS
        for word in sorted(spread, key=lambda each: (-told[each], each))[:_MOST_TERMS]:
            room -= spread[word]
            if kept and room < 0:
                break
            kept[word] = asked[word]
        return kept

    def postings(self, words: list[str]) -> Iterator[Posting]:
        """Return which chunks hold which of the words."""
        rows = self._connection.execute(SQL["chunks_with_words"], (json.dumps(words),))
        return map(Posting._make, rows)

    def on_paths(self, asked: Mapping[str, float]) -> dict[int, tuple[float, list[str]]]:
        """Return the score of each file's path for the words, relative to the best.

        The file's own name counts more than its folders.
        """
        own = {file: self._of_path(path) for file, path in self._shelf.paths.items()}
        spread = Counter(
            word for name, folders in own.values() for word in name | folders if word in asked
        )
        told = {word: asked[word] * rarity(spread[word], len(own)) for word in spread}
        found: dict[int, tuple[float, list[str]]] = {}
        for file, (name, folders) in own.items():
            amount = sum(told[word] for word in name & told.keys())
            amount += _FOLDERS * sum(told[word] for word in (folders - name) & told.keys())
            if amount > 0:
                found[file] = (amount, sorted((name | folders) & told.keys()))
        most = max((amount for amount, _ in found.values()), default=1.0)
        return {file: (amount / most, words) for file, (amount, words) in found.items()}

    def of_name(self, path: str) -> frozenset[str]:
        """Return the words of a file's name, without its ending."""
        return self._of_path(path)[0]

    def _of_path(self, path: str) -> tuple[frozenset[str], frozenset[str]]:
        folder, _, name = path.rpartition("/")
        return self._words(name.partition(".")[0] or name), self._words(folder)

    def _words(self, text: str) -> frozenset[str]:
        known = self._known.get(text)
        if known is None:
            known = frozenset(self._tokens(f"{text} {inner_words(text)}"))
            self._known[text] = known
        return known

    def _tokens(self, text: str) -> list[str]:
        found = self._tokenize(
            text.encode("utf-8", "ignore"),
            apsw.FTS5_TOKENIZE_DOCUMENT,
            None,
            include_offsets=False,
            include_colocated=False,
        )
        return [str(token) for token in found]
