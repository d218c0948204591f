"""Searches what was said in sessions: by words, by place, and by meaning."""

from __future__ import annotations

from functools import cached_property
from heapq import nlargest
from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.database.rows import as_json
from holdfast.adapters.sqlite.sessions.said import read_rows
from holdfast.domain.recall.directions import kept_bytes, question_bytes, rounded
from holdfast.domain.recall.finding import Hit, ThreadPosition
from holdfast.domain.sessions.said import WordUse

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from holdfast.adapters.sqlite.database.rows import Row, Value
    from holdfast.adapters.sqlite.database.work import Work
    from holdfast.adapters.sqlite.recall.indexes import Indexes
    from holdfast.domain.recall.finding import EmbeddingModel, Vector
    from holdfast.domain.sessions.said import SaidTurn

_NO_MODEL = 0
"""The number of no model: an index compares vectors that it is given without its own files."""


class SqliteSaidSearch:
    """The search among said turns of one transaction."""

    def __init__(self, work: Work, indexes: Indexes) -> None:
        self.work = work
        self._indexes = indexes

    @cached_property
    def vectors(self) -> SqliteSaidVectors:
        """The search by meaning."""
        return SqliteSaidVectors(self.work, self._indexes)

    def read(self, sequences: Sequence[int]) -> Sequence[SaidTurn]:
        """Return the turns in the requested order."""
        rows = self.work.rows("read_said", (as_json(list(sequences)),))
        known = {turn.sequence: turn for turn in read_rows(rows, self.work)}
        return tuple([known[one] for one in sequences if one in known])

    def uses(self, words: Collection[str], repo: str) -> Sequence[WordUse]:
        """Return every use of these words."""
        asked = {"words": as_json(sorted(words)), "repo": repo}
        return tuple(map(WordUse._make, self.work.rows("said_uses", asked)))

    def extent(self, repo: str) -> tuple[int, int]:
        """Return how many turns and words a repository has."""
        turns, words = self.work.rows("said_extent", (repo,))[0]
        return turns, words

    def places(self, sequences: Collection[int]) -> Mapping[int, ThreadPosition]:
        """Return the place of each turn."""
        return _places(self.work.rows("said_places", (as_json(list(sequences)),)))

    def at(self, turns: Collection[tuple[str, int]]) -> Mapping[int, ThreadPosition]:
        """Return the turns with these sessions and numbers."""
        return _places(self.work.rows("said_places_at", (as_json([*map(list, turns)]),)))

    def ends(self, threads: Collection[str]) -> Mapping[str, int]:
        """Return the number of the last turn of each session."""
        return {
            thread: last for thread, last in self.work.rows("said_ends", (as_json(list(threads)),))
        }


class SqliteSaidVectors:
    """The vectors of said turns: all vectors of a repository are compared."""

    def __init__(self, work: Work, indexes: Indexes) -> None:
        self.work = work
        self._indexes = indexes

    def lacking(self, model: str, repo: str | None, *, limit: int) -> Sequence[SaidTurn]:
        """Return turns without a vector of that model, the newest first."""
        asked: dict[str, Value] = {"model": model, "repo": repo}
        if not self.work.rows("said_gaps", asked)[0][0]:
            return ()
        return read_rows(self.work.rows("lacking_said", asked | {"limit": limit}), self.work)

    def put(self, model: EmbeddingModel, vectors: Mapping[int, Sequence[Vector]]) -> None:
        """Store the vectors of existing turns."""
        self.work.moment()
        for sequence, parts in vectors.items():
            kept = kept_bytes(parts, model)
            self.work.rows(
                "put_said_vectors", {"model": model.name, "seq": sequence, "vectors": kept}
            )

    def nearest(self, question: Vector, repo: str, *, limit: int) -> Sequence[Hit]:
        """Return the nearest turns; among equal ones, the earlier one."""
        asked = {"model": question.model.name, "repo": repo}
        cosines = self._cosines(question, self.work.rows("said_vectors_in", asked))
        # The earlier of equal ones is the larger of the negative sequences.
        best = nlargest(limit, [(cosine, -sequence) for sequence, cosine in cosines.items()])
        return tuple([Hit(sequence=-name, score=rounded(cosine)) for cosine, name in best])

    def likeness(self, question: Vector, sequences: Collection[int]) -> Mapping[int, float]:
        """Return the cosine similarity of each turn."""
        asked = {"model": question.model.name, "sequences": as_json(list(sequences))}
        found = self._cosines(question, self.work.rows("said_vectors_of", asked))
        return {sequence: rounded(cosine) for sequence, cosine in found.items()}

    def _cosines(self, question: Vector, rows: list[Row]) -> Mapping[int, float]:
        asked = question_bytes(question, question.model)
        kept: dict[int, bytes] = dict(rows)
        return self._indexes.of(_NO_MODEL).likeness(asked, kept) if kept else {}


def _places(rows: list[Row]) -> dict[int, ThreadPosition]:
    return {
        sequence: ThreadPosition(
            thread=thread,
            number=turn,
            is_agent=bool(agent),
            length=length,
            asks=bool(asks),
            is_question=bool(question),
        )
        for sequence, thread, turn, agent, length, asks, question in rows
    }
