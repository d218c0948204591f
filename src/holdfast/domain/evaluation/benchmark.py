"""The material for measuring recall: documents to remember, and questions with known answers.

The JSON of measurements, which ``eval --save`` writes and ``eval --compare`` reads.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from holdfast.domain.choices import EvidenceType, Origin
from holdfast.domain.errors import BadFieldError, InvalidError, NotFoundError, UnavailableError
from holdfast.domain.fields import Fields
from holdfast.domain.values import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


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
    """A file of an evaluation set cannot be used."""

    def __init__(self, file: str, problem: str, *, line: int | None = None) -> None:
        place = file if line is None else f"line {line} of {file}"
        super().__init__(
            f"The evaluation set cannot be used: {place} {problem}",
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


def result_json(result: SetResult) -> dict[str, object]:
    """Return the JSON of one set's results, with the measures of every question."""
    return {
        "set": result.name,
        "documents": result.documents,
        "memories": result.memories,
        "refused": result.refused,
        "seconds": {name: round(value, 3) for name, value in result.seconds.items()},
        "notes": list(result.notes),
        "queries": [
            {"id": one.id, "category": one.category, "measures": dict(one.measures)}
            for one in result.judged
        ],
    }


def results_json(results: Iterable[SetResult], **about: object) -> dict[str, object]:
    """Return the JSON of a whole run: its description and its sets."""
    return {**about, "sets": [result_json(result) for result in results]}


def results_from_json(shape: object) -> tuple[SetResult, ...]:
    """Read a run; the JSON does not contain the rankings.

    Raises:
        BadFieldError: The value is not a run.
    """
    return tuple(_result(one) for one in Fields(shape, noun="run").items("sets"))


def _result(shape: object) -> SetResult:
    fields = Fields(shape, noun="set")
    return SetResult(
        name=fields.text("set"),
        judged=tuple(_judged(one) for one in fields.items("queries")),
        documents=fields.whole("documents"),
        memories=fields.whole("memories"),
        refused=fields.whole("refused"),
        notes=fields.words("notes"),
    )


def _judged(shape: object) -> JudgedRanking:
    fields = Fields(shape, noun="query")
    measures = fields.raw("measures")
    if not isinstance(measures, Mapping):
        raise BadFieldError(field="query's measures", problem="must be an object.")
    named = Fields(measures, noun="measures")
    return JudgedRanking(
        id=fields.text("id"),
        category=fields.text("category"),
        ranked=(),
        measures={name: named.number(name) for name in cast("Mapping[str, object]", measures)},
    )
