"""The JSON of measurements, which ``eval --save`` writes and ``eval --compare`` reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from holdfast.domain.errors import BadFieldError
from holdfast.domain.evaluation.benchmark import JudgedRanking, SetResult
from holdfast.domain.fields import Fields

if TYPE_CHECKING:
    from collections.abc import Iterable


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
