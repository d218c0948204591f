"""Remember the documents of a set through the ordinary write path."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from holdfast.domain.choices import Kind, Status
from holdfast.domain.errors import InvalidError
from holdfast.domain.memory.evidence import Evidence
from holdfast.domain.memory.memory import LONGEST_CLAIM
from holdfast.domain.recall.question import Question
from holdfast.domain.values import dataclass, field
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.memory.remember import Remember, Remembered
from holdfast.usecases.screening import SecretPolicy

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from holdfast.domain.evaluation.benchmark import Document
    from holdfast.domain.ids import MemoryId
    from holdfast.domain.recall.rendering import Recalled
    from holdfast.ports.store.upkeep import Progress


_BATCH = 256
_BATCH_SIGNS = 4_000_000
# Redaction replaces a secret with a note, so a piece may grow a little.
_PIECE = LONGEST_CLAIM - 4 * 1024


class EvaluatedMemory(Protocol):
    """The memory under test: it remembers and answers, and a person approves."""

    def remember_all(self, wishes: Sequence[Remember]) -> Sequence[Remembered]:
        """Remember many claims in one durable transaction."""
        ...

    def accept(self, reference: MemoryId) -> None:
        """Accept a candidate as knowledge, whatever it contradicts."""
        ...

    def answer(self, question: Question) -> Recalled:
        """Answer a question without storing anything."""
        ...

    def catch_up(self, progress: Progress) -> int:
        """Give every memory a vector; return how many lacked one.

        Raises:
            NoModelError: There is no embedding model.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Ingested:
    """The documents of each memory; a known claim adds to an existing memory."""

    documents: Mapping[MemoryId, tuple[str, ...]]
    refused: Mapping[str, str] = field(default_factory=dict)


def ingest(
    documents: Sequence[Document], *, memory: EvaluatedMemory, progress: Progress = lambda *_: None
) -> Ingested:
    """Remember every document through the write path, in order, in durable batches.

    Claims of an agent or a repository are approved, as a person would, because a candidate is
    never given as knowledge. A document that the gates refuse is left out and named.
    """
    stands_for: dict[MemoryId, dict[str, None]] = {}
    refused: dict[str, str] = {}
    done = 0
    for batch in _batches(documents):
        for document, remembered in _kept(batch, refused, memory=memory):
            record = remembered.record
            names = stands_for.setdefault(record.memory.id, {})
            if not names and record.standing.status is Status.CANDIDATE:
                memory.accept(record.memory.id)
            names[document.id] = None
        done += len({document.id for document, _ in batch})
        progress(done, len(documents))
    return Ingested(
        documents={memory_id: tuple(names) for memory_id, names in stands_for.items()},
        refused=refused,
    )


def _kept(
    batch: Sequence[tuple[Document, Remember]], refused: dict[str, str], *, memory: EvaluatedMemory
) -> Iterator[tuple[Document, Remembered]]:
    """Remember a batch at once; if one of it is refused, remember the others one by one."""
    try:
        outcomes = memory.remember_all([wish for _, wish in batch])
    except InvalidError:
        for document, wish in batch:
            try:
                yield document, memory.remember_all([wish])[0]
            except InvalidError as error:
                refused[document.id] = str(error)
        return
    yield from zip((document for document, _ in batch), outcomes, strict=True)


def _batches(documents: Iterable[Document]) -> Iterator[list[tuple[Document, Remember]]]:
    batch: list[tuple[Document, Remember]] = []
    signs = 0
    for document in documents:
        for wish in wishes_of(document):
            batch.append((document, wish))
            signs += len(wish.claim)
        if len(batch) >= _BATCH or signs >= _BATCH_SIGNS:
            yield batch
            batch, signs = [], 0
    if batch:
        yield batch


def wishes_of(document: Document) -> Iterator[Remember]:
    """Return requests to remember a document; one too large is cut into several at line ends."""
    if not document.claim.strip():
        return
    evidence = Evidence(type=document.evidence, reference=document.reference or document.id)
    for claim in _pieces(document.claim):
        yield Remember(
            claim=claim,
            grounds=Grounds(given=(evidence,)),
            kind=Kind.OBSERVATION,
            origin=document.origin,
            secrets=SecretPolicy.REDACT,
        )


def _pieces(claim: str) -> Iterator[str]:
    """Cut a text into pieces that a store accepts, at line ends if there are any."""
    rest = claim
    while len(held := rest.encode("utf-8", "replace")) > _PIECE:
        piece = held[:_PIECE].decode("utf-8", "ignore")
        at = piece.rfind("\n") + 1 or len(piece)
        if piece[:at].strip():
            yield rest[:at]
        rest = rest[at:]
    if rest.strip():
        yield rest
