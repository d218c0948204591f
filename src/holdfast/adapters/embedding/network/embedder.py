"""An embedder on the network: batches, retries, a budget, a cache, and checks of every answer."""

from __future__ import annotations

import math
import sys
from array import array
from typing import TYPE_CHECKING

from holdfast.adapters.embedding.errors import RemoteFailedError, RemoteSizeError
from holdfast.adapters.embedding.network.side_by_side import side_by_side
from holdfast.adapters.http.retrying import TIMEKEEPER, Patience, PostFailedError, retried
from holdfast.domain.gates.secrets import find_secrets, redact
from holdfast.domain.recall.finding import EmbeddingModel, Vector
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from holdfast.adapters.embedding.network.kept import KeptVectors
    from holdfast.adapters.embedding.network.service import (
        EmbeddingService,
        RunBudget,
        ServiceAnswer,
    )
    from holdfast.adapters.http.retrying import Timekeeper

# A token has at least one byte, and the models take 8,192 tokens; a long text is split.
_LONGEST_BYTES = 8_000
_SHORTEST_BYTES = 400
_MOST_WINDOWS = 8
_MOST_BYTES_AT_ONCE = 200_000
_REJECTED = frozenset({400, 413, 422})
_AWAY_SECONDS = 30.0
_LONGEST_PROBLEM = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkLimits:
    """How patient an embedder is, and what a run may spend."""

    patience: Patience
    budget: RunBudget


