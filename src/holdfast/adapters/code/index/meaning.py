"""Finds symbols by vectors of their documentation, or of the identifiers in their body.

They are kept in a file beside the index, by model and by the hash of the text. They are derived: a
damaged file is thrown away, and without it code is found by words.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

import apsw

from holdfast.adapters.code.index.database import writing
from holdfast.adapters.code.index.derived import Derived, nobody_watches
from holdfast.adapters.code.queries import SQL
from holdfast.adapters.code.search.wording import is_test
from holdfast.domain.code.code_ranking import NearSymbol
from holdfast.domain.errors import NoMeaningError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from pathlib import Path

    from holdfast.ports.recall.models import Embedder
    from holdfast.ports.store.upkeep import Progress

# Raise it when the texts or the table change: every file of vectors is then made again.
VERSION = 2
_BATCH = 32
_DIGEST_BYTES = 16
_FLOAT_BYTES = 4
_LONGEST_SENTENCE = 200
_MOST_WORDS = 40
# The body of a class contains the words of its methods, whose own documentation says more.
_BODY = 0.95
_SENTENCE = re.compile(r".{15,}?[.!?](?=\s|$)")
_NAME_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|\d+")


class DescribedSymbol(NamedTuple):
    """A symbol, and the text that is embedded for it."""

    number: int
    file: int
    name: str
    is_documented: bool
    text: str
    digest: bytes


def described(connection: apsw.Connection) -> list[DescribedSymbol]:
    """Return the symbols of an index that have a vector: those of tests have none."""
    return [
        DescribedSymbol(number, file, name, bool(doc), text, _digest(text))
        for number, file, path, name, doc, gist in connection.execute(SQL["described_symbols"])
        if not is_test(path) and (text := embedded_text(name, doc, gist))
    ]


def embedded_text(name: str, doc: str, gist: str = "") -> str:
    """Return the words of a symbol's name, and the first sentence of its documentation.

    Without documentation it is the gist: the words of the first identifiers of its body.
    """
    sentence = _SENTENCE.match(doc)
    said = (sentence[0] if sentence else doc)[:_LONGEST_SENTENCE].strip() or gist
    return f"{' '.join(_NAME_PARTS.findall(name))}. {said}" if said else ""


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=_DIGEST_BYTES).digest()


class SymbolVectors:
    """The vectors of one working tree. ``find`` returns the file, ``make`` the embedding model."""

    def __init__(self, find: Callable[[], Path], make: Callable[[], Embedder | None]) -> None:
        self._database = Derived(find, script=SQL["create_meaning"], version=VERSION)
        self._make = make

    def embed(
        self,
        symbols: Sequence[DescribedSymbol],
        *,
        until: float | None = None,
        progress: Progress = nobody_watches,
    ) -> int:
        """Embed the texts without a vector until a moment; at least one batch of them.

        Return how many still wait for their vector. A model that cannot be used makes none wait.
        """
        model = self._make()
        if model is None or not symbols:
            return 0
        name = model.model.name

        def known(connection: apsw.Connection) -> set[bytes]:
            return {text for (text,) in connection.execute(SQL["texts_with_vector"], (name,))}

        have = self._database.asked(known)
        missing = {one.digest: one.text for one in symbols if one.digest not in have}
        lacking = list(missing.items())
        for start in range(0, len(lacking), _BATCH):
            if start and until is not None and monotonic() >= until:
                return len(lacking) - start
            batch = lacking[start : start + _BATCH]
            try:
                made = model.embed([text for _, text in batch])
            except NoMeaningError:
                return 0
            rows = [
                (name, digest, vectors[0].values, zlib.crc32(vectors[0].values))
                for (digest, _), vectors in zip(batch, made, strict=True)
                if vectors
            ]
            self._database.asked(lambda connection, rows=rows: _put(connection, rows))  # type: ignore[misc]  # mypy cannot infer a bound default
            progress(min(start + _BATCH, len(lacking)), len(lacking))
        return 0

    def prune(self, symbols: Collection[DescribedSymbol]) -> None:
        """Remove the vectors of other models, and of texts that the index no longer has."""
        model = self._make()
        if model is None:
            return
        name, wanted = model.model.name, {one.digest for one in symbols}

        def drop(connection: apsw.Connection) -> None:
            with writing(connection):
                connection.execute(SQL["drop_vectors_of_other_models"], (name,))
                texts = [text for (text,) in connection.execute(SQL["texts_with_vector"], (name,))]
                gone = [(name, text) for text in texts if text not in wanted]
                connection.executemany(SQL["drop_vector"], gone)

        self._database.asked(drop)

    def nearest(
        self, question: str, symbols: Sequence[DescribedSymbol], *, limit: int
    ) -> Mapping[int, NearSymbol] | None:
        """Return the symbols nearest to a short question, by number; none without a model.

        None if the file has no vector, as after damage that is seen only when vectors are read. A
        long text, such as a bug report with a traceback, names its code in its words.
        """
        model = self._make()
        if model is None or not symbols or len(question.split()) > _MOST_WORDS:
            return {}
        dimension = model.model.dimension

        def read(connection: apsw.Connection) -> dict[bytes, bytes]:
            rows = connection.execute(SQL["vectors_of_model"], (model.model.name,))
            return {text: _sound(value, seal, dimension) for text, value, seal in rows}

        values = self._database.asked(read)
        if not values:
            return None
        there = [one for one in symbols if one.digest in values]
        if not there:
            return {}
        try:
            asked = model.ask(question).values
        except NoMeaningError:
            return {}
        cosines = _cosines([values[one.digest] for one in there], asked)
        order = sorted(range(len(there)), key=lambda place: -cosines[place])[:limit]
        base = model.unrelated
        return {
            there[place].number: _near(there[place], (cosines[place] - base) / (1.0 - base))
            for place in order
            if cosines[place] > base
        }

    def throw_away(self) -> None:
        """Remove the file."""
        with self._database.one_at_a_time:
            self._database.throw_away()

    def close(self) -> None:
        """Close the file."""
        self._database.close()


def _near(symbol: DescribedSymbol, likeness: float) -> NearSymbol:
    amount = likeness if symbol.is_documented else _BODY * likeness
    return NearSymbol(symbol.file, symbol.name, amount)


def _put(connection: apsw.Connection, rows: Sequence[tuple[str, bytes, bytes, int]]) -> None:
    with writing(connection):
        connection.executemany(SQL["put_vector"], rows)


def _sound(value: bytes, seal: int, dimension: int) -> bytes:
    """Return a vector if it is as it was written.

    Raises:
        apsw.CorruptError: It is not; the file is then made again.
    """
    if len(value) != dimension * _FLOAT_BYTES or zlib.crc32(value) != seal:
        raise apsw.CorruptError
    return value


def _cosines(rows: Sequence[bytes], asked: bytes) -> list[float]:
    """Return the cosine of each row with the question; all of them have the length one."""
    import numpy as np

    matrix = np.frombuffer(b"".join(rows), dtype="<f4").reshape(len(rows), -1)
    found: list[float] = (matrix @ np.frombuffer(asked, dtype="<f4")).tolist()
    return found
