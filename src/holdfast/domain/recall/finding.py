"""Values that searches return: sequences, scores, turns and vectors.

The position of a memory in a conversation or a history.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import EvidenceType, Origin
from holdfast.domain.memory.evidence import session_turn
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping

    from holdfast.domain.memory.evidence import Evidence
    from holdfast.domain.memory.memory import Memory


def embedded_text(memory: Memory) -> str:
    """Return the text of a memory for embedding: its key, if any, and its claim."""
    return f"{memory.key}: {memory.claim}" if memory.key else memory.claim


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A search result: a memory by its sequence; a larger score is a better match."""

    sequence: int
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class NearHits:
    """What a search by meaning found, nearest first, and how thorough it was.

    ``is_exact`` tells that no nearer memory was missed; ``looked_at`` is how many memories were
    compared with the question. ``note`` is what a reader should know about the search.
    """

    hits: tuple[Hit, ...] = ()
    is_exact: bool = True
    looked_at: int = 0
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TermCounts:
    """The number of memories, and about how many of them contain each term.

    ``reaching`` is about how many of them can reach the place of the question.
    """

    memories: int
    reaching: int
    holding: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadPosition:
    """A position in a thread: which thread, the number of the turn, and who spoke.

    ``asks`` says that it contains a question, ``is_question`` that it ends with one.
    """

    thread: str
    number: int
    is_agent: bool = False
    length: int = 0
    asks: bool = False
    is_question: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingModel:
    """The model of a vector. Its name identifies its files too: same name, same vector space."""

    name: str
    dimension: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelUse:
    """The number of memories that have a vector of a model."""

    model: EmbeddingModel
    memories: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Vector:
    """A vector of length one, as little-endian 32-bit floats, and its model."""

    model: EmbeddingModel
    values: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorChange:
    """The vectors of one memory were put or removed: the change's number and a random token."""

    number: int
    sequence: int
    token: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Nearest:
    """The result of a scan: sequences with cosines, nearest first, each at most ``slack`` off.

    ``is_all`` says that no more can be had from the scan. A scan that is not exact may have missed
    a nearer memory; ``looked_at`` is then how many memories it compared.
    """

    found: tuple[tuple[int, float], ...]
    slack: float
    is_all: bool
    is_exact: bool = True
    looked_at: int = 0


_MOST_DIGITS = 12
_MARKS = ("?", "\uff1f", "\u061f")


def turn_of(memory: Memory) -> ThreadPosition | None:
    """Return the turn of a memory, from its evidence of type turn.

    The first reference of the form ``thread#7`` counts, else the first one of the form
    ``SESSION/7``. A reference without a number gives no position in a thread.
    """
    turns = [item for item in memory.evidence if item.type is EvidenceType.TURN]
    places = [place for read in (_numbered, _of_session) for item in turns if (place := read(item))]
    if not places:
        return None
    thread, number = places[0]
    return thread_position(thread, number, memory.claim, is_agent=memory.origin is Origin.AGENT)


def thread_position(thread: str, number: int, text: str, *, is_agent: bool) -> ThreadPosition:
    """Return the position of a text in its thread, with what the ranking needs of the text."""
    return ThreadPosition(
        thread=thread,
        number=number,
        is_agent=is_agent,
        length=len(text),
        asks=any(mark in text for mark in _MARKS),
        is_question=text.rstrip(" ").endswith(_MARKS),
    )


def _numbered(evidence: Evidence) -> tuple[str, int] | None:
    thread, _, number = evidence.reference.rpartition("#")
    if not thread or not number.isascii() or not number.isdigit():
        return None
    return thread, int(number[:_MOST_DIGITS])


def _of_session(evidence: Evidence) -> tuple[str, int] | None:
    found = session_turn(evidence)
    return None if found is None else (found.session, found.number)