class NetworkEmbedder:
    """Turns texts into vectors with a service; a wrong answer is refused, never stored."""

    def __init__(
        self,
        service: EmbeddingService,
        model: EmbeddingModel,
        *,
        limits: NetworkLimits,
        kept: KeptVectors,
        unrelated: float = 0.0,
        times: Timekeeper = TIMEKEEPER,
    ) -> None:
        self._service = service
        self._model = model
        self._limits = limits
        self._kept = kept
        self._unrelated = unrelated
        self._times = times
        self._longest = _LONGEST_BYTES
        self._most_texts = service.most_texts
        self._rejected = 0
        self._away: tuple[float, RemoteFailedError] | None = None

    @property
    def model(self) -> EmbeddingModel:
        """The model; another host or size is another model."""
        return self._model

    @property
    def unrelated(self) -> float:
        """The cosine similarity of unrelated texts."""
        return self._unrelated

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[Vector]]:
        """Return the vectors of each text; those of finished batches are kept after a failure."""
        mark = self._kept.mark()
        found = {text: self._kept.get(text) for text in dict.fromkeys(texts)}
        batches = list(self._batches([text for text, vectors in found.items() if vectors is None]))
        for batch, made in zip(batches, self._embedded(batches), strict=True):
            for text, vectors in zip(batch, made, strict=True):
                self._kept.put(text, vectors, mark=mark)
                found[text] = vectors
        return [found[text] or () for text in texts]

    def ask(self, question: str) -> Vector:
        """Return the vector of a question; after a failure the service is left alone for a while.

        A long question is cut, because it has one vector.
        """
        mark = self._kept.mark()
        kept = self._kept.get(question, is_question=True)
        if kept is not None:
            return kept[0]
        if self._away is not None and self._times.now() < self._away[0]:
            raise self._away[1]
        try:
            vectors = self._vectors([_windows(question, self._longest)[0]])[0]
        except RemoteFailedError as error:
            self._away = (self._times.now() + _AWAY_SECONDS, error)
            raise
        self._kept.put(question, vectors[:1], mark=mark, is_question=True)
        return vectors[0]

    def size_of(self, text: str) -> int:
        """Return how many numbers the service gives a text, whatever the model should have."""
        try:
            return len(self._answered([text]).rows[0])
        except PostFailedError as error:
            raise self._failed(problem=error.problem) from error

    def _batches(self, texts: Sequence[str]) -> Iterator[list[str]]:
        """Yield the texts in groups that one request takes."""
        batch: list[str] = []
        size = 0
        for text in texts:
            more = len(text.encode("utf-8", "replace"))
            if batch and (len(batch) >= self._most_texts or size + more > _MOST_BYTES_AT_ONCE):
                yield batch
                batch, size = [], 0
            batch.append(text)
            size += more
        if batch:
            yield batch

    def _embedded(self, batches: list[list[str]]) -> Iterator[list[tuple[Vector, ...]]]:
        """Yield the vectors of each batch in order, each as soon as it is there.

        Few requests are under way at the same time, so that a failure wastes few.
        """
        begun, deadline = self._times.now(), self._limits.patience.deadline
        for start in range(0, len(batches), self._service.at_once):
            if start and deadline is not None and self._times.now() - begun > deadline:
                raise self._failed(problem=f"takes longer than {deadline:g} seconds")
            yield from side_by_side(self._vectors, batches[start : start + self._service.at_once])

    def _vectors(self, texts: list[str]) -> list[tuple[Vector, ...]]:
        """Return the vectors of each text; a long text has one for each of its windows."""
        windows = [_windows(text, self._longest) for text in texts]
        flat = [window for own in windows for window in own]
        made: list[tuple[Vector, ...]] = []
        for start in range(0, len(flat), self._most_texts):
            made += self._taken(flat[start : start + self._most_texts])
        each = iter(made)
        return [tuple(vector for _ in own for vector in next(each)) for own in windows]

    def _taken(self, texts: list[str]) -> list[tuple[Vector, ...]]:
        """Return the vectors of short texts; a rejected request is sent again in halves.

        A server may take fewer or shorter texts than this one sends. One text that it does not take
        must not keep all others from being embedded.
        """
        try:
            return [(vector,) for vector in self._checked(texts)]
        except PostFailedError as error:
            size = len(texts[0].encode("utf-8", "replace")) // 2
            if error.status not in _REJECTED or (len(texts) == 1 and size < _SHORTEST_BYTES):
                raise self._failed(problem=error.problem) from error
        self._rejected += 1
        if len(texts) == 1:
            parts = _windows(texts[0], size)
            vectors = [vector for part in parts for own in self._taken([part]) for vector in own]
            self._longest = min(self._longest, max(size, _SHORTEST_BYTES))
            return [tuple(vectors)]
        half, before = (len(texts) + 1) // 2, self._rejected
        found = self._taken(texts[:half]) + self._taken(texts[half:])
        if self._rejected == before:
            # Both halves were taken, so the number of texts was the reason.
            self._most_texts = min(self._most_texts, half)
        return found

    def _checked(self, texts: list[str]) -> list[Vector]:
        """Return one vector for each text.

        Raises:
            PostFailedError: The service refused the request.
            RemoteFailedError: It does not answer, or its answer cannot be used.
            RemoteSizeError: Its vectors have another size.
        """
        rows = self._answered(texts).rows
        if any(len(row) != self._model.dimension for row in rows) and self._service.ask_for_size():
            rows = self._answered(texts).rows
        return [Vector(model=self._model, values=self._direction(row)) for row in rows]

    def _answered(self, texts: list[str]) -> ServiceAnswer:
        def attempt(seconds: float) -> ServiceAnswer:
            estimated = self._limits.budget.take(texts, name=self._model.name)
            answer = self._service.answer(texts, seconds=seconds)
            self._limits.budget.settle(estimated=estimated, counted=answer.tokens)
            return answer

        try:
            return retried(attempt, self._limits.patience, times=self._times)
        except PostFailedError as error:
            if error.status in _REJECTED:
                raise
            raise self._failed(problem=error.problem) from error

    def _direction(self, row: array[float]) -> bytes:
        """Return a row as a unit vector of little-endian 32-bit floats."""
        if len(row) != self._model.dimension:
            raise RemoteSizeError(
                name=self._model.name, size=len(row), wanted=self._model.dimension
            )
        length = math.sqrt(math.fsum(value * value for value in row))
        if not math.isfinite(length) or length == 0:
            raise self._failed(problem="answers with numbers that are no direction")
        unit = array("f", (value / length for value in row))
        if sys.byteorder == "big":
            unit.byteswap()
        return unit.tobytes()

    def _failed(self, *, problem: str) -> RemoteFailedError:
        """Return an error without the key, even if the service repeats it."""
        said = problem.replace(self._service.key, "[key]") if self._service.key else problem
        clean = redact(said, find_secrets(said))
        shown = clean if len(clean) <= _LONGEST_PROBLEM else f"{clean[:_LONGEST_PROBLEM]} …"
        return RemoteFailedError(name=self._model.name, problem=shown)


def _windows(text: str, longest: int) -> list[str]:
    """Return a text in parts of at most so many bytes; the rest of a very long text is left out.

    A part ends between characters, and after a space where there is one near the end.
    """
    content = text.encode("utf-8", "replace")
    if len(content) <= longest:
        return [content.decode() if text.strip() else "."]
    parts: list[str] = []
    while content and len(parts) < _MOST_WINDOWS:
        piece = content[:longest]
        if len(content) > longest and (space := piece.rfind(b" ")) > longest // 2:
            piece = piece[:space]
        said = piece.decode("utf-8", "ignore")
        content = content[max(1, len(said.encode())) :]
        if said.strip():
            parts.append(said)
    return parts or ["."]
