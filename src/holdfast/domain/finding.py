"""What the legs of a search bring back: numbers and scores, and where a hit stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A memory that was found, by its sequence; a larger score is a better match."""

    sequence: int
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class NearHits:
    """What a search by meaning found, nearest first, and how thorough it was.

    ``is_exact`` tells that no nearer memory was missed; ``looked_at`` is how many memories were
    compared with the question.
    """

    hits: tuple[Hit, ...] = ()
    is_exact: bool = True
    looked_at: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TermCounts:
    """How many memories there are, and about how many of them hold each term."""

    memories: int
    holding: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A place in a thread: which conversation or history, the how-manieth, and who spoke.

    ``asks`` tells that there is a question in it, ``is_question`` that it ends with one.
    """

    thread: str
    number: int
    is_agent: bool = False
    length: int = 0
    asks: bool = False
    is_question: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingModel:
    """What made a vector. The name says the bytes of the model too: same name, same space."""

    name: str
    dimension: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelUse:
    """How many memories have a vector of a model."""

    model: EmbeddingModel
    memories: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Vector:
    """A direction of length one, as little-endian 32-bit floats, and the model it comes from."""

    model: EmbeddingModel
    values: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorChange:
    """The vectors of one memory were put or removed: which in turn, and what chance said."""

    number: int
    sequence: int
    token: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Nearest:
    """What a scan found: sequences with a cosine, nearest first, each off by the slack at most.

    ``is_all`` says that there was nothing else to look at.
    """

    found: tuple[tuple[int, float], ...]
    slack: float
    is_all: bool
