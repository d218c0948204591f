"""The ports for what was said in sessions: the turns themselves, and the search among them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from holdfast.domain.ids import SessionId
from holdfast.domain.recall.finding import EmbeddingModel, Hit, ThreadPosition, Vector
from holdfast.domain.sessions.said import SaidTurn, WordUse


class SaidTurns(Protocol):
    """What was said in sessions. A turn is no memory, and no event is recorded about it."""

    def put(self, turn: SaidTurn) -> SaidTurn:
        """Write a turn under its session and number, over an earlier one; it must read back.

        It is returned with its sequence: one of its own, which an earlier one of the same session
        and number keeps. A turn that is written again loses its vectors.

        Raises:
            NoSuchError: No session has that id.
        """
        ...

    def of(self, session_id: SessionId) -> Sequence[SaidTurn]:
        """Return the turns of a session in order."""
        ...

    def page(self, *, beyond: tuple[str, int], limit: int) -> Sequence[SaidTurn]:
        """Return turns in the order of session and number, starting after ``beyond``."""
        ...

    def drop(self, turns: Collection[SaidTurn]) -> None:
        """Remove turns with all that was derived from them; one that is not there is skipped."""
        ...

    def before(self, moment: datetime, *, limit: int) -> Sequence[SaidTurn]:
        """Return turns that are kept since before a moment, the longest kept first."""
        ...


class SaidSearch(Protocol):
    """Searches what was said in the sessions of a repository; all of it is derived.

    ``repo`` is the repository of the turns; the empty text means those outside of any.
    """

    def read(self, sequences: Sequence[int]) -> Sequence[SaidTurn]:
        """Return the turns in the requested order; a missing one must be left out."""
        ...

    def uses(self, words: Collection[str], repo: str) -> Sequence[WordUse]:
        """Return every use of these words in the turns of a repository."""
        ...

    def extent(self, repo: str) -> tuple[int, int]:
        """Return how many turns a repository has, and how many words they have together."""
        ...

    def places(self, sequences: Collection[int]) -> Mapping[int, ThreadPosition]:
        """Return the place of each turn in its session."""
        ...

    def at(self, turns: Collection[tuple[str, int]]) -> Mapping[int, ThreadPosition]:
        """Return the turns with these sessions and numbers; a missing one must be left out."""
        ...

    def ends(self, threads: Collection[str]) -> Mapping[str, int]:
        """Return the number of the last turn of each session."""
        ...

    @property
    def vectors(self) -> SaidVectors:
        """The search by meaning."""
        ...


class SaidVectors(Protocol):
    """Searches what was said by meaning. Vectors of different models must never be compared."""

    def lacking(self, model: str, repo: str | None, *, limit: int) -> Sequence[SaidTurn]:
        """Return turns without a vector of that model, the newest first.

        ``repo`` is the repository of the turns; None means every repository.
        """
        ...

    def put(self, model: EmbeddingModel, vectors: Mapping[int, Sequence[Vector]]) -> None:
        """Store one or more vectors for each turn, over earlier ones.

        A turn that does not exist must be skipped: it was removed while it was embedded.

        Raises:
            BadVectorError: A vector is of another model or size, or has no direction.
        """
        ...

    def nearest(self, question: Vector, repo: str, *, limit: int) -> Sequence[Hit]:
        """Return the nearest turns of a repository by cosine similarity, nearest first.

        A turn with several vectors must appear once, with its nearest vector.
        """
        ...

    def likeness(self, question: Vector, sequences: Collection[int]) -> Mapping[int, float]:
        """Return the cosine similarity of each turn that has a vector of the question's model."""
        ...
