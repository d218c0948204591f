"""The material for measuring recall: documents to remember, and questions with known answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import EvidenceType, Origin
from holdfast.domain.errors import InvalidError, NotFoundError, UnavailableError
from holdfast.domain.values import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A text of a set: the claim to remember, its origin, and its evidence."""

    id: str
    text: str
    claim: str
    origin: Origin
    evidence: EvidenceType = EvidenceType.STATEMENT
    reference: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A question whose correct documents are known.

    Each document in ``key`` is a sufficient answer by itself; those in ``stale`` no longer hold.
    Only the documents in ``among`` may answer; ``None`` means all of the trial.
    """

    id: str
    text: str
    category: str
    gold: tuple[str, ...]
    answers: tuple[str, ...] = ()
    key: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()
    among: frozenset[str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """Documents that are remembered together, in this order, and the questions about them."""

    name: str
    documents: Sequence[Document]
    queries: Sequence[Query]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedRanking:
    """One question's ranking of documents, with the value of every measure."""

    id: str
    category: str
    ranked: tuple[str, ...]
    measures: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class SetResult:
    """All measurements on one set."""

    name: str
    judged: tuple[JudgedRanking, ...]
    documents: int = 0
    memories: int = 0
    refused: int = 0
    seconds: Mapping[str, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


class NoSetError(NotFoundError, code="no-set"):
    """The folder contains no evaluation set."""

    def __init__(self, folder: str, problem: str) -> None:
        super().__init__(
            f"There is no evaluation set in {folder}: {problem} A set is a folder with"
            " queries.jsonl and"
            " corpus.jsonl, directly or under the name of a split.",
            folder=folder,
            problem=problem,
        )


class BadSetError(InvalidError, code="bad-set"):
    """A file of an evaluation set cannot be read."""

    def __init__(self, file: str, problem: str, *, line: int | None = None) -> None:
        place = file if line is None else f"line {line} of {file}"
        super().__init__(
            f"The evaluation set cannot be read: {place} {problem}",
            file=file,
            problem=problem,
            line=line,
        )


class NothingToEvaluateError(NotFoundError, code="nothing-to-evaluate"):
    """Holdfast found no questions in the memories and commits of this repository."""

    hint: str = "Remember decisions with lines as evidence."


class NeedsZstandardError(UnavailableError, code="needs-zstandard"):
    """A compressed file needs a package that is not installed."""

    def __init__(self, file: str) -> None:
        super().__init__(
            f"{file} is compressed with zstd, and the package 'zstandard' is not installed."
            " Run 'pip install zstandard', or unpack the file beside it.",
            file=file,
        )
