"""What was said in sessions, in a dictionary; every search reads all turns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import NoSuchError
from holdfast.domain.recall.directions import kept_bytes, likeness, question_bytes, rounded
from holdfast.domain.recall.finding import Hit
from holdfast.domain.sessions.said import WordUse, first_sequence, said_words, word_total
from holdfast.domain.values import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import datetime

    from holdfast.adapters.inmemory.state import InMemoryState
    from holdfast.domain.ids import SessionId
    from holdfast.domain.recall.finding import EmbeddingModel, ThreadPosition, Vector
    from holdfast.domain.sessions.said import SaidTurn


@dataclass(frozen=True, slots=True)
class InMemorySaidTurns:
    """What was said, by session and number."""

    state: InMemoryState

    def put(self, turn: SaidTurn) -> SaidTurn:
        """Write a turn."""
        self.state.moment()
        if turn.session_id not in self.state.sessions:
            raise NoSuchError(noun="session", reference=turn.session_id)
        known = self.state.said.get((turn.session_id, turn.number))
        if known is None:
            taken = {one.sequence for one in self.state.said.values()}
            sequence = first_sequence(turn)
            while sequence in taken:
                sequence += 1
        else:
            sequence = known.sequence
            self._drop_vectors(sequence)
        kept = replace(turn, sequence=sequence)
        self.state.said[turn.session_id, turn.number] = kept
        return kept

    def of(self, session_id: SessionId) -> Sequence[SaidTurn]:
        """Return the turns of a session in order."""
        names = sorted(name for name in self.state.said if name[0] == session_id)
        return tuple(self.state.said[name] for name in names)

    def page(self, *, beyond: tuple[str, int], limit: int) -> Sequence[SaidTurn]:
        """Return turns in the order of session and number."""
        names = sorted(name for name in self.state.said if name > beyond)
        return tuple(self.state.said[name] for name in names[:limit])

    def before(self, moment: datetime, *, limit: int) -> Sequence[SaidTurn]:
        """Return turns that are kept since before a moment."""
        old = [turn for turn in self.state.said.values() if turn.since < moment]
        old.sort(key=lambda turn: (turn.since, turn.session_id, turn.number))
        return tuple(old[:limit])

    def drop(self, turns: Collection[SaidTurn]) -> None:
        """Remove turns."""
        self.state.moment()
        for turn in turns:
            known = self.state.said.pop((turn.session_id, turn.number), None)
            if known is not None:
                self._drop_vectors(known.sequence)

    def _drop_vectors(self, sequence: int) -> None:
        for name in [name for name in self.state.said_vectors if name[1] == sequence]:
            del self.state.said_vectors[name]


@dataclass(frozen=True, slots=True)
class InMemorySaidSearch:
    """The search among said turns."""

    state: InMemoryState

    @property
    def vectors(self) -> InMemorySaidVectors:
        """The search by meaning."""
        return InMemorySaidVectors(self.state)

    def read(self, sequences: Sequence[int]) -> Sequence[SaidTurn]:
        """Return the turns in the requested order."""
        known = {turn.sequence: turn for turn in self.state.said.values()}
        return tuple(known[one] for one in sequences if one in known)

    def uses(self, words: Collection[str], repo: str) -> Sequence[WordUse]:
        """Return every use of these words."""
        wanted = set(words)
        return tuple(
            WordUse(sequence=turn.sequence, word=word, times=times, words=word_total(own))
            for turn in self.state.said.values()
            if (turn.repo or "") == repo
            for own in (said_words(turn.searched),)
            for word, times in own.items()
            if word in wanted
        )

    def extent(self, repo: str) -> tuple[int, int]:
        """Return how many turns and words a repository has."""
        mine = [turn for turn in self.state.said.values() if (turn.repo or "") == repo]
        return len(mine), sum(word_total(said_words(turn.searched)) for turn in mine)

    def places(self, sequences: Collection[int]) -> Mapping[int, ThreadPosition]:
        """Return the place of each turn."""
        return {turn.sequence: turn.position for turn in self.read(list(sequences))}

    def at(self, turns: Collection[tuple[str, int]]) -> Mapping[int, ThreadPosition]:
        """Return the turns with these sessions and numbers."""
        wanted = set(turns)
        return {
            turn.sequence: turn.position
            for (session, number), turn in self.state.said.items()
            if (str(session), number) in wanted
        }

    def ends(self, threads: Collection[str]) -> Mapping[str, int]:
        """Return the number of the last turn of each session."""
        found: dict[str, int] = {}
        for session, number in self.state.said:
            if session in threads:
                found[session] = max(number, found.get(session, 0))
        return found


@dataclass(frozen=True, slots=True)
class InMemorySaidVectors:
    """The vectors of said turns, by model and sequence."""

    state: InMemoryState

    def lacking(self, model: str, repo: str | None, *, limit: int) -> Sequence[SaidTurn]:
        """Return turns without a vector of that model, the newest first."""
        bare = [
            turn
            for turn in self.state.said.values()
            if repo in {None, turn.repo or ""}
            and (model, turn.sequence) not in self.state.said_vectors
        ]
        bare.sort(key=lambda turn: -turn.sequence)
        return tuple(bare[:limit])

    def put(self, model: EmbeddingModel, vectors: Mapping[int, Sequence[Vector]]) -> None:
        """Store the vectors of existing turns."""
        self.state.moment()
        known = {turn.sequence for turn in self.state.said.values()}
        for sequence, parts in vectors.items():
            kept = kept_bytes(parts, model)
            if sequence in known:
                self.state.said_vectors[model.name, sequence] = kept

    def nearest(self, question: Vector, repo: str, *, limit: int) -> Sequence[Hit]:
        """Return the nearest turns; among equal ones, the earlier one."""
        mine = [turn.sequence for turn in self.state.said.values() if (turn.repo or "") == repo]
        cosines = self.likeness(question, mine)
        best = sorted(cosines, key=lambda sequence: (-cosines[sequence], sequence))
        found = best[: max(0, limit)]
        return tuple(Hit(sequence=sequence, score=cosines[sequence]) for sequence in found)

    def likeness(self, question: Vector, sequences: Collection[int]) -> Mapping[int, float]:
        """Return the cosine similarity of each turn."""
        asked, kept = question_bytes(question, question.model), self.state.said_vectors
        name = question.model.name
        return {
            sequence: rounded(likeness(asked, kept[name, sequence]))
            for sequence in sequences
            if (name, sequence) in kept
        }
